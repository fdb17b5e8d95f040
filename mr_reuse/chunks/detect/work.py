"""Plan the work of `detect` from its options: pages to match, labels to find."""

from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.chunks import choosing, chunk_steps
from mr_reuse.chunks.chunk_tables import LABELS
from mr_reuse.chunks.detect import steps
from mr_reuse.chunks.detect.detect_options import NONE, DetectOptions, FactOptions
from mr_reuse.chunks.detect.steps import KnownLabels
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.families import Families
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.pairs import steps as pair_steps
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import (
    RUN_JSON,
    DetectRecord,
    RunRecord,
    load_complete,
    read_record,
)
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import warn
from mr_reuse.pages import planning, run_inputs
from mr_reuse.pages.captures import ALL, FIRST
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.storage import naming


class Work(NamedTuple):
    """The labels to look for, and the pages: to be hashed, or of a finished run."""

    options: DetectOptions
    known: KnownLabels
    plan: planning.Plan | None  # of the archives to hash
    record: RunRecord | None  # of the run that has the pages, None if `plan` is set
    label_threshold: int | None  # of `discover`, if it found the labels in the run
    label_table: str  # of `discover` in the run with the pages; '' if it has none
    has_pairs: bool  # True if `discover` has written those that are wanted
    captures: str  # to keep of each URL, if `plan` is set
    facts: Facts

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of the command."""
        places = chunk_steps.LIST_PLACES if self.options.matching.places else ()
        if self.plan:
            all_steps = chunk_steps.HASH_AND_DETECT
            return *choosing.select_steps(all_steps, self.captures), *places
        counts = () if self.label_table else chunk_steps.COUNT_FOUND
        pairs = () if self.has_pairs else (chunk_steps.ALL_PAIRS,)
        return *chunk_steps.DETECT, *counts, *pairs, *places


def plan_work(options: DetectOptions) -> Work:
    """Choose pages and labels, and check that their recipes are equal."""
    has_none = is_resumed(options) or lacks_pages(options)
    run = '' if has_none else find_pages(options.inputs, options.run.output)
    record = load_complete(run) if run else None
    detected = record.detect if record else DetectRecord()
    output = run or options.run.output
    labels_of_run = naming.join(output, label_files.FILE_NAME)
    name = options.matching.labels
    known = steps.load_known(name or find_default_labels(detected, labels_of_run))
    if not name:
        check_same_labels(known, detected, run)
    if record:
        steps.check_recipe(known, Recipe.from_options(record.page_options))
    if not known.labels.label_count:
        warn(f'{known.name}: has no labels')
    plan = None
    if not record:
        plan = planning.make_plan(options.run, options.inputs, known.labels.recipe)
    before = record or read_record(output)
    rule = options.rule.settle(before.preset if before else None)
    discovered = before.discover if before and is_own(known.name, output) else None
    threshold = discovered.threshold if discovered else None
    captures = choose_captures(options, run, before)
    options = options._replace(rule=rule)
    own, output = read_record(options.run.output), options.run.output
    facts = choose_facts(options.facts, own.detect if own else detected)
    has_pairs = pair_steps.is_written(own, output, options.matching.pairs)
    table = table_of(known, run)
    return Work(
        options, known, plan, record, threshold, table, has_pairs, captures, facts
    )


def choose_captures(options: DetectOptions, run: str, before: RunRecord | None) -> str:
    """Return the captures to search: as given, or those of a run on these pages.

    `run` has hashed the pages, and `before` is the record of RUN.
    """
    has_pages = before and before.pages
    of_run = (before.kept_captures or ALL) if has_pages else FIRST
    if run and options.captures not in (None, of_run):
        raise UsageError(
            f'--captures {options.captures}: {run} has --captures {of_run}; give '
            'INPUT, or run discover with this option'
        )
    return options.captures or (FIRST if options.run.force else of_run)


def choose_facts(options: FactOptions, detected: DetectRecord) -> Facts:
    """Return the facts of the command line, or else those of the last `detect`."""
    facts = Facts.of(detected)
    sources, families = facts.sources, facts.families
    if options.source is not None:
        sources = [host for host in dict.fromkeys(options.source) if host != NONE]
    if options.families is not None:
        is_none = options.families == NONE
        families = Families() if is_none else Families.load(options.families)
    return Facts(sources, families)


def table_of(known: KnownLabels, run: str) -> str:
    """Return the table of labels of a run, '' if it is not of these labels."""
    table = naming.join(run, LABELS.file)
    is_same = run and is_own(known.name, run) and storage.exists(table)
    return table if is_same else ''


def is_resumed(options: DetectOptions) -> bool:
    """Test whether to continue an interrupted run: no inputs, but labels are named."""
    is_named = options.matching.labels and not options.inputs.inputs
    return bool(is_named) and run_inputs.is_interrupted(options.run.output)


def lacks_pages(options: DetectOptions) -> bool:
    """Test whether to read the inputs of a run that another system has made."""
    if not options.matching.labels or options.inputs.inputs:
        return False
    record = read_record(options.run.output)
    return bool(record and record.finished and record.systems and not record.pages)


def find_pages(options: InputOptions, output: str) -> str:
    """Return the run that has hashed the pages, '' if the inputs have to be hashed."""
    inputs = options.inputs
    if len(inputs) == 1 and storage.exists(naming.join(inputs[0], RUN_JSON)):
        run = inputs[0]
    elif inputs:
        return ''
    else:
        run = output
    for name in ('filter', 'limit', 'base_url'):
        if getattr(options, name):
            option = name.replace('_', '-')
            raise UsageError(
                f'--{option}: goes with INPUT; the pages of {run} are hashed already'
            )
    return run


def find_default_labels(detected: DetectRecord, labels_of_run: str) -> str:
    """Return the label file without `-l`: of the last `detect`, or of `discover`."""
    name = detected.labels or labels_of_run
    if not storage.exists(name):
        raise UsageError(
            f'{name}: no such file; name a label file or a run of discover with -l'
        )
    return name


def check_same_labels(known: KnownLabels, detected: DetectRecord, run: str) -> None:
    """Refuse labels that have changed since the last `detect`.

    Labels that the run itself has written may change.
    """
    is_same = detected.labels_digest in (None, known.digest)
    if not (is_same or is_own(known.name, run)):
        raise UserError(
            f'{known.name}: not the labels of the last detect on {run}; name '
            'the labels with -l'
        )


def is_own(name: str, run: str) -> bool:
    """Test whether a label file is the one that a run has written."""
    return storage.canonical_name(name) == storage.canonical_name(
        naming.join(run, label_files.FILE_NAME)
    )
