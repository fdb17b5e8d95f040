"""The report names the sites that share the most, and accuses none of them."""

import itertools

import made_runs as made
import pytest
from commands import run
from reports import Report, discovered, words

from mr_reuse.chunks import site_pairs


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


PAIRS = [
    ('a.org', 'b.example', 35125, 26_700_000, '0.76', '0.744', 34000, 120),
    ('a.org', 'm.a.org:81', 900, 400_000, '0.02', '1', 0, 0),
    ('c.org', 'd.org', 10, 2_000, '0.5', '0.25', 0, 10),
]


def with_pairs(folder, rows=PAIRS, **more):
    made.table(discovered(folder, **more), 'pairs', rows)
    return folder


def test_pairs(here):
    """The first screen names who shares most, and accuses nobody."""
    report = Report(with_pairs(here / 'RUN'))
    assert report.sections[:2] == ['summary', 'pairs']
    assert report.text('#summary .lead').endswith(
        'a.org and b.example share the most: 35,125 chunks (27 MB), which is 76.0 % of '
        'the chunks of the first and 74.4 % of those of the second.'
    )
    expected = [
        [
            'sites',
            'in common',
            'share of its distinct chunks',
            'captured first in this crawl',
        ],
        ['a.org', '35,125 chunks, 27 MB', '76.0 %', '34,000 chunks'],
        ['b.example', '74.4 %', '120 chunks'],
        ['c.org', '10 chunks, 2.0 kB', '50.0 %', 'none of 10'],
        ['d.org', '25.0 %', 'all 10 chunks'],
    ]
    assert report.rows('#summary table') == expected
    families = [
        ['a.org', '900 chunks, 400 kB', '2.0 %', 'order unknown'],
        ['m.a.org:81', '100.0 %', 'order unknown'],
    ]
    assert report.rows('#pairs table') == [*expected, expected[0], *families]
    steps = [e.text for e in report.tree.cssselect('.steps code')]
    assert steps[0] == f'python -m mr_reuse.show {here}/RUN a.org b.example'
    # Next to either table: what the order of captures does not mean.
    for part in ('#summary .more', '#pairs p'):
        assert 'do not show who copied' in report.text(part)
        assert 'a crawl may visit a copy before its original' in report.text(part)
    assert 'Not in' not in report.text('#pairs')


def test_pairs_contradict_an_all_clear(here):
    """Nothing is labeled and nothing is bad, but a mirror is there."""
    none = {'chunk': {}, 'file': {}}
    folder = with_pairs(here / 'RUN', labels=none, detect=made.detected())
    for name in ('labels', 'file_labels', 'bad_neighborhoods', 'origins'):
        made.table(folder, name, [])
    bins = made.histogram(p0=40)
    level = {'neighborhoods': 40, 'count': 40, 'bad': 0, 'threshold': 0.5}
    level |= {'mean': 0.1, 'deviation': 0.05, 'highest': []}
    made.stats(folder, bins, bins, bad=0, by_level={'1': level})
    report = Report(folder)
    leads = [words(e) for e in report.tree.cssselect('.lead')]
    assert leads[1].startswith('a.org and b.example share the most')
    assert leads[2].startswith('No site is above 50.0 %.')
    assert leads[2].endswith('But sites share chunks, as the table of pairs shows.')
    assert 'lower --threshold or --min-len' in report.text('#summary')


def test_pairs_of_one_domain_only(here):
    report = Report(with_pairs(here / 'RUN', PAIRS[1:2]))
    assert (
        'a.org and m.a.org:81 share the most, and are of one registered domain: '
        '900 chunks'
    ) in report.text('#summary .lead')
    assert not report.tree.cssselect('#summary table')
    assert len(report.rows('#pairs table')) == 3


def test_pairs_without_rows(here):
    report = Report(with_pairs(here / 'RUN', []))
    assert 'No two sites share ten chunks or more.' in report.text('#pairs')
    assert 'share' not in report.text('#summary .lead')


def test_many_pairs(here):
    """The first ones are shown, families apart."""
    rows = [
        (f'a{n}.org', f'{"b" if n % 2 else "x.a"}{n}.org', 99, 999 - n, 1, 1, 0, 0)
        for n in range(300)
    ]
    report = Report(with_pairs(here / 'RUN', rows))
    assert len(report.rows('#summary table')) == 1 + 2 * 10
    apart, within = report.tree.cssselect('#pairs table')
    assert len(apart.cssselect('tbody')) == len(within.cssselect('tbody')) == 50
    assert 'More pairs are listed below.' in report.text('#summary')


def all_pairs(names, *numbers):
    return [(a, b, *numbers, 1, 1, 0, 0) for a, b in itertools.combinations(names, 2)]


def test_copies_of_one_site_are_one_row(here):
    """Thirty copies make 435 pairs; a pair with fewer bytes is there all the same."""
    names = [f's{n:02}.org' for n in range(30)]
    rows = [*all_pairs(names, 99, 9999), PAIRS[2]]
    report = Report(with_pairs(here / 'RUN', rows))
    assert report.text('#summary .lead').endswith(
        's00.org, s01.org, s02.org and 27 more share the most: every two of them '
        'share 99 chunks (10.0 kB), which is 100.0 % of the chunks of each.'
    )
    for part, shown in (('#summary', 5), ('#pairs', 20)):
        group, c, d = report.rows(f'{part} table')[1:]
        listed = ', '.join(names[:shown])
        assert group == [
            f'30 sites with each other: {listed} and {30 - shown} more',
            *('99 chunks, 10.0 kB', '100.0 %', '–'),
        ]
        assert (c[0], d[0]) == ('c.org', 'd.org')
    assert 'Not in' not in report.text('#pairs')
    steps = [e.text for e in report.tree.cssselect('.steps code')]
    assert steps[0].endswith(f'show {here}/RUN s00.org s01.org')


def test_group_of_one_domain(here):
    """It is listed separately, with the shares of sites of several sizes."""
    names = ['a.org', 'm.a.org', 'www.a.org']
    rows = [
        ('a.org', 'm.a.org', 80, 9999, '0.5', '0.8', 80, 0),
        ('a.org', 'www.a.org', 80, 9999, '0.5', '1', 0, 80),
        ('m.a.org', 'www.a.org', 80, 9999, '0.8', '1', 0, 80),
    ]
    report = Report(with_pairs(here / 'RUN', [*rows, PAIRS[2]]))
    within = report.rows('#pairs table')[-1]
    named = f'3 sites with each other: {", ".join(names)}'
    assert within == [named, '80 chunks, 10.0 kB', '50.0 to 100.0 %', '–']
    assert 'a.org' not in report.text('#summary table')


def test_pairs_that_are_left_out(here):
    """Copies that are not complete share a little more or less: no row has them all."""
    names = [f's{n:02}.org' for n in range(30)]
    pairs = itertools.combinations(names, 2)
    rows = [(*two, 99, 9999 - n, 1, 1, 0, 0) for n, two in enumerate(pairs)]
    report = Report(with_pairs(here / 'RUN', [*rows, PAIRS[2]]))
    first = [row[0] for row in report.rows('#summary table')[1::2]]
    assert first == ['s00.org'] * 4 + ['c.org']
    listed = [row[0] for row in report.rows('#pairs table')[1::2]]
    assert listed == ['s00.org'] * 10 + ['c.org']
    said = report.text('#pairs')
    assert 'Not in this table: 425 of 436 pairs.' in said
    assert 'at most 50 rows, and 10 of sites that rows connect' in said
    # Each of the copies has all of its texts in common with each other one.
    assert 'shares with' not in report.text()


HUB = [  # a mirror of three sites, which share little with each other
    ('big.org', 'mirror.org', 72, 9000, '0.75', '0.45', 72, 0),
    ('mid.org', 'mirror.org', 48, 6000, '0.5', '0.3', 48, 0),
    ('low.org', 'mirror.org', 32, 4000, '0.333333333', '0.2', 32, 0),
    ('big.org', 'mid.org', 10, 1200, '0.1', '0.1', 0, 0),
]


def test_site_that_shares_with_several(here):
    """The mirror is first in each of its pairs, and the sum of its parts is given."""
    report = Report(with_pairs(here / 'RUN', HUB))
    line = (
        'mirror.org shares with 3 sites: up to 95.0 % of its distinct chunks '
        '(big.org 45.0 %, mid.org 30.0 %, low.org 20.0 %)'
    )
    for part in ('#summary', '#pairs'):
        assert [words(e) for e in report.tree.cssselect(f'{part} > ul li')] == [line]
        assert report.rows(f'{part} table')[1:3] == [
            ['mirror.org', '72 chunks, 9.0 kB', '45.0 %', 'none of 72'],
            ['big.org', '75.0 %', 'all 72 chunks'],
        ]
        names = [row[0] for row in report.rows(f'{part} table')[1::2]]
        assert names == ['mirror.org'] * 3 + ['big.org']


@pytest.mark.parametrize(
    ('name', 'rows'),
    [
        ('two others', HUB[:2]),
        ('one group', all_pairs('abcde', 99, 9999)),
        ('copies', [(*HUB[3][:2], 48, 3000, *HUB[3][4:]), *HUB[:3]]),
    ],
)
def test_sites_that_are_no_hub(here, name, rows):
    rows = sorted(rows, key=lambda row: (-row[3], row[:2]))
    report = Report(with_pairs(here / 'RUN', rows))
    assert report.rows('#pairs table') and 'shares with' not in report.text()


def test_hub_of_families(here):
    """Hosts of its own do not count, and a group counts once."""
    own = [
        ('mirror.org', f'{n}.mirror.org', 99, 99_000 - n, 1, 1, 0, 0) for n in range(3)
    ]
    group = all_pairs(['g.org', 'h.org', 'i.org', 'mirror.org'], 20, 2000)
    group = [(*row[:4], '0.9', '0.7', 0, 0) for row in group]
    pair = ('mirror.org', 'z.org', 15, 1500, '0.6', '0.1', 0, 0)
    assert 'shares with' not in Report(with_pairs(here / 'A', [*own, *group])).text()
    rows = [*own, *group, pair, ('mirror.org', 'y.org', 12, 1300, '0.1', '1', 0, 0)]
    report = Report(with_pairs(here / 'B', rows))
    assert [words(e) for e in report.tree.cssselect('#pairs > ul li')] == [
        'mirror.org shares with 5 sites: up to 100.0 % of its distinct chunks '
        '(g.org and 2 others 70.0 %, z.org 60.0 %, y.org 10.0 %)'
    ]


def test_first_pairs_of_a_long_table(here, monkeypatch):
    """Only the first rows are read, which is said; all have the last row."""
    monkeypatch.setattr(site_pairs, 'MAX_SCANNED', 4)
    report = Report(with_pairs(here / 'RUN', [*HUB, PAIRS[2], PAIRS[2]]))
    said = report.text('#pairs')
    assert 'Not in this table: 0 of the first 4 pairs, and all later ones.' in said
    assert 'These sites come from the first 4 pairs.' in said


def test_damaged_pairs(here):
    folder = with_pairs(here / 'RUN', [('a.org', 'b.org', 'many')])
    done = run('report', folder)
    assert done.code == 1
    assert done.err.startswith(f'error: {folder}/pairs.tsv: line 2 is damaged')
