"""Find pages made by the same template: the steps of `style_steps`."""

import sys

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import input_options
from mr_reuse.pages.documents.searching import run_search
from mr_reuse.styles import style_file, style_options, summary
from mr_reuse.styles.match import match_options
from mr_reuse.styles.match.run import find_known, plan_match
from mr_reuse.styles.near.options import NEAR_COMMAND, near_parser
from mr_reuse.styles.near.run import format_gaps, sort_by_similarity
from mr_reuse.styles.parameters_options import (
    PARAMETERS,
    format_all,
    parameters_parser,
)
from mr_reuse.styles.run import find_styles, plan_search
from mr_reuse.styles.spread.options import SPREAD_COMMAND, spread_parser
from mr_reuse.styles.spread.run import write_spread
from mr_reuse.styles.style_tables import (
    STYLE_CURVES,
    STYLE_FEATURES,
    STYLE_MEMBERS,
    STYLES,
)

EPILOG = f"""\
results in RUN:
  {STYLES.file:<18} styles, ranked by their similarity and the number of domains
  {STYLE_MEMBERS.file:<18} the pages of each style
  {STYLE_FEATURES.file:<18} features that the pages of a style share, and others lack
  {STYLE_CURVES.file:<18} how similar all documents are to some prototypes
  {style_file.FILE_NAME:<18} the fingerprints of these pages, for styles match

{EXIT_CODES}
"""


def parser() -> Parser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find styles: clusters of pages that the same template or program '
        'made, whatever their text says. Pages are compared by their noise: their '
        'bytes without letters and digits. Without INPUT, styles reads the inputs '
        'of RUN.',
        example='styles crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    input_options.add_input_options(line, nargs='*')
    run_options.add_run(line)
    style_options.add_style_options(line)
    line.others[NEAR_COMMAND] = near_parser()
    line.others[SPREAD_COMMAND] = spread_parser()
    line.others[match_options.MATCH_COMMAND] = match_options.match_parser()
    line.others[PARAMETERS] = parameters_parser()
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: archives in, styles out."""
    args = sys.argv[1:] if args is None else args
    if args[:1] == [PARAMETERS]:
        write_stdout(format_all(parameters_parser().parse_args(args[1:])))
        return DONE
    if args[:1] == [NEAR_COMMAND]:
        parsed = near_parser().parse_args(args[1:])
        compared = sort_by_similarity(run_options.read_run_options(parsed), parsed.page)
        if not parsed.quiet:
            write_stdout(format_gaps(compared))
        return DONE
    if args[:1] == [SPREAD_COMMAND]:
        parsed = spread_parser().parse_args(args[1:])
        text = write_spread(run_options.read_run_options(parsed), parsed.known)
        if not parsed.quiet:
            write_stdout(text)
        return DONE
    if args[:1] == [match_options.MATCH_COMMAND]:
        parsed = match_options.match_parser().parse_args(args[1:])
        search = plan_match(match_options.read_match_options(parsed))
        return run_search(search, summary.format_dry_run, find_known)
    options = style_options.read_style_options(parser().parse_args(args))
    search = plan_search(options)
    return run_search(search, summary.format_dry_run, find_styles)


if __name__ == '__main__':
    sys.exit(main())
