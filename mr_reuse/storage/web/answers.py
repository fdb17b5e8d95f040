"""What the answers of web servers say, and why there was none.

A server may send anything. An answer that is no valid HTTP is an error of that file.
"""

import errno
import re
from collections.abc import Iterator
from typing import Any

TIMEOUT = 60  # seconds
# More digits than a size has are no size, and Python refuses to read very many.
NUMBER = '[0-9]{1,19}'
RANGE = re.compile(rf'bytes (?:({NUMBER})-{NUMBER}|\*)/({NUMBER}|\*)')
# Exceptions for an answer that is no HTTP, by their exact names: `RemoteDisconnected`,
# a lost connection, is derived from `BadStatusLine`.
INVALID = 'BadStatusLine HTTPException InvalidHeader LineTooLong'.split()
NO_SIZE = "b''"  # ends the ValueError for the size of a chunk that never came


def is_invalid(error: Exception) -> bool:
    """Test whether an answer was no valid HTTP, rather than lost.

    >>> is_invalid(ValueError('read length must be non-negative'))
    True
    >>> is_invalid(ConnectionResetError()), is_invalid(ValueError("invalid: b''"))
    (False, False)
    """
    return any(type(e).__name__ in INVALID or _is_bad_value(e) for e in _chain(error))


def _is_bad_value(error: BaseException) -> bool:
    """Test for a bad header or size of a chunk. A bad certificate is an OSError too."""
    is_value = isinstance(error, ValueError) and not isinstance(error, OSError)
    return is_value and not str(error).endswith(NO_SIZE)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, those in it, and those it was raised from."""
    if error is None:
        return
    yield error
    yield from _chain(error.__cause__ or error.__context__)
    for inner in (getattr(error, 'reason', None), *error.args):
        if isinstance(inner, Exception):
            yield from _chain(inner)


def invalid_answer(name: str, error: Exception) -> OSError:
    """Return the error of a file whose server sends no valid HTTP."""
    why = f'the server sent an invalid answer: {failure_reason(error)[:200]}'
    return OSError(errno.EIO, why, name)


def failure_reason(error: Exception) -> str:
    """Describe in one line the reason why a server did not answer."""
    from urllib3 import exceptions

    error = getattr(error, 'reason', None) or error
    if isinstance(error, exceptions.ReadTimeoutError):
        return f'no answer within {TIMEOUT} seconds'
    inner = [e for e in (error.__cause__, *error.args) if isinstance(e, Exception)]
    error = inner[0] if inner else error
    certificate = getattr(error, 'verify_message', '')
    if certificate:
        return f'the certificate is not trusted: {certificate}'
    return ' '.join((getattr(error, 'strerror', '') or str(error)).split())


def content_length(response: Any) -> int | None:
    """Return the length of a response; None if its header lacks it."""
    length = response.headers.get('Content-Length', '')
    return int(length) if re.fullmatch(NUMBER, length) else None


def file_size(response: Any) -> int | None:
    """Return the size of the file of a response; None if its header lacks it."""
    if response.status == 200:
        return content_length(response)
    match = RANGE.fullmatch(response.headers.get('Content-Range', ''))
    return int(match[2]) if match and match[2] != '*' else None


def range_start(response: Any) -> int | None:
    """Return the offset of a response in its file; None if its header lacks it."""
    if response.status == 200:
        return 0
    match = RANGE.fullmatch(response.headers.get('Content-Range', ''))
    return int(match[1]) if match and match[1] else None


def version_stamp(response: Any) -> str | None:
    """Return the version stamp of the file of a response; None if it has none."""
    return response.headers.get('ETag') or response.headers.get('Last-Modified')
