"""Run directories: what is done again, what is refused, what is left."""

import json
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from commands import discover, leftovers, refused, results, run
from crawls import sample_crawl, write_crawl, write_warc

from mr_reuse.chunks.discover import steps
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.engine import chain, launch, processes
from mr_reuse.pages import planning
from mr_reuse.tables import table_files

STEPS = ['01-pages', '02-counts', '03-labels', '03-places', '03-previews']
AGAIN = 'type the same command again to resume'


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
    monkeypatch.setattr(planning, 'SMALL_ARCHIVES', -1)
    monkeypatch.setattr(steps, 'SMALL_INPUT', -1)
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))


SKIPPED = 'finished before'
CHANGED = 'runs again, since its output has changed'
REDONE = 'runs again, since options or inputs have changed'


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


def test_cut_output(again, finished):
    part = next((again.out / '02-counts').glob('attempt-*/part-*'))
    part.write_bytes(b'')
    assert again()['02-counts'] == CHANGED
    assert results(again.out) == results(finished)


@pytest.mark.parametrize('step', STEPS)
def test_flipped_bit(again, finished, step):
    """A part file of the same size: the step is done again, and so are those after."""
    part = next((again.out / step).glob('attempt-*/part-*'))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    told = again()
    assert told[step] == CHANGED
    assert results(again.out) == results(finished)


def test_lost_output(again, finished):
    shutil.rmtree(next((again.out / '02-counts').glob('attempt-*')))
    for name in results(finished):
        (again.out / name).unlink()
    assert list(again()) == STEPS[:1] + STEPS[2:]  # what is not there is just done
    assert results(again.out) == results(finished)


def test_one_result(crawl, finished, tmp_path, forked):
    """Neither tasks nor runners nor combiners change a byte."""
    for number, args in enumerate([['--tasks=1'], ['--tasks=7', '--no-combine']]):
        for runner in ('inline', 'local'):
            out = tmp_path / f'{runner}{number}'
            line = [*crawl, '-o', out, '--threshold=1', '-q', *args]
            assert discover(*line, runner=runner) == (0, '', '')
            assert results(out) == results(finished)
            assert not leftovers(out)


# What is refused


def test_other_order(again, crawl):
    assert again(names=crawl[::-1]) == from_step(6)


def test_other_inputs(again, crawl):
    line = [crawl[0], '-o', again.out, '--threshold=1']
    before = results(again.out)
    assert refused(*line) == (
        f'{again.out}: holds a run on other inputs (see inputs.txt in it); '
        'name another folder, or give --force to replace it'
    )
    assert results(again.out) == before
    (again.out / 'pages.tsv').touch()  # of the run that is replaced
    assert discover(*line, '--force').code == 0
    assert not (again.out / 'pages.tsv').exists()
    assert json.loads((again.out / 'run.json').read_text())['inputs'] == [crawl[0]]


def test_other_inputs_by_force(again, crawl):
    """What is of the run before is gone, but for what people have said of it."""
    for name in ('report.html', 'links.tsv', 'judgements.tsv', 'labels.parquet'):
        (again.out / name).write_text('')
    again('--force', names=crawl[1:])
    kept = {path.name for path in again.out.iterdir()}
    assert 'judgements.tsv' in kept
    assert not kept & {'report.html', 'links.tsv', 'labels.parquet'}


@pytest.mark.parametrize('name', ['notes.txt', 'my.tsv', 'photos', 'x.half', 'my.mrl'])
def test_foreign_things(crawl, tmp_path, name):
    out = tmp_path / 'run'
    (out / name).mkdir(parents=True)
    assert refused(*crawl, '-o', out) == (
        f"{out}: holds '{name}', which is not part of a run; name another folder, or "
        'give --force'
    )
    assert [path.name for path in out.iterdir()] == [name]
    assert discover(*crawl, '-o', out, '--force').code == 0
    assert discover(crawl[0], '-o', out, '--force').code == 0
    assert (out / name).is_dir()


@pytest.mark.parametrize(
    'name', ['01-paris/a.jpg', 'report.html', 'pages.tsv', '_tmp/a', 'stats.json']
)
def test_names_prove_nothing(crawl, tmp_path, name):
    """A folder that is no run keeps what is in it, whatever its name."""
    out = tmp_path / 'out'
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text('mine')
    top = name.partition('/')[0]
    assert refused(*crawl, '-o', out).startswith(f"{out}: holds '{top}', which is not")
    assert (out / name).read_text() == 'mine'


def test_foreign_things_in_a_step(again, crawl):
    """They are refused; with --force they are left alone."""
    mine = again.out / '02-counts/mine.txt'
    mine.write_text('mine')
    assert refused(*crawl, '-o', again.out).startswith(
        f"{again.out}: holds '02-counts'"
    )
    again('--force', '--min-len=7')
    assert mine.read_text() == 'mine'


@pytest.mark.parametrize(
    'text', ['5', '[]', '"x"', '[' * 100_000, '{"a": 1}', '{"pid": 1e99}']
)
def test_damaged_records(again, crawl, text):
    """Whatever stands in the files that a run keeps for itself."""
    for name in ('run.json', '_lock', '02-counts/_step.json'):
        (again.out / name).write_text(text)
    (again.out / 'inputs.txt').write_bytes((again.out / 'inputs.txt').read_bytes())
    told = again()
    assert told['01-pages'] == SKIPPED and '02-counts' not in told


@pytest.mark.parametrize('name', ['made_of', 'paths', 'steps', 'pages'])
def test_damaged_run(again, name):
    path = again.out / 'run.json'
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {name: 5}))
    done = run('show', again.out, 'ab' * 20)
    assert (done.code, done.err) == (
        1,
        f"error: {again.out}: run.json in it has no valid '{name}'; type the command "
        'that made the run again\n',
    )


def test_run_is_file(crawl, tmp_path):
    (tmp_path / 'run').touch()
    for out in (tmp_path / 'run', tmp_path / 'run/x'):
        assert (
            refused(*crawl, '-o', out) == f'{out}: a file is in the way of this folder'
        )


def test_run_not_writable(crawl):
    assert refused(*crawl, '-o', '/proc/run').startswith('/proc/run: no such file')


def test_missing_parent(crawl, tmp_path):
    assert discover(*crawl, '-o', tmp_path / 'a/b/run', '-q').code == 0


# Locks


def bind(name):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(name)


def lock(out, **owner):
    (out / '_lock').write_text(json.dumps(processes.describe_process() | owner))


def test_live_lock(again, crawl):
    lock(again.out)
    owner = processes.describe_process()
    for more in ([], ['--force']):
        assert refused(*crawl, '-o', again.out, *more) == (
            f'{again.out}: process {os.getpid()} on {owner["host"]} uses this folder; '
            'wait until it ends'
        )
    assert (again.out / '_lock').exists()


def test_lock_of_another_host(again, crawl):
    lock(again.out, host='far-away', pid=7)
    assert refused(*crawl, '-o', again.out) == (
        f'{again.out}: process 7 on far-away uses this folder; wait until it ends, or '
        'give --force if it has ended'
    )
    assert again('--force') == from_step(6)


@pytest.mark.parametrize('owner', [{'pid': 4194305}, {'started': '1'}, {'pid': 1}])
def test_void_lock(again, owner):
    """The process is gone, or another one has its number now."""
    lock(again.out, **owner)
    assert again() == from_step(6)


@pytest.mark.parametrize('pid', [0, -1, True, '1', 'x', 1.5, None, [], 10**30])
def test_no_process(pid):
    """Some of these numbers stand for many processes, of which some always run."""
    for started in ('', None, '1'):
        process = processes.describe_process() | {'pid': pid, 'started': started}
        assert not processes.is_alive(process)


@pytest.mark.parametrize('name', ['_lock', 'inputs.txt', 'run.json'])
@pytest.mark.parametrize('make', [os.mkfifo, bind])
def test_pipes_and_sockets(again, crawl, monkeypatch, name, make):
    """They are not waited for."""
    monkeypatch.chdir(again.out)
    (again.out / name).unlink(missing_ok=True)
    make(name)
    why = f'{again.out}/{name}: neither a file nor a folder'
    assert refused(*crawl, '-o', again.out) == why
    os.remove(name)


def test_lock_without_links(again, crawl, monkeypatch):
    """Some file systems have no hard links."""

    def refuse(*args):
        raise PermissionError

    monkeypatch.setattr(os, 'link', refuse)
    assert again() == from_step(6)
    lock(again.out)
    assert 'uses this folder' in refused(*crawl, '-o', again.out)


def test_lock_of_a_zombie(again):
    """A process that has ended, though nobody has asked how."""
    with subprocess.Popen(['sleep', '60']) as process:
        started = Path(f'/proc/{process.pid}/stat').read_text().split()[21]
        lock(again.out, pid=process.pid, started=started)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
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
    assert (code, err.count(SKIPPED)) == (0, 8)
    (tmp_path / 'run').rename('moved')
    assert results(tmp_path / 'x/moved') == before
    digest = before['labels.tsv'].split()[7].decode()
    code, out, _ = run('show', 'moved', digest[:12])
    assert code == 0 and out.startswith('<')


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
    assert not leftovers(tmp_path / 'run')


def test_covered_interrupt():
    """An interrupt is not lost in code that stumbles as it cleans up."""
    try:
        try:
            raise KeyboardInterrupt
        finally:
            {}['x']
    except KeyError as error:
        with pytest.raises(KeyboardInterrupt):
            launch.raise_hidden_interrupt(error)
    launch.raise_hidden_interrupt(ValueError())


def test_interrupted_table(tmp_path):
    """Nothing of a table is left if its rows break off."""

    def rows():
        yield b'one'
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table_files.write_table(str(tmp_path / 'labels.tsv'), 'hash', rows())
    assert not list(tmp_path.iterdir())
