"""The bad sites counted by kind, in words: the order of their captures."""

from typing import NamedTuple

from mr_reuse.report.chunks.copying import COUNTS, Copying


class Kind(NamedTuple):
    """A kind of bad site: the number of such sites, a phrase and the reason."""

    count: int
    phrase: str
    reason: str = ''


def kinds(copying: Copying, bad: int, site: str) -> list[Kind]:
    """Count the bad sites by kind; kinds without a site are left out.

    >>> counts = dict.fromkeys(COUNTS, 0) | {'clear': 2, 'firsts': 1, 'few': 1}
    >>> copying = Copying(*counts.values(), [], 0, [], {}, [])
    >>> for kind in kinds(copying, 4, 'site'):
    ...     print(kind.count, kind.phrase)
    2 were captured a day or more after another site with the same chunks
    1 shares many chunks with others, but with too few dates
    1 was captured first
    """

    def were(count: int) -> str:
        return 'was' if count == 1 else 'were'

    def share(count: int) -> str:
        return 'shares' if count == 1 else 'share'

    alike = sum(len(group.sites) for group in copying.alike)
    little = max(0, bad - alike - sum(getattr(copying, name) for name in COUNTS))
    their = 'its' if little == 1 else 'their'
    with_others = 'many chunks with others'
    owner = 'owner' if copying.has_families else 'registered domain'
    all_kinds = (
        Kind(
            copying.named,
            f'{"has" if copying.named == 1 else "have"} copies from a {site} that you '
            'named as the source',
        ),
        Kind(
            copying.given,
            f'{"belongs" if copying.given == 1 else "belong"} to a source that you '
            'named',
            'not compared with others',
        ),
        Kind(
            copying.clear,
            f'{were(copying.clear)} captured a day or more after another {site} with '
            'the same chunks',
        ),
        Kind(
            copying.weak,
            f'{were(copying.weak)} captured less than a day after another {site} with '
            'the same chunks',
        ),
        Kind(
            copying.same,
            f'{were(copying.same)} captured at the same time as another {site} with '
            'the same chunks',
            'in the same second, so neither was first',
        ),
        Kind(
            copying.opens,
            f'{share(copying.opens)} {with_others}, and it is open which was first',
        ),
        Kind(
            copying.few,
            f'{share(copying.few)} {with_others}, but with too few dates',
            f'fewer than 10 chunks with dates on both {site}s',
        ),
        Kind(
            copying.firsts,
            f'{were(copying.firsts)} captured first',
            'a day or more before the others with the same chunks',
        ),
        Kind(
            copying.near,
            f'{were(copying.near)} captured first, by less than a day',
            f'the crawler may have visited {"it" if copying.near == 1 else "them"} '
            'first by chance',
        ),
        Kind(
            copying.family,
            f'{share(copying.family)} many chunks only with other hosts of the same '
            f'{owner}',
            'these belong together',
        ),
        Kind(
            alike,
            f'have the same labels as another bad {site}',
            'counted once each, these labels are less than a quarter of their chunks',
        ),
        Kind(
            little,
            f'{share(little)} less than a quarter of {their} labels or of {their} '
            f'chunks with any other {site}',
            f'the labels are within {"the" if little == 1 else "a"} {site}, the same '
            f'few on several {site}s, on several {site}s in smaller parts, or on more '
            f'than 100 {site}s, which do not count here',
        ),
    )
    return [kind for kind in all_kinds if kind.count]
