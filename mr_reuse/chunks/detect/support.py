"""The support of a judgement: sentences on what it does not show.

A threshold of mean and deviation judges neighborhoods by each other. If there are few
of them, or if no share can be above it, the absence of bad ones means nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mr_reuse.chunks.detect.badness import HIGHEST, Rule
from mr_reuse.chunks.detect.neighborhoods import DOMAIN
from mr_reuse.messages import format_count, format_share, format_threshold

FEW = 30  # ratios; the mean and deviation of fewer say little
ROUND_SHARES = (0.5, 0.25, 0.1, 0.05, 0.01)  # fixed thresholds to propose
PAGE_NOUNS = 'page', 'pages'
MAX_NAME = 120  # letters of a name in a sentence

Nouns = tuple[str, str]  # singular, plural


def nouns_of_level(level: int) -> Nouns:
    """Return the nouns for neighborhoods of a level.

    >>> nouns_of_level(1), nouns_of_level(2)
    (('host', 'hosts'), ('folder of level 2', 'folders of level 2'))
    """
    if level == DOMAIN:
        return 'registered domain', 'registered domains'
    folder = f'folder of level {level}', f'folders of level {level}'
    return ('host', 'hosts') if level == 1 else folder


class Judged(NamedTuple):
    """Pages, or neighborhoods of a level, and the threshold that judged them."""

    nouns: Nouns
    option: str  # sets a fixed threshold
    is_fixed: bool
    threshold: float
    count: int  # with a ratio
    bad: int
    determining: int  # ratios of which the threshold is the mean + K deviations
    highest: Sequence[Mapping[str, Any]] | None  # of the others; None if unknown
    min_bad: int = 0

    @property
    def is_beyond(self) -> bool:
        """True if no share can be above the threshold."""
        return self.threshold >= 1 and not self.bad

    @property
    def is_few(self) -> bool:
        """True if too few ratios determine the threshold."""
        return not self.is_fixed and self.determining < FEW

    @property
    def is_supported(self) -> bool:
        """True if the numbers support the judgement, and something is bad."""
        return self.bad > 0 and not (self.is_few or self.is_beyond)


def judged_level(stats: Mapping[str, Any], rule: Rule, level: int) -> Judged:
    """Return the judgement of a level, from `neighborhoods` of `stats.json`."""
    of_level = stats['by_level'][str(level)]
    # Without a threshold of its own, the level is judged by the ratios of all levels.
    is_alone = stats['threshold'] is None
    counted = of_level if is_alone else stats.get(rule.ratio, of_level)
    return Judged(
        nouns_of_level(level),
        '--neighborhood-threshold',
        rule.neighborhood_threshold is not None,
        of_level['threshold'],
        of_level['count'],
        of_level['bad'],
        counted['count'],
        of_level.get('highest'),
        rule.min_bad,
    )


def judged_pages(stats: Mapping[str, Any], rule: Rule) -> Judged:
    """Return the judgement of pages, from `pages` of `stats.json`."""
    is_fixed, count = rule.page_threshold is not None, stats['count']
    return Judged(
        PAGE_NOUNS,
        '--page-threshold',
        is_fixed,
        stats['threshold'],
        count,
        stats['bad'],
        count,
        stats.get('highest'),
    )


def describe(judged: Judged) -> list[str]:
    """Describe what a judgement does not show; empty if the numbers support it.

    >>> highest = [{'name': 'a.org/', 'ratio': 0.6, 'bad': 12, 'total': 20}]
    >>> hosts = Judged(('host', 'hosts'), '-x', False, 0.759, 80, 0, 80, highest)
    >>> describe(hosts)[0]
    'No host is above 75.9 %. The highest is a.org/ with 60.0 % (12 of 20 chunks).'
    >>> describe(hosts)[1]
    'To judge hosts by a fixed share, add -x 0.5.'
    >>> for line in describe(hosts._replace(threshold=1.042, determining=9))[1:-1]:
    ...     print(line)
    No share can be above 104.2 %, so this says nothing about copies.
    Only 9 shares determine it. The mean and deviation of fewer than 30 say little.
    >>> describe(hosts._replace(bad=1))
    []
    """
    if judged.is_supported or not judged.count:
        return []
    limit, one = format_threshold(judged.threshold), judged.nouns[0]
    least = format_count(judged.min_bad, 'labeled chunk')
    criterion = f'{limit} and has at least {least}' if judged.min_bad else limit
    lines = []
    if not judged.bad:
        lines.append(f'No {one} is above {criterion}. {list_highest(judged)}'.rstrip())
    if judged.is_beyond:
        lines.append(
            f'No share can be above {limit}, so this says nothing about copies.'
        )
    if judged.is_few:
        shares = format_count(judged.determining, 'share')
        verb = 'determines' if judged.determining == 1 else 'determine'
        lines.append(
            f'Only {shares} {verb} it. The mean and deviation of fewer than {FEW} say '
            'little.'
        )
    if judged.bad and judged.highest:
        lines.append(list_highest(judged))
    if judged.highest or judged.bad:
        lines.append(propose(judged))
    return lines


def list_highest(judged: Judged) -> str:
    """List the highest that are not bad.

    >>> item = {'name': 'a.org/', 'ratio': 0.5, 'bad': 1, 'total': 2}
    >>> hosts = Judged(('host', 'hosts'), '-x', False, 0.7, 9, 0, 9, [item, item])
    >>> list_highest(hosts)
    'The highest are a.org/ with 50.0 % (1 of 2 chunks), a.org/ with 50.0 % (1 of 2).'
    >>> list_highest(hosts._replace(highest=[]))
    'None has a labeled chunk.'
    """
    if judged.highest is None:
        return ''
    if not judged.highest:
        return 'None has a labeled chunk.'
    items = [
        f'{shorten(item["name"])} with {format_share(item["ratio"])} '
        f'({item["bad"]:,} of {item["total"]:,}'
        for item in judged.highest
    ]
    items[0] += ' chunk)' if judged.highest[0]['total'] == 1 else ' chunks)'
    rest = [f'{item})' for item in items[1:]]
    others = ' of the others' if judged.bad else ''
    verb = 'are' if rest else 'is'
    return f'The highest{others} {verb} {", ".join([items[0], *rest])}.'


def shorten(name: str) -> str:
    """Shorten a long name in its middle."""
    return name if len(name) <= MAX_NAME else f'{name[: MAX_NAME - 40]}…{name[-39:]}'


def propose(judged: Judged) -> str:
    """Name the option that judges by a fixed share, or by fewer labeled chunks."""
    highest = judged.highest or ()
    if judged.min_bad and any(item['ratio'] > judged.threshold for item in highest):
        bad = max(item['bad'] for item in highest)
        return (
            f'To list {judged.nouns[1]} with fewer labeled chunks, add --min-bad {bad}.'
        )
    lower = 'lower' if judged.is_fixed else 'fixed'
    option = f'{judged.option} {propose_share(judged):g}'
    return f'To judge {judged.nouns[1]} by a {lower} share, add {option}.'


def propose_share(judged: Judged) -> float:
    """Propose a round share that the highest is above."""
    top = max((item['ratio'] for item in judged.highest or ()), default=1.0)
    return next((share for share in ROUND_SHARES if share < top), 0)


def describe_unlabeled(threshold: int | None) -> list[str]:
    """Describe the copies that `discover` did not label, by its threshold.

    >>> describe_unlabeled(10)
    ['Chunks with 2 to 10 copies were not considered (see --threshold of discover).']
    >>> describe_unlabeled(1), describe_unlabeled(None)
    ([], [])
    """
    if threshold is None or threshold < 2:
        return []
    copies = '2 copies' if threshold == 2 else f'2 to {threshold:,} copies'
    why = 'were not considered (see --threshold of discover)'
    return [f'Chunks with {copies} {why}.']


def judged_sites(stats: Mapping[str, Any], rule: Rule) -> Judged | None:
    """Return the judgement of sites, from `stats.json`; None without sites."""
    hoods, level = stats['neighborhoods'], rule.site_level
    is_there = str(level) in hoods['by_level']
    return judged_level(hoods, rule, level) if is_there else None


def describe_sites(stats: Mapping[str, Any], judged: Judged | None) -> list[str]:
    """Describe what the judgement of sites does not show, from `stats.json`."""
    lines = describe(judged) if judged else []
    if judged and judged.count and not judged.bad:
        lines += describe_unlabeled(stats.get('label_threshold'))
    return lines


def describe_folders(stats: Mapping[str, Any], rule: Rule) -> list[str]:
    """Describe the levels other than that of sites which the numbers do not support."""
    hoods = stats['neighborhoods']
    if hoods['threshold'] is not None:
        return []
    levels = sorted(int(level) for level in hoods['by_level'])
    judged = {n: judged_level(hoods, rule, n) for n in levels if n != rule.site_level}
    lines = []
    if few := [n for n, level in judged.items() if level.count and level.is_few]:
        lines.append(describe_few({n: judged[n] for n in few}))
    if beyond := [n for n, level in judged.items() if level.is_beyond]:
        lines.append(
            f'No share can be above the threshold of {name_levels(beyond)} '
            '(see stats.json).'
        )
    weak = sorted({*few, *beyond})
    highest = [item for n in weak for item in judged[n].highest or ()]
    if highest:
        highest.sort(key=lambda item: (-item['ratio'], -item['bad'], item['name']))
        all_weak = judged[weak[0]]._replace(
            nouns=('folder', 'folders'),
            highest=highest[:HIGHEST],
            bad=sum(judged[n].bad for n in weak),
        )
        lines += [list_highest(all_weak), propose(all_weak)]
    elif weak:
        lines.append('To set a fixed one, add --neighborhood-threshold X.')
    return lines


def describe_few(judged: Mapping[int, Judged]) -> str:
    """Describe the levels with a threshold that comes from few folders.

    >>> nouns = nouns_of_level(2)
    >>> folders = Judged(nouns, '-x', False, 0.053, 14, 1, 14, [])
    >>> describe_few({2: folders})
    'The threshold of level 2 (5.3 %) comes from only 14 folders, so it is unreliable.'
    >>> describe_few({2: folders, 3: folders})
    'The thresholds of levels 2 and 3 each come from fewer than 30 folders, so they \
are unreliable.'
    """
    name = name_levels(list(judged))
    if len(judged) > 1:
        return (
            f'The thresholds of {name} each come from fewer than {FEW} folders, so '
            'they are unreliable.'
        )
    [level] = judged.values()
    folders = format_count(level.determining, 'folder')
    limit = format_threshold(level.threshold)
    return (
        f'The threshold of {name} ({limit}) comes from only {folders}, so it is '
        'unreliable.'
    )


def name_levels(levels: Sequence[int]) -> str:
    """Name levels in ascending order.

    >>> name_levels([3]), name_levels([3, 5]), name_levels([4, 5, 6])
    ('level 3', 'levels 3 and 5', 'levels 4 to 6')
    """
    if len(levels) == 1:
        return f'level {levels[0]}'
    if list(levels) == list(range(levels[0], levels[-1] + 1)) and len(levels) > 2:
        return f'levels {levels[0]} to {levels[-1]}'
    return f'levels {", ".join(map(str, levels[:-1]))} and {levels[-1]}'
