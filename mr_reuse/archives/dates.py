"""Capture dates as numbers, YYYYMMDDhhmmss."""

import re
from datetime import datetime

UNKNOWN = 10**14  # a date later than all others


FIRST_YEAR = 1991  # of the web; an archive may claim any, such as 1970


DATE = re.compile(r'(\d{4})-?(\d\d)-?(\d\d)T?(\d\d):?(\d\d):?(\d\d)')


def date_number(date: str) -> int:
    """A date as a number; one that cannot be is none, nor one before the web was.

    What lies in the future is a date, as there is no clock in here: who claims that
    looks like a copy, and never like a source.

    >>> date_number('2020-01-02T03:04:05.678Z'), date_number('20200102030405')
    (20200102030405, 20200102030405)
    >>> impossible = ['', '00000000000000', '2020-02-30T00:00:00Z', '19700101000000']
    >>> [date_number(date) == UNKNOWN for date in impossible]
    [True, True, True, True]
    """
    found = DATE.match(date)
    try:
        year, *rest = map(int, found.groups()) if found else (0, 0, 0)
        datetime(year, *rest)
    except ValueError:
        return UNKNOWN
    return int(''.join(found.groups())) if year >= FIRST_YEAR else UNKNOWN


def format_date(number: int) -> str:
    """A number as a date.

    >>> format_date(20200102030405), format_date(UNKNOWN)
    ('2020-01-02T03:04:05Z', '')
    """
    d = f'{number:014d}'
    if number >= UNKNOWN:
        return ''
    return f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:]}Z'
