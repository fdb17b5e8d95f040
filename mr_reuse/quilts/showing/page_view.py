"""The view of a page in `show`: the page that a name stands for, as lines."""

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.pages import moved_archives
from mr_reuse.pages.documents.results import describe_age
from mr_reuse.pages.documents.showing.choice import View, make_test
from mr_reuse.pages.documents.showing.terminal import Lines, Style
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.quilts.showing import quilt_page, terminal
from mr_reuse.quilts.showing.quilt_page import QuiltPage
from mr_reuse.quilts.showing.results import SYSTEM, QuiltResults


def is_quilt(run: str, record: RunRecord, name: str) -> bool:
    """Test whether a name stands for a quilted page."""
    results = QuiltResults(run, record)
    return any(results.find_quilts(make_test(name, record.paths)))


def list_page(run: str, record: RunRecord, name: str, style: Style) -> Lines:
    """Yield the lines of a page; of several captures of a URL, the first is shown."""
    results = QuiltResults(run, record)
    is_it = make_test(name, record.paths)
    moved_archives.warn_of_problems(record)
    if age := describe_age(run, record, SYSTEM):
        warn(f'{run}: {age}')
    rows = list(results.find_quilts(is_it))
    if rows:
        yield from _list_quilt(results, record, rows[0], style)
    else:
        yield from _list_document(results, record, name, style)
    for row in rows[1:]:
        yield f'another capture that is quilted: {row.rid}'


def _list_quilt(results: QuiltResults, record: RunRecord, row, style: Style) -> Lines:
    rid, recipe = row.rid, results.recipe
    sources, grams = results.read_sources([rid]), results.read_patch_grams([rid])
    quilt = QuiltPage(row, sources[rid], grams[rid], recipe.k)
    page = quilt_page.read_page(record, recipe, rid)
    yield from terminal.list_quilt(quilt, quilt.open(page), style)


def _list_document(
    results: QuiltResults, record: RunRecord, name: str, style: Style
) -> Lines:
    row = next(results.find_documents(make_test(name, record.paths)), None)
    if not row:
        why = f'no page of this name was compared; {QUILTS.file} lists the quilted ones'
        raise UserError(f'{name}: {why}; --as chunks shows other records')
    page = quilt_page.read_page(record, results.recipe, row.rid)
    yield from terminal.list_document(row, page, results.alpha, style)


VIEW = View(SYSTEM, is_quilt, list_page, is_first=True)
