"""Ratios and thresholds, against exact fractions."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.chunks import ratios
from mr_reuse.chunks.ratios import ONE, Sums, Threshold

PARTS = st.integers(0, 10**6).flatmap(
    lambda whole: st.tuples(st.integers(0, whole + 1), st.just(whole + 1))
)
RATIOS = st.lists(st.integers(0, ONE) | st.sampled_from([0, 1, ONE // 2, ONE]))
some = settings(max_examples=50, deadline=None, derandomize=True)


@some
@given(PARTS)
def test_divide(parts):
    """Python rounds fractions half to even."""
    assert ratios.divide(*parts) == round(Fraction(*parts) * ONE)


@some
@given(st.integers(0, ONE) | st.integers(0, 10**9 - 1).map(lambda n: n * 1000 + 500))
def test_format(number):
    nanos = round(Fraction(number, 1000))
    assert ratios.format_ratio(number) == f'{nanos // 10**9}.{nanos % 10**9:09}'


@some
@given(RATIOS, RATIOS)
def test_sums_of_parts(some_ratios, others):
    """The order of the ratios and their division among tasks do not matter."""
    parts = [Sums().add(numbers) for numbers in (some_ratios, others)]
    whole = Sums().add(sorted([*some_ratios, *others]))
    assert Sums(*map(sum, zip(*parts, strict=True))) == whole


@some
@given(RATIOS)
def test_mean_and_deviation(numbers):
    """The mean is rounded half to even, the deviation down."""
    sums, count = Sums().add(numbers), max(1, len(numbers))
    mean = Fraction(sum(numbers), count)
    variance = sum((n - mean) ** 2 for n in numbers) / count
    assert sums.mean == round(mean)
    assert sums.deviation**2 <= variance < (sums.deviation + 1) ** 2


@some
@given(
    RATIOS.filter(bool),
    st.fractions(0, 3, max_denominator=100),
    st.integers(0, ONE),
)
def test_above_mean_and_sigmas(numbers, sigmas, number):
    """A ratio is above if its distance from the mean is above that of the sigmas."""
    threshold = Threshold(None, sigmas, Sums().add(numbers))
    mean = Fraction(sum(numbers), len(numbers))
    variance = sum((n - mean) ** 2 for n in numbers) / len(numbers)
    for ratio in (number, *numbers):
        above = ratio > mean and (ratio - mean) ** 2 > sigmas**2 * variance
        assert threshold.is_above(ratio) == above


@some
@given(st.fractions(0, 1), st.integers(0, ONE))
def test_above_a_fixed_threshold(fixed, number):
    threshold = Threshold(fixed, Fraction(1), Sums())
    assert threshold.is_above(number) == (Fraction(number, ONE) > fixed)
