"""The section of curves: all documents by their similarity to a prototype."""

from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from mr_reuse.report.run import Run
from mr_reuse.report.styles import plots
from mr_reuse.report.styles.facts import Facts, damaged
from mr_reuse.styles.gaps import Gap, find_gaps
from mr_reuse.styles.style_tables import STYLE_CURVES, STYLES

MAX_CURVES = 4
MAX_GAPS = 3  # of a curve


class Curve(NamedTuple):
    """The curve of a style."""

    row: Any  # of the style
    figure: Markup
    gaps: list[Gap]
    near: int  # documents that are alike the prototype


def section(run: Run, facts: Facts) -> dict[str, Any] | None:
    """Return the curves with their gaps; None without a style."""
    if not run.has(STYLE_CURVES):
        return None
    points = read_curves(run)
    rows = {row.style: row for row in run.first_rows(STYLES) if row.style in points}
    least = facts.options['t'] / facts.options['m']
    curves = [
        draw_curve(rows[style], found, least)
        for style, found in points.items()
        if style in rows
    ]
    return {'curves': curves, 'least': least} if curves else None


def read_curves(run: Run) -> dict[int, list[tuple[float, int]]]:
    """Read the similarities of each curve, with their numbers of documents."""
    found: dict[int, list[tuple[float, int]]] = {}
    for style, rows in groupby(run.rows(STYLE_CURVES), lambda row: row.style):
        if len(found) == MAX_CURVES:
            break
        try:
            found[style] = [(float(row.similarity), row.documents) for row in rows]
        except ValueError:
            raise damaged(run, STYLE_CURVES) from None
        if not all(0 <= similarity <= 1 for similarity, _ in found[style]):
            raise damaged(run, STYLE_CURVES)
    return found


def draw_curve(row: Any, points: list[tuple[float, int]], least: float) -> Curve:
    """Draw a curve, and mark its greatest gaps."""
    gaps = find_gaps(points, MAX_GAPS)
    near = sum(documents for similarity, documents in points if similarity >= least)
    figure = plots.draw_curve(f'style-curve-{row.style}', points, gaps, least)
    return Curve(row, figure, gaps, near)
