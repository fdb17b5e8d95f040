"""The jobs of styles alone, on lines written by hand, as `fingerprints.py` says."""

import base64
import hashlib
import itertools
import json
import random

import numpy as np
import pytest
from lone_jobs import run_job

from mr_reuse.pages.documents.numbering import name_batch, number_batches
from mr_reuse.styles.jobs.compare_with_one import CompareWithOne
from mr_reuse.styles.jobs.describe_styles import DescribeStyles
from mr_reuse.styles.jobs.find_alike import FindAlike
from mr_reuse.styles.jobs.find_common_values import FindCommonValues
from mr_reuse.styles.jobs.read_features import ReadFeatures
from mr_reuse.styles.jobs.read_fingerprints import ReadFingerprints
from mr_reuse.styles.jobs.sort_style_tables import SortStyleTables

WITHOUT_NUMBERS = SortStyleTables, ReadFeatures
FIRST = 'a.warc:0'
BATCH = name_batch(FIRST)
M = 4
EMPTY = 0xFFFF
ROWS = [[1, 2, 3, 4], [1, 2, 9, 9], [7, 7, 3, 4], [5, 5, 5, EMPTY], [5, 6, 5, EMPTY]]


@pytest.fixture
def numbers(tmp_path):
    """The file of a numbering with one batch of ten documents."""
    file = tmp_path / 'numbers'
    with file.open('wb') as stream:
        number_batches([{'batches': [[FIRST, FIRST, 10]]}], stream)
    return file


def pack_row(keys: list[int], host: int = 1, domain: int = 1) -> bytes:
    return np.array(keys, '<u2').tobytes() + np.array([host, domain], '<u8').tobytes()


def print_line(rows: list[list[int]], domains: list[int] | None = None) -> bytes:
    domains = domains or [1] * len(rows)
    data = b''.join(pack_row(*row) for row in zip(rows, domains, domains, strict=True))
    head = f'{BATCH}.0*{len(rows)}'.encode()
    return b'print/0000\t' + head + b';' + base64.b64encode(data)


def document_lines(count: int) -> list[bytes]:
    return [
        f'a.warc:{n}\thttp://a.org/{n}\t\t\t\t0\t0\t{BATCH}:{n}'.encode()
        for n in range(count)
    ]


def write_prints(folder, rows: list[list[int]]):
    file = folder / 'prints'
    file.write_bytes(b''.join(map(pack_row, rows)))
    return file


def columns_of(value: bytes) -> list[list[int]]:
    head, text = value.rstrip(b'\t').split(b':')
    data, columns = base64.b64decode(text), []
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        cells, data = data[: length * width], data[length * width :]
        columns.append(np.frombuffer(cells, f'<u{width}').tolist())
    return columns


def edges_in(lines: list[bytes]) -> set[tuple[int, int]]:
    values = (line.split(b'\t')[1] for line in lines if line.startswith(b'edge'))
    pairs = itertools.chain.from_iterable(
        zip(*columns_of(v), strict=True) for v in values
    )
    return {tuple(sorted(pair)) for pair in pairs}


def texts_in(lines: list[bytes], unit: bytes) -> list[list[str]]:
    values = (line.split(b'\t')[1] for line in lines if line.startswith(unit))
    texts = (base64.b64decode(v).decode().split('\n') for v in values)
    return [text.split('\t') for text in itertools.chain.from_iterable(texts)]


@pytest.mark.parametrize(
    'job',
    (FindCommonValues, FindAlike, DescribeStyles, CompareWithOne, *WITHOUT_NUMBERS),
)
def test_no_lines(job, numbers):
    options = {} if job in WITHOUT_NUMBERS else {'numbers': numbers, 'total': 10}
    lines = run_job(job, [], **options)
    assert all(line.startswith(b'@') for line in lines)


def test_no_archives():
    [line] = run_job(ReadFingerprints, [b'[]'])
    assert json.loads(line.split(b'\t')[1]) == {'accounts': [], 'batches': []}


@pytest.mark.parametrize('job', (FindCommonValues, FindAlike, CompareWithOne))
@pytest.mark.parametrize(
    'damage', (lambda line: line[:-4], lambda line: line.replace(b'*1', b'*2'))
)
def test_damaged_fingerprints(job, damage, numbers):
    line = damage(print_line([ROWS[0]]))
    with pytest.raises(ValueError, match='damaged|Incorrect padding|not a multiple'):
        run_job(job, [line], numbers=numbers, total=10, m=M)


def test_a_file_of_fingerprints_that_is_cut(numbers, tmp_path):
    prints = write_prints(tmp_path, ROWS)
    prints.write_bytes(prints.read_bytes()[:-1])
    with pytest.raises(ValueError, match='cut'):
        run_job(FindAlike, [print_line(ROWS)], numbers=numbers, prints=prints, m=M)


@pytest.mark.parametrize(
    ('t', 'p', 'expected'),
    [
        (2, 4, {(0, 1), (0, 2), (3, 4)}),
        (3, 4, set()),
        (1, 4, {(0, 1), (0, 2), (3, 4)}),
    ],
)
def test_pairs(numbers, tmp_path, t, p, expected):
    options = {'t': t, 'p': p, 'm': M, 'total': 10}
    prints = write_prints(tmp_path, ROWS)
    lines = [print_line(ROWS)]
    found = run_job(FindAlike, lines, numbers=numbers, prints=prints, **options)
    assert edges_in(found) == expected
    stats = json.loads(found[-1].split(b'\t')[1])
    assert stats['edges']['edges'] == len(expected)
    assert stats['alike']['left_out'] == 0


def test_empty_in_both_does_not_count(numbers, tmp_path):
    """Five of six dimensions agree, of eight; 5/6 is at least 6/8, and 5/8 is not."""
    one = [1, 2, 3, 4, 5, 6, EMPTY, EMPTY]
    rows = [one, [*one[:5], 9, EMPTY, EMPTY]]
    prints = write_prints(tmp_path, rows)
    options = {'t': 6, 'p': 8, 'm': 8, 'total': 10, 'prints': prints}
    for normalizes in (0, 1):
        options['normalize-empty'] = normalizes
        found = run_job(FindAlike, [print_line(rows)], numbers=numbers, **options)
        assert edges_in(found) == ({(0, 1)} if normalizes else set())


def test_documents_passed_over_have_no_edges(numbers, tmp_path):
    skipped = tmp_path / 'skipped'
    skipped.write_bytes(np.array([0], np.uint64).tobytes())
    options = {'t': 2, 'p': 4, 'm': M, 'prints': write_prints(tmp_path, ROWS)}
    lines = [print_line(ROWS)]
    found = run_job(FindAlike, lines, numbers=numbers, skipped=skipped, **options)
    assert edges_in(found) == {(3, 4)}


@pytest.mark.parametrize('least', range(1, 5))
def test_values_on_many_domains(numbers, least):
    rows = [[1, 2, 3, EMPTY], [1, 2, 4, EMPTY], [1, 3, 4, EMPTY], [1, 2, 3, EMPTY]]
    # The last two have no host, so each is a domain of its own.
    domains = [7, 7, 0, 0]
    named = [7, 7, 'third', 'fourth']
    lines = run_job(
        FindCommonValues,
        [print_line(rows, domains)],
        numbers=numbers,
        least=least,
        m=M,
    )
    found = set()
    for line in lines:
        if line.startswith(b'common'):
            head, data = line.split(b'\t')[1].split(b':')
            words = np.frombuffer(base64.b64decode(data), '>u8').reshape(-1, 3)
            assert head == b'24'
            found |= {(int(dimension), int(key)) for _, dimension, key in words}
    on = {}
    for row, domain in zip(rows, named, strict=True):
        for pair in enumerate(row):
            on.setdefault(pair, set()).add(domain)
    assert found == {
        pair for pair, where in on.items() if len(where) >= least and pair[1] != EMPTY
    }


def test_a_style(numbers, tmp_path):
    """Documents 0, 1 and 2 are a cluster; 0 agrees with each of the others in two."""
    components = tmp_path / 'components'
    components.write_bytes(np.array([[1, 2], [0, 0]], np.uint64).tobytes())
    prints = tmp_path / 'prints'
    domains = [(1, 1), (2, 1), (0, 0)]
    data = [pack_row(row, *d) for row, d in zip(ROWS[:3], domains, strict=True)]
    prints.write_bytes(b''.join(data))
    lines = run_job(
        DescribeStyles,
        document_lines(5),
        numbers=numbers,
        components=components,
        prints=prints,
        m=M,
        total=10,
    )
    # Of the three pairs, two agree in 2 of 4 dimensions, and one in none.
    assert texts_in(lines, b'style') == [
        ['0', '3', '3', '2', '1/3', '0', 'a.warc:0', 'http://a.org/0']
    ]
    assert [row[:3] for row in texts_in(lines, b'member')] == [
        ['0', '1.000000000', '0'],
        ['0', '0.500000000', '1'],
        ['0', '0.500000000', '2'],
    ]
    stats = json.loads(lines[-1].split(b'\t')[1])['styles']
    assert stats == {'styles': 1, 'members': 3, 'largest': 3}
    # All of its pages describe it, the prototype first. No document has dimensions.
    sampled = texts_in(lines, b'sampled')
    assert sampled[0] == ['0', 'a.warc:0', 'http://a.org/0'] and len(sampled) == 3
    assert {row[1] for row in sampled} == {f'a.warc:{n}' for n in range(3)}
    assert texts_in(lines, b'other') == []


def test_documents_drawn_of_all(numbers, tmp_path):
    """Those with a fingerprint, by rank, each with its cluster or -1."""
    components = tmp_path / 'components'
    components.write_bytes(np.array([[1], [0]], np.uint64).tobytes())
    lines = [line.replace(b'\t0\t0\t', b'\t0\t9\t') for line in document_lines(4)]
    found = run_job(
        DescribeStyles,
        [*lines[:3], document_lines(4)[3]],
        numbers=numbers,
        components=components,
        prints=write_prints(tmp_path, ROWS),
        m=M,
        total=10,
    )
    ranks = {hashlib.sha1(f'a.warc:{n}'.encode()).hexdigest(): n for n in range(3)}
    assert texts_in(found, b'other') == [
        [rank, '-1' if n == 2 else '0', f'a.warc:{n}', f'http://a.org/{n}']
        for rank, n in sorted(ranks.items())
    ]


@pytest.mark.parametrize('texts_in_memory', (1 << 20, 1))
def test_many_names_are_in_a_file(numbers, tmp_path, monkeypatch, texts_in_memory):
    monkeypatch.setattr('mr_reuse.styles.describing.MAX_TEXTS', texts_in_memory)
    dice = random.Random(3)
    rows = [dice.choices([1, 2, EMPTY], k=M) for _ in range(10)]
    components = tmp_path / 'components'
    pairs = [range(1, 10), [0] * 9]
    components.write_bytes(np.array(pairs, np.uint64).tobytes())
    lines = run_job(
        DescribeStyles,
        document_lines(10),
        numbers=numbers,
        components=components,
        prints=write_prints(tmp_path, rows),
        m=M,
        total=10,
        parts=1,
    )
    members = texts_in(lines, b'member')
    assert [row[3] for row in members] == [f'a.warc:{n}' for n in range(10)]
