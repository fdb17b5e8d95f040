"""All documents of a run by their similarity to one page: `styles near`."""

import hashlib
import os
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import rids
from mr_reuse.engine import sorted_tables, step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import RunRecord, read_record
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes
from mr_reuse.pages import page_record, planning, run_items
from mr_reuse.pages.documents import choosing, document, document_parts, numbering
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.storage import mapped
from mr_reuse.styles import common, fingerprints, gaps, steps, style_steps
from mr_reuse.styles.fingerprints import FingerprintFile, Fingerprints
from mr_reuse.styles.jobs.compare_with_one import CompareWithOne
from mr_reuse.styles.jobs.read_fingerprints import ReadFingerprints
from mr_reuse.styles.jobs.sort_style_tables import SortStyleTables
from mr_reuse.styles.near.options import options_of_run
from mr_reuse.styles.run import NAME, Search, plan_search
from mr_reuse.styles.steps import DOCUMENTS_PER_PART, Prints
from mr_reuse.styles.style_options import Recipe
from mr_reuse.styles.style_tables import NEAR, STYLE_MEMBERS
from mr_reuse.styles.table_rows import new_makers
from mr_reuse.text.noise.fingerprints import find_fingerprint
from mr_reuse.text.noise.keys import shorten_values


class Compared(NamedTuple):
    """The result: the name of the table, and the documents by similarity."""

    table: str
    counts: dict[str, int]


def sort_by_similarity(options: RunOptions, page: str) -> Compared:
    """Write the table of all documents of a run by their similarity to a page."""
    output = options.output
    recorded = check_record(read_record(output), output)
    search = plan_search(options_of_run(options, recorded))
    with raise_interrupts(), RunDir(output) as run:
        chain = Chain(run, options)
        plan = planning.upload_inputs(chain, search.plan)
        prints = read_prints(chain, search._replace(plan=plan))
        one = find_one(
            page,
            prints,
            search.options.recipe,
            page_record.collect_archives(plan).paths,
        )
        done = _compare(chain, prints, one, search.options.rule.normalize_empty)
        how = Sorting(
            style_steps.NEAR_TABLE.folder,
            SortStyleTables,
            lambda: new_makers(None),
            [done.output],
            {},
            [done.digest],
            {},
        )
        sorted_tables.write_tables(chain, how)
        counts = done.sum_stats('near')
        return Compared(run.join(NEAR.file), dict(counts))


def check_record(record: RunRecord | None, run: str) -> dict[str, object]:
    """Return the options of the styles of a run; refuse a run without styles."""
    results = record.systems.get(NAME) if record and record.finished else None
    if not results:
        raise UserError(f'{run}: has no styles; run styles on it first')
    return results['options']


def read_prints(chain: Chain, search: Search) -> Prints:
    """Return the fingerprints of a run, in a file."""
    options = search.options
    pages = planning.read_pages(
        chain, search.plan, style_steps.FINGERPRINTS, ReadFingerprints
    )
    documents = choosing.choose_documents(
        chain, pages.done, style_steps.CHOOSE, options.captures
    )
    return steps.collect_prints(chain, documents, options.recipe, options.rule)


def find_one(
    page: str, prints: Prints, recipe: Recipe, paths: dict[str, str]
) -> np.ndarray:
    """Return the fingerprint of a page: that of a document of the run, or of a file."""
    if not run_items.is_page_name(page, paths):
        return _read_file(page, prints, recipe)
    number = find_number(prints.documents, page, bool(rids.split_rid(page)[0] in paths))
    if number is None:
        raise UserError(
            f'{page}: is no document with a fingerprint; see the rids and URLs in '
            f'{STYLE_MEMBERS.file}, or name a file of HTML'
        )
    return np.array(FingerprintFile(prints.file, prints.shape).keys[number])


def find_number(documents: Documents, page: str, is_rid: bool) -> int | None:
    """Return the number of the document with a rid or URL; None if there is none.

    Of several with the same URL, it is the first.
    """
    numbers = Numbers(mapped.map_bytes(documents.numbers))
    skipped = choosing.map_numbers(documents.skipped)
    name, found = to_bytes(page), []
    parts = step_output.list_sound_parts(documents.done.output)
    for key, value in read_parts(parts):
        is_same = key == name if is_rid else value.startswith(name + b'\t')
        if is_same and document.is_document_line(key):
            line = document.parse_document(key, value)
            number = numbers.base(line.batch) + line.ordinal
            if line.grams and not numbering.is_among(number, skipped):
                found.append(number)
    return min(found, default=None)


def _read_file(name: str, prints: Prints, recipe: Recipe) -> np.ndarray:
    """Return the fingerprint of a file."""
    if not os.path.isfile(name):
        raise UserError(
            f'{name}: is no rid or URL of a document, and no file; see the rids and '
            f'URLs in {STYLE_MEMBERS.file}'
        )
    with storage.open_read(name) as stream:
        values = find_fingerprint(stream.read(), recipe.rule)
    if not len(values):
        raise UserError(f'{name}: has no {recipe.n} bytes of noise, so no fingerprint')
    keys = shorten_values(values, recipe.bits).reshape(1, -1)
    found = Fingerprints(np.zeros(1, np.uint64), keys, keys)
    values_left_out = common.map_common(prints.common_file)
    if values_left_out:
        found = fingerprints.leave_out_common(found, values_left_out)
    return found.keys[0]


def _compare(chain: Chain, prints: Prints, one: np.ndarray, normalizes: bool) -> Done:
    """Compare all documents with a fingerprint."""
    folder, documents = style_steps.NEAR.folder, prints.documents
    total = documents.numbering.total
    parts = document_parts.parts_for(total, DOCUMENTS_PER_PART, total)
    name = chain.run.temporary_name(f'{folder}-one')
    with storage.write(name) as stream:
        stream.write(one.tobytes())
    file_args = {k: v for k, v in prints.file_args.items() if k != 'prints'}
    # Another page is no change of which the user should hear.
    chain.run.reset_step(folder)
    chain.run.reset_step(style_steps.NEAR_TABLE.folder)
    return chain.run_step(
        Step(
            folder,
            CompareWithOne,
            {
                **prints.shape_args,
                'normalize-empty': int(normalizes),
                'parts': parts,
            },
            lambda: [documents.done.output],
            [*prints.digests, hashlib.sha256(one.tobytes()).hexdigest()],
            unhashed={**file_args, 'one': name},
        )
    )


def format_gaps(compared: Compared, most: int = 5) -> str:
    """Format the greatest gaps, and the name of the table."""
    counts = compared.counts.items()
    points = sorted(((float(text), n) for text, n in counts), reverse=True)
    lines = []
    if found := gaps.find_gaps(points, most):
        lines = ['the greatest gaps:', f'{"documents above":>15} {"between":>7}']
    for gap in found:
        lines.append(
            f'{gap.above:>15,} {gap.between:>7,}  '
            f'from {gap.upper:.3f} down to {gap.lower:.3f}'
        )
    return '\n'.join([*lines, compared.table, ''])
