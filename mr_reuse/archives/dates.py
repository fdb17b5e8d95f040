"""Capture dates as numbers, YYYYMMDDhhmmss."""

import re
from datetime import datetime

UNKNOWN = 10**14  # sorts after all dates, which have 14 digits
FIRST_YEAR = 1991  # of the web; a wrong clock may write any year, such as 1970
DATE = re.compile(r'(\d{4})-?(\d\d)-?(\d\d)T?(\d\d):?(\d\d):?(\d\d)')


def parse_date(date: str) -> int:
    """Parse a date; UNKNOWN if it is impossible or before the first year of the web.

    A date in the future is accepted, so that results do not depend on the day of the
    run. Such a capture is later than the others, so it never looks like their source.

    >>> parse_date('2020-01-02T03:04:05.678Z'), parse_date('20200102030405')
    (20200102030405, 20200102030405)
    >>> impossible = ['', '00000000000000', '2020-02-30T00:00:00Z', '19700101000000']
    >>> [parse_date(date) == UNKNOWN for date in impossible]
    [True, True, True, True]
    """
    match = DATE.match(date)
    try:
        year, *rest = map(int, match.groups()) if match else (0, 0, 0)
        datetime(year, *rest)  # refuses days and hours that do not exist
    except ValueError:
        return UNKNOWN
    return int(''.join(match.groups())) if year >= FIRST_YEAR else UNKNOWN


def format_date(number: int) -> str:
    """Format a number as a date; '' if it is unknown.

    >>> format_date(20200102030405), format_date(UNKNOWN)
    ('2020-01-02T03:04:05Z', '')
    """
    d = f'{number:014d}'
    if number >= UNKNOWN:
        return ''
    return f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:]}Z'
