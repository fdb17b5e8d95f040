"""Jobs run alone, on lines written by hand as docs/code.md and protocol.py define them.

Nothing here imports the code that packs or unpacks lines.
"""

import base64
import hashlib
import io
import re
from collections.abc import Iterable, Sequence

import pytest

Row = tuple  # a key and its numbers


def run_job(job_class, lines: Iterable[bytes], **options) -> list[bytes]:
    """Run all steps of a job in this process; return its output lines."""
    args = [f'--{name.replace("_", "-")}={value}' for name, value in options.items()]
    job = job_class(['--runner=inline', '--no-conf', *args])
    job.sandbox(stdin=io.BytesIO(b''.join(line + b'\n' for line in lines)))
    with job.make_runner() as runner:
        runner.run()
        return b''.join(runner.cat_output()).splitlines()


def sha1(text: bytes) -> bytes:
    return hashlib.sha1(text).digest()


def name_digest(name: str) -> bytes:
    """The 16 bytes that stand for a host, a neighborhood or a rid."""
    return hashlib.blake2b(name.encode(), digest_size=16).digest()


def pack(rows: Sequence[Row], *widths: int) -> bytes:
    """Pack rows of a key and numbers; `widths` are the bytes of each number."""
    columns = [b''.join(row[0] for row in rows)]
    for number, width in enumerate(widths, 1):
        columns.append(b''.join(row[number].to_bytes(width, 'little') for row in rows))
    head = ','.join(map(str, [len(rows[0][0]), *widths]))
    return head.encode() + b':' + base64.b64encode(b''.join(columns))


def unpack(value: bytes) -> list[Row]:
    """Unpack the rows of a value."""
    head, data = value.split(b':')
    widths = [int(width) for width in head.split(b',')]
    raw = base64.b64decode(data, validate=True)
    count, rest = divmod(len(raw), sum(widths))
    assert rest == 0
    columns, start = [], 0
    for width in widths:
        ends = range(start + width, start + width * count + 1, width)
        columns.append([raw[end - width : end] for end in ends])
        start += width * count
    numbers = [[int.from_bytes(n, 'little') for n in c] for c in columns[1:]]
    return list(zip(columns[0], *numbers, strict=True))


# Of the record of a page: its id, its payload digest, and why it was truncated.
OF_RECORD = ['urn:uuid:1', 'sha1:ABC', 'length']


def page_line(
    rid: str,
    url: str,
    chunks: Sequence[bytes],
    date: str = '',
    after: Sequence = (),
    *,
    is_cut: bool = False,
) -> bytes:
    """The line of a short page of HTML, which HashChunks writes for its chunks.

    `after` are the fields behind its columns, which lines of older versions lack. A
    page that is cut lacks its last chunk and its file hash.
    """
    body = b''.join(chunks)
    facts = [rid, url, date, '', 'text/html', str(len(body))]
    chunks = chunks[:-1] if is_cut else chunks
    file_hash = '' if is_cut else hashlib.sha1(body).hexdigest()
    facts += [file_hash, str(len(chunks))]
    rows = [(sha1(chunk), len(chunk)) for chunk in chunks]
    packed = pack(rows, 4) if rows else b'20,4:'
    return '\t'.join([*facts, packed.decode(), *after]).encode()


def rows_by_key(lines: Iterable[bytes]) -> dict[bytes, list[Row]]:
    """Unpack lines whose keys are all different, without the last line of a task."""
    pairs = [line.split(b'\t') for line in lines if not line.startswith(b'@\t')]
    rows = {key: unpack(value) for key, value in pairs}
    assert len(rows) == len(pairs)
    return rows


def rows_by_unit(lines: Iterable[bytes]) -> list[Row]:
    """The sorted rows of part files, however tasks and partitions divide them.

    Counts are unpacked, all other lines are split. The last lines of tasks and the
    bitmap of copied chunks are left out.
    """
    rows: list[Row] = []
    for line in lines:
        key, *values = line.rstrip(b'\t').split(b'\t')
        unit = key.partition(b'/')[0]
        if unit in (b'chunk', b'file') and len(values) == 1:
            rows += [(unit, *row) for row in unpack(values[0])]
        elif key != b'@' and unit != b'copied':
            rows.append((key, *values))
    return sorted(rows)


def cut_columns(line: bytes, size: int) -> bytes:
    """Remove bytes from the end of the packed columns of a line."""
    head, _, data = line.rpartition(b':')
    return head + b':' + base64.b64encode(base64.b64decode(data)[:-size])


CHUNKS = [b'<p>one', b'<p>two', b'<p>one']
PAGE = page_line('a.warc.gz:10', 'http://a.org/x', CHUNKS)
NEW_PAGE = page_line('a.warc.gz:10', 'http://a.org/x', CHUNKS, after=OF_RECORD)
DAMAGED_PAGES = {
    'cut in the rid': PAGE[:8],
    'cut in the URL': PAGE[:20],
    'cut before the columns': PAGE.rpartition(b'\t')[0],
    'cut in the widths': PAGE[: PAGE.rindex(b':') - 2],
    'cut in base64': PAGE[:-3],
    'a byte less': cut_columns(PAGE, 1),
    'a row less': cut_columns(PAGE, 24),
    'a letter that is not in base64': PAGE[:-9] + b'!' + PAGE[-8:],
    'letters that are not in base64': PAGE[:-9] + b'!!!!' + PAGE[-5:],
    'another hash': PAGE.replace(b'20,4:', b'32,4:'),
    'a field less': PAGE.replace(b'text/html\t', b''),
    'a field less before the columns': NEW_PAGE.replace(b'text/html\t', b''),
    'no columns': re.sub(rb'20,4:[^\t]*\t', b'', NEW_PAGE),
    'empty columns': re.sub(rb'20,4:[^\t]*\t', b'\t', NEW_PAGE),
}


def damaged_pages():
    """Parametrize a test over the damaged page lines."""
    return pytest.mark.parametrize('line', DAMAGED_PAGES.values(), ids=DAMAGED_PAGES)
