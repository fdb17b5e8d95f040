"""Items of ordinary records whose headers are not parsed in Python.

Nearly all records are sound pages without anything unusual. The kernel looks at such a
record once, and again when it writes the line of its page. In between, the record is a
`RawItem`: an item that parses its header only if someone asks for a field of it.
"""

from collections.abc import Callable

from mr_reuse import kernel
from mr_reuse.archives.framing import Record
from mr_reuse.archives.headers import Head
from mr_reuse.archives.items import Item
from mr_reuse.archives.ordinary import Parser, ordinary_parser

MAX_RAW = 256 << 10  # bytes of a body; larger ones are not hashed side by side

Facts = tuple[str, str, str, bytes]  # type, date, IP address, Content-Type
Glance = tuple[str, int, str, int, int]  # URL, status, type, start and size of the body


class RawItem(Item):
    """An item with the record that holds it, and the bounds of the body in that.

    `type` is '' if only `sniff.media_type` can tell it.
    """

    __slots__ = ('data', 'start', '_parser', '_record', '_reader', '_facts')
    kind, cut, pieces = '', False, ()

    def __init__(
        self,
        data: bytes | bytearray,
        glance: Glance,
        parser: Parser,
        reader: Callable[[bytes | bytearray], Facts],
    ):
        self.data, self._parser, self._reader = data, parser, reader
        self._record: Record | None = None
        self._facts: Facts | None = None
        self.url, self.status, self.type, self.start, self.size = glance

    @property
    def body(self) -> bytes:
        return bytes(memoryview(self.data)[self.start : self.start + self.size])

    def beginning(self, size: int) -> bytes:
        """Return the first bytes of the body."""
        return bytes(self.data[self.start : self.start + min(size, self.size)])

    def _parse(self) -> Record:
        """Return the record, whose header is parsed once."""
        if self._record is None:
            self._record = self._parser(self.data)
        return self._record

    @property
    def head(self) -> Head:
        return self._parse().head

    def _read_facts(self) -> Facts:
        """Return the fields of the header that each document needs, read once."""
        if self._facts is None:
            self._facts = self._reader(self.data)
        return self._facts

    @property
    def record_type(self) -> str:
        return self._read_facts()[0]

    @property
    def date(self) -> str:
        return self._read_facts()[1]

    @property
    def ip(self) -> str:
        return self._read_facts()[2]

    @property
    def content_type(self) -> bytes:
        return self._read_facts()[3]


def raw_parser() -> Parser | None:
    """Select a parser as `ordinary_parser`, but which may return a `RawItem`.

    Its `offset` is not set. Its fields are those that `items.make_item` finds. Return
    None without the kernel, as Python would have to parse the header twice.
    """
    native = kernel.load()
    if not native:
        return None
    glance, facts, parse = native.glance, native.facts, ordinary_parser()

    def parse_raw(data: bytes | bytearray):
        fields = glance(data, MAX_RAW)
        return RawItem(data, fields, parse, facts) if fields else parse(data)

    return parse_raw
