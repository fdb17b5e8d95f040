"""Pages that resemble each other: pairs, copies, filled-in blanks, and a chain."""

from mr_reuse.synth.phrases.phrase_group import EDGE_WORDS, Pair, PhraseGroup
from mr_reuse.synth.planned.passages import GRAM, Passage

# Resemblances of pairs in thousandths. The paper states the chance of the first two
# and of the last one.
RESEMBLANCES = 770, 825, 880, 920, 950, 965
PAIRS = 24  # of each resemblance
COPIES = 3  # of a page
TURNS = 2, 5  # passages by which a page is rotated
ROTATED, ROTATED_LENGTH = 9, 20  # passages, and words of each
NEAR_PAGES, NEAR_LENGTH = 12, 200  # pages with a blank, and words before and after it
LINKS, LINK_LENGTH = 23, 20  # words that change in a chain, and others between them


def plan_near_duplicates(group: PhraseGroup) -> None:
    """Plan all pages that are near-duplicates, or may be."""
    for resemblance in RESEMBLANCES:
        for _ in range(PAIRS):
            _plan_pair(group, resemblance)
    _plan_copies(group)
    _plan_rotated(group)
    _plan_filled_blank(group)
    _plan_chain(group)


def common_phrases(resemblance: int) -> int:
    """Return how many phrases a pair has in common if one word differs.

    Each page then has as many phrases of its own as a phrase has words.

    >>> [common_phrases(s) for s in RESEMBLANCES]
    [33, 47, 73, 115, 190, 276]
    """
    return round(2 * GRAM * resemblance / (1000 - resemblance))


def _plan_pair(group: PhraseGroup, resemblance: int) -> None:
    """Plan two pages of the same words but for one."""
    kind, edges = f'pair-{resemblance}', group.new_edges()
    length = common_phrases(resemblance) + GRAM - 1 - EDGE_WORDS
    [shared] = group.new_passages(1, length)
    first, second = (
        group.add_page(kind, group.new_server(), [shared, own], edges)
        for own in group.new_passages(2, 1)
    )
    group.pairs.append(Pair(kind, first, second))


def _plan_copies(group: PhraseGroup) -> None:
    """Plan pages of the same words. Their markup differs."""
    edges, content = group.new_edges(), group.new_passages(5, 30)
    group.add_class(
        [
            group.add_page('copy', group.new_server(), content, edges)
            for _ in range(COPIES)
        ]
    )


def _plan_rotated(group: PhraseGroup) -> None:
    """Plan a page, and pages that begin elsewhere with the same words."""
    passages = group.new_passages(ROTATED, ROTATED_LENGTH)
    pages = []
    for turn in (0, *TURNS):
        title, lead, *content, bottom = passages[turn:] + passages[:turn]
        edges = title, lead, bottom
        page = group.add_page('rotated', group.new_server(), content, edges)
        page.menu = ()
        pages.append(page)
    group.add_class(pages)


def _plan_filled_blank(group: PhraseGroup) -> None:
    """Plan pages of one host that differ in a word."""
    host, edges = group.new_server(), group.new_edges()
    before, after = group.new_passages(2, NEAR_LENGTH)
    group.add_class(
        [
            group.add_page('blanks-near', host, [before, name, after], edges)
            for name in group.new_passages(NEAR_PAGES, 1)
        ]
    )


def _plan_chain(group: PhraseGroup) -> None:
    """Plan pages that each differ in a word from the page before."""
    edges, fixed = group.new_edges(), group.new_passages(LINKS + 1, LINK_LENGTH)
    words = [group.new_passages(2, 1) for _ in range(LINKS)]
    pages = []
    for changed in range(LINKS + 1):
        content: list[Passage] = []
        for number, (old, new) in enumerate(words):
            content += [fixed[number], new if number < changed else old]
        content.append(fixed[-1])
        pages.append(group.add_page('chain', group.new_server(), content, edges))
    group.add_class(pages)
    group.pairs.append(Pair('chain-ends', pages[0], pages[-1]))
