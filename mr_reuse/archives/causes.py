"""Causes of damage, and notes: the keys in the statistics of an archive.

The texts are in `run.json` and in tables, so they must not change. `docs/recovery.md`
describes each of them.
"""

# Of a gzip member
CRC = 'gzip member fails its checksum'
BROKEN = 'gzip member does not inflate'
BETWEEN = 'bytes between gzip members'

# Of a record
BAD_HEAD = 'record header that cannot be read'
NO_TYPE = 'record without a type'
NO_URL = 'record without a target URI'
OVERRUN = 'length runs over the end of the record'
SHORT = 'bytes behind the declared length of a record'
JUNK = 'bytes that belong to no record'

# Of a body
BREAKS_OFF = 'encoding that breaks off'
BOMB = 'body of more than 2 GB'

# Of an archive in a WACZ
NOT_AS_LISTED = 'archive that is not as its WACZ lists it'
CHECKSUM = 'archive that fails its checksum in the ZIP'
MISPLACED = 'archive that its ZIP describes wrongly'
REPEATED = 'another archive of the same name'

# Of a file
CUT = 'cut by the end of the file'
NOTHING = 'no readable record in it'
NO_ARCHIVE = 'not an archive'
CONTAINER = 'container of a kind that is not read'
NO_DIRECTORY = 'ZIP that was read without its directory'
EMPTY = 'empty file'
REFUSED = 'cannot be read: '  # the error of the system or the server follows
BUSY = f'{REFUSED}the server stays busy'  # its answer follows

# Of a row of an index
NO_ROW = 'no record at the offset in the index'
ROW_LENGTH = 'length in the index that is not that of the record'


def refusal(error: Exception) -> str:
    """Return the cause for an error of the system or a server."""
    return f'{REFUSED}{getattr(error, "strerror", None) or error}'


# Notes, which are not damage; `transfer` or `content` precedes the first two
UNKNOWN_ENCODING = ' encoding unknown'
OTHER_ENCODING = ' encoding not as declared'
UNLISTED_NOTE = 'archive that its WACZ does not list'
NO_LIST_NOTE = 'WACZ without a valid datapackage.json'
CHANGED_LIST_NOTE = 'WACZ with a datapackage.json that was changed'
TRUNCATED_NOTE = 'truncated by the crawler'
