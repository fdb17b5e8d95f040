"""Little crawls of pages that copy from each other, at random or by hand."""

import gzip
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from reference_quilts import Page

HOSTS = ['a.org', 'www.a.org', 'a.org:8080', 'b.net', 'c.net.', '192.0.2.7', '[::1]']
IPS = ['', '192.0.2.1', '192.0.2.2', '192.0.2.01', '2001:db8::1', '2001:DB8:0::1']
DATES = ['2020-01-02T03:04:05Z', '2019-01-02T03:04:05Z', '', '1970-01-01T00:00:00Z']


class Draft(NamedTuple):
    """A page to write."""

    url: str
    words: str | list[str]
    date: str = '2020-01-02T03:04:05Z'
    ip: str = ''
    media: str = 'text/html'
    kind: str = 'response'


def write_record(draft: Draft, body: bytes) -> bytes:
    """A record of WARC, with or without a date and an address."""
    http = b'HTTP/1.1 200 OK\r\nContent-Type: %b\r\n\r\n' % draft.media.encode()
    block = (http if draft.kind == 'response' else b'') + body
    lines = [
        'WARC/1.0',
        f'WARC-Type: {draft.kind}',
        f'WARC-Target-URI: {draft.url}',
        *([f'WARC-Date: {draft.date}'] if draft.date else []),
        *([f'WARC-IP-Address: {draft.ip}'] if draft.ip else []),
        f'Content-Length: {len(block)}',
    ]
    return '\r\n'.join([*lines, '', '']).encode() + block + b'\r\n\r\n'


def body_of(draft: Draft) -> bytes:
    """A body with these words, of which each second one is in a tag of its own."""
    words = draft.words.split() if isinstance(draft.words, str) else draft.words
    marked = [word if n % 2 else f'<b>{word}</b>' for n, word in enumerate(words)]
    if draft.kind == 'conversion' or draft.media == 'text/plain':
        return ' '.join(words).encode()
    return f'<!DOCTYPE html><html><body>{" ".join(marked)}</body></html>'.encode()


def write_archives(
    folder: Path, shares: Iterable[Sequence[Draft]], gzipped: bool = True
) -> tuple[list[str], list[Page]]:
    """Write an archive for each share of the pages; their names, and the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    names, pages = [], []
    for number, share in enumerate(shares):
        path = folder / (f'{number}.warc.gz' if gzipped else f'{number}.warc')
        data = b''
        for draft in share:
            record = write_record(draft, body_of(draft))
            words = draft.words
            words = words.split() if isinstance(words, str) else words
            rid = f'{path}:{len(data)}'
            pages.append(Page(rid, draft.url, list(words), draft.date, draft.ip))
            data += gzip.compress(record) if gzipped else record
        path.write_bytes(data)
        names.append(str(path))
    return names, pages


def random_drafts(dice: random.Random, size: int, vocabulary: int = 6) -> list[Draft]:
    """Pages of few words, many of which are pieces of others."""
    words = [f'w{n}' for n in range(vocabulary)]
    texts: list[list[str]] = []
    for _ in range(size):
        text: list[str] = []
        for _ in range(dice.randrange(5)):
            if texts and dice.random() < 0.7:
                source = dice.choice(texts)
                start = dice.randrange(len(source) + 1)
                text += source[start : start + dice.randrange(9)]
            else:
                text += dice.choices(words, k=dice.randrange(7))
        texts.append(text)
    hosts = dice.sample(HOSTS, dice.randint(1, len(HOSTS)))
    return [
        Draft(random_url(dice, hosts), text, dice.choice(DATES), dice.choice(IPS))
        for text in texts
    ]


def random_url(dice: random.Random, hosts: list[str]) -> str:
    """A URL of one of the hosts, or one without a host; several pages may share it."""
    if dice.random() < 0.1:
        return f'urn:x:{dice.randrange(5)}'
    return f'http://{dice.choice(hosts)}/{dice.randrange(12)}'


def divide(dice: random.Random, drafts: list[Draft], archives: int) -> list[list]:
    """Divide pages at random among archives, of which some may be empty."""
    shares: list[list[Draft]] = [[] for _ in range(archives)]
    for draft in drafts:
        dice.choice(shares).append(draft)
    return [share for share in shares if share]
