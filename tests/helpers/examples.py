"""How many random crawls a test tries: a few by default, TIMES as many when asked."""

import os
from collections.abc import Callable

import pytest
from hypothesis import settings

TIMES = int(os.environ.get('TIMES', '1'))


def few(examples: int) -> Callable:
    """Only so many examples, and always the same ones."""
    limits = settings(max_examples=examples * TIMES, deadline=None, derandomize=True)
    return lambda test: pytest.mark.random(limits(test))


def seeds(number: int) -> Callable:
    """A test of so many crawls, each made from its number."""
    each = pytest.mark.parametrize('seed', range(number * TIMES))
    return lambda test: pytest.mark.random(each(test))
