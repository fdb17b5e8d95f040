"""Pack directory trees into archives, all of them or none."""

import os
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from glob import escape, glob
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mr_reuse.archives.packing.trees import Tree
from mr_reuse.archives.packing.writer import SUFFIX, ArchiveWriter
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import format_count

BASE_URL = 'http://file-tree/'


class PackOptions(NamedTuple):
    """The options of `pack`."""

    folders: list[str]
    output: str
    base_url: str | None = None
    hosts_from_folders: bool = False
    split: int | None = None  # bytes of bodies in an archive
    take_all: bool = False  # all files, not only texts
    force: bool = False


def check_output(options: PackOptions) -> None:
    """Refuse an output that could not be written or that would be lost."""
    out = options.output
    if options.hosts_from_folders and options.base_url:
        raise UsageError('--base-url: cannot be combined with --hosts-from-folders')
    if not out.endswith(SUFFIX):
        raise UsageError(f'{out}: its name has to end in {SUFFIX}')
    if not os.path.isdir(os.path.dirname(out) or '.'):
        raise UserError(f'{os.path.dirname(out)}: no such folder; make it first')
    if (existing := earlier_output(options)) and not options.force:
        raise UserError(f'{existing[0]}: exists; name another file, or give --force')


def earlier_output(options: PackOptions) -> list[str]:
    """Find the archives of an earlier run with the same options."""
    number = '-' + 5 * '[0-9]' if options.split else ''
    stem = options.output.removesuffix(SUFFIX)
    return sorted(glob(escape(stem) + number + SUFFIX))


def find_trees(options: PackOptions) -> list[Tree]:
    """Check all folders before reading any of them."""
    trees: dict[bytes, Tree] = {}
    output = os.path.realpath(options.output)
    for folder in options.folders:
        inside = os.path.realpath(folder) + os.sep
        if options.take_all and output.startswith(inside):
            raise UsageError(
                f'{options.output}: is in {folder}; name a file in another folder'
            )
        tree = Tree(
            folder,
            options.base_url or BASE_URL,
            options.take_all,
            options.hosts_from_folders,
        )
        if tree.name in trees:
            raise UsageError(
                f'{folder}: has the same name as another folder; pack it separately'
            )
        trees[tree.name] = tree
    return list(trees.values())


def pack(trees: Iterable[Tree], options: PackOptions) -> ArchiveWriter:
    """Write all archives, or none if it fails."""
    earlier = earlier_output(options)
    folder = os.path.dirname(options.output) or '.'
    with TemporaryDirectory(prefix='.pack-', dir=folder) as unfinished:
        writer = ArchiveWriter(options.output, options.split, unfinished)
        with closing(writer):
            for tree in trees:
                for page in tree.pages():
                    writer.add(page)
        if not writer.names:
            raise UserError(
                f'{", ".join(options.folders)}: {_describe_missing(options)}'
            )
        writer.finish()
    for name in set(earlier) - set(writer.names):
        # An earlier run wrote more archives, which would look like a part of this one.
        os.remove(name)
    return writer


def _describe_missing(options: PackOptions) -> str:
    missing = 'files' if options.take_all else 'HTML, XML or text files'
    if options.hosts_from_folders:
        return f'no {missing} in a folder named like a host, such as a.org'
    return f'no {missing} in it'


def summarize(writer: ArchiveWriter, left_out: Counter[str]) -> str:
    """Format the numbers of packed files and of those left out as one line."""
    names = writer.names
    archives = names[0] if len(names) == 1 else f'{names[0]} … {names[-1]}'
    pages = format_count(writer.pages, 'page')
    packed = f'{archives}: {pages}, {format_count(writer.payload, "byte")}'
    counts = [f'{left_out[reason]:,} {reason}' for reason in sorted(left_out)]
    return f'{packed}; left out: {", ".join(counts)}' if counts else packed
