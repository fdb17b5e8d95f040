"""The step of `links`: find the links among bad sites in their pages."""

from collections.abc import Iterator

from mr_reuse import storage
from mr_reuse.chunks.chunk_steps import LINKS
from mr_reuse.chunks.detect import badness_tables, matching, origins, steps
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.jobs.site_links import SiteLinks
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import summarize_names, to_text, warn
from mr_reuse.pages import inputs, lookup
from mr_reuse.shuffle import partitions, protocol
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.storage import mapped


def find_links(chain: Chain, record: RunRecord) -> list[str]:
    """Find the links in the pages of bad sites; return the part files with the links.

    Without bad sites no job runs. Pages of missing archives are skipped with a warning.
    """
    run, detected = chain.run, record.detect
    hashes, name = steps.write_hashes(chain, find_bad_sites(run, detected))
    if not hashes:
        return []

    def write_input() -> list[str]:
        pages = select_pages(detected, set(hashes))
        return lookup.write_rows_to_read(run, pages, record.paths)

    missing = inputs.find_missing(record.paths.values())
    if missing:
        warn(
            f'{summarize_names(missing)}: missing, so links of its pages are not '
            'counted'
        )
    args = {'level': detected.level}
    # The recorded name does not change when the run is moved; the digest of the step
    # depends on it.
    matches = run.read_record().detect.matches
    depends_on = [matches, mapped.file_digest(name), missing]
    unhashed = {'bad': name, 'bits': partitions.bits_for(len(hashes) ** 2)}
    step = Step(
        LINKS.folder, SiteLinks, args, write_input, depends_on, unhashed=unhashed
    )
    return chain.run_step(step).parts


def find_bad_sites(run: RunDir, detected: DetectRecord) -> Iterator[str]:
    """Yield the prefixes of the bad sites, by the results of `detect`."""
    matches, sums = (
        Done(folder, [], '') for folder in (detected.matches, detected.neighborhoods)
    )
    rule = Rule.of_dict(detected.rule)
    tables = badness_tables.BadnessTables(run, rule, matches, sums)
    return tables.bad_ones(detected.level)


def select_pages(
    detected: DetectRecord, hashes: set[bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield the rids and URLs of the pages of sites, by the digests of the sites."""
    for line in protocol.read_parts(storage.list_part_names(detected.matches)):
        page = matching.read_match(*line)
        site = origins.neighborhood_at(page.url.decode(), detected.level)
        if page.total is not None and name_digest(site) in hashes:
            yield to_text(page.rid), page.url
