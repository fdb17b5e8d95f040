"""The bad sites counted by kind, in words: copies, sources, and sites in between."""

from typing import NamedTuple

from mr_reuse.report.chunks.copying import Copying


class Kind(NamedTuple):
    """A kind of bad site: the number of such sites, a phrase and the reason."""

    count: int
    phrase: str
    reason: str = ''


def kinds(copying: Copying, bad: int, site: str) -> list[Kind]:
    """Count the bad sites by kind; kinds without a site are left out.

    >>> copying = Copying(2, 1, 0, 0, 1, 0, [], 0, [], {})
    >>> [f'{kind.count} {kind.phrase}' for kind in kinds(copying, 4, 'site')]
    ['2 are clear copies', '1 may be a copy (a hint)', '1 is a clear source']
    """

    def number(count: int, singular: str, plural: str) -> str:
        return singular if count == 1 else plural

    clear, weak, opens, few, firsts, near = copying[:6]
    little = max(0, bad - sum(copying[:6]))
    all_kinds = (
        Kind(clear, number(clear, 'is a clear copy', 'are clear copies')),
        Kind(
            weak,
            f'may be {number(weak, "a copy", "copies")} (a hint)',
            'captured less than a day after another site',
        ),
        Kind(
            opens,
            f'{number(opens, "shares", "share")} many chunks with others, and it is '
            'open which was first',
        ),
        Kind(
            few,
            f'{number(few, "shares", "share")} many chunks with others, but with too '
            'few dates',
            'fewer than 10 chunks with dates on both sites',
        ),
        Kind(
            firsts,
            number(firsts, 'is a clear source', 'are clear sources'),
            'captured a day or more before the others',
        ),
        Kind(
            near,
            f'{number(near, "was", "were")} captured less than a day before the others',
            f'{number(near, "it", "each")} may be the source or a copy',
        ),
        Kind(
            little,
            f'{number(little, "shares", "share")} few chunks with any other {site}',
            f'copied within {number(little, "the", "a")} {site}, or on more than 100 '
            f'{site}s, which do not count here',
        ),
    )
    return [kind for kind in all_kinds if kind.count]
