"""The steps from archives to labels, as `discover` and `labels build` run them."""

import argparse
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import (
    account,
    counting,
    filters,
    inputs,
    labelfile,
    labeling,
    options,
    stoplists,
    storage,
    tables,
    thresholds,
)
from mr_reuse.archives import Source
from mr_reuse.chain import Chain, Done, Step
from mr_reuse.cli import warn
from mr_reuse.errors import UserError
from mr_reuse.hashing import Chunker
from mr_reuse.jobs.count_duplicates import CountDuplicates
from mr_reuse.jobs.filter_stop_chunks import FilterStopChunks
from mr_reuse.jobs.hash_chunks import HashChunks
from mr_reuse.jobs.place_labels import PlaceLabels
from mr_reuse.jobs.read_previews import ReadPreviews
from mr_reuse.rundir import RUN_JSON, RunDir, digest_of, finished
from mr_reuse.showing import Showing
from mr_reuse.thresholds import Choice

TASK_BYTES = 256 << 20  # of archives, for one task
SMALL_ARCHIVES = 8 << 20  # the work of so many bytes is done before a process starts
FEW_ROWS = 100_000  # bytes of rows whose records are read before a process starts
INPUTS = 'inputs.txt'


class Plan(NamedTuple):
    """What a command line means."""

    given: argparse.Namespace
    chunker: Chunker
    sources: list[Source]
    stop: np.ndarray
    old: dict[str, Any]  # the run.json of the run that is added to, or {}

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(s.size for s in self.sources)

    @property
    def paths(self) -> dict[str, str]:
        """Where each archive is that was read, by an older run or now."""
        return self.old.get('paths', {}) | {s.name: s.path for s in self.sources}

    @property
    def tasks(self) -> int:
        """Map tasks: as many as there are cores, or more if there is much to read."""
        known = max(os.cpu_count() or 1, -(-self.size // TASK_BYTES))
        return min(self.given.tasks or known, max(1, len(self.sources)))


class Pages(NamedTuple):
    """The pages of a corpus: this run's, and the folders of those that it adds to."""

    done: Done
    folders: list[str]
    accounts: list[dict[str, Any]]
    rows: int  # chunks in all, to size what counts them


def plan(given: argparse.Namespace) -> Plan:
    """Look at everything that can be looked at before work begins."""
    options.check(given)
    chunker = options.chunker(given)
    filters.Filter(given.filter, given.recursion)
    sources, again = inputs.find(given.inputs, given.base_url, given.output)
    if again:
        warn(f'{_some(again)}: named twice, read once')
    if given.limit:
        sources = sources[: given.limit]
    stop = stoplists.load(given.stop, chunker) if given.stop else _none(chunker)
    old = _old_run(given, chunker) if given.add else {}
    return Plan(given, chunker, _new(sources, old), stop, old)


def _some(names: list[str]) -> str:
    return names[0] + (f' and {len(names) - 1:,} more' if names[1:] else '')


def _none(chunker: Chunker) -> np.ndarray:
    return np.zeros((0, chunker.width), np.uint8)


def _old_run(given: argparse.Namespace, chunker: Chunker) -> dict[str, Any]:
    """The run to add to; it has to be finished, and made as this one."""
    if storage.real(given.add) == storage.real(given.output):
        raise UserError(f'{given.add}: a run cannot be added to itself')
    old = finished(given.add)
    ours = made_of(given, chunker)
    for name, theirs in old['made_of'].items():
        if theirs != ours[name]:
            raise UserError(
                f'{given.add}: made with --{name} {theirs}, not {ours[name]}; '
                'counts of the two cannot be added'
            )
    return old


def _new(sources: list[Source], old: Mapping[str, Any]) -> list[Source]:
    """The sources that the old run has not read."""
    paths = old.get('paths', {})
    found = []
    for source in sources:
        if source.path in paths.values():
            warn(f'{source.name}: {old["run"]} has read it, left out')
        elif source.name in paths:
            raise UserError(
                f'{source.name}: another input of {old["run"]} has this name; '
                'give a path that tells them apart'
            )
        else:
            found.append(source)
    return found


def made_of(given: argparse.Namespace, chunker: Chunker) -> dict[str, Any]:
    """What decides the counts, besides the inputs."""
    only = {'filter': given.filter, 'recursion': given.recursion}
    return chunker._asdict() | only


def claim(run: RunDir, plan: Plan) -> None:
    """Make a run directory this run's, unless it is of other inputs."""
    text = ''.join(f'{s.size}\t{s.name}\n' for s in plan.sources)
    if plan.old:
        text += f'added to\t{inputs.in_line(storage.real(plan.given.add))}\n'
    known = storage.exists(run.join(INPUTS))
    same = known and _names(storage.read_text(run.join(INPUTS))) == _names(text)
    if known and not same and not plan.given.force:
        raise UserError(
            f'{run.path}: holds a run on other inputs (see {INPUTS} there); '
            'name another folder, or give --force to replace it'
        )
    if not same:
        run.forget()
    with storage.write(run.join(INPUTS), 'w') as stream:
        stream.write(text)
    storage.remove(run.join(RUN_JSON))


def _names(text: str) -> list[str]:
    return [line.partition('\t')[2] for line in text.split('\n')]


def hash_chunks(chain: Chain, run: RunDir, plan: Plan, showing: Showing) -> Pages:
    """Hash the pages of all archives."""
    sources = plan.sources
    showing.total = plan.size
    stamps = [(*s, storage.stamp(s.path)) for s in sources]

    def task_files() -> list[str]:
        return [
            stoplists.write_gzip(
                run.temporary(f'task-{number:05d}.gz'),
                (json.dumps(source).encode() for source in share),
            )
            for number, share in enumerate(inputs.shares(sources, plan.tasks))
        ]

    args = made_of(plan.given, plan.chunker)
    step = Step(
        '01-pages', HashChunks, args, task_files, stamps, SMALL_ARCHIVES, plan.size
    )
    done = chain.step(step)
    accounts = [a for told in done.told for a in told.get('accounts', [])]
    accounts.sort(key=lambda a: a['archive'])
    rows = account.total(accounts, 'counts').get('chunks', 0) + plan.old.get('rows', 0)
    return Pages(done, [*plan.old.get('pages', []), done.output], accounts, rows)


def count_duplicates(chain: Chain, plan: Plan, pages: Pages) -> Done:
    """Count digests over the whole corpus, an older run's counts included."""
    folders = [pages.done.output]
    if plan.old:
        folders.append(plan.old['counts'])
    args = {
        'hash': plan.chunker.hash,
        'bits': counting.bits_for(pages.rows),
        'combine': int(not plan.given.no_combine),
    }
    made = [pages.done.digest, plan.old.get('counts')]
    return chain.step(Step('02-counts', CountDuplicates, args, _parts(folders), made))


def _parts(folders: list[str]):
    return lambda: [f for folder in folders for f in storage.part_files(folder)]


def threshold(plan: Plan, files: Mapping[int, int]) -> Choice:
    """The given threshold, or one that the corpus suggests."""
    given = plan.given.threshold
    return thresholds.choose(files) if given is None else Choice(given, 'as given')


def filter_stop_chunks(
    chain: Chain, run: RunDir, plan: Plan, counts: Done, choice: Choice
) -> Done:
    """Keep the counts of what is widely copied and no stop chunk."""
    given = plan.given
    stop = run.temporary('stop.mrl') if len(plan.stop) else None
    if stop:
        none = _none(plan.chunker)
        with storage.write(stop) as stream:
            labelfile.write(
                stream, labelfile.Labels(plan.chunker, 0, none, none, plan.stop)
            )
    of_files = given.file_threshold
    args = {
        'hash': plan.chunker.hash,
        'threshold': choice.threshold,
        'file-threshold': choice.threshold if of_files is None else of_files,
        'min-len': given.min_len,
        'stop': stop,
        'bloom': given.stop_bloom,
        'recheck': int(not given.stop_unchecked),
    }
    made = [counts.digest, digest_of(plan.stop.tobytes().hex())]
    step = Step('03-labels', FilterStopChunks, args, _parts([counts.output]), made)
    return chain.step(step)


def label(chain: Chain, run: RunDir, plan: Plan, pages: Pages, kept: Done) -> None:
    """Write the label file, then find where its labels are, and the tables."""
    counted = labeling.Counted(kept.parts)
    name = run.join('labels.mrl')
    counted.write(name, plan.chunker, plan.given.min_len, plan.stop)
    args = {'hash': plan.chunker.hash, 'labels': name}
    made = [pages.done.digest, pages.folders[:-1], kept.digest]
    places = Step('03-places', PlaceLabels, args, _parts(pages.folders), made)
    placed = chain.step(places)
    rows = labeling.LabelTables(storage.labels(name), counted, placed.parts)
    paths = {name: storage.quoted(path) for name, path in plan.paths.items()}

    def to_read() -> list[str]:
        gone = [path for path in plan.paths.values() if not storage.exists(path)]
        if gone:
            warn(f'{_some(gone)}: gone, so chunks found there have no preview')
        names = [run.temporary(f'to-read-{n}') for n in range(os.cpu_count() or 1)]
        return labeling.write_shares(names, rows.to_read(paths))

    args = plan.chunker._asdict()
    previews = Step('03-previews', ReadPreviews, args, to_read, placed.digest, FEW_ROWS)
    read = chain.step(previews)
    tables.write(
        run.join('labels.tsv'), labeling.LABELS, labeling.chunk_rows(read.parts)
    )
    tables.write(run.join('file_labels.tsv'), labeling.FILE_LABELS, rows.file_rows())
