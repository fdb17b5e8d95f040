"""What strangers wrote is seen on a terminal, all of it; elsewhere bytes stay bytes."""

import os
import pty
import re
import subprocess
import sys

from commands import apart, discover, ended, run
from crawls import write_warc

HIDDEN = 'file\u202egpj.exe\u2066 \u200b\ufeff\x1b[31mred\x1b]0;title\x07\r \x9b'
SEEN = r'file\u202egpj.exe\u2066 \u200b\ufeff\x1b[31mred\x1b]0;title\x07\x0d \x9b'
CHUNK = f'<p>{HIDDEN}\n\tnaïve, क्‍ष'  # with a joiner, which that script needs


def on_terminal(*line) -> str:
    """What a command shows on a terminal."""
    ours, theirs = pty.openpty()
    process = apart(*line, stdout=theirs)
    os.close(theirs)
    shown = b''
    while data := read(ours):
        shown += data
    assert ended(process).code == 0
    os.close(ours)
    return shown.decode().replace('\r\n', '\n')  # as terminals want it


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # nobody writes to it any more
        return b''


def test_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = 'a\nb\u202e.warc.gz'
    [page] = write_warc(tmp_path / name, [('http://a.org/', CHUNK.encode())])
    assert discover(name, '-o', 'run').code == 0
    rid = f'a%0Ab\u202e.warc.gz:{page.offset}'  # so it stands in tables
    line = [sys.executable, '-m', 'mr_reuse.show', 'run', rid]
    assert on_terminal(*line) == CHUNK.replace(HIDDEN, SEEN)
    assert subprocess.check_output(line) == CHUNK.encode()
    [cut] = write_warc(tmp_path / 'cut.warc.gz', [('http://a.org/', b'<p>12 \xe2\x82')])
    assert discover('cut.warc.gz', '-o', 'cut').code == 0
    line[-2:] = ['cut', f'cut.warc.gz:{cut.offset}']
    assert on_terminal(*line) == '<p>12 \ufffd'
    note = run('show', 'run', rid).err
    assert note.endswith(rf'  a%0Ab\u202e.warc.gz:{page.offset}' + '\n')


def test_tables(tmp_path, monkeypatch):
    """Previews in the table that `discover` prints."""
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', 12 * CHUNK.encode())])
    line = [
        sys.executable,
        '-m',
        'mr_reuse.discover',
        'a.warc.gz',
        '-o',
        'run',
        '--threshold',
        '9',
    ]
    line += ['--min-len', '9']
    shown = on_terminal(*line)
    assert r'file\u202egpj.exe\u2066' in shown
    assert not re.search('[\u202e\u2066\u200b\ufeff\x1b\x9b]', shown)
    assert 'file\u202egpj.exe' in ended(apart(*line)).out
