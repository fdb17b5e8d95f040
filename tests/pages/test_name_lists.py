"""Lists of names: what one from the web may name, and how much of one is held."""

import gzip
import itertools

import pytest
from crawls import write_warc
from webserver import Page, serving

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.pages import inputs
from mr_reuse.storage import text_files

PAGES = [('http://a.org/', b'<p>one')]
REFUSED = (
    'a list from the web names only files of the web and below --base-url; to use it, '
    'download it and name the copy'
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ('a.warc.gz', 'base/a.warc.gz'):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_warc(tmp_path / name, PAGES)
    return tmp_path


@pytest.fixture
def site(here):
    with serving() as made:
        page = Page((here / 'a.warc.gz').read_bytes())
        made.pages = {'/list/a.warc.gz': page, '/b.warc.gz': page}
        yield made


def named(site, *names, base_url=''):
    """The paths that the names in a list on the web stand for."""
    site.pages['/list/names'] = Page('\n'.join(names).encode())
    sources, _ = inputs.find_sources([f'{site.url}/list/names?v=/1'], base_url)
    return [source.path for source in sources]


def test_names_of_the_web(site):
    names = ['a.warc.gz', f'{site.url}/b.warc.gz']
    assert named(site, *names) == [f'{site.url}/list/a.warc.gz', names[1]]


def test_any_server(site, here):
    """Also one in the user's own network, and where a server redirects."""
    with serving() as other:
        other.pages = {'/moved': Page((here / 'a.warc.gz').read_bytes())}
        site.pages['/b.warc.gz'] = Page(
            answers=[(302, {'Location': f'{other.url}/moved'})] * 9
        )
        names = [f'{other.url}/moved', f'{site.url}/b.warc.gz']
        assert named(site, *names) == names
        with storage.open_read(names[1]) as stream:
            assert stream.read() == (here / 'a.warc.gz').read_bytes()


def test_below_the_base(site, here):
    assert named(site, 'a.warc.gz', base_url='base') == [f'{here}/base/a.warc.gz']
    assert named(site, f'file://{here}/a.warc.gz', base_url=f'file://{here}') == [
        f'{here}/a.warc.gz'
    ]
    assert named(site, 'b.warc.gz', base_url=site.url) == [f'{site.url}/b.warc.gz']


@pytest.mark.parametrize(
    ('name', 'base_url'),
    [
        ('/etc/hostname', ''),
        ('file:///etc/hostname', ''),
        ('FILE:///etc/hostname', 'base'),
        ('s3://bucket/a.warc.gz', ''),
        ('s3://bucket-of-mine/a.warc.gz', 's3://bucket'),
        ('hdfs:///a.warc.gz', 'https://a.org/'),
        ('../a.warc.gz', 'base'),
        ('x/../../a.warc.gz', 'base/'),
    ],
)
def test_names_of_other_places(site, name, base_url):
    with pytest.raises(UserError) as told:
        named(site, '#', name, base_url=base_url)
    assert str(told.value) == f'{site.url}/list/names?v=/1, line 2: {name}: {REFUSED}'


def test_own_list_names_anything(here):
    (here / 'list').write_text(f'../{here.name}/a.warc.gz\nfile://{here}/a.warc.gz\n')
    sources, _ = inputs.find_sources(['list'], 'base/..')
    assert [source.path for source in sources] == [f'{here}/a.warc.gz']


def test_lists_are_read_piece_by_piece(here, monkeypatch):
    """A list of a few kilobytes may unpack to gigabytes."""
    (here / 'list.gz').write_bytes(gzip.compress(b'a.warc.gz\n'))
    read = []

    def read_lines(name):
        for line in itertools.chain(
            [b'a.warc.gz\n'] * 10_000, itertools.repeat(b'gone')
        ):
            read.append(None)
            yield line

    monkeypatch.setattr(text_files, 'read_lines', read_lines)
    with pytest.raises(UserError, match='^list.gz, line 10001: gone: no such file'):
        inputs.find_sources(['list.gz'])
    assert len(read) < 12_000


def test_repeated_names_are_held_once(here):
    (here / 'list').write_text('a.warc.gz\n' * 5000)
    sources, repeated = inputs.find_sources(['list'])
    assert len(sources) == 1 and repeated == ['a.warc.gz']
