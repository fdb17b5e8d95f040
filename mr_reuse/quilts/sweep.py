"""Numbers of quilts for other values of one parameter: `quilts sweep`.

The other parameters are those of the run. The pages are read again for another k alone.
Another m needs the patch grams and covers again, other values of c and alpha only a
count of the covers.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import RunRecord, read_record
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.pages import planning
from mr_reuse.pages.documents import choosing
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.quilts import finding, quilt_steps, steps
from mr_reuse.quilts.jobs.read_grams import ReadGrams
from mr_reuse.quilts.quilt_options import QuiltRule
from mr_reuse.quilts.quilt_tables import QUILT_SWEEP
from mr_reuse.quilts.run import NAME, Search, plan_search
from mr_reuse.quilts.steps import CoverSearch, Shared
from mr_reuse.quilts.sweep_options import (
    SweepOptions,
    Values,
    check_values,
    options_of_run,
)
from mr_reuse.tables import table_files
from mr_reuse.tables.decimals import format_decimal


class Counted(NamedTuple):
    """The numbers for a value of a parameter."""

    documents: int  # with grams
    quilted: int
    sources: int  # of all quilted pages together


def format_row(parameter: str, value: Any, counted: Counted) -> bytes:
    """Format a row of the table.

    >>> format_row('alpha', Fraction(1, 2), Counted(8, 2, 9))
    b'alpha\\t0.5\\t8\\t2\\t25.000000000\\t4.500000000'
    """
    documents, quilted, sources = counted
    percent = Fraction(100 * quilted, documents or 1)
    mean = Fraction(sources, quilted or 1)
    numbers = map(format_decimal, (percent, mean))
    cells = [parameter, format_value(value), documents, quilted, *numbers]
    return '\t'.join(map(str, cells)).encode()


def format_value(value: int | Fraction) -> str:
    """Format a value of a parameter as people type it.

    >>> format_value(50), format_value(Fraction(3, 10)), format_value(Fraction(1))
    ('50', '0.3', '1')
    """
    if isinstance(value, int):
        return str(value)
    return f'{float(value):.9f}'.rstrip('0').rstrip('.')


class Sweep:
    """Runs the jobs of a sweep about the options of a run."""

    def __init__(self, chain: Chain, search: Search, values: Values):
        self._chain, self._search, self._values = chain, search, values
        self._rule = search.options.rule

    def write_table(self) -> None:
        """Count the quilts for all values, and write the table."""
        rows = list(self._rows())
        name = self._chain.run.join(QUILT_SWEEP.file)
        table_files.write_table(name, QUILT_SWEEP.header, rows)

    def _rows(self) -> Iterator[bytes]:
        documents, shared = self._read_pivot()
        rule, values = self._rule, self._values
        k = self._search.options.recipe.k
        for value in values.k:
            found = documents, shared
            if value != k:
                found = self._read_again(value, documents)
            yield format_row('k', value, self._count(*found, rule)[rule.alpha, rule.c])
        for value in values.m:
            counts = self._count(documents, shared, rule._replace(m=value))
            yield format_row('m', value, counts[rule.alpha, rule.c])
        least = min([*values.alpha, rule.alpha])
        counts = self._count(documents, shared, rule._replace(alpha=least))
        for value in values.c:
            yield format_row('c', value, counts[rule.alpha, value])
        for value in values.alpha:
            yield format_row('alpha', value, counts[value, rule.c])

    def _read_pivot(self) -> tuple[Documents, Shared]:
        """Return the documents of the run, and their shared grams."""
        plan = self._search.plan
        pages = planning.read_pages(self._chain, plan, quilt_steps.GRAMS, ReadGrams)
        return self._share(pages.done)

    def _share(self, done: Done) -> tuple[Documents, Shared]:
        documents = choosing.choose_documents(
            self._chain, done, quilt_steps.CHOOSE, self._search.options.captures
        )
        return documents, steps.find_shared(self._chain, documents, self._rule.m)

    def _read_again(self, k: int, documents: Documents) -> tuple[Documents, Shared]:
        """Read the pages with another k. The documents are the same."""
        recipe = self._search.plan.recipe._replace(k=k)
        plan = self._search.plan._replace(recipe=recipe)
        others = quilt_steps.OTHER_GRAMS, quilt_steps.OTHER_LISTS
        self._reset(*others, quilt_steps.OTHER_CLASSES)
        pages = planning.read_pages(self._chain, plan, others[0], ReadGrams)
        documents = documents._replace(done=pages.done)
        of_lists = others[1], quilt_steps.OTHER_CLASSES
        shared = steps.find_shared(self._chain, documents, self._rule.m, of_lists)
        return documents, shared

    def _count(
        self, documents: Documents, shared: Shared, rule: QuiltRule
    ) -> dict[tuple[Fraction, int], Counted]:
        """Count the quilts of a rule, for its alpha and greater ones, and all c."""
        alphas = {a for a in (*self._values.alpha, self._rule.alpha) if a >= rule.alpha}
        sources = {*self._values.c, rule.c}
        counted = {
            'count-alpha': sorted(map(str, alphas)),
            'count-c': sorted(sources),
        }
        self._reset(quilt_steps.SWEEP_SHARES, quilt_steps.SWEEP_COVERS)
        patches = steps.sum_patches(
            self._chain, documents, shared, rule, quilt_steps.SWEEP_SHARES
        )
        # No cover is written, as none has so many sources.
        unwritten = rule._replace(c=documents.numbering.total + 1)
        search = CoverSearch(documents, shared, patches, unwritten, counted)
        covers = steps.find_covers(self._chain, search, quilt_steps.SWEEP_COVERS)
        quilted = covers.sum_stats('quilted')
        with_grams = patches.sum_stats('shares')['with_grams']
        keys = {(a, c): finding.count_key(a, c) for a in alphas for c in sources}
        return {
            pair: Counted(with_grams, quilted[key], quilted[f'{key} sources'])
            for pair, key in keys.items()
        }

    def _reset(self, *declared: Any) -> None:
        """Remove steps that would be reported as changed."""
        for step in declared:
            self._chain.run.reset_step(step.folder)


def sweep(options: SweepOptions) -> str:
    """Sweep about the options of a run; return the name of the table."""
    output = options.run.output
    recorded = check_record(read_record(output), output)
    search = plan_search(options_of_run(options.run, recorded))
    check_values(options.values, search.options.rule)
    with raise_interrupts(), RunDir(output) as run:
        chain = Chain(run, options.run)
        plan = planning.upload_inputs(chain, search.plan)
        Sweep(chain, search._replace(plan=plan), options.values).write_table()
        return run.join(QUILT_SWEEP.file)


def check_record(record: RunRecord | None, run: str) -> dict[str, Any]:
    """Return the options of the quilts of a run; refuse a run without quilts."""
    results = record.systems.get(NAME) if record and record.finished else None
    if not results:
        raise UserError(f'{run}: has no quilts; run quilts on it first')
    return results['options']
