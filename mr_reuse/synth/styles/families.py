"""Pages of one style, and honest sites whose pages are of none, or of their own."""

from dataclasses import replace

from mr_reuse.synth.styles.pieces import Piece
from mr_reuse.synth.styles.style_group import Pair, StyleGroup

SITES, SITE_PAGES = 12, 3  # of a theme or framework, and pages of each site
TEMPLATE_SITES, TEMPLATE_PAGES = 20, 2
FARM_SITES, FARM_HOSTS = 30, ('', 'm.')  # hosts of a domain, with a page each
POOL, POOL_LENGTH = 24, 8  # pieces of a generator, and elements of each
POOL_SHARE = 18  # pieces of a page
MIRRORS = 12
PASTED = 10
CHAIN, CHAIN_LENGTH = 10, 8  # pages of a chain, elements of its pieces
WINDOW, STEP = 8, 2  # pieces of a page of the chain, and those that the next one lacks
ALONE = 20
SMALL = 6
RESEMBLANCES = 200, 250, 300, 350, 400, 500  # of pairs, in thousandths
PAIRS, PAIR_LENGTH = 12, 40  # of each resemblance, and elements that both pages have
# Elements of a page: of all pages of a template or theme, and of the page itself.
SHARED, OWN = 60, 20
FRAMEWORK, SITE_SHARED = 16, 50  # of all sites, and of the pages of a site


def plan_families(group: StyleGroup) -> None:
    """Plan all pages."""
    _plan_template(group, 'template', TEMPLATE_SITES, TEMPLATE_PAGES)
    _plan_template(group, 'theme', SITES, SITE_PAGES)
    _plan_farm(group)
    _plan_mirror(group)
    _plan_pasted(group)
    _plan_chain(group)
    _plan_framework(group)
    for _ in range(ALONE):
        group.add_page('alone', group.new_server(), group.new_pieces(1, SHARED + OWN))
    for _ in range(SMALL):
        group.add_page('small', group.new_server(), [])
    for resemblance in RESEMBLANCES:
        for _ in range(PAIRS):
            _plan_pair(group, resemblance)


def _put_between(shared: list[Piece], own: list[Piece]) -> list[Piece]:
    """Return pieces in turns.

    >>> _put_between(['a', 'b', 'c'], ['x', 'y'])
    ['a', 'x', 'b', 'y', 'c']
    """
    mixed = list(shared)
    for place, piece in enumerate(own):
        mixed.insert(2 * place + 1, piece)
    return mixed


def _plan_template(group: StyleGroup, kind: str, sites: int, pages: int) -> None:
    """Plan sites that use the same template, each page with markup of its own."""
    shared, style = group.new_pieces(3, SHARED // 3), group.new_style()
    for _ in range(sites):
        server = group.new_server()
        for _ in range(pages):
            own = group.new_pieces(2, OWN // 2)
            group.add_page(kind, server, _put_between(shared, own), style)


def _plan_farm(group: StyleGroup) -> None:
    """Plan a link farm, whose generator puts most pieces of a pool in any order."""
    pool, style = group.new_pieces(POOL, POOL_LENGTH), group.new_style()
    for _ in range(FARM_SITES):
        server = group.new_server()
        for within in FARM_HOSTS:
            rest, chosen = list(pool), []
            while len(chosen) < POOL_SHARE:
                chosen.append(rest.pop(group.draw(len(rest))))
            host = replace(server, host=within + server.domain)
            group.add_page('farm', host, chosen, style)


def _plan_mirror(group: StyleGroup) -> None:
    """Plan hosts with the same page."""
    shared, style = group.new_pieces(1, SHARED + OWN), group.new_style()
    words = f'mirror/{group.number}'
    for _ in range(MIRRORS):
        group.add_page('mirror', group.new_server(), shared, style, words)


def _plan_pasted(group: StyleGroup) -> None:
    """Plan pages of different templates into which the same markup was pasted."""
    [pasted], style = group.new_pieces(1, SHARED), group.new_style()
    for _ in range(PASTED):
        top, bottom = group.new_pieces(2, OWN)
        group.add_page('pasted', group.new_server(), [top, pasted, bottom], style)


def _plan_chain(group: StyleGroup) -> None:
    """Plan pages that each have most pieces of the one before; the ends share none."""
    pieces = group.new_pieces(WINDOW + STEP * (CHAIN - 1), CHAIN_LENGTH)
    style = group.new_style()
    pages = [
        group.add_page(
            'chain',
            group.new_server(),
            pieces[STEP * number : STEP * number + WINDOW],
            style,
        )
        for number in range(CHAIN)
    ]
    group.pairs += [Pair('chain', *pages[at : at + 2]) for at in range(CHAIN - 1)]
    group.pairs.append(Pair('chain-ends', pages[0], pages[-1]))


def _plan_framework(group: StyleGroup) -> None:
    """Plan sites of different templates that have a little markup in common."""
    [shared], first = group.new_pieces(1, FRAMEWORK), None
    for _ in range(SITES):
        server, style = group.new_server(), group.new_style()
        [site] = group.new_pieces(1, SITE_SHARED)
        for _ in range(SITE_PAGES):
            pieces = [shared, site, *group.new_pieces(1, OWN)]
            page = group.add_page('framework', server, pieces, style)
        if first:
            group.pairs.append(Pair('framework', first, page))
        first = first or page


def _plan_pair(group: StyleGroup, resemblance: int) -> None:
    """Plan two pages of different sites with a resemblance of so many thousandths."""
    own = PAIR_LENGTH * (1000 - resemblance) // (2 * resemblance)
    [shared], kind = group.new_pieces(1, PAIR_LENGTH), f'pair-{resemblance}'
    first, second = (
        group.add_page(kind, group.new_server(), [shared, piece])
        for piece in group.new_pieces(2, own)
    )
    group.pairs.append(Pair(kind, first, second))
