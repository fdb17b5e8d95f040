"""`phrases --verify`: pairs of near-duplicates are compared by all of their phrases."""

import json
import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import apart, ended, run
from lone_jobs import run_job
from phrase_crawls import arguments, phrases, rows, tables_in, write_texts
from quilt_crawls import Draft, divide
from reference_phrase_tables import POSITIONS, RUN, Corpus, Options, Sampler
from test_lone_phrase_jobs import FIRST, find, vector_line
from test_phrases_reference import FORKED

from mr_reuse.pages.documents.numbering import number_batches
from mr_reuse.phrases.jobs.find_near_duplicates import FindNearDuplicates
from mr_reuse.phrases.verifying import phrase_sets, step
from mr_reuse.phrases.verifying.phrase_sets import PhraseSets
from mr_reuse.phrases.verifying.step import verify_pairs
from mr_reuse.shuffle import spilling

WINDOW = 150  # words of a page
RULE = Options(popular=2, covers=1, top=9)


@pytest.fixture(scope='module')
def sampler():
    return Sampler()


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Pages that are windows of a text, at random places, and two copies of each tenth.

    So many pairs are near-duplicates, and their resemblance is anything up to 1.
    """
    dice = random.Random(3)
    text = [f'w{n}' for n in range(WINDOW + 60)]
    starts = [dice.randrange(60) for _ in range(50)] + [0, 0, 10, 10, 20, 20, 30, 30]
    dice.shuffle(starts)
    drafts = [
        Draft(f'http://h{n % 7}.org/{n}', text[start : start + WINDOW])
        for n, start in enumerate(starts)
    ]
    folder = tmp_path_factory.mktemp('crawl')
    return write_texts(folder, divide(dice, drafts, 3))


@pytest.fixture(params=['kernel', 'pure'])
def pure_or_not(request, monkeypatch):
    """With the kernel, and without it."""
    if request.param == 'pure':
        monkeypatch.setenv('MR_REUSE_PURE', '1')


def counts_of_pairs(corpus: Corpus) -> dict[str, int]:
    runs = {
        rid: [tuple(found[at : at + RUN]) for at in range(0, POSITIONS, RUN)]
        for rid, found in corpus.shingles.items()
    }
    pairs, least = corpus.pairs_to_verify(runs), Fraction(corpus.options.verify)
    unlike = sum(corpus.resemblance(*pair) < least for pair in pairs)
    return {'compared_pairs': len(pairs), 'unlike_pairs': unlike, 'unread_pairs': 0}


@pytest.mark.parametrize('verify', ['0', '0.7', '0.85', '0.95', '1'])
@pytest.mark.usefixtures('pure_or_not')
def test_pairs_below_are_none(crawl, tmp_path, sampler, verify):
    names, texts = crawl
    options = RULE._replace(verify=verify)
    counts = phrases(names, tmp_path, *arguments(options))
    corpus = Corpus(texts, options, sampler)
    assert tables_in(tmp_path) == corpus.tables()
    expected = counts_of_pairs(corpus)
    assert counts.items() >= expected.items()
    assert expected['compared_pairs'] > expected['unlike_pairs'] >= (verify > '0.7')


def test_a_resemblance_at_the_border_is_enough(tmp_path, sampler):
    """Pages of 200 words, and with one more at the end: they differ in 4 of 205."""
    drafts = [
        Draft(f'http://h{n}.org/', [f'w{word}' for word in range(200 + n)])
        for n in range(2)
    ]
    names, texts = write_texts(tmp_path, [drafts])
    both = 200 - 4, 200 + 5
    found = []
    for verify in ('0.956097560975609756', '0.956097560975609757'):
        assert (both[0] / both[1] >= float(verify)) or verify[-1] == '7'
        options = RULE._replace(verify=verify)
        phrases(names, tmp_path / 'run', *arguments(options))
        assert tables_in(tmp_path / 'run') == Corpus(texts, options, sampler).tables()
        found.append(len(rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])))
    assert found == [1, 0]


@pytest.mark.apart
@pytest.mark.parametrize('tasks', [2, pytest.param(4, marks=pytest.mark.slow)])
def test_tasks(crawl, tmp_path, sampler, tasks):
    names, texts = crawl
    options = RULE._replace(verify='0.9')
    line = [*arguments(options), '-q', '-r', 'local', '-o', tmp_path]
    done = apart(sys.executable, '-c', FORKED, *names, *line, f'--tasks={tasks}')
    assert ended(done) == (0, '', '')
    corpus = Corpus(texts, options, sampler)
    assert tables_in(tmp_path) == corpus.tables()
    counts = json.loads((tmp_path / 'stats.json').read_text())['phrases']
    assert counts.items() >= counts_of_pairs(corpus).items()


def test_another_value_compares_again(crawl, tmp_path, sampler):
    """The steps before the comparison, and all with the same options, are finished."""
    names, texts = crawl
    for verify, runs_again in (
        ('', None),
        ('0.9', ['22-edges', '23-components']),
        ('0.95', ['22-verified', '23-components']),
        ('0.95', []),
        ('', ['22-edges', '23-components']),
    ):
        options = RULE._replace(verify=verify)
        done = run('phrases', *names, *arguments(options), '-o', tmp_path)
        assert done.code == 0
        assert tables_in(tmp_path) == Corpus(texts, options, sampler).tables()
        again = [line for line in done.err.splitlines() if 'runs again' in line]
        found = [line.split(':')[0] for line in again if line[:2] in ('22', '23')]
        assert runs_again is None or found == runs_again
        names = []


class Unread(Corpus):
    """Documents of which an archive is gone when their pairs are compared."""

    gone = ''

    def resemblance(self, one: str, other: str) -> Fraction:
        is_gone = self.is_gone(one) or self.is_gone(other)
        return Fraction(-1) if is_gone else super().resemblance(one, other)

    def equal_pages(self) -> list[tuple[str, str]]:
        pairs = super().equal_pages()
        return [pair for pair in pairs if not any(map(self.is_gone, pair))]

    def is_gone(self, rid: str) -> bool:
        return rid.rpartition(':')[0] == self.gone


def remove(path: Path) -> None:
    path.unlink()


def cut_members(path: Path) -> None:
    """Damage each record, so that it begins and has no end."""
    data = bytearray(path.read_bytes())
    starts = [at for at in range(len(data)) if data.startswith(b'\x1f\x8b\x08', at)]
    for start in starts:
        data[start + 100 : start + 110] = bytes(10)
    path.write_bytes(data)


def replace_words(path: Path) -> None:
    """Put other pages at the same places, with a word less each."""
    data = path.read_bytes()
    records = data.split(b'WARC/1.0')
    path.write_bytes(b'WARC/1.0'.join(r.replace(b' w', b'xw', 1) for r in records))


@pytest.mark.parametrize('damage', [remove, cut_members, replace_words])
def test_pages_that_cannot_be_read_again(tmp_path, sampler, damage, monkeypatch):
    """Their pairs count as none, and the command says how many they are."""
    dice = random.Random(5)
    text = [f'w{n}' for n in range(WINDOW + 20)]
    starts = [dice.randrange(20) for _ in range(20)]
    drafts = [
        Draft(f'http://h{n}.org/', text[start : start + WINDOW])
        for n, start in enumerate(starts)
    ]
    shares = divide(dice, drafts, 3)
    names, texts = write_texts(tmp_path, shares, gzipped=damage is not replace_words)
    monkeypatch.setattr(Unread, 'gone', names[1])

    def damage_first(*args):
        data = Path(names[1]).read_bytes()
        damage(Path(names[1]))
        done = verify_pairs(*args)
        Path(names[1]).write_bytes(data)  # later steps read it, too
        return done

    monkeypatch.setattr(step, 'verify_pairs', damage_first)
    options = RULE._replace(verify='0')
    line = [*arguments(options), '-q', '-r', 'inline', '-o', tmp_path / 'run']
    done = run('phrases', *names, *line)
    corpus = Unread(texts, options, sampler)
    assert tables_in(tmp_path / 'run') == corpus.tables()
    expected = counts_of_pairs(corpus)
    unread = expected['unlike_pairs']
    assert unread and done.code == 0
    assert done.err == (
        f'warning: {unread} pairs of near-duplicates not compared, so they count as '
        'none: the archives with their pages have changed or gone\n'
    )
    counts = json.loads((tmp_path / 'run/stats.json').read_text())['phrases']
    assert (counts['unread_pairs'], counts['unlike_pairs']) == (unread, 0)
    assert counts['compared_pairs'] == expected['compared_pairs'] - unread


@pytest.fixture
def numbers(tmp_path):
    """The file of a numbering with one batch of twenty documents."""
    file = tmp_path / 'numbers'
    with file.open('wb') as stream:
        number_batches([{'batches': [[FIRST, FIRST, 20]]}], stream)
    return file


def test_equal_pages_stay_together(tmp_path, sampler):
    """Even if all of their pairs are with another page before them."""
    words = [f'w{n}' for n in range(2000)]
    texts = [words, words[:-1], words[:-1], words[:-2], [*words[:-1], 'x']]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, pages = write_texts(tmp_path, [drafts[:2], drafts[2:]])
    options = RULE._replace(verify='1')
    counts = phrases(names, tmp_path / 'run', *arguments(options))
    corpus = Corpus(pages, options, sampler)
    assert tables_in(tmp_path / 'run') == corpus.tables()
    found = rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])
    assert [row[1] for row in found] == ['http://h2.org/']
    assert counts['unlike_pairs'] == counts['compared_pairs'] >= 4


def test_edges_go_to_the_first_document_of_all(numbers):
    """Each pair of the runs of two equal documents is that of another one before."""
    page = list(range(1000, 1000 + POSITIONS))
    others = []
    for one in range(6):
        for other in range(one):
            own = range(5000 * (len(others) + 1), 5000 * (len(others) + 1) + POSITIONS)
            others.append(
                [
                    page[at] if at // RUN in (one, other) else own[at]
                    for at in range(POSITIONS)
                ]
            )
    lines = [vector_line(*others, page, page)]
    options = {'numbers': numbers, 'total': 20, 'edges': 'stars'}
    found = find(run_job(FindNearDuplicates, lines, **options), 'edge')
    assert found == [(page, n) for page in (15, 16) for n in range(15)]


def test_whole_stars_in_little_memory(numbers, monkeypatch):
    """Rows of a key that come in several pieces have the same first document."""
    monkeypatch.setattr(spilling.MergeTable.__init__, '__defaults__', (None, 8))
    monkeypatch.setattr(spilling, 'BLOCK', 4)
    page = list(range(POSITIONS))
    options = {'numbers': numbers, 'total': 20, 'edges': 'stars'}
    line = vector_line(*[page] * 20)
    found = find(run_job(FindNearDuplicates, [line], **options), 'edge')
    assert found == [(n, 0) for n in range(1, 20)]


def test_phrases_in_little_memory(monkeypatch):
    monkeypatch.setattr(spilling.MergeTable.__init__, '__defaults__', (None, 50))
    monkeypatch.setattr(spilling, 'BLOCK', 7)
    monkeypatch.setattr(phrase_sets, 'BLOCK', 9)
    dice = np.random.default_rng(1)
    pages = [dice.integers(0, 1 << 63, 200, np.uint64) >> np.uint64(55) for _ in '12']
    one, other = (phrase_sets.sort_phrases(np.split(page, 10)) for page in pages)
    sets = [set(page.tolist()) for page in pages]
    assert one.tolist() == sorted(sets[0]) and other.tolist() == sorted(sets[1])
    found = PhraseSets()
    found.add(3, other)
    found.add(5, one)
    common, total = len(sets[0] & sets[1]), len(sets[0] | sets[1])
    assert found.compare(5, other) == found.compare(3, one)
    assert found.compare(5, other) * total == common


def test_large_bodies(tmp_path, sampler):
    """Pages that are too large to hold are compared as others are."""
    words = [f'w{n}' for n in range(300)]
    filler = '<p>' * (6 << 20)
    texts = [' '.join(words) + filler, ' '.join(words), ' '.join(words[:-1]) + filler]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, pages = write_texts(tmp_path, [drafts], gzipped=False)
    options = RULE._replace(verify='0.98')
    counts = phrases(names, tmp_path / 'run', *arguments(options))
    texts = [page._replace(text=page.text.replace(filler, '')) for page in pages]
    corpus = Corpus(texts, options, sampler)
    assert tables_in(tmp_path / 'run') == corpus.tables()
    assert counts.items() >= counts_of_pairs(corpus).items()
    assert counts['unlike_pairs'] == 1
