"""What `discover` must write, computed in the plainest way there is; for tests only.

It is written from the definitions alone and imports nothing of what it judges. Every
occurrence of every piece of text is kept in memory, so give it little crawls.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

WHITE = b' \t\n\r\f\v'
MAGICS = (
    b'%PDF', b'GIF8', b'\x89PNG', b'\xff\xd8\xff', b'PK\x03\x04', b'\x1f\x8b',
    b'RIFF', b'\x7fELF', b'MZ', b'OggS', b'ID3', b'BM',
)  # fmt: skip
FREE_CONTROLS = b'\t\n\r\f\x1b'
UTF16_MARKS = (b'\xff\xfe', b'\xfe\xff')


class Page(NamedTuple):
    """One record of an archive, text or not."""

    archive: str
    offset: int
    url: str
    body: bytes
    date: str = ''  # as in a WARC file, in seconds; or nothing


@dataclass(frozen=True)
class Options:
    """The options of `discover` that change what it writes."""

    threshold: int = 0
    min_len: int = 100
    preset: str = ''
    hash: str = 'sha1'
    normalize: str = 'none'
    recursion: str = 'length'
    stop: frozenset = frozenset()
    captures: str = ''


def tables(pages: list[Page], options: Options) -> dict[str, bytes]:
    """All tables of a run, by file name."""
    pages = kept(pages, options)
    chunks = holders(pages, lambda body: chunks_of(body, options))
    files = holders(pages, lambda body: [body])
    return {
        'labels.tsv': table(LABELS, chunk_rows(chunks, options)),
        'file_labels.tsv': table(FILE_LABELS, file_rows(files, options)),
        'frequency.tsv': table(
            FREQUENCY, frequency_rows('chunk', chunks) + frequency_rows('file', files)
        ),
    }


def kept(pages: list[Page], options: Options) -> list[Page]:
    """The pages that are searched: no loops, and one capture of every URL."""
    found = [page for page in pages if not is_loop(page.url, options.recursion)]
    keep = options.captures or ('all' if options.preset else 'first')
    if keep == 'all':
        return found
    captures = {}
    for page in found:
        captures.setdefault(printable(page.url), []).append(page)
    return [
        page
        for page in found
        if not any(is_rather(c, page, keep) for c in captures[printable(page.url)])
    ]


def is_rather(one: Page, other: Page, keep: str) -> bool:
    """Whether the first of two captures of a URL is kept rather than the second."""
    if is_text(one.body) != is_text(other.body):
        return is_text(one.body)
    mine, theirs = one.date or 'later', other.date or 'later'
    if mine != theirs:
        return mine < theirs if keep == 'first' else mine > theirs
    return (one.archive.encode(), one.offset) < (other.archive.encode(), other.offset)


LABELS = ['hash', 'length', 'copies', 'pages', 'hosts', 'example_url', 'preview']
FILE_LABELS = ['hash', 'length', 'copies', 'hosts', 'example_url']
FREQUENCY = ['unit', 'copies', 'objects']


def table(header: list[str], rows: list[tuple]) -> bytes:
    lines = ['\t'.join(str(cell) for cell in row) for row in [header, *rows]]
    return ''.join(f'{line}\n' for line in lines).encode('utf-8')


def holders(pages: list[Page], pieces_of) -> dict[bytes, list[Page]]:
    """The pages that hold each piece of text, a page once for every occurrence."""
    found = {}
    for page in pages:
        for piece in pieces_of(page.body):
            found.setdefault(piece, []).append(page)
    return found


def chunk_rows(chunks: dict[bytes, list[Page]], options: Options) -> list[tuple]:
    rows = []
    for chunk, where in chunks.items():
        name = digest(chunk, options.hash)
        if (
            len(where) > options.threshold
            and len(chunk) > options.min_len
            and name not in options.stop
        ):
            records = {(page.archive, page.offset) for page in where}
            row = name, len(chunk), len(where), len(records), hosts(where)
            rows.append((*row, example_url(where), preview(chunk)))
    return sorted(rows, key=most_copied_first)


def file_rows(files: dict[bytes, list[Page]], options: Options) -> list[tuple]:
    rows = []
    for body, where in files.items():
        if len(where) > options.threshold:
            name = digest(body, options.hash)
            row = name, len(body), len(where), hosts(where), example_url(where)
            rows.append(row)
    return sorted(rows, key=most_copied_first)


def most_copied_first(row: tuple) -> tuple:
    return -row[2], row[0]


def frequency_rows(unit: str, found: dict[bytes, list[Page]]) -> list[tuple]:
    objects = Counter(len(where) for where in found.values())
    return [(unit, copies, objects[copies]) for copies in sorted(objects)]


def digest(text: bytes, algorithm: str = 'sha1') -> str:
    return hashlib.new(algorithm, text).hexdigest()


def hosts(pages: list[Page]) -> int:
    return len({host_of(page.url) for page in pages} - {''})


def example_url(pages: list[Page]) -> str:
    urls = [printable(page.url) for page in pages]
    return min(urls, key=lambda url: (len(url), url))


def preview(chunk: bytes) -> str:
    return ''.join(
        ' ' if is_control(letter) else letter
        for letter in chunk[:80].decode('utf-8', 'replace')
    )


def is_control(letter: str) -> bool:
    code = ord(letter)
    return code <= 0x1F or 0x7F <= code <= 0x9F or code in (0x2028, 0x2029)


# What a chunk is


def chunks_of(body: bytes, options: Options) -> list[bytes]:
    """The chunks of a page; none where there is no text to cut."""
    if not is_text(body):
        return []
    if options.preset == 'ccr2019':
        return cut(body, (b'p',), b' >\t/')
    return cut(normalized(body, options.normalize), (b'p', b'div'), b' \t\n\f\r/>')


@lru_cache(maxsize=5000)
def cut(text: bytes, names: tuple[bytes, ...], ends: bytes) -> list[bytes]:
    """Cut before every delimiter, looking at one place after the other."""
    chunks = []
    begin = 0
    for place in range(1, len(text)):
        if text[place] == 0x3C and is_delimiter(text[place : place + 9], names, ends):
            chunks.append(text[begin:place])
            begin = place
    return [*chunks, text[begin:]] if text else []


def is_delimiter(text: bytes, names: tuple[bytes, ...], ends: bytes) -> bool:
    """Whether the text begins with a tag of one of these names."""
    for name in names:
        end = 1 + len(name)
        tag, after = text[:end].lower(), text[end : end + 1]
        if tag == b'<' + name and after and after in ends:
            return True
    return False


def normalized(body: bytes, how: str) -> bytes:
    if how == 'collapse':
        return squeezed(body, WHITE)
    if how == 'auntietuna':
        text = squeezed(body, b' \t')
        return bytes(byte for byte in text if byte not in b'\r\n').strip(WHITE)
    return body


def squeezed(text: bytes, white: bytes) -> bytes:
    """Every run of these bytes as one space."""
    out = []
    for place, byte in enumerate(text):
        if byte not in white:
            out.append(byte)
        elif place == 0 or text[place - 1] not in white:
            out.append(0x20)
    return bytes(out)


def is_text(body: bytes) -> bool:
    head = body[:1024]
    if head.startswith(UTF16_MARKS):
        return True
    if not head or 0 in head or head.startswith(MAGICS):
        return False
    controls = sum(byte < 0x20 and byte not in FREE_CONTROLS for byte in head)
    return 10 * controls <= len(head)


# What a URL says


def printable(url: str) -> str:
    """The URL in one word of ASCII: all other bytes percent-encoded."""
    return ''.join(
        chr(byte) if 0x20 < byte < 0x7F else f'%{byte:02X}'
        for byte in url.encode('utf-8')
    )


def host_of(url: str) -> str:
    """Lower-case host and port, without the port that the scheme implies."""
    if '://' not in url:
        first, slash, _ = url.partition('/')  # of a path; `dns:a.org/x` has no host
        return first if slash and ':' not in first else ''
    scheme, rest = url.lower().split('://', 1)
    for end in '/?#':
        rest = rest.split(end)[0]
    host = rest.split('@')[-1]
    return host.removesuffix({'http': ':80', 'https': ':443'}.get(scheme, ''))


def components(url: str) -> list[str]:
    """The parts of the path; what is before the first slash is the host."""
    rest = url.partition('://')[2] or url
    path = rest.partition('#')[0].partition('?')[0]
    return [part for part in path.split('/')[1:] if part]


def is_loop(url: str, rule: str) -> bool:
    """Whether a crawler that ran in circles made this URL."""
    parts = components(url)
    times = Counter(parts).values()
    too_long = len(parts) > 96
    repeats = max(times, default=0) >= 4 or sum(n >= 2 for n in times) >= 2
    return {
        'none': False,
        'length': too_long,
        'geocities': repeats,
        'both': too_long or repeats,
    }[rule]
