"""A group of pages that share passages with each other only, and methods to plan them.

A crawl has one group or more, each with words and servers of its own.
"""

from collections.abc import Iterator
from itertools import count

from mr_reuse.synth import schedule
from mr_reuse.synth.planned.passages import Supply
from mr_reuse.synth.planned.planned_page import NAMES, PlannedPage, Server, make_server
from mr_reuse.synth.prose import MANNERS, draw, pick

BYTES_PER_GROUP, MAX_GROUPS = 50 * 10**6, 100


def group_count(size: int) -> int:
    """Return the number of groups of a crawl.

    >>> [group_count(size * 10**6) for size in (1, 50, 51, 10**5)]
    [1, 1, 2, 100]
    """
    return min(-(-size // BYTES_PER_GROUP), MAX_GROUPS)


class PageGroup:
    """Pages, planned one after the other by functions that call these methods.

    `name` is that of the random numbers. `marker` and `server` are the first ones of
    the group.
    """

    name = 'group'
    label = 'patch'  # in the names of hosts

    def __init__(self, seed: int, number: int, marker: int, server: int) -> None:
        self.seed, self.number = seed, number
        self.supply = Supply(seed, marker)
        self.servers: Iterator[int] = count(server)
        self.pages: list[PlannedPage] = []
        self.draws = count()

    def draw(self, limit: int) -> int:
        """Return a number below a limit that depends on the seed and on its turn."""
        bits = draw(4, self.seed, self.name, self.number, next(self.draws))
        return int.from_bytes(bits, 'big') % limit

    def new_server(self, within: str = '') -> Server:
        """Return a new server, with a name within its domain."""
        return make_server(next(self.servers), within, self.label)

    def new_url(self, server: Server, home: bool = False) -> str:
        """Return the URL of the next page, as the home page of the host if asked."""
        number = len(self.pages)
        name = f'{pick(MANNERS, self.draw(256))}-{pick(NAMES, self.draw(256))}'
        path = '' if home else f'{pick(NAMES, self.draw(256))}/{name}-{number}.html'
        return f'http://{server.host}/{path}'

    def order_pages(self, early_kinds: tuple[str, ...] = ()) -> list[PlannedPage]:
        """Order the pages by the time of their capture, and return them.

        Pages of some kinds are captured in the first third of the time.
        """
        for number, page in enumerate(self.pages):
            when = schedule.anytime(self.seed, self.name, self.number, number)
            third = schedule.SPAN // 3
            is_early = page.kind in early_kinds
            if early_kinds:
                page.second = when // 3 if is_early else third + when * 2 // 3
            else:
                page.second = when
            page.decoy = self.pages[number - 1].top[1]
        self.pages.sort(key=lambda page: page.second)
        for number, page in enumerate(self.pages):
            page.number = number
        return self.pages
