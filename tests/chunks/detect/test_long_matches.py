"""Pages with so many labels that their matches have several lines."""

import itertools
from pathlib import Path

import pytest
from commands import run
from crawls import write_crawl

from mr_reuse.chunks.detect import matching
from mr_reuse.engine.record import load_record
from mr_reuse.review.gathering import Gatherer

WORDS = 'amber birch cedar dogwood elder fir gorse hazel ivy juniper'.split()
TEXTS = [f'<p>{a} {b} and {b} {a}' for a, b in itertools.permutations(WORDS, 2)]
OLD, NEW = '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'
LONG = 'http://long.org/all/'


def documents() -> list[tuple[str, bytes, str]]:
    """Long pages, a page of one host that is repeated, and short copies of parts."""
    long = ''.join(TEXTS + TEXTS[5:9]).encode()
    pages = [(LONG, long, OLD), (LONG, long + b'<p>more', NEW)]
    pages.append(('http://other.org/', ''.join(TEXTS[::2]).encode(), NEW))
    for number in range(12):
        some = ''.join(TEXTS[number : number + 2]).encode()
        pages.append((f'http://short-{number}.org/', some, NEW))
    return pages


@pytest.fixture(scope='module')
def runs(tmp_path_factory) -> dict[int, Path]:
    """Runs on the same crawl, with so many labels in a line."""
    folder = tmp_path_factory.mktemp('long')
    names, _ = write_crawl(folder, documents())
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 4)
        patch.setattr('mr_reuse.archives.raw_items.MAX_RAW', 0)  # lines of Python
        for count in (50_000, 7):
            patch.setattr(matching, 'LINE_LABELS', count)
            made[count] = path = folder / f'in-{count}'
            line = ['-o', path, '-q', '-r', 'inline']
            thresholds = ['--threshold=0', '--min-len=0']
            assert run('discover', *names, *thresholds, *line).code == 0
            rules = '--places --page-threshold=0 --neighborhood-threshold=0'.split()
            assert run('detect', *line, *rules).code == 0
    return made


def match_lines(path: Path) -> list[bytes]:
    parts = path.glob('04-matches/*/part*')
    return [line for part in parts for line in part.read_bytes().splitlines()]


def test_lines_are_divided(runs):
    whole, parts = (match_lines(path) for path in runs.values())
    assert not any(b'#' in line.split(b'\t')[0] for line in whole)
    # 90 chunks, and the file in the first capture.
    further = [line for line in parts if b'#' in line.split(b'\t')[0]]
    assert len(further) == 13 + 13 + 7
    assert len(parts) == len(whole) + len(further)
    first = [line.split(b'\t') for line in parts if line.endswith(b'\t+')]
    assert sorted(fields[3:5] for fields in first) == [
        [b'45', b'45'],
        [b'94', b'-'],
        [b'94', b'94'],
    ]


def test_same_tables(runs):
    whole, parts = runs.values()
    names = sorted(path.name for path in whole.glob('*.tsv'))
    assert {'pages.tsv', 'places.tsv', 'origins.tsv', 'file_matches.tsv'} <= set(names)
    for name in [*names, 'stats.json']:
        assert (parts / name).read_bytes() == (whole / name).read_bytes(), name
    assert (whole / 'places.tsv').read_text().count(LONG) == 90
    assert (whole / 'file_matches.tsv').read_text().count(LONG) == 1


@pytest.mark.parametrize('what', ['long.org/', LONG, 'http://short-3.org/'])
def test_same_views(runs, what):
    whole, parts = (run('show', path, what) for path in runs.values())
    assert whole.code == parts.code == 0
    shown = parts.out.replace(str(runs[7]), str(runs[50_000]))
    assert shown == whole.out
    assert 'chunk' in shown


def test_most_copied_labels_of_a_page_to_judge(runs):
    found = []
    for path in runs.values():
        record = load_record(str(path))
        rows = (path / 'pages.tsv').read_bytes().splitlines()[1:]
        rids = [row.split(b'\t')[0] for row in rows]
        labels = [e.labels for e in Gatherer(str(path), record).pages(rids)]
        found.append(
            [
                (*label[:-1], [page[:3] for page in label.others])
                for of_page in labels
                for label in of_page
            ]
        )
        assert sorted(map(len, labels))[-2:] == [20, 20]
    assert found[0] == found[1]


def test_labels_beyond_a_bound_are_not_searched(runs, monkeypatch):
    monkeypatch.setattr('mr_reuse.chunks.profiles.page_profile.MAX_SEARCHED', 60)
    lines = run('show', runs[7], LONG).out.splitlines()
    assert 'and 40 more chunks' in lines
    assert 'other hosts were searched for the 60 labels with most copies' in lines
