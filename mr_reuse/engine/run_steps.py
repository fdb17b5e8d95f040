"""A step as its system declares it: its folder, its job, and what it does.

A step that is repeated is declared once. Each round has a folder of its own.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

FOLDER = re.compile(r'\d\d-[a-z]+')  # of a step
ROUND = re.compile(r'-\d+$')  # of the folder of a round, from the second on


class RunStep(NamedTuple):
    """The declaration of a step. `chain.Step` is a step with its inputs and options."""

    folder: str
    job: str  # the name of its class
    # INPUT -> OUTPUT. Without INPUT, the step reads the output of the step before it.
    about: str
    # Processor time, as a share of that of the step that reads the archives, about.
    cost: float = 0.0

    def in_round(self, number: int) -> 'RunStep':
        """Return the step in a round, from 1.

        >>> step = RunStep('23-stars', 'AlternateStars', 'edges -> fewer edges')
        >>> [step.in_round(number).folder for number in (1, 2)]
        ['23-stars', '23-stars-2']
        """
        suffix = f'-{number}' if number > 1 else ''
        return self._replace(folder=self.folder + suffix)


def declared_folder(folder: str) -> str:
    """Return the folder of the declared step to which the folder of a round belongs.

    >>> declared_folder('23-stars-12'), declared_folder('23-stars')
    ('23-stars', '23-stars')
    """
    return ROUND.sub('', folder)


def name_jobs(steps: Iterable[RunStep]) -> list[str]:
    """List the jobs of steps.

    >>> name_jobs([RunStep('02-counts', 'CountDuplicates', '-> counts')])
    ['CountDuplicates']
    """
    return [step.job for step in steps]
