"""Runs written by hand: only what a report reads of them, with values one can check."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HEADERS = {
    'labels': 'hash length copies pages hosts example_url preview',
    'file_labels': 'hash length copies hosts example_url',
    'frequency': 'unit copies objects',
    'pairs': 'a b chunks bytes a_share b_share a_first b_first',
    'bad_neighborhoods': 'prefix level pages bad total pooled mean',
    'origins': 'neighborhood other shared share first_here first_there '
    'earlier_here earlier_there same_time chunk_share',
    'links': 'source target links pages',
    'rings': 'ring sites site',
    'links_unread': 'archive pages',
}
MADE_OF = {
    'hash': 'sha1',
    'delimiters': 'p,div',
    'normalize': 'none',
    'compat': 'none',
    'filter': [],
    'recursion': 'length',
}
RULE = {
    'levels': 'all',
    'ratio': 'pooled',
    'page_threshold': None,
    'neighborhood_threshold': None,
    'sigmas': '1',
    'per_level': False,
    'rank': 'ratio',
    'top': None,
    'min_bad': 0,
    'min_chunks': 1,
}
DISCOVERED = {
    'counts': '02-counts',
    'threshold': 10,
    'reason': 'as given',
    'options': {'min_len': 100},
    'labels': {'chunk': {'labels': 0}, 'file': {'labels': 0}},
}


def table(folder: Path, name: str, rows: Iterable[Iterable[Any]]) -> None:
    """A table, with its header."""
    lines = ['\t'.join(HEADERS[name].split()), *('\t'.join(map(str, r)) for r in rows)]
    data = '\n'.join([*lines, '']).encode('utf-8', 'surrogateescape')
    (folder / f'{name}.tsv').write_bytes(data)


def write(folder: Path, read: dict[str, Any], tables: dict[str, Any], **more) -> Path:
    """A run with an account of what was read, some tables, and more in its record."""
    (folder / '01-pages').mkdir(parents=True)
    record = {
        'finished': True,
        'version': '0.1.0',
        'run': str(folder),
        'options': {},
        'made_of': MADE_OF,
        'inputs': ['a.warc.gz'],
        'paths': {'a.warc.gz': '/nowhere/a.warc.gz'},
        'pages': ['01-pages'],
        'rows': 1,
        'read': {'counts': {}} | read,
        'damaged': [],
        'steps': {},
    }
    (folder / 'run.json').write_text(json.dumps(record | more))
    (folder / 'inputs.txt').write_text('1\ta.warc.gz\n')
    for name, rows in tables.items():
        table(folder, name, rows)
    return folder


def detected(**more) -> dict[str, Any]:
    """What the record of a run says of detect."""
    told = {'labels': '/nowhere/x.mrl', 'labels_digest': '', 'matches': '04-matches'}
    return told | {'level': 1, 'levels': 'all', 'rule': RULE} | more


def stats(folder: Path, pages: list[int], hoods: list[int], **more) -> None:
    """The statistics of pages and neighborhoods with these histograms of percents."""
    moments = {'count': sum(hoods), 'mean': 0.1, 'deviation': 0.05}
    told = {
        'pages': {
            'pages': sum(pages) + 3,
            'histogram': pages,
            'bad': 1,
            'threshold': 0.5,
            **moments,
        },
        'neighborhoods': {
            'histogram': hoods,
            'bad': 1,
            'threshold': 0.15,
            'ratio': 'pooled',
            'neighborhoods': sum(hoods) + 1,
            'by_level': {
                '1': {'neighborhoods': 2, 'bad': 1, 'threshold': 0.15, **moments}
            },
            'pooled': moments,
            'mean': moments,
            **more,
        },
    }
    (folder / 'stats.json').write_text(json.dumps(told))


def histogram(**counts: int) -> list[int]:
    """Counts by percent: histogram(p0=5, p99=1)."""
    return [counts.get(f'p{number}', 0) for number in range(101)]
