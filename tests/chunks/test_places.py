"""Where labels are, found in memory that does not grow with what pages say."""

import hashlib
import tracemalloc

import numpy as np

from mr_reuse.chunks.discover.examples import ExampleCollector, unpack_examples
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import PageLine, pack_short_page
from mr_reuse.chunks.recipe import Recipe

DIGEST = hashlib.sha1(b'copied').digest()


def places() -> ExampleCollector:
    one = np.frombuffer(DIGEST, np.uint8).reshape(1, 20)
    return ExampleCollector(Labels(Recipe(), 0, one, one[:0], one[:0]), 6)


def line(url: str, offset: int) -> tuple[bytes, bytes]:
    packed = pack_short_page(DIGEST, (6).to_bytes(4, 'little'), 20)
    return PageLine(f'a:{offset}', url, '', '', 'text/html', 9, '', 1, packed).to_line()


def test_long_hosts():
    """Some 60 MB of hosts leave nothing behind."""
    found = places()
    tracemalloc.start()
    for number in range(200):
        url = f'http://{number:0300000}/'
        for _ in found.add(*line(url, number)):
            pass
    for _ in found.finish():
        pass
    left, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert left < 5_000_000


def test_best_example():
    """The shortest URL, then the first place of it, by number."""
    found = places()
    for url, offset in (('http://b/', 100), ('http://b/', 99), ('http://bb/', 1)):
        assert list(found.add(*line(url, offset))) == []
    told = dict(found.finish())
    [(label, (_, url, rid))] = unpack_examples(told[b'example/00000000'])
    assert (label, url, rid) == (0, 'http://b/', 'a:99')
