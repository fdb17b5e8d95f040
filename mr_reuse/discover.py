"""Find what is copied in a crawl, and where.

HashChunks          01-pages     archives -> pages with the digests of their chunks
CountDuplicates     02-counts    -> copies, pages and length of each digest
FilterStopChunks    03-labels    -> what is widely copied: labels.mrl
PlaceLabels         03-places    pages again -> hosts and an example of each label
ReadPreviews        03-previews  archives, a few records -> labels.tsv
"""

import argparse
import sys

from mr_reuse import corpus, labeling, options, summary
from mr_reuse.chain import Chain, interruptible
from mr_reuse.cli import command, put
from mr_reuse.rundir import RunDir
from mr_reuse.showing import Showing

EPILOG = """\
results in RUN:
  labels.tsv       what is copied, most copied first, with an example of each
  file_labels.tsv  the same for whole files
  frequency.tsv    how many chunks and files occur how often
  labels.mrl       the labels for programs
exit code: 0 done, 1 failed, 2 wrong usage, 3 done but some input was damaged
"""


def parser() -> argparse.ArgumentParser:
    """The command line of discover."""
    found = argparse.ArgumentParser(
        prog='python -m mr_reuse.discover',
        description='Find what is copied in a crawl, and where.',
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_inputs(found)
    options.add_run(found)
    options.add_chunker(found)
    options.add_labels(found)
    options.add_old_run(found)
    return found


@command
def main(args: list[str] | None = None) -> int:
    """The command: from archives to labels."""
    given = parser().parse_args(args)
    plan = corpus.plan(given)
    if given.dry_run:
        put(summary.dry_run(plan))
        return 0
    with interruptible(), RunDir(given.output, given.force) as run:
        corpus.claim(run, plan)
        showing = Showing(given.quiet, run.temporary('progress'))
        chain = Chain(run, given.runner, given.conf, showing)
        return discover(run, chain, plan, showing)


def discover(run: RunDir, chain: Chain, plan: corpus.Plan, showing: Showing) -> int:
    """Run the chain, write the tables, and say what was found."""
    pages = corpus.hash_chunks(chain, run, plan, showing)
    counts = corpus.count_duplicates(chain, plan, pages)
    frequencies = labeling.frequencies(counts.told)
    labeling.write_frequency(run.join('frequency.tsv'), frequencies)
    choice = corpus.threshold(plan, frequencies['file'])
    kept = corpus.filter_stop_chunks(chain, run, plan, counts, choice)
    corpus.label(chain, run, plan, pages, kept)
    told = summary.run_json(plan, chain.steps, pages, kept, choice)
    run.write_json('run.json', told)
    if not plan.given.quiet:
        put(summary.found(run, told, frequencies))
    return summary.end(told, plan.given.quiet)


if __name__ == '__main__':
    sys.exit(main())
