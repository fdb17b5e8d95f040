"""The kernel gives what Python gives, whichever instructions it uses."""

import gc
import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest
from commands import discover, results
from crawls import sample_crawl, write_crawl
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel as native
from mr_reuse.archives import ordinary, payload
from mr_reuse.archives.window import Window
from mr_reuse.chunks import cutters
from mr_reuse.chunks.cutters import KernelCutter, PureCutter

kernel = native.load()
if not kernel:
    pytest.skip(native.version(), allow_module_level=True)
WAYS = [w for w in ('avx512', 'sha-ni', 'avx2', 'plain') if kernel.choose(w)]
DELIMITERS = ['p,div', 'p/ccr2019', 'h1,table,article', 'p,div,a,b,h1,table']
DELIMITERS += ['p,' * 62 + 'p,div', 'p,div,a,b']
TEXTS = st.lists(
    st.sampled_from(
        [
            b'<p>',
            b'<P\n',
            b'<',
            b'<p',
            b'<div/',
            b'<DiV\t',
            b'<pre>',
            b'</p>',
            b'>',
            b'<a ',
        ]
        + [b'<h1>', b'<table ', b'<artic', b'le>', b'\0', b'x' * 40, b'y' * 999]
    ),
    max_size=80,
).map(b''.join)
PAIRS = st.lists(st.tuples(st.none() | TEXTS, st.none() | TEXTS), max_size=40)


@pytest.fixture(autouse=True)
def best():
    """Leave the best way behind."""
    yield
    kernel.choose('')


def ours(delimiters: str, hash_: str):
    found = cutters.make_cutter(delimiters, hash_)
    assert isinstance(found, KernelCutter)
    return found


@pytest.mark.parametrize('hash_', ['sha1', 'sha256'])
@given(PAIRS, st.sampled_from(DELIMITERS))
def test_same_as_python(hash_, pairs, delimiters):
    expected = PureCutter(delimiters, hash_).hash_pages(pairs)
    cutter = ours(delimiters, hash_)
    for way in WAYS:
        kernel.choose(way)
        assert cutter.hash_pages(pairs) == expected, way
    for text in [text for _, text in pairs if text is not None]:
        lengths = PureCutter(delimiters, hash_).measure_chunks(text)
        assert cutter.measure_chunks(text) == lengths
        assert sum(memoryview(lengths).cast('I')) == len(text)


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('hash_', ['sha1', 'sha256'])
def test_lengths(way, hash_):
    """All lengths around the ends of blocks, and hundreds of messages at a time."""
    kernel.choose(way)
    data = bytes(range(256)) * 2000
    bodies = [data[n : 2 * n] for n in (*range(300), 4095, 4096, 70_001, 256_000)]
    bodies += [data, data + b'<p>' + data]  # too long for the kernel, in part
    pairs = [(body, body) for body in bodies]
    found = ours('p', hash_).hash_pages(pairs)
    assert found == PureCutter('p', hash_).hash_pages(pairs)
    expected = [hashlib.new(hash_, body).digest() for body in bodies]
    assert [whole for whole, _, _ in found] == expected


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('hash_', ['sha1', 'sha256'])
def test_few_messages(way, hash_):
    """The last messages, which are finished one by one, end anywhere in a block."""
    kernel.choose(way)
    data = bytes(range(256)) * 1000
    for count in range(1, 20):
        texts = [data[: 1 + 63 * n + 9000 * (n % 3)] for n in range(count)]
        found = ours('p', hash_).hash_pages([(text, text) for text in texts])
        expected = [hashlib.new(hash_, text).digest() for text in texts]
        assert [(body, chunks) for body, chunks, _ in found] == [
            (e, e) for e in expected
        ]


@pytest.mark.parametrize('delimiters', DELIMITERS)
def test_each_tag(delimiters):
    """In the middle of a long text, where sixteen places are looked at together."""
    tags = set(delimiters.partition('/')[0].split(','))
    text = b''.join(b'<%b >' % tag.encode() + b'x' * 40 for tag in sorted(tags) * 2)
    lengths = PureCutter(delimiters, 'sha1').measure_chunks(text)
    assert len(lengths) == 4 * 2 * len(tags)
    assert ours(delimiters, 'sha1').measure_chunks(text) == lengths


def test_published():
    """The examples of FIPS 180 for one block and for two."""
    two = b'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'
    expected = {
        'sha1': [
            'a9993e364706816aba3e25717850c26c9cd0d89d',
            '84983e441c3bd26ebaae4aa1f95129e5e54670f1',
        ],
        'sha256': [
            'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
            '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
        ],
    }
    for way in WAYS:
        kernel.choose(way)
        for hash_, digests in expected.items():
            found = ours('p', hash_).hash_pages([(b'abc', None), (None, two)])
            assert [found[0][0].hex(), found[1][1].hex()] == digests


@pytest.mark.parametrize('wrong', [None, (), [1], [(1, 2)], [(b'',)], [(b'', 'text')]])
def test_wrong_pairs(wrong):
    with pytest.raises(TypeError):
        kernel.Cutter((b'p',), b'>', 20).pages(wrong)
    with pytest.raises(TypeError):
        kernel.Cutter((b'p',), b'>', 20).lengths([wrong])


@pytest.mark.parametrize(
    'wrong', [((b'',), b'>', 20), ((b'p' * 17,), b'>', 20), ((b'p',) * 65, b'>', 20)]
)
def test_wrong_delimiters(wrong):
    with pytest.raises(ValueError):
        kernel.Cutter(*wrong)
    with pytest.raises(ValueError):
        kernel.Cutter((b'p',), b'>', 21)


def test_collected_meanwhile():
    """A collection in the middle of a call may call the same kernel again."""
    cutter = kernel.Cutter((b'p',), b'>', 20)
    pairs = [(b'x' * n, b'<p>' * n) for n in range(200)]
    expected = cutter.pages(pairs)
    calls = []

    def again(*_):
        if len(calls) < 50:
            calls.append(cutter.pages([(b'y', b'<p>' * 99_999)]))

    before = gc.get_threshold()
    gc.set_threshold(1)
    gc.callbacks.append(again)
    try:
        found = cutter.pages(pairs)
    finally:
        gc.callbacks.remove(again)
        gc.set_threshold(*before)
    assert calls and found == expected


# Most members are sound, so that what comes behind a check is reached as well.
TYPES = st.sampled_from(
    [b'response'] * 5
    + [b'RESPONSE', b'responses', b'resource', b'y' * 70, b'']
    + [b'revisit'] * 2
)
FIELDS = st.lists(
    st.sampled_from(
        [b'WARC-Target-URI: http://a.org/', b'WARC-Target-URI: <urn:x>', b'x: \xff']
        + [b'WARC-Target-URI:\x0b <> ', b'WARC-Date: 2020-01-01T00:00:00Z\r', b'\r']
        + [b'WARC-IP-Address: 10.0.0.\xe9', b'Content-Length-More: 7', b' folded']
        + [b'warc-type : \x85x', b'a\nb: c', b'content-length: 9999999999999999999']
        + [b'Content-Type: text/plain;charset=x\t', b'CONTENT-TYPE\t:\xe9\x0b']
        + [b'WARC-Record-ID: <urn:uuid:1>', b'warc-record-id :\t< a > ', b'WARC-Record']
        + [b'WARC-Record-ID:' + b'x' * n for n in (1000, 1001)]
        + [b'WARC-Record-ID: <%b>' % (b'y' * n) for n in (1000, 1001)]
        + [b'WARC-Payload-Digest: sha1:A\tB', b'warc-payload-digest:\xff ' + b'z' * 997]
        + [b'WARC-Truncated: length', b'WARC-TRUNCATED:\x0b', b'WARC-Truncated\t:<x>']
        + [b'WARC-Refers-To: <urn:x>', b'warc-refers-to-date: 2020-01-01T00:00:00Z']
        + [b'WARC-Refers-To-Target-URI:\xff x', b'WARC-Profile: server-not-modified']
    ),
    max_size=6,
)
STATUS = st.sampled_from(
    [b'HTTP/1.1 200 OK'] * 4
    + [
        b'HTTP/2 \t404',
        b'HTTP/1.0 301',
        b'HTTP/1.1 20',
        b'HTTP/1.x 200',
        b'HTTP/1.1200',
    ]
)
HTTP_FIELDS = st.lists(
    st.sampled_from(
        [b'A: b', b' folded', b'no field', b'\r', b'']
        + [b'Content-Type: text/html'] * 4
        + [b'content-type \t:\xe9; charset="a\\"b" ', b'Content-Type:', b'Content-Type']
        + [b'Content-Encoding-Too: x', b'x-transfer-encoding: chunked']
        + [b'Transfer-Encoding : chunked', b'content-encoding:\tgzip']
    ),
    max_size=4,
)
LINE_ENDS = st.sampled_from([b'\r\n'] * 3 + [b'\n', b'\r\r\n'])
LENGTHS = st.sampled_from(
    [b'Content-Length: %d'] * 6
    + [b'content-length:\t%d \t', b'Content-Length: %019d', b'Content-Length: %018d']
    + [b'C: %d', b'Content-Length: 1%d', b'Content-Length:\x0b%d']
)
FIRSTS = st.sampled_from(
    [b'WARC/1.0\r\n'] * 4
    + [b'WARC/1.1\n', b'WARC/0.18\r\n', b'WARC/1.\r\n', b'WARC/1.0']
)
ENDS = st.sampled_from([b'\r\n\r\n'] * 5 + [b'', b'\r\n\r\r', b'\r\n\r\n\r\n'])


@st.composite
def messages(draw):
    """Blocks of records: an HTTP message, or something like it."""
    end = draw(LINE_ENDS)
    lines = [draw(STATUS), *draw(HTTP_FIELDS)]
    empty = draw(st.sampled_from([end + end] * 5 + [end, b'', b'\n\r\n', b'\n\r']))
    return end.join(lines) + empty + draw(st.sampled_from([b'', b'<p>x', b'\r\n\r\nx']))


@st.composite
def members(draw):
    """Members of a record, and its block."""
    block = draw(messages())
    lines = [b'WARC-Type: ' + draw(TYPES), *draw(FIELDS), draw(LENGTHS) % len(block)]
    order = draw(st.permutations(lines))
    return draw(FIRSTS) + b'\r\n'.join(order) + b'\r\n\r\n' + block + draw(ENDS), block


def test_heads():
    """The kernel reads what Python reads, and leaves alone what it is not sure of."""
    reached = Counter()

    @settings(max_examples=1000, derandomize=True, deadline=None)
    @given(members())
    def check(made):
        reached[same_head(*made)] += 1

    check()
    assert all(
        reached[case] >= 10
        for case in ('none', 'message', 'typed message', 'left', 'no message')
    )


def same_in_a_stream(member: bytes) -> None:
    """Compare what the two read of a record, whatever follows it."""
    for behind in (b'', b'WARC/1.0', member):
        windows = [Window.of(b'junk' + member + behind) for _ in range(2)]
        for window in windows:
            window.at = 4
        expected = ordinary.read_pure(windows[0])
        found = ordinary.ordinary_reader()(windows[1])
        if expected and len(expected.head.type) <= 64:
            assert found[:2] == expected[:2] and found.block == expected.block
            assert windows[0].offset == windows[1].offset


def same_head(member: bytes, block: bytes) -> str:
    """Compare what the two read of a member; which case it was."""
    same_in_a_stream(member)
    expected = ordinary.pure_ordinary(bytearray(member))
    found = ordinary.ordinary_parser()(bytearray(member))
    if expected is None or len(expected.head.type) > 64:
        assert found is None
        return 'none'
    assert found[:2] == expected[:2] and found.block == expected.block
    message = payload.read_head(block)
    if found.message:
        assert found.head.type == 'response' and found.message == message
        return 'typed message' if message.content_type else 'message'
    if found.head.type != 'response' or not message:
        return 'no message'
    # Only what may have encodings, two types, folded or no empty lines is left.
    ends = b'\n\n' in block or b'\n\r\n' in block
    types = block.lower().count(b'content-type')
    has_fold = b'\n ' in block or b'\n\t' in block
    assert b'encoding' in block.lower() or types > 1 or not ends or has_fold
    return 'left'


def test_usual_head():
    """What nearly all records look like is read in the kernel to the body."""
    http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page'
    member = bytearray(
        b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/\r\n'
        b'WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: 51\r\n'
        b'WARC-Record-ID: <urn:uuid:1>\r\nWARC-Payload-Digest: sha1:ABC\r\n'
        b'WARC-Truncated: length\r\n'
        b'Content-Type: application/http; msgtype=response \r\n\r\n'
        + (http + b'\r\n\r\n')
    )
    found = ordinary.ordinary_parser()(member)
    assert found.head[:3] == ('response', b'http://a.org/', '2020-01-01T00:00:00Z')
    assert found.head[3:6] == ('', 51, b'application/http; msgtype=response')
    assert found.head[6:9] == ('urn:uuid:1', 'sha1:ABC', 'length')
    assert found.message == (200, 44, (), b' text/html')
    assert bytes(found.block[found.message.start :]) == b'<p>page'


def test_head_of_a_message_that_is_cut():
    """A line that the end of the record ends is no empty line yet."""
    block = b'HTTP/1.1 200 OK\r\nA: b\n\r'
    head = b'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d' % len(block)
    assert same_head(head + b'\r\n\r\n' + block + b'\r\n\r\n', block) == 'left'


@given(st.binary(max_size=300))
def test_no_heads(data):
    """Any bytes, in a record that is sound but for them."""
    for head in (data, b'Content-Length: %d\r\nx: %b' % (len(data), data[:9])):
        member = bytearray(b'WARC/1.0\r\n%b\r\n\r\n%b\r\n\r\n' % (head, data))
        expected, found = (
            ordinary.pure_ordinary(member),
            ordinary.ordinary_parser()(member),
        )
        assert (found is None) == (expected is None)
        assert found is None or found[:2] == expected[:2]


@given(
    st.lists(st.sampled_from([b'a', b'b', b'ab', b'a' * 17]), max_size=40).map(
        b''.join
    ),
    st.sampled_from([b'a', b'ab', b'ba', b'aab', b'aaaaaaab', b'b' * 20]),
    st.integers(-5, 90),
    st.integers(-5, 90),
)
def test_find(data, few, start, stop):
    assert kernel.find(data, few, start, stop) == data.find(few, start, stop)
    assert kernel.find(data, few, start) == data.find(few, start)
    assert kernel.find(data, few) == data.find(few)


def test_wrong_find():
    with pytest.raises(ValueError):
        kernel.find(b'data', b'')
    with pytest.raises(TypeError):
        kernel.find(bytearray(b'data'), b'a')


@pytest.mark.parametrize('width', [8, 20, 32])
@given(
    st.lists(st.lists(st.integers(0, 30), max_size=60), max_size=30),
    st.integers(0, 2**64 - 1),
)
def test_counts(width, pages, seed):
    """Copies, pages and lengths are those that one counts with a Counter."""
    counter = kernel.Counter(width, seed)
    copies, on_pages = Counter(), Counter()
    keys = [hashlib.sha256(b'%d' % n).digest()[:width] for n in range(31)]
    for page in pages:
        lengths = b''.join(n.to_bytes(4, 'little') for n in page)
        rows = counter.add(b''.join(keys[n] for n in page) + lengths)
        copies.update(page)
        on_pages.update(set(page))
        assert rows == len(copies)
    sizes, digests, *columns = counter.take(4)
    numbers = [memoryview(column).cast('Q').tolist() for column in columns]
    found = [digests[i : i + width] for i in range(0, len(digests), width)]
    assert sorted(zip(found, *numbers, strict=True)) == sorted(
        (keys[n], copies[n], on_pages[n], n) for n in copies
    )
    assert [key[0] >> 4 for key in found] == [
        part
        for part, size in enumerate(memoryview(sizes).cast('I'))
        for _ in range(size)
    ]
    assert counter.take(1) == (bytes(8), b'', b'', b'', b'')
    again = keys[0] + keys[1] + keys[0] + bytes(12)
    assert counter.add(again) == 2
    assert [n[0] for n in counter.take(0)[2:]] == [2, 1, 0]


def test_many_counts():
    """A table that grows, with keys that differ only in their last bytes."""
    counter = kernel.Counter(12, 1)
    keys = [bytes(9) + n.to_bytes(3, 'big') for n in range(3000)]
    # These belong into the last slots, and go on in the first.
    keys += [b'\xff' * 9 + n.to_bytes(3, 'big') for n in range(300)]
    keys += [hashlib.sha1(b'%d' % n).digest()[:12] for n in range(70_000)]
    for _ in range(2):
        assert counter.add(b''.join(keys) + bytes(4 * len(keys))) == len(keys)
    _, digests, copies, pages, _ = counter.take(0)
    assert digests == b''.join(keys)
    assert copies == pages == (2).to_bytes(8, 'little') * len(keys)


@pytest.mark.parametrize('wrong', [None, 'text', bytearray(24), b'x' * 23])
def test_wrong_counts(wrong):
    with pytest.raises((TypeError, ValueError)):
        kernel.Counter(20, 1).add(wrong)
    with pytest.raises(TypeError):
        kernel.ordinary(wrong if isinstance(wrong, str) else None)


def test_wrong_counter():
    for width in (7, 65):
        with pytest.raises(ValueError):
            kernel.Counter(width, 1)
    for bits in (-1, 17, 1 << 70):
        with pytest.raises((ValueError, OverflowError)):
            kernel.Counter(8, 1).take(bits)


def test_not_wanted(monkeypatch):
    monkeypatch.setenv(native.PURE, '1')
    assert isinstance(cutters.make_cutter('p', 'sha1'), PureCutter)


def test_same_results(tmp_path, monkeypatch):
    """Whole runs, with pages of all sizes."""
    pages = sample_crawl()
    pages += [
        ('http://long.org/', b'<p>' * 20_000 + b'<p>two' * 300_000),
        ('http://large.org/', b'<p>one<div>' + b'x' * 300_000),
    ]
    inputs = write_crawl(tmp_path, pages)[0]
    line = [*inputs, '--threshold=0', '--min-len=0', '-q']
    assert discover(*line, '-o', tmp_path / 'kernel').code == 0
    monkeypatch.setenv(native.PURE, '1')
    assert discover(*line, '-o', tmp_path / 'python').code == 0
    assert results(tmp_path / 'kernel') == results(tmp_path / 'python')


def test_version():
    line = [sys.executable, '-m', 'mr_reuse.discover', '--version']
    for pure, text in ((None, f'kernel: {kernel.how()}'), ('1', 'kernel: none')):
        env = {**os.environ, **({native.PURE: pure} if pure else {})}
        done = subprocess.run(line, env=env, capture_output=True, text=True, check=True)
        assert text in done.stdout
