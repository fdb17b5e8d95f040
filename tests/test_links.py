"""Clones of known content, and the rings in which they link to each other."""

import pytest
from commands import run
from crawls import write_warc

PARAGRAPHS = [f'<p>Article {n}: ' + 'what is known of it. ' * 6 for n in range(60)]


def page(text: str, *links: str) -> bytes:
    anchors = ''.join(f'<a href="{link}">x</a>' for link in links)
    return f'<html><title>x</title>{text}<div>{anchors}</div>'.encode()


@pytest.fixture
def clones(tmp_path):
    """A ring of 13 mirrors, a fan that links into it, an honest wiki that quotes."""
    known = [(f'http://wiki.org/{n}', page(text)) for n, text in enumerate(PARAGRAPHS)]
    write_warc(tmp_path / 'wiki.warc.gz', known)
    documents = []
    for site in range(13):
        links = [f'http://mirror{(site + 1) % 13}.com/', '//mirror0.com/x', '/here']
        for n in range(0, 60, 10):
            text = ''.join(PARAGRAPHS[n : n + 10])
            documents.append((f'http://mirror{site}.com/{n}', page(text, *links)))
    for n in range(6):
        text = ''.join(PARAGRAPHS[n * 8 : n * 8 + 8])
        documents.append((f'http://fan.com/{n}', page(text, 'http://MIRROR3.com:80/')))
        own = ('<p>Our own words: ' + 'many of them ' * 10) * 30
        wiki = page(own + PARAGRAPHS[n], 'http://mirror1.com/', 'http://fan.com/')
        documents.append((f'http://honest.org/{n}', wiki))
    write_warc(tmp_path / 'crawl.warc.gz', documents)
    done = run(
        'labels', 'build', tmp_path / 'wiki.warc.gz', '-o', tmp_path / 'wiki.mrl'
    )
    assert done.code == 0
    return tmp_path


def table(path) -> list[list[str]]:
    return [line.split('\t') for line in path.read_text().splitlines()[1:]]


def test_clones(clones):
    """Ranked by what they have copied, the clones are on top; their ring is found."""
    out = clones / 'run'
    line = ['--levels=site', '--rank=bad', '--min-bad=40', '--top=40', '-o', out]
    done = run('detect', clones / 'crawl.warc.gz', '-l', clones / 'wiki.mrl', *line)
    assert done.code == 0
    bad = table(out / 'bad_neighborhoods.tsv')
    mirrors = sorted(f'mirror{n}.com/' for n in range(13))
    assert [row[0] for row in bad] == [*mirrors, 'fan.com/']
    assert [int(row[3]) for row in bad] == [60] * 13 + [48]
    done = run('links', out)
    assert done.out.startswith('25 links from one bad site to another, rings: 1\n')
    assert table(out / 'rings.tsv') == [['1', '13', mirror] for mirror in mirrors]
    links = table(out / 'links.tsv')
    assert ['fan.com/', 'mirror3.com/', '6', '6'] in links
    assert ['mirror12.com/', 'mirror0.com/', '12', '6'] in links
    assert not [row for row in links if 'honest.org/' in row]
    # Again, nothing is read again.
    assert '07-links: finished before' in run('links', out).err


def test_no_bad_sites(clones):
    out = clones / 'run'
    line = ['--neighborhood-threshold=1', '-o', out, '-q']
    assert (
        run('detect', clones / 'crawl.warc.gz', '-l', clones / 'wiki.mrl', *line).code
        == 0
    )
    assert run('links', out, '-q') == (0, '', '')
    assert table(out / 'links.tsv') == table(out / 'rings.tsv') == []


def test_not_detected(clones):
    out = clones / 'run'
    assert run('discover', clones / 'crawl.warc.gz', '-o', out, '-q').code == 0
    assert (
        run('links', out).err
        == f'error: {out}: has no result of detect; run detect on it first\n'
    )


def test_gone_archive(clones):
    """Pages that are gone have no links; that is said, and no lasting answer."""
    out = clones / 'run'
    line = ['--levels=site', '--neighborhood-threshold=0.5', '-o', out, '-q']
    assert (
        run('detect', clones / 'crawl.warc.gz', '-l', clones / 'wiki.mrl', *line).code
        == 0
    )
    name = clones / 'crawl.warc.gz'
    name.rename(clones / 'away')
    done = run('links', out, '-q')
    why = 'missing, so links of its pages are not counted'
    assert (done.code, done.err) == (0, f'warning: {name}: {why}\n')
    assert table(out / 'links.tsv') == []
    (clones / 'away').rename(name)
    assert run('links', out, '-q') == (0, '', '')
    assert len(table(out / 'links.tsv')) == 25
    # Other sites are bad now, so these links are not theirs.
    assert run('detect', '-o', out, '--neighborhood-threshold=1', '-q').code == 0
    assert not (out / 'links.tsv').exists()


def test_all_bad_sites(clones):
    """A list that is cut is a list for people; links are among all."""
    out = clones / 'run'
    line = ['--levels=site', '--neighborhood-threshold=0.5', '--top=1', '-o', out, '-q']
    assert (
        run('detect', clones / 'crawl.warc.gz', '-l', clones / 'wiki.mrl', *line).code
        == 0
    )
    assert len(table(out / 'bad_neighborhoods.tsv')) == 1
    assert run('links', out, '-q').code == 0
    assert len(table(out / 'links.tsv')) == 25
