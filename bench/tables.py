"""Write the tables in README.md and docs/performance.md from the newest results.

    python bench/tables.py            write them
    python bench/tables.py --check    exit with 1 if they differ from results.jsonl

A table stands between `<!-- name -->` and `<!-- end -->`.
"""

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Callable

import draw
from breakdown import expected, kernel, stages, steps, units
from figures import NAMES, SIZED, Results, largest, markdown, slope, usages, wall
from model import CRAWLS, Measured, expect

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(os.path.dirname(HERE), 'docs')
PAGES = os.path.join(DOCS, 'performance.md'), os.path.join(DOCS, '..', 'README.md')
TABLE = re.compile(r'(<!-- (\w+) -->\n).*?(<!-- end -->)', re.S)
COLUMNS = 100  # of prose in Markdown


def paragraph(text: str) -> str:
    """Wrap a paragraph, without line breaks in code."""
    text = re.sub('`[^`]*`', lambda code: code[0].replace(' ', '\0'), text)
    text = textwrap.fill(text, COLUMNS, break_on_hyphens=False)
    return text.replace('\0', ' ') + '\n'


def machine(found: Results) -> str:
    """The machine and the versions of the measurements."""
    line = found.having('compare', *NAMES)
    with_ = line['versions']
    sha = 'with' if line['machine']['sha_ni'] else 'without'
    return paragraph(
        f'{line["machine"]["cores"]} cores of an {line["machine"]["cpu"]}, {sha} '
        f'SHA-NI; Python {with_["python"]}, commit {with_["commit"]}, '
        f'{line["time"][:10]}.'
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
    """The same as prose."""
    line = found.having('compare', *NAMES)
    ours, floor, spark = (wall(line, n) for n in ('discover', 'floor', 'pyspark'))
    gigabytes = line['corpus']['payload'] / 1e9
    return paragraph(
        f'`discover` took {ours:.1f} s for {gigabytes:.2f} GB of HTML on two cores. '
        f'That is {ours / floor:.1f} times the time of a C program that only counts '
        f'the chunks. PySpark with FastWARC took about {spark / ours:.0f} times as '
        'long as `discover`, and a plain mrjob job took '
        f'{wall(line, "plain") / ours:.0f} times as long.'
    )


def small(found: Results) -> str:
    line = found.having('small', 'discover', 'pure')
    names = 'discover', 'pure'
    return markdown(
        ['20 MB', 'wall s'], [[NAMES[n], f'{wall(line, n):.2f}'] for n in names]
    )


SIZES = '1GB', '2GB', '5GB', '10GB', '20GB'


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
    return f'{table}\nThe time of `discover` grows as size^{slope(points):.2f}.\n'


def spark(found: Results) -> str:
    """PySpark in other runs: the ratio varies with the load of the machine."""
    lines = {
        '1.89 GB, without plain mrjob': found.newest(
            'compare',
            lambda line: (
                'pyspark' in line['systems'] and 'plain' not in line['systems']
            ),
        ),
        '10 GB, synthetic': found.having('linear', 'pyspark', 'discover', size='10GB'),
    }
    rows = []
    for what, line in lines.items():
        theirs, ours = wall(line, 'pyspark'), wall(line, 'discover')
        rows.append([what, f'{ours:.1f}', f'{theirs:.1f}', f'{theirs / ours:.2f}'])
    return markdown(['', 'discover, wall s', 'PySpark, wall s', '× discover'], rows)


def hot(found: Results) -> str:
    cases = {
        'one chunk with 10^7 copies': found.newest('hot', lambda line: 'hot' in line),
        'one record of 1 GB': found.newest('hot', lambda line: 'large' in line),
    }
    rows = []
    for what, line in cases.items():
        cells = (
            [f'{wall(line, n):.1f}', largest(line, n)] for n in ('floor', 'discover')
        )
        rows.append([what, *sum(cells, [])])
    return markdown(['', 'floor, wall s', 'MB', 'discover, wall s', 'MB'], rows)


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
    return paragraph(
        f'On Hadoop, CountDuplicates sends {told / 1e6:.1f} MB through the shuffle, '
        f'compressed (`Map output materialized bytes`), for {distinct:,} distinct '
        f'chunks and files. That is {told / distinct:.1f} bytes per chunk or file. '
        'A chunk that occurs in several tasks is sent once by each of them, so the '
        'size per sent chunk is smaller.'
    )


def scale(found: Results) -> str:
    """The steps on made pages with few chunks, and on real ones with many."""
    lines = [found.newest('scale', of).get('found') for of in (is_made, is_real)]
    few, many = ({step['step']: step for step in line['steps']} for line in lines)
    rows = []
    for step in few.keys() | many.keys():
        row = [step]
        for line, steps_ in zip(lines, (few, many), strict=True):
            if not (cost := steps_.get(step)):
                row += [''] * 4
                continue
            pages_ = line['pages']
            row += [f'{cost["cpu"] / pages_ * 1e6:.1f}', f'{cost["shuffled"]:.0f}']
            row += [f'{cost["written"]:.0f}', str(cost['task_mb'])]
        rows.append(row)
    head = ['CPU µs', 'B shuffled', 'B written', 'largest task, MB']
    names = [f'{line["chunks"] / line["pages"]:.0f} chunks' for line in lines]
    return markdown(
        ['step, for each page', *(f'{n}: {h}' for n in names for h in head)],
        sorted(rows),
    )


def is_made(line: dict) -> bool:
    return bool(line.get('found', {}).get('made'))


def is_real(line: dict) -> bool:
    return line.get('found', {}).get('made') is False


def model(found: Results) -> str:
    """The model of large crawls."""
    few, many = (
        Measured.of_line(found.newest('scale', of)['found'])
        for of in (is_made, is_real)
    )
    rows = []
    for crawl in CRAWLS:
        expected_ = expect(crawl, few, many)
        rows.append(
            [
                crawl.name,
                f'{crawl.html / 1e12:.0f}',
                f'{crawl.pages / 1e9:.2f}',
                f'{crawl.chunks / 1e9:,.0f}',
                f'{expected_.core_hours:,.0f}',
                f'{expected_.start_hours:,.0f}',
                f'{expected_.shuffle / 1e12:.1f}',
                f'{expected_.largest / 1e12:.1f}',
                f'{expected_.disk / 1e12:.1f}',
                f'{expected_.driver_seconds / 60:.1f}',
            ]
        )
    return markdown(
        ['crawl', 'TB of HTML', 'pages, 10^9', 'chunks, 10^9', 'core-hours']
        + ['core-hours of starts', 'TB shuffled', 'TB in the largest step']
        + ['TB in RUN', 'CPU minutes of the driver'],
        rows,
    )


MADE: dict[str, Callable[[Results], str]] = {
    made.__name__: made
    for made in (
        *(machine, compare, fast, small, linear, spark, hot, steps, stages, kernel),
        *(units, expected, detect, joins, pages, runners, shuffle, scale, model),
    )
}


def filled(text: str, found: Results) -> str:
    """Replace the tables in a text."""
    if text.count('<!--') != 2 * len(TABLE.findall(text)):
        raise ValueError('a table has no pair of marks')
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
        sys.stderr.write(f'differs from results.jsonl: {", ".join(wrong)}\n')
    return int(options.check and bool(wrong))


if __name__ == '__main__':
    sys.exit(main())
