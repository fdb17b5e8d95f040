"""Tables of little odd crawls at random against references, for each --captures."""

import json

import odd_crawls
import reference_sites as sites
from commands import run
from reference import Options, tables
from reference_detect import Asked, Known, detect_tables

from examples import seeds

HOWS = ['first', 'last', 'all']
UNITS = {
    'host': sites.host_unit,
    'domain': sites.domain_unit(odd_crawls.SUFFIXES),
    '2': sites.level_unit(2),
}
WANTED = Options(threshold=1, captures='all')  # of those that are kept


def known_of(made: dict[str, bytes]) -> Known:
    """The labels that these tables of `discover` list."""
    chunks, files = (
        frozenset(line.split('\t')[0] for line in made[name].decode().splitlines()[1:])
        for name in ('labels.tsv', 'file_labels.tsv')
    )
    return Known(chunks, files, min_len=WANTED.min_len)


def expected(records, how: str, unit) -> dict[str, bytes]:
    pages = [record.page for record in sites.kept_captures(records, how)]
    found = tables(pages, WANTED)
    known = known_of(found)
    return {
        **found,
        **detect_tables(pages, known, Asked(captures='all')),
        'pairs.tsv': sites.pair_table(records, how, unit),
        'places.tsv': sites.place_table(records, how, known),
    }


@seeds(9)
def test_tables(tmp_path, seed):
    how, pairs = HOWS[seed % 3], list(UNITS)[seed // 3 % 3]
    names, records = odd_crawls.odd_crawl(tmp_path / 'in', seed)
    folder = tmp_path / 'run'
    asked = [f'--captures={how}', f'--pairs={pairs}', '--threshold=1']
    asked += [f'--tasks={1 + seed % 4}', '-r', 'inline', '-q', '-o', folder]
    done = run('discover', *names, *asked)
    assert done.code in (0, 3), done.err
    done = run('detect', '--places', '-r', 'inline', '-q', '-o', folder)
    assert done.code == 0, done.err
    for name, content in expected(records, how, UNITS[pairs]).items():
        assert (folder / name).read_bytes() == content, name
    numbers = json.loads((folder / 'run.json').read_text())
    counts = sites.capture_counts(records, how)
    if how == 'all':  # needs no count of URLs
        counts = {'passed_over': 0}
    assert {name: numbers[name] for name in counts} == counts


def test_not_trivial(tmp_path):
    """These crawls have passed-over captures, and pairs that depend on the choice."""
    differ = 0
    for seed in range(27):
        _, records = odd_crawls.odd_crawl(tmp_path / str(seed), seed)
        rows = {sites.pair_table(records, how) for how in HOWS}
        differ += len(rows) == len(HOWS)
    assert differ >= 9
