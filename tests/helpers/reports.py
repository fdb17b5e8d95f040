"""Reports of runs that were written by hand, as tests read them."""

import re

import made_runs as made
from commands import run
from lxml import html

CHUNK = 'ab' * 20
READ = {'counts': {'pages': 40, 'files': 50, 'bytes': 3_210_000, 'chunks': 1000}}
LABELS = {
    'chunk': {
        'labels': 2,
        'copied': 3,
        'copied: copies': 300,
        'short': 1,
        'short: copies': 100,
    },
    'file': {'labels': 1},
}
FOUND = {
    'labels': [
        (CHUNK, 128, 150, 90, 7, 'http://a.org/x', '<p>Well known'),
        ('cd' * 20, 300, 50, 9, 1, 'http://b.org/', '<div>A template'),
    ],
    'file_labels': [('ef' * 20, 28, 33, 12, 'http://c.org/robots.txt')],
    'frequency': [
        ('chunk', 1, 500),
        ('chunk', 2, 100),
        ('chunk', 100, 3),
        ('file', 1, 17),
        ('file', 33, 1),
    ],
}


def words(element) -> str:
    """The words of an element, one space between them."""
    found = ' '.join(' '.join(element.itertext()).split())
    return re.sub(r'\s+([,.;:)])', r'\1', found).replace('( ', '(')


class Report:
    """A report that was written."""

    def __init__(self, folder, *args):
        done = run('report', folder, *args)
        assert done.code == 0, done.err
        self.err = done.err
        self.bytes = (folder / 'report.html').read_bytes()
        assert done.out == f'{folder}/report.html\n'
        self.tree = html.document_fromstring(self.bytes.decode())

    def text(self, css='body') -> str:
        """The words of a part."""
        return ' '.join(map(words, self.tree.cssselect(css)))

    def rows(self, css: str) -> list[list[str]]:
        """The cells of the rows of a table."""
        return [
            [words(cell) for cell in row] for row in self.tree.cssselect(f'{css} tr')
        ]

    @property
    def sections(self) -> list[str]:
        return [e.get('id') for e in self.tree.cssselect('main > section')]


def discovered(folder, read=READ, **more):
    told = made.DISCOVERED | {'labels': LABELS} | more
    return made.write(folder, read, FOUND, **told)


def bad(*prefixes, pages=9):
    return [(p, p.count('/'), pages, 80, 90, '0.888888889', '0.9') for p in prefixes]


def in_order(row) -> tuple:
    """As the table is sorted: most labels in common first."""
    return row[0], -row[2], row[1]


def tie(here, there, shared, *rest, same=0, chunks=None):
    """A row: `shared` percent of all labels, and as many of all chunks."""
    share = f'{shared / 100:.9f}'
    first_here, first_there, earlier = rest
    of_chunks = share if chunks is None else f'{shared / chunks:.9f}'
    dates = first_here, first_there
    return here, there, shared, share, *dates, *earlier, same, of_chunks


def detected(folder, origins, *prefixes, **more):
    """A run of detect alone, with these ties among its sites."""
    rows = {
        'bad_neighborhoods': bad(*prefixes),
        'origins': sorted(origins, key=in_order),
    }
    made.write(folder, READ, rows, detect=made.detected(), **more)
    bins = made.histogram(p0=60, p88=len(prefixes))
    by_level = {'neighborhoods': 99, 'count': 70, 'bad': len(prefixes)}
    by_level |= {'mean': 0.1, 'deviation': 0.05, 'threshold': 0.15}
    made.stats(folder, bins, bins, bad=len(prefixes), by_level={'1': by_level})
    return folder
