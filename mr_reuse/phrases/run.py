"""Run `phrases`: from its options to its tables and its summary."""

from typing import NamedTuple

import numpy as np

from mr_reuse.engine.chain import Chain
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import STATS
from mr_reuse.messages import say, warn, write_stdout
from mr_reuse.pages import captures, page_record, planning
from mr_reuse.pages.documents import choosing, results, whole_plan
from mr_reuse.pages.planning import Pages, Plan
from mr_reuse.phrases import phrase_steps, steps, summary, tables
from mr_reuse.phrases.jobs.read_vectors import ReadVectors
from mr_reuse.phrases.phrase_options import PhraseOptions
from mr_reuse.phrases.verifying.step import Verification
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command

NAME = 'phrases'  # of the system in `run.json` and `stats.json`


class Search(NamedTuple):
    """A search for phrases: its options and its inputs."""

    options: PhraseOptions
    claim: Plan  # of the inputs that the run has, or gets
    plan: Plan  # with those of the runs to which it was added

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command, as far as they are known before it begins."""
        left_out: list[RunStep] = []
        if self.options.captures == captures.ALL:
            left_out += phrase_steps.CHOOSE
        if self.options.rule.verify is None:
            left_out.append(phrase_steps.VERIFIED)
        return tuple(step for step in phrase_steps.FIND if step not in left_out)


def plan_search(options: PhraseOptions) -> Search:
    """Find all inputs, to fail before the work begins."""
    plans = whole_plan.make_plans(options.run, options.inputs, options.recipe)
    return Search(options, *plans)


def find_phrases(chain: Chain, search: Search, before: RunRecord | None) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code.

    `before` is the record of the run before its inputs were claimed.
    """
    run, options = chain.run, search.options
    plan = planning.upload_inputs(chain, search.plan)
    pages = planning.read_pages(chain, plan, phrase_steps.VECTORS, ReadVectors)
    counts = make_tables(chain, plan, pages, options)
    own = page_record.record_pages(plan, chain.steps, pages, options.recorded)
    record = results.join_record(before, own, NAME, options.recorded)
    stale_lines = []
    if not results.has_results_of(before, own, NAME):
        stale_lines = derived.remove_stale(run.path, tables_of_command(NAME))
    run.write_json(STATS, run.read_json(STATS) | {NAME: counts})
    run.write_record(record)
    if not options.run.quiet:
        write_stdout(summary.format_results(run.path, counts, options.rule))
    for line in stale_lines:
        say(line)
    if counts['pages'] and not counts['documents']:
        warn(summary.NO_DOCUMENTS)
    elif options.rule.covers_of and not counts['sampled']:
        warn(summary.describe_no_covers(options.rule.covers_of))
    if counts['unread']:
        warn(summary.describe_unread(counts['unread']))
    if counts['unread_pairs']:
        warn(summary.describe_unread_pairs(counts['unread_pairs']))
    return page_record.report_damage(own)


def make_tables(
    chain: Chain, plan: Plan, pages: Pages, options: PhraseOptions
) -> dict[str, int]:
    """Run the steps after the first one, and write all tables; return the counts."""
    run, rule = chain.run, options.rule
    documents = choosing.choose_documents(
        chain, pages.done, phrase_steps.CHOOSE, options.captures
    )
    archives, how = page_record.collect_archives(plan), None
    if rule.verify is not None:
        how = Verification(rule.verify, options.recipe, archives)
    kept = steps.leave_out_duplicates(chain, documents, how)
    popular = steps.count_popular(chain, kept, rule)
    summed = steps.sum_pages(chain, kept, popular, rule)
    hosts = steps.sum_hosts(chain, summed)
    tables.write_page_tables(chain, summed, hosts)
    tables.write_frequency(run, popular.sum_stats('frequency'))
    sampled = steps.read_sample(summed, rule)
    top = steps.read_top(popular, rule.top)
    covers = []
    if sampled:
        done = steps.find_covers(chain, kept, popular, summed, sampled)
        covers = list(steps.read_covers(done, sampled))
    named = {source.document for cover in covers for source in cover.sources}
    named |= {cover.number for cover in covers}
    numbers = np.union1d(np.array([*named], np.uint64), top.examples)
    picked = steps.pick_rows(chain, summed, numbers)
    rows = {row.number: row for row in steps.read_rows(picked) if row.number in named}
    tables.write_covers(run, covers, rows)
    texts = steps.read_texts(chain, popular, picked, options, archives.paths)
    tables.write_phrases(run, steps.read_phrases(texts, rule.top))
    counts = results.count_all(documents, pages.accounts)
    counts |= dict.fromkeys(summary.COUNTS, 0) | kept.verified
    for done, part in (
        (popular, 'popular'),
        (summed, 'pages'),
        (hosts, 'hosts'),
    ):
        counts |= done.sum_stats(part)
    counts['documents'] = sum(counts[name] for name in summary.DOCUMENTS)
    counts['sampled'] = len(covers)
    found = texts.sum_stats('texts')['found']
    counts['unread'] = len(top.phrases) - found
    return counts
