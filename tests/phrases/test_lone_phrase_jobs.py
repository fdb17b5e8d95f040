"""The jobs of phrases alone, on lines written by hand as `vectors.py` defines them."""

import base64
import itertools
import json
import random
import struct

import numpy as np
import pytest
from lone_jobs import run_job

from mr_reuse.pages.documents.numbering import name_batch, number_batches
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.jobs.count_popular import CountPopular
from mr_reuse.phrases.jobs.find_near_duplicates import FindNearDuplicates
from mr_reuse.phrases.jobs.find_sources import FindSources
from mr_reuse.phrases.jobs.pick_documents import PickDocuments
from mr_reuse.phrases.jobs.pick_vectors import PickVectors
from mr_reuse.phrases.jobs.read_phrases import ReadPhrases
from mr_reuse.phrases.jobs.sum_hosts import SumHosts
from mr_reuse.phrases.jobs.sum_popular import SumPopular
from mr_reuse.phrases.jobs.verify_pairs import VerifyPairs
from mr_reuse.phrases.vectors import Vectors

FIRST = 'a.warc:0'
BATCH = name_batch(FIRST)
JOBS = (
    *(FindNearDuplicates, CountPopular, SumPopular, SumHosts, PickVectors),
    *(FindSources, PickDocuments, ReadPhrases, VerifyPairs),
)
ONE, OTHER, THIRD = (list(range(n, n + 84)) for n in (1000, 2000, 3000))


@pytest.fixture
def numbers(tmp_path):
    """The file of a numbering with one batch of ten documents."""
    file = tmp_path / 'numbers'
    with file.open('wb') as stream:
        number_batches([{'batches': [[FIRST, FIRST, 10]]}], stream)
    return file


def vector_line(*vectors: list[int], server: tuple[int, int] = (1, 0)) -> bytes:
    rows = b''.join(struct.pack('<86Q', *vector, *server) for vector in vectors)
    head = f'{BATCH}.0*{len(vectors)}'.encode()
    return b'vector/0000\t' + head + b';' + base64.b64encode(rows)


def columns_of(value: bytes) -> list[list[int]]:
    head, text = value.rstrip(b'\t').split(b':')
    data, columns = base64.b64decode(text), []
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        cells, data = data[: length * width], data[length * width :]
        columns.append(
            [
                int.from_bytes(cells[n * width : (n + 1) * width], 'little')
                for n in range(length)
            ]
        )
    return columns


def find(lines: list[bytes], unit: str) -> list[tuple[int, ...]]:
    """The rows of the columns of a unit."""
    values = (line.split(b'\t')[1] for line in lines if line.startswith(unit.encode()))
    rows = (zip(*columns_of(value), strict=True) for value in values)
    return sorted(itertools.chain.from_iterable(rows))


def mix_runs(*sources: list[int]) -> list[int]:
    """A vector whose runs come from vectors, one for each of the six."""
    return [sources[at // 14][at] for at in range(84)]


@pytest.mark.parametrize('job', JOBS)
def test_no_lines(job, numbers, tmp_path):
    covered = tmp_path / 'covered'
    covered.write_bytes(b'')
    options = {'covered': covered} if job is FindSources else {}
    if job not in (SumHosts, PickDocuments, ReadPhrases):
        options |= {'numbers': numbers, 'total': 10}
    lines = run_job(job, [], **options)
    assert all(line.startswith(b'@') for line in lines)


@pytest.mark.parametrize('job', (FindNearDuplicates, CountPopular))
@pytest.mark.parametrize(
    'damage', (lambda line: line[:-400], lambda line: line.replace(b'*1', b'*2'))
)
def test_damaged_vectors(job, damage, numbers):
    with pytest.raises(ValueError, match='damaged|Incorrect padding|not a multiple'):
        run_job(job, [damage(vector_line(ONE))], numbers=numbers, total=10)


@pytest.mark.parametrize('equal', range(7))
def test_near_duplicates_agree_in_two_runs(equal, numbers):
    for runs in itertools.combinations(range(6), equal):
        other = mix_runs(*(ONE if run in runs else OTHER for run in range(6)))
        lines = run_job(
            FindNearDuplicates, [vector_line(ONE, other)], numbers=numbers, total=10
        )
        assert find(lines, 'edge') == ([(1, 0)] if equal >= 2 else [])
        assert json.loads(lines[-1].split(b'\t')[1])['edges']['edges'] == (equal >= 2)


def test_a_run_at_another_place_does_not_agree(numbers):
    moved = ONE[14:] + ONE[:14]
    lines = [vector_line(ONE, moved)]
    assert not find(run_job(FindNearDuplicates, lines, numbers=numbers), 'edge')


def test_documents_left_out_have_no_edges(numbers, tmp_path):
    left_out = tmp_path / 'left-out'
    left_out.write_bytes(np.array([1], np.uint64).tobytes())
    lines = run_job(
        FindNearDuplicates,
        [vector_line(ONE, ONE, ONE)],
        numbers=numbers,
        left_out=left_out,
    )
    assert find(lines, 'edge') == [(2, 0)]


def test_popular_shingles(numbers):
    """Three documents share a phrase at position 5, two of them another one at 7."""
    vectors = [ONE.copy(), OTHER.copy(), THIRD.copy()]
    for vector in vectors:
        vector[5] = 77
    for vector in vectors[1:]:
        vector[7] = 88
    # The same phrase at another position is another shingle.
    vectors[0][8] = 88
    lines = run_job(
        CountPopular, [vector_line(*vectors)], numbers=numbers, popular=2, top=1
    )
    assert find(lines, 'popular') == [(0, 5), (1, 5), (1, 7), (2, 5), (2, 7)]
    assert find(lines, 'phrase') == [(77, 3, 1, 0)]
    stats = json.loads(lines[-1].split(b'\t')[1])
    assert stats['frequency'] == {'2': 1, '3': 1}
    assert stats['popular']['popular_shingles'] == 2
    assert stats['popular']['popular_phrases'] == 2


def naive_cover(popular: list[int], page, others) -> list[tuple[int, int, int, int]]:
    """The greedy cover as the contract says it; others are (number, vector, server)."""
    name, address = page[1]
    left, cover = set(popular), []
    while left:
        best = None
        for number, vector, (domain, ip) in others:
            gain = sum(vector[i] == page[0][i] for i in left)
            common = sum(map(int.__eq__, vector, page[0]))
            is_home = bool(name and domain) and (
                domain == name or bool(ip and ip == address)
            )
            rank = (not is_home, gain, common, -number)
            if gain and (best is None or rank > best[0]):
                best = rank, number, vector, (domain, ip)
        if best is None:
            break
        rank, number, vector, (domain, ip) = best
        known = name and domain
        foreign = not known or (ip != address if ip and address else domain != name)
        shared = sum(vector[i] == page[0][i] for i in popular)
        cover.append((number, rank[1], shared, int(foreign)))
        left -= {i for i in left if vector[i] == page[0][i]}
    return cover


@pytest.mark.parametrize('is_pure', (False, True))
@pytest.mark.parametrize('seed', range(4))
def test_covers_are_those_of_a_naive_search(
    seed, is_pure, numbers, tmp_path, monkeypatch
):
    if is_pure:
        monkeypatch.setenv('MR_REUSE_PURE', '1')
    dice = random.Random(seed)
    vectors = [[dice.randint(1, 4) for _ in range(84)] for _ in range(10)]
    servers = [(dice.randint(0, 2), dice.randint(0, 2)) for _ in vectors]
    popular = sorted(dice.sample(range(84), 40))
    rows = np.array([vectors[3]], np.uint64)
    is_popular = np.isin(np.arange(84), popular).reshape(1, 84)
    one = Vectors(np.array([3]), rows, np.array([servers[3]]))
    covered = tmp_path / 'covered'
    with covered.open('wb') as stream:
        Covered(one, is_popular).write(stream)
    head = f'{BATCH}.0*10'.encode()
    data = b''.join(
        struct.pack('<86Q', *vector, *server)
        for vector, server in zip(vectors, servers, strict=True)
    )
    line = b'vector/0000\t' + head + b';' + base64.b64encode(data)
    lines = run_job(FindSources, [line], numbers=numbers, covered=covered, total=10)
    [text] = [base64.b64decode(v.split(b'\t')[1]) for v in lines if v[:5] == b'cover']
    number, count, sources = text.decode().split('\t')
    assert (int(number), int(count)) == (3, 40)
    others = [(n, vectors[n], servers[n]) for n in range(10) if n != 3]
    expected = naive_cover(popular, (vectors[3], servers[3]), others)
    assert [tuple(map(int, s.split(':'))) for s in sources.split()] == expected
