"""Little crawls with revisits, written by hand or at random; for tests only."""

import gzip
import random
from pathlib import Path

from reference import Page
from reference_revisits import Stored, payload_digest

URLS = [f'http://{host}/{name}' for host in ('a.org', 'b.org') for name in 'xyz']
TEXTS = [b'<p>%d ' % n + b'a text that is copied ' * 9 for n in range(5)]
PICTURE = b'\x89PNG\r\n\x1a\n<p>'
PROFILE = 'http://netpreserve.org/warc/1.1/revisit/'
STATUS = {200: 'OK', 304: 'Not Modified', 404: 'Not Found'}


def date(number: int) -> str:
    return f'2020-01-01T00:00:{number:02}Z'


def http(body: bytes, status: int = 200) -> bytes:
    head = f'HTTP/1.1 {status} {STATUS[status]}\r\nContent-Type: text/html\r\n\r\n'
    return head.encode() + body


def record_of(stored: Stored) -> bytes:
    """The bytes of a record; what it lacks is left out."""
    page, status = stored.page, stored.status
    block = http(page.body, status) if status else b''
    fields = {
        'WARC-Type': 'revisit' if stored.is_revisit else 'response',
        'WARC-Target-URI': page.url,
        'WARC-Date': page.date,
        'WARC-Record-ID': stored.id and f'<{stored.id}>',
        'WARC-Payload-Digest': stored.digest,
        'WARC-Refers-To': stored.refers_to and f'<{stored.refers_to}>',
        'WARC-Refers-To-Target-URI': stored.refers_to_url,
        'WARC-Refers-To-Date': stored.refers_to_date,
        'Content-Length': str(len(block)),
    }
    if stored.is_revisit:
        kind = 'server-not-modified' if status == 304 else 'identical-payload-digest'
        fields['WARC-Profile'] = PROFILE + kind
    lines = ['WARC/1.0', *(f'{k}: {v}' for k, v in fields.items() if v), '', '']
    return '\r\n'.join(lines).encode() + block + b'\r\n\r\n'


def write(path: Path, records: list[Stored]) -> list[Stored]:
    """Write an archive; the records with their places in it."""
    placed, data = [], b''
    for record in records:
        page = record.page._replace(archive=str(path), offset=len(data))
        placed.append(record._replace(page=page))
        text = record_of(record)
        data += gzip.compress(text, mtime=0) if path.suffix == '.gz' else text
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return placed


def response(url: str, body: bytes, when: int, **more) -> Stored:
    page = Page('', 0, url, body, date(when))
    return Stored(page, **({'digest': payload_digest(body)} | more))


def revisit(url: str, when: int, **more) -> Stored:
    return Stored(Page('', 0, url, b'', date(when)), is_revisit=True, **more)


def random_crawl(
    folder: Path, seed: int, texts=TEXTS
) -> tuple[list[str], list[Stored]]:
    """Write two archives of pages and revisits in all forms; names and records."""
    dice = random.Random(seed)
    ids = [f'urn:x:{n}' for n in range(9)] + ['']  # few, so that some are repeated
    digests = [payload_digest(text) for text in texts]
    names, records = [], []
    for name in ('a.warc.gz', 'b.warc'):
        drawn = []
        for _ in range(dice.randint(3, 9)):
            url, when = dice.choice(URLS), dice.randint(1, 9)
            if dice.random() < 0.6:
                parts = dice.choices(texts, k=dice.randint(0, 3))
                body = dice.choice([b''.join(parts), parts[0] if parts else PICTURE])
                drawn.append(response(url, body, when, id=dice.choice(ids)))
                continue
            digest = dice.choice(['', '', *digests])
            drawn.append(
                revisit(
                    url,
                    when,
                    id=dice.choice(ids),
                    digest=dice.choice([digest, digest.upper()]),
                    refers_to=dice.choice([*ids, '', '']),
                    refers_to_url=dice.choice([*URLS, '', '']),
                    refers_to_date=dice.choice([date(dice.randint(1, 9)), '']),
                    status=dice.choice([0, 200, 304, 404]),
                )
            )
        names.append(str(folder / name))
        records += write(folder / name, drawn)
    return names, records
