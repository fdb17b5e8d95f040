"""How S3 is asked, and what its errors mean to people."""

import contextlib
import errno
import functools
import os
from collections.abc import Iterator
from typing import Any

from mr_reuse.errors import UserError
from mr_reuse.stores.base import Unreachable

ATTEMPTS = 8
TIMEOUT = 60  # seconds
GONE = 'NoSuchKey 404'.split()
WRONG = """InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken
    ExpiredTokenException TokenRefreshRequired""".split()
ELSEWHERE = 'PermanentRedirect AuthorizationHeaderMalformed 301 307'.split()


def client() -> Any:
    """The client of this process; a fork must not use its parent's connections."""
    return _client(os.getpid())


@functools.cache
def _client(process: int) -> Any:
    import boto3
    from botocore import UNSIGNED
    from botocore.config import Config

    session = boto3.session.Session()  # the shared one is not for threads
    config = Config(
        retries={'mode': 'standard', 'total_max_attempts': ATTEMPTS},
        connect_timeout=TIMEOUT,
        read_timeout=TIMEOUT,
        tcp_keepalive=True,
        # What is read from the middle on has no sum that could be checked.
        response_checksum_validation='when_required',
        signature_version=None if session.get_credentials() else UNSIGNED,
    )
    return session.client('s3', config=config)


@contextlib.contextmanager
def telling(name: str) -> Iterator[None]:
    """Tell what went wrong with a name as all stores do."""
    from botocore import exceptions

    try:
        yield
    except exceptions.ClientError as error:
        raise meant(name, error.response['Error'], status_of(error)) from None
    except (exceptions.HTTPClientError, exceptions.ConnectionError) as error:
        raise Unreachable(f'{name}: {line(error)}') from None
    except (exceptions.BotoCoreError, ValueError) as error:  # among them settings
        raise UserError(f'{name}: {line(error)}') from None


def meant(name: str, error: dict[str, str], status: int) -> Exception:
    """What the error of a server means to people."""
    from botocore import UNSIGNED

    code = error.get('Code', '')
    why = line(f'{code}: {error.get("Message", "")}')
    if code == 'NoSuchBucket':
        top = '/'.join(name.split('/', 3)[:3])
        return UserError(f'{top}: no such bucket')
    if code in GONE:
        return FileNotFoundError(errno.ENOENT, 'no such object', name)
    if code in WRONG:
        return UserError(f'{name}: the AWS credentials are wrong or expired ({why})')
    if code in ELSEWHERE:
        return UserError(f'{name}: in another region; set AWS_DEFAULT_REGION ({why})')
    if status == 403 and code != 'RequestTimeTooSkewed':  # a wrong clock
        text = 'no right to read or write (403)'
        if client().meta.config.signature_version is UNSIGNED:
            text += '; there are no AWS credentials'
        return PermissionError(errno.EACCES, text, name)
    kind = Unreachable if status in (429, 500, 502, 503, 504) else UserError
    return kind(f'{name}: {why}')


def status_of(error: Any) -> int:
    """The HTTP status of an error."""
    return error.response.get('ResponseMetadata', {}).get('HTTPStatusCode', 0)


def line(text: object) -> str:
    """A text in one line."""
    return ' '.join(str(text).split())
