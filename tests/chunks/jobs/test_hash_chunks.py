"""HashChunks alone: sources in, page lines out."""

import gzip
import json

import pytest
from damaged_reading import make
from lone_jobs import page_line, run_job, sha1, unpack

from mr_reuse import kernel
from mr_reuse.chunks.jobs.hash_chunks import HashChunks

CHUNKS = [b'<html>', b'<p>one', b'<div>two', b'<p>one']
PNG = b'\x89PNG\r\n\x1a\n<p>'


def record(name: str, body: bytes) -> bytes:
    return gzip.compress(make.warc(name, make.http(body)))


def source(path, *more) -> list:
    return ['archive', path.name, str(path), '', path.stat().st_size, '', *more]


def run(*sources, **options) -> tuple[list[bytes], list[dict]]:
    """Run a task; return its page lines, and the accounts in its last line."""
    *lines, last = run_job(HashChunks, [json.dumps(sources).encode()], **options)
    key, value = last.split(b'\t')
    assert key == b'@'
    return lines, json.loads(value)['accounts']


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / 'a.warc.gz'
    path.write_bytes(record('x', b''.join(CHUNKS)))
    return path


def test_no_sources():
    assert run_job(HashChunks, []) == [b'@\t{"accounts": []}']
    assert run() == ([], [])


def test_pages(archive):
    first = archive.stat().st_size
    archive.write_bytes(archive.read_bytes() + record('y', PNG))
    lines, [account] = run(source(archive))
    url = 'http://x.org/{}'.format
    page = page_line('a.warc.gz:0', url('x'), CHUNKS, make.DATE)
    image = page_line(f'a.warc.gz:{first}', url('y'), [PNG], make.DATE)
    # An image has a file hash, but no chunks.
    image = image.replace(b'text/html', b'image/png').rpartition(b'\t')[0]
    image = image.removesuffix(b'1') + b'0\t20,4:'
    assert lines == [page, image]
    assert account['counts'] == {'files': 2, 'pages': 1, 'bytes': 37, 'chunks': 4}


@pytest.mark.parametrize(
    'option, value, chunks',
    [
        ('delimiters', 'div', [b'<html><p>one', b'<div>two<p>one']),
        ('compat', 'ccr2019-arc', [*CHUNKS[:3], b'<p>one\n']),
    ],
)
def test_options(archive, option, value, chunks):
    [line], _ = run(source(archive), **{option: value})
    assert line == page_line('a.warc.gz:0', 'http://x.org/x', chunks, make.DATE)


def test_damaged_archive(archive):
    """A record that is cut is counted; its page has no file hash and no last chunk."""
    whole = archive.read_bytes()
    archive.write_bytes(whole + whole[:-30])
    (first, rest), [account] = run(source(archive))
    assert first == page_line('a.warc.gz:0', 'http://x.org/x', CHUNKS, make.DATE)
    *_, file_hash, chunks, packed = rest.split(b'\t')
    assert (file_hash, int(chunks)) == (b'', len(unpack(packed)))
    found = [key for key, _ in unpack(packed)]
    assert found == list(map(sha1, CHUNKS))[: len(found)] and len(found) < 4
    [(times, _)] = account['damage'].values()
    assert times == 1


IDS = {
    'WARC_Record_ID': '<urn:uuid:1>',
    'WARC_Payload_Digest': 'sha1:ABC',
    'WARC_Truncated': 'length',
}


@pytest.fixture(params=['kernel', 'python'])
def with_and_without_kernel(monkeypatch, request):
    if request.param == 'python':
        monkeypatch.setenv(kernel.PURE, '1')


def line_of(path, data: bytes) -> bytes:
    path.write_bytes(data)
    [line], _ = run(source(path))
    return line


@pytest.mark.parametrize(
    'fields, after',
    [
        (IDS, ['urn:uuid:1', 'sha1:ABC', 'length']),
        ({'WARC_Truncated': 'time'}, ['', '', 'time']),
        ({'WARC_Payload_Digest': 'a\tb'}, ['', 'a%09b']),
        ({'WARC_Record_ID': 'x' * 1000}, ['x' * 1000]),
        ({'WARC_Record_ID': f'<{"x" * 1000}>'}, ['x' * 1000]),
        ({**IDS, 'WARC_Record_ID': 'x' * 1001}, ['', 'sha1:ABC', 'length']),
        ({'WARC_Payload_Digest': 'x' * 1001, 'WARC_Truncated': 'x' * 1_000_000}, []),
        ({'Warc_record_id': 'first', 'WARC_RECORD_ID': 'second'}, ['first']),
        ({'WARC_Record_ID': 'ä'}, ['\ufffd\ufffd']),
        ({'WARC_Record_ID': '<>'}, []),
    ],
)
@pytest.mark.usefixtures('with_and_without_kernel')
@pytest.mark.parametrize('name', ['a.warc', 'a.warc.gz'])
def test_fields_of_the_record(tmp_path, fields, after, name):
    """They stand behind the columns; long ones and empty ones at the end are absent."""
    data = make.warc('x', make.http(b''.join(CHUNKS)), **fields)
    line = line_of(tmp_path / name, gzip.compress(data) if 'gz' in name else data)
    facts = f'{name}:0', 'http://x.org/x', CHUNKS, make.DATE, after
    assert line == page_line(*facts, is_cut=len(after) > 2)


def test_fields_of_a_long_page(tmp_path, monkeypatch):
    """Only its first line has them."""
    monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 100)
    body = b''.join(b'<p>%d' % n for n in range(250))
    path = tmp_path / 'a.warc'
    path.write_bytes(make.warc('x', make.http(body), **IDS))
    lines, _ = run(source(path))
    after = [line.split(b'\t')[9:] for line in lines]
    assert after == [[b'urn:uuid:1', b'sha1:ABC', b'length'], [], []]


@pytest.mark.parametrize('kind', ['page', 'packed page'])
def test_file_that_is_a_page(tmp_path, kind):
    """No record of an archive has it: all fields but the last are empty."""
    path = tmp_path / 'a.html'
    body = b''.join(CHUNKS)
    path.write_bytes(body if kind == 'page' else gzip.compress(body))
    [line], _ = run([kind, 'a.html', str(path), 'dir/a.html', path.stat().st_size, ''])
    after = ['', '', '', '', 'page']
    assert line == page_line('a.html:0', 'dir/a.html', CHUNKS, after=after)


def test_record_of_arc(tmp_path):
    line = line_of(tmp_path / 'a.arc', make.arc('x', make.http(b''.join(CHUNKS))))
    assert len(line.split(b'\t')) == 9


def test_missing_archive(archive, tmp_path):
    gone = ['archive', 'gone.gz', str(tmp_path / 'gone.gz'), '', 9, '']
    lines, accounts = run(gone, source(archive))
    assert len(lines) == 1
    assert accounts[0]['archive'] == 'gone.gz'
    assert list(accounts[0]['damage']) == ['cannot be read: No such file or directory']


def test_damaged_line(archive):
    line = json.dumps([source(archive)]).encode()
    with pytest.raises(json.JSONDecodeError):
        run_job(HashChunks, [line[:-2]])
    with pytest.raises(TypeError, match='takes from 4 to 8'):
        run(source(archive, '', 'a field too many'))
