"""`show` of styles and of their pages, compared with the reference."""

import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from commands import run
from reference_quilts import domain
from reference_style_tables import Corpus, Options
from shown import refused, shown
from style_crawls import read_parameters
from style_features import HOSTILE, drafts, make_run, rows_of

from mr_reuse.engine.record import load_record
from mr_reuse.pages.documents.showing.terminal import Style
from mr_reuse.styles.showing import page_view


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    folder, names, bodies = make_run(tmp_path_factory.mktemp('made'))
    return folder, names, Corpus(bodies, Options(), read_parameters(Options()))


def members_in(lines: list[str]) -> list[list[str]]:
    start = lines.index('its pages, with their similarity to the prototype:') + 1
    return [line.split() for line in lines[start : lines.index('', start)]]


@pytest.mark.parametrize('number', [1, 2])
def test_a_style(made, number):
    folder, _, corpus = made
    style = corpus.styles()[number - 1]
    lines = shown(folder, str(number))
    hosts = f'{style.hosts} host{"s"[: style.hosts > 1]}'
    domains = f'{style.domains} domain{"s"[: style.domains > 1]}'
    pages = len(style.members)
    assert lines[0] == f'style {number}: {pages} pages on {hosts} of {domains}'
    near = [corpus.similarity(style.prototype, page) for page in style.members]
    assert f'at least {float(min(near)):.3f} to the prototype' in lines[1]
    assert f'{float(style.mean):.3f} of two pages' in lines[1]
    assert lines[2] == f'prototype: {style.prototype.url}  {style.prototype.rid}'
    expected = [
        [f'{float(corpus.similarity(style.prototype, p)):.3f}', p.url, p.rid]
        for p in sorted(
            style.members,
            key=lambda p: (
                -corpus.similarity(style.prototype, p),
                corpus.pages.index(p),
            ),
        )
    ]
    assert members_in(lines) == expected
    told = [line.split() for line in lines[lines.index('    pages  domain') + 1 :]]
    counts = {}
    for page in style.members:
        counts[domain(page.url)] = counts.get(domain(page.url), 0) + 1
    assert told == [
        [str(count), name]
        for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    assert shown(folder, f'style:{number}') == shown(folder, str(number), '--as=styles')


def test_what_its_pages_share(made):
    """The same as in the table."""
    folder, *_ = made
    lines = shown(folder, '1')
    assert '  generator: MiniForum' in lines
    assert '  path: /board/view*.php?t=*' in lines
    classes = '  classes: .forum-head, .topics, .row, .odd, .forum-foot'
    assert classes in lines
    at = lines.index('  markup common to its pages:')
    assert lines[at + 1].strip().startswith('html head meta body div.forum-head …')


def test_a_style_that_is_not_in_the_table(made, tmp_path):
    """Its pages are read again, and give the same."""
    folder, names, _ = made
    copy = tmp_path / 'run'
    shutil.copytree(folder, copy)
    assert run('styles', '-o', copy, '--describe=0', '-q', '-r', 'inline').code == 0
    assert rows_of(copy, 'style_features') == []
    for number in ('1', '2'):
        assert shown(copy, number) == shown(folder, number)
    # A style can be shown if no page of it can be read any more.
    moved = [shutil.move(name, f'{name}.away') for name in names]
    try:
        done = run('show', copy, '1')
        assert done.code == 0 and 'nothing describes its pages' in done.out
    finally:
        for name, away in zip(names, moved, strict=True):
            shutil.move(away, name)


def test_archives_that_have_changed(made, tmp_path):
    """A style that was not described is shown without features that cannot be read."""
    folder, names, _ = made
    archives, copy = tmp_path / 'crawl', tmp_path / 'run'
    archives.mkdir()
    for name in names:
        data = bytearray(Path(name).read_bytes())
        data[::50] = bytes(len(data[::50]))
        (archives / Path(name).name).write_bytes(data)
    shutil.copytree(folder, copy)
    assert run('styles', '-o', copy, '--describe=0', '-q', '-r', 'inline').code == 0
    done = run('show', copy, '1', '--archives', archives)
    assert done.code == 0 and done.out.startswith('style 1: 12 pages')
    assert 'Traceback' not in done.err


def test_many_members(tmp_path):
    """Of many pages, the first and the last are listed."""
    folder, *_ = make_run(tmp_path, found=drafts(31, 0, 0))
    lines = shown(folder, '1')
    members = rows_of(folder, 'style_members')
    listed = members_in(lines)
    assert [row[2] for row in listed[:10]] == [row[1] for row in members[:10]]
    assert [row[2] for row in listed[11:]] == [row[1] for row in members[-10:]]
    assert listed[10] == '… 11 pages between'.split()
    assert lines[-1].strip() == 'and 11 more'


def test_pages(made):
    """Each page of a style, with the ten documents that are most like it."""
    folder, _, corpus = made
    styles = corpus.styles()
    style_of = {p.rid: n for n, s in enumerate(styles, 1) for p in s.members}
    for page in corpus.prints[::5]:
        for name in (page.rid, page.url):
            lines = shown(folder, name, '--as=styles')
            assert lines[0].split() == [page.url, page.date, page.rid]
            number = style_of.get(page.rid)
            if number:
                style = styles[number - 1]
                near = float(corpus.similarity(style.prototype, page))
                assert lines[1] == (
                    f'in style {number} of {len(style.members)} pages; similarity to '
                    f'the prototype {near:.3f}'
                )
            else:
                assert lines[1].startswith('in no style: ')
            others = [other for other in corpus.prints if other is not page]
            others.sort(key=lambda other: -corpus.similarity(page, other))
            table = [line.split() for line in lines[lines.index('') + 2 :]]
            assert table == [
                [
                    f'{float(corpus.similarity(page, other)):.3f}',
                    str(style_of.get(other.rid, '-')),
                    other.url,
                    other.rid,
                ]
                for other in others[:10]
            ]


def test_neighbors_with_other_options(tmp_path):
    """Common values do not count, nor dimensions that are empty in both."""
    line = '--ignore=0.3', '--normalize-empty', '--t=3'
    folder, _, bodies = make_run(tmp_path, *line)
    options = Options(t=3, ignore=Fraction(3, 10), normalize_empty=True)
    corpus = Corpus(bodies, options, read_parameters(options))
    for page in corpus.prints[::7]:
        lines = shown(folder, page.rid, '--as=styles')
        near = sorted(
            (corpus.similarity(page, p) for p in corpus.prints if p is not page),
            reverse=True,
        )
        told = [line.split()[0] for line in lines[lines.index('') + 2 :]]
        assert told == [f'{float(similarity):.3f}' for similarity in near[:10]]


def test_captures(tmp_path):
    """Another capture of a page was not compared."""
    found = drafts(4, 0, 0)
    found += [found[0]._replace(date='2021-01-02T03:04:05Z')]
    folder, *_ = make_run(tmp_path, found=found)
    lines = shown(folder, found[0].url)
    assert lines[1].startswith('in style 1 of 4 pages')
    [other] = [line for line in lines if line.startswith('another capture, not comp')]
    lines = shown(folder, other.split()[-1])
    assert lines[1] == 'not compared: another capture of its URL was'


def test_little_markup(tmp_path):
    found = [*drafts(2, 0, 0), drafts(1)[0]._replace(url='http://x.org/', words='<p>')]
    folder, *_ = make_run(tmp_path, found=found)
    lines = shown(folder, 'http://x.org/', '--as=styles')
    assert lines[1] == 'not compared: it has too little markup'


def test_with_chunks(made, tmp_path):
    """A page is shown by its chunks, but for --as; a number is a style."""
    folder, names, _ = made
    copy = tmp_path / 'run'
    shutil.copytree(folder, copy)
    done = run('discover', '-o', copy, '-q', '--threshold=1', '--min-len=0')
    assert done.code == 0
    rid = rows_of(copy, 'style_members')[0][1]
    assert shown(copy, '1') == shown(folder, '1')
    assert shown(copy, rid, '--as=styles') == shown(folder, rid)
    done = run('show', copy, rid)
    assert done.code == 0 and 'forum-head' in done.out
    assert '12345678' in refused(copy, '12345678')


def test_what_there_is_not(made, tmp_path):
    folder, *_ = made
    assert 'style 3: no style has this number; see styles.tsv' in refused(folder, '3')
    assert 'style 0: no style' in refused(folder, 'style:0')
    assert 'no document of this name' in refused(folder, 'http://none.org/')
    assert 'give --as styles the rid' in refused(folder, 'a.org/', '--as=styles')
    assert 'give --as styles the rid' in refused(folder, '1', '2', '--as=styles')
    copy = tmp_path / 'run'
    shutil.copytree(folder, copy)
    for table in ('style_members', 'style_features', 'styles'):
        (copy / f'{table}.tsv').unlink()
        assert f'{table}.tsv: missing; run styles again' in refused(copy, '1')


@pytest.mark.parametrize(
    ('table', 'column', 'value'),
    [
        *(('styles', 4, 'x'), ('styles', 5, 'nan'), ('styles', 1, '-1')),
        *(('style_members', 3, 'x'), ('style_members', 3, '0.5\t')),
        *(('style_features', 3, '2'), ('style_features', 0, 'x')),
    ],
)
def test_damaged_tables(made, tmp_path, table, column, value):
    folder, *_ = made
    copy = tmp_path / 'run'
    shutil.copytree(folder, copy)
    file = copy / f'{table}.tsv'
    first, line, *others = file.read_text().split('\n')
    cells = line.split('\t')
    cells[column] = value
    file.write_text('\n'.join([first, '\t'.join(cells), *others]))
    assert 'damaged' in refused(copy, '1')


@pytest.mark.parametrize('width', [0, 40])
def test_texts_of_strangers(made, width):
    """Control characters and those that turn the text around appear as numbers."""
    folder, *_ = made
    lines = list(
        page_view.list_page(
            str(folder), load_record(str(folder)), '2', Style(True, width)
        )
    )
    text = '\n'.join(lines)
    assert re.sub(r'\s', '', HOSTILE).replace('\u202e', '\\u202e') in re.sub(
        r'\s', '', text
    )
    assert '\u202e' not in text
