"""The tables of quilts, byte for byte, against brute force on strings."""

import random
from fractions import Fraction

import pytest
from commands import run
from quilt_crawls import divide, random_drafts, write_archives
from reference_quilts import Corpus, Options

TABLES = ['quilts.tsv', 'quilt_sources.tsv', 'quilt_shares.tsv', 'quilt_sites.tsv']
FOREIGN = ['none', 'host', 'domain', 'ip']


def arguments(options: Options) -> list[str]:
    """The command line that says these options."""
    values = {
        name: float(value) if isinstance(value, Fraction) else value
        for name, value in options._asdict().items()
    }
    return [f'--{name}={value}' for name, value in values.items()]


def tables_in(folder) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


def random_options(dice: random.Random) -> Options:
    return Options(
        k=dice.choice([1, 2, 2, 3, 5]),
        m=dice.choice([2, 5, 10, 120]),
        c=dice.randint(1, 3),
        alpha=dice.choice([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)]),
        foreign=dice.choice(FOREIGN),
        delta=dice.choice([Fraction(0), Fraction(0), Fraction(1, 5), Fraction(1, 2)]),
        captures=dice.choice(['first', 'last', 'all']),
    )


@pytest.mark.random
@pytest.mark.parametrize('seed', range(8))
def test_random_corpora(tmp_path, seed):
    dice = random.Random(seed)
    drafts = random_drafts(dice, dice.choice([5, 20, 60]), dice.choice([4, 20, 60]))
    shares = divide(dice, drafts, dice.randint(1, 4))
    names, pages = write_archives(tmp_path, shares, gzipped=dice.random() < 0.5)
    options = random_options(dice)
    line = [*arguments(options), '-q', '-r', 'inline', '-o', tmp_path / 'run']
    ended = run('quilts', *names, *line)
    assert ended == (0, '', '')
    assert tables_in(tmp_path / 'run') == Corpus(pages, options).tables()
