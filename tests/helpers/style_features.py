"""A crawl of two programs whose features are known, and of pages of others."""

import random
from pathlib import Path

from quilt_crawls import Draft
from style_crawls import make_template, styles, write_pages

FORUM, SHOP = 'MiniForum 2.1', 'Shöp'
SIGNS = '. , ; : ! ? - ( ) / ~ # $ % | &'.split()
HOSTILE = '\u202e<script>alert(1)</script>'


def signs(seed: str, count: int = 400) -> str:
    """Punctuation that makes pages of one program alike."""
    dice = random.Random(seed)
    return ''.join(dice.choices(SIGNS, k=count))


def forum_page(number: int) -> str:
    """A page of a forum: its rows differ in number, and its version as well."""
    rows = '<tr class="row odd"><td><a href="x">' * (1 + number % 5)
    own = f'<em class="own-{number}">' if number % 3 == 0 else ''
    return (
        f'<head><meta name="generator" content="{FORUM}.{number % 2}"></head>'
        f'<body><div class="forum-head">{signs("forum")}</div>{own}'
        f'<table class="topics">{rows}</table><h1>{number}</h1>'
        '<div class="forum-foot"><address></body>'
    )


def shop_page(number: int) -> str:
    """A page of a shop."""
    return (
        f'<head><meta content="{SHOP}" name=Generator></head>'
        f'<body><div class="basket {HOSTILE.replace(" ", "-")}">{signs("shop")}'
        f'<p>{number}<span class="price"><div class="foot">'
    )


def drafts(forums: int = 12, shops: int = 3, others: int = 8) -> list[Draft]:
    """Pages of forums on domains of their own, of a shop, and of nobody."""
    dice = random.Random(5)
    found = [
        Draft(f'http://www.f{n}.org/board/view{n}.php?t={n}', forum_page(n))
        for n in range(forums)
    ]
    found += [Draft(f'http://shop.net/{n}/', shop_page(n)) for n in range(shops)]
    for n in range(others):
        text = '<body><p class="lead">' + ''.join(make_template(dice, 30))
        found.append(Draft(f'http://o{n}.com/index.html', f'{text}<h1>'))
    return found


def make_run(folder: Path, *options, found: list[Draft] | None = None):
    """A run of styles; its folder, the archives, and the pages."""
    found = drafts() if found is None else found
    names, bodies = write_pages(folder / 'crawl', [found[::2], found[1::2]])
    styles(names, folder / 'run', *options)
    return folder / 'run', names, bodies


def rows_of(run: Path, table: str) -> list[list[str]]:
    """The rows of a table without its header."""
    lines = (run / f'{table}.tsv').read_text(errors='surrogateescape').split('\n')
    return [line.split('\t') for line in lines[1:-1]]
