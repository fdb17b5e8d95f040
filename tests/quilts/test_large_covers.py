"""The memory that the lists of one page take: there may be millions of entries."""

import json
import sys

import pytest
from commands import apart

from mr_reuse import kernel

GRAMS, SOURCES, SIZE = 80_000, 2_000, 50
# Makes the lines of a page whose grams are in lists of their own, with random others,
# and finds its cover. Prints the cover, and how much memory that took, in MB.
FIND = f"""
import json, re
from fractions import Fraction
import numpy as np
from mr_reuse.quilts import finding
from mr_reuse.quilts.finding import CoverFinder, Candidates, Rule
from mr_reuse.shuffle import ragged

def peak():
    with open('/proc/self/status') as status:
        return int(re.search(r'VmHWM:\\s+(\\d+) kB', status.read())[1]) >> 10

def lines(count, dice=np.random.default_rng(5)):
    for first in range(0, count, 1000):
        some = dice.integers(0, {SOURCES}, (1000, 1)) + 37 * np.arange({SIZE} - 1)
        documents = np.column_stack([np.zeros(1000, int), some % {SOURCES} + 1])
        documents.sort(axis=1)
        ones = np.ones(1000, np.uint64)
        columns = [0 * ones, ones, {SIZE} * ones, documents.ravel().astype(np.uint64)]
        yield ragged.pack_columns(columns)

def find(count):
    finder = CoverFinder(Rule(Fraction(0), 'none'), candidates, None)
    [cover] = finder.find(lines(count))
    return cover

candidates = Candidates(np.zeros(1, np.uint64), np.ones(1, np.uint64))
find(1000)
before = peak()
cover = find({GRAMS})
print(json.dumps([cover.patch, cover.sources, peak() - before]))
"""


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_large_page():
    """Lists of 4 million entries: less than 32 bytes for each."""
    done = apart(sys.executable, '-c', FIND)
    patch, sources, megabytes = json.loads(done.communicate(timeout=120)[0])
    assert patch == GRAMS
    new = [source[1] for source in sources]
    assert sum(new) == GRAMS and new == sorted(new, reverse=True)
    assert len({source[0] for source in sources} - {0}) == len(sources)
    assert megabytes < 130
