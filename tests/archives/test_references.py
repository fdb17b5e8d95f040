"""Revisit records: what their headers refer to, as several programs write them."""

import io

import pytest
from damaged_reading import make
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.items import WITH_REVISITS
from mr_reuse.archives.reader import read_source
from mr_reuse.archives.sources import Source
from mr_reuse.pages.filters import Filter

OLD = '2019-12-31T00:00:00Z'
ID = '<urn:uuid:1>'
SAME = 'http://netpreserve.org/warc/1.0/revisit/identical-payload-digest'
UNCHANGED = 'http://netpreserve.org/warc/1.0/revisit/server-not-modified'
HTTP = b'HTTP/1.1 404 Not Found\r\nX: y\r\n\r\n'
NOTHING = 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'  # SHA-1 of no bytes, in base32


def read(path, record: bytes, filters=(), **options):
    path.write_bytes(record)
    stats = ArchiveStats('a')
    test = Filter(filters, 'none').item_test(stats)
    source = Source('archive', str(path), str(path))
    options = {'types': WITH_REVISITS} | options
    return list(read_source(source, stats, test, **options)), stats


def revisit(block=b'', **fields) -> bytes:
    return make.warc('b', block, 'revisit', WARC_Profile=SAME, **fields)


REFERENCES = {
    'nothing': ({}, ''),
    'id': ({'WARC_Refers_To': ID}, ' urn:uuid:1 '),
    'all': (
        {
            'WARC_Refers_To': ID,
            'WARC_Refers_To_Target_URI': '<http://x.org/ä>',
            'WARC_Refers_To_Date': '2019-12-31T00:00:00.123Z',
        },
        f'{OLD} urn:uuid:1 http://x.org/%C3%A4',
    ),
    'date': ({'WARC_Refers_To_Date': OLD}, f'{OLD}  http://x.org/b'),
    'URI': ({'WARC_Refers_To_Target_URI': 'http://y.org/'}, '  http://y.org/'),
    'odd date': (
        {'WARC_Refers_To_Date': 'last week', 'WARC_Refers_To': ID},
        ' urn:uuid:1 http://x.org/b',
    ),
    'folded': ({'WARC_Refers_To': f'\r\n {ID}'}, ' urn:uuid:1 '),
    'endless': ({'WARC_Refers_To': '<' + 'x' * 5000 + '>'}, ''),
}


@pytest.mark.parametrize('name', ['a.warc', 'a.warc.gz'])
@pytest.mark.parametrize('case', REFERENCES)
def test_references(tmp_path, name, case):
    fields, expected = REFERENCES[case]
    record = revisit(HTTP, WARC_Payload_Digest='sha1:ABC', **fields)
    data = make.Form(name.removeprefix('a.')).pack(record)
    [item], stats = read(tmp_path / name, data)
    assert (item.kind, item.url, item.date) == ('revisit', 'http://x.org/b', make.DATE)
    assert (item.status, item.body, item.cut) == (404, b'', True)
    assert item.head.payload_digest == 'sha1:ABC'
    assert item.head.refers_to == expected
    assert not stats.damage and not stats.skipped and not stats.notes


def test_as_warcio_writes_them(tmp_path):
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    http = StatusAndHeaders('200 OK', [('A', 'b')], protocol='HTTP/1.1')
    fields = 'http://x.org/b', 'sha1:ABC', 'http://x.org/a', OLD
    writer.write_record(writer.create_revisit_record(*fields, http_headers=http))
    [item], _ = read(tmp_path / 'a.warc.gz', file.getvalue())
    assert (item.url, item.status) == ('http://x.org/b', 200)
    assert item.head.refers_to == f'{OLD}  http://x.org/a'
    assert item.head.payload_digest == 'sha1:ABC'


def test_empty_digest_of_unchanged_page(tmp_path):
    """The block of a page that was not modified is empty; the page is not."""
    for profile, expected in ((UNCHANGED, ''), (SAME, NOTHING)):
        record = revisit(WARC_Payload_Digest=NOTHING)
        data = record.replace(SAME.encode(), profile.encode())
        [item], _ = read(tmp_path / 'a.warc', data)
        assert item.head.payload_digest == expected


@pytest.mark.parametrize(
    ('block', 'admitted'),
    [
        (HTTP, {404}),
        (HTTP.replace(b'404', b'200'), {200}),
        (HTTP.replace(b'404', b'304'), {200, 404}),
        (b'', {200, 404}),
    ],
)
def test_filters_of_status(tmp_path, block, admitted):
    """Without a status of its own, a revisit has that of its target."""
    found = {
        status
        for status in (200, 404)
        if read(tmp_path / 'a.warc', revisit(block), [f'status={status}'])[0]
    }
    assert found == admitted


def test_filters_of_host(tmp_path):
    items, stats = read(tmp_path / 'a.warc', revisit(), ['host=y.org'])
    assert not items and stats.skipped == {'filtered out': 1}


def test_left_out_unless_wanted(tmp_path):
    items, stats = read(tmp_path / 'a.warc', revisit(), types={'response'})
    assert not items and stats.skipped == {'revisit': 1}


def test_without_url(tmp_path):
    items, stats = read(tmp_path / 'a.warc', revisit(WARC_Target_URI=''))
    assert not items and stats.damage == {'record without a target URI': [1, 0]}


def test_large_block(tmp_path):
    """What some writers leave in the block is not read as a page."""
    record = revisit(HTTP + b'<p>' * (6 << 20))
    items, stats = read(tmp_path / 'a.warc', record + revisit(HTTP))
    assert [item.body for item in items] == [b'', b''] and not stats.damage
