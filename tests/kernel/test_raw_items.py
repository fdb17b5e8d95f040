"""Raw items, and the lines that the kernel makes of them, are those of Python."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_kernel import members

from mr_reuse import kernel as native
from mr_reuse.archives import ordinary, sniff
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.items import make_item
from mr_reuse.archives.raw_items import MAX_RAW, RawItem, raw_parser
from mr_reuse.chunks import hasher
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.recipe import Recipe

kernel = native.load()
if not kernel:
    pytest.skip(native.version(), allow_module_level=True)

FIELDS = ('url', 'date', 'ip', 'status', 'kind', 'cut', 'body', 'head', 'content_type')
NAMES = re.search(r'<\(\?:(.*)\)', sniff.HTML.pattern.decode())[1].split('|')
BEGINNINGS = st.lists(
    st.sampled_from(
        [
            b'<',
            b'<!--',
            b'-->',
            b'-',
            b'--',
            b'>',
            b' ',
            b'\n',
            b'\x0b',
            b'x',
            b'1',
            b'_',
        ]
        + [
            b'<!DOCTYPE',
            b'<!doctype html',
            b'HTML',
            b'<?xml',
            b'<?XML ',
            b'\xef\xbb\xbf',
        ]
        + [b'<rss', b'<rdf:RDF', b'<html', b'<Html:x', b'<a.b', b'<-', b'<1', b'<feed>']
        + [f'<{name}'.encode() for name in NAMES[1:]]
        + [*sniff.STARTS, *sniff.UTF16, b'\0', b'\x7f', b'\x1b', b'\x85', b'y' * 1020]
    ),
    max_size=8,
).map(b''.join)


def page(body: bytes, fields: bytes = b'') -> bytearray:
    block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + body
    return bytearray(
        b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/x\r\n'
        b'WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: %d\r\n%b\r\n%b\r\n\r\n'
        % (len(block), fields, block)
    )


@settings(deadline=None)
@given(BEGINNINGS)
def test_media_types(body):
    """The kernel tells the type that Python tells, or none."""
    fields = kernel.glance(page(body), MAX_RAW)
    assert (fields is None) == (not body)
    expected = sniff.media_type(body)
    assert not body or fields[2] in ('', expected)
    if (
        body.isascii()
        and body.decode().isprintable()
        and not body.startswith(sniff.STARTS)
    ):
        assert not body or fields[2] == expected


@pytest.mark.parametrize('name', [name.replace(r'\s+', ' ') for name in NAMES])
def test_each_tag(name):
    assert kernel.glance(page(f'<{name}>'.encode()), MAX_RAW)[2] == 'text/html'
    assert kernel.glance(page(f'<{name}x>'.encode()), MAX_RAW)[2] == 'text/plain'


def same_item(member: bytearray) -> str:
    """Compare the raw item of a member with its item; return which case it was."""
    found = raw_parser()(member)
    if not isinstance(found, RawItem):
        return 'record' if found else 'none'
    stats = ArchiveStats('a')
    item = make_item('7', ordinary.pure_ordinary(member), stats)
    for field in FIELDS:
        assert getattr(found, field) == getattr(item, field), field
    assert found.size == len(item.body)
    assert not stats.as_dict().keys() - {'archive'}
    found.offset = '7'
    lines = [
        [line.to_line() for line in lines]
        for hashed in (found, item)
        for _, lines in Hasher(Recipe()).hash_items('a\tb', [hashed])
    ]
    assert lines[0] == lines[1] and found.type == item.type
    packed = [
        [line.packed for line in lines]
        for hashed in (found, item)
        for _, lines in Hasher(Recipe()).hash_items('a', [hashed])
    ]
    assert packed[0] == packed[1]
    return 'raw'


@settings(max_examples=300, deadline=None)
@given(members())
def test_items(made):
    """Of members of all kinds; of few of them the kernel is sure."""
    member, block = made
    same_item(bytearray(member))
    assert same_item(page(block)) == 'raw'


@pytest.mark.parametrize(
    'fields',
    [b'WARC-Record-ID: <urn:uuid:1>\r\n', b'WARC-Payload-Digest: sha1:A\r\n']
    + [b'WARC-IP-Address: 10.0.0.1\r\n', b'WARC-Truncated: \r\n']
    + [b'WARC-Record-ID: <a>\r\nWARC-Payload-Digest: sha1:A\r\n'],
)
@pytest.mark.parametrize('body', [b'x', b'\0\1\2', b'<p>one<p>two', b'<?xml?><p>' * 99])
def test_lines(fields, body):
    """With and without the fields at the end of a line; of text and of other files."""
    assert same_item(page(body, fields)) == 'raw'


@pytest.mark.parametrize(
    'fields',
    [b'WARC-Record-ID: \xe9\r\n', b'WARC-Truncated: length\r\n']
    + [b'WARC-IP-Address: 10\t0\r\n', b'WARC-Date\r\n : x\r\n'],
)
def test_unusual_fields(fields):
    assert not isinstance(raw_parser()(page(b'<p>one', fields)), RawItem)


def test_bounds():
    """Of the size of a body, and of the chunks in a line; other items are between."""
    many = b''.join(b'<p>%05d' % n for n in range(hasher.PAGE_ROWS + 1))
    bodies = [b'<p>a', many[8:], many, b'x' * MAX_RAW, b'x' * (MAX_RAW + 1), b'', b'b']
    found = []
    for number, body in enumerate(bodies):
        item = raw_parser()(page(body))
        if not isinstance(item, RawItem):
            item = make_item('', item, ArchiveStats('a'))
        item.offset = str(number)
        found.append(item)
    assert [isinstance(item, RawItem) for item in found] == [1, 1, 1, 1, 0, 0, 1]
    plain = [
        make_item(i.offset, ordinary.pure_ordinary(page(b)), ArchiveStats('a'))
        for i, b in zip(found, bodies, strict=True)
    ]
    lines = [
        [
            (item.offset, [line.to_line() for line in lines])
            for item, lines in Hasher(Recipe()).hash_items('a', items)
        ]
        for items in (found, plain)
    ]
    assert lines[0] == lines[1]
    assert [len(of_item) for _, of_item in lines[0]] == [1, 1, 2, 1, 1, 1, 1]


@pytest.mark.parametrize(
    'recipe', [Recipe(normalize='collapse'), Recipe(compat='ccr2019-arc')]
)
def test_bodies_that_change(recipe):
    """A recipe that changes bodies has the lines of Python."""
    raw, item = raw_parser()(page(b'<p>a  b')), ordinary.pure_ordinary(page(b'<p>a  b'))
    raw.offset = '7'
    pair = [raw, make_item('7', item, ArchiveStats('a'))]
    [[one], [other]] = [lines for _, lines in Hasher(recipe).hash_items('a', pair)]
    assert one.to_line() == other.to_line()


@pytest.mark.parametrize(
    'wrong', [None, (), ('0', b'', ''), ('0', 7, ''), (0, b'', '')]
)
def test_wrong_members(wrong):
    cutter = kernel.Cutter((b'p',), b'>', 20)
    with pytest.raises((TypeError, ValueError)):
        cutter.lines(b'a', [wrong])
    with pytest.raises(TypeError):
        cutter.lines('a', [])
