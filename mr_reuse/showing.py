"""What a run says while it works: a bar on a terminal, a line a minute elsewhere."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

from tqdm import tqdm

from mr_reuse import progress
from mr_reuse.cli import say

EVERY = 0.5  # seconds between two looks
LINE_EVERY = 60.0


class Showing:
    """Progress and summary, which `-q` silences; errors are not its business."""

    def __init__(self, quiet: bool, folder: str):
        self._quiet, self._folder = quiet, folder
        self.total = 0  # bytes of archives to read, for the time left
        self._done = threading.Event()

    def say(self, text: str) -> None:
        """A line for people."""
        if not self._quiet:
            say(text)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Show how far a step is while it runs."""
        if self._quiet:
            yield
            return
        self._done.clear()
        watch = self._bar if sys.stderr.isatty() else self._lines
        thread = threading.Thread(target=watch, args=(name,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()

    def _bar(self, name: str) -> None:
        form = '{desc} {percentage:3.0f}% {bar} {elapsed}<{remaining} {postfix}'
        total = self.total if name == '01-pages' else None
        plain = '{desc} {elapsed}'
        tqdm.monitor_interval = 0
        with tqdm(total=total, desc=name, bar_format=form if total else plain) as bar:
            began = time.monotonic()
            while not self._done.wait(EVERY):
                pages, size, read = progress.total(self._folder)
                if total:
                    rate = size / 1e6 / (time.monotonic() - began)
                    bar.set_postfix_str(f'{pages:,} pages, {rate:.0f} MB/s', False)
                    bar.n = min(read, total)
                bar.refresh()
            bar.n = total or 0

    def _lines(self, name: str) -> None:
        began = time.monotonic()
        while not self._done.wait(LINE_EVERY):
            pages, size, read = progress.total(self._folder)
            seconds = time.monotonic() - began
            told = f'{pages:,} pages, {size / 1e6 / seconds:.0f} MB/s' if pages else ''
            left = seconds * (self.total / read - 1) if read and self.total else 0
            say(f'{name}: {told}, about {left / 60:.0f} min left' if told else name)
