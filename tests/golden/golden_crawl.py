"""The crawl of `golden.py`: archives of all formats, damaged ones, pages, a list."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).parents[1]
WHEN = 1_600_000_000  # of all files: dates of pages are those of their files
SYNTH = {
    'a': '--size 4MB --damage --hostile --archives 3',
    'b': '--size 3MB --seed 2 --damage --hostile --format arc --plain',
    'c': '--size 2MB --seed 3 --damage --format wet',
    'd': '--size 6MB',
    'q': '--size 1MB --seed 4 --quilts',
}
LIST = """\
# what the second run reads
d/crawl-00000.warc.gz

c/crawl-00000.warc.wet.gz
../pages/plain.html
"""
COPIED = '<p class="x">words that are copied from page to page, {}</p>\n' + 'x' * 60
PLAIN = [f'<div id={n}>{COPIED.format(n)}</div>\n' for n in range(9)]
JUDGED = 'time judge action what item categories counts note place stratum size'
JUDGED += ' population sample'


def make(folder: Path, python: str) -> None:
    """Write everything that the commands are given."""
    folder.mkdir(parents=True)
    for name, options in SYNTH.items():
        line = [python, '-m', 'mr_reuse.synth', '-o', f'crawl/{name}', '-q']
        subprocess.run([*line, *options.split()], cwd=folder, check=True)
    (folder / 'crawl/list.txt').write_text(LIST)
    (folder / 'damaged').mkdir()
    for path in TESTS.glob('damaged/*arc*'):
        shutil.copy(path, folder / 'damaged')
    write_pages(folder / 'pages')
    write_book(folder / 'judgements.tsv')
    for path in folder.rglob('*'):
        os.utime(path, (WHEN, WHEN))


def write_pages(folder: Path) -> None:
    """Pages in files of their own, most of them of the same chunks."""
    for number in range(14):
        path = folder / f'site {number % 3}/größe/{number}.html'
        path.parent.mkdir(parents=True, exist_ok=True)
        own = f'<p>page {number}, {"which is of its own " * 9}{number}'
        path.write_text(own + ''.join(PLAIN[number % 4 :]))
    (folder / 'plain.html').write_bytes(b'<html>\r\n' + ''.join(PLAIN).encode())
    (folder / 'latin.htm').write_bytes(b'<P>gr\xf6\xdfer \xff ' * 40)
    (folder / 'wide.html').write_bytes('\ufeff<p>wide<p>wider'.encode('utf-16-le'))
    (folder / 'nothing.html').write_bytes(b'')


def write_book(path: Path) -> None:
    """What two judges have said of 40 neighborhoods, and one took back."""
    said = ['Ads:bad', 'Blog:benign', 'Suspect:unclear', 'Clone:bad']
    rows = [JUDGED.split()]
    for judge, step in [('ann', 1), ('bob', 3)]:
        for place in range(1, 31):
            name, counts = said[place // step % 4].split(':')
            rows.append(judgement(judge, 'judged', place, [name, counts]))
        rows.append(judgement(judge, 'undone', 30, ['', '']))
    path.write_text(''.join('\t'.join(row) + '\n' for row in rows))


def judgement(judge: str, action: str, place: int, said: Sequence[str]) -> list[str]:
    """A line of the book."""
    drawn = f'uniform seed=1 frame={7:016x}'
    head = ['2020-01-02T03:04:05Z', judge, action, 'neighborhoods', f'h{place}.org/']
    return [*head, *said, 'a note', str(place), '', '62', '62', drawn]
