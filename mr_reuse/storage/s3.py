"""Files in Amazon S3, and in what is asked as it is: s3://bucket/key."""

import functools
import io
import re
import time
import uuid
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, NamedTuple

from mr_reuse.errors import UserError
from mr_reuse.storage.base import PAUSE, Answer, Body, Entry, Store, range_header
from mr_reuse.storage.s3_client import ATTEMPTS, GONE, client, meant, status_of, telling

NAME = re.compile(r'(s3[an]?)://([^/]*)/?(.*)', re.I | re.S)
MARK = '_$folder$'  # what EMR's own file system puts behind a folder's name
MARKS = ('/', MARK)  # the ends of empty files that only stand for a folder
TAKEN = 'PreconditionFailed ConditionalRequestConflict 412 409'.split()
BUSY = 'SlowDown InternalError ServiceUnavailable 503 500'.split()


class Place(NamedTuple):
    """A name in its parts; one without a key is a bucket."""

    scheme: str
    bucket: str
    key: str

    @property
    def top(self) -> str:
        """The name of the bucket."""
        return f'{self.scheme}://{self.bucket}'

    @property
    def below(self) -> str:
        """What the keys of all files in this folder begin with."""
        bare = not self.key or self.key.endswith('/')
        return self.key if bare else f'{self.key}/'

    @property
    def object(self) -> dict[str, str]:
        """What a request says that is about one file."""
        if not self.key:
            raise UserError(f'{self.top}: a bucket, not a file')
        return {'Bucket': self.bucket, 'Key': self.key}


class S3Store(Store):
    """Objects in buckets; a folder is what the keys of some of them begin with.

    A name can be both: then it is told to be a file, and has a listing also.
    """

    @functools.cached_property
    def broken(self) -> tuple[type[Exception], ...]:
        """What a lost connection raises while a file is read."""
        import urllib3.exceptions
        from botocore import exceptions

        return (
            exceptions.HTTPClientError,  # among them ReadTimeout, ResponseStreaming
            exceptions.IncompleteReadError,
            urllib3.exceptions.HTTPError,
            HTTPException,
            ConnectionError,
            TimeoutError,
        )

    def status(self, name: str) -> Entry | None:
        place = parts(name)
        found = place.key and not place.key.endswith('/') and self._file(place, name)
        if found:
            return found
        return Entry(name, True) if self._holds(place) or not place.key else None

    def listing(self, name: str) -> list[Entry]:
        place = parts(name)
        found = []
        for page in pages(place, Delimiter='/'):
            for folder in page.get('CommonPrefixes', []):
                found.append(Entry(f'{place.top}/{bare(folder["Prefix"])}', True))
            found += files(place, page)
        return sorted(found)

    def tree(self, name: str) -> Iterator[Entry]:
        place = parts(name)
        # Most servers sort, but not those of S3 Express.
        return iter(sorted(e for page in pages(place) for e in files(place, page)))

    def ask(self, name: str, offset: int, limit: int = 0) -> tuple[Answer, int | None]:
        place = parts(name)
        with telling(name):
            try:
                told = client().get_object(
                    **place.object, **range_header(offset, limit)
                )
            except client().exceptions.ClientError as error:
                if error.response['Error'].get('Code') not in ('InvalidRange', '416'):
                    raise
                found = self._file(place, name)
                return io.BytesIO(), found.size if found else None
        whole = told.get('ContentRange', '').rpartition('/')[2]
        ahead = 0 if whole else offset  # a server that knows no ranges sends it all
        size = int(whole) if whole.isdigit() else told.get('ContentLength')
        return Body(told['Body'], told.get('ETag'), ahead), size

    def put(self, path: str, name: str) -> None:
        from boto3.exceptions import S3UploadFailedError

        about = parts(name).object
        with telling(name):
            try:
                client().upload_file(path, about['Bucket'], about['Key'])
            except S3UploadFailedError as error:
                raise (error.__context__ or error) from None

    def create(self, name: str, data: bytes) -> bool:
        about, ours = parts(name).object, {'made-as': uuid.uuid4().hex}
        with telling(name):
            try:
                client().put_object(**about, Body=data, IfNoneMatch='*', Metadata=ours)
            except client().exceptions.ClientError as error:
                if error.response['Error'].get('Code') not in TAKEN:
                    raise
                return self._made_as(about, ours)
        return True

    def _made_as(self, about: dict[str, str], ours: dict[str, str]) -> bool:
        """Whether what is there was made by a request whose answer was lost."""
        try:
            return client().head_object(**about).get('Metadata') == ours
        except client().exceptions.ClientError:
            return False

    def make_dir(self, name: str) -> None:
        self._holds(parts(name))  # folders need not be made, but buckets have to be

    def remove(self, name: str) -> None:
        place = parts(name)
        if not place.key:
            raise UserError(f'{name}: a whole bucket is not removed')
        self._delete(place, [place.key, f'{place.key}{MARK}'])
        for page in pages(place):
            self._delete(place, [o['Key'] for o in page.get('Contents', [])])

    def _delete(self, place: Place, keys: list[str]) -> None:
        """Delete up to 1000 files; those that a busy server leaves, a little later."""
        for tries in range(ATTEMPTS):
            if not keys:
                return
            if tries:
                time.sleep(PAUSE * 2**tries)
            errors = self._left(place, keys)
            for error in errors:
                status = 403 if error.get('Code') == 'AccessDenied' else 0
                if error.get('Code') not in BUSY:
                    raise meant(f'{place.top}/{error.get("Key")}', error, status)
            keys = [error['Key'] for error in errors]
        raise meant(f'{place.top}/{keys[0]}', errors[0], 503)

    def _left(self, place: Place, keys: list[str]) -> list[dict[str, Any]]:
        """Delete files; why some of them are left."""
        what = {'Objects': [{'Key': key} for key in keys], 'Quiet': True}
        with telling(f'{place.top}/{place.key}'):
            told = client().delete_objects(Bucket=place.bucket, Delete=what)
        return [e for e in told.get('Errors', []) if e.get('Code') not in GONE]

    def _file(self, place: Place, name: str) -> Entry | None:
        """The file of a name, if there is one."""
        with telling(name):
            try:
                told = client().head_object(**place.object)
            except client().exceptions.ClientError as error:
                if status_of(error) == 404:
                    return None
                # This request is refused without a word of why; a listing is not.
                self._holds(place)
                raise
        size = told['ContentLength']
        return Entry(name, False, size, f'{size} {told.get("ETag", "")}')

    def _holds(self, place: Place) -> bool:
        """Whether there is anything in a folder; the bucket has to exist."""
        with telling(f'{place.top}/{place.key}'):
            told = client().list_objects_v2(
                Bucket=place.bucket, Prefix=place.below, MaxKeys=1
            )
        return bool(told.get('Contents'))


def store_for(name: str) -> Store:
    """The way to a file."""
    return S3Store()


def parts(name: str) -> Place:
    """The parts of a name, which are not quoted in any way.

    >>> parts('s3a://b/a b/50%#').key, parts('s3://b').key
    ('a b/50%#', '')
    """
    found = NAME.fullmatch(name)
    if not found or not found[2]:
        raise UserError(f'{name}: no bucket is named; write s3://bucket/name')
    return Place(*found.groups())


def bare(prefix: str) -> str:
    """The key of a folder; with its slash if it would be another folder's without.

    >>> bare('a/b/'), bare('a//'), bare('/')
    ('a/b', 'a//', '/')
    """
    short = prefix.removesuffix('/')
    return prefix if not short or short.endswith('/') else short


def pages(place: Place, **more: str) -> Iterator[dict[str, Any]]:
    """What a server says of a folder, up to 1000 files at a time."""
    with telling(f'{place.top}/{place.key}'):
        lister = client().get_paginator('list_objects_v2')
        yield from lister.paginate(Bucket=place.bucket, Prefix=place.below, **more)


def files(place: Place, page: dict[str, Any]) -> Iterator[Entry]:
    """The files in a page of a listing."""
    for found in page.get('Contents', []):
        size = found['Size']
        if size or not found['Key'].endswith(MARKS):
            stamp = f'{size} {found.get("ETag", "")}'
            yield Entry(f'{place.top}/{found["Key"]}', False, size, stamp)
