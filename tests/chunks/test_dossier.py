"""What neighborhoods have copied, against the plainest way to find out."""

from collections import Counter

import mrl
import numpy as np
import pybase64 as base64
import pytest
from commands import run
from crawls import write_warc
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import storage
from mr_reuse.chunks.detect import copied_chunks, matching
from mr_reuse.chunks.discover import label_texts
from mr_reuse.engine.record import load_complete
from mr_reuse.shuffle import spilling
from mr_reuse.shuffle.packing import SUM

NUMBER = st.integers(0, 40)
PAGES = st.lists(
    st.tuples(st.integers(0, 3), st.dictionaries(NUMBER, st.integers(1, 9))),
    min_size=1,
    max_size=60,
)


def packed(labels: dict[int, int]) -> bytes:
    numbers = np.array(sorted(labels), '>u8').tobytes()
    copies = np.array([labels[n] for n in sorted(labels)], '<u4').tobytes()
    return matching.NO_LABELS + base64.b64encode(numbers + copies)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(PAGES, st.sampled_from([3, 1000]))
def test_top_labels(pages, bound):
    """Of each neighborhood the most copied, also of a table that spills."""
    how = [SUM, SUM, copied_chunks.MIN]
    table = spilling.MergeTable(how, storage.open_scratch, bound=bound)
    copies: dict[int, Counter] = {}
    pages_of: Counter = Counter()
    first: dict[tuple, int] = {}
    for place, (number, labels) in enumerate(pages):
        table.add(copied_chunks.make_label_rows([(number, place, packed(labels))]))
        copies.setdefault(number, Counter()).update(labels)
        for label in labels:
            pages_of[number, label] += 1
            first.setdefault((number, label), place)
    expected = []
    for number, counts in sorted(copies.items()):
        rated = sorted((-n, label) for label, n in counts.items() if label < 30)
        for n, label in rated[: copied_chunks.MAX_LABELS]:
            key = number, label
            expected.append((*key, (-n, pages_of[key], first[key])))
    assert list(copied_chunks.select_top(table, 30)) == expected


@pytest.fixture
def matched(tmp_path):
    """A run in which a folder, its host and another host have labels."""
    copied = [f'<p>copied {n} ' + 'word ' * 20 for n in range(3)]
    a, b, c = (text.encode() for text in copied)
    documents = [
        ('http://a.org/1', a + b'<p>own'),
        ('http://a.org/x/1', a + b + b),
        ('http://www.a.org/x/2', a + b + c),
        ('http://b.org/', b'<p>own'),
    ]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    labels = mrl.write(tmp_path / 'x.mrl', map(mrl.sha1, copied), min_len=0)
    out = tmp_path / 'run'
    line = [tmp_path / 'a.warc.gz', '-l', labels, '-o', out, '-q', '-r', 'inline']
    assert run('detect', *line).code == 0
    return out, copied, pages


def test_several_neighborhoods(matched):
    out, copied, pages = matched
    matches = copied_chunks.Matches(str(out), load_complete(str(out)))
    wanted = ['a.org/x/', 'a.org/', 'b.org/', 'c.org/']
    inner, outer, honest, none = matches.profile(wanted)
    assert (inner.pages, inner.bad, inner.total) == (1, 3, 3)
    assert (outer.pages, outer.bad, outer.total) == (2, 4, 5)
    assert (honest.pages, honest.bad, honest.labels) == (1, 0, [])
    assert (none.pages, none.worst, none.labels) == (0, [], [])
    assert [page.url for page in outer.worst] == [
        b'http://a.org/x/1',
        b'http://a.org/1',
    ]
    a, b, _ = map(mrl.sha1, copied)
    rows = [(one.digest.hex(), one.copies, one.pages) for one in outer.labels]
    assert rows == sorted([(a, 2, 2), (b, 2, 1)])
    previews = matches.read_previews(outer.labels)
    assert previews[bytes.fromhex(a)] == copied[0][:80]


def test_archive_gone(matched, tmp_path):
    """What is copied can still be told, only not shown."""
    out, copied, _ = matched
    (tmp_path / 'a.warc.gz').unlink()
    done = run('show', out, 'a.org/x/')
    assert done.code == 0
    assert done.out.count(label_texts.GONE) == 2
    assert mrl.sha1(copied[0]) in done.out


def test_hosts_of_chunks(matched):
    """The number of other hosts is of each chunk; the own host is not one of them."""
    out, copied, _ = matched
    a, b, _ = map(mrl.sha1, copied)
    lines = run('show', out, 'a.org/x/').out.splitlines()
    cells = [line.split() for line in lines[3:7:2]]
    assert cells == [['2', '1', '1', b], ['1', '1', '1', a]]
    assert run('detect', '-o', out, '--levels=domain', '-r', 'inline', '-q').code == 0
    lines = run('show', out, 'a.org/').out.splitlines()
    assert lines[0] == 'a.org shares ten or more chunks with no other site'
    assert [line.split()[2] for line in lines[5:11:2]] == ['0', '0', '0']


def test_page_by_url(matched):
    """Its captures, what is copied on it, and where else that is."""
    out, copied, pages = matched
    a, b, c = map(mrl.sha1, copied)
    done = run('show', out, 'http://www.a.org/x/2')
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == 'http://www.a.org/x/2'
    rid = f'{pages[2].archive}:{pages[2].offset}'
    assert lines[1].endswith(f'  {rid}: 3 of 3 chunks are labels')
    # Chunks a and b are on a.org too, and c is on no other host.
    cells = [line.split() for line in lines[4:10:2]]
    assert cells == [*(['1', '1', name] for name in sorted([a, b])), ['1', '0', c]]
    assert lines[9].strip() == copied[2][:70].strip()
    # Of the pages of a.org, /x/1 has both of them, and /1 has only one.
    rid = f'{pages[1].archive}:{pages[1].offset}'
    assert [line.split() for line in lines[-3:-1]] == [
        ['2', 'a.org'],
        ['http://a.org/x/1', rid],
    ]
    assert lines[-1].endswith(
        '; www.a.org shares ten or more chunks with no other site)'
    )


def test_page_without_labels(matched):
    out, _, pages = matched
    done = run('show', out, 'http://b.org/').out.splitlines()
    rid = f'{pages[3].archive}:{pages[3].offset}'
    assert done[0] == 'http://b.org/'
    assert done[1].endswith(f'{rid}: 0 of 1 chunk is a label')
    assert done[2:] == [
        '',
        'no chunk is a label',
        '(chunks with few copies are not listed here; b.org shares ten or more chunks '
        'with no other site)',
    ]


def test_no_page_with_the_url(matched):
    out, *_ = matched
    ended = run('show', out, 'http://a.org/x/none')
    assert (ended.code, ended.out) == (1, '')
    assert 'http://a.org/x/none: no page of the run has this URL' in ended.err
    assert f'show {out} a.org/x/' in ended.err


def test_text_behind_markup(tmp_path):
    """Where the first 80 bytes are mark-up, people read the text behind them."""
    chunk = b'<p class="' + b'x' * 90 + b'"><!-- no --><b>All</b> rights <i>reserved'
    documents = [(f'http://a.org/{n}', chunk) for n in range(5)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    out = tmp_path / 'run'
    line = ['-o', out, '-r', 'inline']
    said = run('discover', tmp_path / 'a.warc.gz', '--threshold=4', *line)
    assert 'All rights reserved' in said.out
    # The column of the table keeps the first 80 bytes.
    [row] = (out / 'labels.tsv').read_text().splitlines()[1:]
    assert row.split('\t')[-1] == chunk[:80].decode()
    assert run('detect', *line, '--neighborhood-threshold=0').code == 0
    for name in ('a.org/', 'http://a.org/1'):
        assert 'All rights reserved' in run('show', out, name).out
    assert run('report', out, '-q').code == 0
    page = (out / 'report.html').read_text()
    assert page.count('All rights reserved') == 2  # of the host, and in the list
    (tmp_path / 'a.warc.gz').unlink()
    assert run('report', out, '-q').code == 0
    assert 'class=&#34;xxx' in (out / 'report.html').read_text()
