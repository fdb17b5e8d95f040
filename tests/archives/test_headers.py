"""The headers of WARC and ARC records, as many writers wrote them."""

import time

import pytest

from mr_reuse.archives.headers import ARC, WARC, Head, parse_arc_line, parse_warc_head

DATE = '2008-01-02T03:04:05Z'


def warc(*fields: str) -> Head | None:
    return parse_warc_head('\r\n'.join(['WARC/1.0', *fields]).encode())


def arc(line: str) -> Head | None:
    match = ARC.start.match(line.encode() + b'\n')
    return match and parse_arc_line(match)


def test_warc():
    head = warc(
        'warc-type:  Response ',
        'WARC-Target-URI: <http://a.org/x>',
        f'WARC-Date: {DATE}',
        'WARC-IP-Address: 2001:db8::1',
        'Content-Type: application/http; msgtype=response',
        'Content-Length: 12',
    )
    media = b'application/http; msgtype=response'
    url = b'http://a.org/x'
    assert head == Head('response', url, DATE, '2001:db8::1', 12, media)


@pytest.mark.parametrize(
    'text',
    [
        b'http://' * 30_000,
        b'"http://a.org/abc/def", ' * 30_000,
        b'\nhttp://a/' + b' - 0 a' * 30_000,
        b'\nx:' + b' 1.2.3.4 20080102030405' * 30_000,
        b'http://a/ 1.2.3.4 0 x ' * 30_000,
    ],
)
def test_pages_full_of_urls(text):
    """A header behind them is found, and none in them; the time is that of reading."""
    line = b'\nhttp://a.org/ 10.0.0.1 20080102030405 text/html 17\n'
    began = time.process_time()
    assert ARC.search.search(text) is None
    assert ARC.search.search(text + line).start() == len(text)
    assert time.process_time() - began < 3  # it was minutes


def test_folded_fields():
    """A line that begins with a blank continues the one before, as in mail."""
    head = warc(
        'WARC-Type: response',
        'WARC-Target-URI:',
        ' http://a.org/x',
        'WARC-Date:',
        f'\t{DATE}',
        'Content-Length:',
        '  12',
    )
    assert head[:5] == ('response', b'http://a.org/x', DATE, '', 12)


@pytest.mark.parametrize('line', ['WARC/1.0 ', 'WARC/1.1\t', 'WARC/1.0'])
@pytest.mark.parametrize('name', ['WARC-Type ', 'WARC-Type\t', 'WARC-Type'])
def test_blanks(line, name):
    """Behind the version, and in front of the first colon."""
    text = f'{line}\r\n{name}: response\r\nContent-Length: 5\r\n\r\n'.encode()
    assert WARC.start.match(text) and WARC.search.search(b'x' + text).start() == 1
    assert parse_warc_head(text).type == 'response'


@pytest.mark.parametrize(
    ('ip', 'date', 'found'),
    [
        ('[::1]', '20080102030405', ('2008-01-02T03:04:05Z', '::1')),
        ('', '20080102030405', ('2008-01-02T03:04:05Z', '')),
        ('10.0.0.1', '20080102', ('2008-01-02T00:00:00Z', '10.0.0.1')),
        ('10.0.0.1', '20080102030405123', ('2008-01-02T03:04:05Z', '10.0.0.1')),
    ],
)
def test_odd_arc_fields(ip, date, found):
    assert arc(f'http://a.org/x {ip} {date} text/html 17')[2:4] == found


def test_warc_ids():
    head = warc(
        'WARC-Record-ID: <urn:uuid:1>',
        'WARC-PAYLOAD-DIGEST:sha1:ABC ',
        'WARC-Truncated: length',
        'Content-Length: 0',
    )
    assert head[6:9] == ('urn:uuid:1', 'sha1:ABC', 'length')
    assert warc('Content-Length: 0')[6:9] == ('', '', '')


@pytest.mark.parametrize(
    'typed, read', [('a', 'a'), ('<a', '<a'), ('<>', ''), ('<a>', 'a'), ('< b>', ' b')]
)
def test_record_id(typed, read):
    assert warc(f'WARC-Record-ID: {typed}', 'Content-Length: 0').record_id == read


def test_long_fields_are_left_out():
    fields = 'WARC-Record-ID', 'WARC-Payload-Digest', 'WARC-Truncated'
    for size, read in ((1000, 'x' * 1000), (1001, '')):
        lines = [f'{name}: {"x" * size}' for name in fields]
        assert warc(*lines, 'Content-Length: 0')[6:9] == (read,) * 3


def test_first_of_equal_fields_counts():
    head = warc(
        'Content-Length: 5', 'Content-Length: 7', 'WARC-Type: a', 'WARC-Type: b'
    )
    assert (head.length, head.type) == (5, 'a')


@pytest.mark.parametrize('length', ['', '-5', '5 bytes', '0x5', '1e3', '9' * 19, '٣'])
def test_warc_without_valid_length(length):
    assert warc('WARC-Type: response', f'Content-Length: {length}') is None
    assert warc('WARC-Type: response', f'X-Content-Length: {length}') is None


def test_line_feeds_alone():
    raw = b'WARC/0.18\nWARC-Type: response\nContent-Length:5\t'
    assert WARC.start.match(raw) and parse_warc_head(raw).length == 5


@pytest.mark.parametrize(
    ('line', 'head'),
    [
        (
            'http://a.org/ 10.0.0.1 20080102030405 text/html 17',
            Head('response', b'http://a.org/', DATE, '10.0.0.1', 17),
        ),
        (
            'http://a.org/ 10.0.0.1 20080102030405 text/html 200 - - 99 a.arc 17',
            Head('response', b'http://a.org/', DATE, '10.0.0.1', 17),
        ),
        (
            'http://a.org/a b 2001:db8::1 200801020304 no-type 0',
            Head('response', b'http://a.org/a b', DATE[:-3] + '00Z', '2001:db8::1', 0),
        ),
        (
            'filedesc://x.arc 0.0.0.0 20080102030405 text/plain 9',
            Head('warcinfo', b'filedesc://x.arc', DATE, '0.0.0.0', 9),
        ),
        ('dns:a.org - 0 text/dns 5', Head('response', b'dns:a.org', '', '-', 5)),
        (
            'www.a.org/x y 10.0.0.1 20080102030405 text/html 17',
            Head('response', b'www.a.org/x y', DATE, '10.0.0.1', 17),
        ),
        (
            '10.0.0.1 10.0.0.1 20080102030405 text/html 17',
            Head('response', b'10.0.0.1', DATE, '10.0.0.1', 17),
        ),
    ],
)
def test_arc(line, head):
    assert arc(line) == head


@pytest.mark.parametrize(
    'line',
    [
        'http://a.org/ 10.0.0.1 2008 text/html 17',
        'http://a.org/ 10.0.0.1 20080102030405 text/html',
        'http://a.org/ 10.0.0.1 20080102030405 text/html -17',
        'http://a.org/ localhost 20080102030405 text/html 17',
        'no scheme 10.0.0.1 20080102030405 text/html 17',
        '//a.org/ 10.0.0.1 20080102030405 text/html 17',
        'a.org, 10.0.0.1 20080102030405 text/html 17',
        'word 10.0.0.1 20080102030405 text/html 17',
    ],
)
def test_lines_that_are_no_arc_header(line):
    assert arc(line) is None


def test_header_in_the_middle_of_a_line():
    """Behind a record that was cut; only the URL of a common scheme begins there."""
    line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\n'
    cut = b'the end of a recor'
    assert ARC.search.search(cut + line).start() == len(cut)
    assert ARC.search.search(cut + line.replace(b'http://', b'word:')) is None
    odd = b'\n' + line.replace(b'http://', b'gopher:')
    assert ARC.search.search(cut + odd).start() == len(cut)


@pytest.mark.parametrize('size', [1, 4, 7, 10, 20])
def test_beginning_of_a_header(size):
    """Where a file ends within a header."""
    head = b'WARC/1.0\r\nWARC-Type: response\r\n'
    assert WARC.stub.match(head[:size])
    assert not WARC.stub.match(b'x' + head[:size])
    line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17'
    assert ARC.stub.match(line[:size])
