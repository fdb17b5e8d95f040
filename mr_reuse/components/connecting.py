"""Find the connected components of numbers, by as few jobs as the edges need.

One reducer joins the edges that fit into its memory. Before that, rounds of
`AlternateStars` reduce the number of edges. If they end with stars that are still too
many for one reducer, several sort them.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.components import edges, files, joining
from mr_reuse.components.jobs.alternate_stars import AlternateStars
from mr_reuse.components.jobs.connect_numbers import ConnectNumbers
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.shuffle import partitions

COUNTS = ('components', 'numbers', 'left_out', 'largest')


class Bounds(NamedTuple):
    """How much one task has in memory. No bound changes a component."""

    mapper: int = edges.MAX_EDGES  # edges
    reducer: int | None = None  # edges to join; None for `joining.max_edges`


BOUNDS = Bounds()


class Components(NamedTuple):
    """The components of numbers."""

    done: Done  # the step with their lines; its digest is for later steps
    file: str  # for tasks: see `files.map_components`
    # components: those of at least two numbers; numbers: those in components;
    # left_out: those that are not the smallest of their component; largest: the numbers
    # of the largest component. The number of tasks changes none of these.
    # edges: those that were read; rounds: the jobs that ran. It may change these.
    counts: dict[str, int]


class _Graph(NamedTuple):
    """Edges in the output of a step, and how many they are."""

    done: Done
    edges: int
    is_stars: bool = False  # around the smallest number of each component


def connect_numbers(
    chain: Chain,
    edge_step: Done,
    steps: tuple[RunStep, RunStep],
    total: int,
    bounds: Bounds = BOUNDS,
) -> Components:
    """Find the components of the edges that a step has written with `EdgeCollector`.

    `steps` are the rounds and the last step. All numbers are below `total`.
    """
    graph = _Graph(edge_step, edges.count_edges(edge_step.stats))
    first, most = graph.edges, bounds.reducer or joining.max_edges(total)
    rounds = 0
    while graph.edges > most and not graph.is_stars:
        rounds += 1
        graph = _alternate_stars(chain, graph, steps[0].in_round(rounds), bounds)
    done = _join_stars_or_all(chain, graph, steps[1], total, bounds)
    _remove_later_rounds(chain, steps[0], rounds)
    name = chain.run.temporary_name(f'{steps[1].folder}-components')
    parts = step_output.list_sound_parts(done.output)
    files.write_components(name, files.read_components(parts))
    counts = _count_stars(graph) if graph.is_stars else sum_counts(done.stats)
    return Components(done, name, {'edges': first, 'rounds': rounds + 1} | counts)


def _alternate_stars(
    chain: Chain, graph: _Graph, step: RunStep, bounds: Bounds
) -> _Graph:
    """Run a round of small stars and large stars."""
    done = chain.run_step(
        Step(
            step.folder,
            AlternateStars,
            {},
            lambda: [graph.done.output],
            graph.done.digest,
            unhashed={
                'bits': partitions.bits_for(2 * graph.edges, least=2),
                'most': bounds.mapper,
            },
        )
    )
    unsettled = sum(task[edges.STATS]['unsettled'] for task in done.stats if task)
    return _Graph(done, edges.count_edges(done.stats), is_stars=not unsettled)


def _join_stars_or_all(
    chain: Chain, graph: _Graph, step: RunStep, total: int, bounds: Bounds
) -> Done:
    """Run the last step: by one reducer, or by several if the edges are stars."""
    return chain.run_step(
        Step(
            step.folder,
            ConnectNumbers,
            # It is in the lines of the output.
            {'width': joining.choose_width(total)},
            lambda: [graph.done.output],
            graph.done.digest,
            unhashed={
                'edges': 'stars' if graph.is_stars else 'any',
                'total': total,
                'most': bounds.mapper,
            },
        )
    )


def _remove_later_rounds(chain: Chain, step: RunStep, rounds: int) -> None:
    """Remove the rounds of an earlier run that needed more of them."""
    while storage.is_dir(chain.run.join(step.in_round(rounds + 1).folder)):
        rounds += 1
        chain.run.reset_step(step.in_round(rounds).folder)


def _count_stars(graph: _Graph) -> dict[str, int]:
    """Return the counts of edges that are stars, from the statistics of their round."""
    counts = sum_counts(task[edges.STATS] for task in graph.done.stats if task)
    return counts | {
        'numbers': graph.edges + counts['components'],
        'left_out': graph.edges,
    }


def sum_counts(stats: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Add up the counts of tasks.

    >>> tasks = [{'components': 2, 'largest': 9}, {'components': 1, 'largest': 3}]
    >>> sum_counts(tasks)
    {'components': 3, 'numbers': 0, 'left_out': 0, 'largest': 9}
    """
    tasks = list(stats)
    counts = {name: sum(task.get(name, 0) for task in tasks) for name in COUNTS}
    largest = max((task.get('largest', 0) for task in tasks), default=0)
    return counts | {'largest': largest}
