"""The planted styles of a crawl: their visits and the tables of the answer key."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from statistics import fmean

from mr_reuse.synth.key import Visit
from mr_reuse.synth.planned.page_group import group_count
from mr_reuse.synth.planned.rows import format_decimals, join_fields
from mr_reuse.synth.styles.families import plan_families
from mr_reuse.synth.styles.laws import alike_chance, grams_of, resemblance_of
from mr_reuse.synth.styles.style_group import Pair, StyleGroup, StylePage

PAGES_HEADER = 'kind\turl\tstyle\tgrams\n'
FAMILIES_HEADER = 'style\tkind\tpages\thosts\tdomains\tleast\tmean\tgreatest\n'
PAIRS_HEADER = 'kind\tfirst_url\tsecond_url\tcommon\tall\tresemblance\tchance\n'


def plan_group(seed: int, number: int) -> StyleGroup:
    """Return a group, with its pages in the order of their capture."""
    group = StyleGroup(seed, number)
    plan_families(group)
    group.order_pages()
    return group


class Styles:
    """The planted styles of a crawl."""

    def __init__(self, seed: int, size: int) -> None:
        self.groups = [plan_group(seed, number) for number in range(group_count(size))]

    def visits(self) -> list[Visit]:
        """Return visits to all pages."""
        return [
            (page.second, page.make_page)
            for group in self.groups
            for page in group.pages
        ]

    def page_rows(self) -> Iterator[str]:
        """Yield the lines of the pages."""
        earlier = 0  # styles of the groups before
        for group in self.groups:
            for page in group.pages:
                style = earlier + page.style if page.style else ''
                grams = len(grams_of(page.body()))
                yield join_fields(page.kind, page.url, style, grams)
            earlier += group.styles

    def family_rows(self) -> Iterator[str]:
        """Yield the lines of the styles."""
        earlier = 0
        for group in self.groups:
            members: dict[int, list[StylePage]] = {}
            for page in group.pages:
                members.setdefault(page.style, []).append(page)
            for style in range(1, group.styles + 1):
                yield family_row(earlier + style, members[style])
            earlier += group.styles

    def pair_rows(self) -> Iterator[str]:
        """Yield the lines of the pairs."""
        for group in self.groups:
            yield from map(pair_row, group.pairs)


def family_row(style: int, pages: list[StylePage]) -> str:
    """Return the line of a style: its size, and how much its pages resemble."""
    grams = [grams_of(page.body()) for page in pages]
    found = [resemblance_of(*pair) for pair in combinations(grams, 2)]
    hosts = {page.server.host for page in pages}
    domains = {page.server.domain for page in pages}
    return join_fields(
        style,
        pages[0].kind,
        *map(len, (pages, hosts, domains)),
        *map(format_decimals, (min(found), Fraction(fmean(found)), max(found))),
    )


def pair_row(pair: Pair) -> str:
    """Return the line of a pair."""
    first, second = (grams_of(page.body()) for page in pair[1:])
    resemblance = resemblance_of(first, second)
    return join_fields(
        pair.kind,
        pair.first.url,
        pair.second.url,
        len(first & second),
        len(first | second),
        format_decimals(resemblance),
        format_decimals(alike_chance(resemblance)),
    )
