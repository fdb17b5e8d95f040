"""Pack directory trees into archives, all of them or none."""

import os
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from glob import escape, glob
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mr_reuse.archives.trees import Tree
from mr_reuse.archives.writer import ENDING, ArchiveWriter
from mr_reuse.errors import UsageError, UserError


class PackOptions(NamedTuple):
    """The options of `pack`."""

    folders: list[str]
    output: str
    base_url: str
    split: int | None = None  # bytes of payload in an archive
    take_all: bool = False  # all files, not only texts
    force: bool = False


def check_output(options: PackOptions) -> None:
    """Refuse an output that could not be written or that would be lost."""
    out = options.output
    if not out.endswith(ENDING):
        raise UsageError(f'{out}: its name has to end in {ENDING}')
    if not os.path.isdir(os.path.dirname(out) or '.'):
        raise UserError(f'{os.path.dirname(out)}: no such folder; make it first')
    if (old := earlier_output(options)) and not options.force:
        raise UserError(f'{old[0]}: exists; name another file, or give --force')


def earlier_output(options: PackOptions) -> list[str]:
    """Find the archives of an earlier run with the same options."""
    number = '-' + 5 * '[0-9]' if options.split else ''
    stem = options.output.removesuffix(ENDING)
    return sorted(glob(escape(stem) + number + ENDING))


def find_trees(options: PackOptions) -> list[Tree]:
    """Check all folders before one is read."""
    trees: dict[bytes, Tree] = {}
    output = os.path.realpath(options.output)
    for folder in options.folders:
        inside = os.path.realpath(folder) + os.sep
        if options.take_all and output.startswith(inside):
            raise UsageError(f'{options.output}: lies in {folder}; name another place')
        tree = Tree(folder, options.base_url, options.take_all)
        if tree.name in trees:
            raise UsageError(f'{folder}: has the name of another; pack it by itself')
        trees[tree.name] = tree
    return list(trees.values())


def pack(trees: Iterable[Tree], options: PackOptions) -> ArchiveWriter:
    """Write the archives; a failure leaves none of them."""
    old = earlier_output(options)
    folder = os.path.dirname(options.output) or '.'
    with TemporaryDirectory(prefix='.pack-', dir=folder) as unfinished:
        writer = ArchiveWriter(options.output, options.split, unfinished)
        with closing(writer):
            for tree in trees:
                for page in tree.pages():
                    writer.add(page)
        if not writer.names:
            what = 'files' if options.take_all else 'HTML, XML or text files'
            raise UserError(f'{", ".join(options.folders)}: no {what} in it')
        writer.finish()
    for name in set(old) - set(writer.names):
        # Left of a longer run, and it would be taken for a part of this one.
        os.remove(name)
    return writer


def summarize(writer: ArchiveWriter, left_out: Counter[str]) -> str:
    """Say in one line which files were packed and which were left out."""
    names = writer.names
    where = names[0] if len(names) == 1 else f'{names[0]} … {names[-1]}'
    packed = f'{where}: {writer.pages:,} pages, {writer.payload:,} bytes'
    left = ', '.join(f'{reason}: {left_out[reason]:,}' for reason in sorted(left_out))
    return f'{packed}; left out: {left}' if left else packed
