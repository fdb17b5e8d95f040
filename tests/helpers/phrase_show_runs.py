"""Runs of phrases made by hand: a chain of near-duplicates, and pages of passages."""

import random
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from commands import run
from phrase_crawls import write_texts
from quilt_crawls import Draft
from reference_phrase_tables import Corpus, Options, Sampler
from reference_phrases import phrase_texts

LINKS, WORDS = 12, 300  # of the chain
STEP = 24  # words from one that differs to the next
PASSAGES, LENGTH, STITCHED = 6, 12, 12
CHAIN = 'http://chain.test/{}'
HOSTILE = 'http://hostile.test/"><script>alert(1)</script>'


def phrases_of(words: list[str]) -> list[str]:
    """The phrases of a page."""
    return [' '.join(phrase) for phrase in phrase_texts(words)]


def words(name: str, count: int) -> list[str]:
    """Words that are on no other page."""
    return [f'{name}{n}x' for n in range(count)]


def chain() -> list[Draft]:
    """Pages that each differ from the one before in one word, and never turn back."""
    text, drafts = words('c', WORDS), []
    for number in range(LINKS):
        if number:
            text[number * STEP] = f'new{number}'
        drafts.append(Draft(CHAIN.format(number), list(text)))
    return drafts


def stitched() -> list[Draft]:
    """Pages of four passages each, of which many others have some, and own words."""
    dice = random.Random(7)
    passages = [words(f'p{n}w', LENGTH) for n in range(PASSAGES)]
    drafts = []
    for number in range(STITCHED):
        text = []
        for passage in dice.sample(range(PASSAGES), 4):
            text += [*passages[passage], *words(f'own{number}at{passage}w', 2)]
        ip = f'192.0.2.{number}'
        drafts.append(Draft(f'http://stitched-{number}.test/', text, ip=ip))
    return drafts


def make_phrases(
    folder: Path, shares: Sequence[Sequence[Draft]] = (), *options
) -> tuple[Path, Corpus]:
    """The run of `phrases` on shares of pages, and the reference of its results."""
    links = chain()
    shares = shares or [[*links[: LINKS // 2], *stitched()], links[LINKS // 2 :]]
    names, texts = write_texts(folder / 'crawl', shares)
    out = folder / 'run'
    done = run('phrases', *names, '-o', out, '-q', '-r', 'inline', *options)
    assert done.code == 0, done.err
    return out, Corpus(texts, Options(), Sampler())


def resemblance(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many phrases both have, and how many at least one has."""
    sets = set(phrases_of(list(one))), set(phrases_of(list(other)))
    return len(sets[0] & sets[1]), len(sets[0] | sets[1])


def marked_words(corpus: Corpus, rid: str) -> list[tuple[int, str]]:
    """The words of a page in runs: documents of a popular phrase, 0 for none."""
    page = next(page for page in corpus.pages if page.rid == rid)
    best: dict[str, int] = {}
    for at in corpus.positions[rid]:
        phrase = corpus.shingles[rid][at]
        count = corpus.counts[at, phrase]
        best[phrase] = max(count, best.get(phrase, 0))
    marks = [0] * len(page.words)
    for start, phrase in enumerate(phrases_of(page.words)):
        for step in range(5):
            at = (start + step) % len(marks)
            marks[at] = max(marks[at], best.get(phrase, 0))
    pairs = groupby(zip(marks, page.words, strict=True), lambda pair: pair[0])
    return [(mark, ' '.join(word for _, word in group)) for mark, group in pairs]
