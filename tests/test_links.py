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
    said = 'no links: the run has no bad sites, so no page was read\n'
    assert run('links', out) == (0, said, '')
    assert table(out / 'links.tsv') == table(out / 'rings.tsv') == []


def test_not_detected(clones):
    out = clones / 'run'
    assert run('discover', clones / 'crawl.warc.gz', '-o', out, '-q').code == 0
    assert (
        run('links', out).err
        == f'error: {out}: has no result of detect; run detect on it first\n'
    )


def detected_in_two(clones):
    """A run on two archives: the pages of the ring, and those of the fan."""
    pages, out = [], clones / 'run'
    for n in range(2):
        links = [f'http://{1 - n}.com/', f'http://{2 if n else 0}.com/']
        text = ''.join(PARAGRAPHS[n * 30 : n * 30 + 30])
        pages.append((f'http://{n}.com/', page(text, *links)))
    write_warc(clones / 'a.warc.gz', pages[:1])
    write_warc(clones / 'b.warc.gz', pages[1:])
    honest = [('http://honest.org/', page('<p>Our own words ' * 30))]
    write_warc(clones / 'c.warc.gz', honest)
    names = [clones / f'{name}.warc.gz' for name in 'abc']
    line = ['--levels=site', '--neighborhood-threshold=0.5', '-o', out, '-q']
    assert run('detect', *names, '-l', clones / 'wiki.mrl', *line).code == 0
    return out, *names


def test_archives_gone_later(clones):
    """Tables with the links of archives that are missing now are kept."""
    out, a, b, c = detected_in_two(clones)
    assert run('links', out, '-q') == (0, '', '')
    before = {name: (out / name).read_bytes() for name in ('links.tsv', 'rings.tsv')}
    assert table(out / 'rings.tsv') == [['1', '2', '0.com/'], ['1', '2', '1.com/']]
    assert run('report', out, '-q').code == 0
    for name in (a, b, c):
        name.rename(f'{name}.away')
    done = run('links', out)
    why = f'{out}/links.tsv and rings.tsv stay as they were; put them back, or give '
    why += '--archives DIR if they were moved, and type '
    assert (done.code, done.out) == (3, '')
    assert done.err == (
        f'warning: 2 archives are missing: {a}, {b}; {why}the same command again\n'
    )
    assert {name: (out / name).read_bytes() for name in before} == before
    assert (out / 'report.html').exists() and not (out / 'links_unread.tsv').exists()


def test_archive_of_honest_sites_gone(clones):
    """Only archives with pages of bad sites are needed."""
    out, *_, c = detected_in_two(clones)
    c.rename(f'{c}.away')
    assert run('links', out, '-q') == (0, '', '')
    assert len(table(out / 'links.tsv')) == 2


def test_archives_gone_before(clones):
    """The tables have the links of the other archives, and the report says so."""
    out, a, b, _ = detected_in_two(clones)
    for name in (a, b):
        name.rename(f'{name}.away')
    assert run('links', out, '-q').code == 3
    assert table(out / 'links_unread.tsv') == [[str(a), '1'], [str(b), '1']]
    b.with_name(f'{b.name}.away').rename(b)
    done = run('links', out)
    why = 'links and rings of 1 page of bad sites are not in the tables; put it back, '
    why += 'or give --archives DIR if it was moved, '
    assert done.code == 3 and done.out.startswith('1 link from one bad site')
    assert done.err.splitlines()[-1] == (
        f'warning: 1 archive is missing: {a}; {why}and type the same command again'
    )
    assert table(out / 'links.tsv') == [['1.com/', '0.com/', '1', '1']]
    assert table(out / 'links_unread.tsv') == [[str(a), '1']]
    # The links that are there are not given up either.
    b.rename(f'{b}.away')
    assert run('links', out, '-q').code == 3
    assert table(out / 'links.tsv') == [['1.com/', '0.com/', '1', '1']]
    for name in (a, b):
        name.with_name(f'{name.name}.away').rename(name)
    assert run('links', out, '-q').code == 0
    assert len(table(out / 'rings.tsv')) == 2
    assert not (out / 'links_unread.tsv').exists()
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
