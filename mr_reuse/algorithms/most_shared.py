"""The neighborhoods that share most labels with a bad one, and those captured first.

A neighborhood is a row of columns: the number of labels that it shares, its first date,
and whether the user named it as a source.
"""

import numpy as np

MAX_OTHERS = 10  # neighborhoods to list for each bad one
EARLIEST = 2  # of these, the number chosen by the date of capture
MANY_OTHERS = 100_000  # rows of a bad neighborhood from which some are dropped


def select_candidates(
    shared: np.ndarray, dates: np.ndarray, is_source: np.ndarray | None = None
) -> np.ndarray:
    """Select the rows that `choose_others` may still choose if more rows follow.

    Of few rows it selects all. The first row is always selected. The result is sorted.

    >>> count = MANY_OTHERS
    >>> select_candidates(np.full(count, 7), np.arange(count)).tolist()[-3:]
    [11, 12, 13]
    """
    count = len(shared)
    if count < MANY_OTHERS:
        return np.arange(count)
    shared = shared.astype(np.int64)
    by_shared = np.argsort(-shared, kind='stable')
    # A row is not among the earliest if enough others are earlier and share at least as
    # many labels. In the order of shared labels, then of dates, they come before it.
    rank = np.empty(count, np.intp)
    rank[np.lexsort([-shared, dates])] = np.arange(count)
    rest, kept = np.lexsort([rank, -shared]), [np.zeros(1, np.intp)]
    for _ in range(EARLIEST):
        is_earlier = rank[rest] == np.minimum.accumulate(rank[rest])
        kept.append(rest[is_earlier])
        rest = rest[~is_earlier]
    if is_source is not None:
        kept.append(by_shared[is_source[by_shared]][:2])
    # The first row may be no neighborhood, and those chosen by their dates are others.
    kept.append(by_shared[: MAX_OTHERS + EARLIEST + 2])
    return np.unique(np.concatenate(kept))


def choose_others(
    shared: np.ndarray,
    dates: np.ndarray,
    is_source: np.ndarray | None = None,
    count: int = MAX_OTHERS,
) -> np.ndarray:
    """Choose the neighborhoods to list: those that share most labels, and the first.

    Copies of an original may share more labels with each other than with it, for
    example the advertisements that they add. Therefore the neighborhood captured first
    is always chosen, among those that share at least half as many labels as the top
    one. The second is chosen too, as its date shows the lead of the first. Of the
    sources that the user named, the one that shares most labels is always chosen.

    >>> shared, dates = np.array([7, 6, 9, 9, 8]), np.array([1, 2, 5, 6, 4])
    >>> choose_others(shared, dates, count=3).tolist()
    [2, 0, 1]
    >>> shared, dates = np.array([7, 9, 9, 8, 2]), np.array([1, 5, 6, 4, 0])
    >>> choose_others(shared, dates, count=2).tolist()
    [3, 0]
    >>> choose_others(shared, dates, np.arange(5) == 4, count=4).tolist()
    [1, 3, 0, 4]
    """
    order = np.argsort(-shared.astype(np.int64), kind='stable')
    similar = order[2 * shared[order] >= shared.max(initial=0)]
    chosen = similar[np.argsort(dates[similar], kind='stable')[:EARLIEST]]
    if is_source is not None:
        chosen = np.union1d(chosen, order[is_source[order]][:1])
    most_shared = order[~np.isin(order, chosen)][: count - len(chosen)]
    return order[np.isin(order, np.append(most_shared, chosen))]
