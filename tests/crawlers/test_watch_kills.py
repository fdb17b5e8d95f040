"""`watch` is killed at each call that changes a file or prints a line.

A fork kills itself with SIGKILL before or after one of these calls. Another fork goes
on from what it left, and prints into the same file. A reader that drops an event if its
number is not larger than that of the event before has to see each event once.
"""

import builtins
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import mrl
import pytest
from commands import INTERRUPTED, apart
from crawls import write_warc

from examples import TIMES
from mr_reuse.crawlers import publishing, watch_state
from mr_reuse.watch import main

BAD = '<p>copied'
CALLS = [
    (os, 'replace'),
    (os, 'fsync'),
    (os, 'unlink'),
    (os, 'link'),
    (builtins, 'open'),
]
SCRIPT = Path(sys.executable).parent / 'mr-reuse'
ROUNDS = 50 * TIMES


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mrl.write(tmp_path / 'some.mrl', [mrl.sha1(BAD)], min_len=0)
    (tmp_path / 'crawl').mkdir()
    return tmp_path


def archive(name: str, *numbers: int, damaged: bool = False) -> None:
    """An archive of pages that all have the label; the second record may be damaged."""
    pages = [(f'http://{name}.org/{n}', f'{n}{BAD}'.encode()) for n in numbers]
    path = Path(f'crawl/{name}.warc.gz')
    records = write_warc(path, pages)
    if damaged:
        data = bytearray(path.read_bytes())
        data[records[1].offset + 40] ^= 0xFF
        path.write_bytes(data)


class Countdown:
    """Kills this process at a number of calls; counts them if the number is 0."""

    def __init__(self, number: int):
        self.number, self.calls = number, 0

    def tick(self) -> None:
        self.calls += 1
        if self.calls == self.number:
            os.kill(os.getpid(), signal.SIGKILL)

    def wrap(self, call):
        def wrapped(*args, **kwargs):
            self.tick()
            result = call(*args, **kwargs)
            self.tick()
            return result

        return wrapped


def watched(number: int = 0) -> int:
    """One look, by a fork whose output goes to `events`; killed at a call if any.

    The number of calls of a look that is not killed.
    """
    if not (child := os.fork()):
        try:
            countdown = Countdown(number)
            sys.stdout = open('events', 'a')  # noqa: SIM115
            sys.stdout.write = countdown.wrap(sys.stdout.write)
            sys.stdout.flush = countdown.wrap(sys.stdout.flush)
            for module, name in CALLS:
                setattr(module, name, countdown.wrap(getattr(module, name)))
            code = main(['crawl', '-l', 'some.mrl', '--once', '-q'])
            os._exit(min(countdown.calls, 250) if code == 0 else 255)
        finally:
            os._exit(255)
    status = os.waitpid(child, 0)[1]
    if number:
        assert os.WTERMSIG(status) == signal.SIGKILL
        return 0
    assert os.WEXITSTATUS(status) < 255
    return os.WEXITSTATUS(status)


def seen() -> list[dict]:
    """The events of all lines, as a reader has them that drops repeated ones."""
    events, lines = [], Path('events').read_text().splitlines()
    for event in map(json.loads, lines):
        if not events or event['seq'] > events[-1]['seq']:
            events.append(event)
        else:  # it is the same in all else
            assert event in events
    assert [e['seq'] for e in events] == [*range(1, len(events) + 1)]
    return events


def keys(events: list[dict]) -> list:
    return sorted(str(e.get('rid') or (e['cause'], e['records'])) for e in events)


def begin(folder: Path) -> None:
    """Remove what a look has left."""
    for path in [*folder.glob('crawl/mr_reuse-watch.json*'), folder / 'events']:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize('delay', [pytest.param(0, marks=pytest.mark.slow), 60])
def test_killed_at_each_call(here, monkeypatch, delay):
    """Whether events are printed one by one or all together."""
    monkeypatch.setattr(publishing, 'DELAY', delay)
    monkeypatch.setattr(watch_state, 'SAVE_EVERY', delay)
    archive('a', 1, 2, damaged=True)
    archive('b', 1, 2)
    calls = watched()
    expected = seen()
    assert len(expected) == 4 and calls > 20
    for number in range(1, calls + 1):
        begin(here)
        watched(number)
        watched()
        assert keys(seen()) == keys(expected)
        assert seen()[-1]['site']['bad'] == 2  # the sums count no page twice


@pytest.mark.slow
def test_other_archives_grow_meanwhile(here, monkeypatch):
    """An event keeps its number, though others come before it in the next scan."""
    monkeypatch.setattr(publishing, 'DELAY', 60)
    archive('b', 1, 2)
    calls = watched()
    for number in range(1, calls + 1):
        begin(here)
        Path('crawl/a.warc.gz').unlink(missing_ok=True)
        watched(number)
        archive('a', 1, 2)
        watched()
        urls = sorted(event['url'] for event in seen())
        assert urls == [f'http://{host}.org/{n}' for host in 'ab' for n in (1, 2)]


@pytest.mark.apart
def test_hangup(here):
    """The end of a terminal is an interrupt like any other."""
    archive('a', 1, 2)
    process = following()
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.send_signal(signal.SIGHUP)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, '')
    assert err.endswith(INTERRUPTED)
    assert not Path('crawl/mr_reuse-watch.json.lock').exists()
    watched()
    assert Path('events').read_text() == '' and len(lines) == 2


def following(*args):
    line = [sys.executable, '-m', 'mr_reuse.watch', 'crawl', '-l', 'some.mrl']
    return apart(*line, '--interval=0.01', *args)


@pytest.mark.slow
@pytest.mark.apart
def test_signals_at_random(here):
    """From the start on: no traceback, and no event twice or lost."""
    dice, printed = random.Random(ROUNDS), ''
    for number in range(ROUNDS):
        archive(f'a{number:04d}', 1, 2)
        process = following('-q')
        wait_for_package(process.pid)
        time.sleep(dice.uniform(0, 1.2))
        process.send_signal(dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
        ended = process.communicate(timeout=20)
        printed += ended[0]
        assert ended[1] in ('', INTERRUPTED)
    Path('events').write_text(printed)
    watched()
    events = [json.loads(line) for line in Path('events').read_text().splitlines()]
    assert [event['seq'] for event in events] == [*range(1, 2 * ROUNDS + 1)]
    assert len({event['rid'] for event in events}) == 2 * ROUNDS


@pytest.mark.slow
@pytest.mark.apart
@pytest.mark.parametrize('line', [['-m', 'mr_reuse.discover'], [SCRIPT, 'discover']])
def test_interrupted_at_the_start(here, line):
    """While Python imports modules there is no traceback either."""
    for wait in range(ROUNDS):
        process = apart(sys.executable, *line, 'crawl', '-o', 'run')
        wait_for_package(process.pid)
        time.sleep(wait / ROUNDS * 0.5)
        process.send_signal(signal.SIGINT)
        assert 'Traceback' not in process.communicate(timeout=20)[1]
        assert process.returncode in (130, -signal.SIGINT, 1)  # the folder is empty


def wait_for_package(process: int) -> None:
    """Wait until Python has started and imports the package, which handles SIGHUP."""
    status = Path(f'/proc/{process}/status')
    while True:
        caught = status.read_text().partition('SigCgt:\t')[2].split()[0]
        if int(caught, 16) >> (signal.SIGHUP - 1) & 1:
            return
        time.sleep(0.001)
