"""What is left out on purpose: filters and the loops of crawlers."""

import json

import pytest
from commands import discover
from crawls import write_warc

LONG = b'<p>x' * 40_001  # more than a line holds


def counts(*args) -> dict[str, int]:
    """Pages and chunks of a run, and how many records were left out."""
    out = args[0].parent / 'run'
    done = discover(*args, '-o', out, '--force', '-q')
    assert done.code == 0
    read = json.loads((out / 'run.json').read_text())['read']
    found = {name: read['counts'].get(name, 0) for name in ('pages', 'chunks')}
    left = [n for why, n in read['skipped'].items() if why[:3] in ('fil', 'rec')]
    return found | {'left out': sum(left)}


def test_type_of_a_long_page(tmp_path):
    """Only the first line of a page has its type; the others go with it."""
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', LONG)])
    name, whole = tmp_path / 'a.warc.gz', {'pages': 1, 'chunks': 40_001, 'left out': 0}
    assert counts(name) == counts(name, '--filter=type=text/html') == whole
    none = {'pages': 0, 'chunks': 0, 'left out': 1}
    assert counts(name, '--filter=type=text/plain') == none


@pytest.mark.parametrize(
    ('args', 'pages'),
    [
        ([], 4),
        (['--filter=host=site'], 4),
        (['--filter=host=other'], 0),
        (['--filter=prefix=site/a'], 2),
        (['--filter=status=200'], 0),
        (['--recursion=both'], 2),
    ],
)
def test_pages_in_a_folder(tmp_path, args, pages):
    """The path of a file stands for its URL; it has no status."""
    site = tmp_path / 'site'
    for folder in ('a/b/a/b', 'a', 'b/b/b/b', 'c'):
        (site / folder).mkdir(parents=True, exist_ok=True)
        (site / folder / 'i.html').write_bytes(b'<p>one')
    found = counts(site, *args)
    assert (found['pages'], found['left out']) == (pages, 4 - pages)
