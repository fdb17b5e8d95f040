"""Odd and hostile pages: each is read, counted and bounded."""

import json
import random
from types import SimpleNamespace

import pytest
from commands import run
from quilt_crawls import Draft, write_archives, write_record
from reference_quilts import Corpus, Options

from mr_reuse.pages.documents.reading import ItemWords

TABLES = ['quilts.tsv', 'quilt_sources.tsv', 'quilt_shares.tsv', 'quilt_sites.tsv']


def quilts(folder, names, *options) -> dict:
    """Run the command; the counts of stats.json."""
    line = ['-q', '-r', 'inline', '-o', folder / 'run', '--force']
    assert run('quilts', *names, *options, *line) == (0, '', '')
    return json.loads((folder / 'run/stats.json').read_text())['quilts']


def tables_in(folder) -> dict[str, bytes]:
    return {name: (folder / 'run' / name).read_bytes() for name in TABLES}


def write_bodies(folder, bodies, charset='') -> list[str]:
    """An archive of pages with these bodies."""
    media = 'text/html' + (f'; charset={charset}' if charset else '')
    drafts = [Draft(f'http://h{n}.org/', '', media=media) for n in range(len(bodies))]
    records = map(write_record, drafts, bodies)
    path = folder / 'bodies.warc'
    path.write_bytes(b''.join(records))
    return [str(path)]


def words(count: int, letter: str = 'w') -> list[str]:
    return [f'{letter}{n}' for n in range(count)]


def test_few_words(tmp_path):
    """Pages with fewer than k words have no grams; those without are counted."""
    drafts = [Draft(f'http://h{n}.org/', words(n)) for n in (0, 1, 4, 5, 5)]
    names, pages = write_archives(tmp_path, [drafts[:4], drafts[4:]])
    counts = quilts(tmp_path, names, '--c=1', '--captures=all')
    found = [counts[name] for name in ('documents', 'wordless', 'with_grams', 'words')]
    assert found == [5, 1, 2, 15]
    assert tables_in(tmp_path) == Corpus(pages, Options(c=1, captures='all')).tables()


def test_one_page(tmp_path):
    names, pages = write_archives(tmp_path, [[Draft('http://a.org/', words(50))]])
    assert quilts(tmp_path, names)['documents'] == 1
    assert tables_in(tmp_path) == Corpus(pages, Options()).tables()


def test_no_page(tmp_path):
    drafts = [Draft('http://a.org/', words(50), media='text/plain')]
    names, _ = write_archives(tmp_path, [drafts])
    done = run('quilts', *names, '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 0
    assert done.err.startswith('warning: no documents in the input: its pages are ')
    empty = [table.count(b'\n') for table in tables_in(tmp_path).values()]
    assert empty == [1, 1, 1, 1]


@pytest.mark.slow
def test_one_word_many_times(tmp_path):
    """Twice: in more words than are held in memory together."""
    drafts = [Draft(f'http://h{n}.org/', ['w'] * 1_000_000) for n in range(2)]
    names, _ = write_archives(tmp_path, [drafts])
    counts = quilts(tmp_path, names, '--c=1')
    assert (counts['words'], counts['grams'], counts['quilts']) == (2_000_000, 2, 2)


def test_one_long_word(tmp_path):
    """And text without spaces: a word, and many words of a script without spaces."""
    bodies = [
        b'<html>a b c d ' + b'x' * 5_000_000,
        '<html>語'.encode() + '語'.encode() * 999,
    ]
    counts = quilts(tmp_path, write_bodies(tmp_path, bodies))
    assert (counts['words'], counts['grams']) == (1005, 2)


@pytest.mark.parametrize(
    'opening', [b'<!-- x', b'<script>x', b'<a href="x', b'<title>x', b'<' * 99]
)
def test_unclosed(tmp_path, opening):
    """A page is read to its end, and the next one is sound."""
    text = ' '.join(words(9)).encode()
    bodies = [b'<html>' + text + b' ' + opening, b'<html>' + text]
    counts = quilts(tmp_path, write_bodies(tmp_path, bodies), '--c=1', '--alpha=0.3')
    assert (counts['documents'], counts['quilts']) == (2, 2)


@pytest.mark.slow
def test_nested_tags(tmp_path):
    text = ' '.join(words(9)).encode()
    bodies = [b'<html>' + text + b'<i>' * 1_000_000, b'<html>' + text]
    assert quilts(tmp_path, write_bodies(tmp_path, bodies), '--c=1')['quilts'] == 2


@pytest.mark.parametrize('charset', ['', 'utf-8', 'iso-8859-1', 'no-such', 'shift_jis'])
def test_charsets(tmp_path, charset):
    """Words that are declared wrong are words; equal bytes stay equal."""
    text = 'ä ö ü ß é a b c'.encode() + b' \xff\xfe \xc3( x'
    counts = quilts(
        tmp_path, write_bodies(tmp_path, [b'<html>' + text] * 2, charset), '--c=1'
    )
    assert (counts['documents'], counts['quilts']) == (2, 2)


@pytest.mark.slow
def test_many_copies(tmp_path):
    """Their grams are in too many documents, which is known before they are sorted."""
    drafts = [Draft(f'http://h.org/{n}', words(30)) for n in range(10_000)]
    names, _ = write_archives(tmp_path, [drafts[::2], drafts[1::2]], gzipped=False)
    counts = quilts(tmp_path, names)
    found = [counts[name] for name in ('documents', 'grams', 'distinct', 'shared')]
    assert found == [10_000, 260_000, 26, 0]
    shares = (tmp_path / 'run/quilt_shares.tsv').read_text()
    assert shares == 'percent\tpages\n0\t10000\n'


@pytest.mark.slow
def test_large_quilt(tmp_path):
    """A page of 80,000 patch grams from 2,000 sources."""
    pieces = [[f's{n}w{i}' for i in range(44)] for n in range(2000)]
    drafts = [Draft('http://q.org/', [word for piece in pieces for word in piece])]
    drafts += [Draft(f'http://h{n}.org/', piece) for n, piece in enumerate(pieces)]
    names, _ = write_archives(tmp_path, [drafts])
    assert quilts(tmp_path, names)['quilts'] == 1
    [row] = (tmp_path / 'run/quilts.tsv').read_text().splitlines()[1:]
    grams = 44 * 2000 - 4
    share = f'{80_000 / grams:.9f}'
    assert row.split('\t')[2:] == ['88000', str(grams), '80000', share, '2000']


@pytest.mark.slow
@pytest.mark.parametrize('filler', [b'<' * (20 << 20), b'<p>' * (6 << 20)])
def test_large_bodies(tmp_path, filler):
    """A body that is too large to hold is read in pieces, each time."""
    text = ' '.join(words(40)).encode()
    half = ' '.join(words(20)).encode()
    bodies = [b'<html>' + text + b' ' + filler, b'<html>' + half, b'<html>' + text]
    names = write_bodies(tmp_path, bodies)
    quilts(tmp_path, names, '--c=1', '--m=3')
    rows = (tmp_path / 'run/quilts.tsv').read_text().splitlines()[1:]
    urls = sorted(row.split('\t')[1] for row in rows)
    assert urls == ['http://h0.org/', 'http://h1.org/', 'http://h2.org/']


def test_large_pages(tmp_path, monkeypatch):
    """Pages above the bounds of memory give the same tables."""
    dice = random.Random(3)
    text = dice.choices(words(400), k=3000)
    drafts = [
        Draft(f'http://h{n}.org/', text[start : start + 900])
        for n, start in enumerate(range(0, 2000, 150))
    ]
    names, pages = write_archives(tmp_path, [drafts[:7], drafts[7:]])
    options = Options(k=3, m=6, c=2)
    line = ['--k=3', '--m=6', '--c=2']
    expected = Corpus(pages, options).tables()
    assert expected['quilts.tsv'].count(b'\n') > 3
    quilts(tmp_path, names, *line)
    assert tables_in(tmp_path) == expected
    for module, name, bound in (
        ('archives.framing', 'SMALL', 3000),
        ('archives.items', 'SMALL', 3000),
        ('text.page_words', 'PIECE', 700),
        ('quilts.grams.collecting', 'MAX_WORDS', 1500),
        ('quilts.grams.gram_table', 'BOUND', 500),
        ('quilts.lists', 'ROUND', 200),
        ('quilts.lists.split_large', '__defaults__', (3,)),
        ('quilts.shares', 'BATCH', 100),
        ('quilts.shares', 'MAX_TEXTS', 300),
        ('quilts.finding', 'BATCH', 100),
        ('shuffle.ragged', 'MAX_BYTES', 2000),
    ):
        monkeypatch.setattr(f'mr_reuse.{module}.{name}', bound)
        out = tmp_path / f'{module}-{name}'  # a run that has no finished steps
        quilts(out, names, *line)
        assert tables_in(out) == expected, name
    read = ItemWords.__init__

    def read_large(self, item, body, *others):
        """The pieces of a page, as if it did not fit into memory."""
        item.size = len(body)
        pieces = [body[at : at + 100] for at in range(0, len(body), 100)]
        large = SimpleNamespace(charset=item.charset, pieces=pieces, size=0)
        read(self, large, None, *others)

    monkeypatch.setattr(ItemWords, '__init__', read_large)
    quilts(tmp_path / 'large', names, *line)
    assert tables_in(tmp_path / 'large') == expected
