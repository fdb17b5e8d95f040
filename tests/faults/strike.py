"""Strikes a command at each of its calls that touch files, one after another.

    LD_PRELOAD=faults.so strike.py FOLDER KINDS FAULT STEP [COMMAND ARGUMENT… --]…

Each command runs in a fork of this process, so that Python starts once. `{}` in an
argument stands for a copy of FOLDER/given. Only calls on files in that copy count.
FAULT is `kill` or the name of an errno. KINDS are the kinds of calls that count, such
as `writes,removals`. STEP is the distance between struck calls: 1 strikes all.

Prints a line of JSON for each strike: the call, how each command ended when it was
struck, how it ended when it was typed again, and the digests of the files in the end.
The first line is of an undisturbed run, and has the number of calls.
"""

import contextlib
import ctypes
import errno
import hashlib
import io
import json
import os
import re
import shutil
import sys
from pathlib import Path

from mr_reuse.__main__ import import_command

KINDS = {'writes': 1, 'reads': 2, 'removals': 4}
LASTING = {'ENOSPC'}  # a full disk stays full
LIBRARY = ctypes.CDLL(None)


def declare() -> None:
    """Declare the functions of the library."""
    LIBRARY.fault_last.restype = ctypes.c_char_p
    LIBRARY.fault_calls.restype = ctypes.c_long
    number, flag = ctypes.c_long, ctypes.c_int
    LIBRARY.fault_arm.argtypes = [ctypes.c_char_p, flag, number, flag, flag]


def run(commands: list[list[str]]) -> list[tuple[int, str]]:
    """Run commands in this process; exit codes and what went to standard error."""
    ends = []
    for name, *args in commands:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = import_command(name).main(args)
            except SystemExit as end:
                code = end.code
            except BaseException as error:  # what a user would see as a traceback
                code = f'{type(error).__name__}: {error}'
        ends.append((code, err.getvalue()))
    return ends


def fork(commands: list[list[str]], arm: tuple | None):
    """Run commands in a fork; how they ended, or [] if the fork was killed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        if arm:
            LIBRARY.fault_arm(*arm)
        ends = run(commands)
        os.write(write, json.dumps(ends).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text or '[]')


def digests(folder: Path) -> dict[str, str]:
    """Digests of the files of a folder; '' for those that have times in them."""
    made = {}
    for path in sorted(folder.rglob('*')):
        if path.is_file():
            name = re.sub(r'attempt-\w+', 'attempt', str(path.relative_to(folder)))
            timed = path.suffix in ('.json', '.html')
            data = b'' if timed else path.read_bytes()
            made[name] = '' if timed else hashlib.sha1(data).hexdigest()
    return made


def strike(top: Path, kinds: int, fault: str, at: int, commands: list[list[str]]):
    """Strike one call, type the commands again, and describe what happened."""
    folder = top / 'copy'  # always of one name, which tables have in them
    shutil.copytree(top / 'given', folder, symlinks=True)
    typed = [[word.replace('{}', str(folder)) for word in line] for line in commands]
    number = 0 if fault == 'kill' else getattr(errno, fault)
    struck = fork(typed, (bytes(folder), kinds, at, number, fault in LASTING))
    calls, call = LIBRARY.fault_calls(), LIBRARY.fault_last().decode()
    again = fork(typed, None)
    made = digests(folder)
    shutil.rmtree(folder)
    return {
        'at': at,
        'call': call.replace(str(folder), ''),
        'calls': calls,
        'struck': struck,
        'again': again,
        'files': made,
    }


def main() -> None:
    top, names, fault, step, *words = sys.argv[1:]
    kinds = sum(KINDS[name] for name in names.split(','))
    commands: list[list[str]] = [[]]
    for word in words:
        if word == '--':
            commands.append([])
        else:
            commands[-1].append(word)
    declare()
    for name, *_ in commands:
        import_command(name)
    LIBRARY.fault_arm(b'/nowhere', 0, -1, 0, 0)  # the forks share what it counts with
    undisturbed = strike(Path(top), kinds, fault, 1 << 40, commands)
    print(json.dumps(undisturbed), flush=True)
    for at in range(0, undisturbed['calls'], int(step)):
        outcome = strike(Path(top), kinds, fault, at, commands)
        print(json.dumps(outcome), flush=True)


if __name__ == '__main__':
    main()
