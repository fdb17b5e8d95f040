"""Find what a name stands for, and describe it or find its bytes."""

from collections.abc import Iterable, Sequence

from mr_reuse.chunks import evidence, run_lookup
from mr_reuse.chunks.detect import copies
from mr_reuse.chunks.evidence import Evidence
from mr_reuse.chunks.profiles import page_profile, pair_profile, site_profile
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError
from mr_reuse.pages import moved_archives


def describe(
    run: str, record: RunRecord, names: Sequence[str], is_where: bool, most: int
) -> Iterable[str] | None:
    """Return lines on one name or on two sites; None if the bytes are wanted.

    `is_where` asks for the places of a hash. `most` bounds lists of chunks or sites.
    """
    name, *others = names
    is_hash = not others and run_lookup.is_hash(name)
    if is_where and not is_hash:
        raise UsageError(f'{" ".join(names)}: not a hash; give --where a hash')
    if others:
        one, other = map(run_lookup.resolve_site, names)
        moved_archives.warn_of_problems(record)
        return pair_profile.describe_pair(run, record, (one, other), most)
    if is_hash:
        digest = run_lookup.find_full_digest(run, record, name)
        return copies.format_table(record.pages, digest) if is_where else None
    if url := run_lookup.resolve_url(name, record.paths):
        moved_archives.warn_of_problems(record)
        return page_profile.describe_page(run, record, url)
    if prefix := run_lookup.resolve_prefix(name, record.paths):
        moved_archives.warn_of_problems(record)
        return site_profile.describe_site(run, record, prefix, most)
    return None


def find_bytes(run: str, record: RunRecord, name: str) -> Evidence:
    """Find a chunk, a file or a page."""
    if run_lookup.is_hash(name):
        digest = run_lookup.find_full_digest(run, record, name)
        return evidence.find_evidence(run, record, digest)
    return evidence.find_page(record, name)
