"""The reference of captures, pairs and places against constants worked out by hand."""

from reference import Options, digest
from reference_detect import Known
from reference_sites import (
    Record,
    capture_counts,
    domain_unit,
    host_unit,
    kept_captures,
    level_unit,
    pair_rows,
    place_table,
    second_of,
)

PNG = b'\x89PNG\r\n'
OLD, NEW = '2019-01-02T03:04:05Z', '20200102030405'
TEXTS = [b'<p>%02d' % n + b'x' * 96 for n in range(12)]  # 101 bytes each
TEN, TWO = b''.join(TEXTS[:10]), b''.join(TEXTS[10:])


def offsets(records, how) -> list[int]:
    return sorted(record.offset for record in kept_captures(records, how))


def test_date_told():
    assert second_of(OLD) == second_of('2019-01-02T03:04:05.678Z') == '20190102030405'
    assert second_of(NEW) == NEW
    wrong = ['', '0' * 14, '2019-02-30T00:00:00Z', '1970-01-01T00:00:00Z', '2019']
    assert [second_of(date) for date in wrong] == [''] * 5


def test_captures_chosen():
    records = [
        Record('a', 9, 'http://a/', NEW, b'new'),
        Record('a', 10, 'http://a/', OLD, b'old'),
        Record('a', 11, 'http://a/', OLD, b'same second'),
        Record('a', 12, 'http://a/', '2018' + OLD[4:], PNG),
        Record('a', 13, 'http://A/', OLD, b'another URL'),
    ]
    assert offsets(records, 'first') == [10, 13]
    assert offsets(records, 'last') == [9, 13]
    assert offsets(records, 'all') == [9, 10, 11, 12, 13]
    counts = {'captures': 5, 'urls': 2, 'passed_over': 3}
    assert capture_counts(records, 'last') == counts
    assert capture_counts(records, 'all') == counts | {'passed_over': 0}


def test_no_date_is_latest():
    records = [
        Record('a', 9, 'http://a/', NEW, b'dated'),
        Record('a', 8, 'http://a/', '', b'not dated'),
    ]
    assert offsets(records, 'first') == [9]
    assert offsets(records, 'last') == [8]


def test_no_page_and_no_url():
    records = [
        Record('a', 1, 'http://a/', OLD, PNG),
        Record('a', 2, 'http://a/', NEW, PNG),
        Record('a', 3, '', OLD, b'own'),
        Record('a', 4, '', OLD, b'own'),
        Record('x/d/p', 0, 'd/p', '', b'of one folder', 'x/d'),
        Record('y/d/p', 0, 'd/p', '', b'of another', 'y/d'),
    ]
    assert offsets(records, 'first') == [0, 0, 1, 3, 4]
    assert offsets(records, 'last') == [0, 0, 2, 3, 4]


def test_pairs():
    records = [
        Record('a', 1, 'http://A.example:80/x', NEW, TEN),
        Record('a', 2, 'http://b.example/x/y', '2020-01-02T03:04:06Z', TEN + TWO),
        Record('a', 3, 'http://c.example/', OLD, b''.join(TEXTS[:9])),
    ]
    row = 'a.example', 'b.example', 10, 1010, '1.000000000', '0.833333333', 10, 0
    assert pair_rows(records, 'first') == [row]
    longer = Options(min_len=101)
    assert pair_rows(records, 'first', host_unit, longer) == []
    stopped = Options(stop=frozenset([digest(TEXTS[0])]))
    assert pair_rows(records, 'first', host_unit, stopped) == []


def test_dates_of_captures_that_are_passed_over():
    """The last capture is searched; that the chunk was there before is known."""
    records = [
        Record('a', 1, 'http://a.example/', OLD, TEN),
        Record('a', 2, 'http://a.example/', '20210102030405', TEN),
        Record('a', 3, 'http://b.example/', NEW, TEN),
        Record('a', 4, 'http://c.example/', OLD, TEN),
        Record('a', 5, 'http://c.example/', NEW, b'<p>gone'),
        Record('a', 6, 'http://d.example/', '', TEN),
    ]
    pairs = [row[:2] + row[-2:] for row in pair_rows(records, 'last')]
    assert pairs == [
        ('a.example', 'b.example', 10, 0),
        ('a.example', 'd.example', 0, 0),
        ('b.example', 'd.example', 0, 0),
    ]


def test_common_chunks_count_in_shares():
    records = [
        Record('a', n, f'http://{n}.example/', NEW, TWO + (TEN if n < 2 else b''))
        for n in range(101)
    ]
    [row] = pair_rows(records, 'first')
    assert row[:6] == ('0.example', '1.example', 10, 1010, '0.833333333', '0.833333333')
    assert len(pair_rows(records[:100], 'first')) == 1
    assert pair_rows(records[:100], 'first')[0][2] == 12


def test_units():
    domain = domain_unit({'example', 'co.example'})
    hosts = ['w.a.example:8080', 'a.b.co.example', '192.0.2.7:81', '[::1]:81', 'name']
    assert [domain(f'http://{host}/') for host in hosts] == [
        'a.example', 'b.co.example', '192.0.2.7', '[::1]', 'name',
    ]  # fmt: skip
    second = level_unit(2)
    assert second('http://a.example/x/y/z.html') == 'a.example/x/'
    assert second('http://a.example/x') == ''
    assert host_unit('dns:a.example') == domain('dns:a.example') == ''


def test_places():
    records = [
        Record('b', 10, 'http://a.example/ü', OLD, TEXTS[0] * 2 + TEXTS[1]),
        Record('b', 9, 'urn:x', '', TEXTS[0]),
        Record('b', 11, 'urn:x', '', TEXTS[0]),
    ]
    known = Known(frozenset([digest(TEXTS[0])]), min_len=100)
    name = digest(TEXTS[0]).encode()
    assert place_table(records, 'first', known) == (
        b'hash\trid\turl\tdate\n'
        + name + b'\tb:9\turn:x\t\n'
        + name + b'\tb:10\thttp://a.example/%C3%BC\t' + OLD.encode() + b'\n'
    )  # fmt: skip
