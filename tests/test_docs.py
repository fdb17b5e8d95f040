"""The documentation says what is: help, links, columns, output."""

import importlib
import re
import runpy
import shlex
from pathlib import Path

import pytest
from commands import run

from mr_reuse.__main__ import import_command
from mr_reuse.systems import COMMANDS
from mr_reuse.tables.run_tables import TABLES

duckdb = pytest.importorskip('duckdb')

TOP = Path(__file__).parent.parent
DOCS = TOP / 'docs'
PAGES = sorted(
    {
        path
        for pattern in ('*.md', 'docs/**/*.md', '*/README.md')
        for path in TOP.glob(pattern)
    }
)
FENCED = re.compile(r'^```.*?^```', re.M | re.S)
LINK = re.compile(r'\[[^][]*\]\(([^() ]+)\)')
CODE = re.compile(r'``.*?``|`[^`]*`', re.S)
COLUMNS = 100
# Idioms, archaisms, verbs of speech for things that do not speak, and clauses in place
# of nouns. Readers stop at them, and each has a plain word: again, print, input.
UNCLEAR = re.compile(
    r'\b([Aa]new|be (?:it|they)|told|tells of|in no time|(?:some|no)body|goes? by'
    r'|gone (?:on with|around)|as it were|what (?:is|are|has|it|they|there)'
    r'|[Ee]ach two|common property|(?:is|are|list) (?:them )?apart)\b'
)
# docs/commands is generated from --help, and is text of blocks of code.
PROSE = [path for path in PAGES if path.parent.name != 'commands']


# Links


def test_all_pages_are_there():
    names = {str(path.relative_to(TOP)) for path in PAGES}
    assert {
        'README.md',
        'CONTRIBUTING.md',
        'docs/README.md',
        'bench/README.md',
    } <= names


def anchors(path: Path) -> set[str]:
    """What the headings of a page are called in links to them."""
    text = FENCED.sub('', path.read_text())
    heads = re.findall(r'^#+ (.*)$', text, re.M)
    return {re.sub(r'[^\w -]', '', head.lower()).replace(' ', '-') for head in heads}


@pytest.mark.parametrize('path', PAGES, ids=lambda path: str(path.relative_to(TOP)))
def test_links(path):
    """Files and headings that a page names are there."""
    lost = []
    for target in LINK.findall(FENCED.sub('', path.read_text())):
        if target.startswith('https://'):
            continue
        name, _, anchor = target.partition('#')
        found = (path.parent / name).resolve() if name else path
        if not found.exists() or (anchor and anchor not in anchors(found)):
            lost.append(target)
    assert not lost


def test_no_page_is_hidden():
    """The index leads to each page, by a link of its own."""
    text = (DOCS / 'README.md').read_text()
    linked = {(DOCS / name.partition('#')[0]).resolve() for name in LINK.findall(text)}
    assert not {path for path in DOCS.glob('**/*.md')} - linked - {DOCS / 'README.md'}


def test_no_page_names_what_is_gone():
    """Targets of make, and files of ours, that a text tells of."""
    text = ''.join(path.read_text() for path in PAGES)
    made = set(re.findall(r'(?:`|^    )make ([a-z][a-z-]*)', text, re.M))
    targets = set(re.findall(r'^([a-z-]+):', (TOP / 'Makefile').read_text(), re.M))
    assert {'demo', 'test', 'docs'} <= made <= targets
    ours = {path.name for path in TOP.glob('[a-z]*/**/*.py')}
    ours |= {'setup.py', 'sitecustomize.py', 'NAME.py'}  # the last is a placeholder
    assert set(re.findall(r'`(?:\w+/)*(\w+\.py)`', text)) <= ours


def test_the_tour_passes_each_package():
    tour = (DOCS / 'code.md').read_text().partition('## Dataflow')[0]
    packages = {f'{p.parent.name}/' for p in TOP.glob('mr_reuse/*/__init__.py')}
    paragraphs = set(re.findall(r'^\*\*`(\w+/)`\*\*', tour, re.M))
    assert packages == paragraphs


# Prose


def prose(path: Path) -> str:
    """Return the text of a page without blocks of code."""
    return re.sub(r'^(?: {4}|\t).*', '', FENCED.sub('', path.read_text()), flags=re.M)


@pytest.mark.parametrize('path', PAGES, ids=lambda path: str(path.relative_to(TOP)))
def test_words_are_plain(path):
    text = CODE.sub('', prose(path) if path in PROSE else path.read_text())
    assert not [found[0] for found in UNCLEAR.finditer(text)]


@pytest.mark.parametrize('path', PROSE, ids=lambda path: str(path.relative_to(TOP)))
def test_lines_are_wrapped(path):
    """Tables cannot be wrapped, and links need not be."""
    lines = [line for line in prose(path).splitlines() if len(line) > COLUMNS]
    assert not [line for line in lines if '](' not in line and line.lstrip()[0] != '|']


# Command lines


def typed(path: Path) -> list[list[str]]:
    """The words of each line of a page that one may type, but for `…`."""
    lines = re.findall(
        r'^ +(?:\$ )?(?:python -m mr_reuse\.|mr-reuse )(.*)', path.read_text(), re.M
    )
    some = [line.split('&&')[0].split(' | ')[0] for line in lines if '…' not in line]
    return [shlex.split(line, comments=True) for line in some]


LINES = [
    pytest.param(words, id=f'{path.name}-{" ".join(words)}')
    for path in PAGES
    if path.parent.name != 'commands'
    for words in typed(path)
]


@pytest.mark.parametrize('words', LINES)
def test_command_lines_can_be_meant(words):
    """Commands and options are there, and go together."""
    name, *args = words
    if '.jobs.' in name:
        module = importlib.import_module(f'mr_reuse.{name}')
        [job] = [v for v in vars(module).values() if name in str(v) and type(v) is type]
        assert job(args).options.args
        return
    assert name in COMMANDS
    parser = import_command(name).parser()
    if args[0] in parser.others:
        parser = parser.others[args.pop(0)]
    assert vars(parser.parse_args(args))


# What is made of the code


def test_commands_are_as_their_help():
    made = runpy.run_path(str(DOCS / 'generate.py'))['pages']()
    there = {path.name: path.read_text() for path in DOCS.glob('commands/*.md')}
    assert there == made, 'make docs'
    assert set(there) == {f'{name}.md' for name in COMMANDS}


def test_tables_are_as_the_schema():
    made = runpy.run_path(str(DOCS / 'generate.py'))['table_page']()
    assert (DOCS / 'tables.md').read_text() == made, 'make docs'


def test_tables_are_listed():
    listed = set(re.findall(r'`(\w+)\.tsv`', (DOCS / 'results.md').read_text()))
    assert listed == set(TABLES)


# What the output shows


@pytest.fixture(scope='module')
def demo(tmp_path_factory):
    """What `make demo` makes, and what it prints."""
    top = tmp_path_factory.mktemp('top')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        made = ['synth', '-o', 'demo/crawl', '--size', '20MB', '-q']
        found = ['discover', 'demo/crawl/*.warc.gz', '-o', 'demo/run', '-r', 'inline']
        judged = ['detect', '-o', 'demo/run', '--min-chunks', '5', '-r', 'inline']
        linked = ['links', 'demo/run', '-r', 'inline']
        done = [run(*line) for line in (made, found, judged, linked)]
        assert [one.code for one in done] == [0, 0, 0, 0], done
        yield ''.join(one.out for one in done)


def test_readme_shows_what_make_demo_prints(demo):
    shown = re.search(
        r'^    [\d,]+ pages.*?\n\n(?=\S)', (TOP / 'README.md').read_text(), re.M | re.S
    )
    lines = [line[4:] for line in shown[0].splitlines() if line.strip()]
    assert len(lines) > 10
    printed = demo.splitlines()
    assert not [line for line in lines if line != '…' and line not in printed]


def test_numbers_of_the_demo(demo):
    """The rows that a page explains are in the table."""
    text = (DOCS / 'results.md').read_text()
    explained = re.findall(r'^\| (\d+), (\d+), (\d+) \|', text, re.M)
    rows = Path('demo/run/labels.tsv').read_text().splitlines()
    assert len(explained) == 4
    assert set(explained) <= {tuple(row.split('\t')[2:5]) for row in rows}


def test_labels_shows_what_is_printed(demo):
    """Each command of the page that works on the demo prints what stands below it."""
    text = (DOCS / 'labels.md').read_text()
    found = re.findall(
        r'^    \$ python -m mr_reuse\.(.*)\n((?:    [^$].*\n)*)', text, re.M
    )
    assert len(found) == 5
    for line, shown in found:
        if 'by-hand.txt' not in line:
            code, out, err = run(*shlex.split(line, comments=True))
            assert code == 0
            printed = (out + err).splitlines()
            assert [one[4:] for one in shown.splitlines()] == printed


def cells(table: str) -> list[list[str]]:
    """The cells of a table as DuckDB draws it, without those that name types."""
    rows = [line for line in table.splitlines() if line.startswith('│')]
    found = [[cell.strip() for cell in row.strip('│').split('│')] for row in rows]
    return found[:1] + found[2:]


def test_queries(demo):
    """Each query of the page gives what stands below it."""
    assert run('export', 'demo/run', 'places', '-q').code == 0
    assert run('export', 'demo/run', '--format', 'parquet', '-q') == (0, '', '')
    assert run('export', 'demo/run', '--annotation', '-q') == (0, '', '')
    text = (DOCS / 'export.md').read_text()
    found = re.findall(r'^```sql\n(.*?)^```\n(?:\n^```\n(.*?)^```)?', text, re.M | re.S)
    assert len(found) == text.count('```sql') == 11
    for query, shown in found:
        if shown:
            assert cells(str(duckdb.sql(query))) == cells(shown), query
        else:
            duckdb.execute(query)
