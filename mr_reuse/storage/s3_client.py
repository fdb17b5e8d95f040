"""How S3 is asked, and what its errors mean to people."""

import contextlib
import errno
import functools
import glob
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mr_reuse.errors import UserError
from mr_reuse.storage.base import AT_ONCE, Unreachable

ATTEMPTS = 8
TIMEOUT = 60  # seconds
MADE_BY = '/sys/devices/virtual/dmi/id/bios_*'  # on machines of AWS, it says so
# Of the service there that knows the keys of the machine's role. One attempt of a
# second, as is usual, is missed by many tasks that start at once.
METADATA = {'metadata_service_num_attempts': 5, 'metadata_service_timeout': 3}
GONE = 'NoSuchKey 404'.split()
WRONG = """InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken
    ExpiredTokenException TokenRefreshRequired""".split()
ELSEWHERE = 'PermanentRedirect AuthorizationHeaderMalformed 301 307'.split()
MAKING = threading.Lock()  # a client takes a third of a second, and threads share it


def client() -> Any:
    """The client of this process; a fork must not use its parent's connections."""
    with MAKING:
        return _client(os.getpid())


@functools.cache
def _client(process: int) -> Any:
    import boto3
    import botocore.session
    from botocore import UNSIGNED
    from botocore.config import Config

    core = botocore.session.Session()  # the shared one is not for threads
    for setting, least in METADATA.items() if _on_aws() else ():
        found = max(least, core.get_config_variable(setting))
        core.set_config_variable(setting, found)
    session = boto3.session.Session(botocore_session=core)
    config = Config(
        retries={'mode': 'standard', 'total_max_attempts': ATTEMPTS},
        connect_timeout=TIMEOUT,
        read_timeout=TIMEOUT,
        tcp_keepalive=True,
        max_pool_connections=AT_ONCE,
        # What is read from the middle on has no sum that could be checked.
        response_checksum_validation='when_required',
        signature_version=None if session.get_credentials() else UNSIGNED,
    )
    return session.client('s3', config=config)


def _on_aws() -> bool:
    """Whether this is a machine of AWS; others wait in vain for keys of a role."""
    for path in glob.glob(MADE_BY):
        with contextlib.suppress(OSError):
            if b'amazon' in Path(path).read_bytes().lower():
                return True
    return False


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
        return _denied(name)
    kind = Unreachable if status in (429, 500, 502, 503, 504) else UserError
    return kind(f'{name}: {why}')


def _denied(name: str) -> Exception:
    """What it means that a request was refused.

    Who has no keys cannot tell a file that is closed to all from one that is closed to
    strangers, nor from one that is not there. So that is no word on the file, which
    would count as damaged for ever, but on this machine, where it may be mended. In a
    public bucket, what is closed has to be left out of the names.
    """
    from botocore import UNSIGNED

    text = 'no right to read or write (403)'
    if client().meta.config.signature_version is not UNSIGNED:
        return PermissionError(errno.EACCES, text, name)
    return UserError(
        f'{name}: {text}; this machine has no AWS credentials: give it some, or name '
        'only what is public'
    )


def status_of(error: Any) -> int:
    """The HTTP status of an error."""
    return error.response.get('ResponseMetadata', {}).get('HTTPStatusCode', 0)


def line(text: object) -> str:
    """A text in one line."""
    return ' '.join(str(text).split())
