"""Little crawls at random: odd URLs and dates, each URL many times; for tests only."""

import gzip
import random
from pathlib import Path

from reference_sites import Record

HOSTS = [
    'http://a.example', 'http://A.Example:80', 'https://a.example:80',
    'http://www.a.example', 'http://me:pw@a.example', 'https://me@b.example:8443',
    'https://b.example:8443', 'https://B.example:443', 'http://b.co.example',
    'http://c.b.co.example', 'http://192.0.2.7', 'http://192.0.2.7:81',
    'http://[2001:DB8::1]:8080', 'http://[2001:db8::1]:80', 'metadata://c.example',
]  # fmt: skip
SUFFIXES = {'example', 'co.example'}  # of the hosts above, where a rule says so
PATHS = ['/', '/x/1.html', '/x/1.html?a=/b/', '/x/y/2', '/x//y/2', '/z z/ü', '']
NO_HOST = ['dns:a.example', 'urn:x:1', 'urn:x:2']
LOOP = 'http://a.example' + '/d' * 97
DATES = [
    '2019-01-02T03:04:05Z', '2019-01-02T03:04:05Z', '2019-01-02T03:04:06Z',
    '2019-03-01T00:00:00Z', '2021-12-31T23:59:59Z', '1970-01-01T00:00:00Z',
    '2019-02-30T00:00:00Z', '',
]  # fmt: skip
NO_PAGES = [b'', b'\x89PNG\r\n\x1a\n<p>' + b'x' * 120, b'a\0<p>' + b'y' * 120]
LEAST = [b'<p>%d ' % n + b'z' * (96 - len(b'%d' % n)) for n in (7, 8)]  # of 100 bytes
KINDS = ['response', 'response', 'response', 'resource', 'conversion']


def paragraphs() -> list[bytes]:
    return [b'<p>%d ' % n + b'lorem ipsum ' * (9 + n % 5) for n in range(36)] + LEAST


def body(dice: random.Random) -> bytes:
    if dice.random() < 0.15:
        return dice.choice(NO_PAGES)
    return b''.join(dice.choices(paragraphs(), k=dice.randint(1, 24)))


def url(dice: random.Random) -> str:
    if dice.random() < 0.12:
        return dice.choice([*NO_HOST, '', '', LOOP])
    return dice.choice(HOSTS) + dice.choice(PATHS)


def odd_crawl(folder: Path, seed: int) -> tuple[list[str], list[Record]]:
    """Write two archives and, to some crawls, a folder of pages; names and records.

    A record without a URL is damage and costs nothing but itself.
    """
    dice = random.Random(seed)
    folder.mkdir(parents=True)
    names, records = [], []
    urls = [url(dice) for _ in range(dice.choice([4, 15, 40]))]
    for name in ('b.warc.gz', 'a.warc'):
        names.append(str(folder / name))
        count = dice.randint(10, 40)
        documents = [
            (dice.choice(KINDS), dice.choice(urls), dice.choice(DATES), body(dice))
            for _ in range(count)
        ]
        records += write_odd(folder / name, documents)
    if seed % 2:
        names.append(str(folder / 'a.example'))
        records += write_pages(folder / 'a.example', dice)
    return names, [record for record in records if record.url]


def write_odd(path: Path, documents) -> list[Record]:
    """Write records that may lack a URL or a date, which no library would do."""
    records = []
    with open(path, 'wb') as file:
        for number, (kind, url, date, content) in enumerate(documents):
            records.append(Record(str(path), file.tell(), url, date, content))
            record = odd_record(kind, url, date, content, number)
            file.write(gzip.compress(record) if path.suffix == '.gz' else record)
    return records


def odd_record(kind: str, url: str, date: str, content: bytes, number: int) -> bytes:
    block, media_type = content, 'text/plain'
    if kind == 'response':
        media_type = 'application/http; msgtype=response'
        block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + content
    fields = {
        'WARC-Type': kind,
        'WARC-Target-URI': url,
        'WARC-Date': date,
        'WARC-Record-ID': f'<urn:x-test:{number}>',
        'Content-Type': media_type,
        'Content-Length': str(len(block)),
    }
    lines = ['WARC/1.0', *(f'{key}: {text}' for key, text in fields.items() if text)]
    return '\r\n'.join([*lines, '', '']).encode() + block + b'\r\n\r\n'


def write_pages(folder: Path, dice: random.Random) -> list[Record]:
    """Write pages of files; the folder has the name of a host of the archives."""
    records = []
    for name in ('x/1.html', 'x/y/2', 'x/1.htm'):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = b''.join(dice.choices(paragraphs(), k=20))
        path.write_bytes(text)
        page = f'{folder.name}/{name}'
        records.append(Record(str(path), 0, page, '', text, str(folder)))
    return records
