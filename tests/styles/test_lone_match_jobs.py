"""The jobs of `styles match` alone, on lines and on a style file written by hand."""

import base64
import hashlib
import json

import msf
import numpy as np
import pytest
from commands import run
from lone_jobs import run_job

from mr_reuse.pages.documents.numbering import name_batch, number_batches
from mr_reuse.styles.jobs.match_known import MatchKnown
from mr_reuse.styles.jobs.name_matches import NameMatches

FIRST = 'a.warc:0'
BATCH = name_batch(FIRST)
EMPTY = 0xFFFF
M = 4
KNOWN = [(3, [1, 2, 3, 4]), (5, [1, 2, 9, 9]), (5, [7, 7, 3, EMPTY])]
NAMES = [('k.warc:0', 'http://k.org/'), ('k.warc:7', ''), ('l.warc:0', 'urn:x')]


@pytest.fixture
def files(tmp_path):
    """A style file, its buckets in one probed dimension, and ten numbered documents."""
    line = ['--m=4', '--p=1']
    text = run('styles', 'parameters', *line).out
    [probed] = [line for line in text.splitlines() if line.startswith('probed')]
    names = [f'{rid}\t{url}'.encode() for rid, url in NAMES]
    ends = np.cumsum(list(map(len, names)))
    members = [
        np.array(keys, '<u2').tobytes() + np.array([style, end], '<u8').tobytes()
        for (style, keys), end in zip(KNOWN, ends, strict=True)
    ]
    header = {
        'n': 32, 'm': M, 'preprocessor': 'noise', 'key_bits': 16, 't': 2, 'p': 1,
        'normalize_empty': False, 'styles': 5, 'members': 3, 'ignored': 0,
        'names': sum(map(len, names)),
        'parameters': hashlib.sha256(text.encode()).hexdigest(),
    }  # fmt: skip
    known = tmp_path / 'known'
    known.write_bytes(msf.join(header, b''.join([*members, *names])))
    numbers = tmp_path / 'numbers'
    with numbers.open('wb') as stream:
        number_batches([{'batches': [[FIRST, FIRST, 10]]}], stream)
    # All three of the file in one bucket, of which one was left out.
    buckets = tmp_path / 'buckets'
    dimension = int(probed.split()[1])
    keys = sorted({row[dimension] for _, row in KNOWN} - {EMPTY})
    rows = [
        [n for n, (_, row) in enumerate(KNOWN) if row[dimension] == k] for k in keys
    ]
    columns = [
        *np.cumsum(list(map(len, rows))).tolist(),
        *(len(some) + 1 for some in rows),
        *(row for some in rows for row in some),
    ]
    data = np.array([len(keys), sum(map(len, rows))], '<u8').tobytes()
    data += np.array(columns, '<u4').tobytes() + np.array(keys, '<u2').tobytes()
    buckets.write_bytes(data + bytes(-len(data) % 8))
    return {'known': known, 'numbers': numbers, 'total': 10}, buckets, dimension


def document_lines(count: int) -> list[bytes]:
    return [
        f'a.warc:{n}\thttp://a.org/{n}\t\t\t\t0\t0\t{BATCH}:{n}'.encode()
        for n in range(count)
    ]


def print_line(rows: list[list[int]]) -> bytes:
    data = b''.join(np.array(row, '<u2').tobytes() + bytes(16) for row in rows)
    head = f'{BATCH}.0*{len(rows)}'.encode()
    return b'print/0000\t' + head + b';' + base64.b64encode(data)


def test_the_nearest_in_a_bucket(files):
    options, buckets, dimension = files
    rows = [[1, 2, 3, 9], [1, 2, 9, 9], [8, 8, 8, 8], [1, EMPTY, EMPTY, EMPTY]]
    lines = run_job(MatchKnown, [print_line(rows)], **options, buckets=buckets, m=M)
    expected, made, left_out = {}, 0, 0
    for number, row in enumerate(rows):
        near = []
        bucket = [k for k, (_, other) in enumerate(KNOWN)
                  if other[dimension] == row[dimension] != EMPTY]  # fmt: skip
        made, left_out = made + len(bucket), left_out + bool(bucket)
        for k in bucket:
            pairs = zip(KNOWN[k][1], row, strict=True)
            near.append((-sum(a == b != EMPTY for a, b in pairs), k))
        if near and min(near)[0] <= -2:
            expected[number] = min(near)[1], -min(near)[0]
    assert expected
    [line] = [line for line in lines if line.startswith(b'match')]
    head, text = line.split(b'\t')[1].split(b':')
    columns, data = [], base64.b64decode(text)
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        columns.append(np.frombuffer(data[: length * width], f'<u{width}').tolist())
        data = data[length * width :]
    found = {n: (row, count) for n, row, count, _ in zip(*columns, strict=True)}
    assert found == expected
    stats = json.loads(lines[-1].split(b'\t')[1])
    assert stats == {
        'matches': {
            'documents': 4,
            'found': len(expected),
            'comparisons': made,
            'left_out': left_out,
        }
    }


def test_names(files, tmp_path):
    options, *_ = files
    matches = tmp_path / 'matches'
    # Document 1 agrees with member 2 in two dimensions, 3 with member 0 in all.
    rows = {1: (2, 2), 3: (0, 4)}
    matches.write_bytes(
        b''.join(
            row.to_bytes(4, 'little') + bytes([count, 0, 0, 0])
            for row, count in (rows.get(n, (0, 0)) for n in range(10))
        )
    )
    lines = run_job(NameMatches, document_lines(5), **options, matches=matches)
    texts = [
        text.partition('\0')[2]
        for line in lines
        if line.startswith(b'pair')
        for text in base64.b64decode(line.split(b'\t')[1]).decode().split('\n')
    ]
    assert texts == [
        'a.warc:1\thttp://a.org/1\t5\t0.500000000\tl.warc:0\turn:x',
        'a.warc:3\thttp://a.org/3\t3\t1.000000000\tk.warc:0\thttp://k.org/',
    ]


@pytest.mark.parametrize('job', (MatchKnown, NameMatches))
def test_no_documents(job, files):
    options, buckets, _ = files
    more = {'buckets': buckets, 'm': M} if job is MatchKnown else {}
    assert all(line.startswith(b'@') for line in run_job(job, [], **options, **more))


@pytest.mark.parametrize(
    'damage', (lambda line: line[:-4], lambda line: line.replace(b'*1', b'*2'))
)
def test_damaged_fingerprints(files, damage):
    options, buckets, _ = files
    line = damage(print_line([[1, 2, 3, 4]]))
    with pytest.raises(ValueError, match='damaged|Incorrect padding|not a multiple'):
        run_job(MatchKnown, [line], **options, buckets=buckets, m=M)
