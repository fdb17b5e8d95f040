"""A step as its system declares it: its folder, its job, and what it does."""

from collections.abc import Iterable
from typing import NamedTuple


class RunStep(NamedTuple):
    """The declaration of a step. `chain.Step` is a step with its inputs and options."""

    folder: str
    job: str  # the name of its class
    # INPUT -> OUTPUT. Without INPUT, the step reads the output of the step before it.
    about: str
    # Processor time, as a share of that of the step that reads the archives, about.
    cost: float = 0.0


def name_jobs(steps: Iterable[RunStep]) -> list[str]:
    """List the jobs of steps.

    >>> name_jobs([RunStep('02-counts', 'CountDuplicates', '-> counts')])
    ['CountDuplicates']
    """
    return [step.job for step in steps]
