"""The default of --threshold, at the borders of the rule."""

import pytest

from mr_reuse.chunks.discover.label_rule import choose_threshold


@pytest.mark.parametrize(
    ('files', 'threshold'),
    [
        ({}, 10),
        ({1: 299_999}, 10),
        ({1: 300_000}, 10),
        ({1: 329_999}, 10),
        ({1: 330_000}, 11),
        ({2: 100_000, 130_000: 1}, 11),  # copies of a file are files
        ({1: 2_860_000_000}, 95_333),
    ],
)
def test_threshold(files, threshold):
    assert choose_threshold(files).threshold == threshold


def test_reason():
    below, above = (choose_threshold({1: n}).reason for n in (299_999, 300_000))
    assert below == 'the minimum, used below 300,000 files'
    assert above == 'one copy in 30,000 of 300,000 files, as in the papers'
