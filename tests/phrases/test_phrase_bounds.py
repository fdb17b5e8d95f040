"""The bounds of memory: each changes how phrases are found, and none the tables."""

import random

import pytest
from phrase_crawls import arguments, phrases, random_pages, rows, tables_in, write_texts
from quilt_crawls import Draft, divide
from reference_phrase_tables import Corpus, Options
from reference_shingles import Sampler

from mr_reuse.components.connecting import Bounds

RULE = Options(popular=3, covers=4, captures='all')
BOUNDS = {
    'archives.framing.SMALL': 300,
    'archives.items.SMALL': 300,
    'text.page_words.PIECE': 70,
    'shuffle.packing.MAX_ROWS': 7,
    'shuffle.ragged.MAX_BYTES': 200,
    'shuffle.sorting.IN_MEMORY': 500,
    'shuffle.ranges.MAX_TEXTS': 500,
    'components.edges.MAX_ROWS': 3,
    'components.edges.MAX_EDGES': 3,
    'components.joining.MAX_EDGES': 2,
    'components.joining.MIN_WIDTH': 7,
    'components.connecting.connect_numbers.__defaults__': (Bounds(3, 2),),
    'phrases.near_duplicates.MAX_ROWS': 40,
    'phrases.popular.MAX_VECTORS': 5,
    'phrases.popular.IN_MEMORY': 300,
    'phrases.popular.MAX_BYTES': 200,
    'phrases.page_counts.MAX_TEXTS': 300,
    'phrases.page_counts.MAX_NEAR': 2,
    'phrases.matching.MAX_VECTORS': 5,
    'phrases.matching.MAX_PAGES': 2,
    'phrases.matching.MAX_BYTES': 200,
}


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives; their names, and the tables that the reference makes of them."""
    dice = random.Random(1)
    drafts = random_pages(dice, 90)
    names, texts = write_texts(tmp_path_factory.mktemp('x'), divide(dice, drafts, 3))
    expected = Corpus(texts, RULE, Sampler()).tables()
    assert all(len(rows(table)) > 1 for table in expected.values())
    return names, expected


@pytest.mark.slow
@pytest.mark.parametrize('name', BOUNDS)
def test_bound(crawl, tmp_path, monkeypatch, name):
    monkeypatch.setattr(f'mr_reuse.{name}', BOUNDS[name])
    phrases(crawl[0], tmp_path, *arguments(RULE))
    assert tables_in(tmp_path) == crawl[1]


def test_all_bounds(crawl, tmp_path, monkeypatch):
    for name, bound in BOUNDS.items():
        monkeypatch.setattr(f'mr_reuse.{name}', bound)
    phrases(crawl[0], tmp_path, *arguments(RULE))
    assert tables_in(tmp_path) == crawl[1]


@pytest.mark.slow
def test_phrases_of_a_large_page(tmp_path):
    """The first page with popular phrases has a body of 80 MB."""
    shared = [f'all{n}' for n in range(40)]
    drafts = [
        Draft(f'http://h{n}.org/', [*shared, *(f'own{n}x{i}' for i in range(9))])
        for n in range(5)
    ]
    drafts[0] = drafts[0]._replace(words=' '.join(drafts[0].words) + '<p>' * (80 << 18))
    names, _ = write_texts(tmp_path, [drafts], gzipped=False)
    phrases(names, tmp_path / 'run')
    large = tables_in(tmp_path / 'run')
    drafts[0] = drafts[0]._replace(words=drafts[0].words.replace('<p>', ''))
    names, _ = write_texts(tmp_path, [drafts], gzipped=False)
    phrases(names, tmp_path / 'run')
    small = tables_in(tmp_path / 'run')
    assert len(rows(small['phrases.tsv'])) > 5
    assert large['phrases.tsv'] == small['phrases.tsv']
