"""Filters of records: the rules of the user, and loops of crawlers."""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from mr_reuse.archives import urls
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.items import REVISIT, Item
from mr_reuse.errors import UsageError

RULE_KINDS = ('status', 'type', 'host', 'prefix')
LOOP_RULES = ('length', 'repeats', 'both', 'none')
FILTERED = 'filtered out'
NOT_MODIFIED = 304
LOOP = 'recursion: '  # the rule follows


def parse_rules(rules: Iterable[str]) -> dict[str, list[str]]:
    """Parse rules into values by kind; values of one kind are alternatives.

    >>> parse_rules(['status=200,404', 'host=*.a.org'])
    {'status': ['200', '404'], 'host': ['*.a.org']}
    """
    parsed: dict[str, list[str]] = {}
    for rule in rules:
        kind, equals, value = rule.partition('=')
        if kind not in RULE_KINDS or not equals or not value:
            raise UsageError(
                f'--filter {rule!r}: give status=, type=, host= or prefix= and a value'
            )
        values = [value] if kind == 'prefix' else value.lower().split(',')
        if kind == 'status' and not all(map(str.isdigit, values)):
            raise UsageError(f'--filter {rule!r}: a status is a number, such as 404')
        parsed.setdefault(kind, []).extend(values)
    return parsed


def status_of(item: Item) -> int | None:
    """Return the status of an item; None for a revisit with the status of its target.

    The header of a revisit may be missing, or say that a page was not modified. Filters
    admit its target only if they admit the status of the target.
    """
    is_of_target = item.kind == REVISIT and item.status in (0, NOT_MODIFIED)
    return None if is_of_target else item.status


class Filter:
    """Decides which items are read, and counts the others."""

    def __init__(self, rules: Iterable[str], recursion: str):
        if recursion not in LOOP_RULES:
            raise UsageError(f'--recursion {recursion!r}: give {", ".join(LOOP_RULES)}')
        self._rules, self._recursion = parse_rules(rules), recursion
        self.types = self._rules.get('type', [])

    def item_test(self, stats: ArchiveStats) -> Callable[[Item], bool]:
        """Return a test of items, without their bodies, that counts refused ones."""
        slashes = urls.LOOP_SLASHES[self._recursion]

        def wanted(item: Item) -> bool:
            may_loop = item.url.count('/') >= slashes
            if may_loop and (rule := urls.find_loop(item.url, self._recursion)):
                stats.skipped[f'{LOOP}{rule}'] += 1
                stats.count_depths([item.url])
            elif self._rules and not self.admits(status_of(item), item.url):
                stats.skipped[FILTERED] += 1
            else:
                return True
            return False

        return wanted

    def admits(self, status: int | None, url: str) -> bool:
        """Test whether the filters admit a status and a URL; None is any status.

        >>> only = Filter(['status=200', 'host=*.a.org'], 'none')
        >>> only.admits(200, 'http://b.a.org/x'), only.admits(200, 'http://c.org/')
        (True, False)
        """
        host = urls.url_host(url)
        tests = {
            'status': lambda value: status is None or value == str(status),
            'host': lambda value: fnmatchcase(host, value),
            'prefix': url.startswith,
            'type': lambda value: True,  # needs the body; see `admits_type`
        }
        return all(
            any(map(tests[kind], values)) for kind, values in self._rules.items()
        )

    def admits_type(self, media: str) -> bool:
        """Test whether the filters admit a media type; `-` stands for an empty body.

        >>> only = Filter(['type=text/*,-'], 'none')
        >>> [only.admits_type(media) for media in ('text/html', 'image/gif', '')]
        [True, False, True]
        """
        return not self.types or any(
            fnmatchcase(media or '-', pattern) for pattern in self.types
        )
