"""Archives by their names in a file: what a dictionary would say, in no memory."""

import random
import tracemalloc

from mr_reuse.shuffle import mapped_paths
from mr_reuse.shuffle.mapped_paths import Archive, Archives, PathSet

COUNT = 20_000


def make(count: int) -> list[Archive]:
    """Archives with odd names, some of which begin with others; in no order."""
    dice = random.Random(3)
    names = {dice.choice('ab\x01é\udcff %') * dice.randrange(1, 5) for _ in range(99)}
    names |= {f'/crawl/part-{n % 7}/{n}.warc.gz' for n in range(count - len(names))}
    made = [
        Archive(name, f'/in/{name}\t\n', dice.choice([None, 0, n]))
        for n, name in enumerate(sorted(names))
    ]
    dice.shuffle(made)
    return made


def test_as_a_dictionary(monkeypatch):
    made = make(2000)
    held = mapped_paths.collect(made, len(made))
    assert isinstance(held.paths, dict)
    monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', 10)
    paths, sizes = found = mapped_paths.collect(made, len(made))
    assert not isinstance(paths, dict) and len(paths) == len(made)
    for name, path, size in made:
        assert (paths[name], name in paths, sizes.get(name)) == (path, True, size)
        for other in (f'{name}!', name[:-1], f'{name}\x01'):
            assert paths.get(other) == held.paths.get(other)
            assert (other in paths) == (other in held.paths)
    assert dict(paths.items()) == held.paths and set(paths) == set(held.paths)
    assert sorted(paths.values()) == sorted(held.paths.values())
    assert sorted(found.entries()) == sorted(held.entries()) == sorted(made)


def test_without_archives(monkeypatch):
    monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', -1)
    paths, sizes = mapped_paths.collect([], 0)
    assert (len(paths), list(paths), paths.get('a'), sizes.get('a')) == (
        0,
        [],
        None,
        None,
    )


def test_set_of_paths(monkeypatch):
    monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', 2)
    read = PathSet(['/a\tb', '/a\nb', '/\udcff', '/x'])
    assert '/a\tb' in read and '/a\nb' in read and '/\udcff' in read
    assert '/a' not in read and '/a%09b' not in read


def test_memory():
    """A dictionary of these takes 260 bytes for each."""
    made = make(COUNT)
    tracemalloc.start()
    archives: Archives = mapped_paths.collect(iter(made), len(made))
    assert sum(1 for _ in archives.paths.values()) == len(made)
    assert all(name in archives.paths for name, *_ in made[:100])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2 * COUNT
