"""The command line of `styles spread`."""

from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.engine import run_options
from mr_reuse.styles.style_tables import SPREAD

SPREAD_COMMAND = 'spread'


def spread_parser() -> Parser:
    """Return the parser of `styles spread`."""
    line = Parser(
        prog=f'{MODULE}styles {SPREAD_COMMAND}',
        description='List the pages, hosts and domains that have the style of known '
        f'pages and are not known themselves, in {SPREAD.file}.',
        example=f'styles {SPREAD_COMMAND} RUN judged.txt\n'
        f'styles {SPREAD_COMMAND} RUN OTHER_RUN',
    )
    line.add_argument('output', metavar='RUN', help='a run of styles')
    line.add_argument(
        'known',
        metavar='KNOWN',
        help='a file with a URL, a host or a rid on each line; or another run, whose '
        'pages that have a style are known',
    )
    run_options.add_runner(line)
    line.add_argument('-q', '--quiet', action='store_true', help='print no progress')
    return line
