"""The view of a style or of a page in `show`, as lines."""

import re

from mr_reuse.archives import rids
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import make_visible, warn
from mr_reuse.pages import moved_archives
from mr_reuse.pages.documents import numbering
from mr_reuse.pages.documents.results import describe_age
from mr_reuse.pages.documents.showing.choice import View, make_test
from mr_reuse.pages.documents.showing.terminal import Lines, Style
from mr_reuse.styles.showing import described, style_page
from mr_reuse.styles.showing.member_page import list_document
from mr_reuse.styles.showing.results import SYSTEM, StyleResults
from mr_reuse.styles.style_tables import STYLES

# The beginning of a hash has at least six digits.
STYLE_NAME = re.compile(r'style:([0-9]{1,18})|[0-9]{1,5}')


def is_style(record: RunRecord, name: str) -> bool:
    """Test whether a name stands for a style: its number, or `style:NUMBER`."""
    is_rid = rids.split_rid(name)[0] in record.paths
    return bool(STYLE_NAME.fullmatch(name)) and not is_rid


def parse_style(name: str) -> int:
    """Return the number of a style.

    >>> parse_style('style:1234567'), parse_style('3')
    (1234567, 3)
    """
    return int(name.rpartition(':')[2])


def is_member(run: str, record: RunRecord, name: str) -> bool:
    """Test whether a name stands for a page of a style."""
    results = StyleResults(run, record)
    return results.has_member(make_test(name, record.paths))


def list_page(run: str, record: RunRecord, name: str, style: Style) -> Lines:
    """Yield the lines of a style or of a page.

    Of several captures of a URL, the first that was compared is shown.
    """
    results = StyleResults(run, record)
    moved_archives.warn_of_problems(record)
    if age := describe_age(run, record, SYSTEM):
        warn(f'{run}: {age}')
    if is_style(record, name):
        yield from _list_style(results, parse_style(name), style)
    else:
        yield from _list_page(results, name)


def _list_style(results: StyleResults, number: int, style: Style) -> Lines:
    row = results.find_style(number)
    if not row:
        raise UserError(f'style {number}: no style has this number; see {STYLES.file}')
    features = described.read_features(results, row)
    members = style_page.read_members(results.list_members(number))
    yield from style_page.list_style(row, members, features, style)


def _list_page(results: StyleResults, name: str) -> Lines:
    is_it = make_test(name, results.record.paths)
    pages = list(results.numbers.find_pages(is_it))
    if not pages:
        why = 'no document of this name was read; documents are pages in HTML'
        raise UserError(f'{name}: {why}; --as chunks shows other records')
    numbers, skipped = results.numbers, results.read_skipped()
    is_compared = {
        page.rid: not numbering.is_among(numbers.number_of(page), skipped)
        for page in pages
    }
    first, *others = sorted(pages, key=lambda page: not is_compared[page.rid])
    yield from list_document(results, first)
    for page in others:
        yield (
            f'another capture{"" if is_compared[page.rid] else ", not compared"}: '
            f'{make_visible(page.rid)}'
        )


VIEW = View(SYSTEM, is_member, list_page, claims=is_style)
