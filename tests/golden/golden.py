"""Digests of all that the commands write, to compare before and after a change.

    golden.py write FILE     note what the code makes now
    golden.py compare FILE   make it again, and tell what is not as it was noted

A small crawl goes through the commands four times: with the compiled kernel and without
it, with -r inline and -r local. The tool is driven by command lines alone, so any other
checkout can be asked for the same with --python OTHER/.venv/bin/python. --keep DIR
leaves what was made, to see what a difference is.

A line of the list is a digest (or an exit code), a class, where it holds, and a name:

  input   what the commands are given; differs where another library has compressed it
  code    exit codes
  table   what is written into files or printed, for programs
  step    the lines of all part files of a step, sorted, without what its tasks told
  part    each part file as it is; how many there are depends on the number of cores
  record  run.json without versions, times, runners and the names of attempts
  prose   what is written for people: reports, summaries; --no-prose leaves it out

All four have to agree, but for parts, which depend on the runner.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import golden_crawl
import golden_work

WAYS = ['kernel-inline', 'kernel-local', 'pure-inline', 'pure-local']
CORES = '# cores: '
OTHER_INPUT = """\
The input is not that of the list: other libraries have compressed it, or synth has
changed. Write a list with the code of before on this machine, and compare with that."""


class Name(NamedTuple):
    """What a digest is of."""

    kind: str
    where: str  # '*': the same in all four ways
    name: str


List = dict[Name, str]

# What is made


def make(top: Path, python: str) -> tuple[List, list[str]]:
    """Do everything in all four ways: the list, and what they do not agree on."""
    golden_crawl.make(top / 'given', python)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = pool.map(lambda way: list(golden_work.work(top, way, python)), WAYS)
        ways = dict(zip(WAYS, made, strict=True))
    found = {Name(kind, '*', name): digest for kind, name, digest in given(top)}
    return found | agreed(ways)[0], agreed(ways)[1]


def agreed(ways: dict[str, list[tuple[str, str, str]]]) -> tuple[List, list[str]]:
    """What the ways agree on, and lines that tell what they do not agree on.

    >>> told = [('table', 'x', 'abc')]
    >>> agreed(dict.fromkeys(WAYS, told))
    ({Name(kind='table', where='*', name='x'): 'abc'}, [])
    >>> agreed(dict.fromkeys(WAYS, told) | {'pure-local': []})[1][0][:50]
    'odd:     table x: kernel-inline abc, kernel-local '
    """
    found, odd = {}, []
    have = {way: {told[:2]: told[2] for told in all_} for way, all_ in ways.items()}
    for kind, name in sorted({key for one in have.values() for key in one}):
        for where, members in groups(kind):
            digests = {way: have[way].get((kind, name), '-') for way in members}
            if len(set(digests.values())) > 1:
                shown = ', '.join(f'{way} {d[:12]}' for way, d in digests.items())
                odd.append(f'odd:     {kind} {name}: {shown}')
            elif digests[members[0]] != '-':
                found[Name(kind, where, name)] = digests[members[0]]
    return found, odd


def groups(kind: str) -> list[tuple[str, list[str]]]:
    """Which of the ways have to agree, and how they are called together."""
    if kind != 'part':
        return [('*', WAYS)]
    return [(r, [way for way in WAYS if way.endswith(r)]) for r in ('inline', 'local')]


def given(top: Path) -> Iterator[tuple[str, str, str]]:
    """What the commands are given."""
    for path in sorted((top / 'given').rglob('*')):
        if path.is_file():
            name = str(path.relative_to(top / 'given'))
            yield 'input', name, golden_work.of(path.read_bytes())


# The list


def write(found: List, name: str) -> None:
    """Write a list, and on how many cores it was made."""
    lines = [f'{digest}\t' + '\t'.join(key) for key, digest in found.items()]
    lines.sort(key=lambda line: line.split('\t')[1:])
    Path(name).write_text('\n'.join([f'{CORES}{os.cpu_count()}', *lines, '']))


def read(name: str) -> List:
    """A list as it was written; parts only if they are of as many cores."""
    first, *lines = Path(name).read_text().splitlines()
    rows = [line.split('\t') for line in lines]
    if first != f'{CORES}{os.cpu_count()}':
        print(f'{name}: made with {first.removeprefix(CORES)} cores: no parts compared')
        rows = [row for row in rows if row[1] != 'part']
    return {Name(*row[1:]): row[0] for row in rows}


def differences(before: List, now: List) -> Iterator[str]:
    """Lines that tell what is not as it was, of the kinds that were noted.

    >>> key = Name('table', '*', 'x')
    >>> list(differences({key: 'abc'}, {key._replace(name='y'): 'abc'}))
    ['gone:    table * x', 'new:     table * y']
    """
    kinds = {key.kind for key in before}
    for key in sorted(before.keys() | {key for key in now if key.kind in kinds}):
        if before.get(key) != now.get(key):
            word = 'gone:' if key not in now else 'new:'
            word = 'differs:' if key in before and key in now else word
            yield f'{word:8} {" ".join(key)}'


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    found.add_argument('mode', choices=['write', 'compare'])
    found.add_argument('list', metavar='FILE')
    found.add_argument('--python', default=sys.executable, help='of the other checkout')
    found.add_argument('--keep', metavar='DIR', help='a new folder for what is made')
    found.add_argument('--no-prose', action='store_true', help='compare only the rest')
    return found


def main() -> int:
    """Make everything; write the list, or tell what differs."""
    args = parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(args.keep or folder).resolve()
        found, told = make(top, os.path.abspath(args.python))
    if args.mode == 'write':
        write(found, args.list)
    else:
        told += differences(read(args.list), found)
    if args.no_prose:
        told = [line for line in told if line.split()[1] != 'prose']
    print('\n'.join([*told, f'{len(found):,} digests, {len(told):,} differences']))
    if any(line.startswith('differs: input') for line in told):
        print(OTHER_INPUT)
    return 1 if told else 0


if __name__ == '__main__':
    sys.exit(main())
