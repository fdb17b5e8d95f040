"""The rule by which pages and neighborhoods are bad."""

from fractions import Fraction

import pytest

from mr_reuse.chunks.detect import badness
from mr_reuse.chunks.detect.badness import LevelSums, Rule
from mr_reuse.chunks.detect.neighborhoods import Neighborhood

TENTH = 10**11  # of a ratio of 1


def hood(prefix: str, bad: int, total: int = 10, nonempty: int = 1) -> Neighborhood:
    """A neighborhood of one page, so that its pooled ratio is its mean as well."""
    ratio = bad * 10 * TENTH // total if total else 0
    return Neighborhood(prefix, prefix.count('/'), 1, nonempty, bad, total, ratio)


SITES = [
    hood(f'{name}.org/', bad) for name, bad in zip('abcd', [0, 0, 0, 8], strict=True)
]
FOLDERS = [
    hood(f'{name}.org/x/', bad) for name, bad in zip('abc', [5, 5, 8], strict=True)
]
EMPTY = hood('e.org/', 0, 0, nonempty=0)
HOODS = [*SITES, *FOLDERS, EMPTY]


def bad_ones(rule: Rule) -> list[str]:
    of_level = badness.make_thresholds(rule, LevelSums(HOODS))
    return [h.prefix for h in HOODS if rule.is_bad(h, of_level(h.level))]


def test_one_threshold_for_all_levels():
    """The mean is 26/7 tenths, the deviation 3.28: the threshold is seven tenths."""
    joint = Rule(per_level=False)
    assert bad_ones(joint) == ['d.org/', 'c.org/x/']
    assert bad_ones(joint._replace(sigmas=Fraction(0))) == [
        'd.org/',
        *(f'{name}.org/x/' for name in 'abc'),
    ]
    assert bad_ones(joint._replace(sigmas=Fraction(2))) == []


def test_threshold_of_each_level():
    """Of sites 2 + 3.46 tenths, of folders 6 + 1.41 tenths."""
    assert bad_ones(Rule()) == ['d.org/', 'c.org/x/']
    assert bad_ones(Rule(sigmas=Fraction('1.5'))) == ['d.org/']
    by_level = badness.make_thresholds(Rule(), LevelSums(HOODS))
    assert [by_level(level).value for level in (1, 2)] == ['0.546410162', '0.741421356']
    assert badness.make_shared_threshold(Rule(), LevelSums(HOODS)) is None
    sites = badness.make_shared_threshold(Rule(), LevelSums(SITES))
    assert sites.value == '0.546410162'


@pytest.mark.parametrize('per_level', [False, True])
def test_fixed_threshold(per_level):
    """Neighborhoods at the threshold are not above it."""
    rule = Rule(neighborhood_threshold=Fraction('0.5'), per_level=per_level)
    assert bad_ones(rule) == ['d.org/', 'c.org/x/']
    rule = rule._replace(neighborhood_threshold=Fraction('0.8'))
    assert bad_ones(rule) == []


def test_least_labels():
    fixed = Rule(neighborhood_threshold=Fraction(0))
    assert len(bad_ones(fixed._replace(min_bad=5))) == 4
    assert len(bad_ones(fixed._replace(min_bad=6))) == 2


def test_without_chunks_nothing_is_bad():
    """A neighborhood without chunks has no ratio, and counts in no mean."""
    rule = Rule(neighborhood_threshold=Fraction(0))
    assert 'e.org/' not in bad_ones(rule)
    spread = LevelSums(HOODS)
    assert spread.count == {1: 5, 2: 3} and spread.levels == [1, 2]
    assert spread.sums('pooled', 1) == (4, 8 * TENTH, 64 * TENTH**2)
    assert spread.sums('mean') == (7, 26 * TENTH, 178 * TENTH**2)
    assert spread.sums('mean', 9) == (0, 0, 0)


@pytest.mark.parametrize(('ratio', 'bad'), [('pooled', False), ('mean', True)])
def test_pooled_and_mean(ratio, bad):
    """One page has 1 of 99 chunks, another 1 of 1: 2 of 100, but a mean of a half."""
    mixed = Neighborhood('a.org/', 1, 2, 2, 2, 100, 10 * TENTH + 10**10)
    rule = Rule(ratio=ratio, neighborhood_threshold=Fraction('0.2'))
    threshold = badness.make_thresholds(rule, LevelSums([mixed]))(1)
    assert rule.is_bad(mixed, threshold) == bad


def test_threshold_of_pages():
    stats = {'count': 4, 'sum': 8 * TENTH, 'squares': 64 * TENTH**2, 'pages': 9}
    threshold = badness.make_page_threshold(Rule(), stats)
    assert threshold.value == '0.546410162'  # 0.2 + 0.2 * sqrt(3)
    fixed = badness.make_page_threshold(Rule(page_threshold=Fraction('0.9')), stats)
    assert fixed.value == '0.900000000'
    assert badness.make_page_threshold(Rule(), {}).value == '0.000000000'


@pytest.mark.parametrize(('rank', 'order'), [('ratio', 'acbd'), ('bad', 'bcad')])
def test_order(rank, order):
    cells = {'a': (9, 1), 'b': (5, 9), 'c': (9, 0) if rank == 'ratio' else (6, 2)}
    cells['d'] = (1, 0)
    rule = Rule(rank=rank)
    assert ''.join(sorted(cells, key=lambda n: rule.sort_key(*cells[n]))) == order


@pytest.mark.parametrize(
    ('levels', 'kept', 'site'),
    [('all', [1, 2, 3], 1), ('site', [1], 1), ('domain', [0], 0), ('2', [2], 2)],
)
def test_levels(levels, kept, site):
    rule = Rule(levels=levels)
    assert [level for level in range(4) if rule.is_judged(level)] == kept
    assert rule.site_level == site
