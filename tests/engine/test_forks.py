"""Functions that run in forks: how many at a time, and how they fail."""

import os
import signal
import time

import pytest

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
