"""NeighborhoodBadness alone: matches in, the sums of each neighborhood out."""

import json

import pytest
from lone_jobs import run_job

from mr_reuse.chunks.jobs.neighborhood_badness import NeighborhoodBadness

ONE = 10**12  # a ratio of 1
NOTHING = dict.fromkeys(
    ('pages', 'empty', 'few', 'nowhere', 'count', 'sum', 'squares'), 0
)


def match(url: str, bad: int, total: int | str) -> bytes:
    return f'a.warc.gz:0\t{url}\t\t{bad}\t{total}\t8,4:'.encode()


MATCHES = [
    match('http://www.a.org/x/1', 1, 2),
    match('http://www.a.org/x/2', 3, 3),
    match('http://www.a.org/', 0, 4),
    match('http://www.a.org/empty', 0, 0),
    match('urn:x:y', 1, 4),
    match('http://www.a.org/image.png', 0, ''),  # a file that is no page
]


def run(*lines, **options) -> tuple[list[str], dict]:
    """The neighborhoods in order, and the sums over all pages."""
    *rows, last = run_job(NeighborhoodBadness, lines, **options)
    stats = json.loads(last.removeprefix(b'@\t'))['pages']
    return sorted(row.decode() for row in rows), stats


def test_no_matches():
    assert run() == ([], NOTHING)
    assert run(MATCHES[5]) == ([], NOTHING)


def test_sums():
    """Below: level, pages, pages with chunks, bad, total, sum of the ratios."""
    rows, stats = run(*MATCHES)
    assert rows == [
        f'a.org/\t0\t4\t3\t4\t9\t{ONE * 3 // 2}',
        f'www.a.org/\t1\t4\t3\t4\t9\t{ONE * 3 // 2}',
        f'www.a.org/x/\t2\t2\t2\t4\t5\t{ONE * 3 // 2}',
    ]
    told = {'pages': 5, 'empty': 1, 'few': 0, 'nowhere': 1, 'count': 4}
    moments = {'sum': ONE * 7 // 4, 'squares': ONE * ONE * 21 // 16}
    assert stats == told | moments


def test_few_chunks():
    """Pages with less than three chunks count as pages, and in no ratio."""
    rows, stats = run(*MATCHES[:3], min_chunks=3)
    assert rows[-1] == f'www.a.org/x/\t2\t2\t1\t3\t3\t{ONE}'
    assert (stats['few'], stats['count']) == (1, 2)


@pytest.mark.parametrize(
    'line',
    [
        b'',
        b'a.warc.gz:0',
        MATCHES[0][:20],
        MATCHES[0].rpartition(b'\t')[0],
        MATCHES[0].replace(b'\t1\t', b'\t1x\t'),
        MATCHES[0].replace(b'\t1\t', b'\t'),
        MATCHES[0] + b'\t',
    ],
    ids=['empty', 'rid', 'URL', 'labels', 'number', 'a field less', 'a field more'],
)
def test_damaged_match(line):
    with pytest.raises(ValueError):
        run(*MATCHES, line)
