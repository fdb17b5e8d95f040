"""Make label files of known content, and look into them, join and change them."""

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.discover import label_tables, steps, summary
from mr_reuse.chunks.discover.thresholds import Choice
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import hash_lists, label_files, label_format, label_text
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import interruptible
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.messages import put, say, warn
from mr_reuse.pages import forecast, input_options, planning
from mr_reuse.shuffle import digest_sets

STEPS = 'HashChunks, CountDuplicates, FilterStopChunks'
ALL = Choice(0, 'all known content is labeled')


def parser() -> argparse.ArgumentParser:
    """The command line of labels."""
    found = Parser(
        description=__doc__,
        example='labels build wikipedia/ -o known.mrl\nlabels info known.mrl',
    )
    commands = found.add_subparsers(required=True, metavar='COMMAND')
    for add in (add_build, add_info, add_merge, add_subtract, add_export):
        add(commands)
    return found


@command
def main(args: list[str] | None = None) -> int | None:
    """The command: label files."""
    given = parser().parse_args(args)
    return given.work(given)


# build


def add_build(commands: Any) -> None:
    """The command line of `labels build`."""
    one = commands.add_parser(
        'build',
        help='label every chunk and file of known content',
        description='Label every chunk and every file of known content. What is done '
        'on the way is in X.mrl.run: after an interruption the same command goes on.',
        example='labels build wikipedia/ -o known.mrl',
        epilog=EXIT_CODES,
    )
    input_options.add_inputs(one)
    run_options.add_run(one, 'X.mrl', 'the label file to make')
    chunk_options.add_recipe(one)
    chunk_options.add_stops(one.add_argument_group('labels'))
    one.set_defaults(work=build, threshold=0, file_threshold=0, add=None)


def build(given: argparse.Namespace) -> int:
    """From archives to a label file, in a run directory that is gone at the end."""
    outputs.must_be_new(given.output, given.force)
    chunk_options.check(given)
    plan = plan_of(given)
    stop = steps.stop_list(plan)
    if given.dry_run:
        put(forecast.dry_run(plan, Hasher(plan.recipe, storage.scratch).pages, STEPS))
        return 0
    with interruptible(), RunDir(plan.given.output, given.force) as run:
        planning.claim(run, plan)
        chain = Chain(run, given)
        plan = planning.sent(chain, plan)
        pages = planning.read_pages(chain, plan, HashChunks)
        counts = steps.count_duplicates(chain, plan, pages)
        kept = steps.filter_stop_chunks(chain, plan, counts, ALL, stop)
        told = summary.run_json(plan, chain.steps, pages)
        told |= summary.labeled(chain.steps, kept, ALL)
        counted = label_tables.Counted(kept.parts)
        sections = [counted.keys('chunk'), counted.keys('file'), [stop]]
        with storage.write(given.output) as stream:
            found = write(given.output, stream, (plan.recipe, given.min_len), sections)
            stream.flush()
            # The label file gets its name when the run is gone: so there is never
            # a finished one with which the same command could not begin again.
            run.dissolve()
    if not given.quiet:
        put(label_text.built(given.output, told, found))
    return summary.end(told, given.quiet)


def plan_of(given: argparse.Namespace) -> planning.Plan:
    """What is to be done in the run directory; what the command writes is no input."""
    run = {'output': f'{given.output}.run'}
    plan = planning.plan(
        argparse.Namespace(**vars(given) | run), chunk_options.recipe_of(given)
    )
    result = storage.real(given.output)
    if any(s.path == result and s.kind == 'archive' for s in plan.sources):
        raise UserError(
            f'{given.output}: this is one of the inputs; name another file with -o'
        )
    return plan._replace(sources=[s for s in plan.sources if s.path != result])


def write(
    name: str,
    stream: BinaryIO,
    made_of: tuple[Recipe, int],
    sections: Iterable[Iterable[np.ndarray]],
) -> list[int]:
    """Write a label file from pieces, which wait beside it until it is begun."""
    with storage.scratch(outputs.folder_of(name)) as aside:
        return label_format.write_pieces(stream, made_of, sections, aside)


# info


def add_info(commands: Any) -> None:
    """The command line of `labels info`."""
    one = commands.add_parser(
        'info',
        help='what a label file holds, and what made it',
        description='Print what a label file holds, and what made it.',
        example='labels info known.mrl',
    )
    one.add_argument('labels', metavar='X.mrl', help=values.A_LABEL_FILE)
    one.add_argument('--json', action='store_true', help='as a JSON object')
    one.set_defaults(work=info)


def info(given: argparse.Namespace) -> None:
    """Print the header of a label file."""
    name = label_files.resolve(given.labels)
    told = label_text.header(label_files.load(name))
    told['bytes'] = storage.size(name)
    if given.json:
        text = json.dumps({'labels': name, **told}, indent=1)
    else:
        text = label_text.listed(name, told)
    put(f'{text}\n')


# merge


def add_merge(commands: Any) -> None:
    """The command line of `labels merge`."""
    one = commands.add_parser(
        'merge',
        help='all labels of several label files',
        description='Make a label file of all labels and all stop chunks of some '
        'others. A chunk that is a label in one and a stop chunk in another is both '
        'in the result.',
        example='labels merge a.mrl b.mrl -o both.mrl',
    )
    one.add_argument('labels', nargs='+', metavar='X.mrl', help=values.A_LABEL_FILE)
    _add_output(one)
    one.set_defaults(work=merge)


def _add_output(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        '-o', '--output', required=True, metavar='X.mrl', help='the label file to make'
    )
    one.add_argument('--force', action='store_true', help='replace what has that name')


def merge(given: argparse.Namespace) -> None:
    """Write the union of label files."""
    outputs.must_be_new(given.output, given.force)
    found = [label_files.load(name) for name in given.labels]
    for name, labels in zip(given.labels[1:], found[1:], strict=True):
        label_format.must_match(name, labels, found[0].recipe, given.labels[0])
    lengths = sorted({labels.min_len for labels in found})
    if len(lengths) > 1:
        all_of = ', '.join(map(str, lengths))
        warn(
            f'{given.output}: of labels made with --min-len {all_of}; the least, '
            f'{lengths[0]}, is kept'
        )
    sections = zip(*(labels[2:] for labels in found), strict=True)
    pieces = [digest_sets.union(arrays) for arrays in sections]
    save(given, (found[0].recipe, lengths[0]), pieces)


def save(
    given: argparse.Namespace,
    made_of: tuple[Recipe, int],
    sections: Iterable[Iterable[np.ndarray]],
) -> None:
    """Write a label file that did not take long, and tell what is in it."""
    with outputs.new(given.output, given.force) as stream:
        counts = write(given.output, stream, made_of, sections)
    say(label_text.counted(given.output, counts))


# subtract


def add_subtract(commands: Any) -> None:
    """The command line of `labels subtract`."""
    one = commands.add_parser(
        'subtract',
        help='labels without those of another file',
        description='Make a label file of the labels of A that are not in B, neither '
        'as a chunk, nor as a file, nor as a stop chunk. The stop chunks of A stay.',
        example='labels subtract a.mrl b.mrl -o rest.mrl',
    )
    one.add_argument('labels', metavar='A.mrl', help=values.A_LABEL_FILE)
    one.add_argument(
        'others', metavar='B', help=f'{values.A_LABEL_FILE}, or hashes, one a line'
    )
    _add_output(one)
    one.set_defaults(work=subtract)


def subtract(given: argparse.Namespace) -> None:
    """Write a label file without the digests of a list."""
    outputs.must_be_new(given.output, given.force)
    labels = label_files.load(given.labels)
    if hash_lists.is_label_file(given.others):
        found = label_files.load(given.others)
        label_format.must_match(given.others, found, labels.recipe, given.labels)
        others = found[2:]
    else:
        kinds = hash_lists.KINDS
        others = [hash_lists.load(given.others, labels.recipe, kinds, given.labels)]
    left = [digest_sets.minus(keys, others) for keys in (labels.chunks, labels.files)]
    save(given, labels[:2], [*left, [labels.stop]])


# export


def add_export(commands: Any) -> None:
    """The command line of `labels export`."""
    one = commands.add_parser(
        'export',
        help='the hashes of a label file as text',
        description='Print the hashes of a label file, a line each: chunk, file or '
        'stop, a tab, the hash.',
        example='labels export known.mrl -o known.txt',
    )
    one.add_argument('labels', metavar='X.mrl', help=values.A_LABEL_FILE)
    one.add_argument(
        '-o', '--output', metavar='FILE', help='where to. Default: standard output'
    )
    one.add_argument(
        '--kind',
        choices=label_text.KINDS,
        action='append',
        help='only hashes of this kind (may be given several times)',
    )
    form = one.add_mutually_exclusive_group()
    form.add_argument('--plain', action='store_true', help='only the hash on a line')
    form.add_argument(
        '--format', choices=('text', 'json'), default='text', help='Default: text'
    )
    one.add_argument('--force', action='store_true', help='replace what has that name')
    one.set_defaults(work=export)


def export(given: argparse.Namespace) -> None:
    """Write a label file as text."""
    labels = label_files.load(given.labels)
    kinds = given.kind or label_text.KINDS
    if given.format == 'json':
        pieces = label_text.as_json(labels, kinds)
    else:
        pieces = label_text.as_text(labels, kinds, given.plain)
    with outputs.new(given.output, given.force) as stream:
        stream.writelines(pieces)
    if given.output:
        say(f'{given.output}: {label_text.number_of(labels, kinds):,} hashes')


if __name__ == '__main__':
    sys.exit(main())
