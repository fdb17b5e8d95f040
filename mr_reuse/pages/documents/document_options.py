"""The options that decide which pages are documents, and which words they have."""

import argparse

from mr_reuse.pages import captures
from mr_reuse.pages.documents import document


def add_document_options(parser: argparse.ArgumentParser, scripts: str) -> None:
    """Add the options; `scripts` is the default of that name."""
    group = parser.add_argument_group('documents')
    group.add_argument(
        '--types',
        choices=document.TYPES,
        default=document.MARKUP,
        help='pages to compare: HTML and WET records (html), or all text. '
        'Default: %(default)s',
    )
    add_captures_option(group)
    group.add_argument(
        '--scripts',
        choices=('drop', 'keep'),
        default=scripts,
        help='whether the content of script and style is text. Default: %(default)s',
    )
    group.add_argument(
        '--words',
        choices=('unicode', 'paper'),
        default='unicode',
        help='what a word is: paper takes letters and numbers alone, and knows no '
        'scripts without spaces. Default: %(default)s',
    )


def add_captures_option(group: argparse._ArgumentGroup) -> None:
    """Add the option that chooses among the captures of a URL."""
    group.add_argument(
        '--captures',
        choices=captures.KEEP,
        default=captures.FIRST,
        help='captures of a URL to compare: the first, the last, or all of them. '
        'Default: %(default)s',
    )
