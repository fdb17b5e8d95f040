"""The view of a page in `show`: the page that a name stands for, as lines."""

import os
import shutil
import sys
from collections.abc import Callable, Container, Iterator, Sequence

from mr_reuse.archives import rids, urls
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import to_bytes, warn, write_visible
from mr_reuse.pages import moved_archives, run_items
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.quilts.showing import quilt_page, terminal
from mr_reuse.quilts.showing.quilt_page import QuiltPage
from mr_reuse.quilts.showing.results import SYSTEM, QuiltResults, describe_age
from mr_reuse.quilts.showing.terminal import Style

VIEWS = 'chunks', 'quilts'  # the systems by which a page can be shown
NameTest = Callable[[str, str], bool]


def make_test(name: str, paths: Container[str]) -> NameTest:
    """Return a test for rid and URL: whether a name stands for them.

    >>> is_it = make_test('a:7', ['a']); is_it('a:7', ''), is_it('a:8', 'a:7')
    (True, False)
    >>> make_test('http://a/ü', ['a'])('a:8', 'http://a/%C3%BC')
    True
    """
    if rids.split_rid(name)[0] in paths:  # a name with a scheme may be one as well
        return lambda rid, url: rid == name
    wanted = urls.percent_encode(to_bytes(name))
    return lambda rid, url: url == wanted


def is_wanted(
    run: str, record: RunRecord, names: Sequence[str], is_where: bool, view: str | None
) -> bool:
    """Test whether names are to be shown by their patches; `view` is the value of --as.

    Without one, those of a quilted page are, and those of any page in a run that does
    not know its chunks.
    """
    is_page = names[1:] == [] and not is_where
    is_page = is_page and run_items.is_page_name(names[0], record.paths)
    if view == SYSTEM and not is_page:
        name = ' '.join(names)
        raise UsageError(f'{name}: give --as quilts the rid or the URL of one page')
    if view or not is_page or SYSTEM not in record.systems:
        return view == SYSTEM
    is_url = run_items.resolve_url(names[0], record.paths)
    has_chunks = record.detect.matches if is_url else record.pages
    return not has_chunks or is_quilt(run, record, names[0])


def is_quilt(run: str, record: RunRecord, name: str) -> bool:
    """Test whether a name stands for a quilted page."""
    results = QuiltResults(run, record)
    return any(results.find_quilts(make_test(name, record.paths)))


def print_page(run: str, record: RunRecord, name: str) -> None:
    """Print a page to standard output."""
    columns = shutil.get_terminal_size().columns
    style = terminal.choose_style(sys.stdout.isatty(), columns, os.environ)
    for line in list_page(run, record, name, style):
        write_visible(f'{line}\n')


def list_page(run: str, record: RunRecord, name: str, style: Style) -> Iterator[str]:
    """Yield the lines of a page; of several captures of a URL, the first is shown."""
    results = QuiltResults(run, record)
    is_it = make_test(name, record.paths)
    moved_archives.warn_of_problems(record)
    if age := describe_age(run, record):
        warn(f'{run}: {age}')
    rows = list(results.find_quilts(is_it))
    if rows:
        yield from _list_quilt(results, record, rows[0], style)
    else:
        yield from _list_document(results, record, name, style)
    for row in rows[1:]:
        yield f'another capture that is quilted: {row.rid}'


def _list_quilt(
    results: QuiltResults, record: RunRecord, row, style: Style
) -> Iterator[str]:
    rid, recipe = row.rid, results.recipe
    sources, grams = results.read_sources([rid]), results.read_patch_grams([rid])
    quilt = QuiltPage(row, sources[rid], grams[rid], recipe.k)
    page = quilt_page.read_page(record, recipe, rid)
    yield from terminal.list_quilt(quilt, quilt.open(page), style)


def _list_document(
    results: QuiltResults, record: RunRecord, name: str, style: Style
) -> Iterator[str]:
    row = next(results.find_documents(make_test(name, record.paths)), None)
    if not row:
        why = f'no page of this name was compared; {QUILTS.file} lists the quilted ones'
        raise UserError(f'{name}: {why}; --as chunks shows other records')
    page = quilt_page.read_page(record, results.recipe, row.rid)
    yield from terminal.list_document(row, page, results.alpha, style)
