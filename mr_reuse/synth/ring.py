"""A ring in a synthetic crawl: sites that copied a shop and link to each other."""

from functools import partial

from mr_reuse.synth import schedule
from mr_reuse.synth.key import Page, Planted, PlantedSite, Visit
from mr_reuse.synth.prose import MANNERS, THINGS, draw, pick, prose, title, topic
from mr_reuse.synth.sites import TOPICS, Plant, between_own_ends

SHOP = 'www.fernshop.example'
SITES, HUB_EVERY = 8, 4  # every fourth site links to all others
POOL, SHELF = 24, 8  # products in total, and on a page of the shop


def host_of(number: int) -> str:
    """Return the host of a site of the ring. The numbers are modulo SITES.

    >>> host_of(0), host_of(9)
    ('amber-outlet-0.example', 'ancient-outlet-1.example')
    """
    number %= SITES
    return f'{pick(MANNERS, number)}-outlet-{number}.example'


def targets(number: int) -> tuple[str, ...]:
    """Return the sites that a site links to: the next one, or all others.

    >>> targets(1), len(targets(0))
    (('bright-outlet-2.example',), 7)
    """
    others = range(1, 2 if number % HUB_EVERY else SITES)
    return tuple(host_of(number + step) for step in others)


def product(seed: int, rank: int) -> bytes:
    """Return the description of a product of the shop.

    >>> product(1, 0)[:38]
    b'<p class="product"><b>Slender kettle</'
    """
    bits = draw(11, seed, 'product', rank)
    name = f'{pick(MANNERS, bits[0])} {pick(THINGS, bits[1])}'.capitalize()
    text = prose(topic(seed, rank % TOPICS), bits[2:]).decode()
    return f'<p class="product"><b>{name}</b>, No. {rank}. {text}</p>\n'.encode()


def shop_page(pool: list[Planted], shelf: int) -> Page:
    """Return a page of the shop, with the original descriptions."""
    url = f'http://{SHOP}/shelf/{shelf + 1}.html'
    chunks = pool[shelf * SHELF :][:SHELF]
    return between_own_ends(url, SHOP, f'Shelf {shelf + 1}', chunks)


def outlet_page(pool: list[Planted], number: int, serial: int) -> Page:
    """Return a page of the ring: all products but every fourth, and links."""
    host, bits = host_of(number), draw(3, SHOP, serial)
    url = f'http://{host}/sale/{pick(MANNERS, bits[0])}-{serial}.html'
    chunks = [chunk for k, chunk in enumerate(pool) if (k + serial) % 4]
    links = ', '.join(f'<a href="http://{to}/">{to}</a>' for to in targets(number))
    ring = f'<div class="ring">{url} is in the Outlet Ring; go on to {links}</div>\n'
    return between_own_ends(url, host, title(bits), chunks, ring.encode())


def visits(seed: int, copies: int, plant: Plant) -> list[Visit]:
    """Return visits to all pages of the shop and the ring."""
    pool = [plant('ring', product(seed, rank)) for rank in range(POOL)]
    shelves = range(POOL // SHELF)
    planned = [
        (schedule.SHOP + shelf * schedule.STEP, partial(shop_page, pool, shelf))
        for shelf in shelves
    ]
    # Every fourth page omits a product.
    pages_per_site = -(-copies * 4 // (3 * SITES))
    for serial in range(SITES * pages_per_site):
        number, page = divmod(serial, pages_per_site)
        when = schedule.outlet(number, page)
        planned.append((when, partial(outlet_page, pool, number, serial)))
    return planned


def sites() -> list[PlantedSite]:
    """Return the shop, and the sites that copied it."""
    outlets = [
        PlantedSite(host_of(number), SHOP, targets(number)) for number in range(SITES)
    ]
    return [PlantedSite(SHOP), *outlets]
