"""Quilts on Spark and on Hadoop: the bytes of a brute-force reference."""

import random
import sys
from fractions import Fraction

import pytest
from commands import apart, ended
from hadoop import Hadoop, hadoop  # noqa: F401
from quilt_crawls import divide, random_drafts, write_archives
from reference_quilts import Corpus, Options

pytestmark = pytest.mark.cluster
TABLES = ['quilts.tsv', 'quilt_sources.tsv', 'quilt_shares.tsv', 'quilt_sites.tsv']
RULE = Options(k=2, m=6, c=1, alpha=Fraction(1, 4), foreign='ip')
LINE = ['--k=2', '--m=6', '--c=1', '--alpha=0.25', '--foreign=ip', '-q']
SECONDS = 600


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives of pages that copy from each other; the names, and the tables."""
    dice = random.Random(9)
    shares = divide(dice, random_drafts(dice, 60, 20), 3)
    names, pages = write_archives(tmp_path_factory.mktemp('crawl'), shares)
    expected = Corpus(pages, RULE).tables()
    assert expected['quilts.tsv'].count(b'\n') > 5
    return names, expected


@pytest.mark.spark
def test_spark(crawl, tmp_path):
    names, expected = crawl
    conf = tmp_path / 'mrjob.conf'
    conf.write_text('runners:\n  spark:\n    spark_master: local[2]\n')
    line = ['-o', tmp_path / 'run', '-r', 'spark', '-c', conf, '--tasks=3']
    command = [sys.executable, '-m', 'mr_reuse.quilts', *names, *LINE, *line]
    assert ended(apart(*command), SECONDS) == (0, '', '')
    found = {name: (tmp_path / 'run' / name).read_bytes() for name in TABLES}
    assert found == expected


@pytest.mark.hadoop
def test_hadoop(hadoop: Hadoop, crawl, tmp_path):  # noqa: F811
    names, expected = crawl
    folder = f'{hadoop.files}/test/quilts'
    hadoop.fs('-rm', '-r', '-f', folder)
    done = ended(hadoop.command('quilts', *names, *LINE, '-o', folder), SECONDS)
    assert done == (0, '', '')
    found = {name: hadoop.fs('-cat', f'{folder}/{name}') for name in TABLES}
    assert found == expected
