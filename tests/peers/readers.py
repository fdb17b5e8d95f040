"""Other readers of archives: the URL and the decoded body of each page that they get.

A reader that refuses a record gets the others. Whatever it raises, it has given up.
"""

import contextlib
import io
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

Page = tuple[str, bytes]
PAGES = {'response', 'resource', 'conversion'}
JAVA = Path(__file__).with_name('Pages.java')


def read_warcio(path: Path) -> Iterator[Page]:
    from warcio.archiveiterator import ArchiveIterator

    with open(path, 'rb') as file:
        for record in ArchiveIterator(file):
            if record.rec_type in PAGES:
                headers = record.rec_headers
                url = headers.get_header('WARC-Target-URI') or headers.get_header('uri')
                with contextlib.suppress(Exception):
                    yield url or '', record.content_stream().read()


def read_fastwarc(path: Path) -> Iterator[Page]:
    from fastwarc.warc import ArchiveIterator
    from fastwarc.warc import WarcRecordType as Type

    wanted = Type.response | Type.resource | Type.conversion
    with open(path, 'rb') as file:
        for record in ArchiveIterator(file, record_types=wanted, parse_http=False):
            with contextlib.suppress(Exception):
                if record.is_http:
                    record.parse_http(auto_decode='all')
                yield record.headers.get('WARC-Target-URI', ''), record.reader.read()


def read_jwarc(path: Path) -> Iterator[Page]:
    jar = path.parent.parent / 'jwarc' / 'jwarc.jar'
    line = ['java', '-cp', jar, JAVA, path]
    done = subprocess.run(line, check=False, stdout=subprocess.PIPE)
    written = io.BytesIO(done.stdout)

    def take() -> bytes:
        return written.read(*struct.unpack('>i', written.read(4)))

    while written.tell() < len(done.stdout):
        yield take().decode('utf-8'), take()


READERS: dict[str, Callable[[Path], Iterator[Page]]] = {
    'warcio': read_warcio,
    'fastwarc': read_fastwarc,
}
if shutil.which('java'):
    READERS['jwarc'] = read_jwarc


def read_until_error(reader: str, path: Path) -> Iterator[Page]:
    """The pages before the record at which a reader gives up, if it does."""
    try:
        yield from READERS[reader](path)
    except Exception as error:
        print(f'{reader} gives up: {error!r}')
