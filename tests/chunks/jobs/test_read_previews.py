"""ReadPreviews alone: rows of labels and where to read them in, with previews out."""

import pytest
from crawls import write_warc
from lone_jobs import run_job, sha1

from mr_reuse.chunks.jobs.read_previews import ReadPreviews

ONE, LONG = b'<p>one\tcaf\xc3\xa9\n\xff', b'<p>' + b'x' * 100
PREVIEWS = {ONE: '<p>one café �', LONG: '<p>' + 'x' * 77}


@pytest.fixture
def archive(tmp_path):
    """An archive with a blank in its name, and the offsets of its two pages."""
    path = tmp_path / 'a b.warc.gz'
    bodies = [b'<html>' + ONE + LONG, LONG]
    pages = write_warc(path, [(f'http://{n}.org/', b) for n, b in enumerate(bodies)])
    return str(path).replace(' ', '%20'), [page.offset for page in pages]


def row(chunk: bytes) -> bytes:
    """Digest, length, copies, pages, hosts, URL of the example."""
    return f'{sha1(chunk).hex()}\t{len(chunk)}\t12\t7\t3\thttp://a.org/'.encode()


def line(path: str, offset: int, chunk: bytes) -> bytes:
    return f'{path}:{offset}\t'.encode() + row(chunk)


def test_no_rows():
    assert run_job(ReadPreviews, []) == []


def test_previews(archive):
    """Eighty bytes as text, with blanks for tabs and line feeds."""
    path, [first, second] = archive
    wanted = [(first, ONE), (first, LONG), (second, LONG)]
    lines = run_job(ReadPreviews, [line(path, *one) for one in wanted])
    assert lines == [
        row(chunk) + b'\t' + PREVIEWS[chunk].encode() for _, chunk in wanted
    ]


def test_recipe(archive):
    """With other delimiters the page has other chunks."""
    path, [first, _] = archive
    body = b'<html>' + ONE + LONG
    [found] = run_job(ReadPreviews, [line(path, first, body)], delimiters='div')
    assert found.startswith(row(body) + b'\t<html><p>one ')


def test_changed_archive(archive):
    """A label that is no longer there keeps its row, without a preview."""
    path, [first, second] = archive
    lines = [
        line(path, first, b'<p>gone'),
        line(path, first + 1, ONE),
        line(path, second, ONE),
        line(path + '.gone', second, LONG),
    ]
    chunks = [b'<p>gone', ONE, ONE, LONG]
    assert run_job(ReadPreviews, lines) == [row(chunk) + b'\t' for chunk in chunks]


def test_damaged_archive(archive, tmp_path):
    path, [first, second] = archive
    file = tmp_path / 'a b.warc.gz'
    data = bytearray(file.read_bytes())
    data[first + 100 : first + 140] = bytes(40)
    file.write_bytes(data)
    lines = [line(path, first, LONG), line(path, second, LONG)]
    assert run_job(ReadPreviews, lines) == [
        row(LONG) + b'\t',
        row(LONG) + b'\t' + PREVIEWS[LONG].encode(),
    ]


@pytest.mark.parametrize(
    'damage',
    [
        lambda line: b'',
        lambda line: line[:5],
        lambda line: line.partition(b'\t')[0],
        lambda line: line.replace(b':', b':x', 1),
        lambda line: line[: line.index(b'\t') + 20],
        lambda line: line[: line.index(b'\t') + 41],
        lambda line: line.rpartition(b'\t')[0],
        lambda line: line + b'\tmore',
        lambda line: line.replace(b'\t12\t', b'\t'),
        lambda line: line.replace(sha1(ONE).hex().encode(), b'x' * 40),
    ],
    ids='empty rid row offset digest length URL more less hex'.split(),
)
def test_damaged_row(archive, damage):
    path, [first, _] = archive
    with pytest.raises(ValueError):
        run_job(ReadPreviews, [damage(line(path, first, ONE))])
