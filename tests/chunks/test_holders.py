"""Hosts that have labels of a page, against counting them, in bounded memory."""

import random
import tracemalloc
from pathlib import Path

import numpy as np
import pybase64 as base64

from mr_reuse.chunks.detect.matching import IN_FURTHER, NO_LABELS, Match
from mr_reuse.chunks.profiles.holders import find_holders
from mr_reuse.shuffle import sorting

LABELS = [3, 5, 8, 2**33]


def pack(labels) -> bytes:
    payload = np.array(sorted(labels), '>u8').tobytes() + b'\1\0\0\0' * len(labels)
    return NO_LABELS + base64.b64encode(payload)


def write_part(folder: Path, pages) -> list[str]:
    """The lines of pages: number, URL, labels; one with many labels has more lines."""
    lines = []
    for number, url, labels in pages:
        page = Match(b'a:%d' % number, url, b'', len(labels), 99, pack(labels))
        if len(labels) > 3:
            further = page._replace(total=None, bad=2)
            lines.append(page._replace(labels=IN_FURTHER))
            for n, some in enumerate((labels[:2], labels[2:]), 1):
                lines.append(further._replace(labels=pack(some), line=n))
        else:
            lines.append(page)
    name = folder / 'part-00000'
    name.write_bytes(b''.join(b'\t'.join(p.to_line()) + b'\n' for p in lines))
    return [str(name)]


def make_pages(count: int, hosts: int):
    dice = random.Random(5)
    for number in range(count):
        url = b'http://h%d.org/%d' % (dice.randrange(hosts), number)
        yield number, url, dice.sample([*LABELS, 1, 4, 9], dice.randrange(6))


def test_hosts_and_their_best_pages(tmp_path, monkeypatch):
    pages = list(make_pages(900, 70))
    held: dict[str, dict[str, set[int]]] = {}
    for number, url, labels in pages:
        if found := set(labels) & set(LABELS):
            host, page = url.decode().split('/')[2], f'{url.decode()} a:{number}'
            held.setdefault(host, {})[page] = found
    del held['h7.org']
    of_host = {host: set().union(*found.values()) for host, found in held.items()}
    monkeypatch.setattr(sorting, 'IN_MEMORY', 1000)
    found = find_holders(
        write_part(tmp_path, pages), LABELS, lambda host: host != 'h7.org'
    )
    assert found.hosts == len(held)
    assert found.counts == [
        sum(label in labels for labels in of_host.values()) for label in LABELS
    ]
    ranked = sorted(of_host, key=lambda host: (-len(of_host[host]), host))[:20]
    assert [holder.host for holder in found.first] == ranked
    for host, labels, url, rid in found.first:
        bits = {LABELS.index(label) for label in of_host[host]}
        assert labels == sum(1 << bit for bit in bits)
        best = min(held[host], key=lambda page: (-len(held[host][page]), page.split()))
        assert f'{url} {rid}' == best


def test_memory(tmp_path, monkeypatch):
    """Ten thousand hosts would take a kilobyte each."""
    monkeypatch.setattr(sorting, 'IN_MEMORY', 100_000)
    parts = write_part(
        tmp_path, ((n, b'http://h%d.org/' % n, [3, 5]) for n in range(30_000))
    )
    tracemalloc.start()
    assert find_holders(parts, LABELS, lambda host: True).hosts == 30_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12_000_000
