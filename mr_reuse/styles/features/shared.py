"""The features that most of the sampled pages of a style share."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from mr_reuse.algorithms import common_sequences
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.styles.features import page_features
from mr_reuse.styles.features.page_features import PageFeatures

KINDS = GENERATOR, PATH, CLASS, TAG, SKELETON = (
    'generator',
    'path',
    'class',
    'tag',
    'skeleton',
)
LEAST_SHARE = Fraction(9, 10)  # of the sampled pages of a style
FIRST, LAST = 60, 20  # items of a longer skeleton
GAP = '…'
VERSION = re.compile(r'[ /]*\(?[vV]?[0-9].*\Z')


class Feature(NamedTuple):
    """A feature that pages share."""

    kind: str
    value: str
    pages: int  # that have it
    items: tuple[str, ...]  # of a path, or of a skeleton

    @classmethod
    def parse(cls, text: bytes) -> 'Feature':
        """Parse a text."""
        kind, value, pages, items = to_text(text).split('\t')
        return cls(kind, value, int(pages), tuple(items.split(' ')) if items else ())

    def to_text(self) -> bytes:
        """Make a text for a line.

        >>> feature = Feature('path', '/a/*', 9, ('/a', '/'))
        >>> Feature.parse(feature.to_text()) == feature
        True
        """
        cells = self.kind, self.value, str(self.pages), ' '.join(self.items)
        return to_bytes('\t'.join(cells))


def least_pages(pages: int) -> int:
    """Return how many of the sampled pages of a style have to share a feature.

    >>> [least_pages(n) for n in (1, 2, 9, 10)]
    [1, 2, 9, 9]
    """
    return -(-pages * LEAST_SHARE.numerator // LEAST_SHARE.denominator)


def find_shared(pages: Sequence[PageFeatures]) -> Iterator[Feature]:
    """Yield the features that most pages share, in the order of the first page.

    >>> bodies = b'<p class="a x"><b>', b'<p class="a y"><i><b>'
    >>> pages = [page_features.read_features(b, 'http://a.org/') for b in bodies]
    >>> for feature in find_shared(pages): print(*feature)
    path / 2 ('/',)
    class a 2 ()
    tag p 2 ()
    tag b 2 ()
    skeleton p.a … b 2 ('p.a', 'b')
    """
    if not pages:
        return
    least = least_pages(len(pages))
    names = [generators_of(page) for page in pages]
    # The full text comes first: it says more than the name alone.
    yield from list(_find_frequent(GENERATOR, names, least))[:1]
    yield from find_path(pages, least)
    yield from _find_frequent(CLASS, [page.classes for page in pages], least)
    yield from _find_frequent(TAG, [page.tags for page in pages], least)
    yield from find_skeleton(pages, least)


def generators_of(page: PageFeatures) -> list[str]:
    """Return the generator of a page, and its name without the version.

    >>> def name(generator): return PageFeatures([], [], generator, [], [])
    >>> generators_of(name('GTK-Doc V1.33.1 (XML mode)')), generators_of(name(''))
    (['GTK-Doc V1.33.1 (XML mode)', 'GTK-Doc'], [])
    """
    texts = page.generator, VERSION.sub('', page.generator)
    return list(dict.fromkeys(text for text in texts if text))


def _find_frequent(
    kind: str, values: Sequence[Sequence[str]], least: int
) -> Iterator[Feature]:
    """Yield the values that at least so many pages have; those of a page differ."""
    counts = Counter(value for of_page in values for value in of_page)
    for value, count in counts.items():
        if count >= least:
            yield Feature(kind, value, count, ())


def find_path(pages: Sequence[PageFeatures], least: int) -> Iterator[Feature]:
    """Yield the pattern of the paths of most pages, if they have something in common.

    >>> pages = [PageFeatures([], [], '', [], path) for path in (['/a', '/b'], ['/a'])]
    >>> [feature.value for feature in find_path(pages, 2)]
    ['/a*']
    """
    paths = [page.path for page in pages]
    pieces = common_sequences.common_to_most(paths, least)
    if pieces:
        those, gaps = _find_gaps(paths, pieces)
        pattern = page_features.format_path(pieces, gaps)
        yield Feature(PATH, pattern, those, tuple(pieces))


def find_skeleton(pages: Sequence[PageFeatures], least: int) -> Iterator[Feature]:
    """Yield the sequence of markup of most pages, if there is one."""
    markups = [page.markup for page in pages]
    items = common_sequences.common_to_most(markups, least)
    if items:
        those, gaps = _find_gaps(markups, items)
        yield Feature(SKELETON, format_skeleton(items, gaps), those, tuple(items))


def _find_gaps(
    sequences: Sequence[Sequence[str]], items: Sequence[str]
) -> tuple[int, list[bool]]:
    """Return how many sequences have the items, and where some have others between."""
    having = [s for s in sequences if common_sequences.has_subsequence(s, items)]
    gaps = zip(*(common_sequences.list_gaps(s, items) for s in having), strict=True)
    return len(having), [any(column) for column in gaps]


def format_skeleton(items: Sequence[str], gaps: Sequence[bool]) -> str:
    """Format a skeleton; only the ends of a long one.

    >>> format_skeleton(['html', 'p', 'b'], [False, False, True, True])
    'html p … b …'
    >>> format_skeleton(['p'] * 100, [False] * 101).split().count('p')
    80
    """
    words = []
    for at, item in enumerate(items):
        if len(items) > FIRST + LAST and FIRST <= at < len(items) - LAST:
            if at == FIRST:
                words.append(GAP)
            continue
        if gaps[at] and words[-1:] != [GAP]:
            words.append(GAP)
        words.append(item)
    return ' '.join([*words, *[GAP] * gaps[-1]])
