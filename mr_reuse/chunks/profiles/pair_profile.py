"""Describe two sites: the chunks that they share, with dates, texts and pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.dates import format_date
from mr_reuse.chunks import choosing, run_lookup, site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.discover import chunk_counts
from mr_reuse.chunks.discover.label_texts import GONE, read_texts
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.profiles import shared_chunks, sharing
from mr_reuse.chunks.profiles.shared_chunks import Example, PageLines, Shared
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import format_bytes, format_count, format_share

MIN_LEN = 100  # if no label file of the run tells the least length
Sites = tuple[str, str]
Examples = dict[tuple[int, bytes], Example]


class Evidence(NamedTuple):
    """What is known of the longest chunks, by digest."""

    copies: Mapping[bytes, int]  # in the crawl; empty without counts
    texts: Mapping[bytes, str]
    examples: Examples


def load_rules(run: str, record: RunRecord, recipe: Recipe) -> Labels:
    """Load the least length and the stop chunks of a run."""
    for name in run_lookup.find_label_files(run, record):
        return label_files.load(name)
    none = np.zeros((0, recipe.width), np.uint8)
    min_len = (record.options or {}).get('min_len', MIN_LEN)
    return Labels(recipe, min_len, none, none, none)


def describe_pair(
    run: str, record: RunRecord, sites: Sites, most: int
) -> Iterator[str]:
    """Yield lines on the chunks that two sites share, the longest first."""
    recipe = Recipe.from_options(record.page_options)
    rules = load_rules(run, record, recipe)
    find_side = shared_chunks.side_finder(*sites, sharing.unit_of_pairs(record))
    is_skipped = choosing.load_skipped(record).is_skipped
    lines = PageLines(record.pages, recipe.width, find_side, is_skipped)
    shared = shared_chunks.find_shared(lines, StopChunks(rules), most)
    if shared is None:
        raise UserError(
            f'{sites[0]}, {sites[1]}: no page of the run is on one of these sites; '
            f'see {PAIRS.file}'
        )
    yield from describe_shared(sites, shared, rules.min_len)
    row = next(site_pairs.find_pairs(run, *sites), None)
    if row and row.chunks < shared.chunks:
        yield (
            f'{shared.chunks - row.chunks:,} of them are on more than 100 sites, and '
            f'not counted in {PAIRS.file}\n'
        )
    if shared.longest:
        evidence = find_evidence(record, lines, shared)
        yield from list_chunks(sites, shared, evidence)


def describe_shared(sites: Sites, shared: Shared, min_len: int) -> Iterator[str]:
    """Yield lines on the numbers of shared chunks.

    >>> shared = Shared(3, 450, (4, 6), (2, 0), [])
    >>> print(''.join(describe_shared(('a.org', 'b.org'), shared, 100)), end='')
    a.org and b.org share 3 chunks, 450 bytes
    75.0 % of the 4 chunks of a.org, 50.0 % of the 6 chunks of b.org
    captured on a.org first: 2, on b.org first: 0, neither: 1 (who copied is open)
    >>> list(describe_shared(('a', 'b'), shared._replace(chunks=0), 100))
    ['a and b share no chunk of more than 100 bytes\\n']
    """
    one, other = sites
    if not shared.chunks:
        least = format_count(min_len, 'byte')
        yield f'{one} and {other} share no chunk of more than {least}\n'
        return
    number = format_count(shared.chunks, 'chunk')
    yield f'{one} and {other} share {number}, {format_bytes(shared.bytes)}\n'
    parts = [
        f'{format_share(shared.chunks / total)} of the {format_count(total, "chunk")} '
        f'of {site}'
        for site, total in zip(sites, shared.totals, strict=True)
    ]
    yield f'{", ".join(parts)}\n'
    neither = shared.chunks - sum(shared.first)
    yield (
        f'captured on {one} first: {shared.first[0]:,}, on {other} first: '
        f'{shared.first[1]:,}, neither: {neither:,} (who copied is open)\n'
    )


def find_evidence(record: RunRecord, lines: PageLines, shared: Shared) -> Evidence:
    """Find copies, texts and example pages of the longest chunks."""
    recipe = Recipe.from_options(record.page_options)
    digests = [chunk.digest for chunk in shared.longest]
    examples = shared_chunks.find_examples(lines, digests, recipe.width)
    copies: dict[bytes, int] = {}
    if record.discover:
        parts = step_output.list_sound_parts(record.discover.counts)
        copies = chunk_counts.read_copies(parts, digests)
    return Evidence(copies, read_chunks(record, digests, examples), examples)


def read_chunks(
    record: RunRecord, digests: Sequence[bytes], examples: Examples
) -> dict[bytes, str]:
    """Read the beginnings of chunks from an example on either site."""
    texts = dict.fromkeys(digests, GONE)
    for side in (0, 1):
        by_rid: dict[str, set[bytes]] = {}
        for digest in digests:
            if texts[digest] == GONE and (side, digest) in examples:
                *_, rid = examples[side, digest]
                by_rid.setdefault(rid, set()).add(digest)
        texts |= read_texts(by_rid, record)
    return texts


def list_chunks(sites: Sites, shared: Shared, evidence: Evidence) -> Iterator[str]:
    """Yield lines on the longest chunks: dates, text, and a page on each site."""
    yield f'\n{"bytes":>9} {"copies":>7}  chunk, and its first capture on each site\n'
    for chunk in shared.longest:
        copies = evidence.copies.get(chunk.digest)
        number = '-' if copies is None else f'{copies:,}'
        yield f'{chunk.length:>9,} {number:>7}  {chunk.digest.hex()}\n'
        yield f'{"":19}{evidence.texts[chunk.digest][:70]}\n'
        for side, _ in enumerate(sites):
            *_, url, rid = evidence.examples[side, chunk.digest]
            date = format_date(chunk.first[side]) or 'no date'
            yield f'{"":19}{date:<20}  {url}  {rid}\n'
    if (rest := shared.chunks - len(shared.longest)) > 0:
        yield f'and {format_count(rest, "more chunk")} (see --top)\n'
