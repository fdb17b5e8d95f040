"""Killed at any moment, a run goes on where it was, and ends with the same bytes."""

import os
import random
import signal
import time
import uuid
from pathlib import Path

import pytest
from commands import (
    DISCOVER,
    FORKED_DETECT,
    FORKED_DISCOVER,
    INTERRUPTED,
    WAIT,
    alive,
    apart,
    discover,
    ended,
    leftovers,
    results,
)

from mr_reuse.synth import __main__

pytestmark = pytest.mark.apart
RUNNERS = {'local': FORKED_DISCOVER, 'inline': [*DISCOVER, '-r', 'inline']}
SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
PYTHON = 0.15  # seconds in which Python itself starts, which has tracebacks of its own


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl')
    for seed in '123':
        line = ['-o', folder / seed, '--size=2MB', '--seed', seed, '-q']
        assert __main__.main(list(map(str, line))) == 0
    return f'{folder}/*/*.gz'


@pytest.fixture(scope='module')
def undisturbed(crawl, tmp_path_factory):
    """How long a run takes, and what it leaves."""
    out = tmp_path_factory.mktemp('undisturbed') / 'run'
    began = time.monotonic()
    assert ended(apart(*FORKED_DISCOVER, crawl, '-o', out)).code == 0
    return time.monotonic() - began, results(out)


def kill(line: list, number: int, after: float) -> tuple[int, str]:
    """Kill a command after some seconds, and wait for its forks; how it ended."""
    mark = uuid.uuid4().hex
    process = apart(*line, env={'MARK': mark})
    time.sleep(after)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    code, _, err = ended(process)
    until = time.monotonic() + WAIT
    while alive(mark):
        assert time.monotonic() < until, alive(mark)
        time.sleep(0.01)
    return code, err


def check(runner: str, number: int, after: float, line: list, expected: dict):
    """Kill a run, look at what it says and leaves, and take it up again."""
    out = Path(line[-1])
    code, err = kill([*RUNNERS[runner], *line], number, after)
    if number == signal.SIGKILL:
        assert (code, err) in [(-number, ''), (0, '')]
    else:
        # Before a command has begun there is little to say, and behind its end nothing.
        assert (code, err) in [
            (130, INTERRUPTED),
            (130, 'interrupted\n'),
            (130, ''),
            (-number, ''),
            (0, ''),
        ]
        assert not leftovers(out)
    before = {path.parent.name for path in out.glob('*/_step.json')}
    code, _, err = discover(*line, runner='local')
    assert code == 0, err
    assert {s.partition(':')[0] for s in err.splitlines()} == before
    assert results(out) == expected
    assert not leftovers(out)


@pytest.mark.skipif(not Path('/proc/self/environ').exists(), reason='needs /proc')
@pytest.mark.parametrize('number', SIGNALS)
def test_kill(crawl, undisturbed, tmp_path, number):
    seconds, expected = undisturbed
    check('local', number, seconds * 0.6, [crawl, '-o', tmp_path / 'run'], expected)


@pytest.mark.slow
@pytest.mark.parametrize('number', SIGNALS)
@pytest.mark.parametrize('runner', RUNNERS)
def test_kill_often(crawl, undisturbed, tmp_path, runner, number):
    """Forty moments from the first to the last, with every signal and runner."""
    seconds, expected = undisturbed
    dice = random.Random(f'{runner} {number}')
    for moment in range(40):
        after = max(PYTHON, seconds * (moment + dice.random()) / 40)
        line = [crawl, '-o', tmp_path / f'run{moment}']
        check(runner, number, after, line, expected)


DETECTED = (
    'pages bad_pages neighborhoods bad_neighborhoods origins file_matches'.split()
)


@pytest.mark.slow
@pytest.mark.parametrize('number', SIGNALS)
def test_kill_detect(crawl, undisturbed, tmp_path, number):
    """From archives to bad neighborhoods, then to those of another threshold."""
    assert discover(crawl, '-o', tmp_path / 'labels', '-q').code == 0
    labels = tmp_path / 'labels/labels.mrl'

    def tables(out: Path) -> dict[str, bytes]:
        return {name: (out / f'{name}.tsv').read_bytes() for name in DETECTED}

    dice = random.Random(number)
    first = [*FORKED_DETECT, crawl, '-l', labels, '--join=bloom', '--levels=site', '-o']
    began = time.monotonic()
    assert ended(apart(*first, tmp_path / 'once')).code == 0
    seconds, expected = time.monotonic() - began, tables(tmp_path / 'once')
    for moment in range(20):
        out = tmp_path / f'run{moment}'
        after = max(PYTHON, seconds * (moment + dice.random()) / 20)
        code, _ = kill([*first, out], number, after)
        assert code in (130, -number, 0)
        assert ended(apart(*first, out)).code == 0
        assert tables(out) == expected
        # Interrupted while only tables are written, it still knows its labels.
        again = [*FORKED_DETECT, '-o', out]
        kill([*again, '--sigmas=0'], number, dice.uniform(PYTHON, 0.6))
        assert ended(apart(*again, '--levels=site')).code == 0
        assert tables(out) == expected


@pytest.mark.slow
@pytest.mark.parametrize('number', SIGNALS)
def test_kill_again_and_again(crawl, undisturbed, tmp_path, number):
    """The same run, killed until it is done all the same."""
    seconds, expected = undisturbed
    dice = random.Random(number)
    line = [*FORKED_DISCOVER, crawl, '-o', tmp_path / 'run']
    for _ in range(30):
        if kill(line, number, seconds * dice.uniform(0.3, 0.9))[0] == 0:
            break
    assert ended(apart(*line)).code == 0
    assert results(tmp_path / 'run') == expected
