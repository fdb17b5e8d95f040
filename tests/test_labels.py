"""The command `labels`, and the label files that it reads and writes."""

import json
import os
import subprocess
import sys

import mrl
import pytest
from crawls import ROOT, hashes, sample_crawl, write_crawl, write_warc
from hypothesis import given, settings
from hypothesis import strategies as st
from mrl import HEAD, some
from reference import Options, chunks_of, digest, is_loop, tables

from mr_reuse import detect, labels
from mr_reuse.chunks.discover import steps
from mr_reuse.errors import DAMAGED, DONE, FAILED, USAGE

LONG = 'x' * 101
SHORT = 'x' * 94  # with <p> and three digits, 100 bytes


def run(*args):
    return labels.main([os.fspath(arg) for arg in args])


def build(*args):
    return run('build', *args, '-q', '-r', 'inline')


@pytest.fixture
def one(tmp_path):
    return mrl.write(tmp_path / 'one.mrl', some(*range(9)), some(50), some(60))


@pytest.fixture
def out(tmp_path):
    return tmp_path / 'out.mrl'


def refused(capsys):
    """What was said in one line; nothing else was."""
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('error: ') and said.err.count('\n') == 1
    return said.err[len('error: ') : -1]


# build


def test_remains_of_a_killed_build(tmp_path, out):
    """The file that it was writing goes away with the next build; others stay."""
    names, _ = write_crawl(tmp_path / 'in', sample_crawl())
    for name in ('out.mrl.0123abcd.half', 'other.mrl.0123abcd.half', 'out.mrl.half'):
        (tmp_path / name).write_text('half')
    assert build(*names, '-o', out) == DONE
    assert sorted(path.name for path in tmp_path.glob('*.mrl*')) == [
        'other.mrl.0123abcd.half',
        'out.mrl',
        'out.mrl.half',
    ]


def test_build_equals_reference(tmp_path, out):
    names, pages = write_crawl(tmp_path / 'in', sample_crawl())
    assert build(*names, '-o', out) == DONE
    want = tables(pages, Options(threshold=0, captures='all'))
    chunks, files = (set(hashes(want[f'{n}labels.tsv'])) for n in ('', 'file_'))
    assert mrl.read(out) == same({}, [chunks, files, set()])


def test_each_digest_once(tmp_path, out):
    body = (f'<p>{LONG}' * 3 + f'<p>100{SHORT}').encode()
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', body), ('http://b/', body)])
    assert build(tmp_path / 'a.warc.gz', '-o', out) == DONE
    chunk = digest(f'<p>{LONG}'.encode())
    assert mrl.read(out)[1] == [{chunk}, {digest(body)}, set()]


def test_build_leaves_only_labels(tmp_path, out):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    assert build(tmp_path / 'a.warc.gz', '-o', out) == DONE
    assert sorted(os.listdir(tmp_path)) == ['a.warc.gz', 'out.mrl']


def test_options_and_order_of_build(tmp_path, out):
    names, pages = write_crawl(tmp_path / 'in', sample_crawl(seed=3))
    options = Options(hash='sha256', normalize='collapse')
    kept = [page for page in pages if not is_loop(page.url, 'length')]
    chunks = {c for p in kept for c in chunks_of(p.body, options) if len(c) > 9}
    stop = sorted(digest(c, 'sha256') for c in chunks)[::2]
    (tmp_path / 'stop.txt').write_text('\n'.join(stop))
    more = ['--hash=sha256', '--normalize=collapse', '--min-len=9']
    more += [f'--stop={tmp_path / "stop.txt"}']
    assert build(*names, '-o', out, *more) == DONE
    head, sections = mrl.read(out)
    assert sections[0] == {digest(c, 'sha256') for c in chunks} - set(stop)
    assert sections[2] == set(stop)
    assert head['min_len'] == 9 and head['normalize'] == 'collapse'
    again = tmp_path / 'again.mrl'
    assert build(*names[::-1], '-o', again, *more, '--tasks=3') == DONE
    assert again.read_bytes() == out.read_bytes()


def test_damaged_input(tmp_path, out, capsys):
    pages = [('http://a/', b'<p>one' + b'1' * 200), ('http://b/', b'<p>two')]
    write_warc(tmp_path / 'a.warc.gz', pages)
    data = (tmp_path / 'a.warc.gz').read_bytes()
    (tmp_path / 'a.warc.gz').write_bytes(data[:-20])
    assert build(tmp_path / 'a.warc.gz', '-o', out) == DAMAGED
    assert 'a.warc.gz' in capsys.readouterr().err
    assert mrl.read(out)[1][1] == {digest(pages[0][1])}


def test_no_pages(tmp_path, out, capsys):
    write_warc(tmp_path / 'a.warc.gz', [])
    assert build(tmp_path / 'a.warc.gz', '-o', out) == DONE
    assert 'no pages' in capsys.readouterr().err
    assert mrl.read(out)[1] == [set(), set(), set()]


def test_forced_build_removes_its_own_only(tmp_path, out):
    """What a user has put into the folder for work in progress stays."""
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    folder = tmp_path / 'out.mrl.run'
    folder.mkdir()
    (folder / 'thesis.txt').write_text('mine')
    assert build(tmp_path / 'a.warc.gz', '-o', out, '--force') == DONE
    assert [path.name for path in folder.iterdir()] == ['thesis.txt']


def test_unfinished_build_goes_on(tmp_path, out, monkeypatch, capsys):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])

    def interrupted(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(steps, 'filter_stop_chunks', interrupted)
        assert build(tmp_path / 'a.warc.gz', '-o', out) == 130
    assert (tmp_path / 'out.mrl.run').is_dir() and not out.exists()
    assert run('build', tmp_path / 'a.warc.gz', '-o', out, '-r', 'inline') == DONE
    said = capsys.readouterr()
    assert '01-pages: finished before' in said.err
    assert said.out.startswith(f'{out}: 0 chunks and 1 file, of 1 page\n')
    assert not (tmp_path / 'out.mrl.run').exists()


def test_output_among_inputs(tmp_path):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    out = tmp_path / 'out.mrl'
    assert build(tmp_path, '-o', out) == DONE
    first = out.read_bytes()
    assert mrl.read(out)[0]['files'] == 1
    assert build(tmp_path, '-o', out, '--force') == DONE
    assert out.read_bytes() == first


def test_dry_run(tmp_path, out, capsys):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    assert build(tmp_path / 'a.warc.gz', '-o', out, '--dry-run') == DONE
    said = capsys.readouterr().out
    assert 'HashChunks, CountDuplicates, FilterStopChunks with' in said
    assert os.listdir(tmp_path) == ['a.warc.gz']


def test_bloom_filter_in_build(tmp_path, out, capsys):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', f'<p>{LONG}<p>'.encode())])
    (tmp_path / 'stop').write_text(f'{digest(f"<p>{LONG}".encode())}\n')
    more = [f'--stop={tmp_path / "stop"}', '--stop-bloom=0.001']
    assert run('build', tmp_path / 'a.warc.gz', '-o', out, *more) == DONE
    assert 'Bloom filter (rate 0.001): 1 yes-answer to 2' in capsys.readouterr().out


@pytest.mark.parametrize('command', ['build', 'merge', 'subtract', 'export'])
def test_existing_output(tmp_path, one, out, command, capsys):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    out.write_text('mine')
    given = [tmp_path / 'a.warc.gz'] if command == 'build' else [one]
    given += [one] if command == 'subtract' else []
    assert run(command, *given, '-o', out) == FAILED
    assert refused(capsys) == f'{out}: exists; name another file, or give --force'
    assert out.read_text() == 'mine'
    assert run(command, *given, '-o', out, '--force') == DONE
    assert out.read_bytes() != b'mine'


@pytest.mark.parametrize('command', ['build', 'merge', 'export'])
def test_no_folder_for_output(tmp_path, one, command, capsys):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p>one')])
    given = tmp_path / 'a.warc.gz' if command == 'build' else one
    assert run(command, given, '-o', tmp_path / 'no' / 'x') == FAILED
    assert refused(capsys) == f'{tmp_path / "no"}: no such folder; make it first'


# info


def test_info(one, capsys):
    assert run('info', one) == DONE
    size = one.stat().st_size
    assert capsys.readouterr().out.splitlines() == [
        str(one),
        '  hash        sha1',
        '  delimiters  p,div',
        '  normalize   none',
        '  compat      none',
        '  min_len     100',
        '  chunks      9',
        '  files       1',
        '  stop        1',
        f'  bytes       {size}',
    ]


def test_info_json(one, capsys):
    assert run('info', '--json', one) == DONE
    told = json.loads(capsys.readouterr().out)
    counts = {'chunks': 9, 'files': 1, 'stop': 1}
    size = one.stat().st_size
    assert told == HEAD | counts | {'labels': str(one), 'bytes': size}


# merge and subtract

numbers = st.sets(st.integers(0, 30), max_size=20)
three = st.tuples(numbers, numbers, numbers)


def files_of(folder, tables):
    return [
        mrl.write(folder / f'{i}.mrl', *(some(*s) for s in table))
        for i, table in enumerate(tables)
    ]


def same(head, sections):
    counts = dict(zip(mrl.SECTIONS, map(len, sections), strict=True))
    return HEAD | counts | head, sections


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.lists(three, min_size=1, max_size=4))
def test_merge_is_union(tmp_path_factory, tables):
    folder = tmp_path_factory.mktemp('merge')
    names = files_of(folder, tables)
    assert run('merge', *names, '-o', folder / 'out') == DONE
    union = [some(*set().union(*s)) for s in zip(*tables, strict=True)]
    assert mrl.read(folder / 'out') == same({}, union)
    assert run('merge', *names[::-1], '-o', folder / 'back') == DONE
    assert (folder / 'back').read_bytes() == (folder / 'out').read_bytes()


@settings(max_examples=12, deadline=None, derandomize=True)
@given(three, three)
def test_subtract_is_difference(tmp_path_factory, ours, theirs):
    folder = tmp_path_factory.mktemp('subtract')
    one, other = files_of(folder, [ours, theirs])
    text = folder / 'text'
    every = sorted(some(*set().union(*theirs)))
    text.write_text('# a list\n' + '\n'.join(every).upper())
    kinds = folder / 'kinds'
    assert run('export', other, '-o', kinds) == DONE
    chunks, files, stop = ours
    gone = set().union(*theirs)
    left = same({}, [some(*chunks - gone), some(*files - gone), some(*stop)])
    for number, name in enumerate([other, text, kinds]):
        out = folder / f'out-{number}'
        assert run('subtract', one, name, '-o', out) == DONE
        assert mrl.read(out) == left


def test_merge_with_itself(one, out):
    assert run('merge', one, one, '-o', out) == DONE
    assert out.read_bytes() == one.read_bytes()


def test_merge_in_place(one, tmp_path):
    other = mrl.write(tmp_path / 'other.mrl', some(77))
    assert run('merge', one, other, '-o', one, '--force') == DONE
    assert mrl.read(one)[1][0] == some(*range(9), 77)


def test_merge_keeps_least_length(one, tmp_path, out, capsys):
    other = mrl.write(tmp_path / 'other.mrl', some(1, 77), min_len=0)
    assert run('merge', one, other, '-o', out) == DONE
    said = capsys.readouterr().err
    [note, _] = said.splitlines()
    assert note == (
        f'warning: {out}: combines labels made with --min-len 0, 100; the minimum, 0, '
        'is recorded'
    )
    assert mrl.read(out)[0]['min_len'] == 0


def test_what_was_written(one, tmp_path, out, capsys):
    """One line on standard error, of what is in a file that was made."""
    other = mrl.write(tmp_path / 'other.mrl', some(1, 99), [], some(60, 61))
    for command, names, text in (
        ('merge', [one, other], '10 chunks, 1 file, 2 stop chunks'),
        ('subtract', [one, other], '8 chunks, 1 file, 1 stop chunk'),
        ('export', [one], '11 hashes'),
        ('export', [one, '--kind=chunk'], '9 hashes'),
    ):
        assert run(command, *names, '-o', out, '--force') == DONE
        assert capsys.readouterr() == ('', f'{out}: {text}\n')
    assert run('export', one) == DONE
    assert capsys.readouterr().err == ''


def test_runs_for_label_files(one, tmp_path, out, capsys):
    """A run stands for the labels that it has made."""
    folder = tmp_path / 'RUN'
    folder.mkdir()
    other = mrl.write(folder / 'labels.mrl', some(1, 2, 99))
    for command, *line in (
        ['info'],
        ['export'],
        ['merge', one, '-o', out, '--force'],
        ['subtract', one, '-o', out, '--force'],
    ):
        found = []
        for name in (other, folder):
            assert run(command, name, *line) == DONE
            found.append((capsys.readouterr(), out.exists() and out.read_bytes()))
        assert found[0] == found[1]
    assert run('subtract', one, folder, '-o', out, '--force') == DONE
    assert mrl.read(out)[1][0] == some(*range(9)) - some(1, 2, 99)


@pytest.mark.parametrize('command', ['merge', 'subtract'])
@pytest.mark.parametrize(
    'other',
    [
        {'delimiters': 'p'},
        {'normalize': 'collapse'},
        {'compat': 'ccr2019-arc'},
        {'hash': 'sha256'},
    ],
)
def test_other_kind_of_labels(one, out, capsys, command, other):
    ((field, value),) = other.items()
    other = mrl.write(out.with_name('other.mrl'), **other)
    assert run(command, one, other, '-o', out) == FAILED
    assert refused(capsys) == (
        f'{other}: made with --{field} {value}, {one} with --{field} {HEAD[field]}; '
        'use the same option for both'
    )
    assert not out.exists()


def test_subtract_other_hashes(one, tmp_path, out, capsys):
    text = tmp_path / 'list'
    text.write_text('ab' * 32 + '\n')
    assert run('subtract', one, text, '-o', out) == FAILED
    said = refused(capsys)
    assert said == f"{text}, line 1: '{'ab' * 32}' is a sha256 hash; give sha1 hashes"


# export


def test_export(one, capsys):
    assert run('export', one) == DONE
    lines = [f'chunk\t{h}' for h in sorted(some(*range(9)))]
    lines += [f'file\t{h}' for h in some(50)] + [f'stop\t{h}' for h in some(60)]
    assert capsys.readouterr().out == ''.join(f'{line}\n' for line in lines)


def test_export_plain(one, out, capsys):
    assert run('export', one, '--plain', '-o', out) == DONE
    want = [*sorted(some(*range(9))), *some(50), *some(60)]
    assert out.read_text() == ''.join(f'{line}\n' for line in want)
    assert run('export', one, '--plain', '--kind=stop', '--kind=file') == DONE
    assert capsys.readouterr().out.split() == [*some(50), *some(60)]


def test_export_json(one, tmp_path, capsys):
    assert run('export', one, '--format=json') == DONE
    assert json.loads(capsys.readouterr().out) == HEAD | {
        'chunks': sorted(some(*range(9))),
        'files': [*some(50)],
        'stop': [*some(60)],
    }
    empty = mrl.write(tmp_path / 'empty.mrl')
    assert run('export', empty, '--format=json', '--kind=file') == DONE
    assert json.loads(capsys.readouterr().out) == HEAD | {'files': []}


def test_export_of_nothing(tmp_path, capsys):
    assert run('export', mrl.write(tmp_path / 'empty.mrl')) == DONE
    assert capsys.readouterr().out == ''


# As people type it


def apart(*args):
    command = [sys.executable, '-m', 'mr_reuse.labels', *map(str, args)]
    env = {**os.environ, 'PYTHONPATH': str(ROOT)}
    return subprocess.run(command, env=env, capture_output=True, check=False)


@pytest.mark.apart
def test_in_processes(tmp_path):
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', f'<p>{LONG}'.encode())])
    env = {**os.environ, 'PYTHONPATH': str(ROOT)}
    command = [sys.executable, '-m', 'mr_reuse.labels', 'build', 'a.warc.gz']
    command += ['-o', 'x.mrl', '--tasks=2']  # a relative name, tasks apart
    done = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == DONE, done.stderr
    assert done.stdout.startswith(b'x.mrl: 1 chunk and 1 file, of 1 page\n')
    found = apart('export', tmp_path / 'x.mrl')
    name = digest(f'<p>{LONG}'.encode())
    assert found.stdout.decode() == f'chunk\t{name}\nfile\t{name}\n'
    assert found.stderr == b''


@pytest.mark.apart
def test_wrong_usage(tmp_path):
    done = apart('export', 'x', '--plain', '--format=json')
    assert done.returncode == USAGE and done.stderr.startswith(b'error: --format: ')
    assert apart('info', tmp_path / 'no').returncode == FAILED


# import


def test_import_of_an_export(one, tmp_path, out):
    """All kinds come back, so the files have the same bytes."""
    text = tmp_path / 'one.txt'
    assert run('export', one, '-o', text) == DONE
    assert run('import', text, '-o', out) == DONE
    assert out.read_bytes() == one.read_bytes()


def test_import_of_plain_hashes(tmp_path, out):
    """They are those of chunks; their length tells the digest."""
    text = tmp_path / 'list.tsv'
    long, other = (digest(body, 'sha256') for body in (b'one', b'two'))
    text.write_text(f'hash\tcopies\n# a comment\n{long.upper()}\t7\n{other}\n{long}\n')
    line = ['--min-len=0', '--delimiters=DIV', '--normalize=collapse']
    assert run('import', text, '-o', out, *line) == DONE
    head, sections = mrl.read(out)
    assert sections == [{long, other}, set(), set()]
    want = ('sha256', 'div', 'collapse', 0)
    assert (
        tuple(head[n] for n in ('hash', 'delimiters', 'normalize', 'min_len')) == want
    )


def test_imported_labels_are_found(tmp_path, out):
    """A label of at most --min-len bytes is a stop chunk."""
    bodies = [f'<p>{LONG}'.encode(), b'<p>short']
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b''.join(bodies))])
    (tmp_path / 'list').write_text(''.join(f'{digest(body)}\n' for body in bodies))
    for length, bad in ((0, '2\t2'), (100, '1\t1')):
        line = ['--min-len', str(length), '-o', out, '--force']
        assert run('import', tmp_path / 'list', *line) == DONE
        to = tmp_path / f'run{length}'
        line = [tmp_path / 'a.warc.gz', '-l', out, '-o', to, '-q', '-r', 'inline']
        assert detect.main(list(map(str, line))) == DONE
        assert f'\thttp://a/\t{bad}\t1.0' in (to / 'pages.tsv').read_text()


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('hash\n', '{name}: this list has no hashes'),
        ('word\n', "{name}, line 1: 'word' is not a sha1 hash (40 hexadecimal digits)"),
    ],
)
def test_import_of_no_hashes(tmp_path, out, capsys, text, said):
    (tmp_path / 'list').write_text(text)
    assert run('import', tmp_path / 'list', '-o', out) == FAILED
    assert refused(capsys) == said.format(name=tmp_path / 'list')
    assert not out.exists()


def test_import_of_a_label_file(one, out, capsys):
    assert run('import', one, '-o', out) == FAILED
    assert refused(capsys) == f'{one}: a label file or a run; name a list of hashes'


def test_chunks_of_auntietuna(tmp_path, out):
    """Its published hash of a page with the test string of EICAR (2015 fixture)."""
    eicar = r'X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', f'\n<p>{eicar}</p>\n'.encode())])
    line = ['--hash=sha256', '--delimiters=p,div/ccr2019', '--normalize=auntietuna']
    assert build(tmp_path / 'a.warc.gz', '-o', out, *line, '--min-len=28') == DONE
    [chunk] = mrl.read(out)[1][0]
    assert chunk.startswith('8394eaf6060547d4')


def test_delimiters_beside_a_preset(tmp_path, out, capsys):
    """What the preset says of white space is replaced with a warning alone."""
    write_warc(tmp_path / 'a.warc.gz', [('http://a/', b'<p\nclass=a><p>')])
    for delimiters, kept in (('p', 1), ('p/ccr2019', 0)):
        line = ['--preset=ccr2019', '--delimiters', delimiters, '--force']
        assert build(tmp_path / 'a.warc.gz', '-o', out, *line) == DONE
        assert mrl.read(out)[0]['delimiters'] == delimiters
        err = capsys.readouterr().err
        assert ('give p/ccr2019' in err, err.count('\n')) == (bool(kept), kept)
