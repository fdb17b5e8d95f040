"""Functions that run in forks: how many at a time, and how they fail."""

import os
import signal
import time

import pytest
from commands import DISCOVER, ROOT, apart, ended
from crawls import write_warc

from mr_reuse.engine import forks
from mr_reuse.engine.forks import TaskFailed


def test_all_are_run(tmp_path):
    """Each in a process of its own, at most two at a time."""

    def task(number: int) -> None:
        at_work = tmp_path / f'at-work-{number}'
        at_work.touch()
        count = len(list(tmp_path.glob('at-work-*')))
        (tmp_path / f'{number}').write_text(f'{os.getpid()} {count}')
        at_work.unlink()

    forks.run_all([lambda n=n: task(n) for n in range(5)], 2)
    cells = [(tmp_path / f'{n}').read_text().split() for n in range(5)]
    assert len({pid for pid, _ in cells} | {str(os.getpid())}) == 6
    assert max(int(count) for _, count in cells) <= 2


def test_nothing_to_run():
    forks.run_all([], 2)


def raise_error() -> None:
    raise ValueError('its cause')


@pytest.mark.parametrize(
    ('func', 'cause'),
    [
        (raise_error, '(?s)^Traceback.*\nValueError: its cause\n$'),
        (
            lambda: os.kill(os.getpid(), signal.SIGKILL),
            'killed, perhaps because memory',
        ),
        (lambda: os._exit(7), '^a task ended with exit code 7$'),
    ],
    ids=['error', 'killed', 'exit'],
)
def test_failure_ends_the_others(tmp_path, func, cause):
    def wait() -> None:
        (tmp_path / 'pid').write_text(str(os.getpid()))
        time.sleep(60)

    def fail() -> None:
        while not (tmp_path / 'pid').exists() or not (tmp_path / 'pid').read_text():
            time.sleep(0.01)
        func()

    with pytest.raises(TaskFailed, match=cause):
        forks.run_all([wait, fail, raise_error], 2)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / 'pid').read_text()), 0)


COUNT_THREADS = """
import os

def note():
    with open(os.environ['FORKS'], 'a') as file:
        print(len(os.listdir('/proc/self/task')), file=file)

os.register_at_fork(before=note)
"""


@pytest.mark.apart
@pytest.mark.skipif(not os.path.exists('/proc/self/task'), reason='needs Linux')
def test_no_thread_runs_when_a_command_forks(tmp_path):
    """Python starts the module `sitecustomize` in front of all others."""
    (tmp_path / 'sitecustomize.py').write_text(COUNT_THREADS)
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', b'<p>text')])
    env = {'PYTHONPATH': f'{tmp_path}:{ROOT}', 'FORKS': str(tmp_path / 'forks')}
    line = [*DISCOVER, tmp_path / 'a.warc.gz', '-r', 'local', '-o', tmp_path / 'run']
    assert ended(apart(*line, env=env)).code == 0
    assert {*(tmp_path / 'forks').read_text().split()} == {'1'}
