"""Styles on Spark and on Hadoop: the bytes of a brute-force reference."""

import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from commands import apart, ended, run
from hadoop import Hadoop, hadoop  # noqa: F401
from quilt_crawls import divide
from reference_style_tables import TABLES, Corpus, Options
from style_crawls import (
    arguments,
    random_pages,
    read_parameters,
    rows,
    styles,
    tables_in,
    write_pages,
)

pytestmark = pytest.mark.cluster
RULE = Options(t=12, ignore=Fraction(9, 10))
LINE = [*arguments(RULE), '-q']
SECONDS = 600
MATCHES = 'style_matches.tsv'


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives of pages; the names, and the tables."""
    dice = random.Random(1)
    shares = divide(dice, random_pages(dice, 40), 3)
    names, bodies = write_pages(tmp_path_factory.mktemp('crawl'), shares)
    expected = Corpus(bodies, RULE, read_parameters(RULE)).tables()
    assert all(map(rows, expected.values()))
    return names, expected


@pytest.mark.spark
def test_styles_on_spark(crawl, tmp_path):
    names, expected = crawl
    conf = tmp_path / 'mrjob.conf'
    conf.write_text('runners:\n  spark:\n    spark_master: local[2]\n')
    line = ['-o', tmp_path / 'run', '-r', 'spark', '-c', conf, '--tasks=3']
    command = [sys.executable, '-m', 'mr_reuse.styles', *names, *LINE, *line]
    assert ended(apart(*command), SECONDS) == (0, '', '')
    assert tables_in(tmp_path / 'run') == expected
    # Each member is alike itself, or another.
    line = ['match', tmp_path / 'run', *names, '-q', '-o', tmp_path / 'matched']
    command = [
        sys.executable,
        '-m',
        'mr_reuse.styles',
        *line,
        '-r',
        'spark',
        '-c',
        conf,
    ]
    assert ended(apart(*command), SECONDS) == (0, '', '')
    assert (tmp_path / 'matched' / MATCHES).read_bytes() == matched(names, tmp_path)


@pytest.mark.hadoop
def test_styles_on_hadoop(hadoop: Hadoop, crawl, tmp_path):  # noqa: F811
    names, expected = crawl
    folder = f'{hadoop.files}/test/styles'
    hadoop.fs('-rm', '-r', '-f', folder)
    done = ended(hadoop.command('styles', *names, *LINE, '-o', folder), SECONDS)
    assert done == (0, '', '')
    found = {name: hadoop.fs('-cat', f'{folder}/{name}') for name in TABLES}
    assert found == expected
    run_there = [f'{folder}/styles.msf', *names, '-q', '-o', f'{folder}-matched']
    hadoop.fs('-rm', '-r', '-f', f'{folder}-matched')
    assert ended(hadoop.command('styles', 'match', *run_there), SECONDS) == (0, '', '')
    found = hadoop.fs('-cat', f'{folder}-matched/{MATCHES}')
    assert found == matched(names, tmp_path)


def matched(names: list[str], folder: Path) -> bytes:
    """The documents that are alike known ones, as found on this machine."""
    styles(names, folder / 'here', *arguments(RULE))
    line = ['-q', '-r', 'inline', '-o', folder / 'matched-here']
    done = run('styles', 'match', folder / 'here', *names, *line)
    assert done == (0, '', '')
    table = (folder / 'matched-here' / MATCHES).read_bytes()
    assert rows(table)
    return table
