"""Files in Amazon S3, and on other servers with its protocol: s3://bucket/key."""

import functools
import io
import re
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any, NamedTuple

from mr_reuse.errors import UserError
from mr_reuse.storage.base import (
    MAX_REQUESTS,
    PAUSE,
    Body,
    Entry,
    Opened,
    Store,
    range_header,
)
from mr_reuse.storage.s3_client import (
    ATTEMPTS,
    GONE,
    client,
    status_of,
    to_exception,
    translated_errors,
)

NAME = re.compile(r'(s3[an]?)://([^/]*)/?(.*)', re.I | re.S)
# S3 has no folders. Some programs write an empty file in place of each: its key ends
# with a slash, or with the suffix of EMR's file system.
MARK = '_$folder$'
MARKS = ('/', MARK)
EXISTS = 'PreconditionFailed ConditionalRequestConflict 412 409'.split()
BUSY = 'SlowDown InternalError ServiceUnavailable 503 500'.split()


class Place(NamedTuple):
    """The parts of a name. The key of a bucket is empty."""

    scheme: str
    bucket: str
    key: str

    @property
    def top(self) -> str:
        """The name of the bucket."""
        return f'{self.scheme}://{self.bucket}'

    @property
    def below(self) -> str:
        """The prefix of the keys of all files in this folder."""
        is_prefix = not self.key or self.key.endswith('/')
        return self.key if is_prefix else f'{self.key}/'

    @property
    def object(self) -> dict[str, str]:
        """The arguments of a request for this file."""
        if not self.key:
            raise UserError(f'{self.top}: a bucket, not a file')
        return {'Bucket': self.bucket, 'Key': self.key}


class S3Store(Store):
    """Objects in buckets. A folder is a common prefix of keys that ends in a slash.

    A name can be both a file and a folder. Its status is that of the file then, and it
    has a listing as well.
    """

    @functools.cached_property
    def broken(self) -> tuple[type[Exception], ...]:
        """Exceptions of a connection that is lost while a file is read."""
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
        place = split_name(name)
        file = place.key and not place.key.endswith('/') and self._file(place, name)
        if file:
            return file
        return Entry(name, True) if self._has_content(place) or not place.key else None

    def list_entries(self, name: str) -> list[Entry]:
        place = split_name(name)
        entries = []
        for page in list_pages(place, Delimiter='/'):
            for folder in page.get('CommonPrefixes', []):
                entries.append(
                    Entry(f'{place.top}/{folder_key(folder["Prefix"])}', True)
                )
            entries += files_in(place, page)
        return sorted(entries)

    def walk_files(self, name: str) -> Iterator[Entry]:
        place = split_name(name)
        # Most servers send keys in order, but S3 Express does not.
        return iter(
            sorted(e for page in list_pages(place) for e in files_in(place, page))
        )

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        place = split_name(name)
        with translated_errors(name):
            try:
                part = range_header(offset, limit)
                response = client().get_object(**place.object, **part)
            except client().exceptions.ClientError as error:
                # InvalidRange: the offset is the end of the file.
                if error.response['Error'].get('Code') not in ('InvalidRange', '416'):
                    raise
                file = self._file(place, name)
                return io.BytesIO(), file.size if file else None
        total = response.get('ContentRange', '').rpartition('/')[2]
        ahead = 0 if total else offset  # a server without ranges sends the whole file
        size = int(total) if total.isdigit() else response.get('ContentLength')
        return Body(response['Body'], response.get('ETag'), ahead), size

    def put(self, path: str, name: str) -> None:
        from boto3.exceptions import S3UploadFailedError

        target = split_name(name).object
        with translated_errors(name):
            try:
                client().upload_file(path, target['Bucket'], target['Key'])
            except S3UploadFailedError as error:
                raise (error.__context__ or error) from None

    def rename(self, old: str, new: str) -> None:
        """Copy the files of a flat folder on the server, and remove the old ones."""
        names = [entry.name for entry in self.list_entries(old)]
        with ThreadPoolExecutor(MAX_REQUESTS) as pool:
            targets = (f'{new}{name.removeprefix(old)}' for name in names)
            list(pool.map(self._copy, names, targets))
        self.remove(old)

    def _copy(self, old: str, new: str) -> None:
        source, target = split_name(old).object, split_name(new).object
        with translated_errors(old):
            client().copy(source, target['Bucket'], target['Key'])

    def create(self, name: str, data: bytes) -> bool:
        target, mark = split_name(name).object, {'made-as': uuid.uuid4().hex}
        with translated_errors(name):
            try:
                client().put_object(**target, Body=data, IfNoneMatch='*', Metadata=mark)
            except client().exceptions.ClientError as error:
                if error.response['Error'].get('Code') not in EXISTS:
                    raise
                return self._has_mark(target, mark)
        return True

    def _has_mark(self, target: dict[str, str], mark: dict[str, str]) -> bool:
        """Return whether a file has a mark: boto3 retried after a lost response."""
        try:
            return client().head_object(**target).get('Metadata') == mark
        except client().exceptions.ClientError:
            return False

    def make_dir(self, name: str) -> None:
        # S3 needs no folders, but this raises if the bucket does not exist.
        self._has_content(split_name(name))

    def remove(self, name: str) -> None:
        place = split_name(name)
        if not place.key:
            raise UserError(
                f'{name}: a bucket, which is never removed; name a folder in it'
            )
        self._delete(place, [place.key, f'{place.key}{MARK}'])
        for page in list_pages(place):
            self._delete(place, [o['Key'] for o in page.get('Contents', [])])

    def _delete(self, place: Place, keys: list[str]) -> None:
        """Delete up to 1000 files. Retry those that a busy server does not delete."""
        for tries in range(ATTEMPTS):
            if not keys:
                return
            if tries:
                time.sleep(PAUSE * 2**tries)
            errors = self._delete_once(place, keys)
            for error in errors:
                status = 403 if error.get('Code') == 'AccessDenied' else 0
                if error.get('Code') not in BUSY:
                    raise to_exception(f'{place.top}/{error.get("Key")}', error, status)
            keys = [error['Key'] for error in errors]
        raise to_exception(f'{place.top}/{keys[0]}', errors[0], 503)

    def _delete_once(self, place: Place, keys: list[str]) -> list[dict[str, Any]]:
        """Delete files. Return the errors of those that remain."""
        request = {'Objects': [{'Key': key} for key in keys], 'Quiet': True}
        with translated_errors(f'{place.top}/{place.key}'):
            response = client().delete_objects(Bucket=place.bucket, Delete=request)
        return [e for e in response.get('Errors', []) if e.get('Code') not in GONE]

    def _file(self, place: Place, name: str) -> Entry | None:
        """Return the status of a file; None if it is missing."""
        with translated_errors(name):
            try:
                response = client().head_object(**place.object)
            except client().exceptions.ClientError as error:
                if status_of(error) == 404:
                    return None
                # The response to HEAD has no body with the reason. A listing fails for
                # the same reason, and its error has it.
                self._has_content(place)
                raise
        size = response['ContentLength']
        return Entry(name, False, size, f'{size} {response.get("ETag", "")}')

    def _has_content(self, place: Place) -> bool:
        """Return whether a folder has content. Raise if the bucket does not exist."""
        with translated_errors(f'{place.top}/{place.key}'):
            response = client().list_objects_v2(
                Bucket=place.bucket, Prefix=place.below, MaxKeys=1
            )
        return bool(response.get('Contents'))


def store_for(name: str) -> Store:
    """Return the store of a file."""
    return S3Store()


def split_name(name: str) -> Place:
    """Split a name. Keys are not percent-encoded.

    >>> split_name('s3a://b/a b/50%#').key, split_name('s3://b').key
    ('a b/50%#', '')
    """
    match = NAME.fullmatch(name)
    if not match or not match[2]:
        raise UserError(f'{name}: no bucket is named; write s3://bucket/name')
    return Place(*match.groups())


def folder_key(prefix: str) -> str:
    """Return the key of a folder, without its slash unless it is ambiguous then.

    >>> folder_key('a/b/'), folder_key('a//'), folder_key('/')
    ('a/b', 'a//', '/')
    """
    short = prefix.removesuffix('/')
    return prefix if not short or short.endswith('/') else short


def list_pages(place: Place, **more: str) -> Iterator[dict[str, Any]]:
    """Yield the responses of a listing, with up to 1000 files each."""
    with translated_errors(f'{place.top}/{place.key}'):
        lister = client().get_paginator('list_objects_v2')
        yield from lister.paginate(Bucket=place.bucket, Prefix=place.below, **more)


def files_in(place: Place, page: dict[str, Any]) -> Iterator[Entry]:
    """Yield the files in a response of a listing, without the marks of folders."""
    for file in page.get('Contents', []):
        size = file['Size']
        if size or not file['Key'].endswith(MARKS):
            stamp = f'{size} {file.get("ETag", "")}'
            yield Entry(f'{place.top}/{file["Key"]}', False, size, stamp)
