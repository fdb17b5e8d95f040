"""MatchLabeled alone, with each of its joins: page lines and labels in, matches out."""

import base64
import math

import mrl
import pytest
from lone_jobs import OF_RECORD, damaged_pages, pack, page_line, run_job, sha1

from mr_reuse.chunks.jobs.match_labeled import MatchLabeled
from mr_reuse.errors import UserError

ONE, TWO, OTHER, STOP = b'<p>one', b'<p>two', b'<p>other', b'<p>stop'
FIRST, SECOND = sorted([ONE, TWO], key=sha1)  # the labels 0 and 1
FILE = OTHER + ONE  # the label 2
DATE = '2020-01-02T03:04:05Z'
PAGES = [
    page_line('a.warc.gz:0', 'http://a.org/', [SECOND, FIRST, SECOND, OTHER], DATE),
    page_line('a.warc.gz:9', 'http://b.org/', [OTHER, OTHER]),
    page_line('b.warc.gz:0', 'http://c.org/', [OTHER, ONE]),
    page_line('b.warc.gz:5', 'http://d.org/', [STOP, OTHER], after=OF_RECORD),
    page_line('b.warc.gz:7', 'http://empty.org/', []),
    b'@\t{"accounts": []}',
]
JOINS = ['map', 'reduce', 'bloom']


def match(page: bytes, bad: int, total: int, labels=()) -> bytes:
    """The match of a page; its labels are pairs of number and copies."""
    rid, url, date, *_ = page.split(b'\t')
    numbers = b''.join(number.to_bytes(8, 'big') for number, _ in labels)
    copies = b''.join(n.to_bytes(4, 'little') for _, n in labels)
    packed = b'8,4:' + base64.b64encode(numbers + copies)
    return b'\t'.join([rid, url, date, b'%d' % bad, b'%d' % total, packed])


@pytest.fixture
def labels(tmp_path):
    chunks, files, stop = [ONE, TWO], [FILE], [STOP]
    sections = [[sha1(text).hex() for text in s] for s in (chunks, files, stop)]
    return mrl.write(tmp_path / 'labels.mrl', *sections, min_len=0)


@pytest.fixture
def join(tmp_path, labels, request):
    """The options of a join; a Bloom filter with all bits set rules nothing out."""
    options = {'labels': labels, 'join': 'map' if request.param == 'map' else 'reduce'}
    if request.param == 'bloom':
        # 3 digests at a rate of 0.01: -3 ln 0.01 / (ln 2)^2 bits, but at least 64.
        assert math.ceil(-3 * math.log(0.01) / math.log(2) ** 2) < 64
        (tmp_path / 'maybe').write_bytes(b'\xff' * 9)
        options |= {'maybe': tmp_path / 'maybe', 'rate': 0.01}
    return options


joined = pytest.mark.parametrize('join', JOINS, indirect=True)


@joined
def test_no_pages(join):
    assert run_job(MatchLabeled, [], **join) == []
    assert run_job(MatchLabeled, PAGES[5:], **join) == []


@joined
def test_matches(join):
    one = [FIRST, SECOND].index(ONE)
    assert sorted(run_job(MatchLabeled, PAGES, **join)) == [
        match(PAGES[0], 3, 4, [(0, 1), (1, 2)]),
        match(PAGES[1], 0, 2),
        match(PAGES[2], 1, 2, [(one, 1), (2, 1)]),
        match(PAGES[3], 0, 1),
    ]


@joined
@pytest.mark.parametrize(
    'options, page, bad, total',
    [
        ({'scope': 'labels'}, PAGES[3], 0, 2),
        ({'distinct': 1}, PAGES[1], 0, 1),
    ],
)
def test_options(join, options, page, bad, total):
    [line] = run_job(MatchLabeled, [page], **join, **options)
    assert line == match(page, bad, total)


@joined
@pytest.mark.parametrize('date', [DATE, ''])
def test_page_of_two_lines(join, date):
    """Its lines come in any order; the first has its facts, both have its labels."""
    facts = PAGES[0].rsplit(b'\t', 2)[0]
    first = facts + b'\t3\t' + pack([(sha1(SECOND), 6, 2), (sha1(OTHER), 8, 1)], 1, 1)
    rest = f'a.warc.gz:0#1\thttp://a.org/\t{date}\t\t\t0\t\t1\t'.encode()
    rest += pack([(sha1(FIRST), 6, 1)], 1, 1)
    whole = match(PAGES[0], 3, 4, [(0, 1), (1, 2)])
    assert run_job(MatchLabeled, [first, rest], **join) == [whole]
    assert run_job(MatchLabeled, [rest, first], **join) == [whole]


@joined
def test_other_file(join):
    """What is no page has a match only if the file is a label, and no total."""
    images = [page.replace(b'text/html', b'image/png') for page in PAGES[1:3]]
    images = [image.rsplit(b'\t', 2)[0] + b'\t0\t20,4:' for image in images]
    [line] = run_job(MatchLabeled, images, **join)
    assert line == match(PAGES[2], 0, 0, [(2, 1)]).replace(b'\t0\t0\t', b'\t0\t\t')


@joined
@damaged_pages()
def test_damaged_page(join, line):
    with pytest.raises(ValueError):
        run_job(MatchLabeled, [*PAGES, line], **join)


@joined
def test_damaged_labels(join):
    path = join['labels']
    data = path.read_bytes()
    for cut in (data[:-1], data[: data.index(b'}')], b''):
        path.write_bytes(cut)
        with pytest.raises(UserError, match='labels.mrl: .*(cut|damaged|not a label)'):
            run_job(MatchLabeled, PAGES, **join)


@joined
def test_missing_labels(join):
    join['labels'].unlink()
    with pytest.raises(OSError, match='labels.mrl'):
        run_job(MatchLabeled, PAGES, **join)


@pytest.mark.parametrize('join', ['bloom'], indirect=True)
def test_damaged_bloom_filter(join):
    for data in (b'\xff' * 8, b'', b'\xff' * 10):
        join['maybe'].write_bytes(data)
        with pytest.raises(ValueError, match='Bloom'):
            run_job(MatchLabeled, PAGES, **join)
    join['maybe'].unlink()
    with pytest.raises(OSError, match='maybe'):
        run_job(MatchLabeled, PAGES, **join)


@pytest.mark.parametrize('join', ['bloom'], indirect=True)
def test_bloom_filter_rules_out(join):
    """Without a bit, no digest is sent to a reducer, so no page has labels."""
    join['maybe'].write_bytes(bytes(9))
    assert run_job(MatchLabeled, PAGES[:1], **join) == [match(PAGES[0], 0, 4)]


@joined
def test_tabs_of_hadoop(join):
    tabbed = [line + b'\t' for line in PAGES]
    assert run_job(MatchLabeled, tabbed, **join) == run_job(MatchLabeled, PAGES, **join)
