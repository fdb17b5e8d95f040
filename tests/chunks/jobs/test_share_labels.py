"""ShareLabels alone: matches in, what bad neighborhoods share with others out."""

import base64

import pytest
from lone_jobs import cut_columns, name_digest, run_job

from mr_reuse.chunks.jobs.share_labels import ShareLabels

OPTIONS = {'chunks': 3, 'level': 1}  # labels 0 to 2 are chunks, 3 is a file
UNKNOWN = 10**14


def match(host: str, date: str, *labels: int) -> bytes:
    """The match of a page on which each label is once."""
    numbers = b''.join(label.to_bytes(8, 'big') for label in labels)
    packed = base64.b64encode(numbers + b'\1\0\0\0' * len(labels)).decode()
    bad = sum(label < 3 for label in labels)
    return f'a:0\thttp://{host}/\t{date}\t{bad}\t9\t8,4:{packed}'.encode()


EARLY, LATE = '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'
MATCHES = [
    match('bad.org', LATE, 0, 1, 3),
    match('bad.org', EARLY, 1),
    match('a.org', EARLY, 0, 3),
    match('b.org', LATE, 0, 1),
    match('c.org', '', 1),
    match('alone.org', EARLY, 2),
    match('urn', EARLY, 0).replace(b'http://urn/', b'urn:x'),
]


@pytest.fixture
def bad(tmp_path):
    (tmp_path / 'bad').write_bytes(name_digest('bad.org/'))
    return tmp_path / 'bad'


def shared(other: str, *numbers: int) -> bytes:
    names = name_digest('bad.org/').hex(), name_digest(other).hex()
    return '\t'.join(names).encode() + b' ' + ' '.join(map(str, numbers)).encode()


def test_no_matches(bad):
    assert run_job(ShareLabels, [], bad=bad, **OPTIONS) == []
    assert run_job(ShareLabels, MATCHES[2:], bad=bad, **OPTIONS) == []


def test_shared(bad):
    """Labels, labels of the bad one, first dates in both, earlier labels in both,
    labels at the same time."""
    early, late = 20190101000000, 20200101000000
    assert sorted(run_job(ShareLabels, MATCHES, bad=bad, **OPTIONS)) == sorted(
        [
            shared('a.org/', 1, 2, late, early, 0, 1, 0),
            shared('b.org/', 2, 2, early, late, 1, 0, 1),
            shared('c.org/', 1, 2, early, UNKNOWN, 0, 0, 0),
        ]
    )


def test_common_label(bad):
    """Three have label 0, and three label 1: both are common if two is the most."""
    assert run_job(ShareLabels, MATCHES, bad=bad, common=2, **OPTIONS) == []
    assert len(run_job(ShareLabels, MATCHES, bad=bad, common=3, **OPTIONS)) == 3


@pytest.mark.parametrize(
    'line',
    [
        b'',
        MATCHES[0][:20],
        MATCHES[0].rpartition(b'\t')[0],
        MATCHES[0][:-1],
        MATCHES[0].rpartition(b':')[0] + b':',
        MATCHES[0].replace(b'8,4:', b''),
        cut_columns(MATCHES[0], 1),
        cut_columns(MATCHES[0], 12),
        cut_columns(MATCHES[0], 24),
    ],
    ids='empty URL labels base64 none widths byte row two'.split(),
)
def test_damaged_match(bad, line):
    with pytest.raises(ValueError):
        run_job(ShareLabels, [*MATCHES, line], bad=bad, **OPTIONS)


def test_damaged_list_of_bad_ones(bad):
    bad.write_bytes(bad.read_bytes()[:-1])
    with pytest.raises(ValueError, match='bad'):
        run_job(ShareLabels, MATCHES, bad=bad, **OPTIONS)
    bad.unlink()
    with pytest.raises(OSError, match='bad'):
        run_job(ShareLabels, MATCHES, bad=bad, **OPTIONS)
