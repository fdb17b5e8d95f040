"""`styles match`, against the nearest known page of each by brute force."""

import json
import random
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from commands import apart, ended, run
from quilt_crawls import Draft, divide
from reference_style_tables import Corpus, Options
from style_crawls import (
    arguments,
    random_options,
    random_pages,
    read_parameters,
    rows,
    styles,
    tables_in,
    write_pages,
)

from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.engine.chain import Chain
from mr_reuse.styles import style_options
from mr_reuse.styles.match import buckets

# Small input is worked on without forks; a test of forks has to ask for them.
FORKED = """
import sys
sys.argv[0] = '-m'
from mr_reuse.engine import chain
from mr_reuse.pages import planning
planning.SMALL_ARCHIVES = -1
chain.Step.__new__.__defaults__ = (-1, None, {})
from mr_reuse.styles.__main__ import main
sys.exit(main())
"""
RULE = Options(captures='all', t=12)
TABLE = 'style_matches.tsv'


def make_crawls(folder: Path, dice: random.Random, size: int):
    """Two crawls with pages of the same templates: names and pages of each."""
    drafts = random_pages(dice, size)
    dice.shuffle(drafts)
    half = size // 2
    return [
        write_pages(folder / name, divide(dice, some, dice.randint(1, 3)))
        for name, some in (('known', drafts[:half]), ('new', drafts[half:]))
    ]


def expected(known: list, new: list, options: Options) -> bytes:
    parameters = read_parameters(options)
    ours = Corpus(known, options, parameters)
    others = Corpus(new, options._replace(ignore=None), parameters)
    others.leave_out(ours.ignored)
    return others.matches(ours)


def match(known, names, out, *options):
    line = ['-q', '-r', 'inline', '-o', out]
    assert run('styles', 'match', known, *names, *options, *line) == (0, '', '')
    return (out / TABLE).read_bytes()


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A style file, another crawl, and the table of its pages."""
    folder = tmp_path_factory.mktemp('made')
    (names, known), (others, new) = make_crawls(folder, random.Random(11), 60)
    styles(names, folder / 'run', *arguments(RULE))
    table = expected(known, new, RULE)
    assert len(rows(table)) >= 8
    assert len({row[2] for row in rows(table)}) >= 2
    return folder / 'run' / 'styles.msf', others, new, table


@pytest.mark.random
@pytest.mark.parametrize('seed', range(10))
def test_random_pages(tmp_path, seed, monkeypatch):
    """In blocks of known pages of any size."""
    dice = random.Random(seed)
    monkeypatch.setattr(buckets, 'BLOCK', dice.choice([1, 4, 1000]))
    (names, known), (others, new) = make_crawls(tmp_path, dice, dice.choice([8, 50]))
    options = random_options(dice)
    styles(names, tmp_path / 'run', *arguments(options))
    line = [f'--captures={options.captures}']
    found = match(tmp_path / 'run', others, tmp_path / 'out', *line)
    table = expected(known, new, options)
    assert found == table
    counts = json.loads((tmp_path / 'out/stats.json').read_text())['style_matches']
    assert (counts['found'], counts['left_out']) == (len(rows(table)), 0)


def test_values_left_out(tmp_path):
    """Values that the run left out count as empty in the other crawl too."""
    (names, known), (others, new) = make_crawls(tmp_path, random.Random(2), 60)
    options = RULE._replace(normalize_empty=True, ignore=Fraction(1, 2), t=10)
    styles(names, tmp_path / 'run', *arguments(options))
    parameters = read_parameters(options)
    with_all = Corpus(new, options._replace(ignore=None), parameters)
    table = with_all.matches(Corpus(known, options, parameters))
    found = match(tmp_path / 'run', others, tmp_path / 'out', '--captures=all')
    assert found == expected(known, new, options) != table


def test_exact(made, tmp_path, monkeypatch):
    """A bucket of two documents is large here; one of them is compared."""
    known, others, _, table = made
    few = partial(Likeness, all_pairs=1, representatives=1)
    monkeypatch.setattr(style_options, 'Likeness', few)
    left_out = []
    for options in ([], ['--exact']):
        found = match(known, others, tmp_path, '--captures=all', *options)
        stats = json.loads((tmp_path / 'stats.json').read_text())['style_matches']
        left_out.append(stats['left_out'])
    assert found == table
    assert left_out[0] > left_out[1] == 0


@pytest.mark.apart
@pytest.mark.parametrize('tasks', [1, 3])
def test_match_with_tasks(made, tmp_path, tasks):
    """Each in a process of its own, and some of them without the kernel."""
    known, others, _, table = made
    env = {'MR_REUSE_PURE': '1'} if tasks % 2 else {}
    line = ['--captures=all', '-q', '-r', 'local', '-o', tmp_path, f'--tasks={tasks}']
    command = [sys.executable, '-c', FORKED, 'match', known, *others, *line]
    assert ended(apart(*command, env=env)) == (0, '', '')
    assert (tmp_path / TABLE).read_bytes() == table


@pytest.mark.parametrize('step', ['31-urls', '39-matches', '39-names'])
def test_match_resumed(made, tmp_path, monkeypatch, step):
    known, others, new, _ = made
    run_step = Chain.run_step

    def interrupt(chain, wanted):
        if wanted.folder == step:
            raise KeyboardInterrupt
        return run_step(chain, wanted)

    line = ['match', known, '-o', tmp_path, '-r', 'inline']
    with monkeypatch.context() as patched:
        patched.setattr(Chain, 'run_step', interrupt)
        assert run('styles', *line[:2], *others, *line[2:]).code == 130
    done = run('styles', *line)
    assert done.code == 0 and '31-fingerprints: finished before' in done.err
    assert rows((tmp_path / TABLE).read_bytes())


def test_in_a_run_of_styles(made, tmp_path):
    """Fingerprints are made once. Each command keeps what the other has written."""
    known, others, _, table = made
    counts = styles(others, tmp_path, *arguments(RULE))
    before, file = tables_in(tmp_path), (tmp_path / 'styles.msf').read_bytes()
    line = ['--captures=all', '-r', 'inline', '-o', tmp_path]
    done = run('styles', 'match', known, *line)
    assert done.code == 0 and '31-fingerprints: finished before' in done.err
    assert (tmp_path / TABLE).read_bytes() == table
    assert tables_in(tmp_path) == before
    assert (tmp_path / 'styles.msf').read_bytes() == file
    stats = json.loads((tmp_path / 'stats.json').read_text())
    assert stats['styles'] == counts and stats['style_matches']['found']
    assert run('styles', *arguments(RULE), *line[1:], '-q') == (0, '', '')
    assert (tmp_path / TABLE).read_bytes() == table
    assert run('styles', 'near', tmp_path, rows(table)[0][0], *line[1:3]).code == 0


def test_force_keeps_the_style_file(made, tmp_path):
    """The run that has the file is not replaced by one on other inputs."""
    known, others, *_ = made
    (tmp_path / 'inputs.txt').touch()
    copy = tmp_path / 'styles.msf'
    copy.write_bytes(known.read_bytes())
    for name in (copy, tmp_path):
        line = ['match', name, *others, '-o', tmp_path, '--force']
        done = run('styles', *line)
        assert done.code == 1 and '--force might remove this file' in done.err
        assert copy.read_bytes() == known.read_bytes()


def test_other_styles_make_tables_stale(made, tmp_path):
    """Those of near go with the styles; those of match are of another file."""
    known, others, _, table = made
    line = ['-r', 'inline', '-o', tmp_path]
    assert run('styles', *others, *arguments(RULE), *line, '-q').code == 0
    assert run('styles', 'match', known, '--captures=all', *line, '-q').code == 0
    assert run('styles', 'near', tmp_path, rows(table)[0][0], '-q').code == 0
    done = run('styles', *arguments(RULE), *line)
    assert done.code == 0 and (tmp_path / 'near.tsv').exists()
    done = run('styles', *arguments(RULE._replace(t=60)), *line)
    assert 'removed: near.tsv; rebuild with: ' in done.err
    assert not (tmp_path / 'near.tsv').exists()
    assert (tmp_path / TABLE).read_bytes() == table


def test_a_run_on_itself(made, tmp_path):
    """Each member is the nearest to itself, or as near as another."""
    folder = made[0].parent
    line = ['--captures=all', '-r', 'inline', '-q', '-o', tmp_path]
    names = {row[1].rpartition(':')[0] for row in members_of(folder)}
    assert run('styles', 'match', folder, *sorted(names), *line).code == 0
    found = {row[0] for row in rows((tmp_path / TABLE).read_bytes())}
    assert {row[1] for row in members_of(folder)} <= found


def members_of(folder: Path) -> list[list[str]]:
    return rows((folder / 'style_members.tsv').read_bytes())


def test_what_is_printed(made, tmp_path):
    known, others, _, table = made
    line = ['--captures=all', '-r', 'inline', '-o', tmp_path / 'run']
    done = run('styles', 'match', known, *others, *line, '--dry-run')
    assert done.code == 0 and 'ReadFingerprints, MatchKnown, NameMatches' in done.out
    assert not (tmp_path / 'run').exists()
    done = run('styles', 'match', known, *others, *line)
    first = rows(table)[0]
    assert f'{len(rows(table))} of them are alike one of ' in done.out
    assert f'{float(first[3]):.3f}       {first[2]}  {first[1]}\n' in done.out
    assert done.out.endswith(f'all of them: {tmp_path / "run" / TABLE}\n')


@pytest.mark.parametrize(
    'option',
    ['--n=31', '--m=64', '--t=13', '--p=19', '--key-bits=8', '--preprocessor=tags'],
)
def test_options_of_the_file(made, tmp_path, option):
    known, others, *_ = made
    name, _, value = option.partition('=')
    own = {'--n': 32, '--m': 128, '--t': 12, '--p': 20, '--key-bits': 16}
    done = run('styles', 'match', known, *others, option, '-o', tmp_path / 'run')
    assert done == (
        2,
        '',
        f'error: {name} {value}: {known} was made with {name} '
        f'{own.get(name, "noise")}; leave it out\n',
    )
    assert not (tmp_path / 'run').exists()
    done = run('styles', 'match', known, *others, '--normalize-empty', '-o', tmp_path)
    assert done.code == 2 and 'was made without it; leave it out' in done.err
    same = f'{name}={own.get(name, "noise")}'
    match(known, others, tmp_path / 'run', same)


def test_damaged_archives(made, tmp_path):
    """Documents before and after the damage are compared; the exit code is 3."""
    known, others, new, table = made
    rid = rows(table)[0][0]
    name, _, offset = rid.rpartition(':')
    data = bytearray(Path(name).read_bytes())
    data[int(offset) + 40] ^= 0xFF
    copy = tmp_path / 'copy.warc.gz'
    copy.write_bytes(data)
    line = ['--captures=all', '-q', '-r', 'inline', '-o', tmp_path / 'run']
    done = run('styles', 'match', known, copy, *line)
    assert done.code == 3 and str(copy) in done.err
    kept = [row for row in rows(table) if row[0].startswith(name) and row[0] != rid]
    found = rows((tmp_path / 'run' / TABLE).read_bytes())
    assert [row[1:] for row in found] == [row[1:] for row in kept]


def test_nothing_to_match(made, tmp_path):
    """No documents; or no styles in the file."""
    known, others, *_ = made
    names, _ = write_pages(
        tmp_path / 'plain', [[Draft('http://a.org/', 'text', media='text/plain')]]
    )
    done = run('styles', 'match', known, *names, '-r', 'inline', '-o', tmp_path / 'a')
    assert done.code == 0 and 'no documents in the input' in done.err
    assert rows((tmp_path / 'a' / TABLE).read_bytes()) == []
    names, _ = write_pages(tmp_path / 'one', [[Draft('http://a.org/', '<td>' * 99)]])
    styles(names, tmp_path / 'none')
    assert rows(match(tmp_path / 'none', others, tmp_path / 'b')) == []


def test_names_with_signs(tmp_path):
    """mrjob gives some signs in the names of files a meaning."""
    markup = '<td a="{}">,;.:-!'.format('.,-' * 30) * 9
    drafts = [Draft(f'http://{host}.org/', markup) for host in 'ab']
    names, _ = write_pages(tmp_path, [drafts])
    styles(names, tmp_path / 'run')
    known = tmp_path / 'known #1 [x].msf'
    known.write_bytes((tmp_path / 'run/styles.msf').read_bytes())
    found = rows(match(known, names, tmp_path / 'out'))
    assert [row[1] for row in found] == [draft.url for draft in drafts]
    assert [row[5] for row in found] == [drafts[0].url] * 2
