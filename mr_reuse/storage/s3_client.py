"""The S3 client, and the exceptions that its errors become."""

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
from mr_reuse.storage.base import MAX_REQUESTS, Busy, Unreachable

ATTEMPTS = 8
TIMEOUT = 60  # seconds
BIOS = '/sys/devices/virtual/dmi/id/bios_*'  # names Amazon on machines of AWS
# Limits of requests to the metadata service of AWS, which has the credentials of the
# machine's role. boto3's single attempt of a second is too short if many tasks start at
# once.
METADATA = {'metadata_service_num_attempts': 5, 'metadata_service_timeout': 3}
# Error codes of S3. The numbers are those of responses without a body.
GONE = 'NoSuchKey 404'.split()
BAD_CREDENTIALS = """InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken
    ExpiredTokenException TokenRefreshRequired""".split()
OTHER_REGION = 'PermanentRedirect AuthorizationHeaderMalformed 301 307'.split()
# Threads share a client. Without the lock each would make its own, in 0.3 s.
CLIENT_LOCK = threading.Lock()


def client() -> Any:
    """Return the client of this process. A fork must not use its parent's."""
    with CLIENT_LOCK:
        return _client(os.getpid())


@functools.cache
def _client(process: int) -> Any:
    import boto3
    import botocore.session
    from botocore import UNSIGNED
    from botocore.config import Config

    core = botocore.session.Session()  # boto3's default session is not thread-safe
    for setting, minimum in METADATA.items() if _on_aws() else ():
        value = max(minimum, core.get_config_variable(setting))
        core.set_config_variable(setting, value)
    session = boto3.session.Session(botocore_session=core)
    config = Config(
        retries={'mode': 'standard', 'total_max_attempts': ATTEMPTS},
        connect_timeout=TIMEOUT,
        read_timeout=TIMEOUT,
        tcp_keepalive=True,
        max_pool_connections=MAX_REQUESTS,
        # A checksum covers a whole file, so it is useless for a range.
        response_checksum_validation='when_required',
        signature_version=None if session.get_credentials() else UNSIGNED,
    )
    return session.client('s3', config=config)


def _on_aws() -> bool:
    """Return whether this is a machine of AWS. Others have no metadata service."""
    for path in glob.glob(BIOS):
        with contextlib.suppress(OSError):
            if b'amazon' in Path(path).read_bytes().lower():
                return True
    return False


@contextlib.contextmanager
def translated_errors(name: str) -> Iterator[None]:
    """Turn boto3's exceptions for a name into those of all stores."""
    from botocore import exceptions

    try:
        yield
    except exceptions.ClientError as error:
        raise to_exception(name, error.response['Error'], status_of(error)) from None
    except (exceptions.HTTPClientError, exceptions.ConnectionError) as error:
        raise Unreachable(f'{name}: {in_one_line(error)}') from None
    except RecursionError:  # botocore asks for the region, and is redirected again
        raise UserError(
            f'{name}: the server redirects all requests; check AWS_ENDPOINT_URL and '
            'AWS_DEFAULT_REGION'
        ) from None
    except (exceptions.BotoCoreError, ValueError) as error:  # bad settings, for example
        raise UserError(f'{name}: {in_one_line(error)}') from None


def to_exception(name: str, error: dict[str, str], status: int) -> Exception:
    """Return the exception for an error response."""
    code = error.get('Code', '')
    why = in_one_line(f'{code}: {error.get("Message", "")}').removesuffix(':')
    if code in GONE:
        return FileNotFoundError(errno.ENOENT, 'no such object', name)
    if mistake := _describe_mistake(name, code, why):
        return UserError(mistake)
    # A wrong clock of this machine also causes a 403, but says nothing of the file.
    if status == 403 and code != 'RequestTimeTooSkewed':
        return _denied(name)
    if code == 'SlowDown' or status in (429, 503):
        return Busy(name, why)
    return (Unreachable if status >= 500 else UserError)(f'{name}: {why}')


def _describe_mistake(name: str, code: str, why: str) -> str:
    """Describe what the user can correct; '' if the error is of another kind."""
    if code == 'NoSuchBucket':
        return f'{"/".join(name.split("/", 3)[:3])}: no such bucket'
    if code in BAD_CREDENTIALS:
        return f'{name}: the AWS credentials are wrong or expired ({why})'
    if code in OTHER_REGION:
        return f'{name}: in another region; set AWS_DEFAULT_REGION ({why})'
    return ''


def _denied(name: str) -> Exception:
    """Return the exception for a 403.

    Without credentials, a 403 may mean that the file is private, that it is missing, or
    only that credentials are needed. A PermissionError would count the file as damaged
    for good, so a UserError asks for credentials instead.
    """
    from botocore import UNSIGNED

    text = 'no right to read or write (403)'
    if client().meta.config.signature_version is not UNSIGNED:
        return PermissionError(errno.EACCES, text, name)
    return UserError(
        f'{name}: {text}; this machine has no AWS credentials: configure them, or name '
        'only public files'
    )


def status_of(error: Any) -> int:
    """Return the HTTP status of an error."""
    return error.response.get('ResponseMetadata', {}).get('HTTPStatusCode', 0)


def in_one_line(text: object) -> str:
    """Return a text in one line."""
    return ' '.join(str(text).split())
