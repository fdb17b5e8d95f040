"""The programs of the benchmark do not overwrite what they should read."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / 'bench'
PROGRAMS = ['handwritten.py', 'duckdb_counting.py', 'pyspark_fastwarc.py', 'plain.py']
PROGRAMS += ['near_duplicates.py']
HEADERS = ['page_words.h', 'reader.h', 'side_by_side.h', 'whole_bodies.h']
# These programs need packages that the tests do not.
FASTWARC = """
class WarcRecordType:
    response = resource = conversion = 1

def ArchiveIterator(*_, **__):
    raise SystemExit('it was read')
"""


def refusal(line: list, out: Path, content: bytes, env: dict | None = None) -> str:
    """Return what a program says that is told to write to a file with this content."""
    out.write_bytes(content)
    line = [*line, '10', out, 'in.warc.gz']
    told = subprocess.run(line, capture_output=True, text=True, check=False, env=env)
    assert told.returncode == 1 and out.read_bytes() == content
    return told.stderr


@pytest.fixture
def stub(tmp_path):
    """An environment with a module of the name of FastWARC."""
    (tmp_path / 'fastwarc').mkdir()
    (tmp_path / 'fastwarc/__init__.py').touch()
    (tmp_path / 'fastwarc/warc.py').write_text(FASTWARC)
    return {'PYTHONPATH': str(tmp_path), 'PATH': '/usr/bin:/bin'}


@pytest.mark.parametrize('name', ['out.warc.gz', 'out.wacz', 'OUT.ARC', 'out.tsv'])
@pytest.mark.parametrize('program', PROGRAMS)
def test_programs(program, name, tmp_path, stub):
    line = [sys.executable, BENCH / program]
    told = refusal(line, tmp_path / name, b'WARC/1.0\r\n', stub)
    assert told.endswith(f'{name}: not a table of an earlier run; name another file\n')


@pytest.mark.skipif(
    not shutil.which('cc') or not Path('/usr/include/libdeflate.h').exists(),
    reason='needs a C compiler and libdeflate-dev',
)
@pytest.mark.parametrize(
    ('name', 'source'),
    [
        ('floor', 'floor'),
        ('floor16', 'floor'),
        ('phrase_floor', 'phrase_floor'),
        ('quilt_floor', 'quilt_floor'),
        ('style_floor', 'style_floor'),
    ],
)
def test_floors(name, source, tmp_path):
    for file in (f'{source}.c', *HEADERS, 'Makefile'):
        (tmp_path / 'bench').mkdir(exist_ok=True)
        shutil.copy(BENCH / file, tmp_path / 'bench')
    shutil.copytree(BENCH.parent / 'mr_reuse/kernel', tmp_path / 'mr_reuse/kernel')
    make = ['make', '-s', '-C', tmp_path / 'bench', 'CFLAGS=-O0', name]
    subprocess.run(make, check=True)
    floor = [tmp_path / 'bench' / name]
    for out, content in (
        ('o.WARC.gz', b''),
        ('o.tsv', b'\x1f\x8b\x08'),
        ('o', b'WARC'),
    ):
        assert 'archive; name another file' in refusal(floor, tmp_path / out, content)
