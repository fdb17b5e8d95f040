"""An S3 on loopback, with a bucket and the settings by which it is found."""

import contextlib
import os
from collections.abc import Iterator

import boto3
import pytest
from botocore.loaders import create_loader
from moto.server import ThreadedMotoServer

from mr_reuse.storage import s3_client

LOADER = create_loader()
BUCKET = 'bucket'
# Those of a client, without any of the user.
SETTINGS = {
    'AWS_ACCESS_KEY_ID': 'key',
    'AWS_SECRET_ACCESS_KEY': 'secret',
    'AWS_DEFAULT_REGION': 'us-east-1',
    'AWS_CONFIG_FILE': os.devnull,
    'AWS_SHARED_CREDENTIALS_FILE': os.devnull,
    'AWS_EC2_METADATA_DISABLED': 'true',
    'no_proxy': '*',
}


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """An S3 that is up for this process and its children; the name of its bucket."""
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    settings = {
        'AWS_ENDPOINT_URL': 'http://{}:{}'.format(*server._server.server_address),
        **SETTINGS,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        # The description of S3 takes long to read, and is the same for all clients.
        patch.setattr('botocore.session.create_loader', lambda path: LOADER)
        s3_client._client.cache_clear()
        boto3.client('s3').create_bucket(Bucket=BUCKET)
        yield f's3://{BUCKET}'
    s3_client._client.cache_clear()
    server.stop()
