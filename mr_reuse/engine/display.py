"""What a run says while it works: a bar on a terminal, a line a minute elsewhere."""

import contextlib
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

from tqdm import tqdm

from mr_reuse.engine import forks, progress
from mr_reuse.messages import say

EVERY = 0.5  # seconds between two looks
LINE_EVERY = 60.0
BAR = '{desc} {percentage:3.0f}% {bar} {elapsed}<{remaining} {postfix}'
NO_BAR = '{desc} {elapsed}'  # nobody knows how much there is to do
ALL = 1000  # what a bar counts to


class Showing:
    """Progress and summary, which `-q` silences; errors are not its business."""

    def __init__(self, quiet: bool, folder: str):
        self._quiet, self.folder = quiet, folder

    def say(self, text: str) -> None:
        """A line for people."""
        if not self._quiet:
            say(text)

    @contextlib.contextmanager
    def step(self, name: str, total: int | None) -> Iterator[None]:
        """Show how far a step is while it runs, if the bytes to read are known."""
        if self._quiet:
            yield
            return
        terminal = sys.stderr.isatty()
        theirs, ours = forks.FORKING.Pipe(duplex=False)

        def watch() -> None:
            ours.close()
            (self._bar if terminal else self._lines)(name, total, theirs)

        process = forks.start(watch)
        try:
            yield
        finally:
            ours.close()  # which ends the watching
            process.join()
            if terminal and process.exitcode:
                say()  # it was interrupted within a line

    def _bar(self, name: str, total: int | None, done: Connection) -> None:
        tqdm.monitor_interval = 0
        began = time.monotonic()
        with tqdm(total=ALL, desc=name, bar_format=NO_BAR) as bar:
            over = False
            while not over:
                over = done.poll(EVERY)
                share, told = self._look(total, time.monotonic() - began)
                if share is not None:
                    bar.bar_format = BAR
                    bar.n = ALL if over else int(ALL * share)
                    bar.set_postfix_str(told, False)
                bar.refresh()

    def _lines(self, name: str, total: int | None, done: Connection) -> None:
        began = time.monotonic()
        while not done.poll(LINE_EVERY):
            seconds = time.monotonic() - began
            share, told = self._look(total, seconds)
            parts = [f'{share:.0%}'] if share is not None else []
            parts += [told] if told else []
            if share:
                parts.append(f'about {seconds * (1 / share - 1) / 60:.0f} min left')
            say(f'{name}: {", ".join(parts)}' if parts else name)

    def _look(self, total: int | None, seconds: float) -> tuple[float | None, str]:
        """How much of a step is done, if anybody knows, and what of it can be told."""
        pages, size, read = progress.total(self.folder)
        told = f'{pages:,} pages, {size / 1e6 / seconds:.0f} MB/s' if pages else ''
        share = progress.share(self.folder)
        if share is None and total:
            share = min(1.0, read / total)
        return share, told
