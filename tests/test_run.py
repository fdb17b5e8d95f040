"""Run directories: what is done again, what is refused, what is left."""

import fcntl
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import termios
import time

import pytest
from commands import (
    DISCOVER,
    FORKED_DISCOVER,
    apart,
    discover,
    ended,
    leftovers,
    refused,
    results,
    run,
)
from crawls import sample_crawl, write_crawl, write_warc

from mr_reuse import chain, corpus, progress, showing, storage
from mr_reuse.jobs.hash_chunks import HashChunks

STEPS = ['01-pages', '02-counts', '03-labels', '04-places', '05-previews']
AGAIN = 'type the same command again to go on from here'


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    return write_crawl(tmp_path_factory.mktemp('crawl'), sample_crawl())[0]


@pytest.fixture(scope='module')
def finished(crawl, tmp_path_factory):
    out = tmp_path_factory.mktemp('finished') / 'run'
    assert discover(*crawl, '-o', out, '--threshold=1', '-q') == (0, '', '')
    return out


@pytest.fixture
def again(crawl, finished, tmp_path):
    """Do it again in a copy of a finished run; what it says, step by step."""
    out = tmp_path / 'run'
    shutil.copytree(finished, out)

    def discover_again(*args, names=crawl):
        code, _, err = discover(*names, '-o', out, '--threshold=1', *args)
        assert code == 0, err
        assert not leftovers(out)
        lines = [line.split(': ') for line in err.splitlines()]
        return {step: told for step, told in lines if step in STEPS}

    discover_again.out = out
    return discover_again


@pytest.fixture
def forked(monkeypatch):
    """Fork tasks, although the input is small."""
    monkeypatch.setattr(corpus, 'SMALL_ARCHIVES', -1)
    monkeypatch.setattr(corpus, 'FEW_ROWS', -1)
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None))


SKIPPED = 'finished before'
REDONE = 'options or inputs are new'


def from_step(number: int) -> dict[str, str]:
    """What is said when the steps from one on are done again."""
    return {s: SKIPPED if i < number else REDONE for i, s in enumerate(STEPS, 1)}


# What is done again


@pytest.mark.parametrize('args', [[], ['--tasks=7'], ['--no-combine'], ['-r', 'local']])
def test_skipped(again, finished, args):
    assert again(*args) == from_step(6)
    assert results(again.out) == results(finished)


@pytest.mark.parametrize(
    'first, args',
    [
        (1, ['--delimiters=p', '--filter=status=200']),
        (1, ['--recursion=none']),
        (3, ['--threshold=2']),
        (3, ['--file-threshold=2', '--min-len=7']),
    ],
)
def test_changed_option(again, crawl, tmp_path, first, args):
    assert again(*args) == from_step(first)
    new = tmp_path / 'new'
    assert discover(*crawl, '-o', new, '--threshold=1', *args).code == 0
    assert results(again.out) == results(new)
    assert again() == from_step(first)


def test_changed_stop_list(again, tmp_path):
    stop = tmp_path / 'stop.txt'
    stop.write_text('a' * 40)
    assert again(f'--stop={stop}') == from_step(3)
    assert again(f'--stop={stop}') == from_step(6)
    stop.write_text('b' * 40)
    assert again(f'--stop={stop}') == from_step(3)


def test_changed_archive(tmp_path, again):
    name = tmp_path / 'a.warc'
    write_warc(name, sample_crawl(5))
    again('--force', names=[name])
    assert again(names=[name]) == from_step(6)
    os.utime(name, (1, 1))
    assert again(names=[name]) == from_step(1)
    write_warc(name, sample_crawl(6))
    assert again(names=[name]) == from_step(1)


def test_lost_output(again, finished):
    shutil.rmtree(next((again.out / '02-counts').glob('attempt-*')))
    for name in results(finished):
        (again.out / name).unlink()
    assert list(again()) == STEPS[:1] + STEPS[2:]  # what is not there is just done
    assert results(again.out) == results(finished)


def test_one_result(crawl, finished, tmp_path, forked):
    """Neither tasks nor runners nor combiners change a byte."""
    for number, args in enumerate(
        [['--tasks=1'], ['--tasks=2', '--no-combine'], ['--tasks=7']]
    ):
        for runner in ('inline', 'local'):
            out = tmp_path / f'{runner}{number}'
            line = [*crawl, '-o', out, '--threshold=1', '-q', *args]
            assert discover(*line, runner=runner) == (0, '', '')
            assert results(out) == results(finished)
            assert not leftovers(out)


# What is refused


def test_other_inputs(again, crawl):
    line = [crawl[0], '-o', again.out, '--threshold=1']
    before = results(again.out)
    assert refused(*line) == (
        f'{again.out}: holds a run on other inputs (see inputs.txt there); '
        'name another folder, or give --force to replace it'
    )
    assert results(again.out) == before
    (again.out / 'pages.tsv').touch()  # of the run that is replaced
    assert discover(*line, '--force').code == 0
    assert not (again.out / 'pages.tsv').exists()
    assert json.loads((again.out / 'run.json').read_text())['inputs'] == [crawl[0]]


@pytest.mark.parametrize('name', ['notes.txt', 'my.tsv', 'photos', 'x.half', 'my.mrl'])
def test_foreign_things(crawl, tmp_path, name):
    out = tmp_path / 'run'
    (out / name).mkdir(parents=True)
    assert refused(*crawl, '-o', out) == (
        f"{out}: holds '{name}', which is not of a run; name another folder, or give "
        '--force'
    )
    assert [path.name for path in out.iterdir()] == [name]
    assert discover(*crawl, '-o', out, '--force').code == 0
    assert discover(crawl[0], '-o', out, '--force').code == 0
    assert (out / name).is_dir()


def test_run_is_file(crawl, tmp_path):
    (tmp_path / 'run').touch()
    for out in (tmp_path / 'run', tmp_path / 'run/x'):
        assert (
            refused(*crawl, '-o', out) == f'{out}: a file is in the way of this folder'
        )


def test_run_not_writable(crawl):
    assert refused(*crawl, '-o', '/proc/run').endswith(': /proc/run')


def test_missing_parent(crawl, tmp_path):
    assert discover(*crawl, '-o', tmp_path / 'a/b/run', '-q').code == 0


# Locks


def lock(out, **owner):
    (out / '_lock').write_text(json.dumps(storage.process() | owner))


def test_live_lock(again, crawl):
    lock(again.out)
    owner = storage.process()
    for more in ([], ['--force']):
        assert refused(*crawl, '-o', again.out, *more) == (
            f'{again.out}: process {os.getpid()} on {owner["host"]} works in it; wait '
            'for it'
        )
    assert (again.out / '_lock').exists()


def test_lock_of_another_host(again, crawl):
    lock(again.out, host='far-away', pid=7)
    assert refused(*crawl, '-o', again.out) == (
        f'{again.out}: process 7 on far-away works in it; wait for it, or give --force '
        'if it is gone'
    )
    assert again('--force') == from_step(6)


@pytest.mark.parametrize('owner', [{'pid': 4194305}, {'started': '1'}, {'pid': 1}])
def test_void_lock(again, owner):
    """The process is gone, or another one has its number now."""
    lock(again.out, **owner)
    assert again() == from_step(6)


@pytest.mark.parametrize('text', ['', '{"host'])
def test_half_lock(again, text):
    (again.out / '_lock').write_text(text)
    assert again() == from_step(6)


def test_what_a_kill_leaves(again):
    for name in ('labels.tsv.half', 'labels.mrl.0123abcd.half', '_tmp/x'):
        (again.out / name).mkdir(parents=True)
    assert again() == from_step(6)


# From another folder, in another place


def test_relative_run(crawl, tmp_path, monkeypatch):
    (tmp_path / 'x').mkdir()
    monkeypatch.chdir(tmp_path)
    assert discover(*crawl, '-o', 'run', '--threshold=1').code == 0
    before = results(tmp_path / 'run')
    monkeypatch.chdir(tmp_path / 'x')
    code, _, err = discover(*crawl, '-o', '../run', '--threshold=1')
    assert (code, err.count(SKIPPED)) == (0, 5)
    (tmp_path / 'run').rename('moved')
    assert results(tmp_path / 'x/moved') == before
    digest = before['labels.tsv'].split()[7].decode()
    code, out, _ = run('show', 'moved', digest[:12])
    assert code == 0 and out.startswith('<')


# Adding to an older run


@pytest.fixture
def added(crawl, tmp_path, monkeypatch):
    """Three runs, each added to the one before, the first named by a relative path."""
    monkeypatch.chdir(tmp_path)
    line = ['--threshold=1', '-q']
    assert discover(crawl[0], '-o', 'one', *line).code == 0
    assert discover(crawl[1], '-o', 'two', '--add', 'one', *line).code == 0
    (tmp_path / 'x').mkdir()
    monkeypatch.chdir(tmp_path / 'x')
    assert discover(*crawl[2:], '-o', '../three', '--add', '../two', *line).code == 0
    return tmp_path


def test_add(added, crawl, finished):
    assert results(added / 'three') == results(finished)
    line = [*crawl[2:], '-o', added / 'three', '--add', added / 'two', '--threshold=1']
    assert discover(*line).err.count(SKIPPED) == 5
    told = json.loads((added / 'three/run.json').read_text())
    whole = json.loads((finished / 'run.json').read_text())
    assert told['read'] == whole['read']
    digest = results(finished)['labels.tsv'].split()[7].decode()
    assert run('show', added / 'three', digest) == run('show', finished, digest)


def test_add_moved(added, crawl):
    (added / 'one').rename(added / 'gone')
    line = [*crawl[2:], '-o', added / 'four', '--add', added / 'two']
    why = refused(*line)
    assert why.startswith(f'{added}/one/01-pages/attempt-')
    assert why.endswith(f': gone, but {added}/two is made of it')
    assert not (added / 'four').exists()


def test_add_same_archive(added, crawl):
    out = added / 'four'
    line = [crawl[1], '-o', out, '--add', added / 'two', '--threshold=1', '-q']
    assert discover(*line) == (
        0,
        '',
        f'warning: {crawl[1]}: two has read it, left out\n',
    )
    assert results(out) == results(added / 'two')


def test_add_refused(again, crawl, tmp_path):
    old, new = again.out, tmp_path / 'new'
    assert refused(crawl[0], '-o', old, '--add', old) == (
        f'{old}: a run cannot be added to itself'
    )
    assert refused(crawl[0], '-o', new, '--add', old, '--hash=sha256') == (
        f'{old}: made with --hash sha1, not sha256; counts of the two cannot be added'
    )
    (old / 'run.json').unlink()
    assert refused(crawl[0], '-o', new, '--add', old) == (
        f'{old}: no finished run of discover'
    )
    assert not new.exists()


# Tasks that end badly


def test_killed_task(crawl, finished, tmp_path, forked, monkeypatch):
    def kill_itself(self):
        os.kill(os.getpid(), signal.SIGKILL)

    line = [*crawl, '-o', tmp_path / 'run', '--threshold=1', '-q']
    with monkeypatch.context() as patch:
        patch.setattr(HashChunks, 'mapper_final', kill_itself)
        assert discover(*line, runner='local') == (
            1,
            '',
            f'error: {tmp_path}/run: step 01-pages failed: a task was killed, perhaps '
            f'because memory ran out; {AGAIN}\n',
        )
    assert not leftovers(tmp_path / 'run')
    assert discover(*line, runner='local').code == 0
    assert results(tmp_path / 'run') == results(finished)


@pytest.mark.parametrize('runner', ['inline', 'local'])
def test_failed_task(crawl, tmp_path, forked, monkeypatch, runner):
    def fail(self):
        raise ValueError('so it is')

    monkeypatch.setattr(HashChunks, 'mapper_final', fail)
    assert discover(*crawl, '-o', tmp_path / 'run', runner=runner) == (
        1,
        '',
        f'error: {tmp_path}/run: step 01-pages failed: ValueError: so it is; {AGAIN}\n',
    )


# What is said on the way


def test_quiet(crawl, tmp_path):
    code, out, err = discover(*crawl, '-o', tmp_path / 'run')
    assert (code, err) == (0, '') and 'pages' in out
    assert discover(*crawl, '-o', tmp_path / 'run', '-q') == (0, '', '')


def test_lines(monkeypatch, tmp_path):
    """A line a minute, here one every 50 ms, while half of the bytes are read."""
    monkeypatch.setattr(showing, 'LINE_EVERY', 0.05)
    monkeypatch.setattr(progress, 'total', lambda folder: (1234, 5_000_000, 50))
    shown = showing.Showing(False, 'folder')
    shown.total = 100
    with open(tmp_path / 'said', 'w+') as stream:
        monkeypatch.setattr(showing.sys, 'stderr', stream)
        with shown.step('01-pages'):
            time.sleep(0.3)
        stream.seek(0)
        lines = stream.read().splitlines()
    assert len(lines) > 1
    for line in lines:
        assert line.startswith('01-pages: 1,234 pages, ')
        assert line.endswith(' MB/s, about 0 min left')


@pytest.mark.apart
def test_bar(crawl, tmp_path):
    """On a terminal there is a bar, and no warning of threads and forks."""
    code, said = on_terminal(*FORKED_DISCOVER, *crawl, '-o', tmp_path / 'run')
    assert code == 0
    assert '01-pages 100% ' in said and ' pages, ' in said and ' MB/s' in said
    assert 'multi-threaded' not in said and 'Traceback' not in said


def on_terminal(*line) -> tuple[int, str]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('4H', 24, 100, 0, 0))
    env = {'PYTHONWARNINGS': 'default::DeprecationWarning'}
    process = apart(*line, env=env, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    said = b''
    try:
        while block := os.read(ours, 1 << 16):
            said += block
    except OSError:  # how a terminal ends
        pass
    os.close(ours)
    return process.wait(), said.decode()


@pytest.mark.apart
def test_nobody_reads(crawl, tmp_path):
    """`discover … | head -1` ends without a word."""
    process = apart(*DISCOVER, *crawl, '-o', tmp_path / 'run')
    process.stdout.close()
    process.stdout = None
    assert ended(process) == (0, None, '')


@pytest.mark.apart
def test_no_output_at_all(crawl, tmp_path):
    line = ['sh', '-c', '"$@" >&- 2>&-', '-', *DISCOVER, *crawl, '-o', tmp_path / 'run']
    assert ended(apart(*line)).code == 0
