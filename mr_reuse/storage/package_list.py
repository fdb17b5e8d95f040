"""The list of files in a WACZ, `datapackage.json`: their sizes and hashes."""

import json
from typing import Any, NamedTuple

from mr_reuse.storage import checksums
from mr_reuse.storage.checksums import Checksum

LIST = 'datapackage.json'
DIGEST = 'datapackage-digest.json'  # has the hash of the list
MAX_LIST = 8 << 20  # bytes


class Listed(NamedTuple):
    """A file in the list. What the list leaves out is None."""

    size: int | None
    checksum: str | None


class PackageList(NamedTuple):
    """The files in a list by their paths.

    `is_genuine` is false if the list differs from the one of which the hash is known.
    """

    files: dict[str, Listed]
    is_genuine: bool


def parse_list(data: bytes, digest: bytes) -> PackageList | None:
    """Parse the content of both files; None if the list is not valid.

    >>> one = {'path': 'archive/a.warc', 'bytes': 7, 'hash': 'sha256:00'}
    >>> parse_list(json.dumps({'resources': [one]}).encode(), b'').files
    {'archive/a.warc': Listed(size=7, checksum='sha256:00')}
    >>> parse_list(b'[]', b'')
    """
    resources = _parse(data).get('resources')
    if not isinstance(resources, list):
        return None
    files = {}
    for resource in resources:
        if isinstance(resource, dict) and isinstance(resource.get('path'), str):
            size, checksum = resource.get('bytes'), resource.get('hash')
            files[resource['path']] = Listed(
                size if isinstance(size, int) else None,
                checksum if checksums.is_known(checksum) else None,
            )
    return PackageList(files, _is_genuine(data, _parse(digest).get('hash')))


def _is_genuine(data: bytes, known: Any) -> bool:
    if not checksums.is_known(known):
        return True
    checksum = Checksum(known)
    checksum.update(data)
    return checksum.matches()


def _parse(data: bytes) -> dict[str, Any]:
    """Parse a JSON object; {} if it is too long or not valid."""
    try:
        value = json.loads(data) if len(data) <= MAX_LIST else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
