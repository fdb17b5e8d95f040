"""What a person may call a thing: categories, each with a key to press.

A file of them is a table with a header line: key, name, counts, description. Names
such as `Templates: forms` make groups; `counts` is benign, unclear or bad.
"""

import os
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import naming
from mr_reuse.tables.schema import SUFFIX

FOLDER = os.path.join(os.path.dirname(__file__), 'categories')
HEADER = 'key\tname\tcounts\tdescription'
COUNTS = ('benign', 'unclear', 'bad')
TAKEN = 'npuv/?,.'  # keys that mean something else
BETWEEN = '; '  # of the names of several categories


class Category(NamedTuple):
    """One of them."""

    key: str
    name: str
    counts: str
    description: str

    @property
    def group(self) -> str:
        """What is before the colon in its name, if there is one.

        >>> Category('f', 'Templates: forms', 'benign', '').group
        'Templates'
        """
        return group_of(self.name)


def group_of(name: str) -> str:
    """The group of a category, '' if it is in none."""
    return name.partition(': ')[0] if ': ' in name else ''


def load(name: str | None, default: str) -> list[Category]:
    """Read a file of categories; without a name, the default of this package."""
    if name is not None:
        storage.refuse_special_files(name)
    name = name or naming.join(FOLDER, default + SUFFIX)
    return parse(name, storage.read_text(name))


def parse(name: str, text: str) -> list[Category]:
    """The categories in the text of a file of that name.

    >>> parse('x.tsv', HEADER + '\\na\\tAds\\tbad\\tmade to be clicked\\n')
    [Category(key='a', name='Ads', counts='bad', description='made to be clicked')]
    """
    lines = text.removeprefix('\ufeff').splitlines()
    if not lines or lines[0].rstrip() != HEADER:
        told = HEADER.replace('\t', ', ')
        raise UserError(f'{name}: its first line has to be, with tabs: {told}')
    found: list[Category] = []
    for number, line in enumerate(lines[1:], 2):
        if line.strip() and not line.startswith('#'):
            cells = [cell.strip() for cell in line.split('\t')]
            found.append(Category(*(cells + [''] * 4)[:4]))
            if why := odd(found):
                raise UserError(f'{name}, line {number}: {why}')
    if not found:
        raise UserError(f'{name}: there are no categories in it')
    return found


def odd(found: list[Category]) -> str:
    """What is wrong with the last of some categories, '' if nothing is."""
    *before, last = found
    if len(last.key) != 1 or not last.key.isprintable() or last.key.isupper():
        return f'{last.key!r} is no key: one small letter, digit or sign'
    if last.key in TAKEN:
        return f'the key {last.key} is taken; not to be used are {" ".join(TAKEN)}'
    if not last.name or BETWEEN.strip() in last.name:
        return f'{last.name!r} is no name: it is empty, or has a semicolon'
    if last.counts not in COUNTS:
        return f'{last.counts!r} should be {", ".join(COUNTS[:-1])} or {COUNTS[-1]}'
    for i, what in enumerate(('key', 'name')):
        if any(one[i] == last[i] for one in before):
            return f'the {what} {last[i]} is there twice'
    return ''


def counts_of(some: list[Category]) -> str:
    """What several categories together count as: the worst of them."""
    return max((one.counts for one in some), key=COUNTS.index, default='')
