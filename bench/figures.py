"""The newest figures of results.jsonl, for tables and texts."""

import json
import math
from collections.abc import Callable, Iterable
from typing import Any

NAMES = {
    'floor': 'floor: C, 2 threads, libdeflate, libcrypto',
    'discover': '**`discover`, with the kernel**',
    'handwritten': 'handwritten: Python, FastWARC, 2 processes',
    'pure': '**`discover`, pure Python**',
    'pyspark': 'PySpark 3.5, FastWARC, one dict per archive',
    'plain': 'plain mrjob, `-r local`, one line per chunk',
}
DEBDOCS = 'dfc7c82e8f13f366'
CORPORA = '', DEBDOCS, 'synth-10GB'
MADE_FOR_IT = 'linear', 'hot', 'pages', 'small', 'scale'
SIZED = 'floor', 'discover', 'pure'
Line = dict[str, Any]
Rows = list[list[str]]


class Results:
    """The lines of results.jsonl that are of these corpora, the newest last."""

    def __init__(self, path: str):
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self._lines = [line for line in lines if corpus_of(line) in CORPORA]

    def newest(self, kind: str, wanted: Callable[[Line], object] = bool) -> Line:
        """The last line of a kind that is as wanted."""
        lines = (one for one in reversed(self._lines) if one.get('kind') == kind)
        return next(line for line in lines if wanted(line))

    def having(self, kind: str, *systems: str, **values: object) -> Line:
        """The last line of a kind that has some systems, and some values."""

        def wanted(line: Line) -> bool:
            return set(systems) <= set(line['systems']) and all(
                line.get(name) == value for name, value in values.items()
            )

        return self.newest(kind, wanted)


def corpus_of(line: Line) -> str:
    """Which corpus a line is of: the digest of a real one."""
    if line.get('kind') in MADE_FOR_IT:
        return ''
    corpus = line.get('corpus')
    return corpus['digest'] if isinstance(corpus, dict) else str(corpus)


def markdown(head: Iterable[str], rows: Rows) -> str:
    """A table; all but its first column are numbers.

    >>> markdown(['a', 'b'], [['x', '1']])
    '| a | b |\\n|---|--:|\\n| x | 1 |\\n'
    """
    head = list(head)
    lines = [head, ['---', *['--:'] * (len(head) - 1)], *rows]
    text = ['| ' + ' | '.join(line) + ' |\n' for line in lines]
    text[1] = text[1].replace(' ', '')
    return ''.join(text)


def slope(points: list[tuple[float, float]]) -> float:
    """Fit log y over log x by least squares: 1 is linear.

    >>> round(slope([(1, 2), (2, 4), (10, 20)]), 6)
    1.0
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    over = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return over / sum((x - mean_x) ** 2 for x, _ in logs)


def wall(line: Line, system: str) -> float:
    return min(line['systems'][system]['wall'])


def largest(line: Line, system: str) -> str:
    return f'{max(line["systems"][system]["process_mb"]):.0f}'


def usages(line: Line, names: dict[str, str]) -> str:
    base = next(iter(line['usages'].values()))['wall']
    rows = []
    for name, usage in line['usages'].items():
        rows.append(
            [
                names.get(name, name),
                f'{usage["wall"]:.1f}',
                f'{usage["wall"] / base:.2f}',
                f'{usage["cpu"]:.1f}',
                f'{usage["process_mb"]:.0f}',
            ]
        )
    return markdown(['', 'wall s', '× first', 'CPU s', 'largest process, MB'], rows)
