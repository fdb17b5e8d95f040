"""The sections on styles; the module of a section is named after its id."""

from collections.abc import Iterator

from mr_reuse.report.run import Run
from mr_reuse.report.section import Section
from mr_reuse.report.styles import style_curves, styles
from mr_reuse.report.styles.facts import read_facts
from mr_reuse.styles.style_tables import STYLE_FEATURES, STYLE_MEMBERS, STYLES


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order; `top` is for sites with chunks alone."""
    del top
    tables = STYLES, STYLE_MEMBERS, STYLE_FEATURES
    if not (run.has_styles and all(map(run.has, tables))):
        return
    facts = read_facts(run)
    yield Section('styles', 'Styles', styles.section(run, facts))
    title = 'Similarity of all documents to one'
    yield Section('style_curves', title, style_curves.section(run, facts))
