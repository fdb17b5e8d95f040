"""Find near-duplicates and popular phrases: the steps of `phrase_steps`."""

import sys

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import input_options
from mr_reuse.pages.documents.searching import run_search
from mr_reuse.phrases import phrase_options, summary
from mr_reuse.phrases.phrase_tables import (
    COVER_SOURCES,
    COVERS,
    NEAR_DUPLICATES,
    PHRASE_FREQUENCY,
    PHRASE_HOSTS,
    PHRASE_PAGES,
    PHRASES,
)
from mr_reuse.phrases.polynomials_options import (
    POLYNOMIALS,
    format_polynomials,
    polynomials_parser,
)
from mr_reuse.phrases.run import find_phrases, plan_search

EPILOG = f"""\
results in RUN:
  {NEAR_DUPLICATES.file:<22} near-duplicates, and the document kept of each class
  {PHRASES.file:<22} popular phrases
  {PHRASE_PAGES.file:<22} documents kept, with their popular shingles
  {PHRASE_HOSTS.file:<22} hosts of pages with many popular shingles
  {PHRASE_FREQUENCY.file:<22} popular shingles by number of documents
  {COVERS.file:<22} covering sets of a sample of pages
  {COVER_SOURCES.file:<22} the documents of each

{EXIT_CODES}
"""


def parser() -> Parser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find near-duplicate pages, and the phrases that many pages share. '
        'A phrase is five words in a row. Of the phrases of a page, 84 are its sample, '
        'chosen by 84 functions: its shingles. Near-duplicates agree in two of six '
        'runs of 14 shingles. Without INPUT, phrases reads the inputs of RUN.',
        example='phrases crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    input_options.add_input_options(line, nargs='*')
    run_options.add_run(line)
    phrase_options.add_phrase_options(line)
    line.others[POLYNOMIALS] = polynomials_parser()
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: archives in, near-duplicates and phrases out."""
    args = sys.argv[1:] if args is None else args
    if args[:1] == [POLYNOMIALS]:
        polynomials_parser().parse_args(args[1:])
        write_stdout(format_polynomials())
        return DONE
    options = phrase_options.read_phrase_options(parser().parse_args(args))
    search = plan_search(options)
    return run_search(search, summary.format_dry_run, find_phrases)


if __name__ == '__main__':
    sys.exit(main())
