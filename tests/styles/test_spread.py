"""`styles spread`, against the known pages of each style by brute force."""

import random

import pytest
from commands import run
from quilt_crawls import divide
from reference_quilts import domain, host, table
from reference_style_tables import Corpus, Options, decimals
from style_crawls import arguments, random_pages, read_parameters, styles, write_pages

RULES = [Options(captures='all', t=8), Options(t=12, normalize_empty=True)]
UNITS = ['page', 'host', 'domain']


@pytest.fixture(scope='module', params=RULES)
def found(request, tmp_path_factory):
    """A run, and the corpus of its pages."""
    folder, dice = tmp_path_factory.mktemp('spread'), random.Random(6)
    shares = divide(dice, random_pages(dice, 40), 3)
    names, bodies = write_pages(folder / 'crawl', shares)
    styles(names, folder / 'run', *arguments(request.param))
    corpus = Corpus(bodies, request.param, read_parameters(request.param))
    assert corpus.styles()
    return folder / 'run', corpus


def expected(corpus: Corpus, names: set[str]) -> bytes:
    def is_known(page) -> bool:
        return bool({page.rid, page.url, host(page.url)} & names)

    known = [page.url for page in corpus.pages if is_known(page)]
    known += [name if '/' in name else f'http://{name}/' for name in names]
    rows = {}
    for number, style in enumerate(corpus.styles(), 1):
        mine = [page for page in style.members if is_known(page)]
        for page in style.members if mine else ():
            if page in mine:
                continue
            near = max(corpus.similarity(page, other) for other in mine)
            named = [('page', page.url, page.rid)]
            if host(page.url):
                named += [
                    ('host', host(page.url), ''),
                    ('domain', domain(page.url), ''),
                ]
            for unit, name, rid in named:
                of = {'host': host, 'domain': domain}.get(unit)
                if of and name in {of(url) for url in known if '/' in url}:
                    continue
                key = unit, name, number, rid
                before, _ = rows.get(key, (near, 0))
                rows[key] = max(near, before), len(mine)
    order = sorted(
        (UNITS.index(unit), -near, name.encode(), style, count)
        for (unit, name, style, _), (near, count) in rows.items()
    )
    lines = [
        (UNITS[unit], name.decode(), style, decimals(-near), count)
        for unit, near, name, style, count in order
    ]
    return table('unit name style similarity known', lines)


@pytest.mark.parametrize('kind', ['urls', 'hosts', 'rids', 'all'])
def test_lists(found, tmp_path, kind):
    folder, corpus = found
    dice = random.Random(kind)
    pages = dice.sample(corpus.prints, 6)
    names = {
        'urls': {page.url for page in pages},
        'rids': {page.rid for page in pages},
        'hosts': {host(page.url) or 'none.org' for page in pages[:2]},
    }
    names['all'] = {pages[0].url, pages[1].rid, host(pages[2].url) or 'none.org'}
    known = tmp_path / 'known.txt'
    known.write_text('\n'.join([*sorted(names[kind]), '', '']))
    done = run('styles', 'spread', folder, known, '-q', '-r', 'inline')
    assert done == (0, '', '')
    assert (folder / 'spread.tsv').read_bytes() == expected(corpus, names[kind])


def test_other_run(found, tmp_path):
    """The styles of one half of a corpus find the pages of the other half."""
    folder, corpus = found
    half = tmp_path / 'half'
    archive = corpus.pages[0].rid.rpartition(':')[0]
    styles([archive], half, *arguments(corpus.options))
    members = (half / 'style_members.tsv').read_text().splitlines()[1:]
    names = {line.split('\t')[2] for line in members}
    done = run('styles', 'spread', folder, half, '-r', 'inline')
    table = expected(corpus, names)
    assert done.code == 0 and (folder / 'spread.tsv').read_bytes() == table
    rows = [line.split('\t') for line in table.decode().splitlines()[1:]]
    count = {unit: sum(row[0] == unit for row in rows) for unit in UNITS}
    said = done.out.splitlines()
    with_style = {page.url for style in corpus.styles() for page in style.members}
    assert said[0] == (
        f'{len(names)} known names, {len(names & with_style)} of them with pages in a '
        'style of this run'
    )
    assert [f'{n} {unit}' in said[1] for unit, n in count.items()] == [True] * 3
    first = [row for row in rows if row[0] == 'domain'][:10]
    shown = [line.split() for line in said[3:] if not line.startswith('  and ')][:-1]
    assert shown == [[near[:5], style, name] for _, name, style, near, _ in first]
    assert said[-1] == f'{folder / "spread.tsv"}'


def test_names_of_nothing(found, tmp_path):
    folder, _ = found
    known = tmp_path / 'known'
    known.write_text('http://nowhere.test/\nnobody.test\n')
    done = run('styles', 'spread', folder, known, '-r', 'inline')
    assert done.out.splitlines() == [
        '2 known names, 0 of them with pages in a style of this run',
        f'{folder / "spread.tsv"} is empty',
    ]
    assert len((folder / 'spread.tsv').read_text().splitlines()) == 1


def test_what_cannot_be_known(found, tmp_path):
    folder, _ = found
    empty = tmp_path / 'empty'
    empty.write_bytes(b'\n')
    for name in (tmp_path / 'none', empty, tmp_path):
        done = run('styles', 'spread', folder, name, '-q', '-r', 'inline')
        assert done.code == 1 and done.err.count('\n') == 1
        assert done.err.startswith('error: ') and str(name) in done.err
