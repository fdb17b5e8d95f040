"""Which shared features describe a style: those that few other documents have."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from mr_reuse.algorithms.common_sequences import has_subsequence
from mr_reuse.styles.features import shared
from mr_reuse.styles.features.page_features import PageFeatures
from mr_reuse.styles.features.shared import Feature, generators_of

MOST_OTHERS = Fraction(1, 5)  # share of the other documents that may have a feature
MAX_VALUES = 10  # classes of a style, and tags
ALWAYS = shared.GENERATOR, shared.SKELETON  # say something even if others have them


class Described(NamedTuple):
    """A feature of a style."""

    style: int
    feature: Feature
    share: Fraction  # of the sampled pages of the style that have it
    others: Fraction | None  # of other documents; None if none was read


class Others:
    """Documents drawn of all, each with the number of its style, or 0.

    >>> def page(*tags): return PageFeatures(list(tags), [], '', ['p', 'b'], [])
    >>> others = Others([(0, page('p')), (2, page('p')), (1, page('i'))])
    >>> feature = Feature('tag', 'p', 2, ())
    >>> [others.share_of(feature, style) for style in (1, 2)]
    [Fraction(1, 1), Fraction(1, 2)]
    >>> others.share_of(Feature('skeleton', '', 2, ('b',)), 1)
    Fraction(1, 1)
    """

    def __init__(self, pages: Sequence[tuple[int, PageFeatures]]):
        self._pages = pages
        self._counts: Counter[tuple[str, str]] = Counter()
        self._of_styles: dict[int, Counter[tuple[str, str]]] = {}
        for style, page in pages:
            names = list_names(page)
            self._counts.update(names)
            self._of_styles.setdefault(style, Counter()).update(names)
        self._sizes = Counter(style for style, _ in pages)

    def share_of(self, feature: Feature, style: int) -> Fraction | None:
        """Return the share of those of other styles that have a feature.

        None without such documents.
        """
        count = len(self._pages) - self._sizes[style]
        if not count:
            return None
        name = feature.kind, feature.value
        having = self._counts[name] - self._of_styles.get(style, Counter())[name]
        if feature.items:
            foreign = (page for number, page in self._pages if number != style)
            having = sum(
                has_subsequence(items_of(page, feature.kind), feature.items)
                for page in foreign
            )
        return Fraction(having, count)


def list_names(page: PageFeatures) -> list[tuple[str, str]]:
    """Return kind and value of the features of a page that are names."""
    names = [(shared.GENERATOR, name) for name in generators_of(page)]
    names += ((shared.CLASS, name) for name in page.classes)
    return names + [(shared.TAG, name) for name in page.tags]


def items_of(page: PageFeatures, kind: str) -> Sequence[str]:
    """Return the sequence of a page in which paths, or skeletons, are looked for."""
    return page.path if kind == shared.PATH else page.markup


def describe_style(
    style: int, pages: int, features: Iterable[Feature], others: Others
) -> Iterator[Described]:
    """Yield the features that describe a style, given all that its pages share.

    `pages` is the number of its pages that were read.

    >>> others = Others([(0, PageFeatures(['p'], [], '', [], []))])
    >>> features = [Feature('tag', tag, 2, ()) for tag in ('p', 'blink')]
    >>> [one.feature.value for one in describe_style(1, 2, features, others)]
    ['blink']
    """
    for kind, group in groupby(features, lambda feature: feature.kind):
        found = (
            Described(
                style, one, Fraction(one.pages, pages), others.share_of(one, style)
            )
            for one in group
        )
        telling = (
            one
            for one in found
            if kind in ALWAYS or one.others is None or one.others <= MOST_OTHERS
        )
        # Of the same share, those that come first on the page.
        order = sorted(telling, key=lambda one: one.others or Fraction(0))
        yield from order[:MAX_VALUES]
