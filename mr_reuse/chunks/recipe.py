"""The recipe: all options that decide which digests a page has."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.errors import UsageError

HASHES = cutters.SIZES


COMPAT = {'none': b'', 'ccr2019-arc': b'\n'}


class Recipe(NamedTuple):
    """All that decides which digests a page has."""

    hash: str = 'sha1'
    delimiters: str = chunking.DEFAULT
    normalize: str = 'none'
    compat: str = 'none'  # ccr2019-arc: the line feed the authors' ARC reader left

    @classmethod
    def from_options(cls, made_of: Mapping[str, Any]) -> 'Recipe':
        """Take the recipe out of the options that decided the pages of a run.

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
        """What is put behind every body."""
        return COMPAT[self.compat]

    def check(self) -> 'Recipe':
        """Refuse what is not known; the spelling is made the usual one."""
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
