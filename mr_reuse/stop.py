"""Make and evaluate lists of stop chunks: widely copied but uninformative chunks."""

import argparse
import sys

from mr_reuse.chunks.labels import stop_evaluation, stop_lists, stop_options
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.messages import format_count, say, write_stdout


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description=__doc__,
        example='stop auto RUN -o short.txt\nstop eval short.txt by-hand.txt',
    )
    commands = line.add_subparsers(required=True, metavar='COMMAND', dest='command')
    stop_options.add_eval(commands)
    stop_options.add_auto(commands)
    stop_options.add_share(commands)
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the subcommand of a command line."""
    options = parser().parse_args(args)
    match options.command:
        case 'eval':
            write_stdout(stop_evaluation.compare_lists(options.auto, options.manual))
        case 'auto':
            counts = stop_lists.find_counts(options.run, options.threshold)
            with outputs.open_new(options.output, options.force) as stream:
                count = stop_lists.write_list(stream, counts, options.shorter)
            if options.output:
                say(f'{options.output}: {format_count(count, "hash", "hashes")}')
        case 'share':
            counts = stop_lists.find_counts(options.run, options.threshold)
            write_stdout(
                stop_evaluation.measure_coverage(options.list, counts, options.run)
            )


if __name__ == '__main__':
    sys.exit(main())
