"""The command line of `phrases polynomials`, and what it prints."""

from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.text.polynomials import read_polynomials

POLYNOMIALS = 'polynomials'


def polynomials_parser() -> Parser:
    """Return the parser of `phrases polynomials`."""
    return Parser(
        prog=f'{MODULE}phrases {POLYNOMIALS}',
        description='Print the polynomials that define the fingerprints: those of '
        'words, of phrases, and of the 84 shingles, without the leading x^64.',
        example=f'phrases {POLYNOMIALS}',
    )


def format_polynomials() -> str:
    """Format the polynomials, a line each, in hexadecimal digits without x^64.

    >>> lines = format_polynomials().split(); len(lines), lines[0]
    (86, '56f4da9902d85551')
    """
    of_words, of_phrases, of_shingles = read_polynomials()
    polynomials = of_words, of_phrases, *of_shingles
    return ''.join(f'{polynomial:016x}\n' for polynomial in polynomials)
