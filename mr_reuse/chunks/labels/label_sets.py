"""Make label files of others, by union and difference, and of lists of hashes."""

from collections.abc import Iterable, Sequence

import numpy as np

from mr_reuse.chunks.labels import hash_lists, label_files, label_text
from mr_reuse.chunks.labels.label_files import KINDS, LabelFields
from mr_reuse.chunks.labels.labels_options import ImportOptions
from mr_reuse.cli import outputs
from mr_reuse.errors import UserError
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
        warn(
            f'{output}: combines labels made with --min-len '
            f'{", ".join(map(str, lengths))}; the minimum, {lengths[0]}, is recorded'
        )
    sections = zip(*(labels.sections for labels in files), strict=True)
    unions = [digest_sets.unite(arrays) for arrays in sections]
    save(output, force, (files[0].recipe, lengths[0]), unions)


def subtract(name: str, other_name: str, output: str, force: bool) -> None:
    """Write the labels of a file that are not in another file or list of hashes.

    The stop chunks are kept.
    """
    outputs.refuse_existing(output, force)
    labels = label_files.load(name)
    if hash_lists.is_label_file(other_name):
        other = label_files.load(other_name)
        label_files.check_recipe(other_name, other, labels.recipe, name)
        removed = other.sections
    else:
        removed = [hash_lists.load(other_name, labels.recipe, KINDS, name)]
    chunks, files = (
        digest_sets.subtract(keys, removed) for keys in (labels.chunks, labels.files)
    )
    save(output, force, labels.fields, [chunks, files, [labels.stop]])


def import_list(options: ImportOptions) -> None:
    """Write the label file of a list of hashes."""
    name, recipe = options.list, options.recipe
    outputs.refuse_existing(options.output, options.force)
    if hash_lists.is_label_file(name):
        raise UserError(f'{name}: a label file or a run; name a list of hashes')
    if not options.has_hash:
        recipe = recipe._replace(hash=hash_lists.infer_recipe([name]).hash)
    sections = [[hash_lists.load_kinds(name, recipe, [kind])] for kind in KINDS]
    if not any(len(keys) for [keys] in sections):
        raise UserError(f'{name}: this list has no hashes')
    save(options.output, options.force, (recipe, options.min_len), sections)


def save(
    output: str,
    force: bool,
    label_fields: LabelFields,
    sections: Iterable[Iterable[np.ndarray]],
) -> None:
    """Write a label file, and print the number of digests in each section."""
    with outputs.open_new(output, force) as stream:
        counts = label_files.write_uncounted(output, stream, label_fields, sections)
    say(label_text.format_counts(output, counts))
