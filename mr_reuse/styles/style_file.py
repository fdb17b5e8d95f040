"""Style files: the fingerprints of the members of styles, for other crawls.

They are sealed files (`shuffle/sealed.py`). The header has the options that decide
fingerprints and which of them are alike, a digest of the numbers that fix them, and the
sizes of the data:

    members   a row for each: m keys, the number of its style, the end of its name
    ignored   rows of two numbers: dimensions and keys that count as empty
    names     RID \\t URL of each member, one after another

Members are in the order of their styles, those of a style in the order of their rids.
Numbers besides keys have 64 bits. A header has no time stamp, so the same styles have
the same bytes.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import IO, Any, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.errors import UserError, describe_error
from mr_reuse.messages import to_text
from mr_reuse.shuffle import sealed
from mr_reuse.shuffle.sealed import Seal, check_natural
from mr_reuse.storage import naming
from mr_reuse.storage.mapped import map_bytes
from mr_reuse.styles.fingerprints import Common, Shape
from mr_reuse.styles.style_options import ClusterRule, Recipe
from mr_reuse.text.noise import keys as noise_keys
from mr_reuse.text.noise.parameters import DIMENSIONS, LONGEST, PREPROCESSORS

FILE_NAME = 'styles.msf'  # in a run directory
SEAL = Seal(b'MSF', b'1', 'style file')
NUMBER = 8  # bytes
AT_ONCE = 4096  # members to write at a time
COPY = 1 << 20  # bytes to read at a time


class KnownMember(NamedTuple):
    """A member of a style: its document in the run that wrote the file."""

    style: int
    number: int
    name: bytes  # RID \t URL


class StyleHeader(NamedTuple):
    """The header of a style file."""

    n: int
    m: int
    preprocessor: str
    key_bits: int
    normalize_empty: bool
    t: int
    p: int
    parameters: str  # SHA-256 of the text of `styles parameters`
    styles: int
    members: int
    ignored: int  # values
    names: int  # bytes

    @classmethod
    def of_options(
        cls, recipe: Recipe, rule: ClusterRule, **sizes: int
    ) -> 'StyleHeader':
        """Make a header of the options of `styles`, and of the sizes of the data."""
        return cls(
            recipe.n,
            recipe.m,
            recipe.preprocessor,
            recipe.bits,
            rule.normalize_empty,
            rule.t,
            rule.p,
            digest_parameters(recipe, rule.p),
            **sizes,
        )

    @property
    def recipe(self) -> Recipe:
        """The options that decide the fingerprint of a page."""
        return Recipe(self.n, self.m, self.preprocessor, self.key_bits)

    @property
    def rule(self) -> ClusterRule:
        """The options that decide which documents are alike."""
        return ClusterRule(self.t, self.p, self.normalize_empty)

    @property
    def shape(self) -> Shape:
        """The columns of a row."""
        return Shape(self.m, self.key_bits)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The bytes of the members, of the ignored values, and of the names."""
        return self.members * self.shape.width, self.ignored * 2 * NUMBER, self.names


def digest_parameters(recipe: Recipe, p: int) -> str:
    """Return the SHA-256 of what `styles parameters` prints, in hexadecimal."""
    return hashlib.sha256(recipe.format_parameters(p).encode()).hexdigest()


def read_fields(fields: dict[str, Any]) -> StyleHeader:
    """Check the fields of a header; raise an error of `sealed.read_header`."""
    header = StyleHeader(**fields)
    for name in ('styles', 'members', 'ignored', 'names'):
        check_natural(getattr(header, name))
    bounds = {
        'n': LONGEST,
        'm': DIMENSIONS,
        'key_bits': noise_keys.MOST_BITS,
        't': header.m,
        'p': header.m,
    }
    for name, most in bounds.items():
        least = noise_keys.LEAST_BITS if name == 'key_bits' else 1
        if not least <= check_natural(getattr(header, name)) <= most:
            raise ValueError(name)
    if type(header.normalize_empty) is not bool:
        raise ValueError('normalize_empty')
    if header.preprocessor not in PREPROCESSORS:
        raise UserError(
            f'--preprocessor {header.preprocessor!r}: give {", ".join(PREPROCESSORS)}'
        )
    if header.parameters != digest_parameters(header.recipe, header.p):
        raise UserError('styles parameters prints other numbers than it was made with')
    return header


class StyleFile:
    """A style file, mapped into memory."""

    def __init__(self, header: StyleHeader, data: memoryview, start: int):
        self.header = header
        shape, (rows, ignored, names) = header.shape, header.sizes
        members = np.frombuffer(data, np.uint8, rows, start)
        members = members.reshape(-1, shape.width)
        self.keys = members[:, : shape.keys].view(noise_keys.key_type(shape.bits))
        self._numbers = members[:, shape.keys :]
        values = np.frombuffer(data, np.uint8, ignored, start + rows)
        self.ignored = Common(*values.view('<u8').reshape(-1, 2).T)
        first = start + rows + ignored
        self._names = data[first : first + names]
        self.digest = bytes(data[-sealed.DIGEST_SIZE :]).hex()

    def styles_of(self, rows) -> np.ndarray:
        """Return the numbers of the styles of members: an array, or a slice of rows."""
        return self._numbers[rows, :NUMBER].view('<u8').ravel()

    def ends_of(self, rows) -> np.ndarray:
        """Return where the names of members end."""
        return np.ascontiguousarray(self._numbers[rows, NUMBER:]).view('<u8').ravel()

    def name(self, row: int) -> tuple[str, str]:
        """Return the rid and the URL of a member."""
        ends = self.ends_of(slice(max(0, row - 1), row + 1)).tolist()
        name = bytes(self._names[ends[0] if row else 0 : ends[-1]])
        rid, _, url = to_text(name).partition('\t')
        return rid, url

    def is_in_order(self) -> bool:
        """Test whether the numbers of styles, and the ends of names, are in order.

        A file that this program has not written might have a digest that is right.
        """
        style, end = 1, 0
        for start in range(0, len(self.keys), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            styles, ends = self.styles_of(some), self.ends_of(some)
            if not (_is_ascending(style, styles) and _is_ascending(end, ends)):
                return False
            style, end = int(styles[-1]), int(ends[-1])
        return end == self.header.names and style <= max(1, self.header.styles)


def _is_ascending(before: int, column: np.ndarray) -> bool:
    """Test whether numbers ascend, from one on; some may be the same.

    >>> _is_ascending(1, np.array([1, 1, 3])), _is_ascending(2, np.array([1, 2]))
    (True, False)
    """
    return before <= int(column[0]) and bool((column[1:] >= column[:-1]).all())


def resolve_name(name: str) -> str:
    """Return the style file of a name: for a run, the style file in it."""
    in_run = naming.join(name, FILE_NAME)
    return in_run if storage.is_dir(name) and storage.exists(in_run) else name


def parse(name: str, data: memoryview, is_trusted: bool = False) -> StyleFile:
    """Parse a style file, which may be mapped memory.

    The bytes of a trusted file are not verified, as that reads all of it.
    """
    sealed.check_magic(name, data, SEAL)
    header, start = sealed.read_header(name, data, SEAL, read_fields)
    length = start + sum(header.sizes) + sealed.DIGEST_SIZE
    sealed.check_length(name, data, SEAL, length)
    if not is_trusted:
        sealed.check_digest(name, data, SEAL)
    found = StyleFile(header, data, start)
    if not (is_trusted or found.is_in_order()):
        raise UserError(f'{name}: this {SEAL.title} is damaged: it is not in order')
    return found


def load(name: str, is_trusted: bool = False) -> StyleFile:
    """Map a style file into memory. Tasks trust it: the driver has verified it."""
    name = resolve_name(name)
    return parse(name, _map(name), is_trusted)


def _map(name: str) -> memoryview:
    storage.refuse_special_files(name)
    try:
        return map_bytes(name)
    except IsADirectoryError:
        raise UserError(
            f'{name}: a folder without {FILE_NAME}; name a {SEAL.title} or a run of '
            'styles'
        ) from None
    except OSError as error:
        raise UserError(describe_error(error)) from None


class StyleFileWriter:
    """Writes a style file.

    The header has the sizes of the data, so members and names are in temporary files
    until they are counted.
    """

    def __init__(self, recipe: Recipe, rule: ClusterRule):
        self._options = recipe, rule
        self._rows, self._names = storage.open_scratch(), storage.open_scratch()
        self._members = self._style = self._end = 0

    def add(self, members: Iterable[KnownMember], keys: np.ndarray) -> None:
        """Add members in their order. `keys` has the fingerprints of all documents."""
        members = iter(members)
        while some := list(islice(members, AT_ONCE)):
            ends = self._end + np.cumsum([len(member.name) for member in some])
            numbers = np.stack([[member.style for member in some], ends], axis=1)
            found = keys[[member.number for member in some]]
            columns = found.view(np.uint8), numbers.astype('<u8').view(np.uint8)
            self._rows.write(np.concatenate(columns, axis=1).tobytes())
            self._names.writelines(member.name for member in some)
            self._members += len(some)
            self._style, self._end = some[-1].style, int(ends[-1])

    def write(self, name: str, ignored: Common | None) -> None:
        """Write the file, with the values that count as empty."""
        values = np.stack(ignored, axis=1) if ignored else np.zeros((0, 2))
        header = StyleHeader.of_options(
            *self._options,
            styles=self._style,
            members=self._members,
            ignored=len(values),
            names=self._end,
        )
        with storage.write(name) as stream:
            pieces = chain(
                _read_pieces(self._rows),
                [values.astype('<u8').tobytes()],
                _read_pieces(self._names),
            )
            sealed.write(stream, SEAL, header._asdict(), pieces)


def _read_pieces(stream: IO[bytes]) -> Iterator[bytes]:
    stream.seek(0)
    return iter(lambda: stream.read(COPY), b'')
