"""Make and judge lists of stop chunks, which are everywhere and say nothing."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import hash_lists
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import rundir
from mr_reuse.errors import UserError
from mr_reuse.messages import put, say
from mr_reuse.shuffle import digest_sets, packing, protocol, sorting
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows

A_LIST = f'hashes, one a line, or {values.A_LABEL_FILE}'
HEADER = b'hash\tcopies\tlength\n'


def parser() -> argparse.ArgumentParser:
    """The command line of stop."""
    found = Parser(
        description=__doc__,
        example='stop auto RUN -o short.txt\nstop eval short.txt by-hand.txt',
    )
    commands = found.add_subparsers(required=True, metavar='COMMAND')
    for add in (add_eval, add_auto, add_share):
        add(commands)
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: stop lists."""
    given = parser().parse_args(args)
    given.work(given)


# eval


def add_eval(commands: Any) -> None:
    """The command line of `stop eval`."""
    one = commands.add_parser(
        'eval',
        help='how well an automatic list agrees with one made by hand',
        description='Print how well an automatic list agrees with one made by hand.',
        example='stop eval short.txt by-hand.txt',
    )
    for name in ('auto', 'manual'):
        one.add_argument(name, metavar=name.upper(), help=A_LIST)
    one.set_defaults(work=evaluate)


def evaluate(given: argparse.Namespace) -> None:
    """Print how two lists agree."""
    names = given.auto, given.manual
    recipe = hash_lists.recipe_for(names)
    auto, manual = (
        hash_lists.load(name, recipe, other='the other list') for name in names
    )
    both = digest_sets.shared(auto, manual)
    put(confusion(both, len(auto) - both, len(manual) - both))


def confusion(both: int, only_auto: int, only_manual: int) -> str:
    """How two lists agree, in five lines.

    >>> print(confusion(1, 1, 0), end='')
             1  on both lists
             1  only on the automatic list
             0  only on the manual list
        50.0 %  precision: of the automatic list, what is on the manual one
       100.0 %  recall: of the manual list, what is on the automatic one
    """
    auto, manual = both + only_auto, both + only_manual
    return (
        f'{both:>10,}  on both lists\n'
        f'{only_auto:>10,}  only on the automatic list\n'
        f'{only_manual:>10,}  only on the manual list\n'
        f'{percent(both, auto)}  precision: of the automatic list, what is on the '
        'manual one\n'
        f'{percent(both, manual)}  recall: of the manual list, what is on the '
        'automatic one\n'
    )


def percent(part: int, whole: int) -> str:
    """A share for people; of nothing there is none.

    >>> percent(222, 316), percent(0, 0)
    ('    70.3 %', '       n/a')
    """
    return f'{100 * part / whole:>8.1f} %' if whole else f'{"n/a":>10}'


# The counts of a run


class Counts(NamedTuple):
    """What `discover` counted."""

    recipe: Recipe
    threshold: int
    parts: list[str]

    def chunks(self) -> Iterator[Rows]:
        """All chunks, in pieces: (digest; copies, pages, length)."""
        for part in self.parts:
            with storage.open_read(part) as stream:
                for key, value in protocol.read_lines(stream):
                    if key != protocol.LAST and protocol.unit_of(key) == 'chunk':
                        yield packing.unpack(value)


def counts_of(run: str, threshold: int | None) -> Counts:
    """The counts in a run directory, wherever it is now; a threshold may be given."""
    told = rundir.finished(run)
    if 'counts' not in told:
        raise UserError(f'{run}: a run of detect, without counts; name one of discover')
    recipe = Recipe(**{field: told['made_of'][field] for field in Recipe._fields})
    chosen = told['threshold'] if threshold is None else threshold
    return Counts(recipe, chosen, storage.part_files(told['counts']))


def _add_threshold(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        '--threshold',
        type=values.natural,
        metavar='N',
        help="only chunks with more than N copies. Default: the run's threshold",
    )


# auto


def add_auto(commands: Any) -> None:
    """The command line of `stop auto`."""
    one = commands.add_parser(
        'auto',
        help='the automatic list: the short ones of the widely copied chunks',
        description='Write a stop list of the widely copied chunks that are short: '
        'hash, copies and length, most copied first.',
        example='stop auto RUN -o short.txt',
    )
    one.add_argument('run', metavar='RUN', help='a run directory of discover')
    one.add_argument(
        '-o', '--output', metavar='LIST', help='where to. Default: standard output'
    )
    one.add_argument(
        '--shorter',
        type=values.natural,
        default=100,
        metavar='N',
        help='chunks of at most N bytes. Default: %(default)s',
    )
    _add_threshold(one)
    one.add_argument('--force', action='store_true', help='replace what has that name')
    one.set_defaults(work=auto)


def auto(given: argparse.Namespace) -> None:
    """Write the automatic stop list of a run."""
    counts = counts_of(given.run, given.threshold)
    rows = short_rows(counts.chunks(), given.shorter, counts.threshold)
    with outputs.new(given.output, given.force) as stream:
        stream.write(HEADER)
        lines = sorting.sort_lines(rows)
        count = sum(
            1 for line in lines if stream.write(line.partition(b'\0')[2] + b'\n')
        )
    if given.output:
        say(f'{given.output}: {count:,} hashes')


def short_rows(pieces: Iterable[Rows], longest: int, threshold: int) -> Iterator[bytes]:
    """The lines of the list, each with what sorts it.

    >>> rows = packing.rows_of(b'aabbcc', 2, [9, 9, 2], [1, 1, 1], [100, 101, 100])
    >>> [line.partition(b'\\0')[2] for line in short_rows([rows], 100, 2)]
    [b'6161\\t9\\t100']
    """
    for rows in pieces:
        copies, _, length = rows.columns
        keys, (copies, _, length) = rows.take(
            (copies > threshold) & (length <= longest)
        )
        for key, n, size in zip(keys, copies.tolist(), length.tolist(), strict=True):
            row = f'{key.tobytes().hex()}\t{n}\t{size}'
            yield label_tables.by_copies(n, row.encode())


# share


def add_share(commands: Any) -> None:
    """The command line of `stop share`."""
    one = commands.add_parser(
        'share',
        help='how much of a run a list covers',
        description='Print which share of the chunks of a run is on a list.',
        example='stop share short.txt RUN',
    )
    one.add_argument('list', metavar='LIST', help=A_LIST)
    one.add_argument('run', metavar='RUN', help='a run directory of discover')
    _add_threshold(one)
    one.set_defaults(work=share)


def share(given: argparse.Namespace) -> None:
    """Print what a list covers."""
    counts = counts_of(given.run, given.threshold)
    keys = hash_lists.load(given.list, counts.recipe, other=given.run)
    found = covered(counts.chunks(), DigestIndex(keys), counts.threshold)
    put(found.text(len(keys), counts.threshold))


class Covered(NamedTuple):
    """How many chunks are on a list, and how many there are."""

    digests: int  # of the list, that the run has
    wide: int  # chunks with more copies than the threshold, copies counted
    wide_all: int
    copies: int  # all chunks, copies counted
    copies_all: int

    def text(self, on_list: int, threshold: int) -> str:
        """For people.

        >>> print(Covered(2, 35, 100, 40, 400).text(3, 10), end='')
            35.0 %  of the 100 chunks with more than 10 copies, each copy counted
            10.0 %  of all 400 chunks, each copy counted
            66.7 %  of the 3 hashes on the list are in the run
        """
        return (
            f'{percent(self.wide, self.wide_all)}  of the {self.wide_all:,} chunks '
            f'with more than {threshold:,} copies, each copy counted\n'
            f'{percent(self.copies, self.copies_all)}  of all {self.copies_all:,} '
            'chunks, each copy counted\n'
            f'{percent(self.digests, on_list)}  of the {on_list:,} hashes on the list '
            'are in the run\n'
        )


def covered(pieces: Iterable[Rows], listed: DigestIndex, threshold: int) -> Covered:
    """How much a list covers of counted chunks, which come in pieces.

    >>> rows = packing.rows_of(b'aabbcc', 2, [9, 7, 2], [1, 1, 1], [5, 5, 5])
    >>> covered([rows], DigestIndex(packing.rows_of(b'aacc', 2).keys), 2)
    Covered(digests=2, wide=9, wide_all=16, copies=11, copies_all=18)
    """
    sums = [0] * len(Covered._fields)
    for rows in pieces:
        copies = rows.columns[0]
        found, wide = listed.find(rows.keys) >= 0, copies > threshold
        more = [copies[mask].sum() for mask in (found & wide, wide, found)]
        for i, n in enumerate([found.sum(), *more, copies.sum()]):
            sums[i] += int(n)
    return Covered(*sums)


if __name__ == '__main__':
    sys.exit(main())
