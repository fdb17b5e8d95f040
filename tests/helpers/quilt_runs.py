"""Runs with quilts made by hand: which words are whose is known."""

from pathlib import Path

import commands
from crawls import write_warc
from reviews import TRIES

SOURCES = 4
PASSAGE = 12  # words that the quilt has of each source
QUILT = 'http://quilt.test/page'
HOSTILE = 'http://hostile.test/"><script>alert(1)</script>'


def words(name: str, count: int) -> list[str]:
    """Words that are on no other page."""
    return [f'{name}{n}x' for n in range(count)]


def source_url(number: int) -> str:
    return f'http://source-{number}.test/'


def passage(number: int) -> list[str]:
    """What a quilt has of a source, from 1. The first one gives the most."""
    return words(f's{number}w', 40)[8 : 8 + PASSAGE + SOURCES - number]


def documents() -> list[tuple[str, bytes]]:
    """Four sources, and a quilt of them with some words of its own."""
    found = [
        (source_url(n), page(f'About {n}', ' '.join(words(f's{n}w', 40))))
        for n in range(1, SOURCES + 1)
    ]
    parts = [
        f'own{n} <b>{" ".join(passage(n))}</b> mine{n}' for n in range(1, SOURCES + 1)
    ]
    return [*found, (QUILT, page('A quilt', '<p>'.join(parts)))]


def page(title: str, body: str) -> bytes:
    return f'<title>{title}</title><p>{body}</p>'.encode()


def hostile_documents(copies: int = 4) -> list[tuple[str, bytes]]:
    """Sources and a quilt that try everything, in patches and between them."""
    found, parts = [], []
    for number, text in enumerate([*TRIES.values()][: 3 * copies]):
        mine = ' '.join(words(f'h{number}w', 60))
        shared = f'{mine} {text} \x1b[31m {mine.upper()}z \u202e'
        found.append((f'{HOSTILE}?{number}', page('h', shared).decode()))
        parts.append(shared)
    quilt = (HOSTILE, page('h', ' and own words here '.join(parts)).decode())
    return [(url, text.encode()) for url, text in [*found, quilt]]


def make_quilts(folder: Path, pages=None, *options) -> Path:
    """The run of `quilts` on some documents."""
    folder.mkdir(parents=True, exist_ok=True)
    crawl, run = folder / 'crawl.warc.gz', folder / 'run'
    write_warc(crawl, pages or documents())
    done = commands.run('quilts', crawl, '-o', run, '-q', *options)
    assert done.code == 0, done.err
    return run


def rows(run: Path, table: str) -> list[dict[str, str]]:
    """The rows of a table, by the names of their columns."""
    head, *lines = (run / f'{table}.tsv').read_text().splitlines()
    names = head.split('\t')
    return [dict(zip(names, line.split('\t'), strict=True)) for line in lines]
