"""The report names the sites that share the most, and accuses none of them."""

import made_runs as made
import pytest
from commands import run
from reports import Report, discovered, words


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
        ['two sites', 'in common', 'share of its chunks', 'captured here first'],
        ['a.org', '35,125 chunks, 27 MB', '76.0 %', '34,000 chunks'],
        ['b.example', '74.4 %', '120 chunks'],
        ['c.org', '10 chunks, 2.0 kB', '50.0 %', 'none'],
        ['d.org', '25.0 %', 'all'],
    ]
    assert report.rows('#summary table') == expected
    families = [
        ['a.org', '900 chunks, 400 kB', '2.0 %', 'order unknown'],
        ['m.a.org:81', '100.0 %', 'order unknown'],
    ]
    assert report.rows('#pairs table') == [*expected, expected[0], *families]
    steps = [e.text for e in report.tree.cssselect('.steps code')]
    assert steps[0] == f'python -m mr_reuse.show {here}/RUN a.org b.example'
    assert 'The dates do not show who copied' in report.text('#pairs')


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
        'a.org and m.a.org:81 share the most, and are of one domain or family: '
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
    assert len(report.rows('#summary table')) == 1 + 2 * 8
    apart, within = report.tree.cssselect('#pairs table')
    assert len(apart.cssselect('tbody')) == len(within.cssselect('tbody')) == 50
    assert 'More pairs are listed below.' in report.text('#summary')


def test_copies_of_one_site_do_not_hide_others(here):
    """Thirty copies make 435 pairs; a pair with fewer bytes is there all the same."""
    names = [f's{n:02}.org' for n in range(30)]
    rows = [
        (a, b, 99, 9999, 1, 1, 0, 0)
        for n, a in enumerate(names)
        for b in names[n + 1 :]
    ]
    report = Report(with_pairs(here / 'RUN', [*rows, PAIRS[2]]))
    first = [row[0] for row in report.rows('#summary table')[1::2]]
    assert first == ['s00.org'] * 4 + ['c.org']
    listed = [row[0] for row in report.rows('#pairs table')[1::2]]
    assert listed == ['s00.org'] * 10 + ['c.org']
    assert 'only 10 of their pairs are here' in report.text('#pairs')


def test_damaged_pairs(here):
    folder = with_pairs(here / 'RUN', [('a.org', 'b.org', 'many')])
    done = run('report', folder)
    assert done.code == 1
    assert done.err.startswith(f'error: {folder}/pairs.tsv: line 2 is damaged')
