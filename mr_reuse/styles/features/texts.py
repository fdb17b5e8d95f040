"""The features of a style, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from mr_reuse.styles.features import shared

MAX_NAMES = 3  # of a kind in a line


def group_values(rows: Iterable[Any]) -> dict[str, list[str]]:
    """Group the values of the rows of a style by their kinds."""
    values: dict[str, list[str]] = {kind: [] for kind in shared.KINDS}
    for row in rows:
        values.setdefault(row.kind, []).append(row.value)
    return values


def describe_values(values: Mapping[str, list[str]]) -> str:
    """Describe a style in a line; '' if nothing describes it.

    >>> describe_values({'generator': ['Doxygen'], 'path': [], 'class': ['a', 'b'], \
'tag': ['nav']})
    'Doxygen, classes .a .b, tag <nav>'
    """
    parts = list(values[shared.GENERATOR])
    parts += (f'path {path}' for path in values[shared.PATH])
    for kind, noun, plural, form in (
        (shared.CLASS, 'class', 'classes', '.{}'),
        (shared.TAG, 'tag', 'tags', '<{}>'),
    ):
        names = values[kind][:MAX_NAMES]
        if names:
            text = ' '.join(map(form.format, names))
            parts.append(f'{noun if len(names) == 1 else plural} {text}')
    return ', '.join(parts)
