"""Components for later jobs: lines in the order of numbers, and a file for tasks.

The file has two columns of 64-bit numbers, one after the other: ascending numbers, and
the smallest number of the component of each.
"""

import shutil
from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.components import edges
from mr_reuse.components.edges import Edges
from mr_reuse.shuffle import ordered_parts
from mr_reuse.storage import mapped


def read_components(parts: Iterable[str]) -> Iterator[Edges]:
    """Yield the rows of part files in the order of their numbers, in pieces."""
    values = ordered_parts.read_values_in_order(parts, edges.COMPONENT)
    return map(edges.unpack, values)


def write_components(name: str, pieces: Iterable[Edges]) -> None:
    """Write the file for tasks."""
    with storage.write(name) as stream, storage.open_scratch() as smallest:
        for rows in pieces:
            stream.write(rows.numbers.tobytes())
            smallest.write(rows.neighbors.tobytes())
        smallest.seek(0)
        shutil.copyfileobj(smallest, stream, 1 << 20)


def map_components(name: str | None) -> Edges:
    """Map the file into memory; empty without a name.

    The first column has the numbers that are not the smallest of their component.
    """
    data = np.frombuffer(mapped.map_bytes(name) if name else b'', np.uint64)
    return Edges(*np.split(data, 2))


def find_smallest(numbers: np.ndarray, components: Edges) -> np.ndarray:
    """Return the smallest number of the component of each number.

    >>> components = Edges(*np.array([[4, 7], [1, 2]], np.uint64))
    >>> find_smallest(np.array([7, 1, 4, 9]), components).tolist()
    [2, 1, 1, 9]
    """
    numbers = numbers.astype(np.uint64)  # else numpy would copy the mapped columns
    if not len(components.numbers):
        return numbers
    at = np.searchsorted(components.numbers, numbers)
    at[at == len(components.numbers)] = 0
    is_there = components.numbers[at] == numbers
    return np.where(is_there, components.neighbors[at], numbers)


def merge_numbers(
    pieces: Iterable[np.ndarray], others: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield the numbers of ascending pieces and of an ascending array, in order.

    >>> pieces = [np.array([2, 5]), np.array([8])]
    >>> merged = merge_numbers(pieces, np.array([1, 6, 9]))
    >>> [numbers.tolist() for numbers in merged]
    [[1, 2, 5], [6, 8], [9]]
    """
    start = 0
    for numbers in pieces:
        end = start + int(np.searchsorted(others[start:], numbers[-1]))
        yield np.sort(np.concatenate([numbers, others[start:end]]))
        start = end
    yield others[start:]
