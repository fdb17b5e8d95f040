"""Numbers that the paper prints, and bounds of the search for pairs."""

import random
import re
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from mr_reuse.styles.describing import Style
from mr_reuse.styles.ranking import rank_key, score_digits
from mr_reuse.styles.style_options import ClusterRule
from mr_reuse.styles.summary import miss_probability

TOP = Path(__file__).parents[2]
# Table 1 of the paper: domains and mean similarity, in the order of its rows.
TABLE = """
    231 1  313 .58  255 .33  174 .40  91 .74  173 .38  164 .40  55 .91  101 .44  195 .21
    60 .67  44 .90  70 .52  96 .32  61 .50  112 .26  63 .41  34 .68  77 .29  60 .35
"""


def test_the_table_of_the_paper_is_in_the_order_of_scores():
    cells = TABLE.split()
    pairs = list(zip(map(int, cells[::2]), map(Fraction, cells[1::2]), strict=True))
    styles = [
        Style(n, 1000, domains, domains, mean, n, f'a:{n}', '')
        for n, (domains, mean) in enumerate(pairs)
    ]
    shuffled = random.Random(1).sample(styles, len(styles))
    assert len(styles) == 20 and shuffled != styles
    digits = score_digits(128, 5_000_000, False)
    assert sorted(shuffled, key=lambda style: rank_key(style, digits)) == styles


@pytest.mark.parametrize('rule', [ClusterRule(), ClusterRule(27, 19), ClusterRule(9)])
def test_pairs_that_are_missed(rule):
    """Of pairs that agree in t dimensions, all p probed ones are among the others."""
    law = Fraction(comb(128 - rule.p, rule.t), comb(128, rule.t))
    assert miss_probability(128, rule) == pytest.approx(float(law), rel=1e-12)


def test_stated_probabilities():
    """Of the specification: 0.89 in 1000, and less than 1 in 100 if p t >= 512."""
    assert f'{miss_probability(128, ClusterRule()):.3e}' == '8.889e-04'
    assert miss_probability(128, ClusterRule(27, 19)) < 0.0075


@pytest.mark.slow
def test_comparisons_of_many_documents():
    """They grow more slowly than the documents, although the largest family grows.

    In a bucket, a document is compared with at most 250 others, or, in one of up to
    1,000 documents, with all of them.
    """
    program = [sys.executable, TOP / 'bench/fingerprints.py', 'clusters']
    line = [*program, '--documents', '10000,100000,300000']
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    print(done.stdout)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    comparisons = [float(re.sub(',', '', row[5])) for row in rows]
    assert len(rows) == 3
    assert comparisons[1] < 10 * comparisons[0] and comparisons[2] < 2 * comparisons[1]
    assert max(comparisons) < 20 * 500
