"""SiteLinks alone: pages to read in, links among bad sites out."""

import pytest
from crawls import write_warc
from lone_jobs import name_digest, run_job

from mr_reuse.chunks.jobs.site_links import SiteLinks

URLS = ['http://a.org/1', 'http://a.org/2', 'http://b.org/']
BODIES = [
    b'<a href="http://b.org/x">x</a><img src="//B.org:80/y"><a href="/here">z</a>',
    b'<a href=http://b.org>x<a href=http://a.org/1>y<a href=http://good.org/>z',
    b'<a href="https://www.c.com/">x<!-- <a href="http://a.org/">y --><p',
]


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / 'a.warc.gz'
    pages = write_warc(path, zip(URLS, BODIES, strict=True))
    return [f'{path}:{page.offset}\t{page.url}'.encode() for page in pages]


@pytest.fixture
def bad(tmp_path):
    """The list of the bad sites."""
    sites = map(name_digest, ['a.org/', 'b.org/', 'www.c.com/'])
    (tmp_path / 'bad').write_bytes(b''.join(sorted(sites)))
    return tmp_path / 'bad'


def test_no_pages(bad):
    assert run_job(SiteLinks, [], bad=bad) == []


def test_links(lines, bad):
    """Links and pages of each pair, without links in comments and to other sites."""
    assert sorted(run_job(SiteLinks, lines, bad=bad)) == [
        b'a.org/\tb.org/\t3\t2',
        b'b.org/\twww.c.com/\t1\t1',
    ]


def test_changed_archive(lines, bad, tmp_path):
    """Where no record begins, and in an archive that is gone, there is no page."""
    moved = [line.replace(b'\t', b'1\t') for line in lines[:1]]
    assert run_job(SiteLinks, [*moved, lines[2]], bad=bad) == [
        b'b.org/\twww.c.com/\t1\t1'
    ]
    (tmp_path / 'a.warc.gz').unlink()
    assert run_job(SiteLinks, lines, bad=bad) == []


@pytest.mark.parametrize(
    'damage',
    [
        lambda line: b'',
        lambda line: line[:5],
        lambda line: line.partition(b'\t')[0],
        lambda line: line.replace(b'http://a.org/1', b'http://a.o'),
        lambda line: line.replace(b'\thttp://', b'\tttp//'),
        lambda line: line.replace(b'gz:', b'gz:x'),
    ],
    ids='empty path URL site scheme offset'.split(),
)
def test_damaged_line(lines, bad, damage):
    with pytest.raises(ValueError):
        run_job(SiteLinks, [damage(lines[0])], bad=bad)


def test_damaged_list_of_bad_sites(lines, bad):
    bad.write_bytes(bad.read_bytes()[:-1])
    with pytest.raises(ValueError, match='bad: cut: 47 bytes'):
        run_job(SiteLinks, lines, bad=bad)
    bad.unlink()
    with pytest.raises(OSError, match='bad'):
        run_job(SiteLinks, lines, bad=bad)
