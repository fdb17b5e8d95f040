"""Ways in which archives break: one record's bytes in, damaged bytes out."""

from mr_reuse.synth.prose import draw

EVERY, FIRST = 200, 19  # the first one early, so that the smallest crawl has one
SLIPS = {'length-short': -20, 'length-long': 200}  # what a record declares is off by
# what breaks a gzip member, and what a file that is not compressed
MEMBER = 'flip', 'junk', 'length-short', 'checksum', 'cut', 'length-long', 'zeros'
PLAIN = 'junk', 'length-short', 'cut', 'length-long', 'zeros'


def harm_of(serial: int, gzipped: bool) -> str:
    """The damage that the page of that serial number suffers, if any.

    >>> harm_of(19, True), harm_of(219, True), harm_of(8, True)
    ('flip', 'junk', '')
    """
    turn, place = divmod(serial, EVERY)
    kinds = MEMBER if gzipped else PLAIN
    return kinds[turn % len(kinds)] if place == FIRST else ''


def break_bytes(packed: bytes, harm: str) -> bytes:
    """What is written in place of a record that suffers this.

    >>> break_bytes(b'teapot', 'cut'), break_bytes(b'teapot', 'length-long')
    (b'tea', b'teapot')
    """
    match harm:
        case 'flip':
            return flip(packed, len(packed) // 2)
        case 'checksum':
            return flip(packed, -8)  # where gzip keeps it
        case 'junk':
            return draw(100, 'junk') + packed
        case 'zeros':
            return bytes(512) + packed
        case 'cut':
            return packed[: len(packed) // 2]
    return packed


def flip(packed: bytes, at: int) -> bytes:
    """Turn over all bits of one byte.

    >>> flip(b'tea', -1)
    b'te\\x9e'
    """
    broken = bytearray(packed)
    broken[at] ^= 0xFF
    return bytes(broken)
