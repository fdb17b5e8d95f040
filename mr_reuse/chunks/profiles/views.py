"""Find what a name stands for, and describe it or find its bytes."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mr_reuse.chunks import evidence, run_lookup
from mr_reuse.chunks.detect.copies import CopyTable
from mr_reuse.chunks.evidence import Evidence
from mr_reuse.chunks.profiles import page_profile, pair_profile, site_profile
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.pages import moved_archives, run_items


class View(NamedTuple):
    """Lines on a name, and a note on all of them, which is made after the lines."""

    lines: Iterable[str]
    make_note: Callable[[], str] = str


def describe(
    run: str, record: RunRecord, names: Sequence[str], is_where: bool, most: int
) -> View | None:
    """Describe one name or two sites; None if the bytes are wanted.

    `is_where` asks for the captures with a hash. `most` bounds lists of chunks or
    sites.
    """
    name, *others = names
    is_hash = not others and run_lookup.is_hash(name)
    if is_where and not is_hash:
        raise UsageError(f'{" ".join(names)}: not a hash; give --where a hash')
    if (others or is_hash) and not record.pages:
        raise UserError(f'{run}: has no result of discover; run discover on it first')
    if others:
        one, other = map(run_lookup.resolve_site, names)
        moved_archives.warn_of_problems(record)
        return View(pair_profile.describe_pair(run, record, (one, other), most))
    if is_hash:
        digest = run_lookup.find_full_digest(run, record, name)
        return list_captures(record, digest) if is_where else None
    if url := run_items.resolve_url(name, record.paths):
        moved_archives.warn_of_problems(record)
        return View(page_profile.describe_page(run, record, url))
    if prefix := run_lookup.resolve_prefix(name, record.paths):
        moved_archives.warn_of_problems(record)
        return View(site_profile.describe_site(run, record, prefix, most))
    return None


def list_captures(record: RunRecord, digest: bytes) -> View:
    """List the captures with a digest; the note is empty if all of them count."""
    table = CopyTable(record.pages, digest)
    if not record.passed_over:
        return View(table.lines())
    return View(table.lines(), lambda: table.describe(record.kept_captures))


def find_bytes(run: str, record: RunRecord, name: str) -> Evidence:
    """Find a chunk, a file or a page."""
    if run_lookup.is_hash(name):
        digest = run_lookup.find_full_digest(run, record, name)
        return evidence.find_evidence(run, record, digest)
    return evidence.find_page(record, name)
