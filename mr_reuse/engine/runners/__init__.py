"""What runs the jobs: one module for each kind of machine."""

import importlib
from typing import Any

# Loaded when needed: a task on a cluster needs none of them.
CLASSES = {
    'inline': ('local', 'InlineRunner'),
    'local': ('local', 'LocalRunner'),
    'hadoop': ('hadoop', 'HadoopRunner'),
    'emr': ('emr', 'EmrRunner'),
    'spark': ('spark', 'SparkRunner'),
}


def runner(alias: str) -> Any:
    """The class of a runner, by the name that `-r` gives it."""
    module, name = CLASSES[alias]
    return getattr(importlib.import_module(f'mr_reuse.engine.runners.{module}'), name)
