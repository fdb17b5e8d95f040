"""Little crawls of pages made from templates, at random or by hand."""

import gzip
import json
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from commands import run
from quilt_crawls import DATES, HOSTS, Draft, random_url, write_record
from reference_style_tables import TABLES, Body, Options, Parameters

KINDS = [('text/html', 'response')] * 20
KINDS += [('text/plain', 'response'), ('text/html', 'conversion')]
TAGS = ['p', 'div', 'td', 'b', 'h2', 'ul', 'LI', 'span']
PUNCTUATION = ', . ; : ! ? - ( ) / ~ é # $ % | &'.split(' ')

# Small input is worked on without forks; a test of forks has to ask for them.
FORKED = """
import sys
sys.argv[0] = '-m'
from mr_reuse.engine import chain
from mr_reuse.pages import planning
planning.SMALL_ARCHIVES = -1
chain.Step.__new__.__defaults__ = (-1, None, {})
from mr_reuse.styles.__main__ import main
sys.exit(main())
"""


def write_pages(
    folder: Path, shares: Iterable[Sequence[Draft]], gzipped: bool = True
) -> tuple[list[str], list[Body]]:
    """Write an archive for each share of the pages; their names, and the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    names, bodies = [], []
    for number, share in enumerate(shares):
        path = folder / (f'{number}.warc.gz' if gzipped else f'{number}.warc')
        data = b''
        for draft in share:
            kind = kind_of(draft)
            text = f'<!DOCTYPE html><html>{draft.words}</html>'
            # A conversion is none of a document even if it looks like HTML.
            body = (f'plain {draft.words}' if kind == 'plain' else text).encode()
            rid = f'{path}:{len(data)}'
            bodies.append(Body(rid, draft.url, body, draft.date, kind))
            record = write_record(draft, body)
            data += gzip.compress(record) if gzipped else record
        path.write_bytes(data)
        names.append(str(path))
    return names, bodies


def kind_of(draft: Draft) -> str:
    if draft.kind == 'conversion':
        return 'conversion'
    return 'html' if draft.media.startswith('text/html') else 'plain'


def make_template(dice: random.Random, size: int) -> list[str]:
    """Pieces of markup, with a gap for text after each."""
    pieces = []
    for _ in range(size):
        tag = dice.choice(TAGS)
        signs = ''.join(dice.choices(PUNCTUATION, k=dice.randrange(9)))
        pieces.append(f'<{tag} {dice.choice(["a=", "b-c="])}"{signs}">')
    return pieces


def fill_in(dice: random.Random, template: list[str]) -> str:
    """A page of a template: words in the gaps, and some markup of its own."""
    words = (dice.choice(['word', 'x1', 'größe', '', 'Zz']) for _ in template)
    parts = [p + word for p, word in zip(template, words, strict=True)]
    for _ in range(dice.randrange(4)):
        own = ''.join(make_template(dice, dice.randint(1, 6)))
        parts.insert(dice.randrange(len(parts) + 1), own)
    return ''.join(parts)


def random_pages(dice: random.Random, size: int) -> list[Draft]:
    """Pages of templates, some of which have pieces of others, and pages of none."""
    templates = [make_template(dice, dice.choice([2, 8, 25, 40])) for _ in range(4)]
    templates += [templates[0][:9] + templates[1][:9]]
    hosts = dice.sample(HOSTS, dice.randint(1, len(HOSTS)))
    drafts = []
    for number in range(size):
        template = dice.choice(templates)
        if dice.random() < 0.2:
            template = make_template(dice, dice.choice([1, 5, 20]))
        media, kind = dice.choice(KINDS)
        url = f'http://{dice.choice(hosts)}/own/{number}'
        if dice.random() < 0.2:
            url = random_url(dice, hosts)
        text = fill_in(dice, template)
        drafts.append(Draft(url, text, dice.choice(DATES), '', media, kind))
    return drafts


def random_options(dice: random.Random) -> Options:
    m = dice.choice([128, 128, 128, 64, 50])
    return Options(
        n=dice.choice([32, 32, 8, 100]),
        m=m,
        t=dice.choice([m * 35 // 128, m // 2, 3, m]),
        p=dice.choice([20, 20, 1, m]),
        key_bits=dice.choice([16, 16, 8, 12, 24, 64]),
        normalize_empty=dice.random() < 0.4,
        preprocessor=dice.choice(['noise', 'noise', 'tags', 'full']),
        ignore=dice.choice([None, None, Fraction(1, 2), Fraction(1, 4), Fraction(0)]),
        captures=dice.choice(['first', 'last', 'all']),
    )


def arguments(options: Options) -> list[str]:
    """The command line that says these options, but for those with their default."""
    line = []
    for name, value in options._asdict().items():
        if value != Options._field_defaults[name]:
            text = str(float(value)) if name == 'ignore' else str(value)
            option = f'--{name.replace("_", "-")}'
            line.append(option if value is True else f'{option}={text}')
    return line


def read_parameters(options: Options) -> Parameters:
    """What `styles parameters` prints."""
    named = {k: getattr(options, k) for k in ('n', 'm', 'p', 'key_bits')}
    line = [f'--{name.replace("_", "-")}={value}' for name, value in named.items()]
    done = run('styles', 'parameters', *line)
    assert (done.code, done.err) == (0, '')
    return Parameters(done.out)


def styles(names: list[str], out: Path, *options, runner='inline') -> dict:
    """Run the command without any message; the counts of stats.json."""
    line = ['-q', '-r', runner, '-o', out, '--force']
    assert run('styles', *names, *options, *line) == (0, '', '')
    return json.loads((out / 'stats.json').read_text())['styles']


def tables_in(run_folder: Path) -> dict[str, bytes]:
    return {name: (run_folder / name).read_bytes() for name in TABLES}


def rows(table: bytes) -> list[list[str]]:
    """The rows of a table without its header."""
    return [line.split('\t') for line in table.decode().splitlines()[1:]]
