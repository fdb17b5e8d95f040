"""The sections on copied chunks; the module of a section is named after its id."""

from collections.abc import Iterator

from mr_reuse.report.chunks import (
    badness,
    copying,
    frequency,
    labels,
    neighborhoods,
    summary,
)
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order, reading each table of the run once."""
    if not run.has_chunks:
        return
    bad = neighborhoods.worst(run, top) if run.is_detected else []
    reader = neighborhoods.Reader(run, [entry.row.prefix for entry in bad])
    sites = {neighborhoods.site_of(entry.row.prefix, run.level) for entry in bad}
    origin = copying.section(run, sites)
    read, known = labels.read(run, {label.digest for label in reader.labels})
    wanted = origin['origins'].wanted if origin else {}
    evidence = reader.evidence(known)
    prefixes = neighborhoods.section(run, bad, evidence, known, wanted)
    most_copied = labels.section(run, read)
    copies = frequency.section(run)
    before = {'copying': origin, 'labels': most_copied, 'neighborhoods': prefixes}
    first_screen = summary.section(run, before | {'frequency': copies})
    yield Section('summary', 'Summary', first_screen)
    yield Section('copying', 'Who was captured first', origin)
    title = 'Sites and folders with a high share of copies'
    yield Section('neighborhoods', title, prefixes)
    yield Section('labels', 'Most copied chunks and files', most_copied)
    title = 'Share of copies on a page'
    yield Section('badness', title, badness.section(run))
    yield Section('frequency', 'Number of copies', copies)
