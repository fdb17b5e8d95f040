"""Shares, how sure they are, and whether judges agree, against what was published."""

import math
import re

import pytest

from mr_reuse.review import summary_tables
from mr_reuse.review.agreement import agreement
from mr_reuse.review.intervals import Estimate, Stratum, estimate, wilson
from mr_reuse.review.judgements import JUDGED, Judgement
from mr_reuse.review.tallying import Tally

ENDLESS = 10**12
Z = 1.959963984540054  # of the normal distribution, 97.5 %

# Intervals


@pytest.mark.parametrize(
    'hits, judged, low, high',
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(hits, judged, low, high):
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, Table I, method 3."""
    found = wilson(Stratum(hits, judged, ENDLESS))
    assert found.share == hits / judged
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@pytest.mark.parametrize(
    'one, other, low, high',
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
    ],
)
def test_strata_as_published(one, other, low, high):
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, Table II, method 10.

    He has differences of proportions p - q. Two strata of one size give the mean of
    their shares; that of p and 1 - q is half of p - q + 1.
    """
    (x, m), (y, n) = one, other
    found = estimate([Stratum(x, m, ENDLESS), Stratum(n - y, n, ENDLESS)])
    assert round(2 * found.share - 1, 9) == round(x / m - y / n, 9)
    limits = [round(2 * limit - 1, 4) for limit in found[1:]]
    # What he lets run over the ends of the scale is no share of anything.
    assert limits == [low, high]


@pytest.mark.parametrize('hits, judged, size', [(3, 20, 66), (0, 40, 100), (9, 9, 10)])
def test_limits_are_where_the_score_test_ends(hits, judged, size):
    """A limit is the share that the test would just not reject.

    The variance of a sample drawn without putting back is smaller by
    (size - judged) / (size - 1).
    """
    found = wilson(Stratum(hits, judged, size))
    for limit in found[1:]:
        variance = limit * (1 - limit) / judged * (size - judged) / (size - 1)
        distance = abs(hits / judged - limit)
        assert limit in (0, 1) or math.isclose(distance, Z * math.sqrt(variance))


def hypergeometric(hits: int, judged: int, true: int, size: int) -> float:
    ways = math.comb(true, hits) * math.comb(size - true, judged - hits)
    return ways / math.comb(size, judged)


def test_intervals_hold_as_often_as_they_say():
    """All samples of 30 out of 60, whatever is true; and with strata, of 12 and 9."""
    covered = []
    for true in range(61):
        covered.append(0.0)
        for hits in range(31):
            _, low, high = wilson(Stratum(hits, 30, 60))
            if low <= true / 60 <= high:
                covered[-1] += hypergeometric(hits, 30, true, 60)
    assert 0.94 < sum(covered) / len(covered) < 0.98 and min(covered) > 0.88
    shares = []
    for a, b in [(2, 5), (10, 1), (20, 15), (35, 3), (39, 20), (1, 0), (0, 19)]:
        shares.append(0.0)
        for x in range(13):
            for y in range(10):
                _, low, high = estimate([Stratum(x, 12, 40), Stratum(y, 9, 20)])
                if low <= (a + b) / 60 <= high:
                    chance = hypergeometric(x, 12, a, 40) * hypergeometric(y, 9, b, 20)
                    shares[-1] += chance
    assert sum(shares) / len(shares) > 0.93 and min(shares) > 0.88


def test_all_judged_is_certain():
    assert wilson(Stratum(7, 20, 20)) == Estimate(0.35, 0.35, 0.35)
    found = estimate([Stratum(1, 4, 4), Stratum(6, 6, 6)])
    assert [round(x, 12) for x in found] == [0.7, 0.7, 0.7]


def test_one_stratum_is_no_stratum():
    for one in (Stratum(0, 5, 99), Stratum(3, 7, 1000), Stratum(8, 8, 9)):
        pairs = zip(estimate([one]), wilson(one), strict=True)
        assert all(math.isclose(a, b, abs_tol=1e-12) for a, b in pairs)


# Agreement


def said(table: list[list[int]]) -> list[tuple[int, int]]:
    """What two judges said, from a table of how often they said what."""
    return [
        (i, j)
        for i, row in enumerate(table)
        for j, n in enumerate(row)
        for _ in range(n)
    ]


@pytest.mark.parametrize(
    'table, kappa',
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304),
        ([[25, 35], [5, 35]], 0.2593),
    ],
)
def test_kappa_as_published(table, kappa):
    """The examples that encyclopedias have, of 50 applications and of 100 cases.

    Wikipedia, Cohen's kappa, "Simple example" and "Same percentages but different
    numbers".
    """
    assert round(agreement(said(table)).kappa, 4) == kappa


def test_kappa_of_cohen():
    """J. Cohen, Educational and Psychological Measurement 20 (1960), p. 45, Table 2 b.

    200 cases in three categories: 70 % agree, 41 % would by chance.
    """
    found = agreement(said([[88, 14, 18], [10, 40, 10], [2, 6, 12]]))
    assert (found.same, found.items, round(found.kappa, 3)) == (140, 200, 0.492)


def test_kappa_at_the_ends():
    assert agreement(said([[9, 0], [0, 7]])).kappa == 1
    assert agreement(said([[0, 8], [8, 0]])).kappa == -1
    assert agreement([('a', 'a')] * 7) == (7, 7, None)
    assert agreement([('a', 'b')] * 7).kappa == 0
    assert agreement([]).kappa is None


# The papers' tables


def judged(counts: list[tuple[str, str, int]], population: int, overlap=()) -> Tally:
    """So many items in each category; some of them in another one as well."""
    lines = []
    for name, how, times in counts:
        for _ in range(times):
            place = len(lines) + 1
            line = ('t', 'ann', JUDGED, 'neighborhoods', f'{place}/', name, how, '')
            sample = 'uniform seed=1 frame=0000000000000000'
            lines.append(Judgement(*line, place, '', population, population, sample))
    for place, names, how in overlap:
        lines[place] = lines[place]._replace(categories=names, counts=how)
    return Tally(lines)


def shown(tally: Tally, known: list[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Name, items and percent of the rows of a table as it is printed."""
    lines = summary_tables.table(tally, 'things', known)[4:]
    rows = [re.split(r'(?<=\S) {2,}', line) for line in lines[: lines.index('')]]
    return [tuple(row[:3]) for row in rows]


def test_table_of_chunks():
    """Table 3 of the paper of 2019: 100 chunks with more than 10^5 copies, of 3.7e9."""
    counts = [
        ('Misc.', 'benign', 4),
        ('JavaScript: escaped', 'benign', 1),
        ('JavaScript: other', 'benign', 1),
        ('Templates: navigation', 'benign', 17),
        ('Templates: forms', 'benign', 32),
        ('Templates: social', 'benign', 4),
        ('Templates: other', 'benign', 30),
        ('Commercial: spam', 'bad', 1),
        ('Commercial: JavaScript advertising', 'unclear', 3),
        ('Commercial: JavaScript tracking', 'unclear', 2),
        ('Possibly Commercial', 'unclear', 5),
    ]
    tally = judged(counts, 3_700_000_000)
    assert shown(tally, [(name, how) for name, how, _ in counts]) == [
        ('Misc.', '4', '4.0'),
        ('JavaScript', '2', '2.0'),
        ('  escaped', '1', '1.0'),
        ('  other', '1', '1.0'),
        ('Templates', '83', '83.0'),
        ('  navigation', '17', '17.0'),
        ('  forms', '32', '32.0'),
        ('  social', '4', '4.0'),
        ('  other', '30', '30.0'),
        ('Commercial', '6', '6.0'),
        ('  spam', '1', '1.0'),
        ('  JavaScript advertising', '3', '3.0'),
        ('  JavaScript tracking', '2', '2.0'),
        ('Possibly Commercial', '5', '5.0'),
        ('total', '100', '100.0'),
    ]
    # "Commercial" in the text: 6 %, or 11 % with those that may be.
    verdicts = {row.name: row.items for row in tally.verdicts()}
    assert verdicts == {'bad': 1, 'unclear': 3 + 2 + 5, 'benign': 89}


def test_table_of_neighborhoods():
    """Table 4: 40 bad neighborhoods, three of which are in two categories."""
    counts = [
        ('Ads', 'bad', 0),
        ('Blog', 'benign', 18),
        ('Empty', 'benign', 1),
        ('Forms', 'benign', 1),
        ('Forum', 'benign', 1),
        ('“Suspect”', 'unclear', 0),
        ('JavaScript', 'benign', 2),
        ('Templated/CMS', 'benign', 17),
    ]
    overlap = [
        (0, 'Ads; Blog', 'bad'),
        (1, 'Ads; Blog', 'bad'),
        (39, 'Blog; Templated/CMS', 'benign'),
    ]
    tally = judged(counts, 19_600_000, overlap)
    assert shown(tally, [(name, how) for name, how, _ in counts]) == [
        ('Ads', '2', '5.0'),
        ('Blog', '19', '47.5'),
        ('Empty', '1', '2.5'),
        ('Forms', '1', '2.5'),
        ('Forum', '1', '2.5'),
        ('“Suspect”', '0', '0.0'),
        ('JavaScript', '2', '5.0'),
        ('Templated/CMS', '17', '42.5'),
        ('total', '43', '107.5'),
    ]


def test_table_of_clones():
    """Table 5: the 40 neighborhoods with most of Wikipedia, by groups of categories."""
    counts = [
        ('Wikipedia Clones/Rips: “Wikipedia Ring”', 'bad', 13),
        ('Wikipedia Clones/Rips: Reference Sites', 'bad', 5),
        ('Wikipedia Clones/Rips: Ads', 'bad', 10),
        ('Wikipedia Clones/Rips: Fork', 'unclear', 1),
        ('Wikipedia Clones/Rips: Unknown', 'unclear', 2),
        ('Search Engine Optim.: e-Commerce', 'bad', 2),
        ('Search Engine Optim.: Stock Pumping', 'bad', 1),
        ('Wikipedia/Wikimedia', 'benign', 5),
        ('Site using MediaWiki', 'benign', 1),
    ]
    tally = judged(counts, 40)
    found = shown(tally, [(name, how) for name, how, _ in counts])
    assert [row for row in found if not row[0].startswith(' ')] == [
        ('Wikipedia Clones/Rips', '31', '77.5'),
        ('Search Engine Optim.', '3', '7.5'),
        ('Wikipedia/Wikimedia', '5', '12.5'),
        ('Site using MediaWiki', '1', '2.5'),
        ('total', '40', '100.0'),
    ]
    # For profit are 13 + 5 + 10 and 2 + 1; all were judged, so that is certain.
    assert [row.items for row in tally.verdicts()] == [31, 3, 6]
    assert tally.verdicts()[0].estimate == Estimate(31 / 40, 31 / 40, 31 / 40)


def test_weights_of_strata():
    """4 of 10 in a stratum of 990, 9 of 10 in one of 10: 40.5 % of the 1,000."""
    sample = 'stratified seed=1 frame=0000000000000000'
    lines = []
    for stratum, size, bad in (('few', 990, 4), ('many', 10, 9)):
        for n in range(10):
            how = 'bad' if n < bad else 'benign'
            line = ('t', 'ann', JUDGED, 'chunks', f'{stratum}{n}', how, how, '')
            lines.append(Judgement(*line, len(lines) + 1, stratum, size, 1000, sample))
    bad, _, benign = Tally(lines).verdicts()
    assert bad.items == 13 and round(bad.estimate.share, 6) == 0.405
    assert round(benign.estimate.share, 6) == 0.595
    text = '\n'.join(
        summary_tables.table(Tally(lines), 'chunks above the threshold', [])
    )
    assert 'stratified sample of 1,000, seed 1' in text
    assert 'MOVER' in text and '  many: 10 of 10' in text and '40.5 % (' in text
    # and if nobody has come to the rare ones, nothing is said of them
    first = '\n'.join(summary_tables.table(Tally(lines[:10]), 'chunks', []))
    assert 'of all 990 (' in first
    assert 'not included: 10 items in strata without judgements' in first
