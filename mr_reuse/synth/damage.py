"""Kinds of damage in archives, as functions of the bytes of a record."""

from mr_reuse.synth.prose import draw

EVERY, FIRST = 200, 19  # pages; the first damaged one is in the smallest crawl, too
SLIPS = {'length-short': -20, 'length-long': 200}  # errors of the declared length
# The kinds of damage of a gzip member, and of a plain record, which has no checksum.
MEMBER = 'flip', 'junk', 'length-short', 'checksum', 'cut', 'length-long', 'zeros'
PLAIN = 'junk', 'length-short', 'cut', 'length-long', 'zeros'


def harm_of(serial: int, gzipped: bool) -> str:
    """Return the kind of damage to the page with a serial number, '' if none.

    >>> harm_of(19, True), harm_of(219, True), harm_of(8, True)
    ('flip', 'junk', '')
    """
    turn, place = divmod(serial, EVERY)
    kinds = MEMBER if gzipped else PLAIN
    return kinds[turn % len(kinds)] if place == FIRST else ''


def break_bytes(stored: bytes, harm: str) -> bytes:
    """Return the stored bytes of a record, with a kind of damage.

    A wrong length is part of the header already, so it needs no change.

    >>> break_bytes(b'teapot', 'cut'), break_bytes(b'teapot', 'length-long')
    (b'tea', b'teapot')
    """
    match harm:
        case 'flip':
            return flip(stored, len(stored) // 2)
        case 'checksum':
            return flip(stored, -8)  # the CRC is in the first 4 of the last 8 bytes
        case 'junk':
            return draw(100, 'junk') + stored
        case 'zeros':
            return bytes(512) + stored
        case 'cut':
            return stored[: len(stored) // 2]
    return stored


def flip(stored: bytes, at: int) -> bytes:
    """Invert all bits of the byte at an index.

    >>> flip(b'tea', -1)
    b'te\\x9e'
    """
    broken = bytearray(stored)
    broken[at] ^= 0xFF
    return bytes(broken)
