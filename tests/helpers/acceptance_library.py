"""The README's commands on a crawl with planted copies, and the tables they must write.

The tables come from references that import nothing of what they judge.
"""

import functools
import sys
from pathlib import Path
from typing import NamedTuple

import acceptance_crawl as planted
import reference_sites as sites
from commands import Ended, apart, ended
from crawls import ROOT
from reference import Options, tables
from reference_detect import Asked, Known, detect_tables

THRESHOLD = 10  # copies, of which labels have more: the least, for little crawls
ASKED = Asked(min_chunks=5, captures='all')  # of those that are kept
# What the README says in the place of names of one's own.
OWN_NAMES = {
    'a.org/x/': f'{planted.NEW}/collection/',
    'http://a.org/x/1': f'http://{planted.NEW}/collection/page-3.html',
    'a.org': planted.OLD,
    'b.org': planted.NEW,
    'DIR': 'crawl',
}


class Library(NamedTuple):
    """The crawl, and how each command of the README ended."""

    folder: Path
    records: list[sites.Record]
    told: dict[str, Ended]

    @property
    def run(self) -> Path:
        return self.folder / 'RUN'

    def said(self) -> list[str]:
        """All lines of all commands."""
        return [line for end in self.told.values() for line in lines_of(end)]

    def expected(self, how: str) -> dict[str, bytes]:
        return expected(tuple(self.records), how)


def lines_of(end: Ended) -> list[str]:
    return end.out.splitlines() + end.err.splitlines()


def readme_commands() -> list[str]:
    """The commands of the section for one's own archives, without remarks."""
    text = (ROOT / 'README.md').read_text()
    section = text.partition('## With your own archives')[2].partition('\n## ')[0]
    lines = [line.partition(' #')[0].strip() for line in section.splitlines()]
    return [line for line in lines if line.startswith('python -m mr_reuse.')]


def shell(line: str, folder: Path) -> Ended:
    """Run a line of the README, with names of this crawl, as people do."""
    table = folder / 'RUN/labels.tsv'
    first = table.read_text().splitlines()[1][:40] if table.exists() else ''
    own = OWN_NAMES | {'HASH': first, 'python': sys.executable}
    line = ' '.join(own.get(word, word) for word in line.split())
    return ended(apart('sh', '-c', line, cwd=folder))


REPORT = 'python -m mr_reuse.report RUN'


def make_library(folder: Path) -> Library:
    """Write the crawl, and do what the README says."""
    _, records = planted.write_archives(folder / 'crawl')
    records = [
        r._replace(archive=str(Path(r.archive).relative_to(folder))) for r in records
    ]
    told = {line: shell(line, folder) for line in readme_commands()}
    # A later command writes one more table, which the report lists.
    told[REPORT] = shell(REPORT, folder)
    return Library(folder, records, told)


@functools.lru_cache
def expected(records: tuple[sites.Record, ...], how: str) -> dict[str, bytes]:
    """All tables of discover and of detect, by their file names."""
    pages = [record.page for record in sites.kept_captures(records, how)]
    found = tables(pages, Options(threshold=THRESHOLD, captures='all'))
    labels, files = (
        frozenset(line.split('\t')[0] for line in found[name].decode().splitlines()[1:])
        for name in ('labels.tsv', 'file_labels.tsv')
    )
    known = Known(labels, files, min_len=100)
    return {
        **found,
        **detect_tables(pages, known, ASKED),
        'pairs.tsv': sites.pair_table(records, how),
        'places.tsv': sites.place_table(records, how, known),
    }
