"""Draws the newest comparison of results.jsonl: a bar a system.

A bar ends at the least wall time of all repetitions; a line goes on to the greatest.

    python bench/draw.py [-o docs/performance.svg]
"""

import argparse
import json
import os
import sys
from html import escape
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {
    'floor': 'C, 2 threads (the floor)',
    'discover': 'discover, with the kernel',
    'pure': 'discover, pure Python',
    'handwritten': 'Python by hand, FastWARC',
    'pyspark': 'PySpark, FastWARC',
    'plain': 'mrjob, a line a chunk',
}
WIDTH, LEFT, RIGHT, ROW, TOP = 760, 210, 120, 30, 44
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #222 }
.head { font-weight: 600 }
.ours { fill: #2a6fbb } .other { fill: #9aa5b1 }
.spread { stroke: #222; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd } .spread { stroke: #ddd }
  .ours { fill: #6aa9ee } .other { fill: #6b7682 }
}
"""


def newest(path: str) -> dict[str, Any]:
    """The last comparison that has all systems, else the last of any."""
    with open(path) as file:
        lines = [json.loads(line) for line in file]
    found = [line for line in lines if line.get('kind') == 'compare']
    whole = [line for line in found if set(NAMES) <= set(line['systems'])]
    return (whole or found)[-1]


def svg(line: dict[str, Any]) -> str:
    """The drawing."""
    walls = {name: told['wall'] for name, told in line['systems'].items()}
    walls = {name: walls[name] for name in NAMES if name in walls}
    order = sorted(walls, key=lambda name: min(walls[name]))
    scale = (WIDTH - LEFT - RIGHT) / max(map(max, walls.values()))
    floor = min(walls['floor'])
    gigabytes = line['corpus']['payload'] / 1e9
    height = TOP + ROW * len(order) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" width="{WIDTH}" height="{height}">',
        f'<style>{STYLE}</style>',
        f'<text class="head" x="0" y="18">Seconds for {gigabytes:.2f} GB of HTML, '
        f'{line["machine"]["cores"]} cores; × the floor</text>',
    ]
    for number, name in enumerate(order):
        least, most = min(walls[name]), max(walls[name])
        y = TOP + ROW * number
        kind = 'ours' if name in ('discover', 'pure') else 'other'
        middle, end = y + 9, LEFT + most * scale
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">'
            f'{escape(NAMES[name])}</text>',
            f'<rect class="{kind}" x="{LEFT}" y="{y}" height="18" '
            f'width="{least * scale:.1f}"/>',
            f'<line class="spread" x1="{LEFT + least * scale:.1f}" x2="{end:.1f}" '
            f'y1="{middle}" y2="{middle}"/>',
            f'<text x="{end + 8:.1f}" y="{y + 14}">{least:.1f} s, '
            f'{least / floor:.1f} ×</text>',
        ]
    return '\n'.join([*parts, '</svg>', ''])


def main() -> int:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--results', default=os.path.join(HERE, 'results.jsonl'))
    out = os.path.join(os.path.dirname(HERE), 'docs', 'performance.svg')
    parser.add_argument('-o', '--output', default=out)
    options = parser.parse_args()
    with open(options.output, 'w') as file:
        file.write(svg(newest(options.results)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
