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
    reasons = 'repeats itself, or has', 'repeat themselves, or have'
    all_kinds = (
        Kind(clear, number(clear, 'is a clear copy', 'are clear copies')),
        Kind(
            weak,
            f'may be {number(weak, "a copy", "copies")} (a hint)',
            'captured after another, but by less than a day',
        ),
        Kind(
            opens,
            f'{number(opens, "shares", "share")} much with others, and it is open who '
            'had it first',
        ),
        Kind(
            few,
            f'{number(few, "shares", "share")} much with others, but with too few '
            'dates',
            'fewer than 10 chunks with dates on both sites',
        ),
        Kind(
            firsts,
            number(firsts, 'is a clear source', 'are clear sources'),
            'captured first, by a day or more',
        ),
        Kind(
            near,
            f'{number(near, "was", "were")} captured first, by less than a day',
            f'{number(near, "it", "each")} may be the source or a copy',
        ),
        Kind(
            little,
            f'{number(little, "has", "have")} little in common with any other {site}',
            f'{number(little, "it", "they")} {number(little, *reasons)} chunks on more '
            f'than 100 {site}s, which do not count here',
        ),
    )
    return [kind for kind in all_kinds if kind.count]
