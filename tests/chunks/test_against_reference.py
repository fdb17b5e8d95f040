"""The tables of `discover`, byte for byte, against the brute-force reference."""

import random
from dataclasses import replace

import pytest
from crawls import (
    arguments,
    crawls,
    discover,
    discover_apart,
    hashes,
    sample_crawl,
    write_crawl,
    write_warc,
)
from hypothesis import given
from hypothesis import strategies as st
from reference import Options, Page, chunks_of, digest, kept, tables

from examples import few

LONG = b'<p>' + b'copied without end, ' * 6


def stop_hashes(pages: list[Page], options: Options, seed: int) -> frozenset:
    """About a third of the chunks, but none that is a whole page."""
    chunks = {chunk for page in pages for chunk in chunks_of(page.body, options)}
    parts = sorted(chunks - {page.body for page in pages})
    dice = random.Random(seed)
    return frozenset(
        digest(part, options.hash) for part in parts if dice.randrange(3) == 0
    )


# Random crawls


@few(5)
@given(
    crawls(),
    st.builds(Options, st.integers(0, 5), st.sampled_from([0, 100])),
    st.one_of(st.none(), st.integers()),
    st.sampled_from([1, 2, 7]),
)
def test_random_crawls(tmp_path_factory, crawl, options, stop, tasks):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', crawl)
    if stop is not None:
        options = replace(options, stop=stop_hashes(pages, options, stop))
    line = [*names, *arguments(options, folder), f'--tasks={tasks}']
    assert discover(*line, out=folder / 'run') == tables(pages, options)


@few(2)
@given(crawls(), st.integers(0, 3), st.integers(1, 3))
def test_higher_threshold(tmp_path_factory, crawl, low, more):
    folder = tmp_path_factory.mktemp('thresholds')
    names, _ = write_crawl(folder / 'in', crawl)
    found = [
        discover(*names, f'--threshold={n}', '--min-len=0', out=folder / str(n))
        for n in (low, low + more)
    ]
    for name in ['labels.tsv', 'file_labels.tsv']:
        assert set(hashes(found[1][name])) <= set(hashes(found[0][name]))
    assert found[0]['frequency.tsv'] == found[1]['frequency.tsv']


@few(2)
@given(crawls(), st.randoms(use_true_random=False))
def test_any_order(tmp_path_factory, crawl, dice):
    folder = tmp_path_factory.mktemp('orders')
    names, _ = write_crawl(folder / 'in', crawl)
    shuffled, _ = write_crawl(folder / 'shuffled', dice.sample(crawl, len(crawl)))
    # With equal dates, the order decides which capture of a URL is the first.
    options = ['--threshold=1', '--min-len=0', '--captures=all']
    first = discover(*names, *options, out=folder / 'first')
    assert discover(*names[::-1], *options, out=folder / 'back') == first
    assert discover(*shuffled, *options, out=folder / 'second') == first


@few(2)
@given(crawls(), crawls(largest=9), st.integers(0, 3))
def test_added_later(tmp_path_factory, old, new, threshold):
    folder = tmp_path_factory.mktemp('added')
    options = [f'--threshold={threshold}', '--min-len=0']
    old_names, _ = write_crawl(folder / 'old', old)
    new_names, _ = write_crawl(folder / 'new', new)
    discover(*old_names, *options, out=folder / 'run')
    added = ['--add', folder / 'run', *new_names, *options]
    both = discover(*old_names, *new_names, *options, out=folder / 'both')
    assert discover(*added, out=folder / 'sum') == both


@few(2)
@given(crawls())
def test_lossless(tmp_path_factory, crawl):
    folder = tmp_path_factory.mktemp('lossless')
    names, pages = write_crawl(folder / 'in', crawl)
    found = discover(*names, '--threshold=3', out=folder / 'run')
    searched = kept(pages, Options())
    cut = sum(len(chunks_of(page.body, Options())) for page in searched)
    counted = {'chunk': 0, 'file': 0}
    for line in found['frequency.tsv'].decode().splitlines()[1:]:
        unit, copies, objects = line.split('\t')
        counted[unit] += int(copies) * int(objects)
    assert counted == {'chunk': cut, 'file': len(searched)}


# One rich crawl under every option


@pytest.mark.parametrize(
    'options',
    [
        Options(0, 0),
        Options(1),
        Options(2, 0),
        Options(1, 3),
        Options(0, 0, preset='ccr2019'),
        Options(1, 0, hash='sha256'),
        Options(0, 0, normalize='collapse'),
        Options(0, 0, normalize='auntietuna'),
        Options(0, 0, recursion='both'),
        Options(0, 0, recursion='none'),
    ],
    ids=lambda options: ' '.join(arguments(options)),
)
def test_every_option(tmp_path, options):
    names, pages = write_crawl(tmp_path / 'in', sample_crawl(60))
    line = [*names, *arguments(options, tmp_path)]
    assert discover(*line, out=tmp_path / 'run') == tables(pages, options)


@pytest.mark.parametrize('tasks', [1, 2, 7])
def test_own_process(tmp_path, tasks):
    names, pages = write_crawl(tmp_path / 'in', sample_crawl(seed=tasks))
    options = Options(1, 0)
    options = replace(options, stop=stop_hashes(pages, options, seed=tasks))
    line = [*names, *arguments(options, tmp_path), f'--tasks={tasks}']
    assert discover_apart(*line, out=tmp_path / 'run') == tables(pages, options)


def test_stop_of_sha256(tmp_path):
    names, pages = write_crawl(tmp_path / 'in', sample_crawl())
    options = Options(0, 0, hash='sha256')
    options = replace(options, stop=stop_hashes(pages, options, seed=5))
    line = [*names, *arguments(options, tmp_path)]
    assert discover(*line, out=tmp_path / 'run') == tables(pages, options)


# Cases of their own


def test_found_only_together(tmp_path):
    """1,000 copies in one crawl and 100 in another pass 1,000 in the union alone."""
    many = [(f'http://a.org/{n}', LONG * 100) for n in range(10)]
    write_warc(tmp_path / 'many.warc.gz', many)
    write_warc(tmp_path / 'few.warc.gz', [('http://b.org/', LONG * 100)])
    found = []
    for names in [['many'], ['few'], ['many', 'few']]:
        inputs = [tmp_path / f'{name}.warc.gz' for name in names]
        run = discover(*inputs, '--threshold=1000', out=tmp_path / '-'.join(names))
        found.append(hashes(run['labels.tsv']))
    assert found == [[], [], [digest(LONG)]]


def test_longer_than_limit(tmp_path):
    """A chunk of 100 bytes is too short, one of 101 is not."""
    texts = [b'<p>' + b'x' * 97, b'<p>' + b'y' * 98]
    pages = write_warc(tmp_path / 'a.warc', [('http://a.org/', b''.join(texts))])
    run = discover(tmp_path / 'a.warc', '--threshold=0', out=tmp_path / 'run')
    assert hashes(run['labels.tsv']) == [digest(texts[1])]
    assert run == tables(pages, Options())


def test_text_or_not(tmp_path):
    """Control bytes up to a tenth of the first 1,024 bytes, and what comes later."""
    bodies = [b'\x01' * n + b'a' * (1024 - n) + b'<p>\0' for n in (102, 103)]
    bodies += [b'\x01' + b'a' * n for n in (8, 9)]
    bodies += [b'\x1b' * 200 + b'<p>', b' \n', b'\xfe\xff\0<\0p', b'GIF89a <p>']
    documents = [('http://a.org/', body) for body in bodies]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    options = ['--threshold=0', '--min-len=0']
    run = discover(tmp_path / 'a.warc.gz', *options, out=tmp_path / 'run')
    assert run == tables(pages, Options(0, 0))


def test_odd_urls(tmp_path):
    """Spaces and letters beyond ASCII are escaped; no authority is no host."""
    urls = ['http://a.org/b c', 'http://a.org/ü', 'dns:a.org', 'urn:x:y']
    documents = [(url, LONG + url[-1:].encode()) for url in urls]
    pages = write_warc(tmp_path / 'a.warc', documents, kind='resource')
    run = discover(tmp_path / 'a.warc', '--threshold=0', out=tmp_path / 'run')
    assert run == tables(pages, Options())


def test_longest_preview(tmp_path):
    """Eighty bytes, not letters; a letter that is cut leaves its mark."""
    body = b'<p>' + 'a\x85\u2028\t€'.encode() * 20 + b'<p>' + 'ü'.encode() * 60
    pages = write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', body)])
    run = discover(tmp_path / 'a.warc.gz', '--threshold=0', out=tmp_path / 'run')
    assert run == tables(pages, Options())


def test_no_pages(tmp_path):
    write_warc(tmp_path / 'a.warc.gz', [])
    run = discover(tmp_path / 'a.warc.gz', '--threshold=0', out=tmp_path / 'run')
    assert run == tables([], Options())
