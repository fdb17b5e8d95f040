"""Runs of quilts: resumed, beside other systems, with damage, with other options."""

import json
import random
import re
import shutil
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import Ended, apart, ended, run
from quilt_crawls import Draft, divide, random_drafts, write_archives
from reference_quilts import Corpus, Options

from mr_reuse.engine.chain import Chain
from mr_reuse.quilts import quilt_steps

TABLES = ['quilts.tsv', 'quilt_sources.tsv', 'quilt_shares.tsv', 'quilt_sites.tsv']
RULE = Options(k=2, m=6, c=1, alpha=Fraction(1, 4))
LINE = ['--k=2', '--m=6', '--c=1', '--alpha=0.25', '-r', 'inline']
# Small input is worked on without forks; a test of forks has to ask for them.
FORKED = """
import sys
sys.argv[0] = '-m'
from mr_reuse.engine import chain
from mr_reuse.pages import planning
planning.SMALL_ARCHIVES = -1
chain.Step.__new__.__defaults__ = (-1, None, {})
from mr_reuse.quilts.__main__ import main
sys.exit(main())
"""


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Four archives of pages that copy from each other; the names, and the pages."""
    dice = random.Random(7)
    shares = divide(dice, random_drafts(dice, 60, 20), 4)
    return write_archives(tmp_path_factory.mktemp('crawl'), shares)


def tables_in(folder) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


def quilts(*args) -> Ended:
    return run('quilts', *args, *LINE)


def test_tables(crawl, tmp_path):
    names, pages = crawl
    assert quilts(*names, '-q', '-o', tmp_path / 'run') == (0, '', '')
    expected = Corpus(pages, RULE).tables()
    assert expected['quilts.tsv'].count(b'\n') > 5
    assert tables_in(tmp_path / 'run') == expected


@pytest.mark.slow
def test_any_tasks(crawl, tmp_path):
    """From 1 to 16, each in a process of its own; and without the kernel."""
    names, pages = crawl
    expected = Corpus(pages, RULE).tables()
    line = [*LINE[:-1], 'local', '-q']
    for tasks in range(1, 17):
        out = tmp_path / f'run{tasks}'
        env = {'MR_REUSE_PURE': '1'} if tasks % 2 else {}
        command = [sys.executable, '-c', FORKED, *names, *line, '-o', out]
        done = ended(apart(*command, f'--tasks={tasks}', env=env))
        assert done == (0, '', '')
        assert tables_in(out) == expected


@pytest.mark.parametrize('step', ['11-urls', '12-lists', '15-covers', '16-quilts'])
def test_resumed(crawl, tmp_path, monkeypatch, step):
    """Interrupted before any step, the same command ends with the same bytes."""
    names, pages = crawl
    run_step = Chain.run_step

    def interrupt(chain, wanted):
        if wanted.folder == step:
            raise KeyboardInterrupt
        return run_step(chain, wanted)

    with monkeypatch.context() as patched:
        patched.setattr(Chain, 'run_step', interrupt)
        done = quilts(*names, '-o', tmp_path / 'run')
    assert done.code == 130
    done = quilts('-o', tmp_path / 'run')
    assert done.code == 0
    finished = [s.folder for s in quilt_steps.FIND[: position(step)]]
    assert [line for line in done.err.splitlines() if 'finished before' in line] == [
        f'{folder}: finished before' for folder in finished
    ]
    assert tables_in(tmp_path / 'run') == Corpus(pages, RULE).tables()


def position(folder: str) -> int:
    return [step.folder for step in quilt_steps.FIND].index(folder)


def test_again_with_another_rule(crawl, tmp_path):
    """Grams are not read again; tables are those of the new rule."""
    names, pages = crawl
    out = tmp_path / 'run'
    assert quilts(*names, '-q', '-o', out).code == 0
    done = run('quilts', '-o', out, '--k=2', '--m=3', '--c=2', '-r', 'inline')
    assert done.code == 0
    assert '11-grams: finished before' in done.err
    assert '14-shares: runs again, since options or inputs have changed' in done.err
    assert tables_in(out) == Corpus(pages, Options(k=2, m=3, c=2)).tables()


@pytest.mark.parametrize('first', ['discover', 'quilts'])
def test_with_discover(crawl, tmp_path, first):
    """Both systems in one run, in either order: each keeps the tables of the other."""
    names, pages = crawl
    out = tmp_path / 'run'
    lines = {
        'discover': ['--threshold=1', '--min-len=0', '-r', 'inline'],
        'quilts': LINE,
    }
    second = 'quilts' if first == 'discover' else 'discover'
    assert run(first, *names, *lines[first], '-q', '-o', out).code == 0
    done = run(second, *lines[second], '-q', '-o', out)
    assert done == (0, '', '')
    assert run('detect', '-q', '-r', 'inline', '-o', out).code == 0
    assert tables_in(out) == Corpus(pages, RULE).tables()
    apart_run = tmp_path / 'apart'
    assert run('discover', *names, *lines['discover'], '-q', '-o', apart_run).code == 0
    for name in ('labels.tsv', 'frequency.tsv', 'pairs.tsv'):
        assert (out / name).read_bytes() == (apart_run / name).read_bytes()
    stats = json.loads((out / 'stats.json').read_text())
    assert stats['quilts']['quilts'] and stats['neighborhoods']
    record = json.loads((out / 'run.json').read_text())
    assert record['finished'] and record['detect']['matches']
    assert record['systems']['quilts']['steps'].keys() >= {'11-grams', '16-quilts'}
    assert record['systems']['quilts']['unicode'] == '17.0.0'
    # Nothing has changed, so nothing runs again.
    done = quilts('-o', out)
    assert done.err.count('finished before') == len(
        record['systems']['quilts']['steps']
    )
    done = run('discover', *lines['discover'], '-o', out)
    assert 'runs again' not in done.err


def test_labels_of_elsewhere(crawl, tmp_path):
    """detect reads the inputs of a run that quilts has made."""
    names, _ = crawl
    labels, out, own = (tmp_path / name for name in ('labels', 'run', 'own'))
    line = ['--threshold=1', '--min-len=0', '-q', '-r', 'inline']
    assert run('discover', *names, *line, '-o', labels).code == 0
    assert quilts(*names, '-q', '-o', out).code == 0
    for folder, inputs in ((out, []), (own, names)):
        done = run('detect', *inputs, '-l', labels, '-q', '-r', 'inline', '-o', folder)
        assert done == (0, '', '')
    assert (out / 'pages.tsv').read_bytes() == (own / 'pages.tsv').read_bytes()
    assert (out / 'quilts.tsv').exists()


def test_run_without_inputs(tmp_path):
    done = run('quilts', '-o', tmp_path / 'run')
    assert done.code == 2 and done.err.startswith('error: INPUT: missing')
    assert done.err.count('\n') == 1


@pytest.mark.parametrize(
    'option, reason',
    [
        ('--m=1', '--m 1: give 2 or more; fewer leave no patch grams'),
        ('--k=0', "--k: '0' is not a whole number, 1 or more"),
        ('--c=0', "--c: '0' is not a whole number, 1 or more"),
        ('--alpha=1.5', "--alpha: '1.5' is above 1; for 50 % give 0.5"),
        ('--delta=x', "--delta: 'x' is not a number such as 0.163"),
        ('--foreign=asn', "--foreign: 'asn' is not one of none, host, domain, ip"),
    ],
)
def test_refused_options(tmp_path, option, reason):
    done = run('quilts', 'x', '-o', tmp_path / 'run', option)
    assert (done.code, done.out) == (2, '')
    assert done.err.startswith(f'error: {reason}') and done.err.count('\n') == 1
    assert not (tmp_path / 'run').exists()


def test_dry_run(crawl, tmp_path):
    names, _ = crawl
    done = quilts(*names, '-o', tmp_path / 'run', '--dry-run')
    assert (done.code, done.err) == (0, '')
    assert 'would run ReadGrams, FindRepeatedDocuments, ChooseDocuments, ' in done.out
    assert not (tmp_path / 'run').exists()


def test_expected_cost(tmp_path):
    """The bytes that a dry run expects are about those that the run then writes."""
    dice = random.Random(5)
    texts = [dice.choices([f'w{n}' for n in range(9000)], k=2000) for _ in range(60)]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, _ = write_archives(tmp_path, [drafts[:30], drafts[30:]])
    out = tmp_path / 'run'
    line = [*names, '-r', 'inline', '-o', out]
    told = run('quilts', *line, '--dry-run').out
    [said] = (line for line in told.splitlines() if line.startswith('it would take'))
    shuffle, disk = map(float, re.findall(r'([\d.]+) MB', said))
    assert run('quilts', *line, '-q').code == 0
    steps = json.loads((out / 'run.json').read_text())['systems']['quilts']['steps']
    sizes = {name: step['bytes'] / 1e6 for name, step in steps.items()}
    shuffled = steps['12-lists']['counters']['mr_reuse']['bytes shuffled'] / 1e6
    assert shuffle == pytest.approx(shuffled, rel=0.15)
    assert sum(sizes.values()) < disk < 2 * sum(sizes.values())


def test_dry_run_without_documents(tmp_path):
    names, _ = write_archives(tmp_path, [[Draft('http://a/', 'x', media='text/plain')]])
    done = run('quilts', *names, '-o', tmp_path / 'run', '--dry-run')
    assert (done.code, done.err) == (0, '')
    assert 'cost unknown: no pages in a sample of the input' in done.out


def test_damage(tmp_path):
    """A record that is cut costs its page, and the exit code says so."""
    text = ' '.join(f'w{n}' for n in range(9))
    drafts = [Draft(f'http://h{n}.org/', text) for n in range(3)]
    names, pages = write_archives(tmp_path, [drafts], gzipped=False)
    data = (tmp_path / '0.warc').read_bytes()
    (tmp_path / '0.warc').write_bytes(data[:-60])
    done = run('quilts', *names, '--c=1', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 3
    assert 'damaged input; everything else was read:' in done.err
    words = (tmp_path / 'run/quilts.tsv').read_text().splitlines()[1:]
    assert [line.split('\t')[0] for line in words][:2] == [p.rid for p in pages[:2]]
    record = json.loads((tmp_path / 'run/run.json').read_text())
    [damaged] = record['systems']['quilts']['damaged']
    assert damaged['damage']


@pytest.mark.parametrize('count', [2, 12])
def test_refuted(tmp_path, monkeypatch, count):
    """Grams with the same hash and other words make no quilt, but a warning.

    Two pages are in different partitions of the check. Of twelve, some are together.
    """
    texts = [' '.join(f'w{page}x{n}' for n in range(9)) for page in range(count)]
    drafts = [Draft(f'http://h{n}.org/', words) for n, words in enumerate(texts)]
    names, _ = write_archives(tmp_path, [drafts])

    def hash_places(lanes, k):
        """All pages have the same grams, by their places alone."""
        count = max(0, len(lanes) - k + 1)
        places = np.arange(count, dtype=np.uint64) % np.uint64(5)
        return places, np.zeros(count, np.uint16)

    monkeypatch.setenv('MR_REUSE_PURE', '1')
    monkeypatch.setattr('mr_reuse.text.gram_block.hash_grams', hash_places)
    monkeypatch.setattr('mr_reuse.quilts.checks.patches.hash_grams', hash_places)
    done = run('quilts', *names, '--c=1', '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 0
    warning = f'warning: {count} quilts left out: the words in the archives'
    assert done.err.startswith(warning)
    for table in ('quilts', 'quilt_sources', 'quilt_sites'):
        assert (tmp_path / f'run/{table}.tsv').read_text().count('\n') == 1
    stats = json.loads((tmp_path / 'run/stats.json').read_text())['quilts']
    found = [stats[name] for name in ('candidates', 'quilts', 'refuted', 'sources')]
    assert found == [count, 0, count, 0]


@pytest.mark.parametrize(
    'word, left_out', [(b's1w9x', True), (b's1w0x', False), (b'own1', False)]
)
def test_changed_archive(tmp_path, monkeypatch, word, left_out):
    """A quilt is left out if a source has other words when it is checked.

    A word that is in no patch gram makes no difference.
    """
    sources = [[f's{n}w{i}x' for i in range(12)] for n in range(1, 5)]
    quilt = []
    for number, source in enumerate(sources):
        quilt += [f'own{number}', *source[2:]]
    texts = [quilt, *sources]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    [name], _ = write_archives(tmp_path, [drafts], gzipped=False)
    run_step = Chain.run_step

    def change(chain, step):
        if step.folder == '16-quilts':
            data = Path(name).read_bytes()
            before, found, behind = data.rpartition(word)  # in the source
            Path(name).write_bytes(before + word[:-1] + b'z' + behind)
            assert found
        return run_step(chain, step)

    monkeypatch.setattr(Chain, 'run_step', change)
    line = ['-q', '-r', 'inline', '-o', tmp_path / 'run']
    done = run('quilts', name, *line)
    assert done.code == 0
    assert done.err.startswith('warning: 1 quilt left out: ') == left_out
    stats = json.loads((tmp_path / 'run/stats.json').read_text())['quilts']
    assert (stats['quilts'], stats['refuted']) == (1 - left_out, left_out)


def test_sweep(crawl, tmp_path):
    names, pages = crawl
    out = tmp_path / 'run'
    assert quilts(*names, '-q', '-o', out).code == 0
    before = tables_in(out)
    values = {
        'k': [1, 2, 4],
        'm': [2, 6, 20],
        'c': [1, 2, 3],
        'alpha': [Fraction(1, 10), Fraction(1, 4), Fraction(9, 10)],
    }
    line = [
        f'--{k}={",".join(str(float(v) if k == "alpha" else v) for v in vs)}'
        for k, vs in values.items()
    ]
    assert run('quilts', 'sweep', out, *line, '-q', '-r', 'inline') == (0, '', '')
    rows = [
        (name, str(float(value)) if name == 'alpha' else str(value))
        + tuple(map(str, Corpus(pages, RULE._replace(**{name: value})).swept()))
        for name, some in values.items()
        for value in some
    ]
    lines = (out / 'quilt_sweep.tsv').read_text().splitlines()
    assert lines[0] == 'parameter\tvalue\tdocuments\tquilted\tpercent\tsources'
    assert [tuple(line.split('\t')) for line in lines[1:]] == rows
    assert tables_in(out) == before
    # It stays as long as the quilts do.
    assert quilts('-q', '-o', out).code == 0 and (out / 'quilt_sweep.tsv').exists()
    done = run('quilts', '-o', out, '--k=2', '--m=3', '-q', '-r', 'inline')
    assert 'removed: quilt_sweep.tsv' in done.err
    assert not (out / 'quilt_sweep.tsv').exists()


def test_sweep_needs_quilts(tmp_path):
    done = run('quilts', 'sweep', tmp_path / 'run')
    assert done.code == 1
    assert (
        done.err
        == f'error: {tmp_path / "run"}: has no quilts; run quilts on it first\n'
    )


def test_run_that_was_added(crawl, tmp_path):
    """A run with --add has the inputs of older runs, too: quilts reads all of them."""
    names, pages = crawl
    line = ['--threshold=1', '--min-len=0', '-q', '-r', 'inline']
    old, new, last = (tmp_path / name for name in ('old', 'new', 'last'))
    assert run('discover', *names[:2], *line, '-o', old).code == 0
    assert run('discover', names[2], *line, '--add', old, '-o', new).code == 0
    assert run('discover', names[3], *line, '--add', new, '-o', last).code == 0
    before = json.loads((last / 'run.json').read_text())
    assert quilts('-q', '-o', last) == (0, '', '')
    assert tables_in(last) == Corpus(pages, RULE).tables()
    after = json.loads((last / 'run.json').read_text())
    assert (after['inputs'], after['paths']) == (before['inputs'], before['paths'])
    # Nothing has changed for discover, nor for quilts.
    assert (
        'runs again' not in run('discover', *line[:2], '-r', 'inline', '-o', last).err
    )
    assert 'runs again' not in quilts('-o', last).err
    rows = tables_in(last)['quilts.tsv'].decode().splitlines()
    rid = next(row for row in rows if row.startswith(names[0])).split('\t')[0]
    assert run('show', last, rid, '--as', 'quilts').code == 0
    shutil.rmtree(old)
    done = quilts('-o', last)
    assert done.code == 1 and done.err.count('\n') == 1
    reason = 'whose inputs are not known any more; name another folder, and INPUT of'
    assert done.err.startswith(f'error: {last}: was added to {old}, {reason}')


def test_inputs_that_have_changed(crawl, tmp_path):
    """report and show say so if discover has read other files than quilts."""
    names = [shutil.copy(name, tmp_path) for name in crawl[0]]
    out = tmp_path / 'run'
    line = ['--threshold=1', '--min-len=0', '-q', '-r', 'inline', '-o', out]
    assert run('discover', *names, *line).code == 0
    assert quilts('-q', '-o', out) == (0, '', '')

    def looks() -> tuple[str, bool]:
        [_, row, *_] = (out / 'quilts.tsv').read_text().splitlines()
        assert run('report', out, '-q').code == 0
        page = (out / 'report.html').read_text()
        shown = run('show', out, row.split('\t')[0], '--as', 'quilts')
        assert shown.code == 0
        return shown.err, 'Out of date:' in page

    assert looks() == ('', False)
    with open(names[0], 'ab') as stream:
        stream.write(Path(names[1]).read_bytes())
    assert run('discover', *line).code == 0
    reason = 'the inputs have changed between the commands quilts and discover, so'
    err, is_marked = looks()
    assert is_marked and err.startswith(f'warning: {out}: {reason} ')
    assert err.count('\n') == 1 and err.count(f' -o {out}') == 2
    assert quilts('-q', '-o', out).code == 0
    assert looks() == ('', False)


def test_other_commands(crawl, tmp_path):
    """report, export and get work in a run that has nothing of discover."""
    names, pages = crawl
    out, copy = tmp_path / 'run', tmp_path / 'copy'
    assert quilts(*names, '-q', '-o', out).code == 0
    assert run('report', out, '-q') == (0, '', '')
    assert run('export', out, '--format', 'jsonl', '-o', copy, '-q') == (0, '', '')
    rows = (copy / 'quilts.jsonl').read_text().splitlines()
    first = json.loads(rows[0])
    assert len(rows) == len(Corpus(pages, RULE).quilts())
    assert (type(first['sources']), type(first['share'])) == (int, float)
