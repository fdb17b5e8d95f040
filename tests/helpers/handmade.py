"""A run written by hand: its tables are what is typed here."""

import json
from pathlib import Path

TABLES = {
    'labels': (
        'hash\tlength\tcopies\tpages\thosts\texample_url\tpreview\n'
        'aa\t128\t4611686018427387904\t7\t3\thttp://a.org/?a=1,b\t<p class="x">NULL\n'
        'ab\t200\t12\t7\t3\thttp://a.org/\tnaïve, „quoted“ \u2028 text\n'
        'ac\t200\t12\t6\t2\thttp://b.org/\t=HYPERLINK("http://x/")\n'
        'b0\t101\t11\t6\t2\thttp://b.org/\t\n'
    ),
    'file_labels': 'hash\tlength\tcopies\thosts\texample_url\n',
    'pages': (
        'rid\turl\tbad\ttotal\tcontains\n'
        'a.warc.gz:9\thttp://a.org/\t3\t19\t0.157894737\n'
        'a.warc.gz:10\thttp://a.org/x\t0\t0\t\n'
        '-b.warc:0+7\tdns:a.org\t1\t1\t1.000000000\n'
    ),
    'label_changes': (
        'change\thash\tlength\tbefore\tafter\texample_url\tpreview\t'
        'moved_from\n'
        'vanished\taa\t128\t12\t\thttp://a.org/\t<p>\t\n'
    ),
    'neighborhood_changes': (
        'change\tprefix\tlevel\tbefore\tafter\tbad_before\tbad_after\n'
        'new and bad\ta.org/\t1\t\t0.250000000\t\t3\n'
    ),
    'yours': 'name\tvalue\nx\t007\n',
}
# A table of many rows is a folder of parts, each with the names of the columns.
NEIGHBORHOODS = [
    'prefix\tlevel\tpages\tbad\ttotal\tpooled\tmean\n'
    'a.org/\t1\t2\t3\t19\t0.157894737\t0.157894737\n',
    'prefix\tlevel\tpages\tbad\ttotal\tpooled\tmean\n'
    'b.org/\t0\t1\t0\t0\t\t\nb.org/x/\t2\t1\t1\t4\t0.250000000\t0.250000000\n',
]
RUN_JSON = {
    'finished': True,
    'made_of': {},
    'paths': {},
    'pages': [],
    'steps': {},
    'run': 'run',
    'detect': {'rule': {}},
}


def write_run(folder: Path) -> Path:
    """The folder of a finished run with these tables."""
    (folder / 'neighborhoods.tsv').mkdir(parents=True)
    for number, text in enumerate(NEIGHBORHOODS):
        (folder / f'neighborhoods.tsv/part-0000{number}.tsv').write_text(text)
    for name, text in TABLES.items():
        (folder / f'{name}.tsv').write_text(text)
    (folder / 'run.json').write_text(json.dumps(RUN_JSON))
    return folder
