"""Draws a comparison of results.jsonl: a bar a system.

A bar ends at the least wall time of all repetitions; a line goes on to the greatest.
"""

from html import escape
from typing import Any

NAMES = {
    'floor': 'C, 2 threads (the floor)',
    'discover': 'discover, with the kernel',
    'pure': 'discover, pure Python',
    'handwritten': 'handwritten Python, FastWARC',
    'pyspark': 'PySpark, FastWARC',
    'plain': 'plain mrjob, a line per chunk',
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
