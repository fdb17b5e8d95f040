"""Runs with a damaged file: each command ends in one line, or does its work."""

import random
import shutil
import zlib
from pathlib import Path

import damaged_runs
import mrl
import pytest
from commands import run
from crawls import write_warc

from examples import TIMES
from mr_reuse.review import server

LONG = ' '.join(['long enough for a chunk'] * 6)
COPIED = ''.join(f'<p>copied {n} {LONG}' for n in range(12))
LINKS = ''.join(f'<a href="http://{host}.org/">x</a>' for host in 'abc')
PAGES = [
    (f'http://{host}.org/d/{n}', f'<p>{host} {n} {LONG}{COPIED}{LINKS}'.encode())
    for host in 'abc'
    for n in range(3)
]
PAGES += [(f'http://own{n}.org/', f'<p>{n} {LONG}'.encode()) for n in range(12)]
PAGES += [(f'http://b.org/picture{n}', b'\x89PNG\r\n\0' * 60) for n in range(4)]
MADE_BY = [
    'discover crawl/a.warc.gz -o run --threshold 2 -q -r inline',
    'detect -o run -q --places -r inline',
    'links run -q -r inline',
    'report run',
]
# Damage that once ended in a traceback, or went unnoticed: a part of the name of the
# file, the damage, and a command.
KNOWN = [
    ('run.json', 'steps.01-pages.output missing', 'links run -r inline'),
    ('run.json', 'read.skipped.request=[]', 'report run'),
    ('run.json', 'read.counts.files=[]', 'report run'),
    ('run.json', 'options.min_len="x"', 'report run'),
    ('run.json', 'pairs.output missing', 'detect -o run -q -r inline'),
    ('run.json', 'made_of.hash=5', 'show run HASH'),
    ('run.json', 'made_of.normalize=5', 'show run a.org b.org'),
    ('run.json', 'detect.rule.min_chunks={"x": 5}', 'show run PREFIX'),
    ('run.json', 'detect.rule.sigmas="x"', 'links run -r inline'),
    ('01-pages/_step.json', 'told.0.accounts.0.skipped=0.5', 'discover -o run -q'),
    ('02-counts/_step.json', 'bytes="x"', 'discover -o run -q'),
    ('stats.json', 'neighborhoods.by_level.2.highest.0.name=[]', 'report run'),
    ('stats.json', 'pages.bad="x"', 'report run'),
    ('/labels.tsv', 'no copies', 'export run --format parquet -o copies'),
    ('/labels.tsv', 'empty', 'export run --format parquet -o copies'),
    ('/labels.tsv', 'copies unknown', 'export run --format parquet -o copies'),
    ('/pages.tsv', 'bad \'x\'', 'export run --format jsonl -o copies'),
    ('/links.tsv', 'more cells', 'report run'),
    ('/bad_neighborhoods.tsv', 'pages of rows missing', 'report run'),
    ('02-counts/attempt', 'flipped', 'stop auto run'),
    ('02-counts/attempt', 'cut', 'stop auto run'),
    ('02-counts/attempt', 'cut', 'discover -o run -q'),
    ('03-places/attempt', 'flipped', 'discover -o run -q'),
    ('04-matches/attempt', 'flipped', 'show run PREFIX'),
    ('labels.mrl', 'flipped', 'detect -o run -q -r inline'),
]  # fmt: skip


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A folder with a crawl and a run that all commands have worked on."""
    top = tmp_path_factory.mktemp('made')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        Path('crawl').mkdir()
        pages = write_warc(Path('crawl/a.warc.gz'), PAGES)
        write_warc(Path('late.warc.gz'), PAGES[:3])
        mrl.write(Path('x.mrl'), [mrl.sha1('x')])
        for line in MADE_BY:
            command, *words = line.split()
            assert run(command, *words).code == 0
        shutil.copytree('run', 'same')
        label = Path('run/labels.tsv').read_text().split('\n')[1].split('\t')[0]
        Path('stop.txt').write_text(f'{label}\n')
        rid = f'crawl/a.warc.gz:{pages[0].offset}'
        Path('words').write_text(
            f'HASH {label} RID {rid} PREFIX a.org/d/ URL {PAGES[0][0]}'
        )
    return top


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    monkeypatch.setattr(server.Server, 'run', lambda self: None)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob('*') if path.is_file())


def ended(line: str, path: Path, content: bytes | None):
    """How a command ends with another content of a file; all else is as before."""
    words = Path('words').read_text().split()
    meant = dict(zip(words[::2], words[1::2], strict=True))
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    command, *rest = (meant.get(word, word) for word in line.split())
    done = run(command, *rest)
    lines = done.err.splitlines()
    errors = [text for text in lines if text.startswith('error: ')]
    assert done.code in (0, 1, 3, 130), done.err
    assert errors == (lines[-1:] if done.code == 1 else []), done.err
    assert 'Traceback' not in done.err
    return done


@pytest.mark.parametrize(('name', 'damage', 'line'), KNOWN)
def test_known_damage(here, name, damage, line):
    [path] = [
        p
        for p in files_of(here / 'run')
        if name in str(p)
        and p.name[0] != '.'
        and ('attempt' not in name or 'part-' in p.name)
    ]
    contents = dict(damaged_runs.damages(path.name, path.read_bytes()))
    done = ended(line, path, contents[damage])
    # Another file would be wrong as well, but this one is read.
    assert done.code or line.startswith(('discover', 'export'))


def test_unknown_bytes_are_found(here):
    """The same commands again mend a run, whichever file of a step has changed."""
    before = {path: path.read_bytes() for path in here.glob('run/*.tsv')}
    for path in files_of(here / 'run'):
        if path.name.startswith('part-') and path.stat().st_size > 100:
            data = path.read_bytes()
            path.write_bytes(damaged_runs.flipped(data, len(data) // 2))
    for line in MADE_BY:
        command, *words = line.split()
        assert run(command, *words).code == 0
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
@pytest.mark.parametrize('line', damaged_runs.COMMANDS)
def test_any_damage(made, here, monkeypatch, line):
    """Damage to files, both chosen at random."""
    dice = random.Random(zlib.crc32(line.encode()))
    files = files_of(made / 'run')
    for path in dice.sample(files, min(len(files), 20 * TIMES)):
        contents = list(damaged_runs.damages(path.name, path.read_bytes()))
        again = here / 'again'
        shutil.rmtree(again, ignore_errors=True)
        shutil.copytree(made, again)
        monkeypatch.chdir(again)
        ended(line, again / path.relative_to(made), dice.choice(contents)[1])
