"""Write the pages on commands and tables from the program itself: `make docs`."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from mr_reuse.__main__ import import_command
from mr_reuse.cli.parser import Parser
from mr_reuse.systems import COMMANDS
from mr_reuse.tables.run_tables import EXPORTED, TABLES

DOCS = Path(__file__).parent
TABLES_HEAD = """\
# Tables

A table is UTF-8 text: cells separated by tabs, one header line, rows in a fixed order.
The same input and options give the same bytes on every runner. From 10 million rows
on, a table is a folder of that name with sorted parts, each with the header.
Ratios are numbers from 0 to 1 with 9 decimals. Dates are in UTC, such as
`2020-01-02T03:04:05Z`, and empty if unknown.
[results.md](results.md) explains how to read them, [export.md](export.md) how to copy
them into Parquet, JSON Lines or CSV.
"""
COLUMNS = '80'  # wherever this runs, the help is the same
MADE = '<!-- made by `make docs` -->\n'
# Where one reads on, if there is no page of the command's own name.
GUIDES = {
    'bundle': 'clusters.md#hadoop',
    'compare': 'detect.md#two-crawls',
    'get': 'clusters.md',
    'links': 'detect.md#clones-of-known-content',
    'show': 'results.md',
    'stop': 'labels.md#stop-lists-of-stop-chunks',
    'watch': 'detect.md#while-a-crawler-runs',
}


def parts(line: str, parser: Parser) -> Iterator[tuple[str, Parser]]:
    """A command and its sub-commands, by what one types."""
    yield line, parser
    for name, part in parser.others.items():
        yield from parts(f'{line} {name}', part)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, part in action.choices.items():
                yield from parts(f'{line} {name}', part)


def page(name: str) -> str:
    """The page of a command."""
    parser = import_command(name).parser()
    about = COMMANDS[name]
    intro = f'{about[0].upper()}{about[1:]}.'
    guide = f'{name}.md' if (DOCS / f'{name}.md').exists() else GUIDES.get(name)
    if guide:
        intro += f' More: [{guide}](../{guide}).'
    texts = [
        f'{"#" if line == name else "##"} {line}\n\n```text\n{one.format_help()}```\n'
        for line, one in parts(name, parser)
    ]
    head, rest = texts[0].split('\n\n', 1)
    return '\n'.join([MADE, f'{head}\n\n{intro}\n\n{rest}', *texts[1:]])


def table_page() -> str:
    """The page of all tables and their columns."""
    parts = [MADE + TABLES_HEAD]
    files = {table.file: table for table in TABLES.values()}
    for name, table in (files | EXPORTED).items():
        rows = ''.join(
            f'| `{c.name}` | {c.kind.name} | {c.about} |\n' for c in table.columns
        )
        about = f'{table.about[0].upper()}{table.about[1:]}'
        parts.append(
            f'## {name}\n\n{about}.\n'
            f'Written by [`{table.written_by}`](commands/{table.written_by}.md).\n'
            f'Order of rows: {table.order}.\n\n'
            f'| column | type | content |\n|---|---|---|\n{rows}'
        )
    return '\n'.join(parts)


def pages() -> dict[str, str]:
    """The pages of commands, by the names of their files."""
    with mock.patch.dict(os.environ, COLUMNS=COLUMNS):
        return {f'{name}.md': page(name) for name in COMMANDS}


def main() -> None:
    """Write all pages, and remove those of commands that are gone."""
    folder = DOCS / 'commands'
    folder.mkdir(exist_ok=True)
    made = pages()
    for old in folder.glob('*.md'):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding='utf-8')
    (DOCS / 'tables.md').write_text(table_page(), encoding='utf-8')


if __name__ == '__main__':
    sys.exit(main())
