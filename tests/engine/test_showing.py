"""What a run says while it works, and where."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

import pytest
from commands import DISCOVER, FORKED_DISCOVER, apart, discover, ended
from crawls import sample_crawl, write_crawl
from mrjob.step import MRStep

from mr_reuse.engine import display, progress
from mr_reuse.engine.job import LineJob


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    return write_crawl(tmp_path_factory.mktemp('crawl'), sample_crawl())[0]


def test_quiet(crawl, tmp_path):
    code, out, err = discover(*crawl, '-o', tmp_path / 'run')
    assert (code, err) == (0, '') and 'pages' in out
    assert discover(*crawl, '-o', tmp_path / 'run', '-q') == (0, '', '')


def test_lines(monkeypatch, tmp_path):
    """A line a minute, here one every 50 ms, while half of the bytes are read."""
    monkeypatch.setattr(display, 'LINE_INTERVAL', 0.05)
    monkeypatch.setattr(progress, 'sum_meters', lambda folder: (1234, 5_000_000, 50))
    shown = display.Display(False, 'folder')
    with open(tmp_path / 'said', 'w+') as stream:
        monkeypatch.setattr(display.sys, 'stderr', stream)
        with shown.show_step('01-pages', 100):
            time.sleep(0.3)
        stream.seek(0)
        lines = stream.read().splitlines()
    assert len(lines) > 1
    for line in lines:
        assert line.startswith('01-pages: 50%, 1,234 pages, ')
        assert line.endswith(' MB/s, about 0 min left')


@pytest.mark.apart
def test_bar(crawl, tmp_path):
    """On a terminal there is a bar, and no warning of threads and forks."""
    line = [*FORKED_DISCOVER, *crawl, '-o', tmp_path / 'run', '--threshold=1']
    code, said = on_terminal(*line)
    assert code == 0
    assert ' pages, ' in said and ' MB/s' in said
    # Every step has a number, and ends with a complete bar.
    numbers = []
    for name in ('01-pages', '02-counts', '03-labels', '03-places', '03-previews'):
        [(number, of)] = set(re.findall(rf'step (\d+) of (\d+), {name} 100% ', said))
        numbers.append(int(number))
    assert numbers[0] == 1 and numbers == sorted(set(numbers)) and int(of) >= 5
    assert 'multi-threaded' not in said and 'Traceback' not in said


def test_share_of_a_step(tmp_path, monkeypatch):
    """Half of the input of one of two tasks, in a step of mappers and reducers."""
    monkeypatch.setenv(progress.FOLDER, str(tmp_path))
    shown = display.Display(False, str(tmp_path))
    assert shown._read_progress(None, 1) == (None, '')
    lines = progress.meter_lines([b'12345', b'67890'], progress.WHOLE / 2 / 20)
    assert next(lines) == b'12345'
    assert shown._read_progress(None, 1) == (None, '')
    assert next(lines) == b'67890'
    share, rate = shown._read_progress(None, 1)
    assert (round(share, 9), rate) == (0.125, '')
    assert list(lines) == []
    assert round(shown._read_progress(None, 1)[0], 9) == 0.25


class Words(LineJob):
    """A job of two steps, of which the first has a reducer."""

    def steps(self):
        return [
            MRStep(mapper=self.swap, reducer=self.first),
            MRStep(mapper=self.swap),
        ]

    def swap(self, key, value):
        yield value, key

    def first(self, key, values):
        yield key, next(values)


@pytest.mark.parametrize('runner', ['inline', 'local'])
def test_meters_of_a_job(tmp_path, monkeypatch, runner):
    """At the end, all tasks of all phases add up to the whole step."""
    (tmp_path / 'progress').mkdir()
    monkeypatch.setenv(progress.FOLDER, str(tmp_path / 'progress'))
    names = []
    for name, lines in (('a', 900), ('b', 10)):
        names.append(str(tmp_path / name))
        rows = (b'%d\t%d\n' % (n, n % 7) for n in range(lines))
        (tmp_path / name).write_bytes(b''.join(rows))
    line = ['-r', runner, '--no-conf', '--no-cat-output', *names]
    with Words([*line, f'--output-dir={tmp_path / "out"}']).make_runner() as job:
        job.run()
    _, _, read = progress.sum_meters(str(tmp_path / 'progress'))
    assert round(read / progress.WHOLE, 9) == 1
    parts = (tmp_path / 'out').glob('part-*')
    assert sum(part.read_bytes().count(b'\n') for part in parts) == 7


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
