"""The plan of a system that cannot add its results to those of an older run."""

from mr_reuse.engine.record import read_record
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError, UserError
from mr_reuse.pages import planning, run_inputs
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.pages.planning import Plan
from mr_reuse.pages.source_list import SourceList

NO_OPTIONS = InputOptions([], '', None, [], '')


def make_plans(
    run: RunOptions, options: InputOptions, recipe: object
) -> tuple[Plan, Plan]:
    """Check options and inputs, as `planning.make_plan` does, and return two plans.

    The first one has the inputs of the run itself. The second one has those of the runs
    as well to which it was added (`discover --add`).
    """
    options, sources = planning.find_inputs(run, options)
    old = read_record(options.add) if options.add else None
    own = Plan(run, options, recipe, sources, old)
    joined, add = SourceList(sources), options.add
    while add:
        try:
            older = run_inputs.read_inputs(add, NO_OPTIONS)
        except UsageError:
            raise UserError(
                f'{run.output}: was added to {add}, whose inputs are not known any '
                'more; name another folder, and INPUT of both'
            ) from None
        for source in older.sources:
            joined.append(source)
        add = older.options.add
    return own, own._replace(sources=joined, old_run=None)
