"""The inputs of an existing run, for a command that names a RUN and no INPUT.

A run records its inputs, and the options that selected them, when it begins. A run of
an older version has no such record. If it is finished, its inputs are taken from
`run.json`, provided that all of them are archives. It lacks the URLs of other files.
"""

import itertools
import operator
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.archives.sources import Source
from mr_reuse.cli.parser import Default
from mr_reuse.engine.record import INPUTS, is_finished, read_record
from mr_reuse.engine.rundir import SOURCES, RunDir
from mr_reuse.engine.step_record import JsonList
from mr_reuse.errors import UsageError, UserError
from mr_reuse.pages import input_status, inputs
from mr_reuse.pages.input_options import InputOptions, describe_option
from mr_reuse.pages.source_list import SourceList, sort_by
from mr_reuse.storage import naming, text_files

PAGES_OF = 'pages of\t'  # begins inputs.txt of a run without inputs of its own
# Of a source. A run of an older version lacks the rows.
RECORDED_FIELDS = ('kind', 'name', 'path', 'url', 'rows')
NOT_A_RUN = 'is not a run with inputs of its own; see --help'
NOT_RECORDED = 'has not recorded how its inputs are read; give INPUT again'


class RunInputs(NamedTuple):
    """The inputs of a run: the input options, and the sources that they select."""

    options: InputOptions
    sources: SourceList


def write_record(run: RunDir, selected: RunInputs) -> None:
    """Write the inputs of a run, before its first step begins."""
    options = selected.options
    if options.add:
        options = options._replace(add=storage.canonical_name(options.add))
    sources = JsonList(
        lambda: map(operator.attrgetter(*RECORDED_FIELDS), selected.sources)
    )
    run.write_json(SOURCES, {'options': options._asdict(), 'sources': sources})


def read_inputs(run: str, options: InputOptions) -> RunInputs:
    """Read the inputs of a run, with their sizes as they are now.

    `options` are those of a command line without INPUT. Refuse options that differ
    from those of the run, a run without inputs, and missing inputs.
    """
    recorded = _recorded(run)
    if not recorded:
        raise _missing(run, NOT_RECORDED if _has_inputs(run) else NOT_A_RUN)
    _check_options(run, options, recorded.options)
    sources = inputs.refresh_sources(recorded.sources)
    if not all(source.kind for source in sources):
        kinds = storage.map_names(
            input_status.detect_kind, [source.path for source in sources]
        )
        if set(kinds) != {'archive'}:
            raise _missing(run, NOT_RECORDED)
        sources = SourceList(source._replace(kind='archive') for source in sources)
    return RunInputs(recorded.options, sources)


def _missing(run: str, reason: str) -> UsageError:
    return UsageError(f'INPUT: missing, and {run} {reason}')


def check_names(run: RunDir, sources: SourceList) -> None:
    """Refuse the inputs of a run under other names: its tables have the old names."""
    recorded = _recorded(run.path)
    if not recorded:
        return
    pairs = itertools.zip_longest(_sort_pairs(recorded.sources), _sort_pairs(sources))
    is_same = True
    for before, now in pairs:
        if before is None or now is None or before[0] != now[0]:
            return
        is_same = is_same and before == now
    if not is_same:
        raise UserError(
            f'{run.path}: holds a run on these inputs under other names (see {INPUTS} '
            'in it); leave INPUT out'
        )


def _sort_pairs(sources: Sequence[Source]) -> Iterator[tuple[str, str]]:
    """Yield path and name of each source, by path."""
    for number in sort_by(sources, lambda source: os.fsencode(source.path)):
        yield sources[number].path, sources[number].name


def is_interrupted(run: str) -> bool:
    """Test whether a run has recorded its inputs and is not finished."""
    return bool(not is_finished(run) and _recorded(run))


def _recorded(run: str) -> RunInputs | None:
    """Load the record of a run; None if there is none, or it is damaged."""
    name = naming.join(run, SOURCES)
    try:
        values = text_files.read_json_list(name, 'sources')
        options = InputOptions(**next(values)['options'])
        sources = SourceList(
            Source(**dict(zip(RECORDED_FIELDS, map(str, source), strict=False)))
            for source in values
        )
        return RunInputs(options, sources)
    except (KeyError, TypeError, ValueError, FileNotFoundError, NotADirectoryError):
        return _of_finished(run)


def _of_finished(run: str) -> RunInputs | None:
    """Take the inputs of a run from its `run.json`; their kinds are unknown.

    A run of detect on the pages of another run has no options in it.
    """
    record = read_record(run)
    # Of very many inputs, the names are not in the record.
    if not (record and record.finished and record.options and record.inputs):
        return None
    page_options, options = record.page_options, record.options
    try:
        return RunInputs(
            InputOptions(
                options['inputs'],
                options.get('base_url', ''),
                options.get('limit'),
                page_options['filter'],
                page_options['recursion'],
                options.get('add'),
            ),
            SourceList(Source('', name, record.paths[name]) for name in record.inputs),
        )
    except (AttributeError, KeyError, TypeError):
        return None


def _has_inputs(run: str) -> bool:
    """Test whether a run has inputs of its own, rather than the pages of another."""
    name = naming.join(run, INPUTS)
    return storage.exists(name) and not storage.starts_with(name, PAGES_OF.encode())


def _check_options(run: str, options: InputOptions, before: InputOptions) -> None:
    """Refuse options on the command line that differ from those of the run."""
    for name, value in options._asdict().items():
        recorded = getattr(before, name)
        is_set = value not in (None, '', []) and not isinstance(value, Default)
        if name == 'add' and _is_same_run(value, recorded):
            continue
        if is_set and value != recorded:
            raise UsageError(
                f'{describe_option(name, value)}: {run} was made with '
                f'{describe_option(name, recorded)}; leave it out, or name another '
                'folder and INPUT'
            )


def _is_same_run(name: str | None, recorded: str | None) -> bool:
    if name is None or recorded is None:
        return False
    return storage.canonical_name(name) == storage.canonical_name(recorded)
