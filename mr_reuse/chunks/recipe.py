"""The recipe: all options on which the digests of a page depend."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.engine.record import RUN_JSON
from mr_reuse.errors import UsageError, UserError

DIGEST_BYTES = {'sha1': 20, 'sha256': 32}  # bytes of a digest, by name of the hash
BODY_TAILS = {'none': b'', 'ccr2019-arc': b'\n'}  # bytes to append to each body
VALUES: dict[str, Mapping[str, Any]] = {  # by option
    'hash': DIGEST_BYTES,
    'normalize': NORMALIZERS,
    'compat': BODY_TAILS,
}


class Recipe(NamedTuple):
    """The values of these options, each under the name of its option."""

    hash: str = 'sha1'
    delimiters: str = chunking.DEFAULT_DELIMITERS
    normalize: str = 'none'
    compat: str = 'none'

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> 'Recipe':
        """Select the recipe among the options on which the pages of a run depend.

        >>> Recipe.from_options(Recipe('sha256')._asdict() | {'captures': 'all'}).hash
        'sha256'
        """
        try:
            return cls(**{name: options[name] for name in cls._fields}).check()
        except (UsageError, KeyError, TypeError, AttributeError):
            values = {name: options.get(name) for name in cls._fields}
            raise UserError(
                f'{RUN_JSON}: these options are damaged, or of another version: '
                f'{values}; type the command that made the run again'
            ) from None

    @property
    def width(self) -> int:
        """Bytes in a digest."""
        return DIGEST_BYTES[self.hash]

    @property
    def tail(self) -> bytes:
        """Bytes to append to each body."""
        return BODY_TAILS[self.compat]

    def check(self) -> 'Recipe':
        """Check all values; return the recipe with normalized delimiters.

        Raises `UsageError` for an unknown value.
        """
        for name, values in VALUES.items():
            value = getattr(self, name)
            if value not in values:
                raise UsageError(f'--{name} {value!r}: give {", ".join(values)}')
        chunking.parse_delimiters(self.delimiters)
        return self._replace(delimiters=chunking.normalize_delimiters(self.delimiters))
