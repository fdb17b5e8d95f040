"""The sections on quilted pages; the module of a section is named after its id."""

from collections.abc import Iterator

from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.report.quilts import quilt_sites, quilts
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section


def sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections in order; `top` is for sites with chunks alone."""
    del top
    if not (run.has_quilts and run.has(QUILTS)):
        return
    yield Section('quilts', 'Quilted pages', quilts.section(run))
    title = 'Sites that quilt from sites'
    yield Section('quilt_sites', title, quilt_sites.section(run))
