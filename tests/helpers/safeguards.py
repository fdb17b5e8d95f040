"""The safeguards of the program, and the tests that fail without them.

Each removes one safeguard from the source: `code` becomes `without`. At least one of
`tests` has to fail then.
"""

from typing import NamedTuple


class Safeguard(NamedTuple):
    name: str
    file: str  # below mr_reuse/
    code: str  # occurs once in the file
    without: str
    tests: str  # arguments of pytest


SAFEGUARDS = [
    Safeguard(
        'an unfinished file has another name',
        'storage/__init__.py',
        "partial = f'{path}.{uuid.uuid4().hex[:8]}.half'",
        'partial = path',
        'tests/faults/test_faults.py::test_a_few',
    ),
    Safeguard(
        'a file is on the disk before it gets its name',
        'storage/__init__.py',
        'os.fsync(stream.fileno())',
        'pass',
        'tests/storage/test_local_files.py',
    ),
    Safeguard(
        'the record of a step is written last',
        'engine/chain.py',
        'self.run.write_attempt(step.folder, attempt)',
        'self.run.write_attempt(step.folder, attempt)\n'
        '                self.run.write_step(step.folder, FinishedStep(\n'
        '                    digest=digest, output=output, stats=[], counters={},\n'
        '                    seconds=0, bytes=0))',
        'tests/faults/test_faults.py::test_a_few',
    ),
    Safeguard(
        'a step with other options runs again',
        'engine/chain.py',
        'if finished.digest != digest:',
        'if False:',
        'tests/engine/test_run.py',
    ),
    Safeguard(
        'a step whose output has another size runs again',
        'engine/step_output.py',
        'if finished.bytes != sum(part.size for part in storage.list_parts(folder)):',
        'if False:',
        'tests/engine/test_step_output.py',
    ),
    Safeguard(
        'a failed step leaves no output',
        'engine/chain.py',
        'storage.remove(self.run.join(step.folder))',
        'pass',
        'tests/engine/test_run.py',
    ),
    Safeguard(
        'two commands do not use a folder at once',
        'engine/rundir.py',
        'if processes.is_alive(owner) and',
        'if False and',
        'tests/engine',
    ),
    Safeguard(
        'the lock of a process that has ended is void',
        'engine/processes.py',
        "return process.get('started') == _started(pid)",
        'return True',
        'tests/engine -k "lock or processes"',
    ),
    Safeguard(
        'a folder with foreign files is refused',
        'engine/rundir.py',
        'if foreign and not self._force:',
        'if False:',
        'tests/engine/test_run.py',
    ),
    Safeguard(
        'a run on other inputs is refused',
        'engine/rundir.py',
        'if exists and not is_same and not self._force:',
        'if False:',
        'tests/engine/test_run.py',
    ),
    Safeguard(
        'judgements survive --force',
        'engine/rundir.py',
        'if RUN_NAMES.fullmatch(name) and name not in KEPT:',
        'if RUN_NAMES.fullmatch(name) and name != LOCK:',
        'tests/engine tests/review',
    ),
    Safeguard(
        'the checksum of a gzip member is checked',
        'archives/containers/members.py',
        'self._finish(_end_of(error), len(piece) - i)',
        'self._finish(End.SOUND, len(piece) - i)',
        'tests/archives',
    ),
    Safeguard(
        'a member ends where its trailer is',
        'archives/containers/members.py',
        'if len(inflated) == size and find(data, trailer, start, stop) == stop - 8:',
        'if True:',
        'tests/archives',
    ),
    Safeguard(
        'a window of zstd in a body is small',
        'archives/decoding.py',
        'MAX_WINDOW = 8 << 20',
        'MAX_WINDOW = 128 << 20',
        'tests/archives/test_payload.py',
    ),
    Safeguard(
        'the pieces of an encoding are counted',
        'archives/decoding.py',
        "yield b''  # it was work",
        'pass',
        'tests/archives/test_payload.py',
    ),
    Safeguard(
        'a list from the web names no local file',
        'pages/name_lists.py',
        'return full if is_on_web(full) or is_below else None',
        'return full',
        'tests/pages tests/test_bad_input.py mr_reuse/pages/name_lists.py',
    ),
    Safeguard(
        'a list from the web names nothing above its base',
        'pages/name_lists.py',
        "full.startswith(base) and '..' not in full[len(base) :].split('/')",
        'full.startswith(base)',
        'tests/pages tests/test_bad_input.py mr_reuse/pages/name_lists.py',
    ),
    Safeguard(
        'control characters do not reach the terminal',
        'messages.py',
        "sys.stderr.write(make_visible(f'{text}\\n', kept='\\n'))",
        "sys.stderr.write(f'{text}\\n')",
        'tests/cli tests/test_messages.py',
    ),
    Safeguard(
        'a spreadsheet does not evaluate a cell',
        'tables/formats.py',
        "FORMULA = re.compile(r'(^|[;\\t\\r\\n])(?=[",
        "FORMULA = re.compile(r'(^|[;\\t\\r\\n])(?=x[",
        'tests/test_export.py tests/tables',
    ),
    Safeguard(
        'scripts of the review page come from its server alone',
        'review/server.py',
        "script-src 'self'; ",
        'script-src *; ',
        'tests/review',
    ),
    Safeguard(
        'an address of review without its token is refused',
        'review/server.py',
        'token = secrets.token_urlsafe(24)',
        "token = ''",
        'tests/review',
    ),
]
