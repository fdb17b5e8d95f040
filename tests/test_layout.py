"""The rules of the layout, and that what exists is documented."""

import ast
import re
import sys
from pathlib import Path

import pytest

from mr_reuse.__main__ import COMMANDS, module_of

TOP = Path(__file__).parent.parent
PACKAGE = TOP / 'mr_reuse'
MODULES = sorted(PACKAGE.glob('**/*.py'))
JOBS = sorted(PACKAGE.glob('**/jobs/*.py'))
PURE = (
    'algorithms/graphs algorithms/sampling archives/archive_stats archives/domains '
    'archives/framing archives/headers archives/items archives/members '
    'archives/payload archives/recovery archives/sniff archives/urls '
    'archives/window chunks/chunking chunks/detect/badness chunks/detect/matching '
    'chunks/detect/nested chunks/detect/origins chunks/detect/ratios '
    'chunks/discover/counting chunks/discover/examples chunks/discover/stop_chunks '
    'chunks/discover/thresholds chunks/hasher chunks/labels/label_format '
    'chunks/normalize pages/filters report/chunks/copy_graph report/chunks/ties '
    'report/figures report/inert report/svg review/agreement review/categories '
    'review/excerpts review/intervals review/judgements review/summary_tables '
    'review/tallying shuffle/bloom shuffle/packing shuffle/protocol visible '
).split()


def imported(path):
    """The modules that a file imports, in full."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f'{node.module}.{a.name}' for a in node.names)}
    return names


def calls(path):
    """The plain functions that a file calls."""
    found = ast.walk(ast.parse(path.read_text()))
    return {
        n.func.id for n in found if isinstance(n, ast.Call) and hasattr(n.func, 'id')
    }


@pytest.mark.parametrize('path', JOBS, ids=lambda p: p.stem)
def test_jobs_are_dataflow(path):
    assert not imported(path) & {'warcio', 'boto3', 'os'}


@pytest.mark.parametrize('name', PURE)
def test_pure_modules(name):
    path = PACKAGE / f'{name}.py'
    assert not [m for m in imported(path) if m.startswith(('mrjob', 'os', 'pathlib'))]
    assert 'open' not in calls(path)


def test_nothing_imports_a_command():
    commands = {module_of(name).__name__ for name in COMMANDS}
    found = {p.name: imported(p) & commands for p in MODULES}
    assert not {name: used for name, used in found.items() if used}


def test_no_module_hides_the_standard_library():
    assert not {p.stem for p in MODULES} & set(sys.stdlib_module_names)


def test_modules_fit_into_the_head():
    long = {p.name: n for p in MODULES if (n := len(p.read_text().splitlines())) > 300}
    assert not long


@pytest.mark.parametrize('name', COMMANDS)
def test_commands_are_documented(name):
    assert f'| [`{name}`](commands/{name}.md) `' in (TOP / 'docs/README.md').read_text()
    assert callable(module_of(name).main)


@pytest.mark.parametrize('name', ['discover', 'detect', 'watch', 'compare', 'review'])
def test_options_are_documented(name):
    text = ''.join(p.read_text() for p in [TOP / 'README.md', *TOP.glob('docs/*.md')])
    parser = module_of(name).parser
    options = {o for a in parser()._actions for o in a.option_strings if '--' in o}
    missing = {
        o for o in options if not re.search(rf'`[^`]*{o}\b|^ +.*{o}\b', text, re.M)
    }
    assert missing <= {'--help', '--conf', '--runner', '--output'}
