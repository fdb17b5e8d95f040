"""Patches and their places, against brute force on words."""

import random
from fractions import Fraction

import pytest
from commands import run
from quilt_crawls import divide, random_drafts, write_archives
from reference_quilts import Corpus, Options, Page, grams_of

from mr_reuse.engine.record import load_record
from mr_reuse.quilts.showing import quilt_page
from mr_reuse.quilts.showing.quilt_page import QuiltPage
from mr_reuse.quilts.showing.results import QuiltResults


def grams_at(words: list[str], k: int) -> list[tuple]:
    return [tuple(words[at : at + k]) for at in range(len(words) - k + 1)]


def owners_of(corpus: Corpus, page: Page, rids: list[str]) -> list:
    """The owner of each word: the first source with a patch gram on it."""
    k = corpus.options.k
    patch = corpus.patch_grams(page)
    owners: list = [None] * len(page.words)
    for at, gram in enumerate(grams_at(page.words, k)):
        if gram not in patch:
            continue
        has = [n for n, rid in enumerate(rids) if gram in corpus.grams[rid]]
        owner = has[0] if has else len(rids)
        for word in range(at, at + k):
            if owners[word] is None or owner < owners[word]:
                owners[word] = owner
    return owners


def marked(words: list[str], owners: list, sources: int) -> str:
    """The text with a bracket around each run of words with one owner."""
    text, before = '', None
    for word, owner in zip(words, owners, strict=True):
        if owner != before and before is not None:
            text += ']'
        text += ' '
        if owner != before and owner is not None:
            text += f'[{"-" if owner == sources else owner + 1} '
        text += word
        before = owner
    return text[1:] + (']' if before is not None else '')


def made(tmp_path, seed: int) -> tuple:
    """A random corpus with many quilts, and its run."""
    dice = random.Random(seed)
    drafts = random_drafts(dice, 40, dice.choice([10, 20, 60]))
    names, pages = write_archives(tmp_path, divide(dice, drafts, 2))
    options = Options(
        k=dice.choice([1, 2, 2, 3]),
        m=dice.choice([20, 50]),
        c=1,
        alpha=Fraction(0),
        foreign=dice.choice(['none', 'host', 'domain', 'ip']),
        delta=dice.choice([Fraction(0), Fraction(1, 2)]),
        captures='all',
    )
    line = [f'--{name}={value}' for name, value in options._asdict().items()]
    line[3], line[5] = '--alpha=0', f'--delta={float(options.delta)}'
    ended = run('quilts', *names, *line, '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert ended == (0, '', '')
    return tmp_path / 'run', Corpus(pages, options)


@pytest.mark.random
@pytest.mark.parametrize('seed', range(4))
def test_random_pages(tmp_path, seed):
    """The text of each quilt, and the places of its patches in its sources."""
    folder, corpus = made(tmp_path, seed)
    quilts = corpus.quilts()
    assert quilts
    record = load_record(str(folder))
    results = QuiltResults(str(folder), record)
    rids = {quilt.page.rid for quilt in quilts}
    sources, grams = results.read_sources(rids), results.read_patch_grams(rids)
    rows = {row.rid: row for row in results.find_quilts(lambda rid, url: True)}
    for quilt in quilts[:15]:
        page = quilt.page
        of_page = [source.rid for source in quilt.sources]
        owners = owners_of(corpus, page, of_page)
        shown = run('show', folder, page.rid)
        assert shown.code == 0, shown.err
        expected = marked(page.words, owners, len(of_page))
        assert expected in shown.out.splitlines()
        parts = (table[page.rid] for table in (rows, sources, grams))
        view = QuiltPage(*parts, corpus.options.k)
        opened = view.open(quilt_page.read_page(record, results.recipe, page.rid))
        for number, rid in enumerate(of_page):
            there = quilt_page.read_page(record, results.recipe, rid)
            check_places(corpus, view, opened, number, there)


def check_places(corpus, view, opened, number, there):
    """All grams of a source are in places, and the words there are those of patches."""
    k, rid = corpus.options.k, view.sources[number].source_rid
    words = {page.rid: page.words for page in corpus.pages}
    ids = view.number_grams(there)
    page = next(page for page in corpus.pages if page.rid == view.row.rid)
    places = list(view.find_places(opened, number, ids))
    for (start, stop), at in places:
        patch = opened.patches[at]
        assert patch.owner == number
        near = page.words[max(0, patch.start - k + 1) : patch.stop + k - 1]
        # A place may be made of several parts of the patch, which overlap there.
        found, here = grams_of(near, k), grams_at(words[rid][start:stop], k)
        at_words = [{n, n + k - 1} for n, gram in enumerate(here) if gram in found]
        assert {0, stop - start - 1} <= set().union(*at_words)
        assert all(
            any(n <= word < n + k for n, gram in enumerate(here) if gram in found)
            for word in range(stop - start)
        )
    covered = {
        gram
        for (start, stop), _ in places
        for gram in grams_at(words[rid][start:stop], k)
    }
    earlier = set().union(
        *(grams_of(words[row.source_rid], k) for row in view.sources[:number])
    )
    # A gram may be on words that all belong to earlier sources.
    owners = owners_of(corpus, page, [row.source_rid for row in view.sources])
    visible = {
        gram
        for at, gram in enumerate(grams_at(page.words, k))
        if number in owners[at : at + k]
    }
    mine = (grams_of(words[rid], k) & corpus.patch_grams(page) & visible) - earlier
    assert mine <= covered
    # The text of the source is whole, and only its patches have numbers.
    parts = opened.source_segments(number, there)
    assert ' '.join(''.join(part.text for part in parts).split()) == ' '.join(
        words[rid]
    )
    assert {n for part in parts for n in part.patches} == {n for _, n in places}
