"""The tables of `detect`, byte for byte, and how it goes about them."""

import json
import random

import mrl
import pytest
from commands import run
from crawls import crawls, sample_crawl, write_crawl, write_warc
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import Options, Page, chunks_of, digest
from reference_detect import Asked, Known, detect_tables

from mr_reuse import chain, joining

TABLES = [
    f'{bad}{what}.tsv' for bad in ('', 'bad_') for what in ('pages', 'neighborhoods')
]
TABLES.append('file_matches.tsv')
JOINS = ['map', 'reduce', 'bloom']


def few(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True)


def arguments(asked: Asked) -> list[str]:
    """The command line that says these options."""
    said = []
    for name in vars(Asked()):
        value = getattr(asked, name)
        if value != getattr(Asked(), name):
            option = f'--{"stop_scope" if name == "scope" else name}'.replace('_', '-')
            said.append(option if value is True else f'{option}={value}')
    return said


def detect(*args, out, runner='inline', code=0) -> dict[str, bytes]:
    """Run `detect` in this process; the bytes of its tables."""
    done = run('detect', *args, '-q', '-r', runner, '-o', out)
    assert done.code == code, done.err
    return {name: (out / name).read_bytes() for name in TABLES}


def some_labels(pages: list[Page], seed: int, min_len: int) -> Known:
    """About a third of the chunks and files as labels, some as stop chunks."""
    dice = random.Random(seed)
    chunks = sorted({digest(c) for p in pages for c in chunks_of(p.body, Options())})
    files = sorted({digest(page.body) for page in pages})

    def some(names, one_in):
        return frozenset(name for name in names if dice.randrange(one_in) == 0)

    return Known(some(chunks, 2), some(files, 3), some(chunks, 6), min_len)


def write_labels(path, known: Known):
    return mrl.write(path, known.chunks, known.files, known.stop, min_len=known.min_len)


asked = st.builds(
    Asked,
    st.sampled_from(['both', 'labels', 'none']),
    st.booleans(),
    st.sampled_from([1, 1, 2, 5]),
    st.sampled_from(['all', 'all', 'site', 2]),
    st.sampled_from(['pooled', 'mean']),
    st.sampled_from(['', '0', '0.25', '0.333333333333']),
    st.sampled_from(['', '', '0', '0.5']),
    st.sampled_from(['1', '0', '0.5', '2']),
    st.just(False),
    st.sampled_from(['ratio', 'bad']),
    st.sampled_from([0, 0, 1, 3]),
)


# Against the reference


@few(25)
@given(
    crawls(),
    asked,
    st.tuples(st.integers(0, 9), st.sampled_from([0, 100])),
    st.sampled_from(JOINS),
)
def test_random_crawls(tmp_path_factory, crawl, asked, seeds, join):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', crawl)
    known = some_labels(pages, *seeds)
    labels = write_labels(folder / 'some.mrl', known)
    if asked.rank == 'bad' and asked.min_bad and not asked.neighborhood_threshold:
        asked = Asked(**vars(asked) | {'neighborhood_threshold': '0'})
    line = [*names, '-l', labels, f'--join={join}', *arguments(asked)]
    assert detect(*line, out=folder / 'run') == detect_tables(pages, known, asked)


@few(4)
@given(crawls(), st.integers(0, 9), st.sampled_from(['pooled', 'mean']))
def test_per_level(tmp_path_factory, crawl, seed, ratio):
    folder = tmp_path_factory.mktemp('levels')
    names, pages = write_crawl(folder / 'in', crawl)
    known = some_labels(pages, seed, 0)
    asked = Asked(ratio=ratio, per_level=True)
    line = [*names, '-l', write_labels(folder / 'some.mrl', known), *arguments(asked)]
    assert detect(*line, out=folder / 'run') == detect_tables(pages, known, asked)


# One crawl in several ways


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder, sample_crawl(60))
    known = some_labels(pages, 5, 0)
    labels = write_labels(folder / 'some.mrl', known)
    return names, labels, detect_tables(pages, known, Asked())


@pytest.mark.parametrize('join', JOINS)
@pytest.mark.parametrize(
    ('tasks', 'runner'), [(1, 'inline'), (7, 'inline'), (1, 'local'), (7, 'local')]
)
def test_joins(crawl, tmp_path, monkeypatch, join, tasks, runner):  # noqa: PLR0917
    """Labels in memory, or in a reducer; rare and frequent ones."""
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None))
    monkeypatch.setattr(joining, 'HOT', 3)
    names, labels, expected = crawl
    line = [*names, '-l', labels, f'--join={join}', f'--tasks={tasks}']
    assert detect(*line, out=tmp_path / 'run', runner=runner) == expected


@pytest.mark.parametrize('join', JOINS)
def test_long_pages(tmp_path, monkeypatch, join):
    """A page of several lines is one page, whoever reads its lines."""
    body = b''.join(b'<p>%d' % (n % 30_000) for n in range(40_000))
    documents = [('http://a.org/long', body), ('http://a.org/', b'<p>7<p>x')]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    known = Known(frozenset(digest(b'<p>%d' % n) for n in range(0, 30_000, 7)))
    labels = write_labels(tmp_path / 'some.mrl', known)
    for distinct in (False, True):
        asked = Asked(distinct=distinct)
        line = [tmp_path / 'a.warc.gz', '-l', labels, *arguments(asked), '--force']
        found = detect(*line, f'--join={join}', out=tmp_path / 'run')
        assert found == detect_tables(pages, known, asked)


def test_on_a_run(crawl, tmp_path):
    """The pages of a run are not hashed again, in place or from elsewhere."""
    names, labels, expected = crawl
    assert run('discover', *names, '-o', tmp_path / 'run', '-q').code == 0
    pages = sorted((tmp_path / 'run/01-pages').iterdir())
    assert detect('-l', labels, out=tmp_path / 'run') == expected
    assert detect('-l', labels, tmp_path / 'run', out=tmp_path / 'other') == expected
    assert sorted((tmp_path / 'run/01-pages').iterdir()) == pages
    assert not (tmp_path / 'other/01-pages').exists()
    assert (tmp_path / 'run/labels.tsv').exists()


def test_other_thresholds(crawl, tmp_path):
    """Tables alone are made anew, without page lines, archives or jobs."""
    names, labels, expected = crawl
    out = tmp_path / 'run'
    assert detect(*names, '-l', labels, out=out) == expected
    told = json.loads((out / 'run.json').read_text())
    for line in (out / '01-pages').rglob('part-*'):
        line.write_bytes(b'')
    options = [
        '--sigmas=0.5',
        '--ratio=mean',
        '--levels=2',
        '--rank=bad',
        '--per-level',
    ]
    found = detect(*options, out=out)
    assert found['pages.tsv'] == expected['pages.tsv']
    assert found['bad_neighborhoods.tsv'] != expected['bad_neighborhoods.tsv']
    again = json.loads((out / 'run.json').read_text())
    for name in ('matches', 'neighborhoods'):
        assert again['detect'][name] == told['detect'][name]
    assert detect(out=out) == expected
