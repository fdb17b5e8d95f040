"""The categories of judgements, each with a key of the keyboard.

A file of categories is a table with a header line: key, name, counts, description. The
part of a name before a colon is its group: `Templates: forms` is in `Templates`.
"""

import os
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import naming
from mr_reuse.tables.schema import SUFFIX

FOLDER = os.path.join(os.path.dirname(__file__), 'categories')
# Names of built-in files; a file of such a name is `./chunks`.
BUILT_IN = (
    'chunks',
    'top-chunks',
    'files',
    'neighborhoods',
    'clones',
    'quilts',
    'near_duplicates',
    'phrase_pages',
    'phrase_hosts',
    'styles',
)
HEADER = 'key\tname\tcounts\tdescription'
COUNTS = ('benign', 'unclear', 'bad')
RESERVED_KEYS = 'npuv/?,.'  # of the page: next, previous, undo, …
SEPARATOR = '; '  # of the names of several categories


class Category(NamedTuple):
    """A category of judgements."""

    key: str
    name: str
    counts: str  # as benign, unclear or bad
    description: str

    @property
    def group(self) -> str:
        """The part of the name before the colon, '' without a colon.

        >>> Category('f', 'Templates: forms', 'benign', '').group
        'Templates'
        """
        return group_of(self.name)


def group_of(name: str) -> str:
    """Return the group in the name of a category, '' if there is none."""
    return name.partition(': ')[0] if ': ' in name else ''


def load(name: str | None, default: str) -> list[Category]:
    """Read a file of categories, or a built-in one; without a name, the default."""
    if name is None or name in BUILT_IN:
        name = naming.join(FOLDER, (name or default) + SUFFIX)
    storage.refuse_special_files(name)
    return parse(name, storage.read_text(name))


def parse(name: str, text: str) -> list[Category]:
    """Parse the text of a file of categories.

    Raises UserError, with the name of the file, for a malformed line.

    >>> parse('x.tsv', HEADER + '\\na\\tAds\\tbad\\tmade to be clicked\\n')
    [Category(key='a', name='Ads', counts='bad', description='made to be clicked')]
    """
    # Spreadsheets write a byte order mark.
    lines = text.removeprefix('\ufeff').splitlines()
    if not lines or lines[0].rstrip() != HEADER:
        columns = HEADER.replace('\t', ', ')
        raise UserError(f'{name}: the first line must have these columns: {columns}')
    result: list[Category] = []
    for number, line in enumerate(lines[1:], 2):
        if line.strip() and not line.startswith('#'):
            cells = [cell.strip() for cell in line.split('\t')]
            result.append(Category(*(cells + [''] * 4)[:4]))
            if why := find_error(result):
                raise UserError(f'{name}, line {number}: {why}')
    if not result:
        raise UserError(f'{name}: it has no categories')
    return result


def find_error(categories: list[Category]) -> str:
    """Describe the error in the last category, '' if it is correct."""
    *before, last = categories
    if len(last.key) != 1 or not last.key.isprintable() or last.key.isupper():
        return f'{last.key!r} is no key: one small letter, digit or sign'
    if last.key in RESERVED_KEYS:
        return (
            f'the key {last.key} is reserved, as are all of {" ".join(RESERVED_KEYS)}'
        )
    if not last.name or SEPARATOR.strip() in last.name:
        return f'{last.name!r} is no name: it is empty or has a semicolon'
    if last.counts not in COUNTS:
        return f'{last.counts!r} should be {", ".join(COUNTS[:-1])} or {COUNTS[-1]}'
    for i, field in enumerate(('key', 'name')):
        if any(category[i] == last[i] for category in before):
            return f'the {field} {last[i]} occurs twice'
    return ''


def counts_of(categories: list[Category]) -> str:
    """Return the worst value of `counts` of several categories, '' of none."""
    return max((c.counts for c in categories), key=COUNTS.index, default='')
