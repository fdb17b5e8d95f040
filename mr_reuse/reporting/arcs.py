"""Who copied from whom as a drawing: names in a column, lines from source to copy.

The order of the names is the layout: a source is followed by its copies, and these by
theirs. So nothing is random, nothing overlaps, and it fits on a telephone.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from mr_reuse.reporting import inert
from mr_reuse.reporting.svg import path, picture, tag

ROW, HEAD = 24, 26
LANE, STUB, CURVE = 16, 22, 7  # widths: of a lane, of what leads out of it, of a turn
LINKS = 56  # width of the links on the right
LETTER, LETTERS = 7.9, 28  # width of a letter, letters of a name
NUMBER = 52
OPEN = 6  # pairs that are drawn without a direction
MORE = '\t'  # no site has this name
SURE = ('clear', 'weak', 'open', 'more')


class Node(NamedTuple):
    """A site in the column, or how many more there are."""

    name: str
    text: str
    shared: int = 0  # chunks that it has from its source


class Arc(NamedTuple):
    """From a source to a copy, and how sure that is: one of SURE."""

    source: int
    copy: int
    sure: str


class Graph(NamedTuple):
    """Sites from top to bottom, and arcs between their numbers."""

    nodes: list[Node]
    arcs: list[Arc]


def graph_of(sources: Sequence[tuple[str, int, Sequence[Any]]], pairs) -> Graph:
    """Sources with the number of their copies and some of the ties; ties that are open.

    >>> from mr_reuse.reporting.copying import Tie
    >>> def tie(here, there):
    ...     return Tie(here, there, 5, 0.5, 5, 5, 7, 'weak')
    >>> sources = [('a/', 9, [tie('b/', 'a/')]), ('b/', 1, [tie('c/', 'b/')])]
    >>> graph = graph_of(sources, [])
    >>> [node.text for node in graph.nodes]
    ['a/', 'b/', 'c/', '… and 8 more']
    >>> [arc[:2] for arc in graph.arcs]
    [(0, 1), (1, 2), (0, 3)]
    """
    copies = {name: (sites, ties) for name, sites, ties in sources}
    copied = {one.here for _, _, ties in sources for one in ties}
    graph = Graph([], [])
    seen: dict[str, int] = {}
    # The roots first; what is left then are circles, if there are any.
    for name in [n for n in copies if n not in copied] + list(copies):
        if name not in seen:
            _place(graph, seen, copies, name)
    both = {frozenset([one.here, one.there]): one for one in pairs}
    for one in list(both.values())[:OPEN]:
        ends = [
            _number(graph, seen, name, one.shared) for name in (one.there, one.here)
        ]
        graph.arcs.append(Arc(*ends, one.sure))
    return graph


def _number(graph: Graph, seen: dict[str, int], name: str, shared: int = 0) -> int:
    if name not in seen:
        seen[name] = len(graph.nodes)
        graph.nodes.append(Node(name, name, shared))
    return seen[name]


def _place(graph: Graph, seen: dict[str, int], copies: dict, root: str) -> None:
    """Put a source and all that comes from it into the column."""
    waiting: list[tuple[str, Any]] = [(root, None)]
    while waiting:
        name, tie = waiting.pop()
        if name == MORE:
            source, count = tie
            graph.arcs.append(Arc(seen[source], len(graph.nodes), 'more'))
            graph.nodes.append(Node(MORE, f'… and {count:,} more'))
            continue
        is_new = name not in seen
        number = _number(graph, seen, name, tie.shared if tie else 0)
        if tie:
            graph.arcs.append(Arc(seen[tie.there], number, tie.sure))
        if is_new and name in copies:
            sites, ties = copies[name]
            if sites > len(ties):
                waiting.append((MORE, (name, sites - len(ties))))
            waiting += [(one.here, one) for one in reversed(ties)]


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


def draw(graph: Graph, links: Iterable[Any]) -> Markup | None:
    """The graph as a picture; links are from one site of it to another."""
    if not graph.nodes:
        return None
    texts = [inert.middle(node.text, LETTERS) for node in graph.nodes]
    placed = spines(graph.arcs)
    start = LANE * (max((lane for _, lane in placed), default=0) + 1) + STUB
    numbers = start + int(LETTER * max(map(len, texts))) + NUMBER
    number_of = {node.name: n for n, node in enumerate(graph.nodes)}
    pairs = [(number_of[link.source], number_of[link.target]) for link in links]
    width = numbers + (LINKS if pairs else 6)
    told = (
        'Who copied from whom',
        'Sites in a column; a line leads from the one that had the chunks first to '
        'each that has them too. The table below says the same in words.',
    )
    copies = {arc.copy for arc in graph.arcs}
    return picture(
        'copies',
        (width, HEAD + ROW * len(graph.nodes) + 6),
        told,
        tag('text', 'chunks in common', x=numbers, y=12, class_='axis end'),
        *(tag('text', 'links', x=width, y=12, class_='axis end') for _ in pairs[:1]),
        *(
            piece
            for spine, lane in placed
            for piece in branches(spine, start, lane, spine.source in copies)
        ),
        *names(graph, texts, start + 6, numbers),
        *(link(*pair, numbers + 8) for pair in pairs),
    )


def names(
    graph: Graph, texts: Sequence[str], start: int, numbers: int
) -> Iterator[Markup]:
    """The column of names, and the chunks that each has from its source."""
    sources = {arc.source for arc in graph.arcs if arc.sure != 'open'}
    for number, (node, text) in enumerate(zip(graph.nodes, texts, strict=True)):
        kind = 'more' if node.name == MORE else 'source' if number in sources else ''
        said = {'y': place(number) + 4, 'class_': f'site {kind}'.rstrip()}
        yield tag('text', text, x=start, **said)
        if node.shared:
            said['class_'] = 'tick end'
            yield tag('text', f'{node.shared:,}', x=numbers, **said)


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
        if sure != 'open':
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
