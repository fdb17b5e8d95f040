"""What `pack` writes, read back by warcio."""

import base64
import gzip
import hashlib
import os
import signal
import subprocess
import sys
import time
import uuid

import pytest
from commands import apart, discover
from warcio.archiveiterator import ArchiveIterator
from warcio.cli import main as warcio
from warcio.warcwriter import WARCWriter

from mr_reuse import pack
from mr_reuse.archives.packing import files
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
            if record.rec_type == 'response'
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


def headers(path):
    """The headers of each record, as WARC and as HTTP."""
    with open(path, 'rb') as file:
        return [(r.rec_headers, r.http_headers) for r in ArchiveIterator(file)]


def sha1(data):
    return f'sha1:{base64.b32encode(hashlib.sha1(data).digest()).decode()}'


def test_record_headers(docs, out):
    write(docs, 'a.html', b'<p>')
    run(docs, '-o', out, '-q')
    _, (warc, http) = headers(out)
    assert warc['WARC-Type'] == 'response'
    assert warc['WARC-Date'] == '2001-09-09T01:46:40Z'
    assert warc['WARC-Payload-Digest'] == sha1(b'<p>')
    head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n'
    assert warc['WARC-Block-Digest'] == sha1(head + b'<p>')
    assert http.statusline == '200 OK'
    assert http['Content-Length'] == '3'


def test_record_ids_follow_from_the_content(docs, out):
    write(docs, 'a.html', b'<p>')
    run(docs, '-o', out, '-q')
    url, date = 'http://file-tree/docs/a.html', '2001-09-09T01:46:40Z'
    expected = uuid.uuid5(uuid.NAMESPACE_URL, f'{url} {date} {sha1(b"<p>")}')
    (info, _), (page, _) = headers(out)
    assert page['WARC-Record-ID'] == f'<urn:uuid:{expected}>'
    before = {info['WARC-Record-ID'], page['WARC-Record-ID']}
    write(docs, 'a.html', b'<p>changed')
    run(docs, '-o', out, '-q', '--force')
    after = {warc['WARC-Record-ID'] for warc, _ in headers(out)}
    assert len(before | after) == 4


def test_each_archive_begins_with_a_warcinfo(docs, tmp_path, out):
    for name in ('a.html', 'b.html'):
        write(docs, name, b'x' * 100)
    run(docs, '-o', out, '--split', '100', '-q')
    infos = [headers(tmp_path / f'out-0000{n}.warc.gz')[0][0] for n in (0, 1)]
    assert [info['WARC-Type'] for info in infos] == 2 * ['warcinfo']
    assert [info['WARC-Date'] for info in infos] == 2 * ['2001-09-09T01:46:40Z']
    assert infos[0]['WARC-Record-ID'] != infos[1]['WARC-Record-ID']


def checked(path, capsys) -> str:
    """What `warcio check` prints. It finds no fault."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        warcio(['check', '-v', os.fspath(path)])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_warcio_accepts_it(docs, out, tmp_path, capsys):
    """Also the plain records, which end where their lengths say."""
    for name in ('a.html', 'b.txt', 'empty.html'):
        write(docs, name, b'' if name == 'empty.html' else b'<p>' + name.encode())
    run(docs, '-o', out, '-q')
    plain = tmp_path / 'plain.warc'
    plain.write_bytes(gzip.decompress(out.read_bytes()))
    for path in (out, plain):
        assert checked(path, capsys).count('digest pass') == 4


def test_each_record_is_a_member(docs, out):
    write(docs, 'a.html')
    write(docs, 'b.html')
    run(docs, '-o', out, '-q')
    with open(out, 'rb') as file:
        records = ArchiveIterator(file)
        offsets = [records.get_record_offset() for _ in records]
    for offset in offsets:
        assert gzip.decompress(out.read_bytes()[offset:]).startswith(b'WARC/1.0\r\n')
    assert len(set(offsets)) == 3


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


def test_gzipped_texts_are_unpacked(docs, out):
    write(docs, 'a.html.gz', gzip.compress(b'<p>a'))
    write(docs, 'b.txt.gz', gzip.compress(b'b'))
    write(docs, 'c.tar.gz', gzip.compress(b'not taken'))
    run(docs, '-o', out, '-q')
    assert read(out) == [
        ('http://file-tree/docs/a.html.gz', 'text/html', b'<p>a'),
        ('http://file-tree/docs/b.txt.gz', 'text/plain', b'b'),
    ]


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

    open_any = os.open

    def refuse(name, *args, **more):  # a test that runs as root may read all files
        if b'secret' in os.fsencode(name):
            raise PermissionError(13, 'Permission denied', name)
        return open_any(name, *args, **more)

    monkeypatch.setattr(files.os, 'open', refuse)
    assert run(docs, '-o', out, '-q') == DAMAGED
    assert capsys.readouterr().err.endswith(
        'secret.html: cannot be read, left out: Permission denied\n'
    )


def test_body_of_any_size(docs, out, capsys, monkeypatch):
    monkeypatch.setattr(files, 'MAX_BODY', 1000)
    write(docs, 'a.html', b'x' * 1000)
    write(docs, 'b.html', b'x' * 1001)
    write(docs, 'bomb.html.gz', gzip.compress(b'x' * 1001))
    assert run(docs, '-o', out, '-q') == DAMAGED
    assert urls(out) == ['http://file-tree/docs/a.html']
    assert capsys.readouterr().err.count('larger than 1000 bytes\n') == 2


def test_file_that_grows(docs, out, capsys, monkeypatch):
    """A record has the bytes that its digests are of."""
    write(docs, 'a.html', b'<p>one')

    def copy_and_append(blocks):
        body = copy(blocks)
        with open(docs / 'a.html', 'ab') as file:
            file.write(b'<p>two')
        return body

    copy = files.copy_blocks
    monkeypatch.setattr(files, 'copy_blocks', copy_and_append)
    assert run(docs, '-o', out, '-q') == DONE
    assert [body for _, _, body in read(out)] == [b'<p>one']
    assert checked(out, capsys).count('digest pass') == 2


@pytest.mark.parametrize('make', [os.mkfifo, lambda path: os.symlink('a.html', path)])
def test_file_that_became_something_else(docs, make):
    """A pipe would block, and a link may lead out of the folder."""
    write(docs, 'a.html')
    make(docs / 'b.html')
    with pytest.raises(files.Unreadable):
        files.open_file(os.fsencode(docs / 'b.html'))


MEASURE = """
import sys
from mr_reuse import pack
code = pack.main(sys.argv[1:])
status = open('/proc/self/status').read()  # of this program, not of what began it
print(code, int(status.partition('VmHWM:')[2].split()[0]) >> 10)
"""


@pytest.mark.slow
def test_memory_for_large_files(docs, out):
    write(docs, 'a.html.gz', gzip.compress(bytes(1 << 30), 1))
    with open(docs / 'b.html', 'wb') as file:
        file.truncate(1 << 30)
    with open(docs / 'c.html', 'wb') as file:
        file.truncate(1 << 40)
    line = [sys.executable, '-c', MEASURE, docs, '-o', out, '-q']
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    code, peak = map(int, done.stdout.split())
    assert code == DAMAGED and 'c.html: cannot be read' in done.stderr
    assert peak < 200
    assert len(headers(out)) == 3  # without the bodies, which fill the memory


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


def test_nothing_is_left_of_a_failed_run(docs, tmp_path, out, monkeypatch, capsys):
    write(docs, 'a.html')
    out.write_bytes(b'old')

    def full(*_):
        raise OSError(28, 'No space left on device', 'x')

    monkeypatch.setattr(WARCWriter, 'write_record', full)
    assert run(docs, '-o', out, '--force') == FAILED
    assert capsys.readouterr().err.startswith('error: x: no space left')
    assert sorted(os.listdir(tmp_path)) == ['docs', 'out.warc.gz']
    assert out.read_bytes() == b'old'


def test_full_disk_is_no_unreadable_file(docs, out, monkeypatch, capsys):
    write(docs, 'a.html')

    def full(*_):
        raise OSError(28, 'No space left on device', 'x')

    monkeypatch.setattr(files.SpooledTemporaryFile, 'write', full)
    assert run(docs, '-o', out) == FAILED
    assert capsys.readouterr().err.startswith('error: x: no space left')


@pytest.mark.apart
@pytest.mark.parametrize('signum', [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted(docs, tmp_path, out, signum):
    """No half archive has the final name."""
    write(docs, 'a.html')
    with open(docs / 'b.html', 'wb') as file:
        file.truncate(900 << 20)
    process = apart(sys.executable, '-m', 'mr_reuse.pack', docs, '-o', out)
    while not list(tmp_path.glob('.pack-*/out.warc.gz')):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signum)
    process.communicate()
    if signum == signal.SIGKILL:
        assert not out.exists()
    else:
        assert process.returncode == 130
        assert os.listdir(tmp_path) == ['docs']


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
        (
            [
                *['docs', '-o', 'x.warc.gz', '--hosts-from-folders'],
                *['--base-url', 'http://a.org/'],
            ],
            (USAGE, '--base-url: cannot be combined with --hosts-from-folders'),
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


# Mirrors, whose folders are named like hosts


def packed_urls(docs, out, *names, options=()):
    for name in names:
        write(docs, name)
    run(docs, '-o', out, '-q', '--hosts-from-folders', *options)
    return urls(out)


@pytest.mark.parametrize(
    ('name', 'url'),
    [
        ('a.org/x/index.html', 'http://a.org/x/index.html'),
        ('a.org/index.html?a=1&b=%20 c', 'http://a.org/index.html?a=1&b=%20%20c'),
        ('a.org/x?y=1/2.html', 'http://a.org/x?y=1/2.html'),
        ('A.Example.ORG/A.html', 'http://a.example.org/A.html'),
        ('a.org:8080/a.html', 'http://a.org:8080/a.html'),
        ('a.org+8080/a.html', 'http://a.org:8080/a.html'),
        ('localhost+80/a.html', 'http://localhost:80/a.html'),
        ('192.0.2.7/a.html', 'http://192.0.2.7/a.html'),
        ('[2001:db8::1]:81/a.html', 'http://[2001:db8::1]:81/a.html'),
        ('xn--bcher-kva.example/a', 'http://xn--bcher-kva.example/a'),
        ('b\u00fccher.example/\u00fc', 'http://xn--bcher-kva.example/%C3%BC'),
        ('a.org/%7Ejoe/50%.html', 'http://a.org/%7Ejoe/50%25.html'),
        ('a.org/~joe/a;b,c+d@e#f', 'http://a.org/~joe/a;b,c+d@e%23f'),
        (b'a.org/\xff\n', 'http://a.org/%FF%0A'),
    ],
)
def test_urls_of_a_mirror(docs, out, name, url):
    assert packed_urls(docs, out, name) == [url]


def test_what_is_in_no_host(docs, out, capsys):
    names = ['index.html', 'css/a.html', 'a..org/x.html', 'v1.2/x.html', '-/x.html']
    names += [
        'a.org:99999/x.html',
        'a.org:0/x.html',
        'a b.org/x.html',
        b'a\xff.org/x.html',
    ]
    names += [f'{"a" * 64}.org/x.html', '1.2.3.400/x.html', '[::g]/x.html']
    for name in ('a.org/x.html', *names):
        write(docs, name)
    assert run(docs, '-o', out, '--hosts-from-folders') == DONE
    assert urls(out) == ['http://a.org/x.html']
    assert capsys.readouterr().err.endswith(
        f'left out: {len(names)} not in a folder named like a host\n'
    )


def test_pages_of_a_mirror_are_told_by_their_bytes(docs, out):
    write(docs, 'a.org/page.php?id=1', b'<html><p>x')
    write(docs, 'a.org/feed', b'<?xml version="1.0"?><rss>')
    write(docs, 'a.org/logo.png', b'\x89PNG')
    write(docs, 'a.org/b.txt.gz', gzip.compress(b'text'))
    options = [docs, '-o', out, '-q', '--hosts-from-folders', '--force']
    run(*options)
    texts = [
        ('http://a.org/b.txt.gz', 'text/plain', b'text'),
        ('http://a.org/feed', 'application/rss+xml', b'<?xml version="1.0"?><rss>'),
        ('http://a.org/page.php?id=1', 'text/html', b'<html><p>x'),
    ]
    assert read(out) == texts
    run(*options, '--all')
    logo = 'http://a.org/logo.png', 'image/png', b'\x89PNG'
    assert sorted(read(out)) == sorted([*texts, logo])


def test_no_host_at_all(docs, out, capsys):
    write(docs, 'index.html')
    assert run(docs, '-o', out, '--hosts-from-folders') == FAILED
    assert capsys.readouterr().err == (
        f'error: {docs}: no HTML, XML or text files in a folder named like a host, '
        'such as a.org\n'
    )


def test_hosts_of_a_mirror_are_sites(docs, out, tmp_path):
    """`discover` compares the hosts; without the option they were one site."""
    copied = b'<p>' + b'long enough to be a chunk that counts ' * 5
    for number in range(12):
        body = b''.join(copied + b'%d' % n for n in range(12))
        write(docs, f'{"ab"[number % 2]}.org/{number}.html', body)
    run(docs, '-o', out, '-q', '--hosts-from-folders')
    done = discover(out, '-o', tmp_path / 'run', '-q')
    assert done.code == 0, done.err
    [_, row] = (tmp_path / 'run/pairs.tsv').read_text().splitlines()
    assert row.startswith('a.org\tb.org\t12\t')
