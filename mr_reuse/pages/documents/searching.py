"""Run a search among the documents of a run: what the commands of systems share."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import planning
from mr_reuse.pages.planning import Plan


class Options(Protocol):
    """The options of a system."""

    run: RunOptions


class Search(Protocol):
    """A search of a system: its options and its inputs."""

    options: Options
    claim: Plan  # of the inputs that the run has, or gets
    plan: Plan  # with those of the runs to which it was added

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command."""


Describe = Callable[[Plan, Iterable[RunStep]], str]
Find = Callable[[Chain, Any, RunRecord | None], int]


def run_search(search: Search, describe: Describe, find: Find) -> int:
    """Run a search, or describe it for `--dry-run`; return the exit code.

    `find` takes the chain, the search, and the record of the run before its inputs were
    claimed.
    """
    options = search.options.run
    if options.dry_run:
        write_stdout(describe(search.plan, search.declared))
        return DONE
    with raise_interrupts(), RunDir(options.output, options.force) as run:
        before = run.read_record()
        planning.claim_run(run, search.claim)
        return find(Chain(run, options, search.declared), search, before)
