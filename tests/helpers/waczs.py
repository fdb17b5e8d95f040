"""WACZ files, written with zipfile alone."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

from damaged_reading import make

STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
LIST = 'datapackage.json'


class Forward(io.RawIOBase):
    """A file that cannot seek, so that `zipfile` writes data descriptors."""

    def __init__(self):
        super().__init__()
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def listed(archives: dict[str, bytes]) -> list[dict]:
    """The resources of `datapackage.json`."""
    return [
        {
            'name': name.rpartition('/')[2],
            'path': name,
            'hash': f'sha256:{hashlib.sha256(data).hexdigest()}',
            'bytes': len(data),
        }
        for name, data in archives.items()
    ]


def pack(
    archives: dict[str, bytes],
    method: int = STORED,
    *,
    resources: list[dict] | None = None,
    others: dict[str, bytes] | None = None,
    stream=None,
    zip64: bool = False,
) -> bytes:
    """The bytes of a WACZ; `resources` are those of the archives unless given."""
    resources = listed(archives) if resources is None else resources
    package = {'profile': 'data-package', 'resources': resources}
    package['wacz_version'] = '1.1.1'
    text = json.dumps(package).encode()
    digest = f'sha256:{hashlib.sha256(text).hexdigest()}'
    files = {
        **archives,
        'indexes/index.cdx': b'org,x)/ 2020 {}\n',
        'pages/pages.jsonl': b'{"format": "json-pages-1.0"}\n',
        LIST: text,
        'datapackage-digest.json': json.dumps({'path': LIST, 'hash': digest}).encode(),
        **(others or {}),
    }
    out = stream or io.BytesIO()
    with zipfile.ZipFile(out, 'w') as package:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method if name in archives else DEFLATED
            with package.open(info, 'w', force_zip64=zip64) as file:
                file.write(data)
    return bytes(out.data) if stream else out.getvalue()


def records(names: str) -> list[bytes]:
    """A record for each letter."""
    return [make.warc(name, make.http(make.page(name))) for name in names]


def write(path: Path, *args, **more) -> Path:
    path.write_bytes(pack(*args, **more))
    return path
