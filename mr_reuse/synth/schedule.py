"""Times of captures, in seconds since the first one.

A crawl takes half a year, and its captures are written in the order of time. The dates
show which site had a chunk first: clearly for the mirrors, less so for the ring.
"""

from datetime import datetime, timedelta

from mr_reuse.synth.prose import draw

FIRST_DAY = datetime(2014, 3, 1)
HOUR = 3600
DAY = 24 * HOUR
SPAN = 180 * DAY
SWEEP = 5 * DAY  # time in which all articles of the source are captured
LATER = 30 * DAY, 140 * DAY  # the first and last possible visit of a mirror
STEP = 20  # seconds from a page of a site to the next one
SHOP = 100 * DAY  # capture of the shop
NEAR = -3 * HOUR, HOUR, STEP // 2  # from there to the first sites of the ring
APART = 9 * DAY  # between the other sites of the ring


def time_of(second: int) -> datetime:
    """Return the date and time (UTC) of a second of the crawl.

    >>> time_of(DAY + 1)
    datetime.datetime(2014, 3, 2, 0, 0, 1)
    """
    return FIRST_DAY + timedelta(seconds=second)


def stamp(second: int) -> str:
    """Format a second of the crawl as a WARC date.

    >>> stamp(DAY + 1)
    '2014-03-02T00:00:01Z'
    """
    return f'{time_of(second).isoformat()}Z'


def anytime(*name: object) -> int:
    """Return a second of the crawl that depends on the name only.

    >>> anytime(1, 7)
    244251
    """
    return int.from_bytes(draw(4, 'at', *name), 'big') * SPAN >> 32


def article(number: int, articles: int) -> int:
    """Return the time at which the original of an article is captured.

    >>> [article(number, 5) // DAY for number in range(5)]
    [0, 1, 2, 3, 4]
    """
    return number * SWEEP // articles


def copy(seed: int, mirror: int, number: int) -> int:
    """Return the time at which a mirror's copy of an article is captured.

    It is a month or more after the original, so the order is clear.

    >>> [copy(1, 0, number) // DAY for number in range(5)]
    [37, 37, 37, 37, 37]
    """
    soonest, latest = LATER
    turn = int.from_bytes(draw(4, seed, 'visit', mirror), 'big')
    return soonest + (turn * (latest - soonest) >> 32) + number * STEP


def outlet(number: int, page: int) -> int:
    """Return the time at which a page of a site of the ring is captured.

    One site is captured hours before the shop that it copied, the next one an hour
    after it, and the third between the pages of the shop. The others are weeks later.

    >>> [outlet(number, 0) - SHOP for number in range(3)]
    [-10800, 3600, 10]
    >>> [(outlet(number, 0) - SHOP) // DAY for number in range(3, 8)]
    [27, 36, 45, 54, 63]
    """
    after = NEAR[number] if number < len(NEAR) else number * APART
    return SHOP + after + page * STEP
