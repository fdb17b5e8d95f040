"""`show` of a page by its phrases, compared with the reference."""

import re
import shutil

import pytest
from commands import run
from phrase_show_runs import (
    CHAIN,
    HOSTILE,
    LINKS,
    WORDS,
    chain,
    make_phrases,
    marked_words,
    resemblance,
    stitched,
    words,
)
from quilt_crawls import Draft
from quilt_runs import rows
from shown import refused, shown

from mr_reuse.engine.record import load_record
from mr_reuse.pages.documents.showing.terminal import Style
from mr_reuse.phrases.showing import classes, page_view

ESCAPE = re.compile(r'\x1b\[[\d;]*m')
LAST = CHAIN.format(LINKS - 1)


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_phrases(tmp_path_factory.mktemp('made'))


def three(both: int, either: int) -> str:
    return f'{1000 * both // either / 1000:.3f}'


def after(lines: list[str], start: str) -> list[str]:
    """The lines behind the one that starts so."""
    [at] = [n for n, line in enumerate(lines) if line.startswith(start)]
    return lines[at + 1 :]


def indented(lines: list[str]) -> list[str]:
    """The first lines that are indented."""
    end = next((n for n, line in enumerate(lines) if line[:2] != '  '), len(lines))
    return lines[:end]


def test_documents_that_are_kept(made):
    """All lines of the stitched pages, of which each has popular phrases."""
    folder, corpus = made
    pages = [page for page in corpus.kept if 'stitched' in page.url]
    assert len(pages) == len(stitched())
    for page in pages:
        popular = len(corpus.positions[page.rid])
        assert popular
        head, about, *rest = shown(folder, page.url)
        assert head == f'{page.url}  {page.date}  {page.rid}'
        assert about == (
            f'kept: {popular} of its 84 shingles are popular, in 5 or more documents '
            f'kept; {len(page.words)} words'
        )
        cover = corpus.cover(page)
        foreign = sum(source.new for source in cover if source.foreign)
        assert rest.pop(0) == (
            f'covering set: {len(cover)} document{"s"[: len(cover) != 1]}; '
            f'{foreign} of {popular} popular shingles first in foreign ones'
        )
        assert rest[0].startswith('[N …]: ') and rest[1] == ''
        marked = [
            f'[{count} {text}]' if count else text
            for count, text in marked_words(corpus, page.rid)
        ]
        assert rest[2] == ' '.join(marked) and rest[2].count('[')
        table = [line.split() for line in rest[5:]]
        assert table == [
            [
                str(number),
                str(source.new),
                str(source.shared),
                'yes' if source.foreign else 'no',
                source.page.url,
                source.page.rid,
            ]
            for number, source in enumerate(cover, 1)
        ]
        assert shown(folder, page.rid) == shown(folder, page.url)


def test_the_class_of_a_document_that_is_kept(made):
    folder, corpus = made
    lines = shown(folder, CHAIN.format(0))
    there = after(lines, f'{LINKS - 1} near-duplicates of it left out:')
    rids = [r for r, kept in corpus.kept_of.items() if 'chain' in url_of(corpus, r)]
    assert len(rids) == LINKS
    assert [line.split()[-1] for line in indented(there)[:10]] == rids[1:11]
    assert indented(there)[10:] == ['  and 1 more']


def url_of(corpus, rid: str) -> str:
    return next(page.url for page in corpus.pages if page.rid == rid)


def test_a_chain(made):
    """The ends of a class are less alike than all pairs that join it."""
    folder, corpus = made
    texts = [draft.words for draft in chain()]
    both, either = resemblance(texts[0], texts[-1])
    near = [
        {url_of(corpus, one), url_of(corpus, other)}
        for one, other in corpus.near_duplicates()
    ]
    assert {CHAIN.format(0), LAST} not in near and both / either < 0.8
    lines = shown(folder, LAST)
    assert lines[1] == 'left out as a near-duplicate of'
    assert lines[2].startswith(f'{CHAIN.format(0)}  ')
    assert lines[3] == (
        f'resemblance of the two: {three(both, either)} ({both} of {either} phrases)'
    )
    path = [line.split() for line in indented(after(lines, 'from this page to the'))]
    urls = [cells[-2] for cells in path]
    assert urls[0] == LAST and urls[-1] == CHAIN.format(0) and len(urls) > 2
    for one, other, cells in zip(urls, urls[1:], path[1:], strict=False):
        assert {one, other} in near
        pages = [int(url.rpartition('/')[2]) for url in (one, other)]
        assert cells[0] == three(*resemblance(*(texts[n] for n in pages)))
    assert f'documents of the class that were read: {LINKS} of {LINKS}' in lines
    least = after(
        lines, f'least resemblance of two documents read: {three(both, either)}'
    )
    assert {line.split()[0] for line in least[:2]} == {CHAIN.format(0), LAST}
    assert least[2].endswith(' are near-duplicates')
    pairs = [line for line in lines if line.startswith('least resemblance of a pair')]
    [found] = [float(line.rpartition(' ')[2]) for line in pairs]
    assert both / either < found < 1


def test_other_pairs_of_a_page(made):
    folder, corpus = made
    lines = shown(folder, CHAIN.format(1))
    found = indented(after(lines, 'other near-duplicates of this page:'))
    near = corpus.near_duplicates()
    for line in found:
        share, url, rid = line.split()
        assert {rid, rows(folder, 'near_duplicates')[0]['rid']} in map(set, near)
        number = int(url.rpartition('/')[2])
        assert share == three(*resemblance(*(chain()[n].words for n in (1, number))))


def test_words_that_differ(made):
    folder, _ = made
    here, there = after(shown(folder, CHAIN.format(1)), 'first words that differ')
    around = [f'c{n}x' for n in range(19, 30)]
    before, behind = ' '.join(around[:5]), ' '.join(around[6:])
    assert here == f'  here:  {before} [new1] {behind}'
    assert there == f'  there: {before} [c24x] {behind}'


def test_differences_at_the_end(tmp_path):
    """More words, the same words, and the same words in another order."""
    text = words('w', WORDS)
    texts = [text, [*text, 'more'], text, [*text[9:], *text[:9]]]
    drafts = [Draft(f'http://p{n}.test/', text) for n, text in enumerate(texts)]
    folder, corpus = make_phrases(tmp_path, [drafts])
    assert len(corpus.kept) == 1
    *_, here, there = shown(folder, drafts[1].url)
    assert here == f'  here:  {" ".join(text[-5:])} [more]'
    assert there == f'  there: {" ".join(text[-5:])} []'
    assert shown(folder, drafts[2].url)[-1] == (
        'both have the same words in the same order'
    )
    lines = shown(folder, drafts[3].url)
    assert lines[3] == f'resemblance of the two: 1.000 ({WORDS} of {WORDS} phrases)'
    assert lines[-2:] == [
        f'  here:  [] {" ".join(text[9:14])}',
        f'  there: [{" ".join(text[:9])}] {" ".join(text[9:14])}',
    ]


def test_a_long_difference(tmp_path):
    """Only the beginning of many words that differ is shown."""
    text, more = words('w', 1500), words('z', 40)
    texts = [text, [*text[:700], *more, *text[700:]]]
    drafts = [Draft(f'http://p{n}.test/', text) for n, text in enumerate(texts)]
    folder, _ = make_phrases(tmp_path, [drafts])
    *_, told, here, there = shown(folder, drafts[1].url)
    assert told == 'first words that differ, in [ ], after 700 words:'
    before = ' '.join(text[695:700])
    assert here == f'  here:  {before} [{" ".join(more[:30])} …]'
    assert there == f'  there: {before} [] {" ".join(text[700:705])}'


def test_only_some_pairs_are_read(made, monkeypatch):
    """A bound on the pairs that are looked up; the page says how many were."""
    folder, _ = made
    path = indented(after(shown(folder, LAST), 'from this page to the'))
    assert len(path) > 4
    monkeypatch.setattr(classes, 'MAX_PAIRS', 2)
    record = load_record(str(folder))
    lines = [*page_view.list_page(str(folder), record, LAST, Style())]
    first, second, more, last = indented(after(lines, 'from this page to the'))
    assert [first, second, last] == [*path[:2], path[-1]]
    assert more.strip() == f'… {len(path) - 3} more …'
    [told] = [line for line in lines if line.startswith('documents of the class')]
    assert int(told.split()[-3]) < LINKS
    assert 'least resemblance of a pair (2 of ' in '\n'.join(lines)


def test_names_that_are_none(made, tmp_path):
    folder, _ = made
    assert 'no page of this name was compared' in refused(folder, 'http://no.test/')
    assert 'no page of this name was compared' in refused(folder, f'{rid(folder)}9')
    assert 'no result of discover' in refused(folder, 'abcdef123456')
    for names in (['a.org/'], ['abcdef123456'], ['a.org', 'b.org'], [LAST, 'b.org']):
        told = refused(folder, *names, '--as', 'phrases')
        assert told.endswith('give --as phrases the rid or URL of one page\n')
    assert 'has no quilts' in refused(folder, LAST, '--as', 'quilts')


def rid(folder) -> str:
    return rows(folder, 'phrase_pages')[0]['rid']


def test_records_that_are_no_documents(tmp_path):
    drafts = [
        *stitched(),
        Draft('http://plain.test/', words('p', 20), media='text/plain'),
        Draft('http://wordless.test/', '<br>'),
        stitched()[3]._replace(date='2021-01-02T03:04:05Z'),
    ]
    folder, corpus = make_phrases(tmp_path, [drafts])
    for url in ('http://plain.test/', 'http://wordless.test/'):
        assert 'no page of this name was compared' in refused(folder, url)
    # Of two captures, the first one was compared, with five documents for its phrases.
    page = next(page for page in corpus.kept if page.url == drafts[3].url)
    lines = shown(folder, page.url)
    assert lines[0].split()[1] == page.date and len(corpus.kept) == len(stitched())
    marked = [f'[{n} {w}]' if n else w for n, w in marked_words(corpus, page.rid)]
    assert ' '.join(marked) in lines


def test_captures(tmp_path):
    """With all captures, one of a URL may be kept and others left out."""
    first = stitched()[0]
    later = first._replace(date='2021-01-02T03:04:05Z')
    folder, _ = make_phrases(tmp_path, [[first, later]], '--captures', 'all')
    [row] = rows(folder, 'near_duplicates')
    lines = shown(folder, first.url)
    assert lines[1].startswith('kept: ')
    assert lines[-1] == f'another capture that was compared: {row["rid"]}'
    assert shown(folder, row['rid'])[1] == 'left out as a near-duplicate of'


def test_hostile_text(tmp_path):
    """Nothing in a page is obeyed by a terminal, in a pipe neither."""
    text = ' '.join(words('w', 400))
    bad = f'{text} \x1b[31m \u202e'
    drafts = [Draft(HOSTILE, bad), Draft(f'{HOSTILE}?2', f'\x1b]0;x\x07 {bad}')]
    folder, _ = make_phrases(tmp_path, [drafts])
    [row] = rows(folder, 'near_duplicates')
    for name in (HOSTILE, row['rid']):
        out = run('show', folder, name).out
        assert '\x1b' not in out and '\u202e' not in out and '\x07' not in out
    assert '\\x1b[31m' in run('show', folder, HOSTILE).out


def test_colours(made):
    folder, corpus = made
    record = load_record(str(folder))
    page = next(page for page in corpus.sample())
    plain = [*page_view.list_page(str(folder), record, page.url, Style())]
    bright = [*page_view.list_page(str(folder), record, page.url, Style(True, 60))]
    bare = [ESCAPE.sub('', line) for line in bright]
    assert ' '.join(bare).split() == ' '.join(plain).split()
    # One to nine documents have one colour, ten to 99 another.
    found = re.findall(r'\x1b\[([\d;]+)m\[(\d+) ', '\n'.join(bright))
    colours = {(colour, len(count)) for colour, count in found}
    counts = {count for count, _ in marked_words(corpus, page.rid) if count}
    assert {size for _, size in colours} <= {len(str(count)) for count in counts}
    assert colours and len({colour for colour, _ in colours}) == len(colours)


def test_changed_and_moved_archives(tmp_path):
    folder, _ = make_phrases(tmp_path)
    crawl, away = tmp_path / 'crawl', tmp_path / 'away'
    names = LAST, CHAIN.format(0)
    expected = [shown(folder, name) for name in names]
    away.mkdir()
    shutil.move(crawl / '0.warc.gz', away)
    # The page is there, and the document that is kept is not.
    lines = run('show', folder, LAST).out.splitlines()
    assert lines[1] == 'left out as a near-duplicate of'
    assert 'resemblance of the two' not in ' '.join(lines)
    assert f'documents of the class that were read: {LINKS // 2} of {LINKS}' in lines
    assert lines[-1].startswith('the document kept cannot be read: ')
    assert any(line.startswith('    unread  ') for line in lines)
    told = run('show', folder, names[1])
    assert told.code == 1 and 'if it was moved, give --archives DIR' in told.err
    for name, lines in zip(names, expected, strict=True):
        assert shown(folder, name, '--archives', away) == lines


@pytest.mark.parametrize('name', [LAST, CHAIN.format(0)])
def test_archives_with_other_words(tmp_path, name):
    """The same offsets, with other words: nothing is shown of them."""
    folder, _ = make_phrases(tmp_path, [chain()])
    path = tmp_path / 'crawl' / '0.warc.gz'
    make_phrases(tmp_path / 'other', [[d._replace(words='w0') for d in chain()]])
    rids = {row['url']: row['rid'] for row in rows(folder, 'near_duplicates')}
    rids[CHAIN.format(0)] = rid(folder)
    data = path.read_bytes()
    at = int(rids[name].rpartition(':')[2])
    other = (tmp_path / 'other' / 'crawl' / '0.warc.gz').read_bytes()
    path.write_bytes(data[:at] + other)
    done = run('show', folder, rids[name])
    assert (done.code, done.out) == (1, '') and 'the archive has changed' in done.err


def test_damaged_records(tmp_path):
    """What is cut off is not shown as if it were the page."""
    folder, _ = make_phrases(tmp_path, [chain()])
    path = tmp_path / 'crawl' / '0.warc.gz'
    data = path.read_bytes()
    path.write_bytes(data[:-200])
    rid_of_last = rows(folder, 'near_duplicates')[-1]['rid']
    done = run('show', folder, rid_of_last)
    assert (done.code, done.out) == (1, '')
    # Of the others only the last one is missing.
    lines = run('show', folder, CHAIN.format(1)).out.splitlines()
    assert f'documents of the class that were read: {LINKS - 1} of {LINKS}' in lines


def test_beside_other_systems(tmp_path):
    """Without --as, pages that are no quilts are shown by their chunks, if known."""
    folder, _ = make_phrases(tmp_path)
    left_out, kept = (rows(folder, n)[0] for n in ('near_duplicates', 'phrase_pages'))
    expected = {row['rid']: shown(folder, row['rid']) for row in (left_out, kept)}
    assert run('quilts', '-o', folder, '-q', '-r', 'inline').code == 0
    assert shown(folder, left_out['rid']) == expected[left_out['rid']]
    assert shown(folder, kept['rid'])[1].startswith('not quilted')
    assert run('discover', '-o', folder, '-q', '-r', 'inline').code == 0
    for row in (left_out, kept):
        assert run('show', folder, row['rid']).out.startswith('<!DOCTYPE html>')
        assert shown(folder, row['rid'], '--as', 'phrases') == expected[row['rid']]
        raw = run('show', folder, row['rid'], '--as', 'chunks').out
        assert raw.startswith('<!DOCTYPE html>')


@pytest.mark.parametrize(
    ('name', 'part'),
    [
        (LAST, '21-vectors'),
        (LAST, '22-edges'),
        (LAST, '23-components'),
        (CHAIN.format(0), '23-components'),
        (CHAIN.format(0), 'near_duplicates.tsv'),
        (CHAIN.format(0), 'phrase_pages.tsv'),
    ],
)
def test_parts_that_are_missing(made, tmp_path, name, part):
    folder = tmp_path / 'run'
    shutil.copytree(made[0], folder)
    path = folder / part
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert refused(folder, name).endswith('missing; run phrases again\n')
