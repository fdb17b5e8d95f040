"""`pairs.tsv` against the brute-force reference, and what the commands make of it."""

import json
import random
from pathlib import Path

import odd_crawls
import pytest
import reference_sites as sites
from commands import FORKED_DETECT, FORKED_DISCOVER, apart, ended, run
from reference import Options, chunks_of, digest

SUFFIXES = {'org', 'uk', 'co.uk'}
HOSTS = [
    'http://a.org', 'http://A.org:80', 'https://a.org:80', 'http://www.a.org',
    'http://me:pw@a.org', 'https://me@b.org:8443', 'https://b.org:8443',
    'https://B.org:443', 'http://b.co.uk', 'http://c.b.co.uk', 'http://192.0.2.7',
    'http://192.0.2.7:81', 'http://[2001:DB8::1]:8080', 'http://[2001:db8::1]:80',
    'metadata://c.org', 'http://alone.org', 'dns:a.org', 'urn:x',
]  # fmt: skip
UNITS = {
    'host': sites.host_unit,
    'domain': sites.domain_unit(SUFFIXES),
    '2': sites.level_unit(2),
}


def documents(dice: random.Random, count: int, captures: int = 1) -> list[tuple]:
    """Captures of pages on odd hosts: of each URL one, or about this many."""
    paths = ['/', '/x/', '/x/y/', '/z z/ü/']
    urls = [
        f'{dice.choice(HOSTS)}{dice.choice(paths)}{number}.html'
        for number in range(count // captures)
    ]
    found = [*urls, *dice.choices(urls, k=count - len(urls))]
    return [
        ('response', url, dice.choice(odd_crawls.DATES), odd_crawls.body(dice))
        for url in dice.sample(found, count)
    ]


def write(folder: Path, found: list[tuple]) -> tuple[list[str], list[sites.Record]]:
    """Write documents to three archives; their names, and the records."""
    folder.mkdir()
    names, records = [], []
    for number, name in enumerate(['b.warc.gz', 'a.warc', 'c.warc.gz']):
        names.append(str(folder / name))
        records += odd_crawls.write_odd(folder / name, found[number::3])
    return names, records


def pairs_of(folder: Path) -> bytes:
    return (folder / 'pairs.tsv').read_bytes()


def discover(*args, code: int = 0):
    done = run('discover', *args, '-q')
    assert done.code == code, done.err
    return done


@pytest.mark.parametrize('seed', range(12))
def test_random_crawls(tmp_path, monkeypatch, seed):
    """Odd hosts and dates, long pages, stop lists, any number of tasks."""
    dice = random.Random(seed)
    unit, tasks = list(UNITS)[seed % 3], (1, 2, 7)[seed // 4]
    if seed % 2:
        monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 5)
        monkeypatch.setenv('MR_REUSE_PURE', '1')
    names, records = write(tmp_path / 'in', documents(dice, 90, 1 + seed % 3))
    chunks = {digest(c) for r in records for c in chunks_of(r.body, Options())}
    options = Options(
        min_len=(0, 100, 130)[dice.randrange(3)],
        stop=frozenset(dice.sample(sorted(chunks), 4)),
    )
    stop = tmp_path / 'stop.txt'
    stop.write_text(''.join(f'{name}\n' for name in sorted(options.stop)))
    out = tmp_path / 'run'
    captures = ('first', 'last', 'all')[seed // 2 % 3]
    asked = [f'--min-len={options.min_len}', f'--stop={stop}', f'--tasks={tasks}']
    asked += [f'--captures={captures}', f'--pairs={unit}']
    discover(*names, *asked, '-r', 'inline', '-o', out)
    expected = sites.pair_table(records, captures, UNITS[unit], options)
    assert expected.count(b'\n') > 3
    assert pairs_of(out) == expected


def test_own_processes(tmp_path):
    """Processes of their own make the same table, with counts and without them."""
    names, records = write(tmp_path / 'in', documents(random.Random(5), 90))
    found, again = tmp_path / 'run', tmp_path / 'again'
    asked = ['--tasks=3', '-q', '--threshold=1']
    assert ended(apart(*FORKED_DISCOVER, *names, *asked, '-o', found)).code == 0
    expected = sites.pair_table(records, 'all', options=Options(1))
    assert pairs_of(found) == expected
    line = [*FORKED_DETECT, *names, '-l', found, '-q', '-o', again]
    assert ended(apart(*line)).code == 0
    assert pairs_of(again) == expected


def paragraphs(mark: str, count: int) -> bytes:
    return b''.join(f'<p>{mark} {n} '.encode() + b'x' * 120 for n in range(count))


def test_common_chunks(tmp_path):
    """Chunks on 100 hosts count, those on 101 are only in the divisor of the share."""
    date = '2020-01-02T03:04:05Z'
    found = [('response', f'http://{n:03}.org/', date, b'') for n in range(101)]
    found = [
        (
            kind,
            url,
            when,
            paragraphs('common', 15)
            + (paragraphs('shared', 10) if n else b'')
            + paragraphs(f'own {n}', 2),
        )
        for n, (kind, url, when, _) in enumerate(found)
    ]
    names, records = write(tmp_path / 'in', found)
    discover(*names, '-r', 'inline', '-o', tmp_path / 'run')
    lines = pairs_of(tmp_path / 'run').decode().splitlines()
    assert len(lines) - 1 == 100 * 99 // 2
    assert lines[1].split('\t') == [
        '001.org', '002.org', '10', str(10 * len(b'<p>shared 0 ' + b'x' * 120)),
        '0.370370370', '0.370370370', '0', '0',
    ]  # fmt: skip
    told = json.loads((tmp_path / 'run' / 'run.json').read_text())['pairs']
    del told['output']
    assert told == {'by': 'discover', 'unit': 'host', 'rows': 4950, 'common': 15}
    assert pairs_of(tmp_path / 'run') == sites.pair_table(records, 'all')


def test_few_shared_chunks(tmp_path):
    """Nine make no row, ten make one."""
    date = '2020-01-02T03:04:05Z'
    bodies = {'a.org': 9, 'b.org': 20, 'c.org': 10}
    found = [
        ('response', f'http://{host}/', date, paragraphs('shared', count))
        for host, count in bodies.items()
    ]
    names, _ = write(tmp_path / 'in', found)
    discover(*names, '-r', 'inline', '-o', tmp_path / 'run')
    [_, row] = pairs_of(tmp_path / 'run').decode().splitlines()
    assert row.split('\t')[:3] == ['b.org', 'c.org', '10']
    assert row.split('\t')[4:] == ['0.500000000', '1.000000000', '0', '0']


def test_no_pages(tmp_path):
    names, _ = write(tmp_path / 'in', [])
    discover(*names, '-r', 'inline', '-o', tmp_path / 'run', code=3)
    assert pairs_of(tmp_path / 'run') == sites.pair_table([], 'all')


# What the commands make of it


@pytest.fixture
def crawl(tmp_path):
    return write(tmp_path / 'in', documents(random.Random(9), 60))


def test_added(tmp_path, crawl):
    """The pairs of two runs together are those of one run over both."""
    (first, *others), records = crawl
    discover(first, '-r', 'inline', '-o', tmp_path / 'old')
    added = ['--add', tmp_path / 'old', '-r', 'inline', '-o', tmp_path / 'sum']
    discover(*others, *added)
    assert pairs_of(tmp_path / 'sum') == sites.pair_table(records, 'all')


def test_detect_keeps_the_pairs(tmp_path, crawl):
    """What `discover` wrote stays; another unit is made, and stays the next time."""
    names, records = crawl
    out = tmp_path / 'run'
    discover(*names, '--threshold=1', '-r', 'inline', '-o', out)
    by_host, by_domain = (
        sites.pair_table(records, 'all', UNITS[name]) for name in ('host', 'domain')
    )
    made = (out / 'pairs.tsv').stat().st_mtime_ns
    for more, expected in (
        ([], by_host),
        (['--pairs', 'host'], by_host),
        (['--pairs', 'domain'], by_domain),
        ([], by_domain),
    ):
        done = run('detect', '-o', out, *more, '-q', '-r', 'inline')
        assert (done.code, pairs_of(out)) == (0, expected)
        told = json.loads((out / 'stats.json').read_text())['pairs']
        assert told['rows'] == expected.count(b'\n') - 1
        if expected == by_host:
            assert (out / 'pairs.tsv').stat().st_mtime_ns == made
    discover(*names, '--threshold=1', '-r', 'inline', '-o', out)
    assert pairs_of(out) == by_host


def test_outdated_export(tmp_path, crawl):
    """An export of the pairs is reported when `detect` writes others."""
    out = tmp_path / 'run'
    discover(*crawl[0], '--threshold=1', '-r', 'inline', '-o', out)
    assert run('export', out, '--format', 'csv').code == 0
    told = 'pairs.csv; rebuild with'
    run('detect', '-o', out, '-r', 'inline')
    assert told not in run('detect', '-o', out, '-r', 'inline').err
    assert told in run('detect', '-o', out, '--pairs', 'domain', '-r', 'inline').err
    assert told not in run('detect', '-o', out, '-r', 'inline').err


def test_detect_makes_the_pairs(tmp_path, crawl):
    """The label file has the length and the stop chunks that count."""
    names, records = crawl
    chunks = {digest(c) for r in records for c in chunks_of(r.body, Options())}
    options = Options(threshold=1, min_len=110, stop=frozenset(sorted(chunks)[:9]))
    stop = tmp_path / 'stop.txt'
    stop.write_text(''.join(f'{name}\n' for name in options.stop))
    asked = ['--threshold=1', '--min-len=110', f'--stop={stop}', '-r', 'inline']
    discover(*names, *asked, '-o', tmp_path / 'run')
    expected = sites.pair_table(records, 'all', options=options)
    labels = ['-l', tmp_path / 'run', '-q', '-r', 'inline']
    for pages in (names, [tmp_path / 'run']):
        out = tmp_path / f'of-{len(pages)}'
        assert run('detect', *pages, *labels, '-o', out).code == 0
        assert pairs_of(out) == expected


def test_lost_table(tmp_path, crawl):
    """A table that is gone is written again from the finished step."""
    names, records = crawl
    discover(*names, '--threshold=1', '-r', 'inline', '-o', tmp_path / 'run')
    (tmp_path / 'run' / 'pairs.tsv').unlink()
    done = run('detect', '-o', tmp_path / 'run', '-r', 'inline')
    assert '03-pairs: finished before' in done.err
    assert pairs_of(tmp_path / 'run') == sites.pair_table(records, 'all')


def test_done_again(tmp_path, crawl):
    """Only what decides the pairs makes the step run again."""
    asked = [*crawl[0], '-r', 'inline', '-o', tmp_path / 'run']
    discover(*asked, '--threshold=1')
    for more, again in (
        (['--threshold=1'], False),
        (['--threshold=2'], False),
        (['--threshold=2', '--min-len=99'], True),
        (['--threshold=2', '--min-len=99', '--pairs=domain'], True),
    ):
        said = run('discover', *asked, *more).err
        assert ('03-pairs: runs again' in said) == again
        assert ('03-pairs: finished before' in said) != again


@pytest.mark.parametrize('value', ['0', 'site', '', '-1', 'hosts'])
def test_unknown_unit(tmp_path, value):
    done = run('discover', 'x.warc', f'--pairs={value}', '-o', tmp_path / 'run')
    assert done.code == 2
    assert 'is not one of host, domain, 1, 2' in done.err


def test_level_one_is_the_host(tmp_path, crawl):
    names, records = crawl
    discover(*names, '--pairs=1', '-r', 'inline', '-o', tmp_path / 'run')
    assert pairs_of(tmp_path / 'run') == sites.pair_table(records, 'all')
