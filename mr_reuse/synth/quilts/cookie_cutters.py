"""Pages of a few passages in changing combinations, and mirrors of whole pages."""

from dataclasses import replace

from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import Server
from mr_reuse.synth.quilts.covers import MAX_DOCUMENTS
from mr_reuse.synth.quilts.holders import ALL_BUT_ONE, COPIES
from mr_reuse.synth.quilts.quilt_group import QuiltGroup

# Perfect difference sets modulo a number. If page k has the passages k + d for each d
# of the set, any two pages have exactly one passage in common.
THREE_EACH = (0, 1, 3), 7
FOUR_EACH = (0, 1, 3, 9), 13
SIX_EACH = (0, 1, 3, 8, 12, 18), 31
DOMAINS = 3  # of the network of sites
MIRRORS = 2, 4, MAX_DOCUMENTS, MAX_DOCUMENTS + 1  # pages with the same words
ALTERNATIVES = 12  # passages of which each page omits another one
ALTERNATIVE = 20  # words of each of these
COMMON_PAGES, COMMON_PASSAGES = 60, 8


def plan_cookie_cutters(group: QuiltGroup, notice: Passage) -> None:
    """Plan sites of pages that combine the same passages.

    `notice` gets onto more pages than a patch gram may have.
    """
    for kind, design in (('cookie-3', THREE_EACH), ('cookie-4', FOUR_EACH)):
        _plan_combinations(group, kind, [group.new_server()], *design)
    network = [group.new_server() for _ in range(DOMAINS)]
    network[1] = replace(network[1], address=network[0].address)
    _plan_combinations(group, 'cookie-network', network, *SIX_EACH)
    _plan_alternatives(group)
    _plan_common(group, notice)


def _plan_combinations(
    group: QuiltGroup,
    kind: str,
    servers: list[Server],
    differences: tuple[int, ...],
    pages: int,
) -> None:
    """Plan pages of which any two have one passage in common."""
    passages = [group.shared_passage() for _ in range(pages)]
    for number in range(pages):
        chosen = [passages[(number + step) % pages] for step in differences]
        group.add_page(kind, servers[number % len(servers)], group.put_spaces(chosen))


def _plan_alternatives(group: QuiltGroup) -> None:
    """Plan pages that have all passages but one. Two others cover each of them."""
    host = group.new_server()
    passages = [group.own_passage(ALTERNATIVE) for _ in range(ALTERNATIVES)]
    for number in range(ALTERNATIVES):
        chosen = passages[:number] + passages[number + 1 :]
        page = group.add_page('cookie-similar', host, group.put_spaces(chosen))
        page.design = ALL_BUT_ONE


def _plan_common(group: QuiltGroup, notice: Passage) -> None:
    """Plan pages of passages that too many of them have, so that none is a patch."""
    host = group.new_server()
    passages = [group.shared_passage() for _ in range(COMMON_PASSAGES)]
    for number in range(COMMON_PAGES):
        omitted = number % COMMON_PASSAGES
        chosen = passages[:omitted] + passages[omitted + 1 :]
        group.add_page('cookie-common', host, group.put_spaces([notice, *chosen]))


def plan_mirrors(group: QuiltGroup) -> None:
    """Plan pages with the same words, each on a server of its own."""
    for copies in MIRRORS:
        text = group.shared_passage()
        top, bottom = (group.own_passage(), group.own_passage()), group.own_passage()
        for _ in range(copies):
            page = group.add_page(f'mirror-{copies}', group.new_server(), [text])
            page.design, page.top, page.bottom = COPIES, top, bottom
