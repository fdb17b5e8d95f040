"""The recipe: all options on which the digests of a page depend."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.errors import UsageError

HASHES = cutters.SIZES  # bytes of a digest
COMPAT = {'none': b'', 'ccr2019-arc': b'\n'}  # bytes to append to each body


class Recipe(NamedTuple):
    """All options on which the digests of a page depend."""

    hash: str = 'sha1'
    delimiters: str = chunking.DEFAULT
    normalize: str = 'none'
    compat: str = 'none'

    @classmethod
    def from_options(cls, made_of: Mapping[str, Any]) -> 'Recipe':
        """Select the recipe among the options on which the pages of a run depend.

        >>> Recipe.from_options(Recipe('sha256')._asdict() | {'captures': 'all'}).hash
        'sha256'
        """
        return cls(**{name: made_of[name] for name in cls._fields})

    @property
    def width(self) -> int:
        """Bytes in a digest."""
        return HASHES[self.hash]

    @property
    def tail(self) -> bytes:
        """Bytes to append to each body."""
        return COMPAT[self.compat]

    def check(self) -> 'Recipe':
        """Return the recipe with normalized delimiters.

        Raises `UsageError` for an unknown value.
        """
        if self.hash not in HASHES:
            raise UsageError(f'--hash {self.hash!r}: give {", ".join(HASHES)}')
        if self.normalize not in NORMALIZERS:
            raise UsageError(
                f'--normalize {self.normalize!r}: give {", ".join(NORMALIZERS)}'
            )
        if self.compat not in COMPAT:
            raise UsageError(f'--compat {self.compat!r}: give {", ".join(COMPAT)}')
        chunking.delimiter(self.delimiters)
        return self._replace(delimiters=chunking.canonical(self.delimiters))
