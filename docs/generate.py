"""Write a page for each command, from its own help: `make docs`."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from mr_reuse.__main__ import COMMANDS, module_of
from mr_reuse.cli.parser import Parser

DOCS = Path(__file__).parent
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
    parser = module_of(name).parser()
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


def pages() -> dict[str, str]:
    """All pages, by the names of their files."""
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


if __name__ == '__main__':
    sys.exit(main())
