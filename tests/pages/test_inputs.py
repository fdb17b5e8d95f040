"""From what is typed to what is read: archives, folders, globs, lists."""

import functools
import gzip
import io
import os
import random
import tarfile
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from commands import discover, run
from crawls import write_arc, write_warc

from mr_reuse.archives.urls import url_host
from mr_reuse.errors import UserError
from mr_reuse.pages import inputs

PAGES = [('http://a.org/', b'<p>one'), ('http://b.org/', b'<p>two')]
NO_NAME = 'no such file or folder; a text file is read as a list of names'
HTML = b'<html><p>one'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*names, **options) -> list[tuple[str, str, str]]:
    """What some names stand for: kind, name, URL."""
    return [(s.kind, s.name, s.url) for s in inputs.find_sources(names, **options)[0]]


def refusal(*names, **options) -> str:
    with pytest.raises(UserError) as error:
        inputs.find_sources(names, **options)
    return str(error.value)


# Kinds, by the bytes


def test_archive_by_bytes(here):
    write_warc(here / 'a.html', PAGES)
    write_arc(here / 'notes.txt', PAGES)
    assert found('a.html', 'notes.txt') == [
        ('archive', 'a.html', ''),
        ('archive', 'notes.txt', ''),
    ]


def test_archive_by_name(here):
    """A name that promises an archive makes anything else damage, not a page."""
    for name in ('a.warc', 'b.ARC.gz', 'c.wet'):
        (here / name).write_bytes(HTML)
        assert found(name) == [('archive', name, '')]


@pytest.mark.parametrize('body', [HTML, b' \n<p>', b'<?xml?>'])
def test_page_by_name(here, body):
    (here / 'a page.txt').write_bytes(body)
    assert found('a page.txt') == [('page', 'a page.txt', 'a%20page.txt')]


@pytest.mark.parametrize(
    'body', [bytes(range(256)), b'%PDF-1.4\nx', b'\x89PNG\r\n', gzip.compress(b'\0\1')]
)
def test_binary_by_name(here, body):
    (here / 'x.html').write_bytes(body)
    assert refusal('x.html') == (
        'x.html: this file is not an archive, a page or a list of names'
    )


def test_packed_page_by_name(here):
    (here / 'x.html.gz').write_bytes(gzip.compress(HTML))
    assert found('x.html.gz') == [('packed page', 'x.html.gz', 'x.html.gz')]
    assert found('.')[0][0] == 'packed page'


def test_names_that_look_alike(here):
    """A byte that is no UTF-8 is escaped in tables, and may look like another name."""
    for name in (b'a\xff.warc', b'a%FF.warc'):
        (here / os.fsdecode(name)).write_bytes(HTML)
    assert (
        refusal('.')
        == './a%FF.warc: two inputs would have this name in tables; rename one'
    )


def test_pages_beside_archives(here, capsys):
    for name in ('a.warc', 'key.tsv', 'notes.txt'):
        (here / name).write_bytes(HTML)
    assert len(found('.')) == 3
    warning = 'warning: ./key.tsv and 1 more: not archives, but read as pages, since'
    remedy = 'the folder is an input; to leave them out, name only the archives'
    assert capsys.readouterr().err == f'{warning} {remedy}\n'


def test_empty_by_name(here):
    (here / 'x.html').touch()
    assert refusal('x.html') == 'x.html: this file is empty'


# Folders


def test_folder(here):
    (here / 'site/docs').mkdir(parents=True)
    write_warc(here / 'site/docs/x.html', PAGES)
    (here / 'site/robots.txt').write_bytes(b'User-agent: *')
    (here / 'site/docs/a.html').write_bytes(HTML)
    expected = [
        ('page', 'site/robots.txt', 'site/robots.txt'),
        ('page', 'site/docs/a.html', 'site/docs/a.html'),
        ('archive', 'site/docs/x.html', ''),
    ]
    assert found('site') == expected
    assert found(str(here / 'site'))[1][2] == 'site/docs/a.html'
    assert found('site/docs/..')[0][2] == 'site/robots.txt'


@pytest.mark.parametrize(
    ('typed', 'url', 'host'),
    [
        ('mirrors', 'mirrors/a.org/x/1.html', 'mirrors'),
        ('mirrors/a.org', 'a.org/x/1.html', 'a.org'),
        ('mirrors/*', 'a.org/x/1.html', 'a.org'),
        ('mirrors/a.org/x/1.html', '1.html', ''),
    ],
)
def test_host_of_a_page_in_a_folder(here, typed, url, host):
    (here / 'mirrors/a.org/x').mkdir(parents=True)
    (here / 'mirrors/a.org/x/1.html').write_bytes(HTML)
    assert found(typed) == [('page', 'mirrors/a.org/x/1.html', url)]
    assert url_host(url) == host


def tar_gz() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode='w:gz') as tar:
        info = tarfile.TarInfo('notes.txt')
        info.size = 4
        tar.addfile(info, io.BytesIO(b'text'))
    return file.getvalue()


def test_gzipped_files_in_folder(here):
    """A gzipped text is a page like a plain one; anything else stays a file."""
    texts = {
        'a.css.gz': b'p { color: red }',
        'b.js.gz': b'var x = 1;',
        'c.txt.gz': b'a.warc.gz\n',
        'd': b'{"no": "suffix"}',
        'e.txt.gz': 'umlaut \xe4'.encode('utf-16'),
    }
    (here / 'site').mkdir()
    for name, text in texts.items():
        (here / 'site' / name).write_bytes(gzip.compress(text))
    (here / 'site/f.tar.gz').write_bytes(tar_gz())
    (here / 'site/g.pdf.gz').write_bytes(gzip.compress(b'%PDF-1.4 text'))
    kinds = {name.removeprefix('site/'): kind for kind, name, _ in found('site')}
    assert kinds == {
        **dict.fromkeys(texts, 'packed page'),
        **dict.fromkeys(['f.tar.gz', 'g.pdf.gz'], 'page'),
    }


def test_gzipped_text_is_read_like_a_plain_one(here):
    """The tables have the same rows, and `show` prints the text."""
    texts = {'a.txt': b'one<p>two', 'b.js': b'x = 1;<p>two', 'c.css': b'p { top: 0 }'}
    for folder, suffix, pack in ('plain', '', bytes), ('packed', '.gz', gzip.compress):
        (here / folder / 'site').mkdir(parents=True)
        for name, text in texts.items():
            (here / folder / 'site' / f'{name}{suffix}').write_bytes(pack(text))
        options = '--threshold=1', '--min-len=0', '--captures=all'
        done = discover(here / folder / 'site', '-o', here / f'run-{folder}', *options)
        assert done.code == 0, done.err
    for table in ('labels.tsv', 'file_labels.tsv', 'frequency.tsv'):
        plain, packed = (here / f'run-{f}' / table for f in ('plain', 'packed'))
        assert packed.read_text().replace('.js.gz', '.js') == plain.read_text()
    labels = (here / 'run-packed/labels.tsv').read_text()
    assert '\t2\t2\t1\tsite/b.js.gz\t<p>two\n' in labels
    rid = f'{here}/packed/site/b.js.gz:0'
    assert run('show', here / 'run-packed', rid).out.endswith('x = 1;<p>two')


def test_folder_like_archive(here):
    (here / 'x.warc.gz').mkdir()
    assert refusal('x.warc.gz') == (
        'x.warc.gz: no files in this folder; name one with archives or pages'
    )
    (here / 'x.warc.gz/a.html').write_bytes(HTML)
    assert found('x.warc.gz') == [('page', 'x.warc.gz/a.html', 'x.warc.gz/a.html')]


def test_links(here):
    """Links are followed, round in circles once; what they lead to is read once."""
    (here / 'site/a').mkdir(parents=True)
    (here / 'elsewhere').mkdir()
    (here / 'elsewhere/e.html').write_bytes(HTML)
    (here / 'site/a/a.html').write_bytes(HTML)
    (here / 'site/a/loop').symlink_to(here / 'site')
    (here / 'site/b').symlink_to(here / 'site/a')
    (here / 'site/c').symlink_to(here / 'elsewhere')
    assert [name for _, name, _ in found('site')] == ['site/a/a.html', 'site/c/e.html']


def test_not_files_in_folder(here, capsys):
    (here / 'site').mkdir()
    (here / 'site/a.html').write_bytes(HTML)
    os.mkfifo(here / 'site/pipe')
    (here / 'site/lost.warc.gz').symlink_to('nowhere')
    assert [name for _, name, _ in found('site')] == ['site/a.html']
    assert capsys.readouterr().err == (
        'warning: site/lost.warc.gz: not a file, left out\n'
        'warning: site/pipe: not a file, left out\n'
    )


def test_run_in_folder(here):
    """What a run left in the folder of its inputs is no input."""
    (here / 'site/run/01-pages').mkdir(parents=True)
    (here / 'site/a.html').write_bytes(HTML)
    (here / 'site/run/labels.tsv').write_bytes(b'hash')
    assert [name for _, name, _ in found('site', run='site/run')] == ['site/a.html']
    why = 'this input lies in the folder for results; give another -o'
    for name in ('site/run/labels.tsv', 'site/run/*.tsv'):
        (here / 'site/run/labels.tsv').write_bytes(HTML)
        assert refusal(name, run='site/run') == f'site/run/labels.tsv: {why}'


def test_many_pages(here):
    for number in range(50):
        (here / f'site/{number}').mkdir(parents=True)
        for page in range(100):
            (here / f'site/{number}/{page}.html').write_bytes(HTML)
    began = time.monotonic()
    assert len(found('site')) == 5000
    assert time.monotonic() - began < 5


# Names


def test_globs(here):
    (here / 'x/y').mkdir(parents=True)
    for name in ('b.html', 'a.html', 'x/y/c.html', '[1].html'):
        (here / name).write_bytes(HTML)
    assert [name for _, name, _ in found('[ab].html')] == ['a.html', 'b.html']
    assert [name for _, name, _ in found('[1].html')] == ['[1].html']
    assert len(found('**/*.html')) == 4
    assert refusal('*.warc') == '*.warc: matches no file or folder; check the path'


@pytest.mark.parametrize('name', [b' a b ', b'a\nb\tc', b'x:1', b'\xff\xc3', b'%41'])
def test_odd_names(here, name):
    name = os.fsdecode(name) + '.warc'
    write_warc(here / 'x', PAGES)
    (here / 'x').rename(here / name)
    [[source], _] = inputs.find_sources([name])
    assert source.path == str(here / name)
    assert source.name == inputs.encode_name(name)
    assert source.name.encode() and source.name.splitlines() == [source.name]


def test_same_name_twice(here):
    (here / 'a.html').write_bytes(HTML)
    (here / 'link').symlink_to('a.html')
    sources, again = inputs.find_sources(
        ['a.html', './a.html', 'link', str(here / 'a.html')]
    )
    assert [s.name for s in sources] == ['a.html']
    assert again == ['./a.html', 'link', str(here / 'a.html')]


def test_unknown_scheme():
    name = 'ftp://x.org/a.warc.gz'
    assert refusal(name) == f'{name}: ftp:// is not supported; use hdfs, s3 or https'


def test_file_scheme(here):
    (here / 'a.html').write_bytes(HTML)
    assert found(f'file://{here}/a.html')[0][0] == 'page'


# Lists


def listed(here, *names) -> str:
    (here / 'list').write_bytes(b''.join(n.encode() + b'\n' for n in names))
    return 'list'


def test_list(here):
    (here / 'sub').mkdir()
    (here / 'a.html').write_bytes(HTML)
    write_warc(here / 'sub/b.warc.gz', PAGES)
    (here / 'sub/list').write_text('# a comment\n\n a.html \r\nb.warc.gz\n')
    assert [name for _, name, _ in found('sub/list')] == ['a.html', 'sub/b.warc.gz']


def test_packed_list(here):
    """All members of a gzipped list count, as Common Crawl's are joined."""
    for name in ('a.html', 'b.html', 'c.html'):
        (here / name).write_bytes(HTML)
    members = [b'a.html\nb.ht', b'ml\n', b'c.html\n']
    (here / 'warc.paths.gz').write_bytes(b''.join(map(gzip.compress, members)))
    assert len(found('warc.paths.gz')) == 3


def test_base_url(here):
    (here / 'crawl/data').mkdir(parents=True)
    write_warc(here / 'crawl/data/a.warc.gz', PAGES)
    name = listed(here, 'data/a.warc.gz')
    for base in ('crawl', 'crawl/', f'file://{here}/crawl/'):
        [(kind, typed, _)] = found(name, base_url=base)
        assert kind == 'archive'
        assert typed == f'{base.rstrip("/")}/data/a.warc.gz'


@pytest.fixture
def site(here):
    """A web server for what is here; which paths were asked for, and how."""
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append((self.command, self.path))

    handler = functools.partial(Handler, directory=here)
    with ThreadingHTTPServer(('127.0.0.1', 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f'http://127.0.0.1:{server.server_port}', asked
        server.shutdown()


def test_list_of_names_on_the_web(here, site):
    """What is on a server is asked for its size; what is not there is told."""
    address, asked = site
    write_warc(here / 'a.warc.gz', PAGES)
    [source], _ = inputs.find_sources([listed(here, 'a.warc.gz')], address)
    assert source.name == source.path == f'{address}/a.warc.gz'
    assert source.size == (here / 'a.warc.gz').stat().st_size
    assert asked == [('HEAD', '/a.warc.gz')]
    why = f'{address}/b.warc.gz: {NO_NAME}'
    said = refusal(listed(here, 'b.warc.gz'), base_url=address)
    assert said == f'list, line 1: {why}'


def test_long_list_of_names_on_the_web(here, site):
    """Common Crawl lists 90,000 archives: nobody asks for all of them."""
    address, asked = site
    names = [f'{number}.warc.gz' for number in range(300)]
    sources, _ = inputs.find_sources([listed(here, *names)], address)
    assert [one.name for one in sources] == [f'{address}/{name}' for name in names]
    assert {one.kind for one in sources} == {'archive'}
    assert not asked


def test_lists_in_a_list(here):
    name = listed(here, 'list')
    assert refusal(name) == 'list, line 1: list: this list is named in another list'
    (here / 'other').write_text('a.html\n')
    name = listed(here, '#', 'other')
    assert refusal(name) == 'list, line 2: other: this list is named in another list'


def test_bad_lists(here):
    assert refusal(listed(here, '# nothing', '')) == 'list: this list names nothing'
    assert refusal(listed(here, 'gone')) == f'list, line 1: gone: {NO_NAME}'
    packed = gzip.compress(random.Random(1).randbytes(2000).hex().encode())
    (here / 'cut.gz').write_bytes(packed[:-40])
    assert refusal('cut.gz').startswith('cut.gz: this gzip file is damaged: ')
