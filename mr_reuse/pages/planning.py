"""From inputs to pages: what all commands that read archives begin with."""

import argparse
import json
import math
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from mrjob.job import MRJob

from mr_reuse import storage
from mr_reuse.archives import archive_stats, reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.clusters import upload
from mr_reuse.engine.rundir import RunDir, finished
from mr_reuse.errors import UserError
from mr_reuse.messages import summarize_names, warn
from mr_reuse.pages import filters, inputs

TASK_BYTES = 256 << 20  # of archives, for one task
FAR_TASK_BYTES = 128 << 20  # the same on a cluster, which has more cores
PAGES = '01-pages'
ASKED = 200  # archives that could not be read before, to see whether they can now
SMALL_ARCHIVES = 8 << 20  # the work of so many bytes is done before a process starts


class Plan(NamedTuple):
    """What a command line means."""

    given: argparse.Namespace
    recipe: Any  # a named tuple: the options that decide what its page job writes
    sources: list[Source]
    old: dict[str, Any]  # the run.json of the run that is added to, or {}

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(s.size for s in self.sources)

    @property
    def paths(self) -> dict[str, str]:
        """Where each archive is that was read, by an older run or now."""
        return self.old.get('paths', {}) | {s.name: s.path for s in self.sources}

    @property
    def tasks(self) -> int:
        """Map tasks: one for each core, or two, … if there is much to read."""
        runner = self.given.runner
        each = TASK_BYTES if runner in ('inline', 'local') else FAR_TASK_BYTES
        # Spark may have this machine, or more.
        cores = 1 if runner in ('hadoop', 'emr') else os.cpu_count() or 1
        rounds = max(1, math.ceil(self.size / each / cores))
        return min(self.given.tasks or rounds * cores, max(1, len(self.sources)))


class Pages(NamedTuple):
    """The pages of a corpus: this run's, and the folders of those that it adds to."""

    done: Done
    folders: list[str]
    accounts: list[dict[str, Any]]
    rows: int  # chunks in all, to size what counts them


def plan(given: argparse.Namespace, recipe: Any) -> Plan:
    """Look at all inputs before work begins."""
    filters.Filter(given.filter, given.recursion)
    sources, again = inputs.find(given.inputs, given.base_url, given.output)
    if again:
        warn(f'{summarize_names(again)}: named twice, read once')
    if given.limit:
        sources = sources[: given.limit]
    old = _old_run(given, recipe) if given.add else {}
    return Plan(given, recipe, _new(sources, old), old)


def _old_run(given: argparse.Namespace, recipe: Any) -> dict[str, Any]:
    """The run to add to; it has to be finished, and made as this one."""
    if storage.real(given.add) == storage.real(given.output):
        raise UserError(
            f'{given.add}: a run cannot be added to itself; name another with -o'
        )
    old = finished(given.add)
    if 'counts' not in old:
        raise UserError(
            f'{given.add}: a run of detect, without counts; run discover on its input'
        )
    ours = made_of(given, recipe)
    for name, theirs in old['made_of'].items():
        if theirs != ours[name]:
            raise UserError(
                f'{given.add}: made with {_said(name, theirs)}, this one with '
                f'{_said(name, ours[name])}; '
                'counts of the two cannot be added'
            )
    return old


def _said(name: str, value: Any) -> str:
    """An option as it was given."""
    if isinstance(value, list):
        return ' '.join(f'--{name} {one}' for one in value) or f'no --{name}'
    return f'--{name} {value}'


def _new(sources: list[Source], old: Mapping[str, Any]) -> list[Source]:
    """The sources that the old run has not read."""
    paths = old.get('paths', {})
    read = set(paths.values())
    found = []
    for source in sources:
        if source.path in read:
            warn(f'{source.name}: {old["run"]} has read it, left out')
        elif source.name in paths:
            raise UserError(
                f'{source.name}: another input of {old["run"]} has this name; '
                'give a path that tells them apart'
            )
        else:
            found.append(source)
    return found


def made_of(given: argparse.Namespace, recipe: Any) -> dict[str, Any]:
    """What decides the counts, besides the inputs."""
    only = {'filter': given.filter, 'recursion': given.recursion}
    return recipe._asdict() | only


def claim(run: RunDir, plan: Plan) -> None:
    """Make a run directory this run's, unless it is of other inputs."""
    text = ''.join(f'{s.size}\t{s.name}\n' for s in plan.sources)
    if plan.old:
        text += f'added to\t{inputs.in_line(storage.real(plan.given.add))}\n'
    run.claim(text)


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

    args = made_of(plan.given, plan.recipe)
    if mended := _mended(chain.run, sources):
        chain.showing.say(
            f'{summarize_names(mended)}: could not be read before, but can be now'
        )
        chain.run.undo(PAGES)
    step = Step(PAGES, job, args, task_files, stamps, SMALL_ARCHIVES, plan.size)
    done = chain.step(step)
    accounts = [a for told in done.told for a in told.get('accounts', [])]
    accounts.sort(key=lambda a: a['archive'])
    rows = archive_stats.total(accounts, 'counts').get('chunks', 0) + plan.old.get(
        'rows', 0
    )
    return Pages(done, [*plan.old.get('pages', []), done.output], accounts, rows)


def _mended(run: RunDir, sources: list[Source]) -> list[str]:
    """Archives that were refused as a whole before, and open now; some, if many."""
    accounts = [a for told in run.step(PAGES).get('told', []) for a in told['accounts']]
    names = {a['archive'] for a in accounts if archive_stats.is_refused(a)}
    asked = [one for one in sources if one.name in names][:ASKED]
    opened = storage.each(reader.opens, (one.path for one in asked))
    return [one.name for one, opens in zip(asked, opened, strict=True) if opens]
