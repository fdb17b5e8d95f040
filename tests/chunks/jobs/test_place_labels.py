"""PlaceLabels alone: page lines and a label file in, hosts and examples out."""

from collections import Counter

import mrl
import pytest
from lone_jobs import (
    OF_RECORD,
    damaged_pages,
    page_line,
    rows_by_key,
    run_job,
    sha1,
)

from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.errors import UserError

ONE, TWO, OTHER = b'<p>one', b'<p>two', b'<p>other'
PAGES = [
    page_line('a.warc.gz:100', 'http://a.org/', [ONE, ONE], after=OF_RECORD),
    page_line('a.warc.gz:90', 'http://A.org:80/', [ONE, OTHER]),
    page_line('a.warc.gz:200', 'http://b.org/x', [TWO, ONE]),
    page_line('b.warc.gz:7', 'http://b.org/y', [TWO, ONE]),
    page_line('b.warc.gz:99', 'urn:isbn:0451450523', [ONE]),
    page_line('b.warc.gz:500', 'http://c.org/', [OTHER]),
    b'@\t{"accounts": []}',
]
# Numbers of the labels: the chunks in digest order, then the files.
FIRST, SECOND = sorted([ONE, TWO], key=sha1)
NUMBERS = {FIRST: 0, SECOND: 1, 'file': 2}


@pytest.fixture
def labels(tmp_path):
    chunks, files = [ONE, TWO], [TWO + ONE]
    digests = [[sha1(text).hex() for text in texts] for texts in (chunks, files)]
    return mrl.write(tmp_path / 'labels.mrl', *digests)


def run(labels, pages) -> tuple[dict, dict]:
    """The numbers of hosts, and URL and rid of the example, by label."""
    lines = run_job(PlaceLabels, pages, labels=labels)
    hosts = Counter()
    for rows in rows_by_key(n for n in lines if n.startswith(b'hosts/')).values():
        for label, count in rows:
            hosts[int.from_bytes(label, 'big')] += count
    cells = [n.split(b'\t')[1:] for n in lines if n.startswith(b'example/')]
    flat = [cell.decode() for line in cells for cell in line]
    return hosts, {
        int(flat[i]): tuple(flat[i + 1 : i + 3]) for i in range(0, len(flat), 3)
    }


def test_no_pages(labels):
    assert run_job(PlaceLabels, [], labels=labels) == []
    assert run_job(PlaceLabels, PAGES[5:], labels=labels) == []


@pytest.mark.parametrize('bound', [0, 700, 1000])
def test_few_examples_in_memory(labels, monkeypatch, bound):
    """Examples are written whenever the memory is full; the best ones are the same."""
    monkeypatch.setattr('mr_reuse.chunks.discover.examples.MAX_EXAMPLES', bound)
    monkeypatch.setattr('mr_reuse.chunks.page_lines.BATCH_ROWS', 1)
    test_hosts_and_examples(labels)


def test_hosts_and_examples(labels):
    """A URL without a host counts no host; the shortest URL is the example."""
    hosts, examples = run(labels, PAGES)
    assert hosts == {NUMBERS[ONE]: 2, NUMBERS[TWO]: 1, NUMBERS['file']: 1}
    assert examples == {
        NUMBERS[ONE]: ('http://a.org/', 'a.warc.gz:100'),
        NUMBERS[TWO]: ('http://b.org/x', 'a.warc.gz:200'),
        NUMBERS['file']: ('http://b.org/x', 'a.warc.gz:200'),
    }


def test_equal_urls(labels):
    """Of captures of a URL the first by offset is the example, by number."""
    pages = [page_line(f'a.warc.gz:{n}', 'http://a.org/', [ONE]) for n in (100, 99)]
    assert run(labels, pages) == (
        {NUMBERS[ONE]: 1},
        {NUMBERS[ONE]: ('http://a.org/', 'a.warc.gz:99')},
    )


@damaged_pages()
def test_damaged_page(labels, line):
    with pytest.raises(ValueError):
        run(labels, [*PAGES, line])


def test_damaged_labels(labels):
    data = labels.read_bytes()
    labels.write_bytes(data[:-20])
    with pytest.raises(UserError, match='labels.mrl: this label file is cut'):
        run(labels, PAGES)


def test_missing_labels(tmp_path):
    with pytest.raises(OSError, match='gone.mrl'):
        run(tmp_path / 'gone.mrl', PAGES)


def test_tabs_of_hadoop(labels):
    assert run(labels, [line + b'\t' for line in PAGES]) == run(labels, PAGES)


def test_counts(tmp_path):
    """With `--count`: copies, pages and length of labeled chunks; files have none."""
    names = [sha1(text).hex() for text in (ONE, TWO, TWO + ONE)]
    labels = mrl.write(tmp_path / 'all.mrl', names[:2], names[2:], min_len=0)
    lines = run_job(PlaceLabels, PAGES, labels=labels, count=1)
    counts = rows_by_key(line for line in lines if line.startswith(b'counts/'))
    assert {row for rows in counts.values() for row in rows} == {
        (sha1(ONE), 6, 5, len(ONE)),
        (sha1(TWO), 2, 2, len(TWO)),
    }
    cells = [n.split(b'\t')[1::3] for n in lines if n.startswith(b'example/')]
    assert sorted(int(n) for line in cells for n in line) == [0, 1]


def test_counts_of_stop_chunks(tmp_path):
    """A label on the list of stop chunks, or too short, does not occur."""
    names = [sha1(text).hex() for text in (ONE, TWO)]
    stopped = mrl.write(tmp_path / 'stop.mrl', names, (), [sha1(ONE).hex()], min_len=0)
    lines = run_job(PlaceLabels, PAGES, labels=stopped, count=1)
    counts = rows_by_key(line for line in lines if line.startswith(b'counts/'))
    assert [row[0] for rows in counts.values() for row in rows] == [sha1(TWO)]
    short = mrl.write(tmp_path / 'short.mrl', names, min_len=len(ONE))
    assert run_job(PlaceLabels, PAGES, labels=short, count=1) == []
