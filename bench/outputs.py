"""Checks of the names of results, for the programs that the benchmark compares."""

import os
import sys

ENDS = ('.warc', '.arc', '.wet', '.gz', '.zst', '.wacz')  # of archives


def refuse_archive(name: str) -> str:
    """Return the name of a result; refuse one that may be an input.

    The order of the arguments is easily forgotten, and the program would overwrite it.

    >>> refuse_archive('chunks.tsv')
    'chunks.tsv'
    """
    if name.lower().endswith(ENDS) or (os.path.exists(name) and not _is_result(name)):
        sys.exit(f'error: {name}: not a table of an earlier run; name another file')
    return name


def _is_result(name: str) -> bool:
    """Test whether a file is empty, or begins like a table with digests."""
    with open(name, 'rb') as file:
        line = file.readline(200)
    return not line or line.partition(b'\t')[0].isalnum()
