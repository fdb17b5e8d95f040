"""Records that the crawler truncated, as it says in WARC-Truncated."""

import gzip
import json

import pytest
from commands import run
from crawls import digest_of
from damaged_reading import make, read, shrink

CHUNKS = [b'<p>' + letter * 150 for letter in (b'a', b'b', b'c')]
BODY = b''.join(CHUNKS)
RUN = ['-r', 'inline', '--threshold=0', '-o']


def write(path, *blocks, reason='length'):
    """Write truncated records, and the page `c`, which is whole."""
    records = [make.warc('b', block, WARC_Truncated=reason) for block in blocks]
    records.append(make.warc('c', make.http(BODY)))
    zipped = path.suffix == '.gz'
    path.write_bytes(b''.join(map(gzip.compress, records) if zipped else records))
    return path


@pytest.mark.parametrize('name', ['a.warc', 'a.warc.gz'])
@pytest.mark.parametrize('small', [16 << 20, 8])
def test_cut_without_damage(tmp_path, monkeypatch, name, small):
    shrink(monkeypatch, small)
    packed = gzip.compress(BODY * 9)[:-30]
    blocks = [make.http(BODY), make.http(packed, 'Content-Encoding: gzip'), BODY]
    found, stats = read(write(tmp_path / name, *blocks))
    assert [cut for *_, cut in found] == [True, True, True, False]
    assert [body[:20] for *_, body, _ in found] == [BODY[:20]] * 4
    assert dict(stats.notes) == {'truncated by the crawler': 3}
    assert not stats.damage


def test_empty_reason_is_none(tmp_path):
    found, stats = read(write(tmp_path / 'a.warc', make.http(BODY), reason=' '))
    assert [cut for *_, cut in found] == [False, False] and not stats.notes


def test_discover(tmp_path):
    """Without its last chunk and its file hash; counted, and no damage."""
    path = write(tmp_path / 'a.warc.gz', make.http(BODY), make.http(BODY))
    done = run('discover', path, *RUN, tmp_path / 'run', '--captures=all')
    assert done.code == 0, done.err
    assert 'truncated by the crawler: 2 records\n' in done.out
    rows = (tmp_path / 'run/labels.tsv').read_text().splitlines()[1:]
    copies = {row.split('\t')[0]: row.split('\t')[2] for row in rows}
    expected = zip(map(digest_of, CHUNKS), '331', strict=True)
    assert copies == dict(expected)
    [file] = (tmp_path / 'run/file_labels.tsv').read_text().splitlines()[1:]
    assert file.split('\t')[:3] == [digest_of(BODY), '459', '1']
    record = json.loads((tmp_path / 'run/run.json').read_text())
    assert record['read']['notes'] == {'truncated by the crawler': 2}
    assert run('report', tmp_path / 'run').code == 0
    page = (tmp_path / 'run/report.html').read_text()
    assert 'Truncated by the crawler: 2 records.' in page
    rid = f'{path}:0'
    assert run('show', tmp_path / 'run', rid).out == BODY.decode()
