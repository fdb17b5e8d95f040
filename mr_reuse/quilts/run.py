"""Run `quilts`: from its options to its tables and its summary."""

from typing import NamedTuple

from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import STATS
from mr_reuse.messages import say, warn, write_stdout
from mr_reuse.pages import captures, page_record, planning
from mr_reuse.pages.documents import choosing, results, whole_plan
from mr_reuse.pages.planning import Plan
from mr_reuse.quilts import quilt_steps, steps, summary, tables
from mr_reuse.quilts.checks import refuting
from mr_reuse.quilts.jobs.read_grams import ReadGrams
from mr_reuse.quilts.quilt_options import QuiltOptions
from mr_reuse.quilts.quilt_tables import QUILT_SWEEP
from mr_reuse.quilts.steps import CoverSearch, QuiltSearch
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command

NAME = 'quilts'  # of the system in `run.json` and `stats.json`


class Search(NamedTuple):
    """A search for quilts: its options and its inputs."""

    options: QuiltOptions
    claim: Plan  # of the inputs that the run has, or gets
    plan: Plan  # with those of the runs to which it was added

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command."""
        is_all = self.options.captures == captures.ALL
        left_out = quilt_steps.CHOOSE if is_all else ()
        return tuple(step for step in quilt_steps.FIND if step not in left_out)


def plan_search(options: QuiltOptions) -> Search:
    """Find all inputs, to fail before the work begins."""
    plans = whole_plan.make_plans(options.run, options.inputs, options.recipe)
    return Search(options, *plans)


def find_quilts(chain: Chain, search: Search, before: RunRecord | None) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code.

    `before` is the record of the run before its inputs were claimed.
    """
    run, options, rule = chain.run, search.options, search.options.rule
    plan = planning.upload_inputs(chain, search.plan)
    pages = planning.read_pages(chain, plan, quilt_steps.GRAMS, ReadGrams)
    documents = choosing.choose_documents(
        chain, pages.done, quilt_steps.CHOOSE, options.captures
    )
    shared = steps.find_shared(chain, documents, rule.m)
    patches = steps.sum_patches(chain, documents, shared, rule)
    covers = steps.find_covers(chain, CoverSearch(documents, shared, patches, rule))
    checked = steps.check_quilts(
        chain,
        QuiltSearch(
            documents,
            shared,
            patches,
            covers,
            options.recipe,
            rule,
            page_record.collect_archives(plan),
        ),
    )
    percents = patches.sum_stats('percents')
    outputs = shared.lists.output, patches.output, checked.output
    parts = refuting.Parts(*map(step_output.list_sound_parts, outputs))
    refuted = refuting.find_refuted(parts)
    written = tables.write_tables(run, checked, percents, refuted)
    counts = results.count_all(documents, pages.accounts)
    counts |= dict.fromkeys(summary.COUNTS, 0) | {
        name: number
        for done, part in (
            (pages.done, 'grams'),
            (shared.lists, 'lists'),
            (shared.classes, 'classes'),
            (patches, 'shares'),
            (checked, 'checked'),
        )
        for name, number in done.sum_stats(part).items()
        if name in summary.COUNTS
    }
    counts['refuted'] += counts['quilts'] - written.quilts
    counts |= written._asdict()
    own = page_record.record_pages(plan, chain.steps, pages, options.recorded)
    record = results.join_record(before, own, NAME, options.recorded)
    stale_lines = []
    if not results.has_results_of(before, own, NAME):
        changed = [n for n in tables_of_command(NAME) if n != QUILT_SWEEP.name]
        stale_lines = derived.remove_stale(run.path, changed)
    run.write_json(STATS, run.read_json(STATS) | {NAME: counts})
    run.write_record(record)
    if not options.run.quiet:
        write_stdout(summary.format_results(run.path, counts, options.rule))
    for line in stale_lines:
        say(line)
    if counts['pages'] and not counts['documents']:
        warn(summary.NO_DOCUMENTS)
    if counts['refuted']:
        warn(summary.describe_refuted(counts['refuted']))
    return page_record.report_damage(own)
