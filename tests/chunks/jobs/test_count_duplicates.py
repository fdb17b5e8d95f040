"""CountDuplicates alone: page lines and older counts in, sums by digest out."""

import json

import pytest
from lone_jobs import (
    OF_RECORD,
    cut_columns,
    damaged_pages,
    pack,
    page_line,
    rows_by_key,
    run_job,
    sha1,
)

from mr_reuse.chunks.jobs.count_duplicates import CountDuplicates

ONE, TWO, THREE = b'<p>one', b'<p>three', b'<p>two, which is longer'
PAGES = [
    page_line('a.warc.gz:0', 'http://a.org/', [ONE, TWO, ONE]),
    page_line('a.warc.gz:9', 'http://b.org/', [ONE], after=OF_RECORD),
    page_line('b.warc.gz:0', 'http://b.org/', [ONE, THREE]),
]
# Of an older run: five copies of ONE on three pages, and a file with two copies.
OLD = [
    b'chunk/%04x\t%b' % (sha1(ONE)[0] >> 6, pack([(sha1(ONE), 5, 3, 6)], 1, 1, 1)),
    b'file/%04x\t%b' % (sha1(b'f')[0] >> 6, pack([(sha1(b'f'), 2, 2, 400)], 1, 1, 2)),
    b'@\t{"frequency": {"chunk": {"5": 1}, "file": {"2": 1}}}',
]


def by_partition(unit: str, rows) -> dict[bytes, list]:
    """The rows in digest order, by the first two bits of their digests."""
    found = {}
    for row in sorted(rows):
        found.setdefault(b'%b/%04x' % (unit.encode(), row[0][0] >> 6), []).append(row)
    return found


def frequency(lines) -> dict:
    return json.loads(lines[-1].removeprefix(b'@\t'))['frequency']


@pytest.mark.parametrize('combine', [0, 1])
def test_no_pages(combine):
    nothing = b'@\t{"frequency": {"chunk": {}, "file": {}}}'
    assert run_job(CountDuplicates, [], combine=combine) == [nothing]
    # The last line of a task is no page.
    last = b'@\t{"accounts": []}'
    assert run_job(CountDuplicates, [last], combine=combine) == [nothing]


@pytest.mark.parametrize('combine', [0, 1])
def test_counts(combine):
    """Copies, pages and length of each chunk; a file has one copy a page."""
    lines = run_job(CountDuplicates, PAGES, combine=combine)
    chunks = [(sha1(ONE), 4, 3, 6), (sha1(TWO), 1, 1, 8), (sha1(THREE), 1, 1, 23)]
    bodies = ONE + TWO + ONE, ONE, ONE + THREE
    files = [(sha1(body), 1, 1, len(body)) for body in bodies]
    expected = by_partition('chunk', chunks) | by_partition('file', files)
    assert rows_by_key(lines) == expected
    assert frequency(lines) == {'chunk': {'1': 2, '4': 1}, 'file': {'1': 3}}


def test_older_counts():
    lines = run_job(CountDuplicates, [PAGES[1], *OLD])
    assert rows_by_key(lines) == by_partition(
        'chunk', [(sha1(ONE), 6, 4, 6)]
    ) | by_partition('file', [(sha1(ONE), 1, 1, 6), (sha1(b'f'), 2, 2, 400)])
    assert frequency(lines) == {'chunk': {'6': 1}, 'file': {'1': 1, '2': 1}}


def test_long_page():
    """A page of two lines that share no digest, each with a column of copies."""
    first = PAGES[0].rpartition(b'\t')[0] + b'\t' + pack([(sha1(ONE), 6, 2)], 1, 1)
    first = first.replace(b'\t3\t', b'\t2\t')
    rest = b'a.warc.gz:0#1\thttp://a.org/\t\t\t\t0\t\t1\t' + pack(
        [(sha1(TWO), 8, 1)], 1, 1
    )
    lines = run_job(CountDuplicates, [first, rest])
    file = sha1(ONE + TWO + ONE), 1, 1, 20
    chunks = by_partition('chunk', [(sha1(ONE), 2, 1, 6), (sha1(TWO), 1, 1, 8)])
    assert rows_by_key(lines) == chunks | by_partition('file', [file])


@pytest.mark.parametrize('combine', [0, 1])
@damaged_pages()
def test_damaged_page(line, combine):
    with pytest.raises((ValueError, KeyError)):
        run_job(CountDuplicates, [*PAGES, line], combine=combine)


@pytest.mark.parametrize(
    'line',
    [
        OLD[0][:-2],
        cut_columns(OLD[0], 1),
        OLD[0].replace(b'chunk/', b'chnk/'),
        OLD[0].replace(b'20,1,1,1:', b'20,1,1:'),
        OLD[0].replace(b'20,1,1,1:', b''),
        b'',
        b'garbage',
    ],
    ids=['base64', 'byte', 'unit', 'widths', 'no widths', 'empty', 'garbage'],
)
def test_damaged_counts(line):
    with pytest.raises((ValueError, KeyError)):
        run_job(CountDuplicates, [*PAGES, line])


def test_tabs_of_hadoop():
    """Hadoop adds a tab to the lines of a step without reducers."""
    lines = [*PAGES, *OLD]
    tabbed = run_job(CountDuplicates, [line + b'\t' for line in lines])
    assert tabbed == run_job(CountDuplicates, lines)
