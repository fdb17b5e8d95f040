"""Changes of labels and neighborhoods between two runs."""

import pytest

from mr_reuse.chunks.compare import changes
from mr_reuse.chunks.compare.changes import LABEL_WORDS, NEIGHBORHOOD_WORDS


def label(side: str, copies: int | None) -> dict:
    cells = {'hash': 'ff', 'length': '101', 'copies': str(copies)}
    cells |= {'example_url': f'http://{side}/', 'preview': f'<p>{side}'}
    return {} if copies is None else {f'{side} labels': cells}


@pytest.mark.parametrize(
    ('before', 'after', 'word', 'example'),
    [
        (None, 12, 'appeared', 'new'),
        (12, None, 'vanished', 'old'),
        (9, 10, 'grew', 'new'),
        (10, 9, 'shrank', 'new'),
    ],
)
def test_labels(before, after, word, example):
    """Numbers are compared as numbers, and the new example is shown if there is any."""
    change = changes.label_change(label('old', before) | label('new', after))
    assert (change.word, change.before, change.after) == (word, before, after)
    numbers = ['' if n is None else str(n) for n in (before, after)]
    shown = [f'http://{example}/', f'<p>{example}']
    assert change.cells == ['ff', '101', *numbers, *shown, '']


def counts(side: str, copies: int) -> dict:
    """The counts of a chunk that is no label in a run with a threshold of 10."""
    return {f'{side} counts': {'copies': str(copies), 'threshold': '10'}}


@pytest.mark.parametrize(
    ('sides', 'word', 'before', 'after'),
    [
        (label('old', 12) | counts('new', 10), 'now below the threshold', '12', '10'),
        (label('old', 12) | counts('new', 11), 'now excluded', '12', '11'),
        (counts('old', 1) | label('new', 12), 'now above the threshold', '1', '12'),
        (counts('old', 12) | label('new', 12), 'no longer excluded', '12', '12'),
    ],
)
def test_label_in_one_run(sides, word, before, after):
    change = changes.label_change(sides)
    assert (change.word, *change.cells[2:4]) == (word, before, after)


@pytest.mark.parametrize('sides', [label('new', 12), counts('new', 2)])
def test_moved(sides):
    """The examples are the pages of both runs, also if there are as many copies."""
    pages = {
        f'{side} pages': {'url_length': '9', 'url': f'http://{side}.org/'}
        for side in ('old', 'new')
    }
    change = changes.label_change(label('old', 12) | sides | pages)
    assert change.word == 'moved'
    assert change.cells[4] == 'http://new.org/' and change.cells[6] == 'http://old.org/'


def test_equal_labels():
    assert changes.label_change(label('old', 9) | label('new', 9)) is None


def hood(side: str, ratio: str | None, is_bad: bool) -> dict:
    """A neighborhood with a ratio in a run; if bad, it is in both of its tables."""
    if ratio is None:
        return {}
    cells = {'prefix': 'a.org/', 'level': '1', 'pooled': ratio, 'bad': '3'}
    tables = {f'{side} neighborhoods': cells}
    return tables | ({f'{side} bad_neighborhoods': cells} if is_bad else {})


@pytest.mark.parametrize(
    ('old', 'new', 'word'),
    [
        (('0.1', False), ('0.9', True), 'turned bad'),
        ((None, False), ('0.9', True), 'new and bad'),
        (('0.9', True), ('0.1', False), 'turned good'),
        (('0.9', True), ('0.9', False), 'turned good'),
        (('0.9', True), (None, False), 'gone'),
        (('0.899999999', True), ('0.9', True), 'got worse'),
        (('0.900000000', True), ('0.899999999', True), 'got better'),
        (('0.9', True), ('0.900000000', True), None),
        (('0.1', False), ('0.2', False), None),
        (('', False), ('1.0', True), 'turned bad'),
    ],
)
def test_neighborhoods(old, new, word):
    change = changes.neighborhood_change(hood('old', *old) | hood('new', *new))
    assert (change and change.word) == word
    if change:
        ratios = [side[0] or '' for side in (old, new)]
        bad = ['' if side[0] is None else '3' for side in (old, new)]
        assert change.cells == ['a.org/', '1', *ratios, *bad]


def test_order():
    """By word, then the largest change, then the name."""
    copies = [(None, 3), (9, None), (None, 20), (5, 8), (8, 5), (5, 6)]
    found = [
        changes.label_change(label('old', before) | label('new', after))
        for before, after in copies
    ]
    keyed = sorted(change.to_keyed_row(LABEL_WORDS) for change in found)
    rows = [row.decode().split('\t') for _, row in keyed]
    assert [(row[0], row[3], row[4]) for row in rows] == [
        ('appeared', '', '20'),
        ('appeared', '', '3'),
        ('vanished', '9', ''),
        ('grew', '5', '8'),
        ('grew', '5', '6'),
        ('shrank', '8', '5'),
    ]


def test_order_of_neighborhoods():
    """A change of a billionth counts; one that is gone had its ratio as change."""
    found = [
        changes.neighborhood_change(
            hood('old', before, True) | hood('new', after, True)
        )
        for before, after in [
            *(('0.1', '0.100000001'), ('0.1', '0.100000003')),
            *(('0.2', None), ('0.7', None)),
        ]
    ]
    keyed = sorted(change.to_keyed_row(NEIGHBORHOOD_WORDS) for change in found)
    assert [row.split(b'\t')[3:5] for _, row in keyed] == [
        [b'0.7', b''],
        [b'0.2', b''],
        [b'0.1', b'0.100000003'],
        [b'0.1', b'0.100000001'],
    ]
