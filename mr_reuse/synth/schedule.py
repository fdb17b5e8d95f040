"""When the crawler comes by: seconds since the first capture.

A crawl goes on for half a year, and what it captures is written in that order. Dates
are what tells who had copies first, so they tell it of some sites and not of others.
"""

from datetime import datetime, timedelta

from mr_reuse.synth.prose import draw

FIRST_DAY = datetime(2014, 3, 1)
HOUR = 3600
DAY = 24 * HOUR
SPAN = 180 * DAY
SWEEP = 5 * DAY  # in which all articles are captured where they come from
LATER = 30 * DAY, 140 * DAY  # between these mirrors are visited
STEP = 20  # seconds from a page of a site to the next one
SHOP = 100 * DAY  # the day on which a shop is captured
NEAR = -3 * HOUR, HOUR, STEP // 2  # from that to sites of the ring that copied it
APART = 9 * DAY  # between those that come later


def time_of(second: int) -> datetime:
    """
    >>> time_of(DAY + 1)
    datetime.datetime(2014, 3, 2, 0, 0, 1)
    """
    return FIRST_DAY + timedelta(seconds=second)


def stamp(second: int) -> str:
    """A time as WARC has it.

    >>> stamp(DAY + 1)
    '2014-03-02T00:00:01Z'
    """
    return f'{time_of(second).isoformat()}Z'


def anytime(*name: object) -> int:
    """A second that depends on the name alone.

    >>> anytime(1, 7)
    244251
    """
    return int.from_bytes(draw(4, 'at', *name), 'big') * SPAN >> 32


def article(number: int, articles: int) -> int:
    """When an article is captured where it comes from.

    >>> [article(number, 5) // DAY for number in range(5)]
    [0, 1, 2, 3, 4]
    """
    return number * SWEEP // articles


def copy(seed: int, mirror: int, number: int) -> int:
    """When an article is captured on a mirror: months later, so who had it is clear.

    >>> [copy(1, 0, number) // DAY for number in range(5)]
    [37, 37, 37, 37, 37]
    """
    soonest, latest = LATER
    turn = int.from_bytes(draw(4, seed, 'visit', mirror), 'big')
    return soonest + (turn * (latest - soonest) >> 32) + number * STEP


def outlet(number: int, page: int) -> int:
    """When a page of the ring is captured: of one site hours before the shop it copied.

    Of one an hour after it, of one between its pages, and of the others weeks later.

    >>> [outlet(number, 0) - SHOP for number in range(3)]
    [-10800, 3600, 10]
    >>> [(outlet(number, 0) - SHOP) // DAY for number in range(3, 8)]
    [27, 36, 45, 54, 63]
    """
    after = NEAR[number] if number < len(NEAR) else number * APART
    return SHOP + after + page * STEP
