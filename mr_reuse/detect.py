"""Find labeled chunks in pages, and the bad neighborhoods that live on them.

HashChunks           01-pages          archives -> pages, unless a run has them already
MatchLabeled         04-matches        pages and labels -> the labels of each page
NeighborhoodBadness  05-neighborhoods  -> sums for every prefix of every URL
ShareLabels          06-origins        matches again -> who has the same, and since when
"""

import argparse
import sys
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.detect import badness_tables, detect_options, origin_table, steps
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.detect.steps import Known
from mr_reuse.chunks.discover import summary
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.interrupts import interruptible
from mr_reuse.engine.rundir import RUN_JSON, RunDir, finished
from mr_reuse.errors import DONE, UsageError, UserError
from mr_reuse.messages import put, say, warn
from mr_reuse.pages import forecast, input_options, planning
from mr_reuse.storage import naming
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import made_by

EPILOG = f"""\
results in RUN:
  bad_neighborhoods.tsv  URL prefixes above the threshold, worst first
  bad_pages.tsv          the same for pages
  neighborhoods.tsv      every prefix, with how much below it is labeled
  pages.tsv              every page, with how many of its chunks are labeled
  origins.tsv            with whom bad sites share most labels, and who was first
  file_matches.tsv       what is labeled as a whole file
  stats.json             means, deviations, thresholds, histograms

{EXIT_CODES}
"""
# What a record says of pages, whoever uses them.
OF_PAGES = 'finished version made_of inputs paths pages rows read steps'.split()
STEPS = 'MatchLabeled, NeighborhoodBadness, ShareLabels'


class Work(NamedTuple):
    """What a command line means."""

    given: argparse.Namespace
    known: Known
    rule: Rule
    plan: planning.Plan | None  # what is to be hashed
    old: dict[str, Any]  # else the record of the run that has the pages


def parser() -> argparse.ArgumentParser:
    """The command line of detect."""
    found = Parser(
        description='Find labeled chunks in pages, and the bad neighborhoods that live '
        'on them: hosts and folders of whose chunks an unusual share are labels. '
        'Without INPUT the pages are those of RUN, and nothing is hashed again; INPUT '
        'may also be another run.',
        example='detect crawl/*.warc.gz -l known.mrl -o RUN',
        epilog=EPILOG,
    )
    input_options.add_inputs(found, nargs='*')
    run_options.add_run(found)
    detect_options.add_matching(found)
    detect_options.add_thresholds(found)
    found.set_defaults(add=None)
    return found


@command
def main(args: list[str] | None = None) -> int:
    """The command: from labels to bad neighborhoods."""
    given = parser().parse_args(args)
    run_options.check_run(given)
    work = prepare(given)
    if given.dry_run:
        put(dry_run(work))
        return 0
    with interruptible(), RunDir(given.output, given.force) as run:
        chain = Chain(run, given)
        told, folders = pages(chain, work)
        return detect(chain, work, told, folders)


def prepare(given: argparse.Namespace) -> Work:
    """Look at everything that can be looked at before work begins."""
    rule = rule_of(given)
    run = run_of(given)
    old = finished(run) if run else {}
    known = steps.known(labels_of(given, old, run or given.output))
    must_be_those(given, old, known, run)
    if old:
        made_of = Recipe(**{f: old['made_of'][f] for f in Recipe._fields})
        steps.must_fit(known, made_of)
    if not known.count:
        warn(f'{known.name}: there are no labels in it')
    plan = None if old else planning.plan(given, known.labels.recipe)
    return Work(given, known, rule, plan, old)


def run_of(given: argparse.Namespace) -> str:
    """The run that has the pages already, '' if they are to be hashed."""
    if len(given.inputs) == 1 and storage.exists(
        naming.join(given.inputs[0], RUN_JSON)
    ):
        run = given.inputs[0]
    elif given.inputs:
        return ''
    else:
        run = given.output
    for name in ('filter', 'limit', 'base_url'):
        if getattr(given, name):
            option = name.replace('_', '-')
            raise UsageError(
                f'--{option}: goes with INPUT; the pages of {run} are hashed already'
            )
    return run


def labels_of(given: argparse.Namespace, old: dict[str, Any], run: str) -> str:
    """The label file: as given, as it was before, or what discover has made."""
    before = old.get('detect', {}).get('labels')
    name = given.labels or before or naming.join(run, label_files.LABELS)
    if not given.labels and not storage.exists(name):
        raise UsageError(
            f'{name}: no such file; name a label file, or a run of discover, with -l'
        )
    return name


def must_be_those(
    given: argparse.Namespace, old: dict[str, Any], found: steps.Known, run: str
) -> None:
    """Refuse labels that nobody has named now, if they are not those of before.

    Those that the run has made itself may be others now.
    """
    before = old.get('detect', {}).get('labels_digest', found.digest)
    if given.labels or before == found.digest or is_own(found.name, run):
        return
    raise UserError(
        f'{found.name}: not the labels that {run} was made with; name those to look '
        'for with -l'
    )


def is_own(name: str, run: str) -> bool:
    """Whether a label file is the one that a run has made itself."""
    return storage.real(name) == storage.real(naming.join(run, label_files.LABELS))


def rule_of(given: argparse.Namespace) -> Rule:
    """What is bad, as the options say."""
    fixed = given.neighborhood_threshold
    if given.rank == 'bad' and given.min_bad and given.sigmas is None:
        fixed = Fraction(0) if fixed is None and not given.per_level else fixed
    if given.per_level and fixed is not None:
        raise UsageError(
            '--per-level: goes without --neighborhood-threshold, which is one for all'
        )
    return Rule(
        given.levels,
        given.ratio,
        given.page_threshold,
        fixed,
        Fraction(1) if given.sigmas is None else given.sigmas,
        given.per_level,
        given.rank,
        given.top,
        given.min_bad,
        given.min_chunks,
    )


def dry_run(work: Work) -> str:
    """What would be done."""
    if work.plan:
        return forecast.dry_run(
            work.plan,
            Hasher(work.plan.recipe, storage.scratch).pages,
            f'HashChunks, {STEPS}',
        )
    folders = ', '.join(work.old['pages'])
    return f'would run {STEPS} on the pages in {folders}, into {work.given.output}\n'


def pages(chain: Chain, work: Work) -> tuple[dict[str, Any], list[str]]:
    """The record of the pages, and the folders they are in; hashed if need be."""
    run, old = chain.run, work.old
    if work.plan:
        before = run.read_json(RUN_JSON)
        planning.claim(run, work.plan)
        plan = planning.sent(chain, work.plan)
        hashed = planning.read_pages(chain, plan, HashChunks)
        told = summary.run_json(plan, chain.steps, hashed)
        # What discover has found on the same pages is still true.
        same = before.get('pages') == told['pages']
        return (told | before | {'finished': True} if same else told), hashed.folders
    other = work.given.inputs[0] if work.given.inputs else run.path
    if storage.real(other) == storage.real(run.path):
        return run.read_json(RUN_JSON), old['pages']
    before = run.read_json(RUN_JSON)
    run.claim(f'pages of\t{storage.real(other)}\n')
    before = before if run.read_json(RUN_JSON) else {}
    told = {name: old[name] for name in OF_PAGES} | {'run': run.path}
    return told | {'detect': before.get('detect', {})}, old['pages']


def detect(chain: Chain, work: Work, told: dict[str, Any], folders: list[str]) -> int:
    """Run the chain, write the tables, and say what was found."""
    given, run, rule = work.given, chain.run, work.rule
    before = told.get('detect', {})
    # A run that is moved or copied takes its own labels along.
    own = is_own(work.known.name, run.path)
    kept = label_files.LABELS if own else naming.absolute(work.known.name)
    if before:  # from here on its tables are those of nothing that is finished
        told['detect'] = {'labels': kept}
        run.write_json(RUN_JSON, told)
    matches = steps.match_labels(chain, given, folders, work.known)
    sums = steps.neighborhoods(chain, given, matches)
    labels, level = work.known.labels, rule.site_level
    now = results(work, matches, sums)
    is_new = before | now != before
    old = derived.remove_stale(run.path, made_by('detect')) if is_new else []
    found = badness_tables.Findings(run, rule, matches, sums)
    stats = found.write(labels, before)
    bad = found.bad_ones(level)
    shared = steps.share_labels(chain, matches, bad, level, len(labels.chunks))
    lines = badness_tables.lines_of(shared)
    name = run.join('origins.tsv')
    origin_table.write(name, lines, lambda: found.prefixes(level))
    run.write_json('stats.json', stats)
    more = {'options': summary.options(given), 'steps': dict(chain.steps)}
    told['detect'] = {'labels': kept} | now | more
    run.write_json(RUN_JSON, told)
    if not given.quiet:
        counts = f'{len(labels.chunks):,} chunks and {len(labels.files):,} files'
        put(f'looked for {counts}: {work.known.name}\n')
        put(summary.detected(run, stats, rule))
    for line in old:
        say(line)
    return summary.end(told, given.quiet) if work.plan else DONE


def results(work: Work, matches: Done, sums: Done) -> dict[str, Any]:
    """What makes the tables those that they are."""
    return {
        'labels_digest': work.known.digest,
        'matches': matches.digest,
        'neighborhoods': sums.digest,
        'levels': work.rule.levels,
        'level': work.rule.site_level,
        'rule': work.rule.as_dict(),
    }


if __name__ == '__main__':
    sys.exit(main())
