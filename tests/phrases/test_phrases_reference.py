"""The tables of phrases, byte for byte, against brute force on strings."""

import random
import sys

import pytest
from commands import apart, ended, run
from phrase_crawls import (
    arguments,
    phrases,
    random_options,
    random_pages,
    rows,
    tables_in,
    write_texts,
)
from quilt_crawls import Draft, divide
from reference_phrase_tables import Corpus, Options
from reference_shingles import Sampler

# Small input is worked on without forks; a test of forks has to ask for them.
FORKED = """
import sys
sys.argv[0] = '-m'
from mr_reuse.engine import chain
from mr_reuse.pages import planning
planning.SMALL_ARCHIVES = -1
chain.Step.__new__.__defaults__ = (-1, None, {})
from mr_reuse.phrases.__main__ import main
sys.exit(main())
"""
RULE = Options(popular=3, covers=2, top=20, captures='all')


@pytest.fixture(scope='module')
def sampler():
    return Sampler()


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Four archives of pages; the names, and the pages."""
    dice = random.Random(1)
    shares = divide(dice, random_pages(dice, 90), 4)
    return write_texts(tmp_path_factory.mktemp('crawl'), shares)


@pytest.mark.random
@pytest.mark.parametrize('seed', range(12))
def test_random_pages(tmp_path, sampler, seed):
    dice = random.Random(seed)
    drafts = random_pages(dice, dice.choice([5, 30, 80]))
    shares = divide(dice, drafts, dice.randint(1, 4))
    names, texts = write_texts(tmp_path, shares, gzipped=dice.random() < 0.5)
    options = random_options(dice)
    counts = phrases(names, tmp_path / 'run', *arguments(options))
    corpus = Corpus(texts, options, sampler)
    assert tables_in(tmp_path / 'run') == corpus.tables()
    assert counts.items() >= corpus.counts_of_stats().items()


@pytest.mark.parametrize('host', ['a.org', 'a.org:8080', 'c.net.', '[::1]'])
def test_covers_of_a_host(crawl, tmp_path, sampler, host):
    """All documents of the host that have popular shingles, be they ever so few."""
    names, texts = crawl
    options = RULE._replace(covers_of=host)
    phrases(names, tmp_path, *arguments(options))
    assert tables_in(tmp_path) == Corpus(texts, options, sampler).tables()


@pytest.mark.apart
@pytest.mark.parametrize('tasks', [1, 3])
def test_tasks(crawl, tmp_path, sampler, tasks):
    """Each in a process of its own, and some of them without the kernel."""
    check_tasks(crawl, tmp_path, sampler, tasks)


@pytest.mark.slow
def test_any_tasks(crawl, tmp_path, sampler):
    for tasks in range(1, 17):
        check_tasks(crawl, tmp_path / str(tasks), sampler, tasks)


def check_tasks(crawl, folder, sampler, tasks: int) -> None:
    names, texts = crawl
    env = {'MR_REUSE_PURE': '1'} if tasks % 2 else {}
    line = [*arguments(RULE), '-q', '-r', 'local', '-o', folder, f'--tasks={tasks}']
    done = ended(apart(sys.executable, '-c', FORKED, *names, *line, env=env))
    assert done == (0, '', '')
    assert tables_in(folder) == Corpus(texts, RULE, sampler).tables()


def test_the_order_of_archives_does_not_matter(crawl, tmp_path, sampler):
    names, texts = crawl
    phrases(names[::-1], tmp_path, *arguments(RULE))
    assert tables_in(tmp_path) == Corpus(texts, RULE, sampler).tables()


def test_other_options_on_the_same_run(crawl, tmp_path, sampler):
    """The tables are those of the last command."""
    names, texts = crawl
    others = RULE._replace(popular=5, top=3, seed=4)
    for options in (RULE, others, others._replace(captures='last'), RULE):
        done = run('phrases', *names, *arguments(options), '-q', '-o', tmp_path)
        assert done == (0, '', '')
        assert tables_in(tmp_path) == Corpus(texts, options, sampler).tables()
        names = []


@pytest.mark.parametrize('top', [1, 2, 5, 8])
def test_top_cuts_ties_by_the_bytes_of_words(tmp_path, sampler, top):
    """In the order of UTF-8: z, é, ﬃ, 𝒳, and a phrase that begins another one."""
    shared = 'z a é a ﬃ a 𝒳 a z zz a 𐐷 é ﬃ'.split()
    drafts = [
        Draft(f'http://h{n}.org/', [*shared, *own(f'own{n}', 5)]) for n in range(6)
    ]
    names, texts = write_texts(tmp_path, [drafts])
    options = Options(top=top)
    phrases(names, tmp_path / 'run', *arguments(options))
    found = tables_in(tmp_path / 'run')
    assert found == Corpus(texts, options, sampler).tables()
    assert len(rows(found['phrases.tsv'])) == top


@pytest.mark.parametrize('popular', [5, 4])
def test_popular_from_five_documents_on(tmp_path, popular):
    """A passage on five pages has popular phrases, one on four pages has none.

    Each page has 40 words of the passage, in 36 phrases, and 5 words of its own, in 9.
    So all five pages have the same phrase at a position with a probability of 36/81,
    and they have none in common with one of 10^21.
    """
    drafts = [
        Draft(f'http://{name}{n}.org/', [*own(name, 40), *own(f'mine{name}{n}', 5)])
        for name, copies in (('five', 5), ('four', 4))
        for n in range(copies)
    ]
    names, _ = write_texts(tmp_path, [drafts])
    phrases(names, tmp_path / 'run', f'--popular={popular}')
    tables = tables_in(tmp_path / 'run')
    assert not rows(tables['near_duplicates.tsv'])
    passages = {(row[0], row[2][:4]) for row in rows(tables['phrases.tsv'])}
    if popular == 5:
        assert passages == {('5', 'five')}
    else:
        assert passages == {('5', 'five'), ('4', 'five'), ('4', 'four')}


def own(name: str, count: int) -> list[str]:
    """Words that no other page has."""
    return [f'{name}{n}x' for n in range(count)]


@pytest.mark.parametrize('option', ['--popular=0', '--top=-1', '--covers=x', '--seed='])
def test_options_that_cannot_be(crawl, tmp_path, option):
    done = run('phrases', *crawl[0], option, '-o', tmp_path / 'run')
    assert done.code == 2 and not (tmp_path / 'run').exists()
