"""On the archives with which other readers are tested, no reader gets more pages.

`make test-peers` fetches the archives into the folder PEERS, and installs the readers.
"""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from damaged_reading import read
from readers import READERS, read_until_error

FOLDER = os.environ.get('PEERS')
ARCHIVES = sorted(
    path
    for path in Path(FOLDER or os.devnull).glob('*/*')
    if path.name != 'complete' and path.suffix not in {'.jar', '.test'}
)
# Pages of a reader that are refused on purpose, by archive and reader: the reason.
BROKEN_CHUNK = 'of a chunk that breaks off, they keep the line of its size as well'
REFUSED = {
    ('warcat/bad_http_chunked_content.warc', 'warcio'): BROKEN_CHUNK,
    ('warcat/bad_http_chunked_content.warc', 'jwarc'): BROKEN_CHUNK,
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason='make test-peers fetches the archives'),
]


def encode(url: str) -> str:
    """Percent-encode a URL as tables have it."""
    url = url[1:-1] if url.startswith('<') and url.endswith('>') else url
    raw = url.encode('utf-8', 'surrogateescape')
    return re.sub(rb'[^!-~]', lambda m: b'%%%02X' % m[0][0], raw).decode('ascii')


@pytest.mark.parametrize('reader', READERS)
@pytest.mark.parametrize('path', ARCHIVES, ids=lambda p: f'{p.parent.name}/{p.name}')
def test_no_reader_gets_more(path, reader):
    found, stats = read(path)
    print(stats.as_dict())
    ours = Counter((url, body) for _, url, body, _ in found)
    theirs = Counter((encode(u), b) for u, b in read_until_error(reader, path) if b)
    missing = theirs - ours
    is_refused = (f'{path.parent.name}/{path.name}', reader) in REFUSED
    assert bool(missing) == is_refused, [(url, body[:200]) for url, body in missing]


@pytest.mark.parametrize('reader', READERS)
def test_readers_read(reader):
    [(url, body)] = read_until_error(reader, Path(FOLDER, 'warcio', 'example.warc.gz'))
    assert url == 'http://example.com/'
    assert body.startswith(b'<!doctype html>')
