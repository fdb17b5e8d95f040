"""Run `styles match`: from its options to its table and its summary."""

from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import STATS
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import say, warn, write_stdout
from mr_reuse.pages import captures, page_record, planning
from mr_reuse.pages.documents import choosing, results, whole_plan
from mr_reuse.pages.input_options import describe_option
from mr_reuse.pages.planning import Pages, Plan
from mr_reuse.storage import naming
from mr_reuse.styles import style_file, style_steps
from mr_reuse.styles.jobs.read_fingerprints import ReadFingerprints
from mr_reuse.styles.match import finding, steps, summary
from mr_reuse.styles.match.match_options import MatchOptions
from mr_reuse.styles.steps import Prints
from mr_reuse.styles.style_file import StyleFile, StyleHeader
from mr_reuse.styles.style_tables import STYLE_MATCHES
from mr_reuse.styles.summary import NO_DOCUMENTS
from mr_reuse.tables import derived

NAME = STYLE_MATCHES.name  # of the results in `run.json` and `stats.json`


class MatchSearch(NamedTuple):
    """A search for known styles: its options, its inputs, and the known documents."""

    options: MatchOptions
    claim: Plan  # of the inputs that the run has, or gets
    plan: Plan  # with those of the runs to which it was added
    known: StyleFile

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command."""
        is_all = self.options.captures == captures.ALL
        left_out = style_steps.CHOOSE if is_all else ()
        return tuple(step for step in style_steps.MATCH if step not in left_out)


def plan_match(options: MatchOptions) -> MatchSearch:
    """Load the style file, and find all inputs, to fail before the work begins."""
    known = style_file.load(options.known)
    check_place(options)
    check_options(options.known, known.header, options.typed)
    plans = whole_plan.make_plans(options.run, options.inputs, known.header.recipe)
    return MatchSearch(options, *plans, known)


def check_place(options: MatchOptions) -> None:
    """Refuse to replace the run that has the style file."""
    name, run = style_file.resolve_name(options.known), options.run
    own = naming.join(run.output, style_file.FILE_NAME)
    if run.force and options.inputs.inputs and is_same_file(name, own):
        raise UserError(
            f'{name}: --force might remove this file with the run; name another folder '
            'with -o, or leave --force out'
        )


def is_same_file(name: str, other: str) -> bool:
    """Test whether two names are of the same file."""
    return storage.canonical_name(name) == storage.canonical_name(other)


def check_options(name: str, header: StyleHeader, typed: dict[str, Any]) -> None:
    """Refuse options that differ from those of the style file."""
    for option, value in typed.items():
        before = getattr(header, option)
        if value != before:
            made = f'with {describe_option(option, before)}'
            made = made if before is not False else 'without it'
            typed_text = describe_option(option, value)
            raise UsageError(f'{typed_text}: {name} was made {made}; leave it out')


def find_known(chain: Chain, search: MatchSearch, before: RunRecord | None) -> int:
    """Run the steps, write the table, and print a summary; return the exit code.

    `before` is the record of the run before its inputs were claimed.
    """
    run, options = chain.run, search.options
    plan = planning.upload_inputs(chain, search.plan)
    pages = planning.read_pages(chain, plan, style_steps.FINGERPRINTS, ReadFingerprints)
    counts = make_table(chain, pages, search)
    recorded = options.recorded | {'known_digest': search.known.digest}
    own = page_record.record_pages(plan, chain.steps, pages, recorded)
    record = results.join_record(before, own, NAME, recorded)
    stale_lines = []
    if not results.has_results_of(before, own, NAME):
        stale_lines = derived.remove_stale(run.path, [NAME])
    run.write_json(STATS, run.read_json(STATS) | {NAME: counts})
    run.write_record(record)
    if not options.run.quiet:
        write_stdout(summary.format_results(run.path, counts, options, search.known))
    for line in stale_lines:
        say(line)
    if counts['pages'] and not counts['documents']:
        warn(NO_DOCUMENTS)
    return page_record.report_damage(own)


def make_table(chain: Chain, pages: Pages, search: MatchSearch) -> dict[str, int]:
    """Run the steps after the first one, and write the table; return the counts."""
    options, known = search.options, search.known
    documents = choosing.choose_documents(
        chain, pages.done, style_steps.CHOOSE, options.captures
    )
    prints = Prints(documents, known.header.shape)
    name = style_file.resolve_name(options.known)
    files = steps.make_files(chain, name, known, options.exact)
    matches = steps.find_matches(chain, prints, files)
    steps.write_table(chain, prints, files, matches)
    found = matches.sum_stats(finding.STATS)
    counts = results.count_all(documents, pages.accounts)
    total = documents.numbering.total - documents.passed_over
    return counts | {
        'documents': total,
        'without_style': total - found['documents'],
        'known': known.header.members,
        'found': found['found'],
        'comparisons': found['comparisons'],
        'left_out': found['left_out'],
    }
