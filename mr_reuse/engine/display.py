"""The progress of a run: a bar on a terminal, otherwise a line each minute."""

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from mr_reuse.engine import forks, progress
from mr_reuse.messages import format_count, say

BAR_INTERVAL = 0.5  # seconds between two updates of the bar
LINE_INTERVAL = 60.0  # seconds between two lines
BAR = '{desc} {percentage:3.0f}% {bar} {elapsed}<{remaining} {postfix}'
NO_BAR = '{desc} {elapsed}'  # while the finished share of the step is unknown
BAR_TOTAL = 1000  # the bar counts thousandths of a step


class Display:
    """The progress and the messages of a run. With `-q` it displays nothing.

    A fork displays the progress: a thread in the driver could hold a lock at the moment
    when the driver forks a task. All steps share the fork, which ends when the driver
    drops its end of the pipe.
    """

    def __init__(self, quiet: bool, folder: str):
        self._quiet, self.folder = quiet, folder
        self._pipe: Any = None  # to the fork; None before the first step

    def report(self, text: str) -> None:
        """Print a line, except with `-q`."""
        if not self._quiet:
            say(text)

    @contextlib.contextmanager
    def show_step(self, name: str, total: int | None) -> Iterator[None]:
        """Display the progress of a step while the block runs.

        `total` is the bytes of archives to read. If it is None, the percentage is the
        share that tasks on this machine or a cluster report. Before they report any,
        there is no percentage.
        """
        if self._quiet:
            yield
            return
        if self._pipe is None:
            self._pipe = self._start_fork()
        with contextlib.suppress(OSError):  # an interrupt may have ended the fork
            self._pipe.send((name, total))
        try:
            yield
        finally:
            try:
                self._pipe.send(None)
                self._pipe.recv()
            except (OSError, EOFError):
                if sys.stderr.isatty():
                    say()  # the fork did not end the line of the bar

    def _start_fork(self) -> Any:
        """Start the fork that displays; return the driver's end of the pipe to it."""
        tqdm = _import_tqdm() if sys.stderr.isatty() else None
        ours, theirs = forks.CONTEXT.Pipe()

        def show_steps() -> None:
            ours.close()
            with contextlib.suppress(EOFError, OSError):  # the driver has ended
                while True:
                    name, total = theirs.recv()
                    if tqdm:
                        bar = tqdm(total=BAR_TOTAL, desc=name, bar_format=NO_BAR)
                        self._draw_bar(bar, total, theirs)
                    else:
                        self._print_lines(name, total, theirs)
                    theirs.send(theirs.recv())

        forks.start_fork(show_steps, daemon=True)
        theirs.close()
        return ours

    def _draw_bar(self, bar: Any, total: int | None, pipe: Any) -> None:
        """Draw the bar until the driver ends the step."""
        began = time.monotonic()
        with bar:
            over = False
            while not over:
                over = pipe.poll(BAR_INTERVAL)
                share, rate = self._read_progress(total, time.monotonic() - began)
                if share is not None:
                    bar.bar_format = BAR
                    bar.n = BAR_TOTAL if over else int(BAR_TOTAL * share)
                    bar.set_postfix_str(rate, False)
                bar.refresh()

    def _print_lines(self, name: str, total: int | None, pipe: Any) -> None:
        """Print lines until the driver ends the step."""
        began = time.monotonic()
        while not pipe.poll(LINE_INTERVAL):
            seconds = time.monotonic() - began
            share, rate = self._read_progress(total, seconds)
            parts = [f'{share:.0%}'] if share is not None else []
            parts += [rate] if rate else []
            if share:
                parts.append(f'about {seconds * (1 / share - 1) / 60:.0f} min left')
            say(f'{name}: {", ".join(parts)}' if parts else name)

    def _read_progress(
        self, total: int | None, seconds: float
    ) -> tuple[float | None, str]:
        """Return the finished share of a step, None if unknown, and its rate as text.

        The share that a cluster reported takes precedence over the bytes that tasks on
        this machine have read.
        """
        pages, size, read = progress.sum_meters(self.folder)
        speed = f'{size / 1e6 / seconds:.0f} MB/s'
        rate = f'{format_count(pages, "page")}, {speed}' if pages else ''
        share = progress.read_share(self.folder)
        if share is None and (total or read):
            share = min(1.0, read / (total or progress.WHOLE))
        return share, rate


def _import_tqdm() -> Any:
    """Import the class of the bar. Only terminals need it, and the import is slow."""
    from tqdm import tqdm  # noqa: PLC0415 (slow)

    tqdm.monitor_interval = 0  # without the thread that tqdm starts otherwise
    return tqdm
