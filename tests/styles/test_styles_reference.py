"""The tables of styles, byte for byte, against brute force."""

import random
import sys

import pytest
from commands import apart, ended, run
from quilt_crawls import divide
from reference_style_tables import Corpus, Options
from style_crawls import (
    FORKED,
    arguments,
    random_options,
    random_pages,
    read_parameters,
    rows,
    styles,
    tables_in,
    write_pages,
)

RULE = Options(captures='all', t=12)
FILE = 'styles.msf'


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Four archives of pages; the names, and the pages."""
    dice = random.Random(1)
    shares = divide(dice, random_pages(dice, 40), 4)
    return write_pages(tmp_path_factory.mktemp('crawl'), shares)


@pytest.fixture(scope='module')
def expected(crawl):
    tables = Corpus(crawl[1], RULE, read_parameters(RULE)).tables()
    assert len(rows(tables['styles.tsv'])) >= 2
    return tables


@pytest.fixture(scope='module')
def file(crawl, tmp_path_factory):
    """The bytes of the style file."""
    folder = tmp_path_factory.mktemp('file')
    styles(crawl[0], folder, *arguments(RULE))
    return (folder / FILE).read_bytes()


@pytest.mark.random
@pytest.mark.parametrize('seed', range(8))
def test_random_pages(tmp_path, seed):
    dice = random.Random(seed)
    drafts = random_pages(dice, dice.choice([3, 15, 30]))
    shares = divide(dice, drafts, dice.randint(1, 4))
    names, bodies = write_pages(tmp_path, shares, gzipped=dice.random() < 0.5)
    options = random_options(dice)
    counts = styles(names, tmp_path / 'run', *arguments(options))
    corpus = Corpus(bodies, options, read_parameters(options))
    assert tables_in(tmp_path / 'run') == corpus.tables()
    assert counts.items() >= corpus.counts().items()
    assert counts['left_out'] == 0


@pytest.mark.apart
@pytest.mark.parametrize('tasks', [1, 3])
def test_tasks(crawl, tmp_path, expected, file, tasks):
    """Each in a process of its own, and some of them without the kernel."""
    check_tasks(crawl, tmp_path, expected, tasks)
    assert (tmp_path / FILE).read_bytes() == file


@pytest.mark.slow
def test_any_tasks(crawl, tmp_path, expected):
    for tasks in range(1, 17):
        check_tasks(crawl, tmp_path / str(tasks), expected, tasks)


def check_tasks(crawl, folder, expected, tasks: int) -> None:
    env = {'MR_REUSE_PURE': '1'} if tasks % 2 else {}
    line = [*arguments(RULE), '-q', '-r', 'local', '-o', folder, f'--tasks={tasks}']
    done = ended(apart(sys.executable, '-c', FORKED, *crawl[0], *line, env=env))
    assert done == (0, '', '')
    assert tables_in(folder) == expected


def test_the_order_of_archives_does_not_matter(crawl, tmp_path, expected, file):
    styles(crawl[0][::-1], tmp_path, *arguments(RULE))
    assert tables_in(tmp_path) == expected
    assert (tmp_path / FILE).read_bytes() == file


def test_other_options_on_the_same_run(crawl, tmp_path):
    """The tables are those of the last command."""
    names, bodies = crawl
    others = RULE._replace(t=60, normalize_empty=True)
    for options in (RULE, others, others._replace(captures='last'), RULE):
        done = run('styles', *names, *arguments(options), '-q', '-o', tmp_path)
        assert done == (0, '', '')
        corpus = Corpus(bodies, options, read_parameters(options))
        assert tables_in(tmp_path) == corpus.tables()
        names = []


@pytest.mark.parametrize(
    'options',
    [
        *(['--n=0'], ['--n=257'], ['--m=129'], ['--t=0'], ['--p=x'], ['--key-bits=7']),
        *(['--key-bits=65'], ['--ignore=1.5'], ['--preprocessor=x']),
        *(['--m=64', '--t=65'], ['--m=10', '--t=5']),
    ],
)
def test_options_that_cannot_be(crawl, tmp_path, options):
    done = run('styles', *crawl[0], *options, '-o', tmp_path / 'run')
    assert done.code == 2 and not (tmp_path / 'run').exists()
