"""The view of a page in `show`: the page that a name stands for, as lines."""

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.pages import moved_archives
from mr_reuse.pages.documents.results import describe_age
from mr_reuse.pages.documents.showing.choice import View, make_test
from mr_reuse.pages.documents.showing.terminal import Lines, Style
from mr_reuse.phrases.phrase_tables import NEAR_DUPLICATES, PHRASE_PAGES
from mr_reuse.phrases.showing.kept_page import list_kept
from mr_reuse.phrases.showing.left_out_page import list_left_out
from mr_reuse.phrases.showing.results import SYSTEM, PhraseResults


def is_left_out(run: str, record: RunRecord, name: str) -> bool:
    """Test whether a name stands for a near-duplicate that was left out."""
    results = PhraseResults(run, record)
    return any(results.find_left_out(make_test(name, record.paths)))


def list_page(run: str, record: RunRecord, name: str, style: Style) -> Lines:
    """Yield the lines of a page; of several captures of a URL, the first is shown."""
    results = PhraseResults(run, record)
    is_it = make_test(name, record.paths)
    moved_archives.warn_of_problems(record)
    if age := describe_age(run, record, SYSTEM):
        warn(f'{run}: {age}')
    kept = list(results.find_kept(is_it))
    left_out = list(results.find_left_out(is_it))
    if not (kept or left_out):
        tables = f'{PHRASE_PAGES.file} and {NEAR_DUPLICATES.file} list the documents'
        why = f'no page of this name was compared; {tables}'
        raise UserError(f'{name}: {why}; --as chunks shows other records')
    if kept:
        yield from list_kept(results, kept[0], style)
    else:
        yield from list_left_out(results, left_out[0])
    for row in (kept + left_out)[1:]:
        yield f'another capture that was compared: {row.rid}'


VIEW = View(SYSTEM, is_left_out, list_page)
