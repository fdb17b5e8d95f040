"""The commands of `golden.py`, and the digests of all that they print and leave."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

# What stands in braces comes from the tables that are there by then; see `facts`.
LINES = """\
discover crawl/a/*.gz crawl/b/*.arc damaged/*arc* pages -o old
discover crawl/a/*.gz crawl/b/*.arc damaged/*arc* pages -o old --tasks 5
detect -o old --min-chunks 5 --no-per-level
links old
report old
export old --format csv
export old --format jsonl -o copies
export old places
show old {chunk}
show old {short}
show old {file}
show old {chunk} --where
show old {file} --where
show old {rid}
show old {prefix}
show old {url}
stop auto old -o short.txt --shorter 150
stop auto old --threshold 20
stop share short.txt old
discover crawl/list.txt -o new --stop short.txt --threshold 5 --file-threshold 3
detect -o new
links new
report new --top 5
stop eval short.txt new
compare old new -o changes
compare new old
compare old old
detect old -o reduce --min-chunks 5 --join reduce --no-per-level --places
detect old -o bloom --min-chunks 5 --join bloom --no-per-level
detect old -o domain --levels domain --ratio mean --sigmas 2
detect old -o site --levels site --per-level
detect old -o two --levels 2 --page-threshold 0.3 --neighborhood-threshold 0.2
detect old -o distinct --distinct --stop-scope labels
detect -o distinct --distinct --stop-scope labels --rank bad --min-bad 3 --top 20
detect -o distinct --page-threshold 0.1 --neighborhood-threshold 0.163
detect crawl/c/*.gz crawl/a/crawl-00000.warc.gz -l old -o direct --filter status=200
discover crawl/c/*.gz damaged/sound.arc --add old -o added
detect -o added --min-chunks 5
compare old added -o growth
discover crawl/a/*0.warc.gz damaged/*.arc -o paper --preset ccr2019 --threshold 2
detect -o paper
discover crawl/a/*2.warc.gz pages -o long --hash sha256 --normalize collapse \
    --threshold 2 --recursion both
detect -o long
links long
report long
discover crawl/b -o bloomed --stop short.txt --stop-bloom 0.01 --delimiters p,div,td \
    --normalize auntietuna --no-combine --filter type=text/html --threshold 3
discover crawl/d/*.gz -o unchecked --stop short.txt --stop-bloom 0.2 --stop-unchecked \
    --limit 1 --min-len 30 --filter status=200,404
labels build pages crawl/c/*.gz -o known.mrl
labels info known.mrl
labels info known.mrl --json
labels merge known.mrl old -o both.mrl
labels subtract both.mrl known.mrl -o rest.mrl
labels subtract old short.txt -o less.mrl
labels export rest.mrl
labels export both.mrl --plain --kind chunk -o both.txt
labels export known.mrl --format json
detect pages -l known.mrl -o known --places
watch crawl/a -l both.mrl --state state.json --once
copy judgements.tsv old
review summarize old
review summarize old --judge ann
pack pages -o packed.warc.gz --all
discover packed.warc.gz -o packed --threshold 1
quilts crawl/q/*.gz -o quilted
quilts sweep quilted --k 3,5 --m 10,50 --c 2,4 --alpha 0.3,0.5
show quilted {quilt}
report quilted
export quilted --format jsonl -o stitches
quilts crawl/q/*.gz -o foreign --k 3 --m 20 --c 2 --alpha 0.3 --foreign domain \
    --delta 0.05 --captures all --words paper
quilts -o added --c 1 --alpha 0.1 --scripts keep --types text
phrases crawl/q/*.gz -o phrased --popular 3 --covers 5 --top 50
phrases -o added --popular 2 --verify 0.5 --scripts drop
report phrased
export phrased --format jsonl -o repeated
styles crawl/q/*.gz -o styled
styles -o added --preprocessor tags --n 8 --t 20 --key-bits 64
"""
COMMANDS = [shlex.split(line) for line in LINES.replace('\\\n', '').splitlines()]
WITH_JOBS = (
    *('discover', 'detect', 'links', 'labels build', 'export old places'),
    *('quilts', 'phrases', 'styles'),
)
FOR_PROGRAMS = re.compile('show|watch|stop auto|labels (export|info .*--json)')
STEP, TOLD = re.compile(r'(.*/\d\d-[a-z]+)/[^/]+/(part-\d+)'), b'@\t'
ATTEMPT = re.compile(rb'attempt-[0-9a-f]{8}')
TIME, INODE = re.compile(rb'"time": "[^"]+"'), re.compile(rb'"\d+:\d+:')
PURE = 'MR_REUSE_PURE'
# The first cells of these tables.
FACTS = {
    'chunk': 'old/labels',
    'file': 'old/file_labels',
    'rid': 'old/pages',
    'prefix': 'old/bad_neighborhoods',
    'quilt': 'quilted/quilts',
}
Told = Iterator[tuple[str, str, str]]  # kind, name, digest


def work(top: Path, way: str, python: str) -> Told:
    """All commands, one after another, and then all that they have left."""
    here = top / way
    here.mkdir()
    links = [here / path.name for path in (top / 'given').iterdir()]
    for link in links:
        link.symlink_to(f'../given/{link.name}')
    for words in COMMANDS:
        yield from run(here, words, way.split('-'), python)
    for path in sorted(here.iterdir()):
        if path not in links:
            yield from left(path, here)


def run(here: Path, words: list[str], way: list[str], python: str) -> Told:
    """One command: how it ends, and what it prints."""
    if words[0] == 'copy':
        shutil.copy(here / words[1], here / words[2])
        return
    line = shlex.join(words)
    more = ['-r', way[1]] if line.startswith(WITH_JOBS) else []
    args = [facts(here, word) for word in words[1:]]
    env = {k: v for k, v in os.environ.items() if k not in ('PYTHONPATH', PURE)}
    done = subprocess.run(
        [python, '-m', f'mr_reuse.{words[0]}', *args, *more],
        cwd=here,
        env=env | ({PURE: '1'} if way[0] == 'pure' else {}),
        capture_output=True,
        check=False,
    )
    if done.returncode not in (0, 3):  # 3: some input was damaged
        raise SystemExit(f'{here.name}: {line}\n{done.stderr.decode()}')
    yield 'code', line, str(done.returncode)
    kind = 'table' if FOR_PROGRAMS.match(line) else 'prose'
    printed = done.stdout.replace(f' -r {way[1]}'.encode(), b'')  # in hints
    yield kind, f'$ {line}', of(plain(printed, here))


def facts(here: Path, word: str) -> str:
    """A word of a command line with what the tables of the first run say."""
    if '{' not in word:
        return word
    rows = {
        name: (here / f'{table}.tsv').read_text().splitlines()[1].split('\t')
        for name, table in FACTS.items()
        if (here / f'{table}.tsv').exists()
    }
    first = {name: row[0] for name, row in rows.items()}
    return word.format(**first, url=rows['rid'][1], short=first['chunk'][:8])


def left(path: Path, here: Path) -> Told:
    """What there is in a file or folder that the commands have made."""
    steps: dict[str, list[bytes]] = defaultdict(list)
    for file in sorted(path.rglob('*')) if path.is_dir() else [path]:
        name = str(file.relative_to(here))
        if file.is_dir() or re.fullmatch(r'_.*\.json', file.name):
            continue
        data = plain(file.read_bytes(), here)
        if in_step := STEP.fullmatch(name):
            yield 'part', '/'.join(in_step.groups()), of(data)
            lines = data.splitlines(keepends=True)
            steps[in_step[1]] += [one for one in lines if not one.startswith(TOLD)]
        elif file.name == 'run.json':
            yield 'record', name, of(record(data))
        else:
            yield 'prose' if file.suffix == '.html' else 'table', name, of(data)
    for name, lines in steps.items():
        yield 'step', name, of(b''.join(sorted(lines)))


def of(data: bytes) -> str:
    """The digest of some bytes."""
    return hashlib.sha256(data).hexdigest()


def plain(data: bytes, here: Path) -> bytes:
    """Bytes without what is another each time: folders, attempts, times, inodes."""
    for folder in (here, here.parent):
        data = data.replace(bytes(folder), b'.')
    return INODE.sub(b'"', TIME.sub(b'"time": 0', ATTEMPT.sub(b'attempt', data)))


def record(data: bytes) -> bytes:
    """A run.json without what depends on the machine, the runner or the version."""
    told = json.loads(data)
    del told['version']
    systems = told.get('systems', {}).values()
    for one in [told, told.get('detect', {}), *systems]:
        if one is not told:
            one.pop('version', None)
        one.get('options', {}).pop('runner', None)
        for step in one.get('steps', {}).values():
            for name in ('seconds', 'bytes', 'counters'):
                del step[name]
    return json.dumps(told, sort_keys=True).encode()
