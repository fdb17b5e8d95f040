"""Write what has the style of known pages, and is not known: `styles spread`."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from mr_reuse import storage
from mr_reuse.archives import rids
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import read_record
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages import page_record, planning
from mr_reuse.pages.documents import document
from mr_reuse.shuffle import ordered_parts, sorting
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.storage import text_files
from mr_reuse.styles import describing, ranking, steps, tables
from mr_reuse.styles.describing import Member
from mr_reuse.styles.fingerprints import FingerprintFile
from mr_reuse.styles.near.options import options_of_run
from mr_reuse.styles.near.run import check_record, read_prints
from mr_reuse.styles.run import Search, plan_search
from mr_reuse.styles.spread import spreading
from mr_reuse.styles.spread.summary import SpreadSummary
from mr_reuse.styles.steps import Prints
from mr_reuse.styles.style_tables import SPREAD, STYLE_MEMBERS
from mr_reuse.tables import table_files
from mr_reuse.tables.table_files import read_rows


def write_spread(options: RunOptions, known: str) -> str:
    """Write the table; return the summary for the terminal."""
    output = options.output
    recorded = check_record(read_record(output), output)
    names = read_names(known)
    search = plan_search(options_of_run(options, recorded))
    with raise_interrupts(), RunDir(output) as run:
        chain = Chain(run, options)
        plan = planning.upload_inputs(chain, search.plan)
        prints = read_prints(chain, search._replace(plan=plan))
        urls = find_urls(names, prints, page_record.collect_archives(plan).paths)
        found = spreading.collect_known(names, urls)
        summary = SpreadSummary(found)
        rows = sorting.sort_rows(_iter_rows(chain, search, prints, summary))
        table_files.write_table(run.join(SPREAD.file), SPREAD.header, rows)
        return summary.format(run.join(SPREAD.file))


def read_names(known: str) -> list[str]:
    """Return the names in a list, or the URLs of the pages of another run's styles."""
    if storage.is_dir(known):
        check_record(read_record(known), known)
        return [row.url for row in read_rows(known, STYLE_MEMBERS)]
    lines = (to_text(line).strip() for line in text_files.read_lines(known))
    names = [line for line in lines if line]
    if not names:
        raise UserError(f'{known}: is empty; give a URL, a host or a rid on each line')
    return names


def find_urls(
    names: Iterable[str], prints: Prints, paths: dict[str, str]
) -> Iterator[str]:
    """Yield the URLs of the documents that a list names by their rids."""
    wanted = {name for name in names if rids.split_rid(name)[0] in paths}
    if not wanted:
        return
    parts = step_output.list_sound_parts(prints.documents.done.output)
    for key, value in read_parts(parts):
        if document.is_document_line(key) and to_text(key) in wanted:
            yield document.parse_document(key, value).url


def _iter_rows(
    chain: Chain, search: Search, prints: Prints, summary: SpreadSummary
) -> Iterator[Keyed]:
    """Yield the rows of all styles with known pages."""
    rule, recipe = search.options.rule, search.options.recipe
    edges = steps.find_edges(chain, prints, rule)
    clusters = steps.connect(chain, prints, edges)
    described = steps.describe_styles(chain, prints, clusters, rule)
    total = prints.documents.numbering.total
    digits = ranking.score_digits(recipe.m, total, rule.normalize_empty)
    ranks = tables.write_styles(chain, described, digits)
    keys = FingerprintFile(prints.file, prints.shape).keys
    parts = step_output.list_sound_parts(described.output)
    texts = ordered_parts.read_in_order(parts, describing.MEMBERS)
    for cluster, group in groupby(map(Member.parse, texts), attrgetter('cluster')):
        members = list(group)
        summary.count_members(members)
        rows = spreading.spread_style(
            ranks.find(cluster), members, keys, summary.known, rule.normalize_empty
        )
        yield from (row.to_row() for row in summary.count_rows(rows))
