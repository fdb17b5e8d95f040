"""Pages with popular phrases: widely copied passages, templates, and stitched pages."""

from dataclasses import replace

from mr_reuse.synth.phrases.phrase_group import (
    LISTED,
    MONSTER,
    NOT_LISTED,
    PhraseGroup,
)
from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage, Server

FEWEST_DOCUMENTS = 5  # that have a popular phrase
COPIES = FEWEST_DOCUMENTS - 1, FEWEST_DOCUMENTS, FEWEST_DOCUMENTS + 1
COPIED_LENGTH, OWN_LENGTH = 120, 30  # words
SLOTS, SLOT_LENGTH, BLANK_LENGTH = 10, 25, 2  # of a template
FEWEST_PAGES = 10  # of a host that is listed
BLANKS_PAGES, FULL_PAGES, OTHER_PAGES = 20, 10, 5
LOW_PAGES, LOW_SLOTS, LOW_OWN_LENGTH = 15, 2, 150
HOSTS, RING_PAGES = 12, 12  # of the ring, and of each of its hosts
RING_PASSAGES, RING_LENGTH = 8, 30  # of each page, and words of each
HOME_PASSAGES = 2  # that all pages of one host have, and no others


def plan_popular(group: PhraseGroup) -> None:
    """Plan all pages with popular phrases, and near misses."""
    for copies in COPIES:
        _plan_copied(group, copies)
    _plan_templates(group)
    _plan_ring(group)


def _plan_copied(group: PhraseGroup, copies: int) -> None:
    """Plan pages of different servers with a passage in common."""
    [passage] = group.new_passages(1, COPIED_LENGTH)
    for own in group.new_passages(copies, OWN_LENGTH):
        group.add_page(f'popular-{copies}', group.new_server(), [passage, own])


def _plan_templates(group: PhraseGroup) -> None:
    """Plan sites whose pages fill in the blanks of a template, some of them not all."""
    pages = _fill_template(group, 'blanks', BLANKS_PAGES)
    group.add_site('blanks', pages, MONSTER)
    pages = _fill_template(group, 'blanks-few', FEWEST_PAGES - 1)
    group.add_site('blanks-few', pages, NOT_LISTED)
    pages = _fill_template(group, 'mixed', FULL_PAGES)
    host = pages[0].server
    pages += [
        group.add_page('mixed-own', host, group.new_passages(1, LOW_OWN_LENGTH))
        for _ in range(OTHER_PAGES)
    ]
    group.add_site('mixed', pages, LISTED)
    host, template = group.new_server(), group.new_passages(LOW_SLOTS, SLOT_LENGTH)
    pages = [
        group.add_page('low', host, [*template, own])
        for own in group.new_passages(LOW_PAGES, LOW_OWN_LENGTH)
    ]
    group.add_site('low', pages, NOT_LISTED)


def _fill_template(group: PhraseGroup, kind: str, count: int) -> list[PlannedPage]:
    """Plan pages of a template with blanks, on a host of their own."""
    host, template = group.new_server(), group.new_passages(SLOTS, SLOT_LENGTH)
    pages = []
    for _ in range(count):
        content: list[Passage] = []
        for passage in template:
            content += [passage, *group.new_passages(1, BLANK_LENGTH)]
        pages.append(group.add_page(kind, host, content))
    return pages


def _plan_ring(group: PhraseGroup) -> None:
    """Plan sites that stitch their pages from the same passages.

    No two pages of a site have one of these passages in common. So the other sites are
    the donors. Two sites have the same IP address. One site is its own donor as well:
    all of its pages have two more passages.
    """
    passages = group.new_passages(RING_PAGES * RING_PASSAGES, RING_LENGTH)
    hosts = [group.new_server() for _ in range(HOSTS)]
    hosts[1] = replace(hosts[1], address=hosts[0].address)
    for host in hosts[:-1]:
        _plan_stitched(group, 'ring', host, passages)
    home = group.new_passages(HOME_PASSAGES, RING_LENGTH)
    _plan_stitched(group, 'ring-home', hosts[-1], passages, home)


def _plan_stitched(
    group: PhraseGroup,
    kind: str,
    host: Server,
    passages: list[Passage],
    home: list[Passage] | None = None,
) -> None:
    """Plan a site whose pages have each of the passages once."""
    shuffled = group.shuffle(passages)
    pages = [
        group.add_page(
            kind, host, [*shuffled[start : start + RING_PASSAGES], *(home or [])]
        )
        for start in range(0, len(shuffled), RING_PASSAGES)
    ]
    group.add_site(kind, pages, MONSTER)
