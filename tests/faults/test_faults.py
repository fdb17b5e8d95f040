"""A command that is killed, or whose disk fails, at any of its calls.

A library between the commands and libc counts the calls that write, read and remove
files, and strikes one of them. The same commands, typed again, have to leave what they
leave undisturbed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from crawls import ROOT, write_warc

HERE = Path(__file__).parent
COMPILER = shutil.which('cc')
pytestmark = [
    pytest.mark.apart,
    pytest.mark.skipif(
        not COMPILER or sys.platform != 'linux', reason='needs Linux and a C compiler'
    ),
]
# Calls that are struck, and how. A full disk does not refuse to remove a file, and only
# calls that may wait are interrupted.
FAULTS = {
    'kill': 'writes,names,removals',
    'ENOSPC': 'writes,names',
    'EIO': 'writes,names,removals',
    'EINTR': 'writes,reads',
    'EIO reading': 'reads',
}
QUIET = ['-q', '-r', 'inline']
RUN = [
    ['discover', '{}/crawl.warc.gz', '-o', '{}/run', '--threshold=3', *QUIET],
    ['detect', '-o', '{}/run', *QUIET],
]
OTHERS = [
    ['report', '{}/run', '-q'],
    ['export', '{}/run', '--format=csv', '-q', '--force'],
    ['labels', 'build', '{}/crawl.warc.gz', '-o', '{}/known.mrl', '--force', *QUIET],
    ['pack', '{}/pages', '-o', '{}/pages.warc.gz', '-q', '--force'],
]
CHAINS = {'run': RUN, 'others': OTHERS}
# What a killed command leaves of a file that it was writing. `discover` and `detect`
# remove it when they are typed again.
UNFINISHED = re.compile(r'\.[0-9a-f]{8}\.half$|^\.pack-')


@pytest.fixture(scope='module')
def library(tmp_path_factory):
    name = tmp_path_factory.mktemp('library') / 'faults.so'
    flags = '-O1 -shared -fPIC -Wall -Wextra -Werror'.split()
    line = [COMPILER, *flags, '-o', name, HERE / 'faults.c', '-ldl']
    subprocess.run(line, check=True)
    return name


@pytest.fixture
def top(tmp_path):
    """A folder with what each strike is given: archive, run and pages."""
    given = tmp_path / 'given'
    given.mkdir()
    text = '<p>' + 'widely copied ' * 10
    pages = [
        (f'http://host{n % 5}.org/{n}', f'{text}<p>{n} {"alone " * 30}'.encode())
        for n in range(40)
    ]
    write_warc(given / 'crawl.warc.gz', pages)
    for command in RUN:
        line = [word.replace('{}', str(given)) for word in command]
        assert run(*line).code == 0
    (given / 'pages').mkdir()
    (given / 'pages/a.html').write_text(text)
    return tmp_path


def strike(library, top: Path, chain: str, fault: str, step: int) -> list[dict]:
    """Strike every `step`th call of commands; what happened, the undisturbed first."""
    if chain == 'run':
        shutil.rmtree(top / 'given/run')
    words = [word for command in CHAINS[chain] for word in [*command, '--']][:-1]
    line = [sys.executable, HERE / 'strike.py', top, FAULTS[fault]]
    done = subprocess.run(
        [*map(str, line), fault.removesuffix(' reading'), str(step), *words],
        env=os.environ | {'LD_PRELOAD': str(library), 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(outcomes: list[dict], chain: str, fault: str):
    undisturbed, *struck = outcomes
    assert undisturbed['call'] == ''
    assert {code for code, _ in undisturbed['struck']} == {0}
    assert struck
    for outcome in struck:
        assert outcome['call'], outcome
        assert bool(outcome['struck']) == (fault != 'kill'), outcome
        for code, error in outcome['struck']:
            assert code == 0 or (code == 1 and fault != 'EINTR'), outcome
            if code:
                assert error.startswith('error: '), outcome
                assert error.count('\n') == 1, outcome
        assert {code for code, _ in outcome['again']} == {0}, outcome
        files = outcome['files']
        if chain == 'others' and fault == 'kill':
            files = {
                name: d for name, d in files.items() if not UNFINISHED.search(name)
            }
        assert files == undisturbed['files'], outcome


@pytest.mark.parametrize(('fault', 'step'), [('kill', 127), ('ENOSPC', 199)])
def test_a_few(library, top, fault, step):
    check(strike(library, top, 'run', fault, step), 'run', fault)


@pytest.mark.slow
@pytest.mark.parametrize('chain', CHAINS)
@pytest.mark.parametrize('fault', FAULTS)
def test_each(library, top, chain, fault, capsys):
    """Kills at every call, and other faults at every third."""
    outcomes = strike(library, top, chain, fault, 1 if fault == 'kill' else 3)
    with capsys.disabled():
        calls = outcomes[0]['calls']
        print(f'\n{chain}, {fault}: struck {len(outcomes) - 1} of {calls} calls')
    check(outcomes, chain, fault)
