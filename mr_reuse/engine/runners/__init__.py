"""The runners of jobs: mrjob's own, each with changes of this package."""

import importlib
from typing import Any

# The choices of `-r`. A module and the class in it, imported when needed: tasks on a
# cluster need none.
CLASSES = {
    'local': ('local', 'LocalRunner'),
    'inline': ('local', 'InlineRunner'),
    'hadoop': ('hadoop', 'HadoopRunner'),
    'emr': ('emr', 'EmrRunner'),
    'spark': ('spark', 'SparkRunner'),
}


def runner_class(alias: str) -> Any:
    """Import the class of a runner, by its name in `-r`."""
    module, name = CLASSES[alias]
    return getattr(importlib.import_module(f'mr_reuse.engine.runners.{module}'), name)
