"""A ring of a made crawl: sites that have copied a shop and link to each other."""

from functools import partial

from mr_reuse.synth import schedule
from mr_reuse.synth.key import Page, Planted, PlantedSite, Visit
from mr_reuse.synth.prose import MANNERS, THINGS, draw, pick, prose, title, topic
from mr_reuse.synth.sites import TOPICS, Plant, between_own_ends

SHOP = 'www.fernshop.example'
SITES, HUB_EVERY = 8, 4
POOL, SHELF = 24, 8  # products in all, and on a page of the shop


def host_of(number: int) -> str:
    """
    >>> host_of(0), host_of(9)
    ('amber-outlet-0.example', 'ancient-outlet-1.example')
    """
    number %= SITES
    return f'{pick(MANNERS, number)}-outlet-{number}.example'


def targets(number: int) -> tuple[str, ...]:
    """Where a site of the ring links to: to the next one, or to all others.

    >>> targets(1), len(targets(0))
    (('bright-outlet-2.example',), 7)
    """
    others = range(1, 2 if number % HUB_EVERY else SITES)
    return tuple(host_of(number + step) for step in others)


def product(seed: int, rank: int) -> bytes:
    """What the shop says of one of its products.

    >>> product(1, 0)[:38]
    b'<p class="product"><b>Slender kettle</'
    """
    bits = draw(11, seed, 'product', rank)
    name = f'{pick(MANNERS, bits[0])} {pick(THINGS, bits[1])}'.capitalize()
    text = prose(topic(seed, rank % TOPICS), bits[2:]).decode()
    return f'<p class="product"><b>{name}</b>, No. {rank}. {text}</p>\n'.encode()


def shop_page(pool: list[Planted], shelf: int) -> Page:
    """Some products where they were first."""
    url = f'http://{SHOP}/shelf/{shelf + 1}.html'
    chunks = pool[shelf * SHELF :][:SHELF]
    return between_own_ends(url, SHOP, f'Shelf {shelf + 1}', chunks)


def outlet_page(pool: list[Planted], number: int, serial: int) -> Page:
    """A page of the ring: all products but every fourth, and links."""
    host, bits = host_of(number), draw(3, SHOP, serial)
    url = f'http://{host}/sale/{pick(MANNERS, bits[0])}-{serial}.html'
    chunks = [chunk for k, chunk in enumerate(pool) if (k + serial) % 4]
    links = ', '.join(f'<a href="http://{to}/">{to}</a>' for to in targets(number))
    ring = f'<div class="ring">{url} is in the Outlet Ring; go on to {links}</div>\n'
    return between_own_ends(url, host, title(bits), chunks, ring.encode())


def visits(seed: int, copies: int, plant: Plant) -> list[Visit]:
    """All pages of the shop and of the ring."""
    pool = [plant('ring', product(seed, rank)) for rank in range(POOL)]
    shelves = range(POOL // SHELF)
    found = [
        (schedule.SHOP + shelf * schedule.STEP, partial(shop_page, pool, shelf))
        for shelf in shelves
    ]
    each = -(-copies * 4 // (3 * SITES))  # since every fourth leaves a product out
    for serial in range(SITES * each):
        number, page = divmod(serial, each)
        when = schedule.outlet(number, page)
        found.append((when, partial(outlet_page, pool, number, serial)))
    return found


def sites() -> list[PlantedSite]:
    """The shop, and who has copied it."""
    outlets = [
        PlantedSite(host_of(number), SHOP, targets(number)) for number in range(SITES)
    ]
    return [PlantedSite(SHOP), *outlets]
