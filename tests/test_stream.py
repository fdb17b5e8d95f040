"""Pages in pieces are judged as whole pages are."""

import tracemalloc

import mrl
import pytest
from crawls import PARTS, WHOLE
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Options, chunks_of, digest
from reference_detect import Asked, Known, judged

from mr_reuse.stream import Matcher

bodies = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=12).map(b''.join), st.sampled_from(WHOLE)
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    bodies,
    st.lists(st.integers(1, 400), max_size=30),
    st.sampled_from(['both', 'labels']),
    st.sampled_from([0, 100]),
    st.sampled_from([2, 3]),
)
def test_any_split(tmp_path_factory, body, sizes, scope, min_len, one_in):  # noqa: PLR0917
    chunks = [digest(chunk) for chunk in chunks_of(body, Options())]
    known = Known(
        frozenset(chunks[::one_in]),
        frozenset([digest(body)]),
        frozenset(chunks[:1]),
        min_len,
    )
    path = tmp_path_factory.mktemp('labels') / 'some.mrl'
    mrl.write(path, known.chunks, known.files, known.stop, min_len=min_len)
    page = Matcher(str(path), scope).page()
    at = 0
    for size in sizes:
        page.feed(body[at : at + size])
        at += size
    page.feed(body[at:])
    verdict = page.close()
    assert verdict[:2] == judged(body, known, Asked(scope=scope))
    assert verdict.file
    assert set(verdict.examples) <= known.chunks


@pytest.mark.parametrize('normalize', ['collapse', 'auntietuna'])
def test_normalized(tmp_path, normalize):
    body = b' \n<p>a \t b\r\n <p>c' + b' \t\n' * 700 + b'<div>d  \n'
    chunks = [digest(c) for c in chunks_of(body, Options(normalize=normalize))]
    path = mrl.write(tmp_path / 'x.mrl', chunks, min_len=0, normalize=normalize)
    for step in (1, 7, 10_000):
        page = Matcher(str(path)).page()
        for at in range(0, len(body), step):
            page.feed(body[at : at + step])
        verdict = page.close()
        assert (verdict.bad, verdict.total) == (len(chunks), len(chunks))


def test_cut(tmp_path):
    """The last chunk of a page that breaks off may be a part of one only."""
    path = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    page = Matcher(str(path)).page()
    page.feed(b'<p>one<p>one')
    assert page.close(cut=True)[:2] == (1, 1)


@pytest.mark.slow
def test_memory(tmp_path):
    """It does not grow with the page, be it one chunk or a million."""
    path = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    matcher = Matcher(str(path))
    peaks = []
    for count in (4, 40):
        page = matcher.page()
        tracemalloc.start()
        for _ in range(count):
            page.feed(b'<p>one' * 10_000)
            page.feed(b'x' * 60_000)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert page.close().bad == count * 10_000 - count
    assert peaks[1] < 1.2 * peaks[0]
