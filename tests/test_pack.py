"""What `pack` writes, read back by warcio."""

import gzip
import os

import pytest
from warcio.archiveiterator import ArchiveIterator

from mr_reuse import pack
from mr_reuse.archives import trees, writer
from mr_reuse.errors import DAMAGED, DONE, FAILED, USAGE


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / 'docs'
    folder.mkdir()
    return folder


@pytest.fixture
def out(tmp_path):
    return tmp_path / 'out.warc.gz'


def write(folder, name, body=b'<p>text', mtime=1_000_000_000):
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(body)
    os.utime(path, (mtime, mtime))


def run(*args):
    return pack.main([os.fspath(arg) for arg in args])


def read(path):
    """Read back (url, type, body) of every record."""
    with open(path, 'rb') as file:
        return [
            (
                record.rec_headers['WARC-Target-URI'],
                record.http_headers['Content-Type'],
                record.content_stream().read(),
            )
            for record in ArchiveIterator(file)
        ]


def urls(path):
    return [url for url, _, _ in read(path)]


def test_round_trip(docs, out, capsys):
    write(docs, 'index.html', b'<p>one')
    write(docs, 'a/b.XHTML', b'<p/>')
    write(docs, 'a/notes.txt', b'two\r\n\r\nthree')
    write(docs, 'a.xml', b'')
    write(docs, 'logo.png', b'\x89PNG')
    assert run(docs, '-o', out) == DONE
    assert read(out) == [
        ('http://file-tree/docs/a.xml', 'application/xml', b''),
        ('http://file-tree/docs/a/b.XHTML', 'application/xhtml+xml', b'<p/>'),
        ('http://file-tree/docs/a/notes.txt', 'text/plain', b'two\r\n\r\nthree'),
        ('http://file-tree/docs/index.html', 'text/html', b'<p>one'),
    ]
    assert capsys.readouterr().err == (
        f'{out}: 4 pages, 22 bytes; left out: 1 not text (see --all)\n'
    )


def test_record_headers(docs, out):
    write(docs, 'a.html', b'<p>')
    run(docs, '-o', out, '-q')
    with open(out, 'rb') as file:
        record = next(iter(ArchiveIterator(file)))
        assert record.rec_type == 'response'
        assert record.rec_headers['WARC-Date'] == '2001-09-09T01:46:40Z'
        assert record.rec_headers['WARC-Record-ID'] == (
            '<urn:uuid:ef1dadbc-fbfb-5a08-9d7a-03e01de110a8>'
        )
        assert record.http_headers.statusline == '200 OK'
        assert record.http_headers['Content-Length'] == '3'


def test_each_record_is_a_member(docs, out):
    write(docs, 'a.html')
    write(docs, 'b.html')
    run(docs, '-o', out, '-q')
    with open(out, 'rb') as file:
        records = ArchiveIterator(file)
        offsets = [records.get_record_offset() for _ in records]
    for offset in offsets:
        assert gzip.decompress(out.read_bytes()[offset:]).startswith(b'WARC/1.0\r\n')
    assert len(set(offsets)) == 2


def test_same_bytes_each_time(docs, tmp_path):
    for name in ('b.html', 'a/z.html', 'a.html', 'a-b.html'):
        write(docs, name)
    first, second = tmp_path / '1.warc.gz', tmp_path / '2.warc.gz'
    run(docs, '-o', first, '-q')
    # made in another order, hence listed in another one by many file systems
    again = tmp_path / 'again' / 'docs'
    for name in ('a.html', 'a-b.html', 'b.html', 'a/z.html'):
        write(again, name)
    run(f'{again}/', '-o', second, '-q')
    assert first.read_bytes() == second.read_bytes()
    assert urls(first) == sorted(urls(first))


@pytest.mark.parametrize(
    ('name', 'url'),
    [
        (b'a b.html', 'a%20b.html'),
        (b'a\nb.html', 'a%0Ab.html'),
        (b'\xff\xe9.html', '%FF%E9.html'),
        ('\u00e9\u4e2d.html'.encode(), '%C3%A9%E4%B8%AD.html'),
        (b'50%?#.html', '50%25%3F%23.html'),
        (b'.html', None),
    ],
)
def test_weird_names(docs, out, name, url):
    write(docs, name)
    write(docs, 'z.html')
    run(docs, '-o', out, '-q')
    expected = [f'http://file-tree/docs/{url}'] if url else []
    assert sorted(urls(out)) == sorted([*expected, 'http://file-tree/docs/z.html'])


def test_gzipped_pages_are_unpacked(docs, out):
    write(docs, 'a.html.gz', gzip.compress(b'<p>a'))
    write(docs, 'b.txt.gz', gzip.compress(b'not taken'))
    run(docs, '-o', out, '-q')
    assert read(out) == [('http://file-tree/docs/a.html.gz', 'text/html', b'<p>a')]


def test_all_files(docs, out):
    write(docs, 'a.png', b'\x89PNG')
    write(docs, 'b.css.gz', b'\x1f\x8b')
    write(docs, 'README')
    run(docs, '-o', out, '--all', '-q')
    assert [kind for _, kind, _ in read(out)] == [
        'application/octet-stream',
        'image/png',
        'application/octet-stream',
    ]


def test_links_and_special_files_are_counted(docs, out, capsys):
    write(docs, 'a.html')
    (docs / 'link.html').symlink_to('a.html')
    (docs / 'loop').symlink_to('.')
    os.mkfifo(docs / 'pipe.html')
    assert run(docs, '-o', out) == DONE
    assert urls(out) == ['http://file-tree/docs/a.html']
    assert 'left out: 3 symlinks and special files\n' in capsys.readouterr().err


@pytest.mark.parametrize(
    'damaged', [b'not gzip', gzip.compress(b'x' * 999)[:-9], b'\x1f\x8b\x08\0' * 9]
)
def test_unreadable_files_are_named(docs, out, capsys, damaged):
    write(docs, 'a.html')
    write(docs, 'bad\n.html.gz', damaged)
    assert run(docs, '-o', out, '-q') == DAMAGED
    assert urls(out) == ['http://file-tree/docs/a.html']
    error = capsys.readouterr().err
    assert error.startswith('warning: ') and 'bad\\x0a.html.gz: cannot be' in error
    assert error.count('\n') == 1


def test_file_without_rights(docs, out, capsys, monkeypatch):
    write(docs, 'a.html')
    write(docs, 'secret.html')

    def refuse(name, mode):  # a test that runs as root may read all files
        if b'secret' in os.fsencode(name):
            raise PermissionError(13, 'Permission denied', name)
        return open(name, mode)

    monkeypatch.setattr(trees, 'open', refuse, raising=False)
    assert run(docs, '-o', out, '-q') == DAMAGED
    assert capsys.readouterr().err.endswith(
        'secret.html: cannot be read, left out: Permission denied\n'
    )


def test_body_of_any_size(docs, out, capsys, monkeypatch):
    monkeypatch.setattr(trees, 'MAX_BODY', 1000)
    write(docs, 'a.html', b'x' * 1000)
    write(docs, 'bomb.html.gz', gzip.compress(b'x' * 1001))
    assert run(docs, '-o', out, '-q') == DAMAGED
    assert urls(out) == ['http://file-tree/docs/a.html']
    assert 'larger than 1000 bytes' in capsys.readouterr().err


def test_dates_outside_of_what_a_warc_can_say(docs, out):
    write(docs, 'a.html', mtime=-86400)
    run(docs, '-o', out, '-q')
    with open(out, 'rb') as file:
        record = next(iter(ArchiveIterator(file)))
        assert record.rec_headers['WARC-Date'] == '1970-01-01T00:00:00Z'


def test_split(docs, tmp_path, out):
    for number in range(5):
        write(docs, f'{number}.html', b'x' * 400)
    write(docs, '5.html', b'x' * 2000)
    assert run(docs, '-o', out, '--split', '1KB', '-q') == DONE
    names = sorted(os.listdir(tmp_path))
    assert names == ['docs', *(f'out-0000{n}.warc.gz' for n in range(4))]
    pages = [len(urls(tmp_path / name)) for name in names[1:]]
    assert pages == [2, 2, 1, 1]


def test_several_folders(docs, tmp_path, out):
    other = tmp_path / 'other docs'
    write(docs, 'a.html')
    write(other, 'a.html')
    run(other, docs, '-o', out, '--base-url', 'https://x.example/y', '-q')
    assert urls(out) == [
        'https://x.example/y/other%20docs/a.html',
        'https://x.example/y/docs/a.html',
    ]


def test_folders_of_one_name(docs, tmp_path, out, capsys):
    write(docs, 'a.html')
    write(tmp_path / 'b' / 'docs', 'a.html')
    assert run(docs, tmp_path / 'b' / 'docs', '-o', out) == USAGE
    assert 'has the same name as another' in capsys.readouterr().err


def test_current_folder(docs, out, monkeypatch):
    write(docs, 'a.html')
    monkeypatch.chdir(docs)
    run('.', '-o', out, '-q')
    assert urls(out) == ['http://file-tree/docs/a.html']


def test_empty_folder(docs, tmp_path, out, capsys):
    assert run(docs, '-o', out) == FAILED
    assert capsys.readouterr().err == (
        f'error: {docs}: no HTML, XML or text files in it\n'
    )
    assert os.listdir(tmp_path) == ['docs']


def test_existing_archive(docs, out, capsys):
    write(docs, 'a.html')
    out.write_bytes(b'old')
    assert run(docs, '-o', out) == FAILED
    assert 'exists; name another file, or give --force' in capsys.readouterr().err
    assert out.read_bytes() == b'old'
    assert run(docs, '-o', out, '--force', '-q') == DONE
    assert len(urls(out)) == 1


def test_force_removes_parts_of_a_longer_run(docs, tmp_path, out):
    for name in ('a.html', 'b.html', 'c.html'):
        write(docs, name, b'x' * 100)
    run(docs, '-o', out, '--split', '100', '-q')
    (tmp_path / 'out-other.warc.gz').write_bytes(b'not ours')
    run(docs, '-o', out, '--split', '1MB', '--force', '-q')
    assert sorted(os.listdir(tmp_path)) == [
        'docs',
        'out-00000.warc.gz',
        'out-other.warc.gz',
    ]


def test_nothing_is_left_of_a_failed_run(docs, tmp_path, out, monkeypatch):
    write(docs, 'a.html')
    out.write_bytes(b'old')

    def full(record):
        raise OSError(28, 'No space left on device', 'x')

    monkeypatch.setattr(writer.deflate, 'gzip_compress', full)
    assert run(docs, '-o', out, '--force') == FAILED
    assert sorted(os.listdir(tmp_path)) == ['docs', 'out.warc.gz']
    assert out.read_bytes() == b'old'


@pytest.mark.parametrize(
    ('args', 'refusal'),
    [
        (['nowhere', '-o', 'x.warc.gz'], (FAILED, 'nowhere: no such folder')),
        (['docs', '-o', 'x.warc'], (USAGE, 'its name has to end in .warc.gz')),
        (['docs', '-o', 'no/x.warc.gz'], (FAILED, 'no: no such folder')),
        (
            ['docs', '-o', 'docs/x.warc.gz', '--all'],
            (USAGE, 'name a file in another folder'),
        ),
    ],
)
def test_what_is_refused(docs, monkeypatch, capsys, args, refusal):
    code, message = refusal
    write(docs, 'a.html')
    monkeypatch.chdir(docs.parent)
    assert run(*args) == code
    error = capsys.readouterr().err
    assert message in error and error.count('\n') == 1


@pytest.mark.parametrize(
    'option',
    [
        ('--split', '0'),
        ('--split', 'big'),
        ('--base-url', 'docs'),
        ('--base-url', 'http://a b/'),
        ('--base-url', 'http://a.example/\n'),
    ],
)
def test_bad_option_values(docs, out, option):
    assert run(docs, '-o', out, *option) == USAGE
