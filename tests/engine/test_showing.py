"""What a run says while it works, and where."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import time

import pytest
from commands import DISCOVER, FORKED_DISCOVER, apart, discover, ended
from crawls import sample_crawl, write_crawl

from mr_reuse.engine import display, progress


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
