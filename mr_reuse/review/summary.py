"""Summarize the judgements of a run, sample by sample."""

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, warn
from mr_reuse.review import JUDGEMENTS, categories, judgements, summary_tables
from mr_reuse.review.book import read_all
from mr_reuse.review.kinds import KINDS
from mr_reuse.storage import naming


def summarize(
    run: str, what: str | None, judge: str | None, categories_file: str | None
) -> str:
    """Format the tables of all judgements, or of those of one kind or judge."""
    if not storage.is_dir(run):
        raise UserError(f'{run}: no such folder')
    name = naming.join(run, JUDGEMENTS.file)
    lines = list(read_all(run))
    if damaged := lines.count(None):
        warn(f'{name}: skipped {format_count(damaged, "damaged line")}')
    samples = judgements.samples(filter(None, lines), what, judge)
    if not samples:
        raise UserError(f'{name}: no judgements yet')
    titles = {kind.name: kind.all for kind in KINDS.values()}
    known = {
        (kind.name, is_top): [
            (category.name, category.counts)
            for category in categories.load(categories_file, default)
        ]
        for kind in KINDS.values()
        for is_top, default in enumerate([kind.categories, kind.top_categories])
    }
    return summary_tables.summary(samples, titles, known)
