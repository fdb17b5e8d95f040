"""Little crawls of pages that share phrases, at random or by hand."""

import gzip
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from commands import run
from quilt_crawls import DATES, HOSTS, IPS, Draft, random_url, write_record
from reference_phrase_tables import TABLES, Options, Text

# Between the words of a page, of which most are spaces.
GAPS = [' '] * 20 + [', ', '<br>', '<!-- of no page -->', '</p>\n<p>', '\u00a0', '-']
SCRIPT = '<script>var {} = "{}";</script>'
# Types and kinds of records, most of them responses with HTML.
KINDS = [('text/html', 'response')] * 20
KINDS += [('text/plain', 'response'), ('text/html', 'conversion')]
ODD = ['größe', 'e\u0301tude', 'ΣΊΣΥΦΟΣ', '語学', 'ไทย', 'x_y', '٣', 'İstanbul']


def write_texts(
    folder: Path, shares: Iterable[Sequence[Draft]], gzipped: bool = True
) -> tuple[list[str], list[Text]]:
    """Write an archive for each share of the pages; their names, and the pages.

    The words of a draft are its text; HTML has markup in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names, texts = [], []
    for number, share in enumerate(shares):
        path = folder / (f'{number}.warc.gz' if gzipped else f'{number}.warc')
        data = b''
        for draft in share:
            kind = kind_of(draft)
            text = (
                draft.words if isinstance(draft.words, str) else ' '.join(draft.words)
            )
            text = f'<!DOCTYPE html><html>{text}</html>' if kind == 'html' else text
            record = write_record(draft, text.encode())
            rid = f'{path}:{len(data)}'
            texts.append(Text(rid, draft.url, text, draft.date, draft.ip, kind))
            data += gzip.compress(record) if gzipped else record
        path.write_bytes(data)
        names.append(str(path))
    return names, texts


def kind_of(draft: Draft) -> str:
    if draft.kind == 'conversion':
        return 'conversion'
    return 'html' if draft.media.startswith('text/html') else 'plain'


def random_pages(dice: random.Random, size: int) -> list[Draft]:
    """Pages of templates with other words in places, of pieces of others, and others.

    Some are near-duplicates, and most have phrases that several others have.
    """
    vocabulary = [f'w{n}' for n in range(dice.choice([4, 30, 300]))]
    templates = [
        dice.choices(vocabulary, k=dice.choice([1, 3, 12, 40, 90])) for _ in range(4)
    ]
    hosts = dice.sample(HOSTS, dice.randint(1, len(HOSTS)))
    drafts = []
    for number in range(size):
        words = random_words(dice, templates, vocabulary)
        media, kind = dice.choice(KINDS) if words else KINDS[0]
        url = random_url if dice.random() < 0.2 else own_url
        drafts.append(
            Draft(
                url(dice, hosts) + (f'/{number}' if url == own_url else ''),
                ' '.join(words) if media == 'text/plain' else markup(dice, words),
                dice.choice(DATES),
                dice.choice(IPS),
                media,
                kind,
            )
        )
    return drafts


def own_url(dice: random.Random, hosts: list[str]) -> str:
    return f'http://{dice.choice(hosts)}/own'


def random_words(
    dice: random.Random, templates: list[list[str]], vocabulary: list[str]
) -> list[str]:
    """The words of a page, which are none now and then."""
    words = list(dice.choice(templates))
    match dice.randrange(6):
        case 0:  # fill in the blanks
            for at in range(0, len(words), 9):
                words[at] = dice.choice(vocabulary)
        case 1:  # slice and dice
            words = []
            for template in dice.choices(templates, k=3):
                start = dice.randrange(len(template))
                words += template[start : start + 25]
        case 2:
            start = dice.randrange(len(words))  # rotate
            words = words[start:] + words[:start]
        case 3:
            words[dice.randrange(len(words))] = dice.choice([*vocabulary, *ODD])
        case 4:
            words = dice.choices(vocabulary, k=dice.choice([0, 1, 5, 30]))
    return words


def markup(dice: random.Random, words: list[str]) -> str:
    """Words with markup between them, and now and then in a script."""
    text = ''.join(word + dice.choice(GAPS) for word in words)
    if dice.random() < 0.1:
        text += SCRIPT.format(*dice.choices(words or ['x'], k=2))
    return text


def random_options(dice: random.Random) -> Options:
    return Options(
        popular=dice.choice([1, 2, 3, 5, 5]),
        top=dice.choice([1, 7, 40, 1000]),
        covers=dice.choice([1, 3, 50]),
        covers_of=dice.choice(['', '', '', *HOSTS[:3]]),
        seed=dice.choice([0, 0, 7, 123456]),
        verify=dice.choice(['', '', '0', '0.5', '0.9', '1']),
        captures=dice.choice(['first', 'last', 'all']),
        types=dice.choice(['html', 'text']),
        scripts=dice.choice(['keep', 'keep', 'drop']),
        words=dice.choice(['unicode', 'unicode', 'paper']),
    )


def arguments(options: Options) -> list[str]:
    """The command line that says these options, but for those with their default."""
    return [
        f'--{name.replace("_", "-")}={value}'
        for name, value in options._asdict().items()
        if value != Options._field_defaults[name]
    ]


def phrases(names: list[str], out: Path, *options) -> dict:
    """Run the command; the counts of stats.json.

    It prints nothing, except a warning if no page of a host has a cover.
    """
    line = ['-q', '-r', 'inline', '-o', out, '--force']
    code, printed, warning = run('phrases', *names, *options, *line)
    assert (code, printed) == (0, '')
    counts = json.loads((out / 'stats.json').read_text())['phrases']
    of_host = any('--covers-of=' in option for option in options)
    if of_host and not counts['sampled']:
        assert warning.startswith('warning: --covers-of ') and warning.count('\n') == 1
    else:
        assert not warning
    return counts


def tables_in(run_folder: Path) -> dict[str, bytes]:
    return {name: (run_folder / name).read_bytes() for name in TABLES}


def rows(table: bytes) -> list[list[str]]:
    """The rows of a table without its header."""
    return [line.split('\t') for line in table.decode().splitlines()[1:]]
