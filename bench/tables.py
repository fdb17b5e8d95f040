"""Makes the figures of README.md and docs/performance.md of the newest results.

    python bench/tables.py            write them
    python bench/tables.py --check    say whether they are as results.jsonl has it

A table stands between `<!-- name -->` and `<!-- end -->`.
"""

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

import draw

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(os.path.dirname(HERE), 'docs')
PAGES = os.path.join(DOCS, 'performance.md'), os.path.join(DOCS, '..', 'README.md')
TABLE = re.compile(r'(<!-- (\w+) -->\n).*?(<!-- end -->)', re.S)
NAMES = {
    'floor': 'floor: C, 2 threads, libdeflate, libcrypto',
    'discover': '**`discover`, with the kernel**',
    'handwritten': 'handwritten: Python, FastWARC, 2 processes',
    'pure': '**`discover`, pure Python**',
    'pyspark': 'PySpark 3.5, FastWARC, a dict for each archive',
    'plain': 'mrjob, `-r local`, a line a chunk',
}
DOES = {
    '01-pages': 'HashChunks: inflates, cuts, hashes',
    '02-counts': 'CountDuplicates: page lines, counted and merged',
    '03-labels': 'FilterStopChunks',
    '03-places': 'PlaceLabels: page lines again',
    '03-previews': 'ReadPreviews: some records again',
    '04-matches': 'MatchLabeled',
    '05-neighborhoods': 'NeighborhoodBadness',
}
DEBDOCS = 'dfc7c82e8f13f366'
CORPORA = '', DEBDOCS, 'synth-10GB'
MADE_FOR_IT = 'linear', 'hot', 'pages', 'small'
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


def machine(found: Results) -> str:
    """Where and with what it was measured."""
    line = found.having('compare', *NAMES)
    with_ = line['versions']
    sha = 'with' if line['machine']['sha_ni'] else 'without'
    return (
        f'{line["machine"]["cores"]} cores of an {line["machine"]["cpu"]}, {sha} '
        f'SHA-NI; Python {with_["python"]}, commit {with_["commit"]}, '
        f'{line["time"][:10]}.\n'
    )


def compare(found: Results) -> str:
    line = found.having('compare', *NAMES)
    floor, payload = wall(line, 'floor'), line['corpus']['payload'] / 1e6
    rows = []
    for name in sorted(line['systems'], key=lambda name: wall(line, name)):
        seconds, cpu = wall(line, name), min(line['systems'][name]['cpu'])
        rows.append(
            [
                NAMES[name],
                f'{seconds:.1f}',
                f'{seconds / floor:.2f}',
                *(f'{seconds / wall(line, ours):.2f}' for ours in ('discover', 'pure')),
                f'{cpu:.1f}',
                f'{payload / cpu:.0f}',
                largest(line, name),
            ]
        )
    return markdown(
        ['system', 'wall s', '× floor', '× discover', '× pure', 'CPU s']
        + ['MB/s per core', 'largest process, MB'],
        rows,
    )


def fast(found: Results) -> str:
    """The same in a sentence."""
    line = found.having('compare', *NAMES)
    ours, floor, spark = (wall(line, n) for n in ('discover', 'floor', 'pyspark'))
    gigabytes = line['corpus']['payload'] / 1e9
    return (
        f'{gigabytes:.2f} GB of HTML took {ours:.1f} s on two cores, '
        f'{ours / floor:.1f} times what a program in C took that only counts; PySpark '
        'with FastWARC took '
        f'{spark / ours:.1f} times as long as `discover`, a plain mrjob job '
        f'{wall(line, "plain") / ours:.0f} times:\n'
    )


def small(found: Results) -> str:
    line = found.having('small', 'discover', 'pure')
    names = 'discover', 'pure'
    return markdown(
        ['20 MB', 'wall s'], [[NAMES[n], f'{wall(line, n):.2f}'] for n in names]
    )


SIZES = '1GB', '2GB', '5GB', '10GB', '20GB'
SIZED = 'floor', 'discover', 'pure'


def linear(found: Results) -> str:
    lines = {s: found.having('linear', *SIZED, size=s) for s in SIZES}
    rows = []
    for size, line in lines.items():
        row = [size.replace('GB', ' GB'), f'{wall(line, "floor"):.1f}']
        for name in SIZED[1:]:
            seconds = wall(line, name)
            ratio = seconds / wall(line, 'floor')
            row += [f'{seconds:.1f}', f'{ratio:.2f}', largest(line, name)]
        rows.append(row)
    points = [(int(size[:-2]), wall(line, 'discover')) for size, line in lines.items()]
    table = markdown(
        ['size', 'floor, wall s', 'discover', '× floor', 'largest process, MB']
        + ['pure Python', '× floor', 'largest process, MB'],
        rows,
    )
    return f'{table}\nTime of `discover` grows as size^{slope(points):.2f}.\n'


def spark(found: Results) -> str:
    line = found.having('linear', 'pyspark', 'discover', size='10GB')
    theirs, ours = wall(line, 'pyspark'), wall(line, 'discover')
    return markdown(
        ['10 GB', 'wall s', '× discover'],
        [
            ['`discover`, with the kernel', f'{ours:.1f}', '1.00'],
            ['PySpark', f'{theirs:.1f}', f'{theirs / ours:.2f}'],
        ],
    )


def hot(found: Results) -> str:
    cases = {
        'one chunk 10^7 times': found.newest('hot', lambda line: 'hot' in line),
        'one record of a gigabyte': found.newest('hot', lambda line: 'large' in line),
    }
    rows = []
    for what, line in cases.items():
        cells = (
            [f'{wall(line, n):.1f}', largest(line, n)] for n in ('floor', 'discover')
        )
        rows.append([what, *sum(cells, [])])
    return markdown(['', 'floor, wall s', 'MB', 'discover, wall s', 'MB'], rows)


def steps(found: Results) -> str:
    lines = {
        '1.89 GB': found.having('compare', *NAMES),
        '10 GB': found.having('linear', *SIZED, size='10GB'),
    }
    told = {
        name: line['systems']['discover']['told']['seconds']
        for name, line in lines.items()
    }
    rows = [
        [f'{step}: {DOES[step]}', *(f'{one[step]:.2f}' for one in told.values())]
        for step in next(iter(told.values()))
    ]
    rest = [
        f'{wall(line, "discover") - sum(told[name].values()):.2f}'
        for name, line in lines.items()
    ]
    rows.append(['start of Python, tables, driver', *rest])
    return markdown(['step', *told], rows)


def parts(found: Results, corpus: str, whole: bool = False) -> Line:
    return found.newest(
        'parts', lambda line: line['corpus'] == corpus and (whole or line['stages'])
    )


STAGES = {
    'inflate': 'finding and inflating members, with checksums',
    'read': 'headers, what is wanted',
    'cut and hash': 'types, cutting, hashing',
    'lines': 'page lines and accounts',
}


def stages(found: Results) -> str:
    told = parts(found, DEBDOCS)['stages']
    rows, before = [], dict.fromkeys(told, 0.0)
    for stage, does in STAGES.items():
        row = [does]
        for kind, seconds in told.items():
            part = seconds[stage] - before[kind]
            row += [f'{part:.2f}', f'{100 * part / seconds["lines"]:.0f} %']
            before[kind] = seconds[stage]
        rows.append(row)
    return markdown(['CPU s of one core', 'kernel', '', 'pure Python', ''], rows)


def kernel(found: Results) -> str:
    line = parts(found, DEBDOCS)
    rows = []
    for size in line['cut']['kernel']:
        cells = (f'{line["cut"][kind][size]:.0f}' for kind in ('pure', 'kernel'))
        rows.append([f'cutting and hashing, {size}: MB/s', *cells])
    names = {
        'head': 'headers of a record: µs',
        'ends of members': 'the end of a member: µs',
        'count': 'counting the chunks of a page: µs',
    }
    for name, does in names.items():
        cells = (f'{line["small"][kind][name]:.1f}' for kind in ('pure', 'kernel'))
        rows.append([does, *cells])
    return markdown(['', 'Python', 'kernel'], rows)


def units(found: Results) -> str:
    """What a unit of each step costs, by runs in one process."""
    lines = [parts(found, name, whole=True) for name in CORPORA[1:]]
    costs: dict[str, Callable[[Line, Line], float]] = {
        'GB of HTML': lambda s, u: s['01-pages'] / u['bytes'] * 1e9,
        'million distinct chunks': lambda s, u: s['02-counts'] / u['distinct'] * 1e6,
        'million pages': lambda s, u: s['03-places'] / u['pages'] * 1e6,
        'million labels': lambda s, u: s['03-previews'] / u['labels'] * 1e6,
    }
    names = 'HashChunks', 'CountDuplicates', 'PlaceLabels', 'ReadPreviews'
    rows = []
    for (unit, cost), step in zip(costs.items(), names, strict=True):
        cells = [
            f'{cost(line["whole"][kind]["inline"], line["units"]):.1f}'
            for line in lines
            for kind in ('kernel', 'pure')
        ]
        rows.append([f'{step}, s for each {unit}', *cells])
    cells = [
        f'{line["whole"][kind]["disk"] / line["units"]["chunks"]:.0f}'
        for line in lines
        for kind in ('kernel', 'pure')
    ]
    rows.append(['bytes left on disk for each chunk', *cells])
    return markdown(['', '1.89 GB', 'pure', '10 GB', 'pure'], rows)


def expected(found: Results) -> str:
    rows = []
    for corpus, size in ((DEBDOCS, '1.89 GB'), (CORPORA[2], '10 GB')):
        line = parts(found, corpus, whole=True)
        for kind, told in line['whole'].items():
            wanted = told['expected']
            rows.append(
                [
                    f'{size}, {kind}',
                    f'{wanted["cpu"]:.0f}',
                    f'{told["cpu"]:.1f}',
                    f'{wanted["disk"] / 1e6:,.0f}',
                    f'{told["disk"] / 1e6:,.0f}',
                ]
            )
    return markdown(
        ['`--dry-run`', 'says CPU s', 'took', 'says MB on disk', 'left'], rows
    )


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


def detect(found: Results) -> str:
    names = {
        'discover': '`discover`',
        'detect': '`detect -o RUN`',
        'other thresholds': '`detect -o RUN --sigmas 2`, again',
    }
    return usages(found.newest('detect'), names)


def joins(found: Results) -> str:
    names = {name: f'`--join {name}`' for name in ('map', 'bloom', 'reduce')}
    return usages(found.newest('joins'), names)


def pages(found: Results) -> str:
    line = found.newest('pages')
    return usages(line, {n: f'{int(n):,} pages' for n in line['usages']})


def runners(found: Results) -> str:
    told = found.newest('runners')['found']
    rows = [
        [step, *(f'{one["seconds"][step]:.1f}' for one in told.values())]
        for step in next(iter(told.values()))['seconds']
    ]
    for command in ('discover', 'detect'):
        cells = (f'{one["walls"][command]:.1f}' for one in told.values())
        rows.append([f'`{command}`, all', *cells])
    cells = (f'`{one["digest"][:8]}`' for one in told.values())
    rows.append(['checksum of all results', *cells])
    return markdown(['step', *told], rows)


def shuffle(found: Results) -> str:
    told = found.newest('runners')['found']['hadoop']['shuffled']['02-counts']
    of = found.having('compare', *NAMES)['corpus']
    distinct = of['distinct_chunks'] + of['distinct_files']
    return (
        f'CountDuplicates sends {told / 1e6:.1f} MB through the shuffle, compressed '
        f'(`Map output materialized bytes`), for {distinct:,} distinct chunks and '
        f'files: {told / distinct:.1f} bytes for each, and less for each that more '
        'than one task has.\n'
    )


MADE: dict[str, Callable[[Results], str]] = {
    made.__name__: made
    for made in (
        *(machine, compare, fast, small, linear, spark, hot, steps, stages, kernel),
        *(units, expected, detect, joins, pages, runners, shuffle),
    )
}


def filled(text: str, found: Results) -> str:
    """A text with its tables as they are now."""
    if text.count('<!--') != 2 * len(TABLE.findall(text)):
        raise ValueError('a mark of a table is not as it should be')
    return TABLE.sub(lambda m: m[1] + MADE[m[2]](found) + m[3], text)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--check', action='store_true', help='write nothing')
    parser.add_argument('--results', default=os.path.join(HERE, 'results.jsonl'))
    options = parser.parse_args()
    found = Results(options.results)
    picture = os.path.join(DOCS, 'performance.svg')
    made = {picture: draw.svg(found.having('compare', *NAMES))}
    for page in PAGES:
        with open(page) as file:
            made[page] = filled(file.read(), found)
    wrong = []
    for name, new in made.items():
        with open(name) as file:
            if file.read() != new:
                wrong.append(os.path.relpath(name))
        if not options.check:
            with open(name, 'w') as file:
                file.write(new)
    if options.check and wrong:
        sys.stderr.write(f'not as results.jsonl has it: {", ".join(wrong)}\n')
    return int(options.check and bool(wrong))


if __name__ == '__main__':
    sys.exit(main())
