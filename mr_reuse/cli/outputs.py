"""Checks of output names, and output files that appear complete or not at all."""

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from mr_reuse import storage
from mr_reuse.errors import PARTIAL_SUFFIX, UserError
from mr_reuse.storage import naming


class _StdoutStream(io.RawIOBase):
    """A byte stream of UTF-8 into standard output, which may be a text stream only."""

    def write(self, data: bytes) -> int:
        return sys.stdout.write(data.decode()) if sys.stdout else len(data)


def add_output(parser: argparse.ArgumentParser, metavar: str = 'FILE') -> None:
    """Add the option that names an output file, instead of standard output."""
    parser.add_argument(
        '-o',
        '--output',
        metavar=metavar,
        help='file to write. Default: standard output',
    )


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add the option that replaces an output file that exists."""
    parser.add_argument('--force', action='store_true', help='replace an existing file')


def refuse_existing(name: str, force: bool) -> None:
    """Refuse a name that exists, unless forced, or whose folder is missing."""
    folder = folder_of(name)
    if naming.is_remote(name):
        storage.make_dir(folder)  # fails on a store that cannot be written to
    if storage.is_dir(name):
        raise UserError(f'{name}: a folder, not a file; name another file')
    if storage.exists(name) and not force:
        raise UserError(f'{name}: exists; name another file, or give --force')
    # S3 has no empty folders.
    if not naming.is_remote(name) and not storage.is_dir(folder):
        raise UserError(f'{folder}: no such folder; make it first')


def remove_partial(name: str) -> None:
    """Remove what a killed process has left of an output file on a local disk."""
    folder, last = os.path.split(os.path.realpath(naming.path_of(name)))
    for other in [] if naming.is_remote(name) else os.listdir(folder):
        if other != last and PARTIAL_SUFFIX.sub('', other) == last:
            storage.remove(naming.join(folder, other))


def require_folder(name: str) -> None:
    """Refuse a name that is not a folder."""
    if not storage.is_dir(name):
        why = 'a file, not a folder' if storage.exists(name) else 'no such folder'
        raise UserError(f'{name}: {why}')


def folder_of(name: str) -> str:
    """Return the folder of a file.

    >>> folder_of('a/b.mrl'), folder_of('b.mrl')
    ('a', '.')
    """
    return os.path.dirname(naming.path_of(name)) or '.'


@contextlib.contextmanager
def open_new(name: str | None, force: bool) -> Iterator[BinaryIO]:
    """Open a stream to a new file, or to standard output if the name is None."""
    if name is None:
        yield _StdoutStream()
        return
    refuse_existing(name, force)
    with storage.write(name) as stream:
        yield stream
