"""What is shown of a revisit is the content of its target, and said to be that."""

import pytest
from commands import run
from crawls import digest_of
from lxml import html
from revisit_crawls import response, revisit, write

from mr_reuse.chunks.detect.matching import Match
from mr_reuse.engine.record import load_complete
from mr_reuse.review.page_reader import Reader

LINKS = b'<a href="http://source.org/x"><a href="http://b.org/">'
BODY = b'<p>' + LINKS + b'<p class="%b">some text' % (b'x' * 90)
CHUNK = BODY[len(LINKS) + 3 :]
SOURCE, SHORT = 'http://source.org/long', 'http://b.org/'


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """A run, and the rids of its page, of a revisit, and of one without a target.

    The revisit has the shorter URL, so it is the example of all labels.
    """
    folder = tmp_path_factory.mktemp('shown')
    records = [
        response(SOURCE, BODY, 1, id='urn:1'),
        revisit(SHORT, 2, refers_to='urn:1'),
        revisit(SHORT + 'lost', 3, refers_to='urn:9'),
    ]
    placed = write(folder / 'a.warc.gz', records)
    line = ['--threshold=1', '--min-len=0', '-q', '-o', folder / 'run']
    assert run('discover', folder / 'a.warc.gz', *line).code == 0
    line = ['-q', '--neighborhood-threshold=0', '-o', folder / 'run']
    assert run('detect', *line).code == 0
    return folder / 'run', [f'{r.page.archive}:{r.page.offset}' for r in placed]


def test_page(crawl):
    folder, (page, rid, _) = crawl
    shown = run('show', folder, rid)
    assert shown.out == BODY.decode()
    assert f'{SHORT}  2020-01-01T00:00:02Z  {rid}\n' in shown.err
    about = f'a revisit, with the content of {SOURCE}  2020-01-01T00:00:01Z  {page}\n'
    assert about in shown.err
    assert 'revisit' not in run('show', folder, page).err


def test_without_target(crawl):
    folder, (*_, lost) = crawl
    done = run('show', folder, lost)
    message = f'error: {lost}: a revisit of a record that is not in the crawl; '
    assert done.code == 1 and done.err.startswith(message)


@pytest.mark.parametrize('body', [CHUNK, BODY])
def test_hash(crawl, body):
    folder, (page, *_) = crawl
    shown = run('show', folder, digest_of(body))
    assert shown.out == body.decode()
    about = f'from {SHORT}, a revisit of {SOURCE}  2020-01-01T00:00:01Z  {page}\n'
    assert about in shown.err


def test_where(crawl):
    folder, (page, rid, _) = crawl
    rows = run('show', folder, digest_of(CHUNK), '--where').out.splitlines()[1:]
    assert [row.split('\t')[2:] for row in rows] == [[SOURCE, page], [SHORT, rid]]


def test_previews(crawl):
    """Of the table, and of texts behind mark-up that is longer than a preview."""
    folder, _ = crawl
    for name in ('labels', 'label_counts'):
        rows = (folder / f'{name}.tsv').read_text().splitlines()[1:]
        cells = {row.split('\t')[0]: row.split('\t')[5:] for row in rows}
        assert cells[digest_of(CHUNK)] == [SHORT, CHUNK[:80].decode()]
    assert 'some text' in run('show', folder, SHORT).out
    assert 'some text' in run('show', folder, 'b.org/').out


def test_links(crawl):
    folder, _ = crawl
    assert run('links', folder).code == 0
    rows = (folder / 'links.tsv').read_text().splitlines()[1:]
    expected = ['b.org/\tsource.org/\t1\t1', 'source.org/\tb.org/\t1\t1']
    assert sorted(rows) == expected


def test_review(crawl):
    folder, (_, rid, lost) = crawl
    reader = Reader(load_complete(str(folder)))
    labels = [bytes.fromhex(digest_of(CHUNK))]
    page = Match(rid.encode(), SHORT.encode(), b'', 2, 2, b'')
    found = reader.page(page, labels)
    assert not found['gone'] and any('some text' in str(p) for p in found['parts'])
    gone = reader.page(page._replace(rid=lost.encode()), labels)['gone']
    assert 'no page begins at this offset' in gone


def test_report(crawl):
    folder, _ = crawl
    assert run('report', folder).code == 0
    text = html.parse(str(folder / 'report.html')).getroot().text_content()
    counted = '1 revisit counts with the content of the record to which it refers'
    assert counted in ' '.join(text.split())
    lost = '1 revisit refers to a record that is not in the crawl, so it does not count'
    assert lost in ' '.join(text.split())


def test_run_elsewhere(crawl, tmp_path):
    """`detect` in another folder, and `compare`, know the revisits of a run."""
    folder, (_, rid, _) = crawl
    line = ['-l', folder, '-q', '-o', tmp_path / 'other']
    assert run('detect', folder, *line).code == 0
    names = [name for name in ('pages.tsv', 'neighborhoods.tsv', 'label_counts.tsv')]
    for name in names:
        assert (tmp_path / 'other' / name).read_bytes() == (folder / name).read_bytes()
    assert run('show', tmp_path / 'other', rid).out == BODY.decode()
    line = [folder, folder, '-o', tmp_path / 'changes']
    assert run('compare', *line).code == 0
