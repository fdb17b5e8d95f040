"""The archives of a made crawl: pages become records, and some of them break."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

import deflate

from mr_reuse.synth import damage
from mr_reuse.synth.key import Page
from mr_reuse.synth.records import Capture, Format

LEVEL = 1  # of compression: higher ones take longer than all the rest together
BUFFER = 2**20
DAMAGE_HEADER = 'archive\toffset\tkind\turl\n'


@dataclass(slots=True)
class Archives:
    """Archives of one format in one folder, written one after another.

    `damage` is where to say what was broken; nothing is broken without it.
    """

    folder: Path
    form: Format
    gzipped: bool
    seed: int
    damage: TextIO | None = None
    opened: int = 0
    file: BinaryIO | None = None
    last: int = 0  # where the newest record starts

    @property
    def name(self) -> str:
        """Of the archive that is being written."""
        number = self.opened - 1
        return f'crawl-{number:05}{self.form.suffix}{".gz" if self.gzipped else ""}'

    def open_up_to(self, number: int, second: int) -> None:
        """Go on in the archive of that number, counted from 1, in that second."""
        while self.opened < number:
            self.close()
            self.opened += 1
            self.file = open(self.folder / self.name, 'wb', buffering=BUFFER)  # noqa: SIM115
            self.put(self.form.start(self.name, self.seed, second))

    def add(self, page: Page, serial: int) -> None:
        """Append a page, damaged if it is its turn."""
        if not self.form.takes(page):
            return
        harm = damage.harm_of(serial, self.gzipped) if self.damage else ''
        slip = damage.SLIPS.get(harm, 0)
        self.put(self.form.record(Capture(page, self.seed, serial, slip)), harm)
        if harm:
            self.report(harm, page.url)

    def put(self, record: bytes, harm: str = '') -> None:
        """Append a record, as a gzip member of its own."""
        packed = deflate.gzip_compress(record, LEVEL) if self.gzipped else record
        self.last = self.file.tell()
        self.file.write(damage.break_bytes(packed, harm))

    def report(self, harm: str, url: str) -> None:
        self.damage.write(f'{self.name}\t{self.last}\t{harm}\t{url}\n')

    def cut(self) -> None:
        """Let the newest record end in its middle."""
        self.file.truncate((self.last + self.file.tell()) // 2)
        self.report('cut-end', '')

    def close(self) -> None:
        if self.file:
            self.file.close()
