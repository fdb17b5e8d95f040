"""Runs of styles: resumed, beside other systems, with damage, with odd pages."""

import gzip
import json
import random
from pathlib import Path

import pytest
from commands import Ended, run
from quilt_crawls import Draft, divide
from reference_style_tables import Corpus, Options
from style_crawls import (
    arguments,
    fill_in,
    make_template,
    random_pages,
    read_parameters,
    rows,
    tables_in,
    write_pages,
)

from mr_reuse.engine.chain import Chain
from mr_reuse.styles import style_steps

RULE = Options(t=12)
LINE = [*arguments(RULE), '-r', 'inline']


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Three archives; their names, their pages, and the tables."""
    dice = random.Random(7)
    shares = divide(dice, random_pages(dice, 30), 3)
    names, bodies = write_pages(tmp_path_factory.mktemp('crawl'), shares)
    tables = Corpus(bodies, RULE, read_parameters(RULE)).tables()
    assert rows(tables['styles.tsv'])
    return names, bodies, tables


def styles(*args) -> Ended:
    return run('styles', *args, *LINE)


def counts_in(folder: Path) -> dict[str, int]:
    return json.loads((folder / 'stats.json').read_text())['styles']


@pytest.mark.parametrize('step', ['31-urls', '33-edges', '34-components', '35-styles'])
def test_resumed(crawl, tmp_path, monkeypatch, step):
    """Interrupted before any step, the same command ends with the same bytes."""
    names, _, tables = crawl
    run_step = Chain.run_step

    def interrupt(chain, wanted):
        if wanted.folder == step:
            raise KeyboardInterrupt
        return run_step(chain, wanted)

    with monkeypatch.context() as patched:
        patched.setattr(Chain, 'run_step', interrupt)
        assert styles(*names, '-o', tmp_path).code == 130
    done = styles('-o', tmp_path)
    assert done.code == 0
    folders = [s.folder for s in style_steps.ALWAYS if s is not style_steps.COMMON]
    told = [line for line in done.err.splitlines() if 'finished before' in line]
    steps = folders[: folders.index(step)]
    assert told == [f'{folder}: finished before' for folder in steps]
    assert tables_in(tmp_path) == tables


@pytest.mark.parametrize('first', ['discover', 'styles'])
def test_with_discover(crawl, tmp_path, first):
    """Both systems in one run, in either order: each keeps the tables of the other."""
    names, _, tables = crawl
    line = ['-r', 'inline', '-q', '-o', tmp_path]
    others = ['--threshold=1', '--min-len=0']
    if first == 'styles':
        assert styles(*names, *line).code == 0
        assert run('discover', *others, *line).code == 0
    else:
        assert run('discover', *names, *others, *line).code == 0
        labels = (tmp_path / 'labels.tsv').read_bytes()
        assert styles(*line).code == 0
        assert (tmp_path / 'labels.tsv').read_bytes() == labels
    assert tables_in(tmp_path) == tables


def test_dry_run(crawl, tmp_path):
    done = styles(*crawl[0], '-o', tmp_path / 'run', '--dry-run')
    assert done.code == 0 and 'ReadFingerprints' in done.out
    assert 'FindCommonValues' not in done.out
    assert not (tmp_path / 'run').exists()


def test_damage(crawl, tmp_path):
    """Documents before and after the damage are compared; the exit code is 3."""
    names, bodies, _ = crawl
    folder = tmp_path / 'crawl'
    folder.mkdir()
    data = bytearray(Path(names[0]).read_bytes())
    ours = sorted(
        int(b.rid.rpartition(':')[2]) for b in bodies if b.rid.startswith(names[0])
    )
    lost = ours[1]
    data[lost + 40] ^= 0xFF
    copies = [folder / Path(name).name for name in names]
    for name, copy in zip(names, copies, strict=True):
        copy.write_bytes(Path(name).read_bytes())
    copies[0].write_bytes(data)
    done = styles(*copies, '-q', '-o', tmp_path / 'run')
    assert done.code == 3 and str(copies[0]) in done.err
    kept = [
        body._replace(rid=body.rid.replace(str(Path(names[0]).parent), str(folder)))
        for body in bodies
        if body.rid != f'{names[0]}:{lost}'
    ]
    corpus = Corpus(kept, RULE, read_parameters(RULE))
    assert tables_in(tmp_path / 'run') == corpus.tables()


def test_no_documents(tmp_path):
    drafts = [Draft('http://a.org/', 'text', media='text/plain')]
    names, _ = write_pages(tmp_path, [drafts])
    done = styles(*names, '-o', tmp_path / 'run')
    assert done.code == 0 and 'no documents in the input' in done.err
    assert [len(rows(t)) for t in tables_in(tmp_path / 'run').values()] == [0, 0]
    assert counts_in(tmp_path / 'run')['documents'] == 0


def test_pages_of_any_size(tmp_path):
    """A page above 16 MB is read in parts, and is like itself in one piece."""
    dice = random.Random(2)
    text = fill_in(dice, make_template(dice, 300))
    drafts = [Draft(f'http://{host}.org/', text) for host in 'ab']
    drafts.append(Draft('http://c.org/', f'{text}{"x" * (17 << 20)}'))
    names, _ = write_pages(tmp_path, [drafts])
    assert styles(*names, '-q', '-o', tmp_path / 'run') == (0, '', '')
    [[_, pages, hosts, domains, mean, *_]] = rows(
        tables_in(tmp_path / 'run')['styles.tsv']
    )
    # The long page has the same noise, as letters are none.
    assert (pages, hosts, domains, mean) == ('3', '3', '3', '1.000000000')


def test_content_encodings(tmp_path):
    """Noise is made of the body without its content encoding."""
    dice = random.Random(3)
    html = f'<!DOCTYPE html><html>{fill_in(dice, make_template(dice, 300))}</html>'
    records = b''
    for host, body, head in (
        ('a', html.encode(), b''),
        ('b', gzip.compress(html.encode()), b'Content-Encoding: gzip\r\n'),
    ):
        block = (
            b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n' + head + b'\r\n' + body
        )
        records += (
            f'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{host}.org/\r\n'
            f'Content-Length: {len(block)}\r\n\r\n'
        ).encode()
        records += block + b'\r\n\r\n'
    archive = tmp_path / 'a.warc'
    archive.write_bytes(records)
    assert styles(archive, '-q', '-o', tmp_path / 'run') == (0, '', '')
    found = rows(tables_in(tmp_path / 'run')['style_members.tsv'])
    assert [row[3] for row in found] == ['1.000000000'] * 2
