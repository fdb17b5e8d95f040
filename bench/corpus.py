"""Makes what the benchmark runs on: real HTML, and synthetic crawls of any size.

    python bench/corpus.py [DIR]             Debian's documentation: DIR/debdocs
    python bench/corpus.py [DIR] --times 10  also a synthetic crawl, DIR/synth-10GB
    python bench/corpus.py [DIR] --repeat 5  also its pages on 5 hosts, DIR/debdocs-5

`apt-get download` and `dpkg-deb` do it, so that no rights of root are needed.
"""

import argparse
import glob
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import deflate
from fastwarc.warc import ArchiveIterator, WarcRecordType

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
CACHE = os.path.expanduser('~/.cache/mr_reuse-bench')

# About 1.9 GB of HTML. Generators of all kinds (javadoc, doxygen, sphinx, gtk-doc,
# docbook, hand-written), two that come in two versions each, none above 15 %.
PACKAGES = """
    apache2-doc cmake-doc db5.3-doc ffmpeg-doc git-doc icu-doc imagemagick-6-doc
    libboost1.74-doc libboost1.81-doc libcrypto++-doc libglib2.0-doc libglibmm-2.4-doc
    libgtk-3-doc libgtk-4-doc libreoffice-help-en-us libstdc++-12-doc linux-doc-6.1
    llvm-14-doc llvm-16-doc octave-doc openjdk-17-doc postgresql-doc-15
    python-django-doc python-pandas-doc python-scipy-doc python-sqlalchemy-doc
    python3.11-doc qtbase5-doc-html sqlite3-doc twisted-doc
""".split()


def archives_in(folder: str) -> list[str]:
    return sorted(glob.glob(os.path.join(glob.escape(folder), '*.warc.gz')))


def digest(archives: list[str]) -> str:
    """Name a corpus by its bytes; the names of its files do not count."""
    whole = hashlib.sha256()
    for name in archives:
        with open(name, 'rb') as file:
            whole.update(hashlib.sha256(file.read()).digest())
    return whole.hexdigest()[:16]


def download(folder: str) -> list[str]:
    """Fetch the packages that are not there yet."""
    os.makedirs(folder, exist_ok=True)
    for name in PACKAGES:
        if not glob.glob(f'{glob.escape(folder)}/{name}_*.deb'):
            # apt's own user may not write where a user may
            command = ['apt-get', '-qq', '-o', 'APT::Sandbox::User=root', 'download']
            if subprocess.run([*command, name], cwd=folder, check=False).returncode:
                sys.exit(
                    f'error: no package {name}; try `apt-get update` first, '
                    'on Debian 12'
                )
    return [glob.glob(f'{glob.escape(folder)}/{name}_*.deb')[0] for name in PACKAGES]


def unpack(package: str, tree: str) -> str:
    """Unpack one package and return its folder, which has the package's name."""
    folder = os.path.join(tree, os.path.basename(package).partition('_')[0])
    os.makedirs(folder)
    subprocess.run(['dpkg-deb', '-x', package, folder], check=True)
    return folder


def debdocs(folder: str) -> str:
    """Make the real corpus under `folder`, unless it is there."""
    made, tree = os.path.join(folder, 'debdocs'), os.path.join(folder, 'tree')
    if archives_in(made):
        return made
    packages = download(os.path.join(folder, 'debs'))
    shutil.rmtree(tree, ignore_errors=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        folders = list(threads.map(lambda name: unpack(name, tree), packages))
    os.makedirs(made, exist_ok=True)
    python_m(
        'mr_reuse.pack',
        *folders,
        '-o',
        f'{made}/debdocs.warc.gz',
        '--split',
        '120MB',
        '--base-url',
        'http://docs.example/',
    )
    shutil.rmtree(tree)
    with open(os.path.join(made, 'packages.txt'), 'w') as file:
        file.writelines(f'{os.path.basename(name)}\n' for name in packages)
    return made


def repeated(folder: str, times: int) -> str:
    """Make a corpus with the pages of the real one on so many hosts.

    Its pages are as real, and so are their sizes, but each chunk has more copies.
    """
    made = os.path.join(folder, f'debdocs-{times}')
    if not archives_in(made):
        os.makedirs(made, exist_ok=True)
        archives = archives_in(debdocs(folder))
        jobs = [(name, number) for name in archives for number in range(times)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(lambda job: _move(made, *job), jobs))
    return made


def _move(folder: str, archive: str, number: int) -> None:
    """Write an archive again, with its pages on another host."""
    target = os.path.join(folder, f'{number}-{os.path.basename(archive)}')
    with open(f'{target}.tmp', 'wb') as file:
        for member in members([archive]):
            size = int.from_bytes(member[-4:], 'little')
            record = bytes(deflate.gzip_decompress(member, size))
            host = b'WARC-Target-URI: http://docs-%d.example/' % number
            record = record.replace(b'WARC-Target-URI: http://docs.example/', host, 1)
            file.write(deflate.gzip_compress(record, 6))
    os.replace(f'{target}.tmp', target)


def synthetic(folder: str, size: str) -> str:
    """Make a synthetic crawl of that size, none of it repeated to fill it up."""
    made = os.path.join(folder, f'synth-{size}')
    if not archives_in(made):
        python_m('mr_reuse.synth', '-o', made, '--size', size, '--seed', '1', '-q')
    return made


def sample(archives: list[str], size: int, target: str) -> None:
    """Copy evenly spread pages, about `size` bytes in all, still compressed."""
    step = max(1, totals(archives)[1] // size)
    with open(target, 'wb') as out:
        for number, page in enumerate(members(archives)):
            if number % step == 0:
                out.write(page)


def members(archives: list[str]):
    """Yield the bytes of each record, compressed as it lies in its archive."""
    for name in archives:
        with open(name, 'rb') as file:
            data = file.read()
        starts = [record.stream_pos for record in records(name)]
        for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
            yield data[start:end]


def records(name: str):
    with open(name, 'rb') as file:
        yield from ArchiveIterator(file, record_types=WarcRecordType.any_type)


def totals(archives: list[str]) -> tuple[int, int]:
    """Count pages and the bytes of their bodies."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        counts = list(threads.map(_totals, archives))
    return sum(pages for pages, _ in counts), sum(size for _, size in counts)


def _totals(name: str) -> tuple[int, int]:
    kinds = (
        WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    )
    pages = size = 0
    with open(name, 'rb') as file:
        for record in ArchiveIterator(file, record_types=kinds):
            body = len(record.reader.read())
            pages += body > 0
            size += body
    return pages, size


def hot(folder: str, copies: int, on_a_page: int = 10_000) -> str:
    """Make an archive in which one chunk stands `copies` times."""
    body = b'<p>%s</p>\n' % b' '.join([b'the same words'] * 8) * on_a_page
    bodies = itertools.repeat(body, copies // on_a_page)
    return _archive(folder, f'hot-{copies}', bodies)


def large(folder: str, size: int) -> str:
    """Make an archive of one record, of so many bytes, whose chunks all differ."""
    words = b' '.join([b'many words'] * 38)
    each = len(b'<p>%09d %b</p>\n' % (0, words))
    chunks = (b'<p>%09d %b</p>\n' % (n, words) for n in range(size // each + 1))
    return _archive(folder, f'large-{size}', [b''.join(chunks)[:size]])


def _archive(folder: str, name: str, bodies: Iterable[bytes]) -> str:
    """Make a folder with an archive of pages, unless it is there."""
    target = os.path.join(folder, name, 'pages.warc.gz')
    if os.path.exists(target):
        return os.path.dirname(target)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(f'{target}.tmp', 'wb') as file:
        for number, body in enumerate(bodies):
            http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + body
            head = (
                'WARC/1.0\r\nWARC-Type: response\r\n'
                f'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>'
                '\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n'
                f'WARC-Target-URI: http://{name}.example/{number}\r\n'
                'Content-Type: application/http; msgtype=response\r\n'
                f'Content-Length: {len(http)}\r\n\r\n'
            ).encode()
            file.write(deflate.gzip_compress(head + http + b'\r\n\r\n', 1))
    os.replace(f'{target}.tmp', target)
    return os.path.dirname(target)


def python_m(*args: str) -> None:
    if subprocess.run([sys.executable, '-m', *args], cwd=ROOT, check=False).returncode:
        sys.exit(f'error: {args[0]} failed')


def size_of(text: str) -> int:
    """Read a size such as 20MB.

    >>> size_of('20MB'), size_of('1GB')
    (20000000, 1000000000)
    """
    number, unit = re.fullmatch(r'(\d+)([MG]B)', text).groups()
    return int(number) * {'MB': 10**6, 'GB': 10**9}[unit]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument(
        'folder',
        nargs='?',
        default=CACHE,
        metavar='DIR',
        help='where it goes (%(default)s)',
    )
    parser.add_argument(
        '--times',
        type=int,
        metavar='N',
        help='also make a synthetic crawl of N times 1 GB',
    )
    parser.add_argument(
        '--repeat',
        type=int,
        metavar='N',
        help='also put the documentation on N hosts',
    )
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    made = [debdocs(folder)]
    if options.times:
        made.append(synthetic(folder, f'{options.times}GB'))
    if options.repeat:
        made.append(repeated(folder, options.repeat))
    for corpus in made:
        archives = archives_in(corpus)
        pages, size = totals(archives)
        packed = sum(map(os.path.getsize, archives))
        print(
            f'{corpus}: {len(archives)} archives, {packed:,} bytes; {pages:,} pages, '
            f'{size:,} bytes of payload; digest {digest(archives)}'
        )


if __name__ == '__main__':
    main()
