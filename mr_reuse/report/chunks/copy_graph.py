"""Who copied from whom as a drawing: names in a column, lines from source to copy.

The order of the names is the layout: a source is followed by its copies, and these by
theirs. So nothing is random, nothing overlaps, and it fits on a telephone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from markupsafe import Markup

from mr_reuse.report import inert
from mr_reuse.report.svg import path, picture, tag

ROW, HEAD = 24, 26
LANE, STUB, CURVE = 16, 22, 7  # widths: of a lane, of what leads out of it, of a turn
LINKS = 56  # width of the links on the right
RING, ROUND = 34, 5  # width of the marks of rings, and how large one is
LETTER, LETTERS = 7.9, 28  # width of a letter, letters of a name
NUMBER = 52
OPEN = 6  # pairs that are drawn without a direction
RIVALS = 4  # of a source
MORE = '\t'  # no site has this name
OR = 'or '
EITHER = 'either'  # a hint, from a source to one that may be the source as well
SURE = ('clear', 'weak', EITHER, 'open', 'more')


class Node(NamedTuple):
    """A site in the column, or how many more there are."""

    name: str
    text: str
    shared: int = 0  # chunks that it has from its source
    kind: str = ''  # 'source' where that is clear; 'rival' of the one above; 'more'


class Arc(NamedTuple):
    """From a source to a copy, and how sure that is: one of SURE."""

    source: int
    copy: int
    sure: str


class Graph(NamedTuple):
    """Sites from top to bottom, and arcs between their numbers."""

    nodes: list[Node]
    arcs: list[Arc]


def graph_of(sources: Sequence[Any], pairs: Iterable[Any]) -> Graph:
    """Sources with some of their ties; ties that are open.

    >>> from mr_reuse.report.chunks.copying import Source
    >>> from mr_reuse.report.chunks.ties import Tie
    >>> def tie(here, there, sure='clear'):
    ...     return Tie(here, there, 5, 0.5, 5, 5, 7, sure)
    >>> one = Source('a/', 9, 9, 0.5, [tie('b/', 'a/')], [], [], [])
    >>> hint = [tie('d/', 'b/', 'weak')]
    >>> two = Source('b/', 1, 1, 0.5, [tie('c/', 'b/')], ['d/'], hint, [])
    >>> graph = graph_of([one, two], [tie('e/', 'd/', 'open')])
    >>> [(node.text, node.kind) for node in graph.nodes][:4]
    [('a/', 'source'), ('b/', ''), ('d/', 'rival'), ('c/', '')]
    >>> [node.text for node in graph.nodes][4:]
    ['… and 8 more', 'e/']
    >>> [arc[:2] for arc in graph.arcs], graph.arcs[1].sure
    ([(0, 1), (1, 2), (1, 3), (0, 4), (2, 5)], 'either')
    """
    by_name = {one.name: one for one in sources}
    copied = {tie.here for one in sources for tie in (*one.ties, *one.hints)}
    graph = Graph([], [])
    seen: dict[str, int] = {}
    # The roots first; what is left then are circles, if there are any.
    for name in [n for n in by_name if n not in copied] + list(by_name):
        if name not in seen:
            _place(graph, seen, by_name, name)
    both = {frozenset([one.here, one.there]): one for one in pairs}
    for one in list(both.values())[:OPEN]:
        ends = [
            _number(graph, seen, Node(name, name, one.shared))
            for name in (one.there, one.here)
        ]
        graph.arcs.append(Arc(*ends, one.sure))
    return graph


def _number(graph: Graph, seen: dict[str, int], node: Node) -> int:
    if node.name not in seen:
        seen[node.name] = len(graph.nodes)
        graph.nodes.append(node)
    return seen[node.name]


def _place(graph: Graph, seen: dict[str, int], sources: Mapping, root: str) -> None:
    """Put a source, its rivals and all that comes from it into the column."""
    waiting: list[tuple[str, Any, str]] = [(root, None, '')]
    while waiting:
        name, tie, kind = waiting.pop()
        if name == MORE:
            source, count = tie
            if source:
                graph.arcs.append(Arc(seen[source], len(graph.nodes), 'more'))
            said = f'… and {count:,} more' if source else f'{count:,} more'
            graph.nodes.append(Node(MORE, said, kind=kind))
            continue
        is_new, one = name not in seen, sources.get(name)
        if one and not one.rivals and one.clear and not kind:
            kind = 'source'
        shared = tie.shared if tie else 0
        number = _number(graph, seen, Node(name, name, shared, kind))
        if tie:
            sure = EITHER if kind == 'rival' else tie.sure
            graph.arcs.append(Arc(seen[tie.there], number, sure))
        if is_new and one:
            waiting += reversed(_below(one, seen))


def _below(one: Any, seen: Mapping[str, int]) -> list[tuple[str, Any, str]]:
    """What comes below a source: its rivals, then its copies, and how many more."""
    drawn = [name for name in one.rivals if name not in seen][:RIVALS]
    hints = {tie.here: tie for tie in one.hints}
    found = [(name, hints.get(name), 'rival') for name in drawn]
    if rest := len(one.rivals) - len(drawn):
        found.append((MORE, ('', rest), 'rival'))
    found += [(tie.here, tie, '') for tie in one.ties]
    if one.sites > len(one.ties):
        found.append((MORE, (one.name, one.sites - len(one.ties)), 'more'))
    return found


class Spine(NamedTuple):
    """A source with all of its copies: a line down the column that branches off."""

    source: int
    copies: list[tuple[int, str]]

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last row that it reaches."""
        rows = [self.source, *(copy for copy, _ in self.copies)]
        return min(rows), max(rows)

    @property
    def sure(self) -> str:
        """How sure the surest of its copies is."""
        return min((sure for _, sure in self.copies), key=SURE.index)


def spines(arcs: Iterable[Arc]) -> list[tuple[Spine, int]]:
    """A spine for each source, and in which lane it runs: none touch each other.

    >>> found = spines([Arc(0, 1, 'weak'), Arc(0, 3, 'weak'), Arc(1, 2, 'clear')])
    >>> [(spine.source, spine.ends, lane) for spine, lane in found]
    [(1, (1, 2), 0), (0, (0, 3), 1)]
    """
    by_source: dict[int, list[tuple[int, str]]] = {}
    for source, copy, sure in arcs:
        by_source.setdefault(source, []).append((copy, sure))
    found = [Spine(*item) for item in by_source.items()]
    lanes: list[list[tuple[int, int]]] = []
    placed = []
    # The short ones next to the names, so that they are crossed least.
    for spine in sorted(found, key=lambda one: (one.ends[1] - one.ends[0], one.ends)):
        low, high = spine.ends
        free = (all(b < low or high < a for a, b in lane) for lane in lanes)
        lane = next((number for number, is_free in enumerate(free) if is_free), None)
        if lane is None:
            lane = len(lanes)
            lanes.append([])
        lanes[lane].append(spine.ends)
        placed.append((spine, lane))
    return placed


def draw(graph: Graph, links: Iterable[Any], rings: Mapping[str, int]) -> Markup | None:
    """The graph as a picture; links are from one site of it to another.

    Sites that link to each other in a ring are marked, by its number if there are more.
    """
    if not graph.nodes:
        return None
    texts = [inert.middle(node.text, LETTERS) for node in graph.nodes]
    placed = spines(graph.arcs)
    start = LANE * (max((lane for _, lane in placed), default=0) + 1) + STUB
    numbers = start + int(LETTER * (max(map(len, texts)) + len(OR))) + NUMBER
    number_of = {node.name: n for n, node in enumerate(graph.nodes)}
    ringed = {number_of[name]: rings[name] for name in number_of.keys() & rings.keys()}
    right = numbers + (RING if ringed else 0)
    pairs = [(number_of[link.source], number_of[link.target]) for link in links]
    width = right + (LINKS if pairs else 6)
    told = (
        'Who copied from whom',
        'Sites in a column; a line leads from the one that had the chunks first to '
        'each that has them too. The table below says the same in words.',
    )
    copies = {arc.copy for arc in graph.arcs}
    heads = [('chunks in common', numbers), ('ring', right), ('links', width)]
    is_there = True, bool(ringed), bool(pairs)
    return picture(
        'copies',
        (width, HEAD + ROW * len(graph.nodes) + 6),
        told,
        *(
            tag('text', text, x=x, y=12, class_='axis end')
            for text, x in compress(heads, is_there)
        ),
        *(
            piece
            for spine, lane in placed
            for piece in branches(spine, start, lane, spine.source in copies)
        ),
        *names(graph, texts, start + 6, numbers),
        *(
            mark(number, right - 10, f'{ring}' if len({*rings.values()}) > 1 else '')
            for number, ring in sorted(ringed.items())
        ),
        *(link(*pair, right + 8) for pair in pairs),
    )


def names(
    graph: Graph, texts: Sequence[str], start: int, numbers: int
) -> Iterator[Markup]:
    """The column of names, and the chunks that each has from its source."""
    for number, (node, text) in enumerate(zip(graph.nodes, texts, strict=True)):
        said = {'y': place(number) + 4, 'class_': f'site {node.kind}'.rstrip()}
        before = [tag('tspan', OR, class_='or')] if node.kind == 'rival' else []
        yield tag('text', *before, text, x=start, **said)
        if node.shared:
            said['class_'] = 'tick end'
            yield tag('text', f'{node.shared:,}', x=numbers, **said)


def mark(number: int, x: float, text: str) -> Markup:
    """The mark of a site that is in a ring."""
    y = place(number)
    inside = [tag('circle', cx=x, cy=y, r=ROUND + 2 * bool(text))]
    if text:
        inside.append(tag('text', text, x=x, y=y + 4, class_='middle'))
    return tag('g', *inside, class_='ring')


def place(number: int) -> float:
    """How far down the middle of a row is."""
    return HEAD + ROW * (number + 0.5)


def branches(spine: Spine, start: int, lane: int, is_copy: bool) -> Iterator[Markup]:
    """The line of a source, and a branch to each copy, with a head if that is known."""
    x = start - STUB - LANE * (lane + 0.5)
    # What is a copy itself has an arrow in the middle of its row already.
    begin = place(spine.source) + (5 if is_copy else 0)
    for copy, sure in spine.copies:
        end = place(copy)
        turn = CURVE if end > begin else -CURVE
        branch = [('M', x, end - turn), ('Q', x, end, x + CURVE, end), ('H', start - 6)]
        yield tag('path', d=path(branch), class_=f'arc {sure}')
        if sure not in ('open', EITHER):
            head = [('M', start, end), ('l', -8, -4), ('v', 8), ('z',)]
            yield tag('path', d=path(head), class_=f'head {sure}')
    ends = [place(copy) for copy, _ in spine.copies]
    if max(ends) > begin:
        down = [
            ('M', start, begin),
            ('H', x + CURVE),
            ('Q', x, begin, x, begin + CURVE),
        ]
        down.append(('V', max(max(ends) - CURVE, begin + CURVE)))
        yield tag('path', d=path(down), class_=f'arc {spine.sure}')
    if min(ends) < begin:
        up = [('M', start, begin), ('H', x + CURVE), ('Q', x, begin, x, begin - CURVE)]
        up.append(('V', min(min(ends) + CURVE, begin - CURVE)))
        yield tag('path', d=path(up), class_=f'arc {spine.sure}')


def link(source: int, target: int, start: float) -> Markup:
    """A link on the right of two names, with a dot where it leads."""
    a, b = place(source), place(target)
    wide = min(LINKS - 10, 10 + 1.5 * abs(b - a) ** 0.7)
    curve = [('M', start, a), ('C', start + wide, a, start + wide, b, start, b)]
    return tag(
        'g',
        tag('path', d=path(curve)),
        tag('circle', cx=start, cy=b, r=2),
        class_='link',
    )
