"""Plan and run the first step of commands that read archives: the page job."""

import itertools
import json
import math
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.archives import archive_stats, reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.record import RunRecord, load_complete
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.step_record import JsonList, digest_of
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, summarize_names, to_bytes, warn
from mr_reuse.pages import (
    damage,
    filters,
    input_status,
    inputs,
    run_inputs,
    source_list,
)
from mr_reuse.pages.captures import Choice
from mr_reuse.pages.input_options import InputOptions, describe_option
from mr_reuse.pages.job import REVISITS, PageJob
from mr_reuse.pages.run_inputs import RunInputs
from mr_reuse.pages.source_list import SourceList
from mr_reuse.shuffle.mapped_paths import PathSet
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote

TASK_BYTES = 256 << 20  # of archives in a task
TASK_SOURCES = 20_000  # in a task, at most
CLUSTER_TASK_BYTES = 128 << 20  # the same on a cluster, which has more cores
MAX_RETRIED = 200  # archives, of those that an earlier attempt could not open
SMALL_ARCHIVES = 8 << 20  # bytes; reading fewer is faster than starting processes


class Plan(NamedTuple):
    """The sources of a run, and the options that decide its pages."""

    run_options: RunOptions
    input_options: InputOptions
    recipe: Any  # a named tuple of the further options of the page job, or None
    sources: SourceList
    old_run: RunRecord | None  # the run of --add

    @property
    def size(self) -> int:
        """Bytes to read."""
        return self.sources.size

    @property
    def tasks(self) -> int:
        """The number of map tasks: a multiple of the cores, so that all stay busy."""
        runner = self.run_options.runner
        is_local = runner in ('inline', 'local')
        task_bytes = TASK_BYTES if is_local else CLUSTER_TASK_BYTES
        # Spark may run on this machine or on a cluster.
        cores = 1 if runner in ('hadoop', 'emr') else os.cpu_count() or 1
        rounds = max(1, math.ceil(self.size / task_bytes / cores))
        # A task holds the names of its sources.
        least = -(-len(self.sources) // TASK_SOURCES)
        wanted = max(least, self.run_options.tasks or rounds * cores)
        return min(wanted, max(1, len(self.sources)))


class Pages(NamedTuple):
    """The output of a page job, with the pages of the runs that it adds to."""

    step: RunStep
    done: Done
    old_folders: list[str]  # page lines of older runs
    accounts: list[dict[str, Any]]  # statistics of archives, summed
    rows: int  # in all folders, for the number of partitions
    revisits: int = 0  # in all folders
    targets: Done | None = None  # the step that found the targets of revisits
    filled: Done | None = None  # the step that filled revisits with their chunks
    choice: Choice = Choice()
    skipped: str | None = None  # file with the captures not kept, for tasks

    @property
    def folders(self) -> list[str]:
        """The folders of page lines, the older runs first and the revisits last."""
        filled = [self.filled.output] if self.filled else []
        return [*self.old_folders, self.done.output, *filled]

    @property
    def capture_folders(self) -> list[str]:
        """The folders of page lines to choose captures from."""
        targets = [self.targets.output] if self.targets else []
        return [*self.old_folders, self.done.output, *targets]

    @property
    def chosen(self) -> list[str]:
        """What `depends_on` of a step has besides the pages as they were read."""
        choice = [naming.last_component(self.choice.folder)] if self.skipped else []
        return choice + ([self.filled.digest] if self.filled else [])


def make_plan(run: RunOptions, options: InputOptions, recipe: Any) -> Plan:
    """Check options and inputs before work begins; without INPUT, those of the run."""
    options, sources = find_inputs(run, options)
    old = None
    if options.add:
        old = _load_old_run(options.add, run.output, counting_recipe(options, recipe))
    return Plan(run, options, recipe, _select_new(sources, old), old)


def find_inputs(
    run: RunOptions, options: InputOptions
) -> tuple[InputOptions, SourceList]:
    """Find the inputs on a command line, or those of the run, with their options."""
    filters.Filter(options.filter, options.recursion)  # refuses bad rules
    if not options.inputs:
        recorded = run_inputs.read_inputs(run.output, options)
        return recorded.options, recorded.sources
    return options, _select(options, run.output)


def _select(options: InputOptions, output: str) -> SourceList:
    """Find the sources that a command line names."""
    sources, repeated = inputs.find_sources(
        options.inputs, options.base_url, output, options.limit
    )
    if repeated:
        warn(f'{summarize_names(repeated)}: named twice, read once')
    return inputs.look_up_sizes(sources)


def _load_old_run(name: str, output: str, recipe: dict[str, Any]) -> RunRecord:
    """Load the run of --add; refuse one that is unfinished or has another recipe."""
    if storage.canonical_name(name) == storage.canonical_name(output):
        raise UserError(
            f'{name}: a run cannot be added to itself; name another with -o'
        )
    old = load_complete(name)
    if not old.discover:
        raise UserError(
            f'{name}: a run of detect, without counts; run discover on its input'
        )
    for option, value in old.page_options.items():
        if value != recipe[option]:
            raise UserError(
                f'{name}: made with {describe_option(option, value)}, this run with '
                f'{describe_option(option, recipe[option])}; '
                'give the same options to add its counts'
            )
    return old


def _select_new(sources: SourceList, old: RunRecord | None) -> SourceList:
    """Select the sources that the old run has not read."""
    if not old:
        return sources
    paths = old.paths
    read = PathSet(paths.values())
    new = SourceList()
    for source in sources:
        if source.path in read and source.rows:
            raise UserError(
                f'{source.name}: {old.run} has read records of this archive; a slice '
                'can be added only if it is of other archives'
            )
        if source.path in read:
            warn(f'{source.name}: {old.run} has read it, left out')
        elif source.name in paths:
            raise UserError(
                f'{source.name}: another input of {old.run} has this name; '
                'give a path that differs'
            )
        else:
            new.append(source)
    return new


def counting_recipe(options: InputOptions, recipe: Any) -> dict[str, Any]:
    """Return the options that decide the counts, as run.json has them."""
    fields = recipe._asdict() if recipe else {}
    selection = {'filter': options.filter, 'recursion': options.recursion}
    return fields | selection


def claim_run(run: RunDir, plan: Plan) -> None:
    """Record the inputs in a run directory. Refuse one with a run on other inputs."""
    if not plan.run_options.force:
        run_inputs.check_names(run, plan.sources)
    run.claim(lambda: _input_lines(plan))
    run_inputs.write_record(run, RunInputs(plan.input_options, plan.sources))


def _input_lines(plan: Plan) -> Iterator[str]:
    """Yield the lines of the list of inputs."""
    yield from map(_input_line, plan.sources)
    if plan.old_run:
        old = storage.canonical_name(plan.input_options.add)
        yield f'added to\t{inputs.encode_name(old)}\n'


def _input_line(source: Source) -> str:
    """Return the line of a source in the list of inputs; a slice has a digest."""
    rows = f'\t{digest_of(source.rows)}' if source.rows else ''
    return f'{source.size}\t{source.name}{rows}\n'


def upload_inputs(chain: Chain, plan: Plan) -> Plan:
    """Upload the inputs that tasks on a cluster cannot read; return the new plan."""
    if not is_remote(chain.run.path):
        return plan
    from mr_reuse.engine.clusters import upload  # noqa: PLC0415 (slow)

    sources = upload.send_inputs(chain.run, plan.sources, chain.display)
    return plan._replace(sources=SourceList(sources))


def read_pages(
    chain: Chain, plan: Plan, page_step: RunStep, job: type[PageJob]
) -> Pages:
    """Run a page job over all archives."""
    folder = page_step.folder
    sources = plan.sources
    # The digest of the step depends on the versions of all sources. Those that a source
    # lacks are looked up.
    stamps = JsonList(lambda: _sort_stamps(sources))

    def task_files() -> list[str]:
        shares = map(list, source_list.divide_sources(sources, plan.tasks))
        lines = (json.dumps(share).encode() for share in shares)
        return chain.write_task_files(lines if len(sources) else [b'[]'])

    args = counting_recipe(plan.input_options, plan.recipe)
    if readable := _find_readable(chain.run, folder, sources):
        chain.display.report(
            f'{summarize_names(readable)}: could not be read before, but can be now'
        )
        chain.run.reset_step(folder)
    if left_out := _count_left_out(chain.run, folder, job):
        records = format_count(left_out, 'revisit')
        chain.display.report(f'{folder}: runs again, since it left out {records}')
        chain.run.reset_step(folder)
    step = Step(folder, job, args, task_files, stamps, SMALL_ARCHIVES, plan.size)
    done = chain.run_step(step)
    accounts = [a for task in done.stats for a in task.get('accounts', [])]
    counts = archive_stats.sum_stats(accounts, 'counts')
    rows, revisits = counts.get(job.UNIT, 0), counts.get(REVISITS, 0)
    if not plan.old_run:
        return Pages(page_step, done, [], accounts, rows, revisits)
    old = plan.old_run
    rows += old.rows
    revisits += old.read.get('counts', {}).get(REVISITS, 0)
    return Pages(page_step, done, old.pages_as_read, accounts, rows, revisits)


def _sort_stamps(sources: SourceList) -> Iterator[list[Any]]:
    """Yield what identifies each source, and the version of its file, in order."""
    stamps = SourceList(
        source._replace(stamp=stamp)
        for source, stamp in input_status.pair_with_stamps(sources)
    )
    # No two sources have the same name.
    order = source_list.sort_by(stamps, lambda s: to_bytes(f'{s.kind}\1{s.name}'))
    return ([stamps[n].identity, stamps[n].stamp] for n in order)


def _count_left_out(run: RunDir, step: str, job: type[PageJob]) -> int:
    """Count the records that an older version skipped, of types that the job reads."""
    accounts = _finished_accounts(run, step)
    skipped = archive_stats.sum_stats(accounts, 'skipped')
    return sum(skipped.get(name, 0) for name in job.TYPES)


def _finished_accounts(run: RunDir, step: str) -> list[dict[str, Any]]:
    """Return the statistics of archives that a finished page job has read."""
    finished = run.read_step(step)
    tasks = finished.stats if finished else []
    return [account for task in tasks for account in task.get('accounts', ())]


def _find_readable(run: RunDir, step: str, sources: Iterable[Source]) -> list[str]:
    """Find archives that an earlier attempt could not open and that open now.

    Only the first `MAX_RETRIED` of them are tried.
    """
    names = set(itertools.islice(damage.find_refused(run, step), MAX_RETRIED))
    refused = [source for source in sources if source.name in names] if names else []
    readable = storage.map_names(
        reader.is_readable, (source.path for source in refused)
    )
    return [s.name for s, is_now in zip(refused, readable, strict=True) if is_now]
