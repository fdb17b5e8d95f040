"""The planted quilts of a crawl: their visits and the tables of the answer key."""

from collections.abc import Iterator
from functools import partial

from mr_reuse.synth.key import Visit
from mr_reuse.synth.planned.markup import make_page
from mr_reuse.synth.planned.page_group import group_count
from mr_reuse.synth.quilts.cookie_cutters import plan_cookie_cutters, plan_mirrors
from mr_reuse.synth.quilts.copied import plan_copied
from mr_reuse.synth.quilts.covers import FOREIGN, cover, grams_in, is_quilted, patches
from mr_reuse.synth.quilts.holders import Holders
from mr_reuse.synth.quilts.quilt_group import QuiltGroup

QUILTS_HEADER = (
    'kind\turl\twords\tgrams\tpatch\tsources\thost\tdomain\tip\tquilted_by\n'
)
PATCHES_HEADER = 'url\tforeign\tnumber\tsource_url\tnew\tshared\tplaces\n'


def format_place(place: range) -> str:
    """Return the numbers of the first and the last word of a place, from 1 on.

    >>> format_place(range(0, 7))
    '1-7'
    """
    return f'{place.start + 1}-{place.stop}'


def plan_group(seed: int, number: int) -> Holders:
    """Return the pages of a group, complete and in the order of their capture."""
    group = QuiltGroup(seed, number)
    notice = group.shared_passage()
    plan_copied(group, notice)
    plan_cookie_cutters(group, notice)
    plan_mirrors(group)
    return group.finish()


class Quilts:
    """The planted quilts of a crawl."""

    def __init__(self, seed: int, size: int) -> None:
        self.groups = [plan_group(seed, number) for number in range(group_count(size))]

    def visits(self) -> list[Visit]:
        """Return visits to all pages. Those of a group are in the order of capture."""
        return [
            (page.second, partial(make_page, page))
            for group in self.groups
            for page in group.pages
        ]

    def page_rows(self, foreign: tuple[str, ...] = FOREIGN) -> Iterator[str]:
        """Yield the lines of quilts.tsv."""
        for group in self.groups:
            for page in group.pages:
                patch = grams_in(patches(page, group))
                sources = [len(cover(page, group, by)) for by in foreign]
                by = ' '.join(
                    name
                    for name, number in zip(FOREIGN, sources, strict=True)
                    if is_quilted(page.grams, patch, number)
                )
                fields = page.kind, page.url, page.words, page.grams, patch
                yield '\t'.join(map(str, [*fields, *sources, by])) + '\n'

    def patch_rows(self, foreign: tuple[str, ...] = FOREIGN) -> Iterator[str]:
        """Yield the lines of patches.tsv."""
        for group in self.groups:
            for page in group.pages:
                for name, by in zip(FOREIGN, foreign, strict=True):
                    for number, source in enumerate(cover(page, group, by), 1):
                        places = ' '.join(map(format_place, source.places))
                        counts = source.new, source.shared, places
                        fields = page.url, name, number, source.page.url, *counts
                        yield '\t'.join(map(str, fields)) + '\n'
