"""Run `styles`: from its options to its tables and its summary."""

from typing import NamedTuple

from mr_reuse.engine.chain import Chain
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import STATS
from mr_reuse.messages import say, warn, write_stdout
from mr_reuse.pages import captures, page_record, planning
from mr_reuse.pages.documents import choosing, results, whole_plan
from mr_reuse.pages.planning import Pages, Plan
from mr_reuse.styles import (
    curves,
    probing,
    ranking,
    steps,
    style_steps,
    summary,
    tables,
)
from mr_reuse.styles.features import step
from mr_reuse.styles.jobs.read_fingerprints import ReadFingerprints
from mr_reuse.styles.style_options import StyleOptions
from mr_reuse.styles.style_tables import TABLES
from mr_reuse.tables import derived

NAME = 'styles'  # of the system in `run.json` and `stats.json`
# The tables that the command writes itself. Those of other forms of it have a line that
# rebuilds them.
WRITTEN = tuple(table.name for table in TABLES if not table.rebuilt_by)


class Search(NamedTuple):
    """A search for styles: its options and its inputs."""

    options: StyleOptions
    claim: Plan  # of the inputs that the run has, or gets
    plan: Plan  # with those of the runs to which it was added

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command, as far as they are known before it begins."""
        is_all = self.options.captures == captures.ALL
        left_out = list(style_steps.CHOOSE) if is_all else []
        if self.options.rule.ignore is None:
            left_out.append(style_steps.COMMON)
        if not self.options.describe:
            left_out.append(style_steps.FEATURES)
        return tuple(step for step in style_steps.ALWAYS if step not in left_out)


def plan_search(options: StyleOptions) -> Search:
    """Find all inputs, to fail before the work begins."""
    plans = whole_plan.make_plans(options.run, options.inputs, options.recipe)
    return Search(options, *plans)


def find_styles(chain: Chain, search: Search, before: RunRecord | None) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code.

    `before` is the record of the run before its inputs were claimed.
    """
    run, options = chain.run, search.options
    plan = planning.upload_inputs(chain, search.plan)
    pages = planning.read_pages(chain, plan, style_steps.FINGERPRINTS, ReadFingerprints)
    counts = make_tables(chain, plan, pages, options)
    own = page_record.record_pages(plan, chain.steps, pages, options.recorded)
    record = results.join_record(before, own, NAME, options.recorded)
    stale_lines = []
    if not results.has_results_of(before, own, NAME):
        stale_lines = derived.remove_stale(run.path, WRITTEN)
    run.write_json(STATS, run.read_json(STATS) | {NAME: counts})
    run.write_record(record)
    if not options.run.quiet:
        write_stdout(summary.format_results(run.path, counts, options))
    for line in stale_lines:
        say(line)
    if counts['pages'] and not counts['documents']:
        warn(summary.NO_DOCUMENTS)
    if counts['unread']:
        warn(summary.describe_unread(counts['unread']))
    return page_record.report_damage(own)


def make_tables(
    chain: Chain, plan: Plan, pages: Pages, options: StyleOptions
) -> dict[str, int]:
    """Run the steps after the first one, and write all tables; return the counts."""
    rule, recipe = options.rule, options.recipe
    documents = choosing.choose_documents(
        chain, pages.done, style_steps.CHOOSE, options.captures
    )
    prints = steps.collect_prints(chain, documents, recipe, rule)
    edges = steps.find_edges(chain, prints, rule)
    clusters = steps.connect(chain, prints, edges)
    described = steps.describe_styles(chain, prints, clusters, rule)
    total = documents.numbering.total
    digits = ranking.score_digits(recipe.m, total, rule.normalize_empty)
    ranks = tables.write_styles(chain, described, digits)
    tables.write_members(chain, described, ranks)
    curves.write_curves(chain, described, prints, ranks, rule.normalize_empty)
    paths = page_record.collect_archives(plan).paths
    features = step.read_features(chain, described, ranks, options.describe, paths)
    step.write_features(chain, features)
    tables.write_style_file(chain, described, ranks, prints, (recipe, rule))
    counts = results.count_all(documents, pages.accounts)
    compared = edges.sum_stats(probing.STATS)
    return counts | {
        'documents': total - documents.passed_over,
        'without_style': total - documents.passed_over - prints.count,
        'styles': len(ranks.ranks),
        'members': clusters.counts['numbers'],
        'largest': clusters.counts['largest'],
        'comparisons': compared['comparisons'],
        'left_out': compared['left_out'],
        'unread': features.sum_stats('features')['unread'] if features else 0,
    }
