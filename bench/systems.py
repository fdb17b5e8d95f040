"""The systems that are compared: how each is started, and what it found."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from measure import apart

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = '{python} -m mr_reuse.discover -r local {archives} -o {out}/run -q --force'
OF_DOCUMENTS = (
    '{{python}} -m mr_reuse.{} -r local {{archives}} -o {{out}}/run -q --force '
    '--captures all'
)
PHRASES, QUILTS, STYLES = map(OF_DOCUMENTS.format, ('phrases', 'quilts', 'styles'))
TEMPLATES = {
    'floor': '{bench}/floor {threshold} {out}/chunks.tsv {archives}',
    'floor16': '{bench}/floor16 {threshold} {out}/chunks.tsv {archives}',
    'handwritten': '{python} {bench}/handwritten.py {threshold} {out}/chunks.tsv '
    '{archives}',
    'duckdb': '{python} {bench}/duckdb_counting.py {threshold} {out}/chunks.tsv '
    '{archives}',
    'pyspark': '{python} {bench}/pyspark_fastwarc.py {threshold} {out}/chunks.tsv '
    '{archives}',
    'plain': '{python} {bench}/plain.py {threshold} {out}/chunks.tsv {archives}',
    'pure': f'env MR_REUSE_PURE=1 {OURS} --threshold {{threshold}}',
    'discover': f'{OURS} --threshold {{threshold}}',
    'phrase_floor': '{bench}/phrase_floor {bench}/phrase_floor.tables '
    '{out}/counts.json {archives}',
    'pure_phrases': f'env MR_REUSE_PURE=1 {PHRASES}',
    'phrases': PHRASES,
    'quilt_floor': '{bench}/quilt_floor {bench}/phrase_floor.tables '
    '{out}/counts.json {archives}',
    'pure_quilts': f'env MR_REUSE_PURE=1 {QUILTS}',
    'quilts': QUILTS,
    'rensa': '{python} {bench}/near_duplicates.py rensa {out}/counts.json {archives}',
    'datasketch': '{python} {bench}/near_duplicates.py datasketch {out}/counts.json '
    '{archives}',
    'style_floor': '{bench}/style_floor {bench}/style_floor.parameters '
    '{out}/counts.json {archives}',
    'pure_styles': f'env MR_REUSE_PURE=1 {STYLES}',
    'styles': STYLES,
}
RESULTS = {
    'floor': 'chunks.tsv',
    'floor16': 'chunks.tsv',
    'duckdb': 'chunks.tsv',
    'handwritten': 'chunks.tsv',
    'pyspark': 'chunks.tsv',
    'plain': 'chunks.tsv',
    'pure': 'run/labels.tsv',
    'discover': 'run/labels.tsv',
    'phrase_floor': 'counts.json',
    'pure_phrases': 'run/stats.json',
    'phrases': 'run/stats.json',
    'quilt_floor': 'counts.json',
    'pure_quilts': 'run/stats.json',
    'quilts': 'run/stats.json',
    'rensa': 'counts.json',
    'datasketch': 'counts.json',
    'style_floor': 'counts.json',
    'pure_styles': 'run/stats.json',
    'styles': 'run/stats.json',
}
OF_PHRASES = ['phrase_floor', 'pure_phrases', 'phrases']
OF_QUILTS = ['quilt_floor', 'pure_quilts', 'quilts']
OF_STYLES = ['style_floor', 'pure_styles', 'styles']
KINDS = dict.fromkeys(OF_PHRASES, 'phrases') | dict.fromkeys(OF_QUILTS, 'quilts')
KINDS |= dict.fromkeys(OF_STYLES, 'styles')
# Counts that the systems of a kind have to find; the last one is shown.
COUNTS = {
    'phrases': (
        *('documents', 'words', 'wordless', 'near_duplicates', 'classes', 'kept'),
        *('entries', 'popular_shingles'),
    ),
    'quilts': (
        *('documents', 'words', 'wordless', 'with_grams', 'grams', 'distinct'),
        *('candidates', 'sources', 'quilts'),
    ),
    'styles': (
        *('documents', 'without_style', 'members', 'largest', 'left_out'),
        'styles',
    ),
}
FLOORS = ['floor', 'floor16', 'phrase_floor', 'quilt_floor', 'style_floor']
UNCOMPARED = ['rensa', 'datasketch']  # their hashes are others, so the counts differ
USUAL = ['floor', 'floor16', 'handwritten', 'pure', 'discover']


def build_floors() -> None:
    """Compile the floors, unless they are newer than their sources."""
    command = ['make', '-s', '-C', HERE, f'PYTHON={sys.executable}']
    made = subprocess.run(command, check=False)
    if made.returncode:
        sys.exit('error: the floors could not be built')


def command(template: str, values: dict[str, str], archives: list[str]) -> list[str]:
    """Fill a template; each archive is a word of its own.

    >>> command('{python} x {archives} -o {out}', {'python': 'py', 'out': '/a b'},
    ...         ['1', '2'])
    ['py', 'x', '1', '2', '-o', '/a b']
    """
    words = []
    for word in shlex.split(template):
        words += archives if word == '{archives}' else [word.format(**values)]
    return words


def found_by(name: str, out: str) -> tuple[str, int]:
    """Digest and number of the (hash, length, copies) that a system has found.

    Of phrases, quilts and styles they are counts, and the last of these. Of other
    packages for near-duplicates, the number of these.
    """
    if name in UNCOMPARED or name in KINDS:
        with open(os.path.join(out, RESULTS[name])) as file:
            found = json.load(file)
        if name in UNCOMPARED:
            return json.dumps(found), found['near_duplicates']
        if RESULTS[name].startswith('run/'):
            found = found[KINDS[name]]
        counts = {key: found[key] for key in COUNTS[KINDS[name]]}
        return json.dumps(counts), list(counts.values())[-1]
    return apart(digest_rows, os.path.join(out, RESULTS[name]))


def told_by(name: str, out: str) -> dict[str, Any]:
    """Seconds of each step, and bytes through the largest shuffle, of a run of ours."""
    if not RESULTS[name].startswith('run/'):
        return {}
    with open(os.path.join(out, 'run', 'run.json')) as file:
        record = json.load(file)
    kind = KINDS.get(name)
    steps = record['systems'][kind]['steps'] if kind else record['steps']
    counters = [step['counters'].get('mr_reuse', {}) for step in steps.values()]
    return {
        'seconds': {step: told['seconds'] for step, told in steps.items()},
        'shuffled': max(counter.get('bytes shuffled', 0) for counter in counters),
    }


def digest_rows(path: str) -> tuple[str, int]:
    """Digest a table in whatever order its rows are."""
    found = sorted(rows(path))
    whole = hashlib.sha256(b''.join(b'%b\t%b\t%b\n' % row for row in found))
    return whole.hexdigest()[:16], len(found)


def rows(path: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Read hash, length and copies; a large table is a folder of sorted parts."""
    names = [path]
    if os.path.isdir(path):
        names = [os.path.join(path, name) for name in sorted(os.listdir(path))]
    for name in names:
        with open(name, 'rb') as file:
            for line in file:
                row = line.rstrip(b'\n').split(b'\t', 3)[:3]
                if row[0] != b'hash':
                    yield tuple(row)
