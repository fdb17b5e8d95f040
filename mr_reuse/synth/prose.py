"""Readable nonsense from a seed, the same on every machine and Python.

The source of randomness is SHAKE-256 of a name, since the methods of `random.Random`
may change from one Python version to the next.
"""

import functools
import hashlib
from operator import getitem

PEOPLE = (
    'archivist baker beekeeper botanist builder captain carpenter clerk composer cook'
    ' cyclist doctor editor engineer farmer ferryman fisherman gardener geologist guide'
    ' historian janitor judge librarian locksmith mayor mechanic miller musician nurse'
    ' painter photographer pilot poet postman potter printer ranger reader sailor'
    ' scholar sculptor singer student surveyor tailor teacher traveller vet visitor'
    ' volunteer watchmaker weaver winemaker writer'
).split()
THINGS = (
    'almanac anchor apple archive atlas autumn badge barn basket bell bicycle blanket'
    ' boat bridge brush cabin café calendar camera canal candle castle chapel clock'
    ' coast compass copper cottage diary drum façade feather festival field fiddle'
    ' forest fountain garden gate glass guitar hammer harbour harvest hedge hill island'
    ' journal kettle ladder lake lantern letter lighthouse map market meadow mill'
    ' mirror mountain museum needle oak oven paddle path pepper piano pond quarry radio'
    ' railway recipe river road roof saddle school shelf song spring station stone'
    ' storm tea teapot theatre ticket tower trail train valley village violin wagon'
    ' wall well wheel window winter wool yard'
).split()
MANNERS = (
    'amber ancient bright broad careful cheerful clever cold distant early empty famous'
    ' faithful forgotten gentle golden green heavy hidden hollow honest humble idle'
    ' late little lonely lucky modest narrow northern old painted patient plain proud'
    ' quiet rapid restless rural rusty salty shallow silver simple slender southern'
    ' stubborn sunny tall timid tired upper useful velvet warm western wide wild wooden'
    ' young'
).split()
DEEDS = (
    'admired borrowed bought carried cleaned copied counted described discovered drew'
    ' exchanged explained finished found guarded hid inherited kept lent lost measured'
    ' mended moved noticed opened ordered painted photographed planned praised printed'
    ' remembered repaired restored returned saved sketched sold studied traded visited'
    ' weighed'
).split()
ADVERBS = (
    'again always barely finally gladly hardly never often once rarely soon'.split()
)
PLACES = (
    'after the rain;at dusk;before breakfast;beyond the river;by the old road;during'
    ' the fair;for a neighbour;in the hills;near the harbour;next to the station;on'
    ' market day;outside the town;under the bridge;with great care;without a map'
).split(';')
OPENERS = 'A Another Every One Our Some That The Their This'.split()

LINK_EVERY = 16  # on average, one sentence in so many has a link


def draw(size: int, *name: object) -> bytes:
    """Return bytes that depend on the name only. A longer draw extends a shorter one.

    >>> draw(4, 1, 'page', 7).hex()
    'db977a4b'
    >>> draw(2, 1, 'page', 7).hex()
    'db97'
    """
    return hashlib.shake_256('/'.join(map(str, name)).encode()).digest(size)


def pick(words: list[str], number: int) -> str:
    """Return the word at an index, modulo the number of words.

    >>> pick(['oak', 'pond'], 5)
    'pond'
    """
    return words[number % len(words)]


@functools.cache
def topic(seed: int, number: int) -> list[list[bytes]]:
    """Return tables of beginnings, middles and ends of sentences, for `prose`.

    Each table has 256 entries. The three tables are repeated for 16 sentences.

    >>> prose(topic(1, 0), bytes([0, 1, 2]))
    b'A bright judge barely weighed the sunny bicycle beyond the river. '
    """
    draws = [draw(5, seed, 'topic', number, entry) for entry in range(256)]
    starts = [
        f'{pick(OPENERS, a)} {pick(MANNERS, b)} {pick(PEOPLE, c)} '
        for a, b, c, _, _ in draws
    ]
    middles = [f'{pick(ADVERBS, e)} {pick(DEEDS, d)} ' for _, _, _, d, e in draws]
    ends = [_end_of_sentence(*numbers) for *numbers, _ in draws]
    return [[text.encode() for text in table] for table in (starts, middles, ends)] * 16


def _end_of_sentence(a: int, b: int, c: int, d: int) -> str:
    manner, thing = pick(MANNERS, a), pick(THINGS, b)
    if d % LINK_EVERY == 0:
        thing = f'<a href="/{manner}/{thing}.html">{thing}</a>'
    return f'the {manner} {thing} {pick(PLACES, c)}. '


def prose(tables: list[list[bytes]], bits: bytes) -> bytes:
    """Return a sentence for each three bytes, up to 16 sentences.

    >>> prose([[b'We '], [b'like '], [b'tea. ']] * 16, bytes(6))
    b'We like tea. We like tea. '
    """
    return b''.join(map(getitem, tables, bits))


def title(bits: bytes) -> str:
    """Return a heading that depends on the first three bytes.

    >>> title(bytes(3))
    'The amber almanac of the archivist'
    """
    a, b, c = bits[:3]
    return f'The {pick(MANNERS, a)} {pick(THINGS, b)} of the {pick(PEOPLE, c)}'
