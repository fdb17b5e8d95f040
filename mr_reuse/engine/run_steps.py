"""The description of a step, as its system declares it."""

from collections.abc import Iterable
from typing import NamedTuple


class RunStep(NamedTuple):
    """The description of a step."""

    folder: str
    job: str  # the name of its class
    about: str  # input -> output; without input, it reads the output before it


def name_jobs(steps: Iterable[RunStep]) -> list[str]:
    """List the jobs of steps.

    >>> name_jobs([RunStep('02-counts', 'CountDuplicates', '-> counts')])
    ['CountDuplicates']
    """
    return [step.job for step in steps]
