"""The steps of all systems: their folders in RUN, their jobs, and the order of each.

A folder is named after the place of its step in the dataflow. The name is part of the
digest by which a finished step is recognized, so it never changes.
"""

from collections.abc import Iterable
from typing import NamedTuple


class RunStep(NamedTuple):
    """A step that a run may have."""

    folder: str
    job: str  # the name of its class
    about: str  # what it reads -> what it writes


PAGES = RunStep(
    '01-pages', 'HashChunks', 'archives -> pages with the digests of their chunks'
)
COUNTS = RunStep(
    '02-counts', 'CountDuplicates', '-> copies, pages and length of each digest'
)
LABELS = RunStep(
    '03-labels', 'FilterStopChunks', '-> what is widely copied: labels.mrl'
)
PLACES = RunStep(
    '03-places', 'PlaceLabels', 'pages again -> hosts and an example of each label'
)
PREVIEWS = RunStep(
    '03-previews', 'ReadPreviews', 'archives, a few records -> labels.tsv'
)
MATCHES = RunStep(
    '04-matches', 'MatchLabeled', 'pages and labels -> the labels of each page'
)
NEIGHBORHOODS = RunStep(
    '05-neighborhoods', 'NeighborhoodBadness', '-> sums for every prefix of every URL'
)
ORIGINS = RunStep(
    '06-origins',
    'ShareLabels',
    'matches again -> sites with the same labels, and the dates of both',
)
LINKS = RunStep(
    '07-links', 'SiteLinks', 'archives, the pages of bad sites -> links between sites'
)

# The steps of each command, in order.
DISCOVER = (PAGES, COUNTS, LABELS, PLACES, PREVIEWS)
BUILD_LABELS = (PAGES, COUNTS, LABELS)
DETECT = (MATCHES, NEIGHBORHOODS, ORIGINS)
HASH_AND_DETECT = (PAGES, *DETECT)  # if no run has the pages


def name_jobs(steps: Iterable[RunStep]) -> list[str]:
    """List the jobs of some steps.

    >>> name_jobs(BUILD_LABELS)
    ['HashChunks', 'CountDuplicates', 'FilterStopChunks']
    """
    return [step.job for step in steps]
