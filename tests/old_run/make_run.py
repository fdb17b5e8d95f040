"""Write the crawl and the run beside this file, which later versions have to open.

    .venv/bin/python tests/old_run/make_run.py

It is not made anew when the code changes, for what is tested is that an old run can be
read. Three sites of a farm have little but copied chunks, and link to each other. Six
honest sites have one of these on each page, and three of their own. All nine have the
same page as a whole. The end of the last archive is cut off.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / 'helpers'))

from crawls import write_arc, write_warc  # noqa: E402

WHEN = 1_600_000_000  # when the archives were written, as a run notes it
PLACE = '@HERE@'  # stands for the folder of this file in run.json
DISCOVER = 'discover crawl/farm.warc.gz crawl/honest.arc -o run --threshold 5'
DETECT = 'detect -o run --min-chunks 3 --neighborhood-threshold 0.5'
CHUNKS = [f'<p>copied {n}: {"what is sold everywhere " * 6}</p>\n' for n in range(4)]
PARKED = f'<div>parked {"for sale " * 20}</div>'.encode()


def farm() -> list[tuple[str, bytes]]:
    """Twelve pages on three sites, each with all four chunks; and what all have."""
    pages = []
    for site in range(3):
        pages.append((f'http://farm-{site}.test/', PARKED))
        links = ''.join(f'<a href="http://farm-{n}.test/">x</a>' for n in range(3))
        for page in range(4):
            body = ''.join(CHUNKS) + f'<p>{site} {page} {links}'
            pages.append((f'http://farm-{site}.test/shop/{page}.html', body.encode()))
    return pages


def honest() -> list[tuple[str, bytes]]:
    """24 pages on six sites, each with one of the chunks; and what all have."""
    pages = []
    for site in range(6):
        pages.append((f'http://honest-{site}.test/', PARKED))
        for page in range(4):
            own = [f'<p>{site} {page} {n} {"of its own " * 12}{n}\n' for n in range(3)]
            body = CHUNKS[page] + ''.join(own)
            pages.append((f'http://honest-{site}.test/{page}.html', body.encode()))
    return pages


def make() -> None:
    """Write archives and run; no path of this machine is left in them."""
    os.chdir(HERE)
    for name in ('crawl', 'run'):
        shutil.rmtree(name, ignore_errors=True)
    Path('crawl').mkdir()
    write_warc(Path('crawl/farm.warc.gz'), farm())
    write_arc(Path('crawl/honest.arc'), honest())
    archive = Path('crawl/honest.arc')
    archive.write_bytes(archive.read_bytes()[:-300])
    for path in Path('crawl').iterdir():
        os.utime(path, (WHEN, WHEN))
    for line in (DISCOVER, DETECT, 'links run'):
        words = [sys.executable, '-m', f'mr_reuse.{line}', '-q', '-r', 'inline']
        subprocess.run(' '.join(words).split(), check=False)
    record = Path('run/run.json')
    record.write_text(record.read_text().replace(str(HERE.resolve()), PLACE))


if __name__ == '__main__':
    make()
