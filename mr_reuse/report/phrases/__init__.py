"""The sections on phrases; the module of a section is named after its id."""

from collections.abc import Iterator

from mr_reuse.phrases.phrase_tables import TABLES
from mr_reuse.report.phrases import covers, near_duplicates, phrase_hosts, phrases
from mr_reuse.report.phrases.counts import read_facts
from mr_reuse.report.phrases.page_counts import read_pages
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section

OVERLAID = 3  # hosts in the plot of pages


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order; `top` is for sites with chunks alone."""
    del top
    if not (run.has_phrases and all(map(run.has, TABLES))):
        return
    facts = read_facts(run)
    hosts = phrase_hosts.read_hosts(run)
    sizes = near_duplicates.count_classes(run, facts)
    pages = read_pages(
        run,
        [host.name for host in hosts.drawn[:OVERLAID]],
        sizes.sampled,
        set(sizes.largest()),
    )
    data = near_duplicates.section(run, facts, sizes, pages)
    yield Section('near_duplicates', 'Near-duplicates', data)
    data = phrases.section(run, facts, pages)
    yield Section('phrases', 'Popular phrases', data)
    data = phrase_hosts.section(run, facts, hosts)
    yield Section('phrase_hosts', 'Hosts with many popular phrases', data)
    data = covers.section(run, facts)
    yield Section('covers', 'Covering sets', data)
