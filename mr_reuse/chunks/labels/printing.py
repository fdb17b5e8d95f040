"""Print label files: the header, or all hashes."""

import json

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files, label_text
from mr_reuse.chunks.labels.labels_options import ExportOptions
from mr_reuse.cli import outputs
from mr_reuse.messages import format_count, say, write_stdout


def print_header(name: str, as_json: bool) -> None:
    """Print the header of a label file."""
    name = label_files.resolve_name(name)
    fields = label_text.header_fields(label_files.load(name))
    fields['bytes'] = storage.size(name)
    if as_json:
        text = json.dumps({'labels': name, **fields}, indent=1)
    else:
        text = label_text.format_fields(name, fields)
    write_stdout(f'{text}\n')


def export(options: ExportOptions) -> None:
    """Write the hashes of a label file as text or JSON."""
    labels = label_files.load(options.labels)
    kinds = options.kind or label_files.KINDS
    if options.format == 'json':
        pieces = label_text.format_json(labels, kinds)
    else:
        pieces = label_text.format_text(labels, kinds, options.plain)
    with outputs.open_new(options.output, options.force) as stream:
        stream.writelines(pieces)
    if options.output:
        number = label_text.count_labels(labels, kinds)
        say(f'{options.output}: {format_count(number, "hash", "hashes")}')
