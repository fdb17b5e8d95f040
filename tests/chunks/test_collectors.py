"""What all collectors promise: all is handed on, once, and nothing without a cause."""

import hashlib
import re

import pybase64 as base64
import pytest

from mr_reuse.chunks.detect import joins, matching
from mr_reuse.chunks.detect.assembling import PartialMatches
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.neighborhoods import PageCollector
from mr_reuse.chunks.detect.origins import HolderCollector, Holders, PairCollector
from mr_reuse.chunks.detect.site_links import LinkCounter
from mr_reuse.chunks.discover.counting import ChunkCounter
from mr_reuse.chunks.discover.examples import ExampleCollector
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import PageLine, pack_short_page
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle.packing import make_rows, pack
from mr_reuse.shuffle.partitions import name_digest, partition_key

CHUNK = hashlib.sha1(b'copied').digest()
KEYS = make_rows(CHUNK, 20).keys
LABELS = Labels(Recipe(), 0, KEYS, KEYS[:0], KEYS[:0])
PACKED = pack_short_page(CHUNK, (6).to_bytes(4, 'little'), 20)
PAGE = PageLine('a:0', 'http://a.org/', '', '', 'text/html', 9, '', 1, PACKED).to_line()
LABEL = matching.NO_LABELS + base64.b64encode(bytes(8) + b'\1\0\0\0')
MATCH = Match(b'a:0', b'http://a.org/', b'', 1, 2, LABEL)
SITES = make_rows(b''.join(sorted(map(name_digest, ['a.org/', 'b.org/']))), 16).keys
COUNTED = joins.JoinOptions('both', False, 6)


def holders() -> Holders:
    found = Holders()
    for site in ('a.org/', 'b.org/'):
        found.add(make_rows(bytes(8) + name_digest(site), 24, [20200101000000], [1]))
    return found


def asked() -> tuple[bytes, list[bytes]]:
    """A question for one chunk, of one page."""
    question = pack(make_rows(CHUNK, 20, [1], [2], [1]))
    return partition_key('chunk', CHUNK[0] >> 6), [question]


# Each with what it is given, and the units of the lines that it yields.
COLLECTORS = {
    'Counting': (lambda: ChunkCounter(20, 2), 'add_page', PAGE, {'chunk'}),
    'Places': (lambda: ExampleCollector(LABELS, 6), 'add', PAGE, {'hosts', 'example'}),
    'InMemory': (lambda: joins.MemoryJoin(LABELS, COUNTED), 'add', PAGE, {'whole'}),
    'Ask': (
        lambda: joins.QueryJoin(LABELS, COUNTED, 2),
        'add',
        PAGE,
        {'chunk', 'part'},
    ),
    'Answer': (lambda: joins.QueryLookup(LABELS, 2, 6), 'add', asked(), {'part'}),
    'Parts': (lambda: PartialMatches(6), 'add_fact', (bytes(16), (b'a:0',)), {'part'}),
    'Tally': (lambda: PageCollector(1, 6), 'add', ('http://a.org/', 1, 2), {'in'}),
    'Holding': (lambda: HolderCollector(1, 1, 6), 'add', (MATCH,), {'held'}),
    'Sharing': (lambda: PairCollector(SITES, 6), 'add', (holders(),), {'shared'}),
    'Linking': (
        lambda: LinkCounter(SITES, 1, 6),
        'add',
        ('http://a.org/', b'<a href="http://b.org/x">'),
        {'links'},
    ),
}


@pytest.mark.parametrize('name', COLLECTORS)
def test_all_is_handed_on_once(name):
    make, add, item, units = COLLECTORS[name]
    collector = make()
    assert list(collector.finish()) == []
    assert list(getattr(collector, add)(*item)) == []
    lines = list(collector.finish())
    assert {key.partition(b'/')[0].decode() for key, _ in lines} == units
    for key, value in lines:
        assert re.fullmatch(rb'[a-z]+/[0-9a-f]{4,8}', key)
        assert value and b'\n' not in value
    assert list(collector.finish()) == []
