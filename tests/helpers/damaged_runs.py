"""Damage to the files of a run, and the commands that read a run."""

import json
from collections.abc import Iterator

COMMANDS = [
    'discover -o run -q -r inline',
    'discover late.warc.gz --add run -o more -q -r inline',
    'discover crawl/a.warc.gz -o run --threshold 2 -q -r inline --force',
    'detect -o run -q -r inline',
    'detect -o run --sigmas 0 --min-chunks 2 --places -q -r inline',
    'detect -l run -o other crawl/a.warc.gz -q -r inline',
    'report run',
    'show run HASH',
    'show run HASH --where',
    'show run RID',
    'show run PREFIX',
    'show run URL',
    'show run a.org b.org',
    'show run a.org',
    'review run',
    'review run --what chunks',
    'review run --what files',
    'review run --what pages',
    'links run -r inline',
    'compare run same',
    'compare same run -o changes',
    'export run --format parquet -o copies',
    'export run --format jsonl -o copies',
    'export run --format csv -o copies',
    'export run places -r inline',
    'labels info run',
    'labels export run -o hashes.txt',
    'labels merge run x.mrl -o merged.mrl',
    'stop auto run',
    'stop share stop.txt run',
    'stop eval run/labels.tsv stop.txt',
    'get run -o copy',
    'watch crawl -l run --once --state state.json',
]


def damages(name: str, data: bytes) -> Iterator[tuple[str, bytes | None]]:
    """Damaged contents of a file, each with a name; None stands for no file."""
    yield 'missing', None
    yield 'empty', b''
    yield 'cut', data[: len(data) // 2]
    yield 'cut at the end', data[:-1]
    yield 'no text', bytes(range(256)) * 4
    yield 'flipped', flipped(data, len(data) // 2)
    yield 'flipped late', flipped(data, len(data) * 9 // 10)
    if name.endswith('.json'):
        yield from json_damages(data)
    elif name.endswith('.tsv'):
        yield from table_damages(data)
    else:
        yield 'twice', data * 2
        yield 'other line', b'x\tx\n' + data


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] if data else data


def json_damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Each value of an object becomes one of another kind, or goes away."""
    for text in ('5', '[]', '{}', 'null', '[' * 100_000):
        yield text[:9], text.encode()
    for path in paths_in(json.loads(data)):
        where = '.'.join(map(str, path))
        for value in ('x', 5, -1, None, [], {}, [5], {'x': 5}, True, 0.5):
            yield f'{where}={json.dumps(value)}', changed(data, path, value)
        yield f'{where} missing', changed(data, path)


def paths_in(value, path=()) -> Iterator[tuple]:
    """The paths of all values; of a list, those of the first entry."""
    if path:
        yield path
    entries = list(enumerate(value[:1])) if isinstance(value, list) else []
    entries = list(value.items()) if isinstance(value, dict) else entries
    for key, entry in entries:
        yield from paths_in(entry, (*path, key))


def changed(data: bytes, path: tuple, *value) -> bytes:
    whole = json.loads(data)
    at = whole
    for key in path[:-1]:
        at = at[key]
    if value:
        at[path[-1]] = value[0]
    else:
        del at[path[-1]]
    return json.dumps(whole).encode()


def table_damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    head, *rows = data.decode().removesuffix('\n').split('\n')
    columns = head.split('\t')
    yield 'header only', f'{head}\n'.encode()
    yield 'no header', '\n'.join([*rows, '']).encode()
    yield 'no column names', '\n'.join(['', *rows, '']).encode()
    yield 'empty line', f'{head}\n\n'.encode() + data.partition(b'\n')[2]
    yield 'more cells', data.replace(b'\n', b'\tmore\n')
    yield (
        'more rows cells',
        f'{head}\n'.encode() + b''.join(f'{row}\tmore\n'.encode() for row in rows),
    )
    for number, name in enumerate(columns):
        less = [columns[:number] + columns[number + 1 :]]
        cells = [row.split('\t') for row in rows]
        less += [row[:number] + row[number + 1 :] for row in cells]
        yield f'no {name}', as_table(less)
        yield f'{name} of rows missing', as_table([columns, *less[1:]])
        for value in ('x', '-1', '', '1e99', '\udc00', '9' * 30, 'nan'):
            rows_ = [[*r[:number], value, *r[number + 1 :]] for r in cells]
            yield f'{name} {value[:9]!r}', as_table([columns, *rows_])
        other = [*columns[:number], 'unknown', *columns[number + 1 :]]
        yield f'{name} unknown', as_table([other, *cells])


def as_table(rows: list[list[str]]) -> bytes:
    text = ''.join('\t'.join(row) + '\n' for row in rows)
    return text.encode('utf-8', 'surrogatepass')
