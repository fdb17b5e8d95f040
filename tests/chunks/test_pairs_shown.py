"""What two sites share, as people read it, against the plainest way to find out."""

import hashlib
import json
import random

import pytest
from commands import run
from pair_crawls import (
    Page,
    chunk,
    find_rows,
    first_captures,
    write_archive,
    write_table,
)

from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.profiles import sharing
from mr_reuse.chunks.profiles.shared_chunks import PageLines, find_shared, side_finder
from mr_reuse.engine.record import RunRecord, load_complete

DAYS = [f'2020-01-{day:02}T03:04:05Z' for day in range(1, 29)]
HOSTS = ['a.org', 'www.a.org', 'b.example:81', 'c.example']


def random_pages(seed: int) -> list[Page]:
    dice = random.Random(seed)
    pages = []
    for number in range(90):
        host = dice.choice(HOSTS)
        parts = [chunk(dice.randrange(60)) for _ in range(dice.randrange(9))]
        date = dice.choice([*DAYS, ''])
        parts.append(b'<p>short')
        pages.append(Page(date, f'http://{host}/{number}', b''.join(parts)))
    return pages


def discovered(folder, pages, *options):
    offsets = write_archive(folder / 'a.warc', pages)
    line = [folder / 'a.warc', '-o', folder / 'RUN', '-r', 'inline', '-q', *options]
    done = run('discover', *line)
    assert done.code == 0, done.err
    write_table(folder / 'RUN', find_rows(pages))
    return [f'{folder}/a.warc:{offset}' for offset in offsets]


def shown(folder, *names) -> list[str]:
    done = run('show', folder / 'RUN', *names)
    assert done.code == 0, done.err
    return done.out.splitlines()


@pytest.mark.parametrize('seed', range(4))
def test_two_sites(tmp_path, seed):
    """Each chunk with its length, its copies, and its first page on each site."""
    pages = random_pages(seed)
    rids = discovered(tmp_path, pages)
    a, b = 'a.org', 'b.example:81'
    of_a, of_b = first_captures(pages, a), first_captures(pages, b)
    shared = sorted(of_a.keys() & of_b.keys(), key=lambda c: (-len(c), sha1(c)))
    [row] = [row for row in find_rows(pages) if row[:2] == (a, b)]
    lines = shown(tmp_path, a, b)
    assert lines[0].startswith(f'{a} and {b} share {len(shared)} chunks, ')
    shares = [f'{100 * len(shared) / len(of):.1f} %' for of in (of_a, of_b)]
    assert lines[1] == (
        f'{shares[0]} of the {len(of_a)} chunks of {a}, '
        f'{shares[1]} of the {len(of_b)} chunks of {b}'
    )
    neither = len(shared) - row[-2] - row[-1]
    assert lines[2] == (
        f'captured on {a} first: {row[-2]}, on {b} first: {row[-1]}, '
        f'neither: {neither} (who copied is open)'
    )
    assert lines[4].split()[:3] == ['bytes', 'copies', 'chunk,']
    listed = lines[5:85]
    assert len(shared) > 20 and len(lines) == 86
    for part, start in zip(shared, range(0, 80, 4), strict=False):
        head, text, *places = listed[start : start + 4]
        copies = sum(page.body.count(part) for page in pages)
        assert head.split() == [str(len(part)), str(copies), sha1(part)]
        assert text.strip() == part[:70].decode()
        for host, place in zip((a, b), places, strict=True):
            found = [
                (page.date or '9', len(page.url), page.url, rid)
                for page, rid in zip(pages, rids, strict=True)
                if page.host == host and part in page.chunks()
            ]
            date, _, url, rid = min(found)
            date = 'no date' if date == '9' else date
            assert place.split()[-2:] == [url, rid]
            assert place.strip().startswith(date)
    assert lines[-1] == f'and {len(shared) - 20} more chunks (see --top)'
    # The other way round it is the same, with the sides exchanged.
    assert shown(tmp_path, b, a)[1].startswith(f'{shares[1]} of the {len(of_b)} chunks')


def sha1(part: bytes) -> str:
    return hashlib.sha1(part).hexdigest()


def test_rules_of_the_run(tmp_path):
    """Chunks on the stop list and short chunks do not count."""
    pages = [
        Page(DAYS[0], f'http://{host}/', b''.join(map(chunk, range(30))))
        for host in ('a.org', 'b.org')
    ]
    stop = tmp_path / 'stop.txt'
    stop.write_text(f'{sha1(chunk(7))}\n')
    discovered(tmp_path, pages, '--stop', stop, '--min-len=139')
    lines = shown(tmp_path, 'a.org', 'b.org', '--top=1')
    # Chunks 20 to 29 have 140 to 149 bytes.
    assert lines[0].startswith('a.org and b.org share 10 chunks')
    assert lines[5].split() == ['149', '2', sha1(chunk(29))]
    discovered(tmp_path, pages, '--stop', stop, '--min-len=0', '--threshold=1')
    assert shown(tmp_path, 'a.org', 'b.org')[0].startswith('a.org and b.org share 29')


def test_long_page(tmp_path):
    """A page of many lines has its date for all of its chunks."""
    many = b''.join(map(chunk, range(40_000)))
    pages = [
        Page(DAYS[3], 'http://a.org/', many),
        Page(DAYS[1], 'http://b.org/', chunk(17) + chunk(39_999)),
    ]
    discovered(tmp_path, pages)
    lines = shown(tmp_path, 'a.org', 'b.org')
    assert lines[2].startswith('captured on a.org first: 0, on b.org first: 2, ')
    assert [line.split()[0] for line in lines if 'http://a.org/' in line] == [
        DAYS[3]
    ] * 2


def test_captures_that_are_not_kept(tmp_path):
    """They count for the date of the first capture, and for nothing else."""
    pages = [
        Page(DAYS[1], 'http://a.org/', b''.join(map(chunk, range(12)))),
        Page(DAYS[2], 'http://b.org/', b''.join(map(chunk, range(10)))),
        Page(DAYS[0], 'http://b.org/', b''.join(map(chunk, range(5, 12)))),
    ]
    *_, skipped = discovered(tmp_path, pages)
    record = load_complete(str(tmp_path / 'RUN'))
    stop = StopChunks(label_files.load(str(tmp_path / 'RUN')))
    lines = PageLines(
        record.pages,
        20,
        side_finder('a.org', 'b.org', 'host'),
        lambda key: key == skipped.encode(),
    )
    shared = find_shared(lines, stop, 99)
    assert (shared.chunks, shared.totals) == (10, (12, 10))
    # Chunks 5 to 9 were on b.org first.
    assert shared.first == (5, 5)


def test_more_than_in_the_table(tmp_path):
    """The table does not count chunks of more than 100 sites; that is said."""
    pages = [
        Page('', f'http://{host}/', b''.join(map(chunk, range(12))))
        for host in ('a.org', 'b.org')
    ]
    discovered(tmp_path, pages)
    write_table(tmp_path / 'RUN', [('a.org', 'b.org', 10, 1300, '1', '1', 0, 0)])
    lines = shown(tmp_path, 'a.org', 'b.org')
    assert lines[3] == (
        '2 of them are on more than 100 sites, and not counted in pairs.tsv'
    )
    assert lines[6].split()[:2] == ['131', '2']
    assert lines[8].split() == ['no', 'date', 'http://a.org/', f'{tmp_path}/a.warc:0']


def test_folders(tmp_path):
    """A folder is a site as well; a URL stands for its host."""
    text = b''.join(map(chunk, range(12)))
    pages = [
        Page(DAYS[0], f'http://{name}', text) for name in ('a.org/x/1', 'a.org/y/1')
    ]
    discovered(tmp_path, [*pages, Page(DAYS[0], 'http://a.org/1', chunk(50))])
    assert shown(tmp_path, 'a.org/x/', 'A.org/y')[0] == (
        'a.org/x and a.org/y share 12 chunks, 1.5 kB'
    )
    row = 'a.org/x/', 'a.org/y/', 12, 1506, '1', '1', 0, 0
    write_table(tmp_path / 'RUN', [row])
    assert shown(tmp_path, 'a.org/y/')[2].split() == (
        '12 1.5 kB 100.0 % 100.0 % 0 0 a.org/x/ (same registered domain)'.split()
    )
    ended = run('show', tmp_path / 'RUN', 'http://a.org/1', 'a.org/y')
    assert ended.code == 2 and 'a.org, a.org/y: one contains the other' in ended.err


def test_registered_domains(tmp_path):
    """In a run whose pairs are of domains, a site is a domain."""
    pages = [
        Page(DAYS[n], f'http://{host}/', b''.join(map(chunk, numbers)))
        for n, (host, numbers) in enumerate(
            [('www.a.org', range(6)), ('a.org', range(6, 14)), ('m.b.org', range(14))]
        )
    ]
    discovered(tmp_path, pages)
    record = json.loads((tmp_path / 'RUN/run.json').read_text())
    record['pairs'] = {'by': 'discover', 'unit': 'domain', 'rows': 1, 'common': 0}
    record['pairs']['output'] = ''
    (tmp_path / 'RUN/run.json').write_text(json.dumps(record))
    write_table(tmp_path / 'RUN', [('a.org', 'b.org', 14, 1771, '1', '1', 14, 0)])
    lines = shown(tmp_path, 'a.org', 'b.org')
    assert lines[0] == 'a.org and b.org share 14 chunks, 1.8 kB'
    assert lines[2].startswith('captured on a.org first: 14, on b.org first: 0')


def test_nothing_shared(tmp_path):
    pages = [Page('', f'http://{n}.org/', chunk(n) + b'<p>short') for n in (1, 2)]
    discovered(tmp_path, pages)
    said = shown(tmp_path, '1.org', '2.org')
    assert said == ['1.org and 2.org share no chunk of more than 100 bytes']
    ended = run('show', tmp_path / 'RUN', '1.org', '3.org')
    assert (ended.code, ended.out) == (1, '')
    assert ended.err.startswith('error: 1.org, 3.org: no page of the run is on one of')
    ended = run('show', tmp_path / 'RUN', '1.org', '2.org', '--top=10001')
    assert ended.code == 2


def test_archive_gone(tmp_path):
    pages = [
        Page(DAYS[0], f'http://{host}/', b''.join(map(chunk, range(10))))
        for host in ('a.org', 'b.org')
    ]
    discovered(tmp_path, pages)
    (tmp_path / 'a.warc').unlink()
    lines = shown(tmp_path, 'a.org', 'b.org')
    assert sum('(not in the archive any more)' in line for line in lines) == 10


@pytest.fixture
def four(tmp_path):
    """A site that shares with another, with its own host, and too little with one."""
    parts = list(map(chunk, range(40)))
    pages = [
        Page(DAYS[5], 'http://a.org/', b''.join(parts)),
        Page(DAYS[4], 'http://-b.example/', b''.join(parts[:30] + [chunk(90)])),
        Page(DAYS[5], 'http://www.a.org/', b''.join(parts[:12])),
        Page(DAYS[5], 'http://c.example/', b''.join(parts[:9])),
    ]
    discovered(tmp_path, pages)
    return tmp_path


def test_pairs_of_a_site(four):
    """They are first, and need no detect."""
    lines = shown(four, 'a.org')
    assert lines[0] == 'a.org shares chunks with 2 sites:'
    assert lines[1].split() == (
        'chunks size of its of theirs here first there first site'.split()
    )
    assert lines[2].split() == ('30 4.0 kB 75.0 % 96.8 % 0 30 -b.example'.split())
    assert lines[3].split() == (
        '12 1.5 kB 30.0 % 100.0 % 0 0 www.a.org (same registered domain)'.split()
    )
    assert lines[4].endswith(f'show {four}/RUN -- a.org -b.example')
    assert len(lines) == 5
    assert shown(four, '--', 'a.org', '-b.example')[0].startswith(
        'a.org and -b.example'
    )
    assert shown(four, 'www.a.org/', '--top=1')[3] == 'and 1 more site'
    ended = run('show', four / 'RUN', 'c.example')
    assert (ended.code, ended.out) == (1, '')
    assert 'no other site shares 10 chunks with it (pairs.tsv)' in ended.err
    line = ['-o', four / 'RUN', '-r', 'inline', '-q']
    assert run('detect', *line, '--neighborhood-threshold=0').code == 0
    write_table(four / 'RUN', [('a.org', 'b.org', 10, 1300, '1', '1', 0, 0)])
    lines = shown(four, 'a.org')
    assert lines[0] == 'a.org shares chunks with 1 site:'
    assert lines[5].startswith('a.org/: 1 page; ')
    lines = shown(four, 'c.example')
    assert lines[0] == 'c.example shares ten or more chunks with no other site'
    assert lines[2].startswith('c.example/: 1 page; ')


@pytest.mark.parametrize(
    ('unit', 'site'),
    [('host', 'www.a.org'), ('domain', 'a.org'), ('2', 'www.a.org/x/'), ('3', '')],
)
def test_site_of_a_page(tmp_path, unit, site):
    """It is named as the table names sites, and as show takes it."""
    record = RunRecord(
        page_options={}, paths={}, pages=[], steps={}, run='RUN', pairs={'unit': unit}
    )
    place = str(tmp_path), record, 'http://www.a.org/x/1'
    assert sharing.find_site(*place) == ''  # an older run without the table
    write_table(tmp_path, [(site or 'b', 'c', 10, 1300, '1', '1', 0, 0)])
    assert sharing.find_site(*place) == site
    if site:
        said = sharing.describe_sharing(str(tmp_path), site)
        assert f'; to list the site that shares chunks with {site}: ' in said
        assert said.endswith(f'show {tmp_path} {site})')


def test_run_without_the_table(four):
    """Runs of older versions have none."""
    (four / 'RUN/pairs.tsv').unlink()
    ended = run('show', four / 'RUN', 'a.org')
    assert 'has no result of detect; run detect on it first' in ended.err
    assert shown(four, 'a.org', 'c.example')[0].startswith(
        'a.org and c.example share 9'
    )


def test_damaged_table(four):
    (four / 'RUN/pairs.tsv').write_text('a\tb\nx\ty\n')
    ended = run('show', four / 'RUN', 'a.org')
    assert (ended.code, ended.out) == (1, '')
    assert ended.err.startswith(f'error: {four}/RUN/pairs.tsv: line 2 is damaged; ')


def summaries(folder, pages, *options) -> list[list[str]]:
    """What discover and detect print of a run with its table of pairs."""
    discovered(folder, pages, *options)
    line = ['-o', folder / 'RUN', '-r', 'inline']
    again = run('discover', folder / 'a.warc', *line, *options)
    detected = run('detect', *line, '--neighborhood-threshold=0.5')
    assert (again.code, detected.code) == (0, 0), again.err + detected.err
    return [again.out.splitlines(), detected.out.splitlines()]


def copies_of(host: str, date: str, *ranges) -> Page:
    parts = [chunk(n) for numbers in ranges for n in numbers]
    return Page(date, f'http://{host}/', b''.join(parts))


def test_summaries(tmp_path):
    """What is copied too rarely for a label, and between which sites."""
    pages = [
        copies_of('b.org', DAYS[1], range(30), range(100, 110)),
        copies_of('a.org', DAYS[0], range(20), range(200, 220)),
        copies_of('m.b.org', DAYS[1], range(15)),
    ]
    discovers, detects = summaries(tmp_path, pages)
    # 20 chunks are on a.org and b.org, 15 of them and no others on m.b.org as well.
    start = discovers.index(
        'copied 2 to 10 times, too rarely for a label: 20 chunks (text that two sites '
        'share is usually among them)'
    )
    assert discovers[start + 1] == (
        'a.org and b.org share the most: 20 chunks, 2.6 kB, 50.0 % of the chunks of '
        'a.org and 50.0 % of those of b.org'
    )
    for lines in (discovers, detects):
        start = lines.index(
            'sites that share the most chunks, however few copies these have:'
        )
        rows = [line.split() for line in lines[start + 2 : start + 6]]
        assert rows == [
            '20 2.6 kB 50.0 % 50.0 % 20 0 a.org b.org'.split(),
            '15 1.9 kB 37.5 % 100.0 % 15 0 a.org m.b.org'.split(),
            ['within', 'one', 'registered', 'domain:'],
            '15 1.9 kB 37.5 % 100.0 % 0 0 b.org m.b.org'.split(),
        ]
        assert lines[start + 8].endswith(f'show {tmp_path}/RUN a.org b.org')
        assert lines[start + 9] == f'all pairs: {tmp_path}/RUN/pairs.tsv'
    assert (
        'no neighborhood is above its threshold, but sites share chunks: a.org and '
        'b.org have 20 chunks in common; see the pairs below'
    ) in detects


def test_summaries_within_a_domain(tmp_path):
    pages = [copies_of(host, '', range(12)) for host in ('a.org', 'www.a.org')]
    discovers, detects = summaries(tmp_path, pages)
    told = 'a.org and www.a.org, of one registered domain, share the most: '
    assert [line for line in discovers if line.startswith(told)]
    assert (
        'no neighborhood is above its threshold; only sites of one registered domain '
        'share chunks, see below'
    ) in detects


def test_summaries_without_pairs(tmp_path):
    """No table, or an empty one: nothing is said of pairs."""
    pages = [copies_of(host, '', range(9)) for host in ('a.org', 'b.org')]
    discovers, detects = summaries(tmp_path, pages, '--threshold=2')
    assert 'copied 2 times, too rarely for a label: 9 chunks' in discovers
    assert 'no neighborhood is above its threshold' in detects
    assert not [
        line
        for line in discovers + detects
        if 'all pairs:' in line or 'the most' in line
    ]
    (tmp_path / 'RUN/pairs.tsv').unlink()
    line = ['-o', tmp_path / 'RUN', '-r', 'inline']
    done = run('detect', *line, '--neighborhood-threshold=0.5')
    assert done.code == 0 and 'no neighborhood is above its threshold\n' in done.out
