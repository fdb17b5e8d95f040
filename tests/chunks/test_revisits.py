"""Revisits count with the content of their targets: against brute force."""

import json

import mrl
import pytest
import revisit_crawls
from commands import discover, run
from crawls import arguments, tables_in
from reference import Options, tables
from reference_detect import Asked, Known, detect_tables
from reference_revisits import find_target, with_targets
from reference_sites import Record, pair_table
from revisit_crawls import TEXTS

CHOICES = ['first', 'last', 'all']


def record_of(folder) -> dict:
    return json.loads((folder / 'run.json').read_text())


def search(names, folder, *options):
    done = discover(*names, *options, '-q', '-r', 'inline', '-o', folder)
    assert done.code == 0, done.err
    return folder


# Against the reference


@pytest.mark.parametrize('seed', range(6))
def test_discover(tmp_path, seed):
    names, records = revisit_crawls.random_crawl(tmp_path, seed)
    options = Options(seed % 2, 0, captures=CHOICES[seed % 3])
    line = [*arguments(options), f'--tasks={1 + seed % 4}']
    folder = search(names, tmp_path / 'run', *line)
    assert tables_in(folder) == tables(with_targets(records), options)
    revisits = [record for record in records if record.is_revisit]
    found = [record for record in revisits if find_target(record, records)]
    counted = record_of(folder)['revisits']
    assert counted['resolved'] == len(found)
    assert sum(counted['unresolved'].values()) == len(revisits) - len(found)


@pytest.mark.parametrize(
    ('captures', 'join'), list(zip(CHOICES, ['map', 'reduce', 'bloom'], strict=True))
)
def test_detect(tmp_path, captures, join):
    """On archives, and on a run of discover."""
    names, records = revisit_crawls.random_crawl(tmp_path / 'in', len(captures))
    hashes = [mrl.sha1(text) for text in TEXTS[:3]]
    labels = mrl.write(tmp_path / 'x.mrl', hashes, hashes, min_len=0)
    known = Known(frozenset(hashes), frozenset(hashes))
    expected = detect_tables(with_targets(records), known, Asked(captures=captures))
    folder = search(names, tmp_path / 'd', '--captures', captures)
    line = ['-q', '-r', 'inline', '-l', labels, '--join', join, '-o']
    again = tmp_path / 'a'
    assert run('detect', *line, folder).code == 0
    assert run('detect', *names, '--captures', captures, *line, again).code == 0
    for out in (folder, again):
        assert {name: (out / name).read_bytes() for name in expected} == expected


@pytest.mark.parametrize('captures', CHOICES)
def test_pairs_and_their_dates(tmp_path, captures):
    """Dates are those of all captures, also of revisits that are passed over."""
    bundles = [
        b''.join(b'<p>%d.%d' % (n, k) + TEXTS[0] for k in range(6)) for n in b'abcd'
    ]
    rows = 0
    for seed in range(70, 73):
        folder = tmp_path / str(seed)
        names, records = revisit_crawls.random_crawl(folder, seed, bundles)
        sites = [
            Record(page.archive, page.offset, page.url, page.date, page.body)
            for page in with_targets(records)
        ]
        options = Options(min_len=0)
        search(names, folder / 'run', '--captures', captures, '--min-len=0')
        found = (folder / 'run/pairs.tsv').read_bytes()
        assert found == pair_table(sites, captures, options=options)
        rows += found.count(b'\n') - 1
    assert rows
