"""Captures, pairs and places, computed in the plainest way there is; for tests only.

Like `reference.py` it is written from the definitions alone and imports nothing of what
it judges. Every chunk of every site is kept in memory, so give it little crawls.
"""

import re
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from reference import (
    Options,
    Page,
    chunks_of,
    digest,
    host_of,
    is_loop,
    is_text,
    printable,
    table,
)
from reference_detect import Known, prefixes, rounded, shown

PAIRS = ['a', 'b', 'chunks', 'bytes', 'a_share', 'b_share', 'a_first', 'b_first']
PLACES = ['hash', 'rid', 'url', 'date']
MOST_HOSTS = 100  # a chunk on more of them is common, and connects nobody
FEWEST_SHARED = 10  # chunks that make a row
NEVER = ':'  # sorts after all digits


class Record(NamedTuple):
    """One item of a crawl, page or not; a page of a folder names the folder."""

    archive: str
    offset: int
    url: str
    date: str
    body: bytes
    folder: str = ''

    @property
    def rid(self) -> str:
        return f'{self.archive}:{self.offset}'

    @property
    def page(self) -> Page:
        return Page(self.archive, self.offset, printable(self.url), self.body)


# Captures


def kept_captures(
    records: list[Record], how: str, recursion: str = 'length'
) -> list[Record]:
    """The items that are searched: one of each URL, or all."""
    records = [record for record in records if not is_loop(record.url, recursion)]
    if how == 'all':
        return records
    same_url = {}
    for record in records:
        itself = record.rid if not record.url else ''
        key = record.folder, printable(record.url), itself
        same_url.setdefault(key, []).append(record)
    return [chosen(captures, how) for captures in same_url.values()]


def chosen(captures: list[Record], how: str) -> Record:
    """The first or last page, or the first or last file where none is a page."""
    pages = [record for record in captures if is_text(record.body)] or captures
    dates = [second_of(record.date) or NEVER for record in pages]
    wanted = {'first': min, 'last': max}[how](dates)
    same_date = [p for p, date in zip(pages, dates, strict=True) if date == wanted]
    return min(same_date, key=by_rid)


def capture_counts(records: list[Record], how: str) -> dict[str, int]:
    """How many captures there are, of how many URLs, and how many are passed over."""
    captures = kept_captures(records, 'all')
    urls = kept_captures(records, 'first')
    kept = kept_captures(records, how)
    passed_over = len(captures) - len(kept)
    return {'captures': len(captures), 'urls': len(urls), 'passed_over': passed_over}


def by_rid(record: Record) -> tuple:
    return record.archive.encode(), record.offset


def second_of(date: str) -> str:
    """The fourteen digits of a date that is possible; '' of any other."""
    digits = re.sub('[-:TZ]', '', date.partition('.')[0])
    try:
        year = datetime.strptime(digits, '%Y%m%d%H%M%S').year
    except ValueError:
        return ''
    return digits if year >= 1991 and len(digits) == 14 else ''


# Pairs


def host_unit(url: str) -> str:
    return host_of(printable(url))


def level_unit(level: int) -> Callable[[str], str]:
    """Choose the prefix of exactly this level; a page above it has none."""

    def unit(url: str) -> str:
        found = prefixes(printable(url))
        return found[level - 1] if len(found) >= level else ''

    return unit


def domain_unit(suffixes: set[str]) -> Callable[[str], str]:
    """Choose the registered domain, given all public suffixes that the crawl has."""

    def unit(url: str) -> str:
        host = host_unit(url)
        name = host if host.endswith(']') else re.sub(r':\d*$', '', host)
        labels = name.split('.')
        if name.startswith('[') or all(label.isdigit() for label in labels):
            return name
        for n in range(len(labels)):
            if '.'.join(labels[n + 1 :]) in suffixes:
                return '.'.join(labels[n:])
        return name

    return unit


def pair_table(
    records: list[Record],
    how: str,
    unit: Callable[[str], str] = host_unit,
    options: Options = Options(),  # noqa: B008 (frozen)
) -> bytes:
    """The bytes of `pairs.tsv`."""
    return table(PAIRS, pair_rows(records, how, unit, options))


def pair_rows(records, how, unit=host_unit, options=Options()) -> list[tuple]:  # noqa: B008
    """A row for every two units with enough chunks in common, most bytes first."""
    everywhere = chunks_by_unit(kept_captures(records, how), unit, options)
    units_of = {}
    for name, chunks in everywhere.items():
        for chunk in chunks:
            units_of.setdefault(chunk, set()).add(name)
    counted = {c for c, units in units_of.items() if len(units) <= MOST_HOSTS}
    first = first_captures(kept_captures(records, 'all'), unit, options)
    rows = []
    for a, b in combinations(sorted(everywhere, key=str.encode), 2):
        shared = everywhere[a] & everywhere[b] & counted
        if len(shared) < FEWEST_SHARED:
            continue
        dates = [(first.get((a, chunk)), first.get((b, chunk))) for chunk in shared]
        dated = [(on_a, on_b) for on_a, on_b in dates if on_a and on_b]
        row = a, b, len(shared), sum(map(len, shared))
        row += share(shared, everywhere[a]), share(shared, everywhere[b])
        row += sum(x < y for x, y in dated), sum(y < x for x, y in dated)
        rows.append(row)
    return sorted(rows, key=lambda row: (-row[3], row[0].encode(), row[1].encode()))


def share(shared: set, whole: set) -> str:
    return shown(rounded(Fraction(len(shared), len(whole))))


def chunks_by_unit(records, unit, options: Options) -> dict[str, set[bytes]]:
    """The distinct chunks of each unit that are long enough and no stop chunks."""
    found = {}
    for record in records:
        name = unit(record.url)
        if name:
            found.setdefault(name, set()).update(informative(record.body, options))
    return found


def informative(body: bytes, options: Options) -> set[bytes]:
    return {
        chunk
        for chunk in chunks_of(body, options)
        if len(chunk) > options.min_len
        and digest(chunk, options.hash) not in options.stop
    }


def first_captures(records, unit, options: Options) -> dict[tuple[str, bytes], str]:
    """The earliest known date of each chunk on each unit, of all captures."""
    first = {}
    for record in records:
        name, date = unit(record.url), second_of(record.date)
        for chunk in informative(record.body, options) if name and date else ():
            first[name, chunk] = min(date, first.get((name, chunk), date))
    return first


# Places


def place_table(records: list[Record], how: str, known: Known) -> bytes:
    """The bytes of `places.tsv`: a row for each page that has a label."""
    rows = []
    for record in sorted(kept_captures(records, how), key=by_rid):
        for chunk in set(chunks_of(record.body, Options())):
            name = digest(chunk)
            stop = len(chunk) <= known.min_len or name in known.stop
            if name in known.chunks and not stop:
                rows.append((name, record.rid, printable(record.url), record.date))
    return table(PLACES, sorted(rows, key=lambda row: row[0]))
