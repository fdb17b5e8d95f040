"""The sections on copied chunks, most of them in a module each."""

from collections.abc import Iterator

from mr_reuse.report.chunks import (
    bad_sites,
    badness_plots,
    copying,
    frequency,
    most_copied,
    overview,
)
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order, reading each table of the run once."""
    if not run.has_chunks:
        return
    bad = bad_sites.worst(run, top) if run.is_detected else []
    reader = bad_sites.Reader(run, [entry.row.prefix for entry in bad])
    sites = {bad_sites.site_of(entry.row.prefix, run.level) for entry in bad}
    origin = copying.section(run, sites)
    read, known = most_copied.read(run, {label.digest for label in reader.labels})
    wanted = origin['origins'].wanted if origin else {}
    evidence = reader.evidence(known)
    prefixes = bad_sites.section(run, bad, evidence, known, wanted)
    labels = most_copied.section(run, read)
    summary = overview.section(
        run, {'copying': origin, 'labels': labels, 'neighborhoods': prefixes}
    )
    yield Section('summary', 'Summary', summary)
    yield Section('copying', 'Who copied from whom', origin)
    title = 'Sites and folders with a high share of copies'
    yield Section('neighborhoods', title, prefixes)
    yield Section('labels', 'Most copied chunks and files', labels)
    title = 'Share of copies on a page'
    yield Section('badness', title, badness_plots.section(run))
    yield Section('frequency', 'Number of copies', frequency.section(run))
