"""Set operations on label files: union and difference."""

from collections.abc import Iterable, Sequence

import numpy as np

from mr_reuse.chunks.labels import hash_lists, label_files, label_text
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli import outputs
from mr_reuse.messages import say, warn
from mr_reuse.shuffle import digest_sets


def merge(names: Sequence[str], output: str, force: bool) -> None:
    """Write the union of label files."""
    outputs.refuse_existing(output, force)
    files = [label_files.load(name) for name in names]
    for name, labels in zip(names[1:], files[1:], strict=True):
        label_files.check_recipe(name, labels, files[0].recipe, names[0])
    lengths = sorted({labels.min_len for labels in files})
    if len(lengths) > 1:
        all_of = ', '.join(map(str, lengths))
        warn(
            f'{output}: combines labels made with --min-len {all_of}; the minimum, '
            f'{lengths[0]}, is recorded'
        )
    sections = zip(*(labels[2:] for labels in files), strict=True)
    pieces = [digest_sets.unite(arrays) for arrays in sections]
    save(output, force, (files[0].recipe, lengths[0]), pieces)


def subtract(name: str, others_name: str, output: str, force: bool) -> None:
    """Write the labels of a file that are not in another file or list of hashes.

    The stop chunks are kept.
    """
    outputs.refuse_existing(output, force)
    labels = label_files.load(name)
    if hash_lists.is_label_file(others_name):
        loaded = label_files.load(others_name)
        label_files.check_recipe(others_name, loaded, labels.recipe, name)
        others = loaded[2:]
    else:
        others = [hash_lists.load(others_name, labels.recipe, hash_lists.KINDS, name)]
    left = [
        digest_sets.subtract(keys, others) for keys in (labels.chunks, labels.files)
    ]
    save(output, force, labels[:2], [*left, [labels.stop]])


def save(
    output: str,
    force: bool,
    made_of: tuple[Recipe, int],
    sections: Iterable[Iterable[np.ndarray]],
) -> None:
    """Write a label file, and print the number of digests in each section."""
    with outputs.open_new(output, force) as stream:
        counts = label_files.write_uncounted(output, stream, made_of, sections)
    say(label_text.format_counts(output, counts))
