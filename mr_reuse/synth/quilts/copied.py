"""Pages with passages of originals: quilts of several kinds, and near misses."""

from collections.abc import Sequence
from dataclasses import replace

from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage, Server
from mr_reuse.synth.quilts.holders import TWINS
from mr_reuse.synth.quilts.quilt_group import QuiltGroup

ORIGINALS, POSTS, BORROWERS = 10, 6, 5
# Words. With so many more, half of a page is always longer than all its other parts.
LONGER = 20
# The same address in two spellings, of servers of different domains.
SHARED_ADDRESS = '2001:db8::50:{}', '2001:0db8:0:0:0:0:0050:{}'


def plan_copied(group: QuiltGroup, notice: Passage) -> None:
    """Plan originals and all pages that copy from them.

    `notice` is a passage of too many pages.
    """
    originals = [
        group.add_page('original', group.new_server()) for _ in range(ORIGINALS)
    ]
    _plan_spam(group, originals, notice)
    _plan_with_own_sources(group, originals)
    _plan_on_shared_address(group, originals)
    _plan_aggregators(group, originals)
    _plan_near_alpha(group, originals, notice)
    _plan_near_c(group, originals)
    _plan_twins(group, originals)
    _plan_widely_copied(group)
    _plan_blogs(group)


def _excerpts(
    group: QuiltGroup, originals: Sequence[PlannedPage], longer: int = 0
) -> list[Passage]:
    return [group.add_excerpt(original, longer) for original in originals]


def _plan_spam(
    group: QuiltGroup, originals: list[PlannedPage], notice: Passage
) -> None:
    """Plan three pages of a host that copies from others, with and without own words.

    The third one has two passages of each source.
    """
    host = group.new_server('www.')
    group.add_page('spam', host, _excerpts(group, originals[:6]))
    spaced = group.put_spaces([*_excerpts(group, originals[1:]), notice])
    group.add_page('spam', host, spaced)
    twice = _excerpts(group, originals[:5]) + _excerpts(group, originals[:5])
    group.add_page('spam', host, group.put_spaces(twice))


def _plan_with_own_sources(group: QuiltGroup, originals: list[PlannedPage]) -> None:
    """Plan pages with two sources on their own host, and three or four on others."""
    for foreign in (3, 4):
        home = originals[foreign].server
        own = [group.add_page('original', home) for _ in range(2)]
        others = originals[5 : 5 + foreign]
        passages = group.put_spaces(_excerpts(group, [*own, *others]))
        group.add_page(f'own-sources-{foreign}', home, passages)


def _plan_on_shared_address(group: QuiltGroup, originals: list[PlannedPage]) -> None:
    """Plan a page with the IP address of one of its four sources, and one without."""
    short, long = (spelled.format(group.number) for spelled in SHARED_ADDRESS)
    neighbor = group.add_page('original', replace(group.new_server(), address=short))
    server = replace(group.new_server(), address=long)
    group.add_page('same-ip', server, _excerpts(group, [*originals[:3], neighbor]))
    unknown = replace(group.new_server(), address='')
    sources = [*originals[:3], group.add_page('original', unknown)]
    same_domain = replace(unknown, host=f'www.{unknown.domain}')
    group.add_page('no-ip', same_domain, _excerpts(group, [*sources, originals[4]]))


def _plan_aggregators(group: QuiltGroup, originals: list[PlannedPage]) -> None:
    """Plan two pages of passages of seven others, one of them with links."""
    for kind in ('aggregator', 'aggregator-links'):
        sources = originals[:7]
        passages = group.put_spaces(_excerpts(group, sources))
        page = group.add_page(kind, group.new_server(), passages)
        if kind == 'aggregator-links':
            # One for each passage: none for those between the excerpts.
            page.links = tuple(link for source in sources for link in (source.url, ''))


def _plan_near_alpha(
    group: QuiltGroup, originals: list[PlannedPage], notice: Passage
) -> None:
    """Plan pages whose patch fraction is below, exactly at, and above alpha.

    The number of grams differs by one.
    """
    for kind, more in (('alpha-below', 1), ('alpha-exact', 0), ('alpha-above', -1)):
        excerpts = _excerpts(group, originals[:8], longer=LONGER)
        passages = group.put_spaces([*excerpts, notice])
        page = group.add_page(kind, group.new_server(), passages)
        group.set_grams(page, 2 * sum(excerpt.grams for excerpt in excerpts) + more)


def _plan_near_c(group: QuiltGroup, originals: list[PlannedPage]) -> None:
    """Plan pages of three and of four sources."""
    for sources in (3, 4):
        passages = _excerpts(group, originals[:sources])
        group.add_page(
            f'sources-{sources}', group.new_server(), group.put_spaces(passages)
        )


def _plan_twins(group: QuiltGroup, originals: list[PlannedPage]) -> None:
    """Plan a quilt twice on a host. Only without its twin it has several sources."""
    host = group.new_server()
    passages = group.put_spaces(_excerpts(group, originals[5:]))
    for _ in range(2):
        group.add_page('twin', host, passages).design = TWINS


def _plan_widely_copied(group: QuiltGroup) -> None:
    """Plan an original of which five pages copy nearly all, a passage each.

    The original is quilted. Grams do not show who copied.
    """
    passages = [group.shared_passage(longer=2 * LONGER) for _ in range(BORROWERS)]
    group.add_page('copied', group.new_server(), group.put_spaces(passages, own=1))
    for passage in passages:
        page = group.add_page('borrower', group.new_server(), [passage])
        group.set_grams(page, 2 * passage.grams - group.draw(3))


def _plan_blogs(group: QuiltGroup) -> None:
    """Plan home pages with passages of their posts.

    The posts of the second blog are on another host, with another address.
    """
    one, two = group.new_server(), group.new_server('www.')
    archive = Server(f'archive.{two.domain}', two.domain, group.new_server().address)
    blogs = ('home', one, one), ('home-other-host', two, archive)
    for kind, home, place in blogs:
        posts = [group.add_page('post', place) for _ in range(POSTS)]
        passages = group.put_spaces(_excerpts(group, posts))
        group.add_page(kind, home, passages, home=True)
