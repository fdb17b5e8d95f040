"""Jobs on made lines in processes of their own, and the memory of each process."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / 'bench'
MODULE = importlib.util.spec_from_file_location('made', BENCH / 'made_pages.py')
made = importlib.util.module_from_spec(MODULE)
MODULE.loader.exec_module(made)

FILES = 4  # part files of made lines
# Runs a job with `-r local`, and prints the memory of the driver and of each task, in
# MB. The kernel has the peak of a process, but a fork begins with that of its parent.
RUN = """
import contextlib, importlib, io, json, os, re, sys
from mr_reuse.engine import forks
from mr_reuse.shuffle import partitions, sorting, spilling

module, name, log, rows, *args = sys.argv[1:]
if int(rows):  # tables of so many rows, instead of the usual ones
    spilling.MergeTable.__init__.__defaults__ = (None, int(rows))
    spilling.BLOCK, sorting.IN_MEMORY = 256, 1 << 20

def note():
    with open('/proc/self/status') as status, open(log, 'a') as stream:
        peak = re.search(r'VmHWM:\\s+(\\d+) kB', status.read())[1]
        stream.write(f'{int(peak) >> 10}\\n')

run_task = forks._run
def noted(*args):
    run_task(*args)
    note()
forks._run = noted
job = getattr(importlib.import_module(f'mr_reuse.{module}'), name)
with contextlib.redirect_stderr(io.StringIO()), job(args).make_runner() as runner:
    runner.run()
tasks = [int(line) for line in open(log)]
note()
print(json.dumps([int(open(log).readlines()[-1]), max(tasks)]))
"""


def write_pages(folder: Path, count: int) -> Path:
    """Write page lines of so many pages, unless they are there; return their folder."""
    target = folder / f'pages-{count}'
    if not target.exists():
        made.write_parts(str(target), made.page_lines, count, FILES)
    return target


def write_matches(folder: Path, count: int, labels: int) -> Path:
    """Write matches of so many pages, unless they are there; return their folder."""
    target = folder / f'matches-{count}'
    if not target.exists():
        made.write_parts(str(target), made.match_lines, count, FILES, labels)
    return target


def measure_job(
    module: str, name: str, inputs: Path, scratch: Path, rows: int = 0, **options
) -> tuple[int, int]:
    """Run a job; return the peak memory of the driver and of the largest task, in MB.

    `module` is a name such as `chunks.jobs.hash_chunks`. `rows` bounds the tables that
    the job holds, 0 for the usual bound.
    """
    scratch.mkdir()
    args = ['-r', 'local', '--no-conf', f'--output-dir={scratch}/out']
    args += [f'--local-tmp-dir={scratch}', *map(str, sorted(inputs.iterdir()))]
    args += [f'--{name.replace("_", "-")}={value}' for name, value in options.items()]
    line = [sys.executable, '-c', RUN, module, name, str(scratch / 'log'), str(rows)]
    ended = subprocess.run([*line, *args], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    driver, task = json.loads(ended.stdout)
    return driver, task
