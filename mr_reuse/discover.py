"""Find what is copied in a crawl, and where.

HashChunks          01-pages     archives -> pages with the digests of their chunks
CountDuplicates     02-counts    -> copies, pages and length of each digest
FilterStopChunks    03-labels    -> what is widely copied: labels.mrl
PlaceLabels         03-places    pages again -> hosts and an example of each label
ReadPreviews        03-previews  archives, a few records -> labels.tsv
"""

import argparse
import sys
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.discover import label_tables, steps, summary
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import interruptible
from mr_reuse.engine.rundir import RUN_JSON, RunDir
from mr_reuse.messages import put, say
from mr_reuse.pages import forecast, input_options, planning
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import made_by

EPILOG = f"""\
results in RUN:
  labels.tsv       what is copied, most copied first, with an example of each
  file_labels.tsv  the same for whole files
  frequency.tsv    how many chunks and files occur how often
  labels.mrl       the labels for programs

{EXIT_CODES}
"""


def parser() -> argparse.ArgumentParser:
    """The command line of discover."""
    found = Parser(
        description='Find what is copied in a crawl, and where. Each page is cut into '
        'chunks, at every <p> and <div>; what has more copies than a threshold is a '
        'label.',
        example='discover crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    input_options.add_inputs(found)
    run_options.add_run(found)
    chunk_options.add_recipe(found)
    chunk_options.add_labels(found)
    chunk_options.add_old_run(found)
    return found


@command
def main(args: list[str] | None = None) -> int:
    """The command: from archives to labels."""
    given = parser().parse_args(args)
    chunk_options.check(given)
    plan = planning.plan(given, chunk_options.recipe_of(given))
    stop = steps.stop_list(plan)
    if given.dry_run:
        put(forecast.dry_run(plan, Hasher(plan.recipe, storage.scratch).pages))
        return 0
    with interruptible(), RunDir(given.output, given.force) as run:
        planning.claim(run, plan)
        return discover(Chain(run, given), plan, stop)


def discover(chain: Chain, plan: planning.Plan, stop: np.ndarray) -> int:
    """Run the chain, write the tables, and say what was found."""
    run, plan = chain.run, planning.sent(chain, plan)
    before = run.read_json(RUN_JSON)
    pages = planning.read_pages(chain, plan, HashChunks)
    counts = steps.count_duplicates(chain, plan, pages)
    frequencies = label_tables.frequencies(counts.told)
    label_tables.write_frequency(run.join('frequency.tsv'), frequencies)
    choice = steps.threshold(plan, frequencies['file'])
    kept = steps.filter_stop_chunks(chain, plan, counts, choice, stop)
    steps.label(chain, plan, pages, kept, stop)
    told = summary.run_json(plan, chain.steps, pages)
    told |= summary.labeled(chain.steps, kept, choice)
    is_new = outputs(before) != outputs(told)
    if 'detect' in before and not is_new:
        told['detect'] = before['detect']
    old = derived.remove_stale(run.path, made_by('discover')) if is_new else []
    run.write_json(RUN_JSON, told)
    if not plan.given.quiet:
        put(summary.found(run, told, frequencies))
    for line in old:
        say(line)
    return summary.end(told, plan.given.quiet)


def outputs(told: dict[str, Any]) -> list[str]:
    """What the steps of a run have left, which others leave elsewhere."""
    return [step['output'] for step in told.get('steps', {}).values()]


if __name__ == '__main__':
    sys.exit(main())
