"""Reading archives in tests: what of each page was given, and what was said of it."""

import importlib.util
from collections import Counter
from pathlib import Path

from mr_reuse.archives import decoding, framing, items, ordinary, reader, window
from mr_reuse.archives import sources as archive_sources
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers import codec, frames, members, splicing
from mr_reuse.archives.framing import Lost

DAMAGED = Path(__file__).parents[1] / 'damaged'


def load_maker():
    """`damaged/make.py` as a module; the folder is no package."""
    spec = importlib.util.spec_from_file_location('make', DAMAGED / 'make.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load_maker()


def body_of(item) -> bytes | None:
    """All of the body; None if it turned out to be lost."""
    try:
        return b''.join(item.pieces) if item.body is None else item.body
    except Lost:
        return None


def read(path) -> tuple[list[tuple], ArchiveStats]:
    """The items of an archive, each as place, URL, body, cut; and the stats."""
    stats, found = ArchiveStats(str(path)), []
    source = archive_sources.Source('archive', str(path), str(path))
    for item in reader.read_source(source, stats):
        body = body_of(item)
        if body is not None:
            found.append((item.offset, item.url, body, item.cut))
    return found, stats


def described(found: list[tuple]) -> str:
    """Names of pages; <N: the first N bytes of it, ?N: N other bytes, *: it is cut."""
    return ' '.join(_describe(*item[1:]) for item in found) or '-'


def _describe(url: str, body: bytes, cut: bool) -> str:
    name = url.removeprefix('http://x.org/')
    wholes = [make.page(name), make.quoting()]
    mark = '' if body in wholes else f'?{len(body)}'
    if mark and any(whole.startswith(body) for whole in wholes):
        mark = f'<{len(body)}'
    return name + mark + '*' * cut


def damage_of(stats: ArchiveStats) -> str:
    """Causes with records and bytes, as `expected.txt` has them."""
    parts = [f'{c}: {n} {size}' for c, (n, size) in sorted(stats.damage.items())]
    return '; '.join(parts) or '-'


def shrink(monkeypatch, small: int = 8, block: int = 1 << 20) -> None:
    """Let nearly everything count as large, and blocks be so small."""
    for module in (framing, items, members, frames, reader):
        monkeypatch.setattr(module, 'SMALL', small)
    for module in (window, framing, codec, frames, decoding, reader, splicing):
        monkeypatch.setattr(module, 'BLOCK', block)
    monkeypatch.setattr(members, 'PIECE', block)
    monkeypatch.setattr(ordinary, 'MAX_RECORD', small)


def twice(found: list[tuple]) -> list[str]:
    """Places that were given more than once."""
    return [place for place, n in Counter(item[0] for item in found).items() if n > 1]
