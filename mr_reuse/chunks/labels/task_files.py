"""Files that tasks read: labels, stop lists, Bloom filters of labels.

A job that runs by itself (`engine/standalone.py`) makes its files with `prepare_join`
and `write_stop_list`, from names that the user typed.
"""

from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.discover.label_counts import LabelCounts
from mr_reuse.chunks.labels import hash_lists, label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import part_files
from mr_reuse.errors import UsageError, UserError
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.storage import naming

BLOOM_RATE = 0.01  # false positive rate of the Bloom filter of `--join bloom`
JOINS = ('map', 'reduce', 'bloom')


def write_bloom(name: str, labels: Labels) -> None:
    """Write a Bloom filter of all labels."""
    bloom = Bloom(labels.label_count, BLOOM_RATE)
    bloom.add(labels.chunks).add(labels.files)
    with storage.write(name) as stream:
        stream.write(bloom.data)


def write_stop_list(name: str, stop_list: str, recipe: Recipe) -> None:
    """Write a list of stop chunks as a label file."""
    stop = hash_lists.load(stop_list, recipe)
    with storage.write(name) as stream:
        label_files.write(stream, (recipe, 0), [0, 0, len(stop)], [stop])


def prepare_join(
    folder: str, labels: str | None, stop_list: str | None, join: str
) -> dict[str, Any]:
    """Write the files of MatchLabeled into a folder; return its options.

    `labels` is the output of FilterStopChunks, a label file or a run. `stop_list` is
    the list that FilterStopChunks had: its output has only the length of the list.
    """
    if not labels:
        raise UsageError('--labels: missing; name the output of FilterStopChunks')
    copy = naming.join(folder, 'known.mrl')
    options = {'labels': copy, 'stop': None, 'join': join}
    parts = storage.list_part_names(labels) if storage.is_dir(labels) else []
    if parts:
        _write_labels(copy, labels, parts, stop_list)
        known = label_files.load(copy)
    elif stop_list:
        raise UsageError(f'--stop: {labels} has a stop list; omit this option')
    else:
        known = label_files.load(labels)  # verifies it, since tasks trust it
        storage.make_alias(label_files.resolve_name(labels), copy)
    if join == 'bloom':
        bloom = naming.join(folder, 'labels.maybe')
        write_bloom(bloom, known)
        options |= {'join': 'reduce', 'maybe': bloom, 'rate': BLOOM_RATE}
    return options


def _write_labels(
    name: str, folder: str, parts: list[str], stop_list: str | None
) -> None:
    """Write a label file from the output of FilterStopChunks."""
    stats = storage.map_names(part_files.read_stats, parts)
    made_with = next((task['made_with'] for task in stats if 'made_with' in task), None)
    if not made_with:
        raise UserError(
            f'{folder}: not the output of FilterStopChunks; name that, or a label file'
        )
    recipe = Recipe(made_with['hash'])
    stop = np.zeros((0, recipe.width), np.uint8)
    if stop_list:
        stop = hash_lists.load(stop_list, recipe)
    if len(stop) != made_with['stop']:
        raise UserError(
            f'{folder}: made with a stop list of {made_with["stop"]:,} hashes; name '
            'that list with --stop'
        )
    LabelCounts(parts).write(name, recipe, made_with['min_len'], stop)
