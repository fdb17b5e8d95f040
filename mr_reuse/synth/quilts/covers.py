"""The patch grams and the sources of a page, from the design of its passages.

No page is searched here. Each design allows a rule that states the greedy cover:

* `apart`: if several other pages have a passage of the page, these have no other
  passage of the page. So a source of such a passage adds nothing else, and the cover
  takes the first captured one.
* `copies`: all pages have the same words, so the first captured one covers all.
* `twins`: two pages of one host have the same content. Each passage in it is also on
  the other twin. So the twin covers all of it. If the twin is not a candidate, the rule
  of `apart` holds.
* `all but one`: each of the pages omits a different one of the same passages, which
  are of equal length. All are on one host. The first captured page covers all passages
  but one, and the next one covers that.
"""

from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from mr_reuse.synth.planned.passages import GRAM, Passage
from mr_reuse.synth.planned.planned_page import PlannedPage
from mr_reuse.synth.quilts.holders import (
    ALL_BUT_ONE,
    COPIES,
    TWINS,
    Holders,
    is_foreign,
)

MAX_DOCUMENTS = 50  # that have a patch gram
FEWEST_SOURCES = 4
ALPHA = Fraction(1, 2)
FOREIGN = 'none', 'host', 'domain', 'ip'
# If records have no IP addresses, domains decide in their place.
WITHOUT_ADDRESSES = 'none', 'host', 'domain', 'domain'


@dataclass(slots=True)
class Source:
    """A page in a cover, the number of grams it adds, and the places it shares.

    A place is a range of words of the page. Between two places is another word.
    """

    page: PlannedPage
    new: int
    places: list[range]

    @property
    def shared(self) -> int:
        """The number of grams that both pages have."""
        return grams_in(self.places)


def grams_in(places: list[range]) -> int:
    """Return the number of grams in places.

    >>> grams_in([range(0, 7), range(8, 20), range(30, 33)])
    11
    """
    return sum(max(len(place) - GRAM + 1, 0) for place in places)


def patches(page: PlannedPage, holders: Holders) -> list[range]:
    """Return the places of a page whose grams are patch grams."""
    if page.design == COPIES:
        copies = len(holders.of(page.content[0]))
        return [range(page.words)] if copies <= MAX_DOCUMENTS else []
    places = page.places(_patches(page, holders))
    if page.design == TWINS:
        return [range(places[0].start, places[-1].stop)]
    return places


def cover(page: PlannedPage, holders: Holders, by: str) -> list[Source]:
    """Return the sources of a page in the order in which the greedy cover takes them.

    `by` is the value of `--foreign`.
    """
    if page.design == TWINS and by == 'none' or page.design == COPIES:
        return _same_content(page, holders, by)
    if page.design == ALL_BUT_ONE:
        return _first_two(page, holders) if by == 'none' else []
    taken: dict[PlannedPage, list[Passage]] = {}
    for passage in _patches(page, holders):
        for other in _candidates(page, passage, holders, by)[:1]:
            taken.setdefault(other, []).append(passage)
    sources = [_source(page, other, found) for other, found in taken.items()]
    return sorted(sources, key=lambda source: (-source.new, source.page.number))


def is_quilted(grams: int, patch: int, sources: int) -> bool:
    """Return whether a page is (5, 50, 4, 0.5)-quilted.

    >>> is_quilted(100, 50, 4), is_quilted(101, 50, 4), is_quilted(100, 99, 3)
    (True, False, False)
    """
    return patch >= ALPHA * grams and sources >= FEWEST_SOURCES


def _patches(page: PlannedPage, holders: Holders) -> list[Passage]:
    """Return the passages that other pages have, but not too many of them."""
    return [
        passage
        for passage in page.content
        if 1 < len(holders.of(passage)) <= MAX_DOCUMENTS
    ]


def _candidates(
    page: PlannedPage, passage: Passage, holders: Holders, by: str
) -> list[PlannedPage]:
    """Return the other pages that have a passage, in the order of capture."""
    return [
        other
        for other in holders.of(passage)
        if other is not page and is_foreign(page.server, other.server, by)
    ]


def _source(page: PlannedPage, other: PlannedPage, shared: list[Passage]) -> Source:
    places = page.places(shared)
    return Source(other, grams_in(places), places)


def _same_content(page: PlannedPage, holders: Holders, by: str) -> list[Source]:
    places = patches(page, holders)
    others = _candidates(page, page.content[0], holders, by) if places else []
    same = [other for other in others if other.design == page.design]
    return [Source(other, grams_in(places), places) for other in same[:1]]


def _first_two(page: PlannedPage, holders: Holders) -> list[Source]:
    passages = _patches(page, holders)
    others = {other for passage in passages for other in holders.of(passage)}
    first, second, *_ = sorted(others - {page}, key=attrgetter('number'))
    in_first = [p for p in passages if first in holders.of(p)]
    in_second = [p for p in passages if second in holders.of(p)]
    [omitted] = set(passages) - set(in_first)
    adding = _source(page, second, in_second)
    adding.new = omitted.grams
    return [_source(page, first, in_first), adding]
