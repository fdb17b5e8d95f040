"""The rules of the layout: which package may import which, and what a module may do."""

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from many import check_each

from mr_reuse.__main__ import import_command
from mr_reuse.systems import COMMANDS, SYSTEMS, declared

TOP = Path(__file__).parent.parent
PACKAGE = TOP / 'mr_reuse'
MODULES = sorted(PACKAGE.glob('**/*.py'))
JOB_END = re.compile(r'\n    (\w+)\.run\(\)\n\Z')
JOBS = {p: found[1] for p in MODULES if (found := JOB_END.search(p.read_text()))}

# Low to high: a package imports itself and those in the lines before its own.
LAYERS = [
    {'errors'},
    {'messages', 'kernel', 'systems'},
    {'storage'},
    {'archives', 'shuffle', 'text', 'algorithms', 'cli'},
    {'tables'},
    {'engine'},
    {'pages', 'components'},
    {'chunks', 'phrases', 'quilts', 'styles', 'synth'},
    {'report', 'review', 'crawlers'},
    {'door'},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
NOT_DOORS = {'__init__', 'errors', 'messages', 'systems'}
# What other packages may import of storage: the stores are its own business, but
# clusters have to say where HDFS is, and how tasks read from the web.
STORAGE = {'', 'naming', 'mapped', 'packed', 'text_files'}
OF_ENGINE = STORAGE | {'common_crawl', 'hdfs', 'hdfs_command', 'web.host_slots'}
# The packages that may import a third party's.
HOMES = {
    'boto3': {'storage'},
    'botocore': {'storage', 'engine'},
    'urllib3': {'storage'},
    'yaml': {'engine'},
    'packaging': {'engine'},
    'deflate': {'archives', 'synth'},
    'brotli': {'archives', 'synth'},
    'zstandard': {'archives', 'synth'},
    'publicsuffixlist': {'archives'},
    'lxml': {'chunks', 'text'},
    'pyarrow': {'pages', 'tables'},
    'jinja2': {'report'},
    'flask': {'review'},
    'waitress': {'review'},
    'warcio': {'archives'},
}
# What may name files of tables and folders of steps. The files of synth are its own.
NAMING = re.compile(
    r'tables/schema\.py|\w+/__init__\.py|(chunks/chunk|quilts/quilt|phrases/phrase|styles/style)_(tables|steps)\.py|synth/.*'
)
NAME = re.compile(r'\w*\.tsv\b|(?<![\w-])\d\d-[a-z]+')
NOT_OF_RUNS = {'prices.tsv'}
PURE = ('algorithms', 'shuffle/packing.py', 'shuffle/bloom.py')
# Folders of tests/ that are not of a package.
SHARED_BY_TESTS = {'helpers', 'golden', 'damaged', 'cluster', 'faults'}
SHARED_BY_TESTS |= {'old_run', 'peers'}
MAX_LINES = 300
MAX_DOOR_LINES = 150
MAX_MODULES = 25


def room(path: Path) -> str:
    """The package of a module; a module that is a command is a door."""
    first, *rest = path.relative_to(PACKAGE).with_suffix('').parts
    if rest:
        return 'door' if rest == ['__main__'] else first
    return first if first in NOT_DOORS else 'door'


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file imports, in full; of ours, modules rather than names."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {
                full if file_of(full := f'{node.module}.{a.name}') else node.module
                for a in node.names
            }
    return frozenset(names)


def file_of(name: str) -> Path | None:
    """The file of a module of ours."""
    path = TOP / name.replace('.', '/')
    files = (path.with_suffix('.py'), path / '__init__.py')
    return next((file for file in files if file.is_file()), None)


def ours(path: Path) -> list[Path]:
    """The files of ours that a file imports, but for the version."""
    files = map(file_of, imported(path))
    return [file for file in files if file and file != PACKAGE / '__init__.py']


def ids(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@check_each(MODULES)
def test_layers(path):
    mine = room(path)
    if mine == '__init__':
        return
    rooms = {ids(used): room(used) for used in ours(path)}
    wrong = {
        name: used
        for name, used in rooms.items()
        if used != mine and RANK[used] >= RANK[mine]
    }
    assert not wrong, f'{mine} may not import {wrong}'


@pytest.mark.parametrize('name', SYSTEMS)
def test_declarations_are_light(name):
    """Lower packages and all commands load them, so they load nothing else."""
    names = ('tables.schema', 'tables.columns', 'engine.run_steps')
    types = {file_of(f'mr_reuse.{name}') for name in names}
    start = file_of(f'mr_reuse.{name}')
    parts = {start, *(used for used in ours(start) if used.parent == start.parent)}
    assert {used for part in parts for used in ours(part)} <= parts | types


def test_nobody_imports_a_door():
    doors = {path for path in MODULES if room(path) == 'door'} - {file_of('mr_reuse')}
    wrong = {ids(p): used for p in MODULES if (used := doors & {*ours(p)} - {p})}
    assert not wrong


@pytest.mark.parametrize('name', COMMANDS)
def test_doors_hold_no_work(name):
    path = Path(import_command(name).__file__)
    assert lines(path) <= MAX_DOOR_LINES
    assert defined(path) == ['parser', 'main']


def defined(path: Path) -> list[str]:
    """All that the top of a module defines, but for constants."""
    body = ast.parse(path.read_text()).body[1:-1]  # without the docstring and `main()`
    fixed = (ast.Import, ast.ImportFrom, ast.Assign)
    return [getattr(node, 'name', '?') for node in body if not isinstance(node, fixed)]


@check_each(MODULES)
def test_options_have_types(path):
    """Parsed command lines go no further than the modules that define options."""
    if room(path) not in ('door', 'cli') and not path.stem.endswith('_options'):
        assert 'argparse' not in imported(path)


def test_the_root_holds_commands_alone():
    commands = {name for name in COMMANDS if file_of(f'mr_reuse.{name}').parent}
    modules = {path.stem for path in PACKAGE.glob('*.py')}
    assert modules <= commands | NOT_DOORS | {'__main__', 'stream'}
    assert len(modules) <= 20


@pytest.mark.parametrize('name', COMMANDS)
def test_commands_are_documented(name):
    assert f'| [`{name}`](commands/{name}.md) `' in (TOP / 'docs/README.md').read_text()
    module = import_command(name)
    assert callable(module.main) and callable(module.parser)


@check_each(MODULES)
def test_stores_stay_behind_storage(path):
    used = {
        name.removeprefix('mr_reuse.storage').lstrip('.')
        for name in imported(path)
        if name.startswith('mr_reuse.storage')
    }
    allowed = OF_ENGINE if room(path) == 'engine' else STORAGE
    assert room(path) == 'storage' or used <= allowed


@check_each(MODULES)
def test_third_parties_have_a_home(path):
    used = {name.partition('.')[0] for name in imported(path)} & HOMES.keys()
    assert not {name for name in used if room(path) not in HOMES[name]}


@pytest.mark.parametrize('path', JOBS, ids=ids)
def test_jobs_are_dataflow(path):
    """A module has one job; the lines that it writes may be a class beside it."""
    tree = ast.parse(path.read_text())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    jobs = [c.name for c in classes if any(b.id.endswith('Job') for b in c.bases)]
    assert jobs == [JOBS[path]] and 'os' not in imported(path)


def test_folders_of_jobs_hold_jobs():
    names = {ids(path) for path in PACKAGE.glob('*/jobs/*.py')} - {*map(ids, JOBS)}
    assert {Path(name).stem for name in names} == {'__init__', 'base'}


@check_each(MODULES)
def test_names_of_tables_and_steps_have_a_home(path):
    """Texts for people count as well: they take the names from the schema."""
    if not NAMING.fullmatch(ids(path)):
        tree = ast.parse(path.read_text())
        names = {name for text in strings(tree) for name in NAME.findall(text)}
        assert not names - NOT_OF_RUNS


def test_names_are_seen():
    code = "'''See a.tsv.'''\nx = f'{y}: see labels.tsv'\nz = '04-matches/x', '01-01T0'"
    found = {name for text in strings(ast.parse(code)) for name in NAME.findall(text)}
    assert found == {'labels.tsv', '04-matches'}


def strings(tree: ast.Module) -> list[str]:
    """All string constants but docstrings."""
    nodes = list(ast.walk(tree))
    bodies = [getattr(node, 'body', None) for node in nodes]
    first = [body[0] for body in bodies if isinstance(body, list) and body]
    docstrings = {node.value for node in first if isinstance(node, ast.Expr)}
    constants = (node for node in nodes if isinstance(node, ast.Constant))
    return [
        node.value
        for node in constants
        if isinstance(node.value, str) and node not in docstrings
    ]


def test_each_job_belongs_to_a_step():
    steps = list(declared('STEPS'))
    assert {step.job for step in steps} == {*JOBS.values()}
    assert len({step.folder for step in steps}) == len(steps)


def test_no_module_hides_the_standard_library():
    names = {p.stem for p in MODULES} - {'__init__', '__main__'}
    assert not names & set(sys.stdlib_module_names)


def test_modules_fit_into_the_head():
    long = {ids(p): n for p in MODULES if (n := lines(p)) > MAX_LINES}
    assert not long


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_packages_fit_into_the_head():
    modules = Counter(path.parent for path in MODULES)
    assert not {ids(p): n for p, n in modules.items() if n > MAX_MODULES}


def test_tests_lie_like_the_packages():
    tests = Path(__file__).parent
    folders = {path.relative_to(tests).parts[0] for path in tests.glob('*/**/*.py')}
    packages = {path.parent.name for path in PACKAGE.glob('*/__init__.py')}
    assert folders - SHARED_BY_TESTS == packages


def test_names_of_tests_differ():
    """pytest imports them by name alone, as the folders are no packages."""
    names = Counter(path.name for path in TOP.glob('tests/**/test_*.py'))
    assert not [name for name, count in names.items() if count > 1]


@pytest.mark.parametrize('name', ['discover', 'detect', 'watch', 'compare', 'review'])
def test_options_are_documented(name):
    text = ''.join(p.read_text() for p in [TOP / 'README.md', *TOP.glob('docs/*.md')])
    parser = import_command(name).parser
    options = {o for a in parser()._actions for o in a.option_strings if '--' in o}
    missing = {
        o for o in options if not re.search(rf'`[^`]*{o}\b|^ +.*{o}\b', text, re.M)
    }
    assert missing <= {'--help', '--conf', '--runner', '--output'}
