"""A local run imports no code of other runs, and no slow packages without need."""

import subprocess
import sys

import pytest
from damaged_reading import make

SLOW = {
    *('boto3', 'botocore', 'flask', 'jinja2', 'lxml', 'pyarrow', 'tqdm', 'urllib3'),
    *('publicsuffixlist', 'waitress'),
}
OF_OTHERS = (
    'mr_reuse.chunks.detect',
    'mr_reuse.engine.clusters.',
    'mr_reuse.pages.estimate',
    'mr_reuse.report',
    'mr_reuse.review.',
    'mr_reuse.storage.hdfs',
    'mr_reuse.storage.s3',
    'mr_reuse.storage.web',
    'mr_reuse.synth',
)
RUN = """
import sys
from mr_reuse import discover
try:
    code = discover.main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(*sys.modules, sep='\\n', file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize('command', ['--help', 'in.warc -o RUN', 'in.warc -o RUN -q'])
def test_a_run_imports_what_it_needs(tmp_path, command):
    body = make.page('1')
    (tmp_path / 'in.warc').write_bytes(make.warc('a.org/1', make.http(body)))
    done = subprocess.run(
        [sys.executable, '-c', RUN, *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {*done.stderr.splitlines()}
    assert 'mr_reuse.chunks.discover.run' in imported, 'the modules were not seen'
    assert not imported & SLOW
    assert not {name for name in imported if name.startswith(OF_OTHERS)}
