"""The graph of sources and copies: names in a column, lines from source to copy.

The order of the names is the layout: a source is followed by its copies, each with its
own copies. So the layout is deterministic, nothing overlaps, and it fits on a phone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from markupsafe import Markup

from mr_reuse.report import inert
from mr_reuse.report.svg import path, picture, tag

# Sizes in pixels.
ROW, HEAD = 24, 26  # heights of a row and of the heading
LANE = 16  # width of the lane of a vertical line, on the left of the names
STUB = 22  # width between the lanes and the names
CURVE = 7  # radius of a turn
LINKS = 56  # width of the links on the right
RING, RADIUS = 34, 5  # width of the column of rings, radius of a mark
LETTER = 7.9  # mean width of a letter
NUMBER = 52  # width of the column of chunks in common
MAX_LETTERS = 28  # of a name
MAX_OPEN = 6  # pairs that are drawn without a direction
MAX_RIVALS = 4  # of a source
MORE = '\t'  # name of the nodes for omitted sites; no site has this name
OR = 'or '
EITHER = 'either'  # grade of an arc from a source to a rival
GRADES = ('named', 'clear', 'weak', EITHER, 'open', 'more')  # of arcs, the surest first


class Node(NamedTuple):
    """A site in the column, or the number of omitted sites."""

    name: str
    text: str
    shared: int = 0  # chunks that it has from its source
    kind: str = ''  # 'source' if that is certain, 'rival' of the source above, 'more'


class Arc(NamedTuple):
    """An arc from a source to a copy, with its grade of GRADES."""

    source: int
    copy: int
    sure: str


class Graph(NamedTuple):
    """Nodes from top to bottom, and arcs between their numbers."""

    nodes: list[Node]
    arcs: list[Arc]


def graph_of(sources: Sequence[Any], pairs: Iterable[Any]) -> Graph:
    """Build the graph of sources with their ties, and of pairs with an open order.

    >>> from mr_reuse.report.chunks.copying import Source
    >>> from mr_reuse.report.chunks.ties import Tie
    >>> def tie(here, there, sure='clear'):
    ...     return Tie(here, there, 5, 0.5, 5, 5, 7, sure)
    >>> a = Source('a/', 9, 9, 0.5, [tie('b/', 'a/')], [], [], [])
    >>> hint = [tie('d/', 'b/', 'weak')]
    >>> b = Source('b/', 1, 1, 0.5, [tie('c/', 'b/')], ['d/'], hint, [])
    >>> graph = graph_of([a, b], [tie('e/', 'd/', 'open')])
    >>> [(node.text, node.kind) for node in graph.nodes][:4]
    [('a/', 'source'), ('b/', ''), ('d/', 'rival'), ('c/', '')]
    >>> [node.text for node in graph.nodes][4:]
    ['… and 8 more', 'e/']
    >>> [arc[:2] for arc in graph.arcs], graph.arcs[1].sure
    ([(0, 1), (1, 2), (1, 3), (0, 4), (2, 5)], 'either')
    """
    by_name = {source.name: source for source in sources}
    copies = {tie.here for source in sources for tie in (*source.ties, *source.hints)}
    graph = Graph([], [])
    seen: dict[str, int] = {}
    # The roots first. Only cycles are left after that.
    for name in [n for n in by_name if n not in copies] + list(by_name):
        if name not in seen:
            _place(graph, seen, by_name, name)
    # Two bad sites may each have a tie to the other: one arc is enough.
    both = {frozenset([tie.here, tie.there]): tie for tie in pairs}
    for tie in list(both.values())[:MAX_OPEN]:
        ends = [
            _number(graph, seen, Node(name, name, tie.shared))
            for name in (tie.there, tie.here)
        ]
        graph.arcs.append(Arc(*ends, tie.sure))
    return graph


def _number(graph: Graph, seen: dict[str, int], node: Node) -> int:
    if node.name not in seen:
        seen[node.name] = len(graph.nodes)
        graph.nodes.append(node)
    return seen[node.name]


def _place(graph: Graph, seen: dict[str, int], sources: Mapping, root: str) -> None:
    """Append a source, its rivals and all of its copies to the column, depth first."""
    waiting: list[tuple[str, Any, str]] = [(root, None, '')]
    while waiting:
        name, tie, kind = waiting.pop()
        if name == MORE:
            source, count = tie
            if source:
                graph.arcs.append(Arc(seen[source], len(graph.nodes), 'more'))
            text = f'… and {count:,} more' if source else f'{count:,} more'
            graph.nodes.append(Node(MORE, text, kind=kind))
            continue
        is_new, source = name not in seen, sources.get(name)
        if source and not source.is_open and not kind:
            kind = 'source'
        shared = tie.shared if tie else 0
        number = _number(graph, seen, Node(name, name, shared, kind))
        if tie:
            sure = EITHER if kind == 'rival' else tie.sure
            graph.arcs.append(Arc(seen[tie.there], number, sure))
        if is_new and source:
            waiting += reversed(_below(source, seen))


def _below(source: Any, seen: Mapping[str, int]) -> list[tuple[str, Any, str]]:
    """List the rows below a source: rivals, copies, and counts of omitted ones."""
    drawn = [name for name in source.rivals if name not in seen][:MAX_RIVALS]
    hints = {tie.here: tie for tie in source.hints}
    rows = [(name, hints.get(name), 'rival') for name in drawn]
    if rest := len(source.rivals) - len(drawn):
        rows.append((MORE, ('', rest), 'rival'))
    rows += [(tie.here, tie, '') for tie in source.ties]
    if rest := source.sites - len(source.ties):
        rows.append((MORE, (source.name, rest), 'more'))
    return rows


class Spine(NamedTuple):
    """The vertical line of a source, with a branch to each copy."""

    source: int
    copies: list[tuple[int, str]]

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last row of the line."""
        rows = [self.source, *(copy for copy, _ in self.copies)]
        return min(rows), max(rows)

    @property
    def sure(self) -> str:
        """The grade of the surest copy."""
        return min((sure for _, sure in self.copies), key=GRADES.index)


def spines(arcs: Iterable[Arc]) -> list[tuple[Spine, int]]:
    """Make a spine for each source, and give each a lane in which it touches no other.

    >>> placed = spines([Arc(0, 1, 'weak'), Arc(0, 3, 'weak'), Arc(1, 2, 'clear')])
    >>> [(spine.source, spine.ends, lane) for spine, lane in placed]
    [(1, (1, 2), 0), (0, (0, 3), 1)]
    """
    by_source: dict[int, list[tuple[int, str]]] = {}
    for source, copy, sure in arcs:
        by_source.setdefault(source, []).append((copy, sure))
    # The short spines are next to the names, so that branches cross the fewest lines.
    ordered = [Spine(*item) for item in by_source.items()]
    ordered.sort(key=lambda spine: (spine.ends[1] - spine.ends[0], spine.ends))
    lanes: list[list[tuple[int, int]]] = []
    placed = []
    for spine in ordered:
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
    """Draw the graph, with links among its sites; None if it is empty.

    Sites in rings are marked, with the number of the ring if there are several.
    """
    if not graph.nodes:
        return None
    texts = [inert.middle(node.text, MAX_LETTERS) for node in graph.nodes]
    placed = spines(graph.arcs)
    start = LANE * (max((lane for _, lane in placed), default=0) + 1) + STUB
    numbers = start + int(LETTER * (max(map(len, texts)) + len(OR))) + NUMBER
    number_of = {node.name: n for n, node in enumerate(graph.nodes)}
    ringed = {number_of[name]: rings[name] for name in number_of.keys() & rings.keys()}
    right = numbers + (RING if ringed else 0)
    pairs = [(number_of[link.source], number_of[link.target]) for link in links]
    width = right + (LINKS if pairs else 6)
    is_named = any(arc.sure == 'named' for arc in graph.arcs)
    named = 'a source that you named, or ' if is_named else ''
    description = (
        'Who was captured first',
        f'Sites in a column. A line leads from {named}the site that was captured first '
        'to each site with the same chunks. The table below has the same data.',
    )
    copies = {arc.copy for arc in graph.arcs}
    heads = [('chunks in common', numbers), ('ring', right), ('links', width)]
    is_shown = True, bool(ringed), bool(pairs)
    return picture(
        'copies',
        (width, HEAD + ROW * len(graph.nodes) + 6),
        description,
        *(
            tag('text', text, x=x, y=12, class_='axis end')
            for text, x in compress(heads, is_shown)
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
    """Draw the names, and the numbers of chunks in common with the source."""
    for number, (node, text) in enumerate(zip(graph.nodes, texts, strict=True)):
        y = row_y(number) + 4
        kind = f'site {node.kind}'.rstrip()
        before = [tag('tspan', OR, class_='or')] if node.kind == 'rival' else []
        yield tag('text', *before, text, x=start, y=y, class_=kind)
        if node.shared:
            shared = f'{node.shared:,}'
            yield tag('text', shared, x=numbers, y=y, class_='tick end')


def mark(number: int, x: float, text: str) -> Markup:
    """Draw the mark of a site in a ring."""
    y = row_y(number)
    inside = [tag('circle', cx=x, cy=y, r=RADIUS + 2 * bool(text))]
    if text:
        inside.append(tag('text', text, x=x, y=y + 4, class_='middle'))
    return tag('g', *inside, class_='ring')


def row_y(number: int) -> float:
    """Return the y of the middle of a row."""
    return HEAD + ROW * (number + 0.5)


def branches(spine: Spine, start: int, lane: int, is_copy: bool) -> Iterator[Markup]:
    """Draw the line of a source with its branches; known directions have arrowheads."""
    x = start - STUB - LANE * (lane + 0.5)
    # A source that is a copy itself has an arrowhead in the middle of its row.
    begin = row_y(spine.source) + (5 if is_copy else 0)
    for copy, sure in spine.copies:
        end = row_y(copy)
        turn = CURVE if end > begin else -CURVE
        branch = [('M', x, end - turn), ('Q', x, end, x + CURVE, end), ('H', start - 6)]
        yield tag('path', d=path(branch), class_=f'arc {sure}')
        if sure not in ('open', EITHER):
            head = [('M', start, end), ('l', -8, -4), ('v', 8), ('z',)]
            yield tag('path', d=path(head), class_=f'head {sure}')
    ends = [row_y(copy) for copy, _ in spine.copies]
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
    """Draw a link on the right of two names, with a dot at its target."""
    a, b = row_y(source), row_y(target)
    # Long links bulge more, so that they do not cover short ones.
    wide = min(LINKS - 10, 10 + 1.5 * abs(b - a) ** 0.7)
    curve = [('M', start, a), ('C', start + wide, a, start + wide, b, start, b)]
    return tag(
        'g',
        tag('path', d=path(curve)),
        tag('circle', cx=start, cy=b, r=2),
        class_='link',
    )
