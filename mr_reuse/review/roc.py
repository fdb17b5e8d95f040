"""`discover roc`: the labels of each threshold among chunks that people have judged."""

from mr_reuse import storage
from mr_reuse.chunks.discover.roc import find_copies, format_curve
from mr_reuse.chunks.discover.roc_options import RocOptions
from mr_reuse.chunks.labels import stop_lists
from mr_reuse.errors import DONE, UsageError, UserError
from mr_reuse.messages import format_count, warn, write_stdout
from mr_reuse.review.verdicts import read_verdicts


def print_curve(options: RocOptions) -> int:
    """Run `discover roc`: judged chunks in, a table of thresholds out."""
    if not (options.run or storage.is_dir(options.judged)):
        raise UsageError('roc: RUN is missing; name the run with the chunks')
    counts = stop_lists.find_counts(options.run or options.judged, None)
    judged = read_verdicts(options.judged, counts.recipe.width)
    found = find_copies(counts, judged)
    if lacking := len(judged) - len(found):
        chunks = format_count(lacking, 'judged chunk')
        warn(f'{options.judged}: {chunks} not in the run, left out')
    if not found:
        raise UserError(f'{options.judged}: has no benign or bad chunk of the run')
    write_stdout(format_curve(found))
    return DONE
