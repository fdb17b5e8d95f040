"""What a reader has to know at once: how much is copied, by whom, and what to do."""

from typing import Any, NamedTuple

from mr_reuse.report import inert
from mr_reuse.report.chunks.copying import Kind, Source, kinds
from mr_reuse.report.run import Run
from mr_reuse.tables.run_tables import BAD_NEIGHBORHOODS

Neighborhood = BAD_NEIGHBORHOODS.row

DIGITS = 12  # of a hash that is to be typed
FEW = 5  # chunks of a neighborhood
SOURCES = 3


class Step(NamedTuple):
    """Something to do next: why, and the command line."""

    why: str
    command: str


def section(run: Run, found: dict[str, Any]) -> dict[str, Any]:
    """The summary, of what the other sections have found."""
    return {
        'labeled': labeled(run),
        'sites': sites(run),
        'kinds': kinds_of(run, found),
        'sources': sources(found)[:SOURCES],
        'more': more(found),
        'largest': largest(found),
        'steps': [step for step in steps(run, found) if step.command],
    }


def labeled(run: Run) -> dict[str, int]:
    """How many chunks are labels, and how many copies these have."""
    told = run.record.discover.labels['chunk'] if run.is_discovered else {}
    copies = [told.get(f'{name}: copies', 0) for name in ('copied', 'short', 'stop')]
    return {'labels': told.get('labels', 0), 'copies': copies[0] - sum(copies[1:])}


def sites(run: Run) -> dict[str, Any]:
    """How many sites there are, and how many are bad."""
    none = {'neighborhoods': 0, 'count': 0, 'bad': 0, 'threshold': None}
    if not run.is_detected:
        return none
    by_level = run.stats['neighborhoods'].get('by_level', {})
    return by_level.get(str(run.level), none)


def kinds_of(run: Run, found: dict[str, Any]) -> list[Kind]:
    """What the bad sites are; nothing if it is not known of any."""
    if not found['copying']:
        return []
    return kinds(found['copying']['found'], sites(run)['bad'], run.site)


def sources(found: dict[str, Any]) -> list[Source]:
    """The sites from which most others have copied."""
    return found['copying']['found'].sources if found['copying'] else []


def more(found: dict[str, Any]) -> int:
    """How many sources the summary does not name."""
    beyond = found['copying']['found'].more if found['copying'] else 0
    return beyond + len(sources(found)[SOURCES:])


def either(source: Source) -> str:
    """The sites between which it is open who is the source.

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


def largest(found: dict[str, Any]) -> Neighborhood | None:
    """The neighborhood with most labeled chunks, and few others beside them."""
    rows = [one['row'] for one in (found['neighborhoods'] or {'rows': []})['rows']]
    return max(rows, key=lambda row: row.bad**2 / max(1, row.total), default=None)


def steps(run: Run, found: dict[str, Any]) -> list[Step]:
    """What to do next."""
    if run.is_discovered and not labeled(run)['labels']:
        return []
    if not run.is_detected:
        top = found['labels']['top'] if found['labels'] else []
        looks = [
            Step(
                'Look at the chunk that is copied most, out of its archive:',
                inert.show(run.path, one.hash[:DIGITS]),
            )
            for one in top[:1]
        ]
        why = 'Find the sites and folders that live on these chunks:'
        return [Step(why, inert.command('detect', '-o', run.path)), *looks]
    told = []
    rows = found['neighborhoods']['rows']
    if small := sum(one['row'].total < FEW for one in rows):
        why = (
            f'{small:,} of the neighborhoods below have fewer than {FEW} chunks: '
            'parked domains and broken pages, mostly. Leave them out, and report anew:'
        )
        command = inert.command('detect', '-o', run.path, '--min-chunks', str(FEW))
        told.append(Step(why, command))
    for row in rows[:1]:
        why = 'See what the worst neighborhood has copied, with hashes and pages:'
        told.append(Step(why, inert.show(run.path, row['row'].prefix)))
    for one in sources(found)[:1]:
        if not one.is_open:
            why = f'And for {one.name}, which seems to be where others have it from:'
            told.append(Step(why, inert.show(run.path, one.name)))
    for one in [one for one in sources(found) if one.is_open][:1]:
        why = (
            f'Which of {either(one)} was first is open. Look at older captures of '
            'these, as web archives have them, and at what they share:'
        )
        told.append(Step(why, inert.show(run.path, one.name)))
    if told and not found['copying']['is_linked']:
        why = 'Find out whether these sites link to each other:'
        told.append(Step(why, inert.command('links', run.path)))
    if told:
        why = 'Judge a random sample of them, to say how many are harmless:'
        told.append(Step(why, inert.command('review', run.path)))
    return told
