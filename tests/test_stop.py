"""The command `stop`, and the Bloom filter over a stop list."""

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter

import commands
import mrl
import numpy as np
import pytest
from crawls import ROOT, hashes, sample_crawl, tables_in, write_crawl, write_warc
from mrl import some
from reference import Options, chunks_of, digest, kept

from mr_reuse import discover, stop
from mr_reuse.chunks.discover.label_rule import StopList
from mr_reuse.errors import DONE, FAILED
from mr_reuse.shuffle.bloom import Bloom, filter_size


def run(*args):
    return stop.main([os.fspath(arg) for arg in args])


def listed(path, hashes_):
    path.write_text(''.join(f'{h}\n' for h in sorted(hashes_)))
    return path


def refused(capsys):
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('error: ') and said.err.count('\n') == 1
    return said.err[len('error: ') : -1]


# eval: of the 500 most copied chunks of the paper, 222 were short and benign, 94 only
# short, 4 only benign

PAPER = """\
       222  on both lists
        94  only on the automatic list
         4  only on the manual list
    70.3 %  precision: share of the automatic list that is on the manual list
    98.2 %  recall: share of the manual list that is on the automatic list
"""
AUTO, MANUAL = some(*range(316)), some(*range(94, 320))


def test_eval_of_the_paper(tmp_path, capsys):
    auto, manual = listed(tmp_path / 'a', AUTO), listed(tmp_path / 'm', MANUAL)
    assert run('eval', auto, manual) == DONE
    assert capsys.readouterr() == (PAPER, '')


@pytest.mark.parametrize('which', [0, 1, 2])
def test_eval_of_label_files(tmp_path, capsys, which):
    names = [listed(tmp_path / 'a', AUTO), listed(tmp_path / 'm', MANUAL)]
    if which != 1:
        some_ = sorted(AUTO)
        mrl.write(names[0], some_[:200], some(900), some_[100:], delimiters='p')
    if which != 0:
        mrl.write(names[1], [], some(901, 902), MANUAL, delimiters='p')
    assert run('eval', *names) == DONE
    assert capsys.readouterr().out == PAPER


def test_eval_of_sha256(tmp_path, capsys):
    names = [hashlib.sha256(bytes([n])).hexdigest() for n in range(3)]
    auto, manual = listed(tmp_path / 'a', names[:2]), listed(tmp_path / 'm', names[1:])
    assert run('eval', auto, manual) == DONE
    assert capsys.readouterr().out.split()[::4][:1] == ['1']
    listed(manual, some(1))
    assert run('eval', auto, manual) == FAILED
    assert 'is a sha256 hash; give sha1 hashes' in refused(capsys)


def test_eval_of_nothing(tmp_path, capsys):
    empty = listed(tmp_path / 'empty', [])
    assert run('eval', empty, empty) == DONE
    said = capsys.readouterr()
    assert [line[:10].strip() for line in said.out.splitlines()] == [
        '0', '0', '0', 'n/a', 'n/a'
    ]  # fmt: skip
    assert said.err == f'warning: {empty}: this list has no hashes\n' * 2


def test_eval_of_labels_that_differ(tmp_path, capsys):
    one = mrl.write(tmp_path / 'one.mrl', some(1))
    other = mrl.write(tmp_path / 'other.mrl', some(1), delimiters='p')
    assert run('eval', one, other) == FAILED
    assert refused(capsys) == (
        f'{other}: made with --delimiters p, the other list with --delimiters p,div; '
        'use the same option for both'
    )
    assert run('eval', one, tmp_path / 'no') == FAILED
    assert refused(capsys) == f'{tmp_path / "no"}: no such file or folder'


# auto and share


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """A run of discover, and the copies of each chunk in it."""
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', sample_crawl())
    line = [*names, '--threshold=2', '-r', 'inline', '-q', '-o', str(folder / 'run')]
    assert discover.main(line) == DONE
    searched = kept(pages, Options())
    copies = Counter(c for p in searched for c in chunks_of(p.body, Options()))
    return names, folder / 'run', copies


def auto_list(copies, longest, threshold):
    rows = [(-n, digest(c), len(c)) for c, n in copies.items()]
    rows = sorted(r for r in rows if -r[0] > threshold and r[2] <= longest)
    lines = ['hash\tcopies\tlength', *(f'{h}\t{-n}\t{size}' for n, h, size in rows)]
    return ''.join(f'{line}\n' for line in lines)


@pytest.mark.parametrize(
    'bounds, more',
    [
        ((100, 2), []),
        ((99, 0), ['--shorter=99', '--threshold=0']),
        ((10**6, 5), ['--shorter=1000000', '--threshold=5']),
        ((0, 2), ['--shorter=0']),
    ],
)
def test_auto(crawl, tmp_path, capsys, bounds, more):
    out = tmp_path / 'list'
    assert run('auto', crawl[1], '-o', out, *more) == DONE
    expected = auto_list(crawl[2], *bounds)
    count = len(expected.splitlines()) - 1
    assert capsys.readouterr() == ('', f'{out}: {count} hashes\n')
    assert out.read_text() == expected
    assert run('auto', crawl[1], *more) == DONE
    assert capsys.readouterr().out == out.read_text()


def test_run_for_a_list(crawl, capsys):
    """It stands for the labels that it has made."""
    found = []
    for name in (crawl[1], f'{crawl[1]}/labels.mrl'):
        assert run('share', name, crawl[1]) == DONE
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]


def test_length_bound_is_kept(crawl):
    sizes = {len(chunk) for chunk in crawl[2]}
    assert {99, 100} & sizes and max(sizes) > 100


def test_auto_of_a_run_that_moved(crawl, tmp_path, capsys):
    shutil.copytree(crawl[1], tmp_path / 'moved')
    assert run('auto', tmp_path / 'moved') == DONE
    assert capsys.readouterr().out == auto_list(crawl[2], 100, 2)
    for gone in (tmp_path / 'moved' / '02-counts').glob('attempt-*'):
        shutil.rmtree(gone)
    assert run('auto', tmp_path / 'moved') == FAILED
    assert f'missing, but {tmp_path / "moved"} needs it' in refused(capsys)


def test_existing_list(crawl, tmp_path, capsys):
    out = listed(tmp_path / 'list', some(1))
    assert run('auto', crawl[1], '-o', out) == FAILED
    assert refused(capsys) == f'{out}: exists; name another file, or give --force'
    assert out.read_text().split() == [*some(1)]
    assert run('auto', crawl[1], '-o', out, '--force') == DONE
    assert out.read_text() == auto_list(crawl[2], 100, 2)


@pytest.mark.parametrize('threshold', [2, 0, 10**6])
def test_share(crawl, tmp_path, capsys, threshold):
    copies = crawl[2]
    chunks = sorted(copies, key=digest)[::3]
    names = {digest(chunk) for chunk in chunks} | some('a', 'b')
    more = [] if threshold == 2 else [f'--threshold={threshold}']
    assert run('share', listed(tmp_path / 'list', names), crawl[1], *more) == DONE
    wide = {c: n for c, n in copies.items() if n > threshold}
    whole = sum(wide.values())
    part = sum(n for c, n in wide.items() if c in chunks)
    share = f'{100 * part / whole:.1f} %' if whole else 'n/a'
    all_ = 100 * sum(copies[c] for c in chunks) / sum(copies.values())
    found = 100 * len(chunks) / (len(chunks) + 2)
    lines = [line.split('  ') for line in capsys.readouterr().out.splitlines()]
    assert [(first or second).strip() for *_, first, second in lines]
    assert [line[-2].strip() for line in lines] == [
        share, f'{all_:.1f} %', f'{found:.1f} %'
    ]  # fmt: skip
    assert lines[0][-1] == (
        f'of the {whole:,} chunks with more than {threshold:,} copies, each copy '
        'counted'
    )


def test_share_of_the_automatic_list(crawl, tmp_path, capsys):
    run('auto', crawl[1], '-o', tmp_path / 'list', '--shorter=1000000')
    assert run('share', tmp_path / 'list', crawl[1]) == DONE
    assert capsys.readouterr().out.split('\n')[0].startswith('   100.0 %')


def test_run_without_counts(tmp_path, capsys):
    """What detect has hashed for itself it has not counted."""
    write_warc(tmp_path / 'a.warc', [('http://a.org/', b'<p>one')])
    name = listed(tmp_path / 'list', some(1))
    mrl.write(tmp_path / 'some.mrl', [mrl.sha1(b'<p>one')], min_len=0)
    out = tmp_path / 'run'
    line = [tmp_path / 'a.warc', '-l', tmp_path / 'some.mrl', '-o', out, '-q']
    assert commands.run('detect', *line).code == 0
    for line in [['auto', out], ['share', name, out]]:
        assert run(*line) == FAILED
        why = 'a run of detect, without counts; name a run of discover'
        assert refused(capsys) == f'{out}: {why}'


def test_no_run(tmp_path, capsys):
    name = listed(tmp_path / 'list', some(1))
    for line in [['auto', tmp_path], ['share', name, tmp_path / 'no']]:
        assert run(*line) == FAILED
        assert refused(capsys).startswith(f'{line[-1]}: no finished run of discover')


def test_share_of_another_kind(crawl, tmp_path, capsys):
    name = mrl.write(tmp_path / 'x.mrl', normalize='collapse')
    assert run('share', name, crawl[1]) == FAILED
    assert refused(capsys) == (
        f'{name}: made with --normalize collapse, {crawl[1]} with --normalize none; '
        'use the same option for both'
    )


@pytest.mark.apart
def test_in_a_process(tmp_path):
    auto, manual = listed(tmp_path / 'a', AUTO), listed(tmp_path / 'm', MANUAL)
    done = subprocess.run(
        [sys.executable, '-m', 'mr_reuse.stop', 'eval', auto, manual],
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert (done.stdout.decode(), done.stderr) == (PAPER, b'')


# The Bloom filter


def keys_of(numbers) -> np.ndarray:
    data = b''.join(sorted(hashlib.sha1(b'%d' % n).digest() for n in numbers))
    return np.frombuffer(data, np.uint8).reshape(-1, 20)


@pytest.mark.parametrize('count, rate', [(1000, 0.01), (10, 0.5), (7137, 1e-6)])
def test_size_is_the_formula(count, rate):
    bits = math.ceil(-count * math.log(rate) / math.log(2) ** 2)
    hashes_ = max(1, round(bits / count * math.log(2)))
    assert filter_size(count, rate) == (max(64, bits), hashes_)


@pytest.mark.parametrize('rate', [0.3, 0.01, 0.001])
def test_rate_of_wrong_answers(rate):
    bloom = Bloom(20_000, rate).add(keys_of(range(20_000)))
    assert bloom.may_contain(keys_of(range(20_000))).all()
    asked = 50_000
    wrong = int(bloom.may_contain(keys_of(range(10**6, 10**6 + asked))).sum())
    deviation = math.sqrt(asked * rate * (1 - rate))
    assert abs(wrong - asked * rate) < 6 * deviation + 0.1 * asked * rate


def test_filter_is_checked():
    told = Counter()
    keys = keys_of(range(500))
    found = StopList(keys_of(range(100)), 0.4).test(keys, told)
    found_plain = StopList(keys_of(range(100))).test(keys, Counter())
    assert (found == found_plain).all() and found.sum() == 100
    assert told['Bloom: asked'] == 500
    assert told['Bloom: wrong'] == told['Bloom: yes'] - 100 > 0


def test_empty_filter():
    stop_list = StopList(keys_of([]), 0.1)
    assert not stop_list.test(keys_of([1, 2]), Counter()).any()


@pytest.fixture(scope='module')
def stopped(crawl, tmp_path_factory):
    """Runs with a third of the chunks on a stop list, and what was said."""
    folder = tmp_path_factory.mktemp('stopped')
    names = sorted(map(digest, crawl[2]))[::3]
    line = [*crawl[0], f'--stop={listed(folder / "stop", names)}', '--threshold=0']
    line += ['--min-len=0', '-r', 'inline']

    def discover_(name, *more):
        assert discover.main([*line, *more, '-o', str(folder / name)]) == DONE
        return folder / name

    return discover_


def test_bloom_filter_changes_nothing(stopped, capsys):
    plain = stopped('plain', '-q')
    bloom = stopped('bloom', '--stop-bloom=0.3')
    told = json.loads((bloom / 'run.json').read_text())['labels']['chunk']
    assert told['Bloom: wrong'] > 0
    line = (
        f'Bloom filter (rate 0.3): {told["Bloom: yes"]:,} yes-answers to '
        f'{told["Bloom: asked"]:,} chunks, {told["Bloom: wrong"]:,} of them wrong; '
        'all were checked'
    )
    assert line in capsys.readouterr().out.splitlines()
    assert tables_in(bloom) == tables_in(plain)
    assert (bloom / 'labels.mrl').read_bytes() == (plain / 'labels.mrl').read_bytes()


def test_unchecked_filter_drops_more(stopped, capsys):
    plain = hashes(tables_in(stopped('plain', '-q'))['labels.tsv'])
    bold = stopped('bold', '--stop-bloom=0.3', '--stop-unchecked')
    kept = hashes(tables_in(bold)['labels.tsv'])
    assert set(kept) < set(plain)
    assert 'wrong; none was checked' in capsys.readouterr().out
