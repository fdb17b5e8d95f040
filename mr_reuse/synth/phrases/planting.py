"""The planted phrases of a crawl: their visits and the tables of the answer key."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import count

from mr_reuse.synth.key import Visit
from mr_reuse.synth.phrases.laws import near_duplicate_chance, phrases_of
from mr_reuse.synth.phrases.near_duplicates import plan_near_duplicates
from mr_reuse.synth.phrases.phrase_group import Pair, PhraseGroup
from mr_reuse.synth.phrases.popular import FEWEST_DOCUMENTS, plan_popular
from mr_reuse.synth.planned.markup import make_page, words_of
from mr_reuse.synth.planned.page_group import group_count
from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage
from mr_reuse.synth.planned.rows import format_decimals, join_fields

PAGES_HEADER = 'kind\turl\twords\tclass\tpassages\n'
PASSAGES_HEADER = 'passage\tpages\tdocuments\tpopular\ttext\n'
PAIRS_HEADER = 'kind\tfirst_url\tsecond_url\tcommon\tall\tresemblance\tchance\n'
SITES_HEADER = 'kind\thost\tpages\tmonster\n'


def plan_group(seed: int, number: int) -> PhraseGroup:
    """Return a group, with its pages in the order of their capture."""
    group = PhraseGroup(seed, number)
    plan_near_duplicates(group)
    plan_popular(group)
    group.order_pages()
    return group


def shared_passages(pages: Iterable[PlannedPage]) -> dict[Passage, list[PlannedPage]]:
    """Return the passages that several pages have, each with these pages."""
    holders: dict[Passage, list[PlannedPage]] = {}
    for page in pages:
        for passage in page.passages:
            holders.setdefault(passage, []).append(page)
    return {passage: found for passage, found in holders.items() if len(found) > 1}


class Phrases:
    """The planted phrases of a crawl."""

    def __init__(self, seed: int, size: int) -> None:
        self.groups = [plan_group(seed, number) for number in range(group_count(size))]
        numbers = count(1)
        self.shared = [shared_passages(group.pages) for group in self.groups]
        self.numbers = {
            passage: next(numbers) for shared in self.shared for passage in shared
        }

    def visits(self) -> list[Visit]:
        """Return visits to all pages."""
        return [
            (page.second, partial(make_page, page))
            for group in self.groups
            for page in group.pages
        ]

    def page_rows(self) -> Iterator[str]:
        """Yield the lines of the pages."""
        earlier = 0  # classes of the groups before
        for group in self.groups:
            for page in group.pages:
                numbers = [self.numbers[p] for p in page.passages if p in self.numbers]
                passages = ' '.join(map(str, numbers))
                is_alone = page not in group.classes
                name = '' if is_alone else earlier + group.classes[page]
                yield join_fields(page.kind, page.url, page.words, name, passages)
            earlier += max(group.classes.values())

    def passage_rows(self) -> Iterator[str]:
        """Yield the lines of the passages.

        Of a class of near-duplicates one page is a document.
        """
        for group, shared in zip(self.groups, self.shared, strict=True):
            for passage, pages in shared.items():
                documents = len({group.classes.get(page, page) for page in pages})
                popular = 'yes' if documents >= FEWEST_DOCUMENTS else 'no'
                counts = len(pages), documents, popular
                text = ' '.join(passage.words())
                yield join_fields(self.numbers[passage], *counts, text)

    def pair_rows(self) -> Iterator[str]:
        """Yield the lines of the pairs."""
        for group in self.groups:
            yield from map(pair_row, group.pairs)

    def site_rows(self) -> Iterator[str]:
        """Yield the lines of the sites."""
        for group in self.groups:
            for site in group.sites:
                yield join_fields(*site)


def pair_row(pair: Pair) -> str:
    """Return the line of a pair."""
    first, second = (phrases_of(words_of(page)) for page in pair[1:])
    common, union = len(first & second), len(first | second)
    resemblance = Fraction(common, union)
    return join_fields(
        pair.kind,
        pair.first.url,
        pair.second.url,
        common,
        union,
        format_decimals(resemblance),
        format_decimals(near_duplicate_chance(resemblance)),
    )
