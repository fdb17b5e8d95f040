"""Partitions: how many there are, what is in which, and that no table depends on it."""

import collections
import hashlib
import zlib

import numpy as np
import pytest
from commands import run
from crawls import write_warc

from mr_reuse.shuffle import packing, partitions

DEFAULT = partitions.MIN_BITS
SITES = 9
PARAGRAPHS = [f'<p>Paragraph {n}: ' + 'what many have copied. ' * 6 for n in range(40)]


@pytest.mark.parametrize(
    ('rows', 'least', 'count'),
    [
        (0, 6, 64),
        (10**7, 6, 64),
        (31_999_999, 6, 64),
        (32_000_000, 6, 128),
        (10**9, 6, 2048),
        (10**15, 6, 65_536),
        (0, 2, 4),
        (2_000_000, 2, 8),
    ],
)
def test_partitions_follow_rows(rows, least, count):
    """There are 125,000 to 250,000 rows in each, between the bounds."""
    assert 1 << partitions.bits_for(rows, least) == count


def test_keys():
    for number in (0, 10, 65_535):
        key = partitions.partition_key('held', number)
        assert key == b'held/%04x' % number
        assert (partitions.unit_of(key), partitions.part_of(key)) == ('held', number)


@pytest.mark.parametrize('bits', [0, 1, 3, 8, 10, 16])
def test_digests_one_by_one_and_in_columns(bits):
    """What goes line by line meets what goes in columns: by the first bits."""
    digests = [hashlib.sha1(b'%d' % n).digest() for n in range(300)]
    expected = collections.defaultdict(set)
    for digest in digests:
        first = ''.join(f'{byte:08b}' for byte in digest)[:bits]
        expected[int(first or '0', 2)].add(digest)
        assert partitions.part_of_digest(digest, bits) == int(first or '0', 2)
    rows = packing.merge(packing.make_rows(b''.join(digests), 20), [])
    found = {
        part: {key.tobytes() for key in some.keys}
        for part, some in packing.partition(rows, bits)
    }
    assert found == expected


def test_names():
    names = [f'site-{n}.org/'.encode() for n in range(2000)]
    assert {partitions.part_of_name(name, 0) for name in names} == {0}
    for name in names[:20]:
        assert partitions.part_of_name(name, 32) == zlib.crc32(name)
    counts = collections.Counter(partitions.part_of_name(name, 3) for name in names)
    assert set(counts) == set(range(8)) and min(counts.values()) > 200
    odd = 'caf\udce9/'
    expected = hashlib.blake2b(b'caf\xe9/', digest_size=16).digest()
    assert (
        partitions.name_digest(odd) == partitions.name_digest(b'caf\xe9/') == expected
    )


def test_packed_lines():
    keys = np.arange(40_000 * 8, dtype=np.uint32).view(np.uint8).reshape(-1, 32)
    rows = packing.Rows(keys, ())
    lines = list(partitions.pack_lines('x', [(0, rows.take([1])), (9, rows)]))
    assert [key for key, _ in lines] == [b'x/0000'] + [b'x/0009'] * (len(lines) - 1)
    assert max(len(value) for _, value in lines) < 1 << 20
    again = [packing.unpack(value).keys for _, value in lines]
    assert np.concatenate(again).tobytes() == keys[1].tobytes() + keys.tobytes()


# A whole chain


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Sites that copy from each other, and link to each other in a ring."""
    documents = []
    for site in range(SITES):
        for page in range(8):
            text = ''.join(PARAGRAPHS[(3 * site + page) % 40 :][:6])
            link = f'<a href="http://site{(site + 1) % SITES}.com/{page}">x</a>'
            own = f'<p>Own words of {site}, {page}: ' + f'{site * 97 + page} ' * 40
            body = f'<html>{text}{own if page % 2 else ""}<div>{link}</div>'
            documents.append((f'http://site{site}.com/{page}/', body.encode()))
    name = tmp_path_factory.mktemp('crawl') / 'a.warc.gz'
    write_warc(name, documents)
    return name


def done(*line) -> str:
    """What a command says on standard error."""
    ended = run(*line, '-r', 'inline')
    assert ended.code == 0, ended.err
    return ended.err


def chain(name, out) -> list[str]:
    return [
        done('discover', name, '-o', out, '--threshold=2', '--min-len=20'),
        done('detect', '-o', out, '--neighborhood-threshold=0.5', '--min-chunks=2'),
        done('links', out),
    ]


def tables(out) -> dict[str, bytes]:
    paths = [*out.glob('*.tsv'), *out.glob('labels.mrl')]
    return {path.name: path.read_bytes() for path in paths}


def units(out, step: str) -> set[bytes]:
    """The keys in the output of a step."""
    lines = [line for p in out.glob(f'{step}/*/part-*') for line in p.open('rb')]
    return {line.partition(b'\t')[0] for line in lines}


@pytest.fixture(scope='module')
def usual(crawl, tmp_path_factory):
    out = tmp_path_factory.mktemp('usual') / 'run'
    chain(crawl, out)
    found = tables(out)
    for name in ('labels', 'neighborhoods', 'bad_neighborhoods', 'origins', 'links'):
        assert found[f'{name}.tsv'].count(b'\n') > SITES // 2
    return out, found


@pytest.mark.parametrize('bits', [0, pytest.param(3, marks=pytest.mark.slow), 10])
def test_any_number_of_partitions(crawl, usual, tmp_path, monkeypatch, bits):
    monkeypatch.setattr(partitions, 'bits_for', lambda rows, least=DEFAULT: bits)
    chain(crawl, tmp_path / 'run')
    assert tables(tmp_path / 'run') == usual[1]
    hosts = {key for key in units(tmp_path / 'run', '03-places') if b'hosts' in key}
    assert (len(hosts) == 1) == (bits == 0) and len(hosts) <= 1 << bits
    assert (len(hosts) > 64) == (bits == 10)
    for join in ('reduce', 'bloom'):
        out = tmp_path / join
        options = ['--neighborhood-threshold=0.5', '--min-chunks=2', f'--join={join}']
        done('detect', tmp_path / 'run', '-o', out, *options)
        for name in ('pages', 'neighborhoods', 'bad_neighborhoods', 'origins'):
            assert tables(out)[f'{name}.tsv'] == usual[1][f'{name}.tsv']


def test_finished_steps_stay_finished(crawl, usual, monkeypatch):
    """A step whose number of partitions would now be another is not done again.

    But for 02-counts, whose digest has it; there the number of chunks decides alone.
    """
    real = partitions.bits_for
    monkeypatch.setattr(
        partitions, 'bits_for', lambda n, least=DEFAULT: 9 if least == 6 else real(n, 2)
    )
    said = ''.join(chain(crawl, usual[0]))
    steps = ['01-pages', '02-counts', '03-labels', '03-places', '03-previews']
    steps += ['04-matches', '05-neighborhoods', '06-origins', '07-links']
    assert [step for step in steps if f'{step}: finished before' not in said] == []
    assert tables(usual[0]) == usual[1]
