"""The archives of a synthetic crawl: pages become records, some of them damaged."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

import deflate

from mr_reuse.synth import damage
from mr_reuse.synth.key import Page
from mr_reuse.synth.records import Capture, Format

LEVEL = 1  # of compression; higher ones would take most of the time
BUFFER = 2**20
DAMAGE_HEADER = 'archive\toffset\tkind\turl\n'


@dataclass(slots=True)
class Archives:
    """Archives of one format in one folder, written one after another.

    `damage` is the list of damaged records. If it is None, no record is damaged.
    """

    folder: Path
    form: Format
    gzipped: bool
    seed: int
    damage: TextIO | None = None
    opened: int = 0  # number of the current archive, counted from 1
    file: BinaryIO | None = None
    last: int = 0  # offset of the newest record

    @property
    def name(self) -> str:
        """The name of the current archive."""
        number = self.opened - 1
        return f'crawl-{number:05}{self.form.suffix}{".gz" if self.gzipped else ""}'

    def open_up_to(self, number: int, second: int) -> None:
        """Continue in the archive with a number, counted from 1, at a time."""
        while self.opened < number:
            self.close()
            self.opened += 1
            self.file = open(self.folder / self.name, 'wb', buffering=BUFFER)  # noqa: SIM115
            self.put(self.form.start(self.name, self.seed, second))

    def add(self, page: Page, serial: int) -> None:
        """Append a page, unless the format has no place for it. Some get damaged."""
        if not self.form.takes(page):
            return
        harm = damage.harm_of(serial, self.gzipped) if self.damage else ''
        slip = damage.SLIPS.get(harm, 0)
        self.put(self.form.record(Capture(page, self.seed, serial, slip)), harm)
        if harm:
            self.report(harm, page.url)

    def put(self, record: bytes, harm: str = '') -> None:
        """Append a record, as a gzip member of its own."""
        stored = deflate.gzip_compress(record, LEVEL) if self.gzipped else record
        self.last = self.file.tell()
        self.file.write(damage.break_bytes(stored, harm))

    def report(self, harm: str, url: str) -> None:
        """Add a row for the newest record to the list of damaged records."""
        self.damage.write(f'{self.name}\t{self.last}\t{harm}\t{url}\n')

    def cut(self) -> None:
        """Truncate the archive in the middle of the newest record."""
        self.file.truncate((self.last + self.file.tell()) // 2)
        self.report('cut-end', '')

    def close(self) -> None:
        """Close the current archive, if there is one."""
        if self.file:
            self.file.close()
