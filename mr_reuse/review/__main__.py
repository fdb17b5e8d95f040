"""Judge a random sample of the results of a run on a local web page.

`review RUN` shows the page; `review summarize RUN` prints tables of the judgements.
"""

import sys

from mr_reuse.cli import values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser, read_options
from mr_reuse.engine.record import load_complete
from mr_reuse.messages import say, write_stdout
from mr_reuse.pages import archives_options, moved_archives
from mr_reuse.review import JUDGEMENTS, showcase, summary, tasks
from mr_reuse.review.book import Book
from mr_reuse.review.kinds import KINDS
from mr_reuse.review.review_options import (
    SUMMARIZE,
    ReviewOptions,
    add_categories,
    summary_parser,
)
from mr_reuse.review.server import Server, routes
from mr_reuse.review.sides import showcases
from mr_reuse.storage import naming

EXAMPLES = """\
review RUN
review RUN --what chunks --stratified --judge ann
review RUN --what files --top 50
review RUN --what quilts
review RUN --what near_duplicates
"""


def parser() -> Parser:
    """Build the command line of `review`."""
    line = Parser(
        description='Judge a random sample, or the first rows, of the results of a '
        f'run on a local web page. Each judgement is added to RUN/{JUDGEMENTS.file} at '
        'once, so the same command resumes at the same item. `review summarize RUN` '
        'prints tables of the judgements; `review summarize --help` lists its '
        'options.',
        example=EXAMPLES,
    )
    line.add_argument('run', metavar='RUN', help='a run directory')
    line.add_argument(
        '--what',
        choices=list(KINDS),
        help='kind of items. Default: neighborhoods if detect has run, else chunks; in '
        'a run without chunks quilts, or near_duplicates',
    )
    line.add_argument(
        '--sample',
        type=values.parse_positive,
        default=100,
        metavar='N',
        help='number of items in the sample. Default: %(default)s. A larger sample '
        'begins with the smaller one',
    )
    line.add_argument(
        '--seed',
        type=values.parse_natural,
        default=1,
        metavar='N',
        help='seed of the sample; another seed draws another sample. '
        'Default: %(default)s',
    )
    line.add_argument(
        '--stratified',
        action='store_true',
        help='draw the same number of items from each order of magnitude: powers of '
        'ten for copies, sources and pages, halves for badness, and bands of 12 for '
        'popular shingles',
    )
    line.add_argument(
        '--top',
        type=values.parse_positive,
        metavar='N',
        help='judge the first N items of the table in place of a sample: the chunks '
        'with the most copies, the worst neighborhoods, the quilted pages with the '
        'most sources, or the hosts with the most pages',
    )
    line.add_argument(
        '--judge',
        metavar='NAME',
        help='name of the judge. Default: the name of the user',
    )
    add_categories(line)
    archives_options.add_archives(line)
    line.add_argument(
        '--port',
        type=values.parse_natural,
        default=0,
        metavar='N',
        help='port of the page on 127.0.0.1. Default: any free port',
    )
    line.others[SUMMARIZE] = summary_parser()
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the command: serve the page, or summarize the judgements."""
    args = sys.argv[1:] if args is None else args
    if args[:1] == [SUMMARIZE]:
        parsed = summary_parser().parse_args(args[1:])
        write_stdout(
            summary.summarize(parsed.run, parsed.what, parsed.judge, parsed.categories)
        )
        return
    options = read_options(ReviewOptions, parser().parse_args(args))
    tasks.check(options)
    record = moved_archives.find_moved(load_complete(options.run), options.archives)
    moved_archives.warn_of_problems(record)
    task = tasks.draw_task(options)
    book = Book(task)
    for note in tasks.describe_reading(record):
        say(note)
    items = showcases.open_showcase(task, record)
    about = showcase.describe_task(task)
    server = Server(routes(about, book, items), options.port)
    lines = [*tasks.describe(task, book), server.url]
    write_stdout('\n'.join(lines) + '\n')
    server.run()
    judged, name = book.state()['judged'], naming.join(options.run, JUDGEMENTS.file)
    # The server ends only when a person interrupts it, which is no failure.
    raise KeyboardInterrupt(
        f'stopped; judged: {judged:,} of {len(task.sample.rows):,}, in {name}'
    )


if __name__ == '__main__':
    sys.exit(main())
