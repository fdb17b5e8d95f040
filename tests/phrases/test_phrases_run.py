"""Runs of phrases: resumed, beside other systems, with damage, with other options."""

import json
import random

import pytest
from commands import Ended, run
from phrase_crawls import arguments, random_pages, rows, tables_in, write_texts
from quilt_crawls import Draft, divide
from reference_phrase_tables import Corpus, Options
from reference_shingles import Sampler

from mr_reuse.engine.chain import Chain
from mr_reuse.phrases import phrase_steps

RULE = Options(popular=3, covers=2, top=20)
LINE = [*arguments(RULE), '-r', 'inline']
QUILTS = ['--k=2', '--c=1', '--alpha=0.1', '-r', 'inline']
FOLDERS = [s.folder for s in phrase_steps.FIND if s is not phrase_steps.VERIFIED]
QUICK = {'22-edges', '24-popular', '27-covers', '28-texts'}


@pytest.fixture(scope='module')
def sampler():
    return Sampler()


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives of pages; the names, and the pages."""
    dice = random.Random(1)
    shares = divide(dice, random_pages(dice, 90), 3)
    return write_texts(tmp_path_factory.mktemp('crawl'), shares)


@pytest.fixture(scope='module')
def expected(crawl, sampler):
    tables = Corpus(crawl[1], RULE, sampler).tables()
    assert all(len(rows(table)) > 1 for table in tables.values())
    return tables


def phrases(*args) -> Ended:
    return run('phrases', *args, *LINE)


@pytest.mark.parametrize(
    'step',
    [f if f in QUICK else pytest.param(f, marks=pytest.mark.slow) for f in FOLDERS],
)
def test_phrases_resumed(crawl, expected, tmp_path, monkeypatch, step):
    """Interrupted before any step, the same command ends with the same bytes."""
    run_step = Chain.run_step

    def interrupt(chain, wanted):
        if wanted.folder == step:
            raise KeyboardInterrupt
        return run_step(chain, wanted)

    with monkeypatch.context() as patched:
        patched.setattr(Chain, 'run_step', interrupt)
        assert phrases(*crawl[0], '-o', tmp_path / 'run').code == 130
    done = phrases('-o', tmp_path / 'run')
    assert done.code == 0
    finished = [line for line in done.err.splitlines() if 'finished before' in line]
    before = FOLDERS[: FOLDERS.index(step)]
    assert finished == [f'{folder}: finished before' for folder in before]
    assert tables_in(tmp_path / 'run') == expected


def test_phrases_again_with_another_rule(crawl, sampler, tmp_path):
    """Pages are not read again; tables are those of the new rule."""
    names, texts = crawl
    assert phrases(*names, '-q', '-o', tmp_path).code == 0
    options = RULE._replace(popular=4, seed=1)
    done = run('phrases', '-o', tmp_path, *arguments(options), '-r', 'inline')
    assert done.code == 0
    assert '22-edges: finished before' in done.err
    assert '24-popular: runs again, since options or inputs have changed' in done.err
    assert tables_in(tmp_path) == Corpus(texts, options, sampler).tables()
    again = run('phrases', '-o', tmp_path, *arguments(options), '-r', 'inline')
    assert again.code == 0 and 'runs again' not in again.err


@pytest.mark.parametrize('first', ['quilts', 'discover', 'phrases'])
def test_phrases_with_other_systems(crawl, expected, tmp_path, first):
    """In one run, in any order: each system keeps the tables of the others."""
    lines = {
        'phrases': LINE,
        'quilts': QUILTS,
        'discover': ['--threshold=1', '--min-len=0', '-r', 'inline'],
    }
    order = [first, *(name for name in lines if name != first)]
    inputs, found = crawl[0], {}
    for name in order:
        done = run(name, *inputs, *lines[name], '-q', '-o', tmp_path)
        assert done == (0, '', '')
        inputs = []
        tables = {path.name: path.read_bytes() for path in tmp_path.glob('*.tsv')}
        assert found.items() <= tables.items()
        found = tables
    assert tables_in(tmp_path) == expected
    stats = json.loads((tmp_path / 'stats.json').read_text())
    assert stats['quilts']['documents'] == stats['phrases']['documents']
    record = json.loads((tmp_path / 'run.json').read_text())
    assert record['finished'] and {'phrases', 'quilts'} <= record['systems'].keys()
    for name in order:
        done = run(name, *lines[name], '-o', tmp_path)
        assert done.code == 0 and 'runs again' not in done.err


def test_phrases_without_inputs(tmp_path):
    done = run('phrases', '-o', tmp_path / 'run')
    assert done.code == 2 and done.err.startswith('error: INPUT: missing')
    assert done.err.count('\n') == 1


def test_dry_run_of_phrases(crawl, tmp_path):
    done = phrases(*crawl[0], '-o', tmp_path / 'run', '--dry-run')
    assert (done.code, done.err) == (0, '')
    assert not (tmp_path / 'run').exists()


def test_damaged_phrases(tmp_path):
    """A record that is cut costs its page, and the exit code says so."""
    texts = [
        [f'all{n}x' for n in range(30)] + [f'own{n}x{i}' for i in range(9)]
        for n in range(7)
    ]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, pages = write_texts(tmp_path, [drafts], gzipped=False)
    data = (tmp_path / '0.warc').read_bytes()
    (tmp_path / '0.warc').write_bytes(data[:-60])
    done = run('phrases', *names, '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 3
    record = json.loads((tmp_path / 'run/run.json').read_text())
    [damaged] = record['systems']['phrases']['damaged']
    assert record['systems']['phrases']['unicode'] == '17.0.0'
    assert damaged['damage']
    found = [row[0] for row in rows(tables_in(tmp_path / 'run')['phrase_pages.tsv'])]
    assert found[:6] == [page.rid for page in pages[:6]]
