"""The registry: the commands, and the systems whose results a run can hold.

A system is a package. Its `__init__` declares the steps of its jobs as `STEPS`, the
tables that it writes as `TABLES`, and those that only `export` makes as `EXPORTED`. A
system may lack any of them. Lower packages see the systems through `declared`
alone, and import none of them. `__init__` is imported by every command, so it imports
only what the declarations need.
"""

import importlib
from collections.abc import Iterator
from typing import Any

SYSTEMS = ('chunks', 'quilts', 'phrases', 'styles', 'review')
# Each command is a module, or the `__main__` of a package.
COMMANDS = {
    'discover': 'find the widely copied chunks and files of a crawl',
    'detect': 'find labeled chunks, and the neighborhoods with many of them',
    'quilts': 'find pages that are stitched together from other pages',
    'phrases': 'find near-duplicate pages, and the phrases that many pages share',
    'styles': 'find pages made by the same template',
    'report': 'write the results of a run as one HTML page',
    'show': 'print a chunk or a page, or what sites have in common',
    'review': 'judge a random sample of the results on a local web page',
    'links': 'find links and rings among bad sites',
    'compare': 'compare the results of two runs',
    'export': 'convert the tables of a run to Parquet, JSON Lines or CSV',
    'labels': 'make and change label files',
    'stop': 'make and evaluate lists of stop chunks',
    'watch': 'follow the archives of a running crawler',
    'pack': 'pack a folder into an archive',
    'synth': 'write a crawl with planted copies',
    'get': 'copy the results of a run from a cluster',
    'bundle': 'pack the code for tasks on a cluster',
}


def declared(name: str) -> Iterator[Any]:
    """Yield what all systems declare under a name, such as TABLES."""
    for system in SYSTEMS:
        yield from getattr(importlib.import_module(f'mr_reuse.{system}'), name, ())
