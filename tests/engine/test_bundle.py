"""The code that goes to the nodes of a cluster."""

import os
import re
import subprocess
import sys
import tarfile

import pytest
from commands import run
from crawls import ROOT

from mr_reuse import kernel as native
from mr_reuse.engine.clusters import bundling

DOCS = ROOT / 'docs/clusters.md'
pytestmark = pytest.mark.apart
# As on a node: no packages but those in the bundle.
LONELY = [sys.executable, '-S', '-E']
ALONE = """
import sys
sys.path.insert(0, 'bundle')
import sitecustomize
from mr_reuse.storage import mapped
from mr_reuse.chunks.jobs import hash_chunks
from mr_reuse.storage import hdfs_web, s3, web
import boto3, brotli, deflate, lxml.html, mrjob, numpy, pybase64, zstandard
boto3.client('s3', region_name='us-east-1')
for module in (hash_chunks, mapped, boto3, brotli, mrjob, numpy):
    assert '/bundle/' in module.__file__, module
print('alone')
"""


@pytest.fixture(scope='module')
def bundle(tmp_path_factory):
    name = tmp_path_factory.mktemp('bundle') / 'x.tar.gz'
    assert run('bundle', '-o', name).code == 0
    return name


@pytest.mark.slow
def test_works_alone(bundle, tmp_path):
    with tarfile.open(bundle) as tar:
        tar.extractall(tmp_path / 'bundle')
    line = [*LONELY, '-c', ALONE]
    done = subprocess.run(
        line, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, 'alone\n'), done.stderr


@pytest.mark.slow
def test_what_is_compiled_is_in_it(bundle):
    with tarfile.open(bundle) as tar:
        names = [name for name in tar.getnames() if name.endswith('.so')]
    assert any(name.startswith('numpy/_core/_multiarray_umath.') for name in names)
    built = [f'mr_reuse/{one.name}' for one in bundling.PACKAGE.glob('_kernel*.so')]
    assert [name for name in names if name.startswith('mr_reuse/')] == built
    assert bool(built) >= (native.load() is not None)


def test_no_larger_than_it_has_to_be(bundle):
    """It goes over the network to every node; docs/clusters.md says how much."""
    with tarfile.open(bundle) as tar:
        names = tar.getnames()
    assert not [name for name in names if '/tests/' in name]
    assert not [name for name in names if 'botocore/data/ec2/' in name]
    said = re.search(r'one archive of about\s(\d+) MB', DOCS.read_text())
    assert int(said[1]) * 2 / 3 < os.path.getsize(bundle) / 1e6 < int(said[1]) * 4 / 3


def test_new_file(bundle):
    done = run('bundle', '-o', bundle)
    assert done.err == f'error: {bundle}: exists; name another file, or give --force\n'
