"""The summary: share of labels, sites that share chunks, and next steps."""

from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS
from mr_reuse.chunks.detect import support
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.detect.support import Judged
from mr_reuse.chunks.discover import label_rule
from mr_reuse.pages import page_record
from mr_reuse.report import inert
from mr_reuse.report.chunks import pairs
from mr_reuse.report.chunks.copying import Source
from mr_reuse.report.chunks.neighborhoods import MAX_LABELS, nature
from mr_reuse.report.chunks.site_kinds import Kind, kinds
from mr_reuse.report.run import Run

Neighborhood = BAD_NEIGHBORHOODS.row

HASH_DIGITS = 12  # of a hash in a command; 48 bits, so two chunks hardly collide
MIN_CHUNKS = 5  # of a neighborhood; with fewer, the share of labels means little
MAX_SOURCES = 3  # in the summary


class Largest(NamedTuple):
    """The bad neighborhood with the most labeled chunks and few others."""

    row: Neighborhood
    own: int  # labels, if all that are known are on no other host; 0 otherwise
    is_all: bool  # True if no other labels are in it
    pages: int  # the most that have one of these labels
    site: str
    is_apart: bool  # True for a folder of a site that is not bad


class Step(NamedTuple):
    """A next step: its purpose and its command line."""

    why: str
    command: str


def section(run: Run, sections: dict[str, Any]) -> dict[str, Any]:
    """Return the data of the summary, computed from that of the other sections."""
    # `inert.command` is '' for a run whose path has invisible characters.
    return {
        'labeled': count_labeled(run),
        'chunks': count_chunks(run, sections),
        'captures': page_record.describe_searched(run.record),
        'rare': count_rare(run, sections),
        'sites': site_stats(run),
        'reservations': reservations(run),
        'kinds': kinds_of_sites(run, sections),
        'sources': sources(sections)[:MAX_SOURCES],
        'more': count_unnamed_sources(sections),
        'largest': largest(sections),
        'steps': [step for step in next_steps(run, sections) if step.command],
    }


def count_labeled(run: Run) -> dict[str, int]:
    """Count the chunks that are labels, their copies, and those that do not count."""
    counts = run.record.discover.labels['chunk'] if run.is_discovered else {}
    copies = [counts.get(f'{name}: copies', 0) for name in ('copied', 'short', 'stop')]
    # Short chunks and stop chunks have enough copies too, but are no labels.
    numbers = {name: counts.get(name, 0) for name in ('labels', 'short', 'stop')}
    # Runs of older versions lack the last two. A short chunk may be on the stop list.
    least = max(0, copies[0] - sum(copies[1:]))
    labeled = counts.get(label_rule.LABELED, least)
    return numbers | {'copies': labeled, 'counted': counts.get(label_rule.COUNTED, 0)}


def count_chunks(run: Run, sections: dict[str, Any]) -> int:
    """Count the chunks of all pages; if a table has them, of the captures searched."""
    frequency = sections['frequency'] or {'units': []}
    found = [
        unit['spectrum'].copies
        for unit in frequency['units']
        if unit['name'] == 'chunk'
    ]
    return found[0] if found else run.record.read['counts'].get('chunks', 0)


def count_rare(run: Run, sections: dict[str, Any]) -> int:
    """Count the chunks with several copies, but too few for a label."""
    if not sections['frequency']:
        return 0
    threshold = run.record.discover.threshold
    points = sections['frequency']['units'][0]['spectrum'].points
    return sum(objects for copies, objects in points if 2 <= copies <= threshold)


def site_stats(run: Run) -> dict[str, Any]:
    """Return the statistics of the level of sites: all, judged and bad ones."""
    none = {'neighborhoods': 0, 'count': 0, 'bad': 0, 'threshold': None}
    if not run.is_detected:
        return none
    by_level = run.stats['neighborhoods'].get('by_level', {})
    return by_level.get(str(run.level), none)


def judged_sites(run: Run) -> Judged | None:
    """Return the judgement of sites, with their noun in the report."""
    if not run.is_detected:
        return None
    judged = support.judged_sites(run.stats, Rule.from_dict(run.record.detect.rule))
    return judged and judged._replace(nouns=(run.site, f'{run.site}s'))


def reservations(run: Run) -> list[str]:
    """Describe what the judgement of sites does not show."""
    return support.describe_sites(run.stats, judged_sites(run))


def kinds_of_sites(run: Run, sections: dict[str, Any]) -> list[Kind]:
    """Count the bad sites by kind; empty for a run without `origins.tsv`."""
    if not sections['copying']:
        return []
    return kinds(sections['copying']['origins'], site_stats(run)['bad'], run.site)


def sources(sections: dict[str, Any]) -> list[Source]:
    """List the sources, those with the most copies first."""
    return sections['copying']['origins'].sources if sections['copying'] else []


def count_unnamed_sources(sections: dict[str, Any]) -> int:
    """Count the sources that the summary does not name."""
    beyond = sections['copying']['origins'].more if sections['copying'] else 0
    return beyond + len(sources(sections)[MAX_SOURCES:])


def either(source: Source) -> str:
    """Name the sites of which any may be the source.

    >>> either(Source('a/', 3, 3, 0.5, [], ['b/', 'c/', 'd/'], [], []))
    'a/, b/ and 2 more'
    >>> either(Source('a/', 3, 3, 0.5, [], ['b/'], [], []))
    'a/ and b/'
    """
    others = source.rivals or [tie.here for tie in source.ties]
    if len(others) == 1:
        return f'{source.name} and {others[0]}'
    rest = max(len(others), 0 if source.rivals else source.sites) - 1
    return f'{source.name}, {others[0]} and {rest:,} more'


def largest(sections: dict[str, Any]) -> Largest | None:
    """Find the neighborhood with the most labeled chunks and few other chunks."""
    if not sections['neighborhoods'] or not sections['neighborhoods']['bad']:
        return None
    # The number of labeled chunks times their share: a whole host with a few copies
    # must not win over a folder that consists of them.
    rows = sections['neighborhoods']['bad']
    row = max(rows, key=lambda row: row.bad**2 / max(1, row.total))
    site, hood = find_hood(sections['neighborhoods']['rows'], row.prefix)
    labels = hood['labels']
    is_own = nature([label for _, label in labels]) == 'own'
    pages = max((copied.pages for copied, _ in labels), default=0)
    own, is_all = is_own * len(labels), len(labels) < MAX_LABELS
    # The row of a site is its own, unless only its folders are bad.
    is_apart = site['row'].prefix != site['site']
    return Largest(row, own, is_all, pages, site['site'], is_apart)


def find_hood(
    sites: list[dict[str, Any]], prefix: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Find a neighborhood of the report: its site, and its own data."""
    return next(
        (site, hood)
        for site in sites
        for hood in (site, *site['folders'])
        if hood['row'].prefix == prefix
    )


def judge_by_share(run: Run) -> list[Step]:
    """Return the step that judges sites by a fixed share, if that is of use."""
    judged = judged_sites(run)
    if not judged or judged.is_supported or not judged.highest:
        return []
    share = f'{support.propose_share(judged):g}'
    command = inert.command('detect', '-o', run.path, judged.option, share)
    return [Step(f'Judge {run.site}s by a fixed share:', command)]


def next_steps(run: Run, sections: dict[str, Any]) -> list[Step]:
    """List the commands that a reader of the report may run next."""
    return [
        *show_pair(run, sections),
        *show_hubs(run, sections),
        *judge_sites(run, sections),
    ]


def show_pair(run: Run, sections: dict[str, Any]) -> list[Step]:
    """Return the step that lists what the first pair shares, if there is any."""
    first = pairs.first_pair(sections['pairs'])
    if not first:
        return []
    a, b = first.sites[:2]
    why = f'List the chunks that {a} and {b} share, with a page of each:'
    return [Step(why, pairs.show_command(run.path, first))]


def show_hubs(run: Run, sections: dict[str, Any]) -> list[Step]:
    """Return the steps that list what sites share with several others."""
    hubs = sections['pairs']['first_hubs'] if sections['pairs'] else []
    return [
        Step(
            f'List the {hub.others:,} sites that share chunks with {hub.site}:',
            inert.show(run.path, hub.site),
        )
        for hub in hubs
    ]


def judge_sites(run: Run, sections: dict[str, Any]) -> list[Step]:
    """List the commands that follow from the labels and from the bad sites."""
    if run.is_discovered and not count_labeled(run)['labels']:
        return []
    if not run.is_detected:
        top = sections['labels']['top'] if sections['labels'] else []
        shows = [
            Step(
                'Print the chunk with the most copies from its archive:',
                inert.show(run.path, label.hash[:HASH_DIGITS]),
            )
            for label in top[:1]
        ]
        why = 'Find the sites and folders with a high share of these chunks:'
        return [Step(why, inert.command('detect', '-o', run.path)), *shows]
    steps = judge_by_share(run)
    rows = sections['neighborhoods']['rows']
    bad = sections['neighborhoods']['bad']
    if small := sum(row.total < MIN_CHUNKS for row in bad):
        why = (
            f'Neighborhoods below with fewer than {MIN_CHUNKS} chunks: {small:,}. Most '
            'of these are parked domains and broken pages. Exclude them, and run '
            'report again:'
        )
        command = inert.command(
            'detect', '-o', run.path, '--min-chunks', str(MIN_CHUNKS)
        )
        steps.append(Step(why, command))
    for entry in rows[:1]:
        why = 'Print the labels of the site or folder with the highest share of them:'
        steps.append(Step(why, inert.show(run.path, entry['row'].prefix)))
    for source in sources(sections)[:1]:
        if not source.is_open:
            what = 'you named as the source' if source.named else 'was captured first'
            why = f'Print the labels of {source.name}, which {what}:'
            steps.append(Step(why, inert.show(run.path, source.name)))
    for source in [source for source in sources(sections) if source.is_open][:1]:
        why = (
            f'Any of {either(source)} may have been first. Look for older captures of '
            'them in web archives, and print the chunks that they share:'
        )
        steps.append(Step(why, inert.show(run.path, source.name)))
    if rows and not sections['copying']['is_linked']:
        why = 'Find the links among these sites:'
        steps.append(Step(why, inert.command('links', run.path)))
    if rows:
        why = (
            'Judge a random sample of the neighborhoods to estimate the number of '
            'harmless ones:'
        )
        steps.append(Step(why, inert.command('review', run.path)))
    return steps
