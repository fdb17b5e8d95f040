"""Which captures are searched: by discover and detect, against brute force."""

import json
import shutil

import mrl
import pytest
from commands import discover, results, run
from crawls import arguments, tables_in, write_arc, write_warc
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from reference import Options, Page, kept, tables
from reference_detect import Asked, Known, detect_tables
from reports import words

from examples import few

DATES = ['2019-12-31T23:59:59Z', '2020-01-02T03:04:05Z', '2021-01-01T00:00:00Z', '']
URLS = ['http://a.org/', 'http://a.org/x', 'http://b.org/', 'http://B.org/']
TEXTS = [f'<p>{name} {"that is copied " * 9}' for name in ('one', 'two', 'three')]
PICTURE = b'\x89PNG\r\n\x1a\n<p>'
OLD, NEW = DATES[:2]


@st.composite
def crawls(draw):
    """Captures of few URLs: of pages, pictures and empty files, some without dates."""
    bodies = st.one_of(
        st.lists(st.sampled_from(TEXTS), max_size=3).map(lambda t: ''.join(t).encode()),
        st.just(PICTURE),
    )
    one = st.tuples(st.sampled_from(URLS), bodies, st.sampled_from(DATES))
    return draw(st.lists(one, min_size=1, max_size=25))


def write(folder, documents) -> tuple[list[str], list[Page]]:
    """Write a WARC and an ARC file."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [str(folder / 'a.warc.gz'), str(folder / 'b.arc')]
    pages = write_warc(folder / 'a.warc.gz', documents[::2])
    return names, pages + write_arc(folder / 'b.arc', documents[1::2])


def told(out) -> dict:
    return json.loads((out / 'run.json').read_text())


def counted(pages, options) -> dict:
    """The numbers that run.json has."""
    searched = kept(pages, options)
    return {
        'captures': len(pages),
        'urls': len(searched),
        'passed_over': len(pages) - len(searched),
    }


def numbers(out) -> dict:
    return {name: told(out)[name] for name in ('captures', 'urls', 'passed_over')}


# Against the reference


@few(4)
@given(
    crawls(),
    st.sampled_from(['first', 'last', 'all']),
    st.integers(0, 2),
    st.sampled_from([1, 2, 7]),
)
def test_discover(tmp_path_factory, crawl, captures, threshold, tasks):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write(folder / 'in', crawl)
    options = Options(threshold, 0, captures=captures)
    line = [*names, *arguments(options), '-o', folder / 'run', '-q', '-r', 'inline']
    assert discover(*line, f'--tasks={tasks}').code == 0
    assert tables_in(folder / 'run') == tables(pages, options)
    if captures != 'all':
        assert numbers(folder / 'run') == counted(pages, options)


@few(2)
@given(
    crawls(),
    st.sampled_from(['first', 'last', 'all']),
    st.sampled_from(['map', 'reduce', 'bloom']),
)
def test_detect(tmp_path_factory, crawl, captures, join):
    """On archives, on a run of the same folder, and on that of another."""
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write(folder / 'in', crawl)
    hashes = [mrl.sha1(text) for text in TEXTS[:2]]
    labels = mrl.write(folder / 'x.mrl', hashes, [mrl.sha1('')], min_len=0)
    known = Known(frozenset(hashes), frozenset([mrl.sha1('')]))
    expected = detect_tables(pages, known, Asked(captures=captures))
    line = ['-q', '-r', 'inline', '-l', labels, '--join', join, '-o']
    choice = ['--captures', captures]
    assert discover(*names, *choice, '-q', '-r', 'inline', '-o', folder / 'd').code == 0
    assert run('detect', *names, *choice, *line, folder / 'a').code == 0
    assert run('detect', *line, folder / 'd').code == 0
    assert run('detect', folder / 'd', *line, folder / 'b').code == 0
    for out in 'adb':
        found = {name: (folder / out / name).read_bytes() for name in expected}
        assert found == expected


@pytest.mark.parametrize('captures', ['first', 'last'])
@pytest.mark.parametrize('tasks', [1, 7])
def test_runners_and_kernel(tmp_path, monkeypatch, captures, tasks):
    dice = [(URLS[n % 4], TEXTS[n % 3].encode() * 2, DATES[n % 4]) for n in range(24)]
    names, pages = write(tmp_path / 'in', dice)
    options = Options(1, 0, captures=captures)
    line = [*names, *arguments(options), f'--tasks={tasks}', '-q']
    for runner, pure in (('inline', '1'), ('local', ''), ('local', '1')):
        monkeypatch.setenv('MR_REUSE_PURE', pure)
        out = tmp_path / f'{runner}{pure}'
        monkeypatch.setattr('mr_reuse.engine.chain.SMALL', 0)
        assert discover(*line, '-r', runner, '-o', out).code == 0
        assert tables_in(out) == tables(pages, options)


@few(2)
@given(
    crawls(),
    crawls(),
    st.sampled_from(['first', 'last', 'all']),
    st.sampled_from(['first', 'last', 'all']),
)
def test_add(tmp_path_factory, old, new, before, captures):
    """A choice over both, whatever the older run has chosen."""
    folder = tmp_path_factory.mktemp('added')
    names, _ = write(folder / 'old', old)
    more, _ = write(folder / 'new', new)
    line = ['--threshold=0', '--min-len=0', '-q', '-r', 'inline']
    choice = ['--captures', captures]
    assert discover(*names, *line, '--captures', before, '-o', folder / 'o').code == 0
    added = ['--add', folder / 'o', '-o', folder / 'sum']
    assert discover(*more, *line, *choice, *added).code == 0
    assert discover(*names, *more, *line, *choice, '-o', folder / 'both').code == 0
    assert results(folder / 'sum') == results(folder / 'both')
    names = ('captures', 'urls', 'passed_over', 'passed_pages')
    one, other = (told(folder / out) for out in ('sum', 'both'))
    assert [one.get(name) for name in names] == [other.get(name) for name in names]


# By hand


@pytest.fixture
def monthly(tmp_path):
    """Twelve visits to three pages, and what was new on one of them in the second."""
    visits = []
    for month in range(1, 13):
        date = f'2020-{month:02}-01T00:00:00Z'
        visits += [(f'http://a.org/{n}', TEXTS[0].encode(), date) for n in range(3)]
    visits[3] = ('http://a.org/0', TEXTS[1].encode(), visits[3][2])
    names, _ = write(tmp_path / 'in', visits)
    return [*names, '-o', tmp_path / 'run', '--threshold=2']


def test_summary(monthly, tmp_path):
    said = discover(*monthly).out.splitlines()
    assert said[0].startswith('3 pages with 3 chunks')
    assert said[1] == (
        '36 captures of 3 URLs; the first capture of each was searched, 33 later ones '
        'only with --captures all'
    )
    assert numbers(tmp_path / 'run') == {
        'captures': 36,
        'urls': 3,
        'passed_over': 33,
    }
    assert said[1] in run('detect', '-o', tmp_path / 'run').out
    run('report', tmp_path / 'run')
    report = html.parse(str(tmp_path / 'run/report.html'))
    lead = words(report.find('//p[@class="lead"]'))
    # Pages and chunks are those that were searched; all captures were read.
    assert lead.startswith('This run read 3 URLs, 36 captures (')
    assert f'{said[1].partition("; ")[2]}. No record was damaged. The 3 pages' in lead
    assert 'into 3 chunks; 3 of them are longer than ' in lead


def test_another_choice(monthly, tmp_path):
    """The pages are not read again; results are those of a run of its own."""
    names = monthly[:2]
    assert discover(*monthly).code == 0
    for choice in ('last', 'all', 'first'):
        said = discover(*monthly, '--captures', choice).err.splitlines()
        assert said[0] == '01-pages: finished before'
        assert '02-counts: runs again, since options or inputs have changed' in said
        out = tmp_path / choice
        discover(*names, '-o', out, '--threshold=2', '--captures', choice)
        assert results(tmp_path / 'run') == results(out)
    said = discover(*monthly).err
    assert said.count('finished before') == 8


def test_runs_of_older_versions(monthly, tmp_path):
    """A run without a choice goes on with one, and says why its counts are redone."""
    out = tmp_path / 'run'
    assert discover(*monthly, '--captures', 'all').code == 0
    record = told(out)
    for name in ('kept_captures', 'captures', 'urls', 'passed_over', 'passed_pages'):
        record.pop(name, None)
    (out / 'run.json').write_text(json.dumps(record))
    assert len((out / 'labels.tsv').read_text().splitlines()) == 2
    assert run('detect', '-o', out).code == 0
    assert len((out / 'pages.tsv').read_text().splitlines()) == 1 + 36
    said = discover(*monthly).err.splitlines()
    why = 'captures: all 36 were searched before; 33 are left out now'
    assert f'{why} (--captures all keeps them)' in said
    assert '02-counts: runs again, since options or inputs have changed' in said
    assert run('detect', '-o', out).code == 0
    assert len((out / 'pages.tsv').read_text().splitlines()) == 1 + 3


@pytest.mark.parametrize('done', [1, pytest.param(2, marks=pytest.mark.slow), 3, 4])
def test_interrupted(monthly, tmp_path, done):
    """Killed between two steps, a run ends with the same bytes."""
    assert discover(*monthly).code == 0
    whole, out = results(tmp_path / 'run'), tmp_path / 'run'
    steps = ['01-pages', '01-urls', '01-captures', '02-counts', '03-labels']
    for later in [*steps[done:], '03-places', '03-previews', '03-pairs']:
        shutil.rmtree(out / later)
    for table in whole:
        (out / table).unlink()
    said = discover(*monthly)
    assert (said.code, said.err.count('finished before')) == (0, done)
    assert results(out) == whole


def test_preset(monthly, tmp_path):
    """The paper searches all captures."""
    assert discover(*monthly, '--preset', 'ccr2019').code == 0
    assert told(tmp_path / 'run')['kept_captures'] == 'all'
    said = discover(*monthly, '--preset', 'ccr2019', '--captures', 'last')
    assert 'the last capture of each was searched, 33 earlier ones' in said.out


def test_other_choice_of_detect(monthly, tmp_path):
    """Detect takes the choice of the run, and no other."""
    assert discover(*monthly, '--captures', 'last').code == 0
    why = run('detect', '-o', tmp_path / 'run', '--captures', 'all')
    assert why.code == 2
    assert '--captures all: ' in why.err and ' has --captures last; ' in why.err
    assert run('detect', '-o', tmp_path / 'run', '--captures', 'last').code == 0


def test_compare_warns(monthly, tmp_path):
    names, other = monthly[:2], tmp_path / 'other'
    discover(*monthly)
    discover(*names, '-o', other, '--threshold=2', '--captures', 'all')
    said = run('compare', tmp_path / 'run', other)
    assert said.code == 0
    assert '--captures differs (first and all)' in said.err
    assert '--captures' not in run('compare', other, other).err


def test_show_a_page(monthly, tmp_path):
    """All captures of a page are listed, those that were passed over too."""
    discover(*monthly)
    run('detect', '-o', tmp_path / 'run')
    said = run('show', tmp_path / 'run', 'http://a.org/0').out.splitlines()
    assert said[1].endswith(': 1 of 1 chunk is a label')
    assert [line.split(': ')[1] for line in said[2:13]] == [
        'not searched (see --captures)'
    ] * 11
    where = run('show', tmp_path / 'run', mrl.sha1(TEXTS[0]), '--where')
    dates = [row.split('\t')[1] for row in where.out.splitlines()[1:]]
    assert len(dates) == 35 and dates == sorted(dates)
    assert where.err == (
        '35 captures of 3 URLs; the tables count only the first one of each\n'
    )


def test_nothing_repeated(tmp_path):
    """Without repeated URLs nothing is chosen, and the summary says nothing."""
    names, pages = write(tmp_path / 'in', [(url, b'<p>x', OLD) for url in URLS])
    said = discover(*names, '-o', tmp_path / 'run', '--threshold=0')
    assert 'captures' not in said.out
    assert not (tmp_path / 'run/01-captures').exists()
    assert numbers(tmp_path / 'run') == counted(pages, Options())


@pytest.mark.parametrize('captures, held', [('first', TEXTS[0]), ('last', TEXTS[1])])
def test_long_pages(tmp_path, monkeypatch, captures, held):
    """All lines of a long page are passed over, or none."""
    monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 3)
    monkeypatch.setattr('mr_reuse.archives.raw_items.MAX_RAW', 0)  # lines of Python
    words = [text.removeprefix('<p>') for text in TEXTS[:2]]
    bodies = [''.join(f'<p>{n} {w}' for n in range(20)).encode() for w in words]
    documents = [('http://a.org/', bodies[0], OLD), ('http://a.org/', bodies[1], NEW)]
    names, pages = write(tmp_path / 'in', documents)
    options = Options(0, 0, captures=captures)
    line = [*names, *arguments(options), '-o', tmp_path / 'run', '-q', '-r', 'inline']
    assert discover(*line).code == 0
    assert tables_in(tmp_path / 'run') == tables(pages, options)
    assert (tmp_path / 'run/labels.tsv').read_text().count(held[3:20]) == 20
    lines = [p.read_bytes() for p in tmp_path.glob('run/01-pages/*/part*')]
    assert b''.join(lines).count(b'#6\t') == 2


def test_folders_of_pages(tmp_path):
    """Files of two folders are all searched, also with equal names."""
    for folder in ('x', 'y'):
        (tmp_path / folder / 'docs').mkdir(parents=True)
        (tmp_path / folder / 'docs/ä b.html').write_text(TEXTS[0])
        (tmp_path / folder / 'docs/c.html').write_text(TEXTS[0])
    names = [tmp_path / 'x/docs', tmp_path / 'y/docs']
    assert discover(*names, '-o', tmp_path / 'run', '--threshold=0').code == 0
    assert numbers(tmp_path / 'run') == {'captures': 4, 'urls': 4, 'passed_over': 0}
    [label] = (tmp_path / 'run/labels.tsv').read_text().splitlines()[1:]
    assert label.split('\t')[2:4] == ['4', '4']


def test_labels_build_reads_all(monthly, tmp_path):
    labels = tmp_path / 'x.mrl'
    assert run('labels', 'build', *monthly[:2], '-o', labels).code == 0
    listed = run('labels', 'export', labels, '--kind', 'chunk', '--plain').out.split()
    assert listed == sorted(map(mrl.sha1, TEXTS[:2]))
