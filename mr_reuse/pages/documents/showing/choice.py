"""Which system shows a page in `show`, and which pages a name stands for."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from mr_reuse.archives import rids, urls
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError
from mr_reuse.messages import to_bytes
from mr_reuse.pages import run_items
from mr_reuse.pages.documents.showing.terminal import Lines

CHUNKS = 'chunks'
NameTest = Callable[[str, str], bool]


def _claims_none(record: RunRecord, name: str) -> bool:
    """Return False: no name stands for a result that is no page."""
    del record, name
    return False


class View(NamedTuple):
    """How a system shows a page. The functions take a run, its record and a name."""

    system: str
    is_of_note: Callable[[str, RunRecord, str], bool]  # the system has a result on it
    list_page: Callable[..., Lines]  # also takes a `Style`
    is_first: bool = False  # its result on a page counts more than the chunks
    # Whether a name stands for a result that is no page.
    claims: Callable[[RunRecord, str], bool] = _claims_none


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


def choose_view(
    views: Iterable[View],
    run: str,
    record: RunRecord,
    names: Sequence[str],
    wanted: str | None,
) -> View | None:
    """Choose the system that shows a name; None for the chunks, and for other names.

    `wanted` is the value of --as. Without one, a page is shown by a system that is
    first and has a result on it, or by its chunks if the run has them. Otherwise it is
    shown by the first system that has a result on it, or that the run has. A name that
    is no page may stand for a result of a system.
    """
    is_one = names[1:] == []
    is_page = is_one and run_items.is_page_name(names[0], record.paths)
    if wanted:
        view = next((view for view in views if view.system == wanted), None)
        if view and not is_page and not (is_one and view.claims(record, names[0])):
            name = ' '.join(names)
            raise UsageError(f'{name}: give --as {wanted} the rid or URL of one page')
        return view
    there = [view for view in views if view.system in record.systems]
    if not is_page:
        claiming = (view for view in there if view.claims(record, names[0]))
        return next(claiming, None) if is_one else None
    by_chunks = bool(there) and has_chunks(record, names[0])
    for view in there:
        if (view.is_first or not by_chunks) and view.is_of_note(run, record, names[0]):
            return view
    return None if not there or by_chunks else there[0]


def has_chunks(record: RunRecord, name: str) -> bool:
    """Test whether a run knows the chunks of the page that a name stands for."""
    is_url = run_items.resolve_url(name, record.paths)
    return bool(record.detect.matches if is_url else record.pages)
