"""The command line of `styles parameters`, and what it prints."""

import argparse

from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.styles.style_options import add_fingerprint_options, read_recipe

PARAMETERS = 'parameters'
EPILOG = """\
An n-gram is a number, whose digits are its bytes, to the base `multiplier`. The number
x is mixed: x ^= x >> 32, x *= `mixer`, x ^= x >> 29, all modulo 2^64. Its remainder
modulo m is its dimension. A line named by a dimension has a mask and a shuffle. The
value of an n-gram is its number, combined with the mask by exclusive or, and shuffled:
bit i is the bit that the two hexadecimal digits i of the shuffle name. Bit 0 is the
lowest. The least value of a dimension, times `key-multiplier` modulo 2^64, has the key
as its highest `key-bits` bits. A key takes 1, 2, 4 or 8 bytes. If all of their bits are
set, the key is one less.
"""


def parameters_parser() -> Parser:
    """Return the parser of `styles parameters`."""
    line = Parser(
        prog=f'{MODULE}styles {PARAMETERS}',
        description='Print the numbers that fix the fingerprints of these options, and '
        'the dimensions that are probed.',
        example=f'styles {PARAMETERS}',
        epilog=EPILOG,
    )
    add_fingerprint_options(line)
    return line


def format_all(args: argparse.Namespace) -> str:
    """Format the parameters, a line each: a name and its values."""
    return read_recipe(args).format_parameters(args.p)
