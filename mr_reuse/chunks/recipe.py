"""The recipe: all options on which the digests of a page depend."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking, cutters
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.errors import UsageError

DIGEST_BYTES = cutters.DIGEST_BYTES  # bytes of a digest
BODY_TAILS = {'none': b'', 'ccr2019-arc': b'\n'}  # bytes to append to each body


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
        return DIGEST_BYTES[self.hash]

    @property
    def tail(self) -> bytes:
        """Bytes to append to each body."""
        return BODY_TAILS[self.compat]

    def check(self) -> 'Recipe':
        """Return the recipe with normalized delimiters.

        Raises `UsageError` for an unknown value.
        """
        if self.hash not in DIGEST_BYTES:
            raise UsageError(f'--hash {self.hash!r}: give {", ".join(DIGEST_BYTES)}')
        if self.normalize not in NORMALIZERS:
            raise UsageError(
                f'--normalize {self.normalize!r}: give {", ".join(NORMALIZERS)}'
            )
        if self.compat not in BODY_TAILS:
            raise UsageError(f'--compat {self.compat!r}: give {", ".join(BODY_TAILS)}')
        chunking.compile_delimiter(self.delimiters)
        return self._replace(delimiters=chunking.normalize_delimiters(self.delimiters))
