"""The tests of the kernel again, with a kernel that stops at undefined behaviour."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import mr_reuse
from mr_reuse import kernel

SOURCES = sorted(map(str, Path(kernel.__file__).parent.glob('*.c')))
FLAGS = '-shared -fPIC -g -O1 -fsanitize=undefined -fsanitize-trap=undefined'.split()
TESTS = ['tests/kernel/test_kernel.py', 'tests/text/test_tokenizer.py']
TESTS += ['tests/text/test_words.py', 'tests/text/test_gram_block.py']
TESTS += ['tests/text/test_shingles.py']
TESTS += ['tests/quilts/test_gram_table.py', 'tests/quilts/test_patch_grams.py']
TESTS += ['tests/quilts/test_patches.py', 'tests/algorithms/test_covers.py']
TESTS += ['tests/text/test_fingerprints.py', 'tests/algorithms/test_agreement.py']
# clang also notices what is added to a null pointer, even 0.
CLANG = shutil.which('clang')
RUN = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location('mr_reuse._kernel', sys.argv.pop(1))
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[spec.name])
from mr_reuse import kernel
assert kernel.load().__file__ == spec.origin
import pytest
sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', *sys.argv[1:]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not CLANG, reason='needs clang')
def test_kernel(tmp_path):
    library = tmp_path / '_kernel.so'
    include = sysconfig.get_path('include')
    limited = '-DPy_LIMITED_API=0x030A0000'
    line = [CLANG, *FLAGS, limited, f'-I{include}', *SOURCES, '-o', library]
    subprocess.run(line, check=True)
    root = Path(mr_reuse.__file__).parents[1]
    line = [sys.executable, '-c', RUN, library, *TESTS]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
