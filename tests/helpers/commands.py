"""Commands as people run them: what they say, what they leave."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from crawls import ROOT, TABLES

from mr_reuse.__main__ import import_command

RESULTS = [*TABLES, 'labels.mrl']
DETECT_TABLES = [
    f'{bad}{what}.tsv' for bad in ('', 'bad_') for what in ('pages', 'neighborhoods')
]
DETECT_TABLES += ['file_matches.tsv', 'label_counts.tsv']
# Small input is worked on without forks; a test of forks has to ask for them.
FORKED = """
import sys
sys.argv[0] = '-m'
from mr_reuse.chunks.discover import steps
from mr_reuse.engine import chain
from mr_reuse.pages import planning
planning.SMALL_ARCHIVES = steps.SMALL_INPUT = -1
chain.Step.__new__.__defaults__ = (-1, None, {})
from mr_reuse.COMMAND import main
sys.exit(main())
"""
FORKED_DISCOVER, FORKED_DETECT = (
    [sys.executable, '-c', FORKED.replace('COMMAND', name)]
    for name in ('discover', 'detect')
)
DISCOVER = [sys.executable, '-m', 'mr_reuse.discover']
INTERRUPTED = 'interrupted; type the same command again to resume\n'
WAIT = 5.0  # seconds that forks may live on; they need some milliseconds


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run(command: str, *args) -> Ended:
    """Run a command in this process."""
    main = import_command(command).main
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(map(str, args)))
        except SystemExit as usage:
            code = usage.code
    return Ended(code, out.getvalue(), err.getvalue())


def discover(*args, runner='inline') -> Ended:
    return run('discover', *args, '-r', runner)


def detect(*args, out, runner='inline', code=0) -> dict[str, bytes]:
    """Run `detect` in this process; the bytes of its tables."""
    done = run('detect', *args, '-q', '-r', runner, '-o', out)
    assert done.code == code, done.err
    return {name: (out / name).read_bytes() for name in DETECT_TABLES}


def refused(*args) -> str:
    """The one line with which `discover` gives up."""
    code, out, err = discover(*args)
    assert (code, out) == (1, '')
    assert err.startswith('error: ') and err.endswith('\n') and err.count('\n') == 1
    return err[len('error: ') : -1]


def apart(*line, **more) -> subprocess.Popen:
    """Begin a command in a process and a session of its own."""
    return subprocess.Popen(
        list(map(str, line)),
        env={**os.environ, 'PYTHONPATH': str(ROOT), **more.pop('env', {})},
        start_new_session=True,
        text=True,
        **{'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **more},
    )


def ended(process: subprocess.Popen, seconds: float = 100) -> Ended:
    out, err = process.communicate(timeout=seconds)
    return Ended(process.returncode, out, err)


def results(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in RESULTS}


def leftovers(run: Path) -> list[str]:
    """What only a run at work may have, or one that was killed."""
    names = [path.name for path in run.rglob('*')]
    halves = [n for n in names if n in ('_lock', '_tmp') or n.endswith('.half')]
    steps = [path for path in run.glob('??-*') if not (path / '_step.json').exists()]
    return halves + [path.name for path in steps]


def alive(mark: str) -> list[str]:
    """The processes that have inherited a mark in their environment."""
    lines = []
    for process in Path('/proc').glob('[0-9]*'):
        try:
            if mark.encode() in (process / 'environ').read_bytes():
                lines.append((process / 'cmdline').read_text())
        except OSError:
            continue  # has just ended
    return lines
