"""A run that an older version has made is opened, gone on with, and added to."""

import csv
import hashlib
import json
import os
import shutil
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import commands
import mrl
import pytest
from crawls import ROOT, write_warc

import mr_reuse

OLD = ROOT / 'tests/old_run'
PLACE = '@HERE@'  # stands in run.json for the folder that it was made in
WHEN = 1_600_000_000
DISCOVER = 'discover crawl/farm.warc.gz crawl/honest.arc -o run --threshold 5'
DETECT = 'detect -o run --min-chunks 3'
STEPS = ['01-pages', '02-counts', '03-labels', '03-places', '03-previews']
LATER = ['04-matches', '05-neighborhoods', '06-origins']
LINKS = '07-links'
COPIED = [f'<p>copied {n}: {"what is sold everywhere " * 6}</p>\n' for n in range(4)]
PARKED = '<div>parked ' + 'for sale ' * 20 + '</div>'


@pytest.fixture
def old(tmp_path, monkeypatch) -> Path:
    """A copy of the run and its archives, as if it had been made here."""
    shutil.copytree(OLD, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for path in Path('crawl').iterdir():
        os.utime(path, (WHEN, WHEN))
    record = Path('run/run.json')
    here = str(tmp_path.resolve())
    record.write_text(record.read_text().replace(PLACE, here))
    for step, made in made_of(here).items():
        name = Path(f'run/{step}/_step.json')
        name.write_text(json.dumps(json.loads(name.read_text()) | {'digest': made}))
    for path in Path('run').rglob('*'):
        os.utime(path, (WHEN, WHEN))
    return Path('run')


def made_of(here: str) -> dict[str, str]:
    """What steps are known by that depend on this machine, were they made here.

    In one are whole paths and the times of archives, in the other which list says what
    a registered domain is. All other steps go by these.
    """
    record = json.loads((OLD / 'run/run.json').read_text())
    archives = []
    for name in ('crawl/farm.warc.gz', 'crawl/honest.arc'):
        size = (OLD / name).stat().st_size
        stamp = f'{size} {WHEN}000000000'
        archives.append([['archive', name, f'{here}/{name}', '', size], stamp])
    domains = f'publicsuffixlist {version("publicsuffixlist")}'
    matches = record['detect']['matches']
    made = {
        '01-pages': [record['made_of'], archives],
        '05-neighborhoods': [{'min-chunks': 3}, [matches, domains]],
    }
    return {step: digest([record['version'], step, *of]) for step, of in made.items()}


def digest(told) -> str:
    """As it was at the time."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def done(line: str, *more, code: int = 0) -> commands.Ended:
    """Run a command line."""
    ended = commands.run(*line.split(), *more)
    assert ended.code == code, ended.err
    return ended


def rows(name: str) -> list[dict[str, str]]:
    with open(name, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE))


def tables(folder: Path) -> dict[str, bytes]:
    """The results of the old version, the label file among them, in its columns."""
    names = [path for path in folder.iterdir() if path.suffix in ('.tsv', '.mrl')]
    newer = ('label_counts.tsv', 'pairs.tsv')
    names = [path for path in names if path.name not in newer]
    assert len(names) == 12
    found = {path.name: path.read_bytes() for path in names}
    if found['labels.mrl'][:4] == b'MRL2':  # as version 1, without its digest
        found['labels.mrl'] = mrl.old_version(found['labels.mrl'])[:-32]
    lines = [line.split(b'\t')[:8] for line in found['origins.tsv'].split(b'\n')]
    return found | {'origins.tsv': b'\n'.join(map(b'\t'.join, lines))}


def redone(folder: Path) -> list[str]:
    """The steps with a file that is not as old as the copy says."""
    parts = [path for path in folder.glob('*/attempt-*/*') if path.is_file()]
    assert len(parts) > 8
    return sorted({p.parts[-3] for p in parts if p.stat().st_mtime != WHEN})


# What is read


def test_the_copy_is_whole(old):
    """The data that is checked in is what all else here goes by."""
    assert (len(rows('run/pages.tsv')), len(rows('run/labels.tsv'))) == (45, 5)
    found = {path.parts[-3] for path in old.glob('*/attempt-*/part-*')}
    assert found == {*STEPS, *LATER, LINKS}


def test_report(old):
    done('report run')
    page = Path('run/report.html').read_text()
    for name in ('farm-0.test/', 'farm-1.test/shop/', 'farm-2.test/'):
        assert name in page
    assert 'for sale for sale' in page and 'what is sold everywhere' in page


@pytest.mark.parametrize('text', [*COPIED, PARKED])
def test_show(old, text):
    name = hashlib.sha1(text.encode()).hexdigest()
    for typed in (name, name[:6]):
        assert done('show run', typed).out == text
    pages = done('show run', name, '--where').out.splitlines()
    assert pages[0].split('\t') == ['copies', 'date', 'url', 'rid']
    assert len(pages) - 1 == (9 if text == PARKED else 12 + 6)


def test_show_a_page(old):
    place = next(r['rid'] for r in rows('run/pages.tsv') if '-1.test/s' in r['url'])
    assert done('show run', place).out.startswith(''.join(COPIED))


def test_show_a_neighborhood(old):
    said = done('show run farm-1.test/').out
    assert said.startswith('farm-1.test/: 5 pages; 16 of 20 chunks are labels')
    assert said.count('http://farm-1.test/shop/') == 4


def test_show_the_page_of_a_url(old):
    """Its front page is the page that is parked everywhere."""
    first, capture, *_ = done('show run http://farm-1.test/').out.splitlines()
    assert first == 'http://farm-1.test/'
    assert capture.endswith(': 1 of 1 chunk is a label')


def test_compare(old):
    said = done('compare run run -o changes').out
    assert {line.split()[0] for line in said.splitlines() if line[:1] == ' '} == {'0'}
    assert rows('changes/label_changes.tsv') == []
    assert rows('changes/neighborhood_changes.tsv') == []


@pytest.mark.parametrize('form', ['csv', 'jsonl'])
def test_export(old, form):
    done(f'export run --format {form} -o copies')
    copied = {path.stem: path for path in Path('copies').iterdir()}
    assert set(copied) == {path.stem for path in old.glob('*.tsv')}
    for name, path in copied.items():
        lines = path.read_text().splitlines()
        assert len(lines) - (form == 'csv') == len(rows(f'run/{name}.tsv')), name


def test_places(old):
    """Each paragraph is on 18 pages, and the parked page on 9 hosts."""
    done('export run places -r inline')
    pages = Counter(row['hash'] for row in rows('run/places.tsv'))
    assert pages == {
        hashlib.sha1(text.encode()).hexdigest(): 9 if text == PARKED else 18
        for text in [*COPIED, PARKED]
    }
    assert redone(old) == ['05-places']


def test_label_file(old):
    told = json.loads(done('labels info run --json').out)
    assert (told['chunks'], told['files'], told['stop']) == (5, 1, 0)
    lines = done('labels export run --kind chunk --plain').out.split()
    texts = [*COPIED, PARKED]
    assert lines == sorted(hashlib.sha1(text.encode()).hexdigest() for text in texts)
    assert done('stop auto run --shorter 170').out.count('\n') == 1 + 4


# What is gone on with


def test_detect_with_other_thresholds(old):
    """Only what is bad is decided again; steps stay as they are."""
    before = rows('run/neighborhoods.tsv')
    done(DETECT, '--neighborhood-threshold', '0.2', '-r', 'inline')
    bad = {row['prefix'] for row in rows('run/bad_neighborhoods.tsv')}
    assert bad == {row['prefix'] for row in before if float(row['pooled']) > 0.2}
    assert len(bad) == len(before) == 12
    # The first is about the bad ones, the second is new since then.
    assert set(redone(old)) <= {'06-origins', '03-pairs'}
    assert rows('run/neighborhoods.tsv') == before


@pytest.mark.parametrize('runner', ['inline', 'local'])
def test_the_same_commands_again(old, runner):
    """URLs are counted, and shared labels again, for columns that are new."""
    if mr_reuse.__version__ != json.loads(Path('run/run.json').read_text())['version']:
        pytest.skip('a version does all steps anew')
    before = tables(old)
    said = done(DISCOVER, '-r', runner, code=3).err
    assert [line for line in said.splitlines() if line[:1] == '0'] == [
        f'{step}: finished before' for step in STEPS
    ]
    said = done(f'{DETECT} --neighborhood-threshold 0.5', '-r', runner).err
    again = '06-origins: runs again, since options or inputs have changed'
    finished = [f'{step}: finished before' for step in LATER[:2]]
    assert said.split('\n')[:3] == [*finished, again]
    done('links run')
    assert redone(old) == ['01-urls', '03-pairs', '06-origins']
    assert tables(old) == before


def test_made_anew(old):
    """The same archives give the same tables in a run of this version."""
    before = tables(old)
    for line in (DISCOVER, f'{DETECT} --neighborhood-threshold 0.5'):
        code = 3 if line == DISCOVER else 0
        done(line.replace('-o run', '-o new'), '-r', 'inline', code=code)
    done('links new')
    assert tables(Path('new')) == before


def test_added_to(old):
    """A new archive is counted together with what the old run has read."""
    url, copies = 'http://late.test/', 7
    write_warc(Path('late.warc.gz'), [(url, COPIED[0].encode() * copies)])
    done('discover late.warc.gz --add run -o more --threshold 5 -r inline', code=3)
    top, *others = rows('more/labels.tsv')
    assert [row['copies'] for row in others] == ['18', '18', '18', '9']
    assert (top['copies'], top['pages'], top['hosts']) == ('25', '19', '10')
    done('detect -o more --min-chunks 3 -r inline')
    assert len(rows('more/pages.tsv')) == 45 + 1
    assert redone(old) == []


def test_searched_for_elsewhere(old):
    """Its labels are looked for in other archives, and its pages for others."""
    write_warc(Path('late.warc.gz'), [('http://late.test/', PARKED.encode())])
    done('detect late.warc.gz -l run -o late -r inline')
    assert [row['url'] for row in rows('late/file_matches.tsv')] == [
        'http://late.test/'
    ]
    done('detect run -l run -o again --min-chunks 3 -r inline')
    assert Path('again/pages.tsv').read_bytes() == (old / 'pages.tsv').read_bytes()
