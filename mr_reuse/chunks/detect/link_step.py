"""The step of `links`: find the links among bad sites in their pages."""

import functools
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.archives.rids import split_rid
from mr_reuse.chunks.chunk_steps import LINKS
from mr_reuse.chunks.detect import badness_tables, matching, origins, steps
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.jobs.site_links import SiteLinks
from mr_reuse.chunks.revisits import targets
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Step
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.messages import to_text
from mr_reuse.pages import input_status, lookup
from mr_reuse.shuffle import packing, partitions, protocol
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.storage import mapped

MAX_CACHED = 10_000  # sites, bad or not


class LinkPlan(NamedTuple):
    """The bad sites whose links are looked for, and the pages that cannot be read."""

    record: RunRecord
    bad: int  # their number
    bad_file: str  # a temporary file of the digests of these
    unread: dict[str, int]  # missing archives, with their numbers of pages of bad sites


def plan_links(chain: Chain, record: RunRecord) -> LinkPlan:
    """Find the bad sites, and the missing archives that have pages of them."""
    detected = record.detect
    prefixes = find_bad_sites(detected)
    bad, bad_file = steps.write_name_digests(chain, prefixes)
    missing = set(input_status.find_missing(record.paths.values())) if bad else set()
    unread: Counter[str] = Counter()
    if missing:
        archives = (split_rid(rid)[0] for rid, _ in select_pages(record, bad_file))
        unread.update(name for name in archives if record.paths.get(name) in missing)
    by_name = dict(sorted(unread.items()))
    return LinkPlan(record, bad, bad_file, by_name)


def find_links(chain: Chain, plan: LinkPlan) -> list[str]:
    """Find the links in the pages of bad sites; return the part files with the links.

    Without bad sites no job runs. Pages of missing archives are left out.
    """
    if not plan.bad:
        return []

    def write_input() -> list[str]:
        pages = select_pages(plan.record, plan.bad_file)
        return lookup.write_rows_to_read(chain.run, pages, paths)

    paths, args = plan.record.paths, {'level': plan.record.detect.level}
    # The recorded name does not change when the run is moved; the digest of the step
    # depends on it.
    matches = chain.run.read_record().detect.matches
    missing = [paths[name] for name in plan.unread]
    depends_on = [matches, mapped.file_digest(plan.bad_file), missing]
    bits = partitions.bits_for(plan.bad**2)
    unhashed = {'bad': plan.bad_file, 'bits': bits}
    step = Step(
        LINKS.folder, SiteLinks, args, write_input, depends_on, unhashed=unhashed
    )
    return chain.run_step(step).parts


def find_bad_sites(detected: DetectRecord) -> Iterator[str]:
    """Yield the prefixes of the bad sites, by the results of `detect`."""
    parts = storage.list_part_names(detected.neighborhoods)
    judged = badness_tables.Judged(Rule.from_dict(detected.rule), parts)
    return judged.find_bad_prefixes(detected.level)


def select_pages(record: RunRecord, sites: str) -> Iterator[tuple[str, bytes]]:
    """Yield the rids and URLs of the pages of sites, by a file of their digests.

    A revisit has the rid of its target, and the URL of the target as a further column.
    """
    return targets.follow_rows(_select_matches(record.detect, sites), record.revisits)


def _select_matches(detected: DetectRecord, sites: str) -> Iterator[tuple[str, bytes]]:
    index = DigestIndex(mapped.map_rows(sites, NAME_WIDTH))

    @functools.lru_cache(MAX_CACHED)
    def is_one(site: str) -> bool:
        digest = packing.make_rows(name_digest(site), NAME_WIDTH).keys
        return bool(index.find(digest)[0] >= 0)

    for line in protocol.read_parts(step_output.list_sound_parts(detected.matches)):
        page = matching.read_match(*line)
        site = origins.neighborhood_at(page.url.decode(), detected.level)
        if page.total is not None and is_one(site):
            yield to_text(page.rid), page.url
