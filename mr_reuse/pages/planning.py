"""From inputs to pages: what all commands that read archives begin with."""

import json
import math
import os
from typing import Any, NamedTuple

from mrjob.job import MRJob

from mr_reuse import storage
from mr_reuse.archives import archive_stats, reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.clusters import upload
from mr_reuse.engine.record import RunRecord, load_complete
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import PAGES
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.messages import summarize_names, warn
from mr_reuse.pages import filters, inputs, run_inputs
from mr_reuse.pages.input_options import InputOptions, describe_option
from mr_reuse.pages.run_inputs import RunInputs

TASK_BYTES = 256 << 20  # of archives, for one task
FAR_TASK_BYTES = 128 << 20  # the same on a cluster, which has more cores
ASKED = 200  # archives that could not be read before, to see whether they can now
SMALL_ARCHIVES = 8 << 20  # the work of so many bytes is done before a process starts


class Plan(NamedTuple):
    """The archives that a run is to read, and the options that decide its pages."""

    run_options: RunOptions
    input_options: InputOptions
    recipe: Any  # a named tuple: the options that decide what its page job writes
    sources: list[Source]
    old: RunRecord | None  # the run that is added to

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(s.size for s in self.sources)

    @property
    def paths(self) -> dict[str, str]:
        """Where each archive is that was read, by an older run or now."""
        old = self.old.paths if self.old else {}
        return old | {s.name: s.path for s in self.sources}

    @property
    def tasks(self) -> int:
        """Map tasks: one for each core, or two, … if there is much to read."""
        runner = self.run_options.runner
        each = TASK_BYTES if runner in ('inline', 'local') else FAR_TASK_BYTES
        # Spark may have this machine, or more.
        cores = 1 if runner in ('hadoop', 'emr') else os.cpu_count() or 1
        rounds = max(1, math.ceil(self.size / each / cores))
        wanted = self.run_options.tasks or rounds * cores
        return min(wanted, max(1, len(self.sources)))


class Pages(NamedTuple):
    """The pages of a corpus: this run's, and the folders of those that it adds to."""

    done: Done
    folders: list[str]
    accounts: list[dict[str, Any]]
    rows: int  # chunks in all, to size what counts them


def plan(run: RunOptions, options: InputOptions, recipe: Any) -> Plan:
    """Look at all inputs before work begins; without INPUT, at those of the run."""
    filters.Filter(options.filter, options.recursion)
    if options.inputs:
        sources = _select(options, run.output)
    else:
        options, sources = run_inputs.read(run.output, options)
    old = None
    if options.add:
        old = _old_run(options.add, run.output, made_of(options, recipe))
    return Plan(run, options, recipe, _new(sources, old), old)


def _select(options: InputOptions, output: str) -> list[Source]:
    """Find the sources that a command line names."""
    sources, again = inputs.find(options.inputs, options.base_url, output)
    if again:
        warn(f'{summarize_names(again)}: named twice, read once')
    return sources[: options.limit] if options.limit else sources


def _old_run(name: str, output: str, ours: dict[str, Any]) -> RunRecord:
    """The run to add to; it has to be finished, and made as this one."""
    if storage.real(name) == storage.real(output):
        raise UserError(
            f'{name}: a run cannot be added to itself; name another with -o'
        )
    old = load_complete(name)
    if not old.discover:
        raise UserError(
            f'{name}: a run of detect, without counts; run discover on its input'
        )
    for option, theirs in old.made_of.items():
        if theirs != ours[option]:
            raise UserError(
                f'{name}: made with {describe_option(option, theirs)}, this one with '
                f'{describe_option(option, ours[option])}; '
                'counts of the two cannot be added'
            )
    return old


def _new(sources: list[Source], old: RunRecord | None) -> list[Source]:
    """The sources that the old run has not read."""
    if not old:
        return sources
    paths = old.paths
    read = set(paths.values())
    found = []
    for source in sources:
        if source.path in read:
            warn(f'{source.name}: {old.run} has read it, left out')
        elif source.name in paths:
            raise UserError(
                f'{source.name}: another input of {old.run} has this name; '
                'give a path that tells them apart'
            )
        else:
            found.append(source)
    return found


def made_of(options: InputOptions, recipe: Any) -> dict[str, Any]:
    """The options that decide the counts."""
    only = {'filter': options.filter, 'recursion': options.recursion}
    return recipe._asdict() | only


def claim(run: RunDir, plan: Plan) -> None:
    """Make a run directory this run's, unless it is of other inputs."""
    if not plan.run_options.force:
        run_inputs.check_names(run, plan.sources)
    text = ''.join(f'{s.size}\t{s.name}\n' for s in plan.sources)
    if plan.old:
        text += f'added to\t{inputs.in_line(storage.real(plan.input_options.add))}\n'
    run.claim(text)
    run_inputs.write_record(run, RunInputs(plan.input_options, plan.sources))


def sent(chain: Chain, plan: Plan) -> Plan:
    """The plan, with all inputs where the tasks can read them."""
    return plan._replace(sources=upload.send(chain.run, plan.sources, chain.showing))


def read_pages(chain: Chain, plan: Plan, job: type[MRJob]) -> Pages:
    """Run a page job over all archives."""
    sources = plan.sources
    plain = (one[:-1] for one in sources)  # all but the stamp, which not each has
    stamps = sorted(zip(plain, inputs.stamps(sources), strict=True))

    def task_files() -> list[str]:
        shares = inputs.shares(sources, plan.tasks)
        return chain.task_files([json.dumps(share).encode() for share in shares])

    args = made_of(plan.input_options, plan.recipe)
    if mended := _mended(chain.run, sources):
        chain.showing.say(
            f'{summarize_names(mended)}: could not be read before, but can be now'
        )
        chain.run.undo(PAGES.folder)
    step = Step(PAGES.folder, job, args, task_files, stamps, SMALL_ARCHIVES, plan.size)
    done = chain.step(step)
    accounts = [a for told in done.told for a in told.get('accounts', [])]
    accounts.sort(key=lambda a: a['archive'])
    rows = archive_stats.total(accounts, 'counts').get('chunks', 0)
    if not plan.old:
        return Pages(done, [done.output], accounts, rows)
    folders = [*plan.old.pages, done.output]
    return Pages(done, folders, accounts, rows + plan.old.rows)


def _mended(run: RunDir, sources: list[Source]) -> list[str]:
    """Archives that were refused as a whole before, and open now; some, if many."""
    accounts = [
        a for told in run.step(PAGES.folder).get('told', []) for a in told['accounts']
    ]
    names = {a['archive'] for a in accounts if archive_stats.is_refused(a)}
    asked = [one for one in sources if one.name in names][:ASKED]
    opened = storage.each(reader.opens, (one.path for one in asked))
    return [one.name for one, opens in zip(asked, opened, strict=True) if opens]
