"""Commands that name a run and no INPUT read what the run reads."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import pytest
from commands import Ended, discover, leftovers, refused, results, run
from crawls import sample_crawl, write_crawl

from mr_reuse.archives.sources import Source
from mr_reuse.chunks.jobs.count_duplicates import CountDuplicates
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.pages import run_inputs
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.pages.run_inputs import RunInputs
from mr_reuse.tables import table_files

SOURCES = '_sources.json'  # of this file an older version knows nothing
CHOICE = ['01-urls', '01-captures']
STEPS = [
    '01-pages',
    *CHOICE,
    '02-counts',
    '03-labels',
    '03-places',
    '03-previews',
    '03-pairs',
]
OPTIONS = ['--threshold=1', '--min-len=0']
DONE_BEFORE = ''.join(f'{step}: finished before\n' for step in STEPS)
COPIED = '<p>copied by all</p>'


@pytest.fixture
def crawl(tmp_path, monkeypatch) -> Path:
    """A folder with archives, a folder of pages, and a list."""
    monkeypatch.chdir(tmp_path)
    names, _ = write_crawl(Path('crawl'), sample_crawl())
    for name in ('docs/one.html', 'docs/b/two three.html', 'alone.html'):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(COPIED * 3)
    Path('list.txt').write_text('\n'.join(Path(name).name for name in names))
    return tmp_path


@pytest.fixture
def elsewhere(crawl, monkeypatch):
    """Go to another folder, from which relative names lead nowhere."""

    def go() -> Path:
        (crawl / 'elsewhere').mkdir()
        monkeypatch.chdir(crawl / 'elsewhere')
        return crawl / 'run'

    return go


def begin(*words, code: int = 0) -> None:
    done = discover(*words, '-o', 'run', '-q', *OPTIONS)
    assert done.code == code, done.err


def again(out, *more) -> Ended:
    """Run discover without INPUT."""
    return discover('-o', out, *OPTIONS, *more)


def record(out: Path) -> dict:
    """What is in run.json but for what each run has anew, and where it was started."""
    told = json.loads((out / 'run.json').read_text())
    for step in told['steps'].values():
        del step['seconds']
    return told | {'run': '', 'options': told['options'] | {'output': '', 'quiet': 0}}


@contextlib.contextmanager
def interrupted(job=HashChunks):
    """Let jobs of a class be interrupted at their end."""

    def stop(self):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, 'mapper_final', stop)
        yield


# Finished runs


@pytest.mark.parametrize(
    'words',
    [
        ['crawl'],
        ['crawl/a.warc.gz', 'docs', 'alone.html', 'crawl/b.arc'],
        ['crawl/*.gz', '--limit=1'],
        ['list.txt', '--base-url=crawl'],
        ['crawl', 'docs', '--filter=host=*.org', '--filter=host=b*'],
        ['crawl', '--recursion=both'],
    ],
)
def test_finished(crawl, elsewhere, words):
    """Nothing is read again, and the record says the same."""
    begin(*words)
    Path('list.txt').unlink()
    before = results(Path('run')), record(Path('run'))
    out = elsewhere()
    assert again(out).err == DONE_BEFORE
    assert (results(out), record(out)) == before


def test_pages_have_their_urls(crawl, elsewhere):
    begin('docs', 'alone.html')
    shutil.rmtree('run/01-pages')
    out = elsewhere()
    assert again(out, '-q').code == 0
    assert run('detect', '-o', out, '-q').code == 0
    rows = list(table_files.read_cells(str(out / 'pages.tsv')))
    assert sorted(row[1] for row in rows) == [
        'alone.html',
        'docs/b/two%20three.html',
        'docs/one.html',
    ]


def test_other_labels(crawl):
    """Options that do not select inputs are those of now."""
    begin('crawl')
    told = discover('-o', 'run', '--threshold=2').err
    assert told.count('finished before') == 4
    assert told.count('options or inputs have changed') == 4
    assert discover('crawl', '-o', 'new', '--threshold=2').code == 0
    assert results(Path('run')) == results(Path('new'))


def test_new_files_are_not_read(crawl):
    """The inputs are those that were found when the run began."""
    begin('crawl', 'docs')
    shutil.copy('crawl/b.arc', 'crawl/new.arc')
    Path('docs/new.html').write_text(COPIED)
    assert again('run').err == DONE_BEFORE


def test_changed_archive(crawl):
    begin('crawl')
    os.utime('crawl/b.arc', (1, 1))
    assert again('run').err.count('options or inputs have changed') == 8


def test_dry_run(crawl, elsewhere):
    begin('crawl/*.gz', '--limit=1')
    out = elsewhere()
    before = sorted(path.name for path in out.iterdir())
    done = again(out, '--dry-run')
    assert done.code == 0 and 'bytes in 1 archive and 0 single pages' in done.out
    assert sorted(path.name for path in out.iterdir()) == before


def test_of_detect(crawl, elsewhere):
    """A run that detect has begun has inputs for discover."""
    known = ['labels', 'build', 'docs', '-o', 'known.mrl', '-q', '-r', 'inline']
    assert run(*known).code == 0
    line = ['-l', 'known.mrl', '-o', 'run', '-q', '-r', 'inline']
    assert run('detect', 'crawl', 'docs', *line, '--limit=2').code == 0
    detected = Path('run/pages.tsv').read_bytes()
    out = elsewhere()
    assert again(out).err.splitlines()[0] == '01-pages: finished before'
    assert len(json.loads((out / 'run.json').read_text())['inputs']) == 2
    assert (out / 'pages.tsv').read_bytes() == detected


def test_of_an_added_run(crawl, elsewhere):
    """Counts are those of both runs, as before."""
    assert discover('crawl/a.warc.gz', '-o', 'old', '-q', *OPTIONS).code == 0
    begin('crawl', '--add', 'old')
    before = results(Path('run'))
    out = elsewhere()
    assert again(out).err == DONE_BEFORE
    assert again(out, '--add', '../old').err == DONE_BEFORE
    assert results(out) == before


# Interrupted runs


@pytest.mark.parametrize('job', [HashChunks, CountDuplicates])
def test_interrupted(crawl, elsewhere, job):
    words = [
        'crawl',
        'docs',
        '--limit=5',
        '--filter=host=*.org,',
        '--filter=status=,200',
    ]
    words = ['docs', 'crawl', '--limit=5', '--recursion=none']
    assert discover(*words, '-o', 'whole', '-q', *OPTIONS).code == 0
    with interrupted(job):
        begin(*words, code=130)
    assert not Path('run/run.json').exists()
    expected = results(Path('whole')), record(Path('whole'))
    out = elsewhere()
    assert again(out, '-q').code == 0
    assert results(out) == expected[0]
    assert record(out)['inputs'] == expected[1]['inputs']
    assert record(out)['made_of'] == expected[1]['made_of']
    assert not leftovers(out)


def test_interrupted_with_other_options(crawl):
    """What counts is what was begun last, finished or not."""
    begin('crawl')
    with interrupted():
        begin('crawl', '--recursion=none', '--filter=status=200', code=130)
    assert again('run').code == 0
    made_of = json.loads(Path('run/run.json').read_text())['made_of']
    assert (made_of['recursion'], made_of['filter']) == ('none', ['status=200'])


def test_interrupted_detect(crawl, elsewhere):
    known = ['labels', 'build', 'docs', '-o', 'known.mrl', '-q', '-r', 'inline']
    assert run(*known).code == 0
    words = ['-l', crawl / 'known.mrl', '-q', '-r', 'inline']
    assert run('detect', 'crawl', 'docs', *words, '-o', 'whole', '--limit=2').code == 0
    expected = Path('whole/pages.tsv').read_bytes()
    line = ['detect', 'crawl', 'docs', *words, '-o', 'run', '--limit=2']
    with interrupted():
        assert run(*line).code == 130
    out = elsewhere()
    done = run('detect', '-o', out, '-q')
    assert (done.code, done.err) == (
        1,
        f'error: {out}: no finished run of discover or detect; type the command that '
        'began it again to resume\n',
    )
    assert run('detect', *words, '-o', out, '--limit=3').code == 2
    done = run('detect', *words, '-o', out)
    assert done.code == 0, done.err
    assert (out / 'pages.tsv').read_bytes() == expected


# What is refused


@pytest.mark.parametrize(
    ('words', 'more', 'why'),
    [
        ([], ['--limit=1'], '--limit 1: run was made with no --limit'),
        (['--limit=2'], ['--limit=1'], '--limit 1: run was made with --limit 2'),
        (
            ['--filter=status=200'],
            ['--filter=status=404', '--filter=host=a'],
            '--filter status=404 --filter host=a: run was made with --filter status=2',
        ),
        ([], ['--recursion=both'], '--recursion both: run was made with --recursion'),
        (
            ['--recursion=none'],
            ['--recursion=length'],  # the default, if it is given
            '--recursion length: run was made with --recursion none;',
        ),
        ([], ['--base-url=x'], '--base-url x: run was made with no --base-url; leave'),
        ([], ['--add=old'], '--add old: run was made with no --add; leave it out'),
    ],
)
def test_other_options(crawl, words, more, why):
    begin('crawl', *words)
    before = results(Path('run'))
    done = again('run', *more)
    assert (done.code, done.out) == (2, '')
    assert done.err.startswith(f'error: {why}') and done.err.count('\n') == 1
    assert results(Path('run')) == before


def test_same_options(crawl):
    words = ['--limit=2', '--filter=host=*', '--recursion=none', '--base-url=http://x']
    begin('crawl', *words)
    assert again('run', *words).err == DONE_BEFORE


@pytest.mark.parametrize('name', ['nothing', 'empty', 'file', 'docs', 'hdfs-like:x'])
def test_no_run(crawl, name):
    Path('empty').mkdir()
    Path('file').touch()
    before = sorted(crawl.rglob('*'))
    assert again(name) == (
        2,
        '',
        f'error: INPUT: missing, and {name} is not a run with inputs of its own; see '
        '--help\n',
    )
    assert sorted(crawl.rglob('*')) == before


def test_pages_of_another_run(crawl):
    """A run that detect has made of another run reads no archives."""
    begin('crawl')
    assert run('detect', 'run', '-o', 'new', '-q', '-r', 'inline').code == 0
    done = again('new')
    assert done.code == 2 and 'is not a run with inputs of its own' in done.err


def test_archives_are_gone(crawl, elsewhere):
    """One line says where they were; they can be named where they are now."""
    begin('crawl/a.warc.gz', 'crawl/b.arc')
    before = results(Path('run'))
    (crawl / 'moved').mkdir()
    (crawl / 'crawl').rename(crawl / 'moved/crawl')
    assert refused('-o', 'run', *OPTIONS) == (
        f'{crawl}/crawl/a.warc.gz and 1 more: missing; put it back, or give '
        'INPUT again if it has moved'
    )
    os.chdir('moved')
    words = ['crawl/a.warc.gz', 'crawl/b.arc', '-o', '../run', *OPTIONS]
    assert discover(*words).err.count('options or inputs have changed') == 8
    assert results(Path('../run')) == before
    out = elsewhere()
    assert again(out).err == DONE_BEFORE


@pytest.mark.parametrize('make', [Path.mkdir, os.mkfifo, lambda path: None])
def test_archive_is_something_else(crawl, make):
    begin('crawl/a.warc.gz')
    path = Path('crawl/a.warc.gz')
    path.unlink()
    make(path)
    assert refused('-o', 'run').startswith(f'{crawl}/crawl/a.warc.gz: missing; put it')


def test_other_words(crawl):
    """The same files under other names would not fit the tables that are there."""
    begin('crawl', '--limit=2')
    for words in (['./crawl'], [crawl / 'crawl'], ['list.txt', '--base-url=./crawl']):
        assert refused(*words, '--limit=2', '-o', 'run', *OPTIONS) == (
            'run: holds a run on these inputs under other names (see inputs.txt '
            'in it); leave INPUT out'
        )
    assert 'run on other inputs' in refused('./crawl', '--limit=1', '-o', 'run')
    assert again('run').err == DONE_BEFORE
    assert discover('./crawl', '--limit=2', '-o', 'run', '--force').code == 0
    assert json.loads(Path('run/run.json').read_text())['inputs'][0][:2] == './'


def test_other_words_for_an_interrupted_run(crawl):
    with interrupted():
        begin('crawl', code=130)
    assert refused('./crawl', '-o', 'run').endswith(
        'other names (see inputs.txt in it); leave INPUT out'
    )


# Runs of older versions, which have no record of their inputs


def test_older_run(crawl, elsewhere):
    begin('crawl', '--limit=2', '--recursion=none')
    os.unlink(f'run/{SOURCES}')
    before = results(Path('run')), record(Path('run'))
    out = elsewhere()
    assert again(out).err == DONE_BEFORE
    assert (results(out), record(out)) == before
    assert (out / SOURCES).exists()
    assert again(out, '--limit=3').code == 2


AGAIN = (
    'error: INPUT: missing, and run has not recorded how its inputs are read; give '
    'INPUT again\n'
)


def test_older_run_of_pages(crawl):
    """Their URLs hang on what was typed."""
    begin('docs')
    os.unlink(f'run/{SOURCES}')
    assert again('run') == (2, '', AGAIN)
    begin('docs')
    chosen = '01-captures: finished before\n'  # but no URL is repeated here
    assert again('run').err == DONE_BEFORE.replace(chosen, '')


@pytest.mark.parametrize('is_second', [False, True])
def test_older_run_interrupted(crawl, is_second):
    if is_second:
        begin('crawl')
    with interrupted():
        begin('crawl', '--recursion=none', code=130)
    os.unlink(f'run/{SOURCES}')
    assert again('run') == (2, '', AGAIN)
    begin('crawl')
    assert again('run').err == DONE_BEFORE


def test_older_run_under_other_names(crawl):
    begin('crawl')
    os.unlink(f'run/{SOURCES}')
    assert refused('./crawl', '-o', 'run').endswith('leave INPUT out')


@pytest.mark.parametrize(
    'text',
    [
        '',
        '5',
        '{"sources": 5}',
        '{"sources": [], "options": {}}',
        '{"sources": [["archive"]], "options": {"inputs": []}}',
        '{"sources": [[1, 2, 3, 4, 5, 6, 7, 8]], "options": 7}',
        '{"options": {"inputs": ["crawl"]}}',
    ],
)
def test_damaged_record(crawl, text):
    begin('crawl')
    Path(f'run/{SOURCES}').write_text(text)
    assert again('run').err == DONE_BEFORE
    Path(f'run/{SOURCES}').write_text(text)
    Path('run/run.json').write_text(text)
    assert again('run') == (2, '', AGAIN)


# The record itself


def options(**more) -> InputOptions:
    return InputOptions(['x'], '', None, [], 'length')._replace(**more)


def test_record(crawl):
    """Any names are read as they were written, with sizes as they are now."""
    os.mkdir('folder')
    name = os.fsdecode(b'odd\xff \n.html')
    Path(name).write_bytes(b'123')
    sources = [
        Source(
            'page', 'odd%FF %0A.html', f'{crawl}/{name}', 'docs/odd%FF.html', 7, 's'
        ),
        Source('archive', 'b.arc', f'{crawl}/crawl/b.arc', '', 1, 's'),
    ]
    typed = options(limit=5, filter=['status=200'], base_url='http://a/', add='folder')
    with RunDir('run') as run_:
        run_inputs.write_record(run_, RunInputs(typed, sources))
    told = run_inputs.read_inputs('run', options(inputs=[], recursion='length'))
    assert told.options == typed._replace(add=f'{crawl}/folder')
    assert [one[:4] for one in told.sources] == [one[:4] for one in sources]
    assert [one.size for one in told.sources] == [
        3,
        os.path.getsize('crawl/b.arc'),
    ]
    assert run_inputs.is_interrupted('run') and not run_inputs.is_interrupted('docs')


def test_names(crawl):
    one, other = (Source('archive', name, f'{crawl}/a') for name in ('a', './a'))
    with RunDir('run') as run_:
        run_inputs.check_names(run_, [one])
        run_inputs.write_record(run_, RunInputs(options(), [one]))
        run_inputs.check_names(run_, [one])
        run_inputs.check_names(run_, [one, other._replace(path='/b')])
        with pytest.raises(UserError, match='under other names'):
            run_inputs.check_names(run_, [other])
