"""Crawls with dates, and the pairs of their sites in the plainest way there is.

Nothing here imports what it judges.
"""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

HEADER = 'a b chunks bytes a_share b_share a_first b_first'.split()


class Page(NamedTuple):
    """A page with the date of its capture; its chunks begin with `<p>`."""

    date: str
    url: str
    body: bytes

    @property
    def host(self) -> str:
        return self.url.split('/')[2]

    def chunks(self, longer_than: int = 100) -> set[bytes]:
        parts = re.split(b'(?=<p>)', self.body)
        return {part for part in parts if len(part) > longer_than}


def chunk(number: int) -> bytes:
    """A chunk that no other number has; the lengths are from 120 to 159 bytes."""
    text = f'<p>{number} {hashlib.sha256(b"%d" % number).hexdigest()}'
    return text.encode().ljust(120 + number % 40, b'.')


def write_archive(path: Path, pages: list[Page]) -> list[int]:
    """Write pages to a WARC that is not gzipped; return their offsets."""
    offsets, data = [], b''
    for page in pages:
        block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + page.body
        head = ['WARC/1.0', 'WARC-Type: response', f'WARC-Target-URI: {page.url}']
        head += [f'WARC-Date: {page.date}'] if page.date else []
        head += [f'Content-Length: {len(block)}', '', '']
        offsets.append(len(data))
        data += '\r\n'.join(head).encode() + block + b'\r\n\r\n'
    path.write_bytes(data)
    return offsets


def first_captures(pages: list[Page], host: str) -> dict[bytes, str]:
    """The chunks of a host, each with its first date; `9` if it has none."""
    first: dict[bytes, str] = {}
    for page in pages:
        for part in page.chunks() if page.host == host else ():
            first[part] = min(first.get(part, '9'), page.date or '9')
    return first


def find_rows(pages: list[Page], least: int = 10) -> list[tuple]:
    """The rows of the table of pairs."""
    hosts = sorted({page.host for page in pages})
    rows = []
    for number, a in enumerate(hosts):
        for b in hosts[number + 1 :]:
            of_a, of_b = first_captures(pages, a), first_captures(pages, b)
            shared = of_a.keys() & of_b.keys()
            dated = [s for s in shared if '9' not in (of_a[s], of_b[s])]
            if len(shared) < least:
                continue
            row = a, b, len(shared), sum(map(len, shared))
            shares = (f'{len(shared) / len(of):.9f}' for of in (of_a, of_b))
            earlier = sum(of_a[s] < of_b[s] for s in dated)
            later = sum(of_a[s] > of_b[s] for s in dated)
            rows.append((*row, *shares, earlier, later))
    return sorted(rows, key=lambda row: (-row[3], row[:2]))


def write_table(run: Path, rows: list[tuple]) -> None:
    """Write the table of pairs."""
    lines = ['\t'.join(map(str, row)) for row in [HEADER, *rows]]
    (run / 'pairs.tsv').write_text('\n'.join([*lines, '']))
