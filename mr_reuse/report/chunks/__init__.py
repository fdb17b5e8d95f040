"""The sections on copied chunks; the module of a section is named after its id."""

from collections.abc import Iterator

from mr_reuse.report.chunks import (
    badness,
    copying,
    frequency,
    labels,
    neighborhoods,
    pairs,
    summary,
)
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order, reading each table of the run once."""
    if not run.has_chunks:
        return
    bad = neighborhoods.worst(run, top) if run.is_detected else []
    detailed = [entry.row.prefix for site in bad for entry in site.detailed]
    reader = neighborhoods.Reader(run, detailed)
    sites = {neighborhoods.site_of(site.main.row.prefix, run.level) for site in bad}
    origin = copying.section(run, sites)
    read, known = labels.read(run, {label.digest for label in reader.labels})
    wanted = origin['origins'].wanted if origin else {}
    evidence = reader.evidence(known)
    prefixes = neighborhoods.section(run, bad, evidence, known, wanted)
    most_copied = labels.section(run, read)
    shared, copies = pairs.section(run), frequency.section(run)
    others = {'copying': origin, 'labels': most_copied, 'neighborhoods': prefixes}
    others |= {'pairs': shared, 'frequency': copies}
    yield Section('summary', 'Summary', summary.section(run, others))
    yield Section('pairs', 'Sites that share chunks', shared)
    yield Section('copying', f'Bad {run.site}s: who was captured first', origin)
    title = f'Sites and folders with a high share of {run.known} chunks'
    yield Section('neighborhoods', title, prefixes)
    yield Section('labels', 'Most copied chunks and files', most_copied)
    title = f'Share of {run.known} chunks on a page'
    yield Section('badness', title, badness.section(run))
    yield Section('frequency', 'Number of copies', copies)
