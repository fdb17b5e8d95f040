"""Fetches the archives and pages with which others test, into a folder.

    tests/peers/fetch.py FOLDER

`packages.tsv` lists the packages that carry them: a folder of FOLDER, the address, and
the SHA-256 of the package. A package that is a reader itself, in Java, is kept whole.
What is there is not fetched again.
"""

import hashlib
import io
import re
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

PACKAGES = Path(__file__).with_name('packages.tsv')
ARCHIVE = re.compile(r'\.(warc|arc|wet|wat|wacz)(\.(gz|zst|bad|test|open|wet|wat))*$')
TOKENS = re.compile(r'/tokenizer/\w+\.test$')  # tests of tokenizers of HTML
TIMEOUT = 60  # seconds
AGENT = 'curl/8'  # some servers refuse the one of Python


def fetch(address: str, digest: str) -> bytes:
    request = urllib.request.Request(address, headers={'User-Agent': AGENT})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != digest:
        sys.exit(f'error: {address}: another package than before')
    return data


def members(package: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and content of the files in a package."""
    if zipfile.is_zipfile(io.BytesIO(package)):
        with zipfile.ZipFile(io.BytesIO(package)) as files:
            for name in files.namelist():
                yield name, files.read(name)
        return
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        for member in files:
            if member.isfile():
                yield member.name, files.extractfile(member).read()


def main() -> None:
    top = Path(sys.argv[1])
    for line in PACKAGES.read_text().splitlines():
        name, address, digest = line.split('\t')
        if (top / name / 'complete').exists():
            continue
        (top / name).mkdir(parents=True, exist_ok=True)
        package = fetch(address, digest)
        if address.endswith('.jar'):
            (top / name / f'{name}.jar').write_bytes(package)
        for path, data in members(package):
            if ARCHIVE.search(path) or TOKENS.search(path):
                (top / name / Path(path).name).write_bytes(data)
        (top / name / 'complete').touch()


if __name__ == '__main__':
    main()
