"""Numbers and nouns agree in all that commands print about a crawl of single things."""

import re

import pytest
from commands import run
from crawls import write_warc
from reports import Report

NOUNS = (
    'archive|byte|capture|chunk|copie|domain|file|folder|host|input|item|label|link|'
    'neighborhood|page|record|ring|row|set|site|source|time'
)
WRONG = re.compile(
    rf'(?<![\d.,])1 (?:[a-z]+ )?(?:{NOUNS})s\b|\b1 of (?:them|the \w+) are'
)
COMMANDS = """\
discover one.warc -o RUN --threshold 1 --min-len 1
detect -o RUN --neighborhood-threshold 0.4 --page-threshold 0.4
detect -o RUN --neighborhood-threshold 0.4 --min-bad 1 --top 1 --min-chunks 1
show RUN a.org/
show RUN {hash}
links RUN
compare RUN RUN
labels info RUN
labels build one.warc -o known.mrl
stop auto RUN -o stop.txt
stop share stop.txt RUN
stop eval stop.txt stop.txt
discover one.warc -o RUN --threshold 1 --min-len 1 --stop stop.txt --stop-bloom 0.1
detect one.warc -l known.mrl -o OTHER
links OTHER
watch . -l known.mrl --once --state state
review summarize RUN
export RUN -o out --format csv
pack tree -o packed.warc.gz
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A crawl with a page, a label with two copies, and a damaged record."""
    monkeypatch.chdir(tmp_path)
    body = b'<p>' + b'copied ' * 20
    write_warc(tmp_path / 'one.warc', [('http://a.org/', body * 2)], gzip=False)
    with open('one.warc', 'ab') as archive:
        archive.write(b'x')
    (tmp_path / 'tree').mkdir()
    (tmp_path / 'tree/i.html').write_bytes(b'<')
    return tmp_path


def test_singular(here):
    said = []
    for line in COMMANDS.splitlines():
        digest = ''
        if '{hash}' in line:
            digest = (here / 'RUN/labels.tsv').read_text().splitlines()[1].split()[0]
        done = run(*line.format(hash=digest).split())
        assert done.code in (0, 1, 3), (line, done)
        said += [f'{line}: {text}' for text in (done.out + done.err).splitlines()]
        if line.startswith('detect'):
            folder = here / line.split('-o ')[1].split()[0]
            said.append(f'report {folder.name}: {Report(folder).text()}')
    around = '.{0,60}'
    shown = re.compile(f'{around}(?:{WRONG.pattern}){around}')
    wrong = [
        f'{text.partition(":")[0]}: {found[0]}'
        for text in said
        for found in shown.finditer(text)
    ]
    assert not wrong, '\n'.join(wrong)
