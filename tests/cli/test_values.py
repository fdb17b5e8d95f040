"""Values of options: what each type accepts, and what it refuses."""

import argparse
from fractions import Fraction

import pytest

from mr_reuse.cli import values
from mr_reuse.cli.parser import Once


@pytest.mark.parametrize(
    ('parse', 'text', 'value'),
    [
        (values.parse_natural, '0', 0),
        (values.parse_positive, '012', 12),
        (values.parse_rate, '1e-3', 0.001),
        (values.parse_ratio, '.5', Fraction(1, 2)),
        (values.parse_ratio, '3.', Fraction(3)),
        (values.parse_ratio, '0.1', Fraction(1, 10)),
        (values.parse_share, '1', Fraction(1)),
        (values.parse_levels, 'domain', 'domain'),
        (values.parse_size, '1tb', 10**12),
        (values.parse_size, ' 2 k ', 2000),
        (values.parse_base_url, 'https://a.org/x/', 'https://a.org/x/'),
    ],
)
def test_accepted(parse, text, value):
    assert parse(text) == value


REFUSED = {
    values.parse_natural: ['', '-1', '1.0', ' ', '1e3', '+1'],
    values.parse_positive: ['0', '00', '-1', ''],
    values.parse_rate: ['0', '1', '-0.1', 'nan', 'inf', 'x', ''],
    values.parse_ratio: ['', '-1', '1e3', '.', '1/2', 'nan', '1,5', '1' * 10],
    values.parse_share: ['1.000001', '2', '50%'],
    values.parse_levels: ['0', '-1', 'All', '1.5', '²', '', '٣'],
    values.parse_size: ['', '0', '-5', '5 PB', '1,5G', 'MB', '9' * 30],
    values.parse_base_url: [
        '',
        'a.org',
        'http://',
        '/x',
        'http://a.org/ä',
        'http://a /',
    ],
}


@pytest.mark.parametrize(
    ('parse', 'text'), [(parse, t) for parse, texts in REFUSED.items() for t in texts]
)
def test_refused(parse, text):
    """The reason repeats the text, so that it is seen which of many is meant."""
    with pytest.raises(argparse.ArgumentTypeError) as refusal:
        parse(text)
    assert str(refusal.value).startswith(repr(text))


def test_given_twice():
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument('--size', action=Once, default='1')
    assert parser.parse_args(['--size', '2']).size == '2'
    with pytest.raises(argparse.ArgumentError, match='given twice'):
        parser.parse_args(['--size', '2', '--size', '3'])
