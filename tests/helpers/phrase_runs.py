"""Runs of `phrases` written by hand: what the report has to say of them is known."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import made_runs

made_runs.HEADERS |= {
    'near_duplicates': 'rid url kept_rid',
    'phrase_pages': 'rid url words popular',
    'phrases': 'documents positions phrase',
    'phrase_frequency': 'documents shingles',
    'phrase_hosts': 'host pages mean std monster',
    'covers': 'rid url popular sources foreign',
    'cover_sources': 'rid number source_rid source_url new shared foreign',
}
TABLES = (
    *('near_duplicates', 'phrase_pages', 'phrases', 'phrase_frequency'),
    *('phrase_hosts', 'covers', 'cover_sources'),
)
OPTIONS = {
    'captures': 'first',
    'covers': 50,
    'popular': 5,
    'scripts': 'keep',
    'seed': 0,
    'top': 1000,
    'types': 'html',
    'words': 'unicode',
}
COUNTS = (
    *('documents', 'words', 'kept', 'near_duplicates', 'wordless', 'classes'),
    *('popular_shingles', 'popular_phrases', 'hosts', 'listed', 'monsters'),
    *('sampled', 'unread', 'passed_over', 'compared_pairs', 'unlike_pairs'),
    'unread_pairs',
)
READ = {'counts': {'pages': 40, 'files': 50, 'bytes': 3_210_000}}
Rows = Iterable[Iterable[Any]]


def write_run(
    folder: Path, tables: Mapping[str, Rows], options=None, **counts: int
) -> Path:
    """Write a run with these tables and counts; others are empty and 0."""
    told = {'options': OPTIONS | (options or {}), 'steps': {}, 'damaged': []}
    made_runs.write(
        folder, READ, dict.fromkeys(TABLES, ()) | tables, systems={'phrases': told}
    )
    stats = {'phrases': dict.fromkeys(COUNTS, 0) | counts}
    (folder / 'stats.json').write_text(json.dumps(stats))
    return folder


def near_duplicate(number: int, host: str, kept: int) -> tuple[str, str, str]:
    """The row of a document that is left out; `kept` is the number of the one kept."""
    return f'a:{number}', f'http://{host}/{number}', f'a:{kept}'


def page(number: int, host: str, popular: int) -> tuple[str, str, int, int]:
    """The row of a document that is kept."""
    return f'a:{number}', f'http://{host}/{number}', 100, popular


# Of 20 documents, 7 are left out of 3 classes: of 5, 3 and 2 documents.
CLASSES = {
    'near_duplicates': [
        near_duplicate(20, 'b.test', 0),
        near_duplicate(21, 'b.test', 0),
        near_duplicate(22, 'a.test', 0),
        near_duplicate(23, 'c.test', 0),
        near_duplicate(24, 'b.test', 1),
        near_duplicate(25, 'd.test', 1),
        near_duplicate(26, 'd.test', 2),
    ],
    'phrase_pages': [
        page(0, 'a.test', 0),
        page(1, 'a.test', 84),
        page(2, 'd.test', 42),
        *(page(number, 'e.test', 41) for number in range(3, 13)),
    ],
}
CLASS_COUNTS = {'documents': 20, 'near_duplicates': 7, 'kept': 13, 'classes': 3}
