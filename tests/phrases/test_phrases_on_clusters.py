"""Phrases on Spark and on Hadoop: the bytes of a brute-force reference."""

import random
import sys

import pytest
from commands import apart, ended
from hadoop import Hadoop, hadoop  # noqa: F401
from phrase_crawls import arguments, random_pages, rows, tables_in, write_texts
from quilt_crawls import divide
from reference_phrase_tables import TABLES, Corpus, Options
from reference_shingles import Sampler

pytestmark = pytest.mark.cluster
RULE = Options(popular=3, covers=3, top=50)
LINE = [*arguments(RULE), '-q']
SECONDS = 600


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives of pages; the names, and the tables."""
    dice = random.Random(1)
    shares = divide(dice, random_pages(dice, 90), 3)
    names, texts = write_texts(tmp_path_factory.mktemp('crawl'), shares)
    expected = Corpus(texts, RULE, Sampler()).tables()
    assert all(len(rows(table)) > 1 for table in expected.values())
    return names, expected


@pytest.mark.spark
def test_phrases_on_spark(crawl, tmp_path):
    names, expected = crawl
    conf = tmp_path / 'mrjob.conf'
    conf.write_text('runners:\n  spark:\n    spark_master: local[2]\n')
    line = ['-o', tmp_path / 'run', '-r', 'spark', '-c', conf, '--tasks=3']
    command = [sys.executable, '-m', 'mr_reuse.phrases', *names, *LINE, *line]
    assert ended(apart(*command), SECONDS) == (0, '', '')
    assert tables_in(tmp_path / 'run') == expected


@pytest.mark.hadoop
def test_phrases_on_hadoop(hadoop: Hadoop, crawl, tmp_path):  # noqa: F811
    names, expected = crawl
    folder = f'{hadoop.files}/test/phrases'
    hadoop.fs('-rm', '-r', '-f', folder)
    done = ended(hadoop.command('phrases', *names, *LINE, '-o', folder), SECONDS)
    assert done == (0, '', '')
    found = {name: hadoop.fs('-cat', f'{folder}/{name}') for name in TABLES}
    assert found == expected
