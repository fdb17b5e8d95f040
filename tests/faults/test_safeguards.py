"""Each safeguard of the program has a test that fails without it."""

import shlex
import shutil
import subprocess
import sys

import pytest
from crawls import ROOT
from safeguards import SAFEGUARDS

FAILED = 1  # exit code of pytest if tests ran and some failed
HIDDEN = shutil.ignore_patterns('.*', '__pycache__', 'build', 'demo')


@pytest.mark.parametrize('guard', SAFEGUARDS, ids=lambda guard: guard.name)
def test_is_in_the_code(guard):
    assert (ROOT / 'mr_reuse' / guard.file).read_text().count(guard.code) == 1


@pytest.mark.slow
@pytest.mark.parametrize('guard', SAFEGUARDS, ids=lambda guard: guard.name)
def test_without(guard, tmp_path):
    copy = tmp_path / 'copy'
    shutil.copytree(ROOT, copy, symlinks=True, ignore=HIDDEN)
    file = copy / 'mr_reuse' / guard.file
    source = file.read_text()
    assert source.count(guard.code) == 1
    file.write_text(source.replace(guard.code, guard.without))
    quick = 'not slow and not cluster and not browser'
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-qx', '-m', quick, *shlex.split(guard.tests)],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == FAILED, done.stdout
