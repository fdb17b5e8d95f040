"""Bad input ends in one clear line, and leaves nothing half-written."""

import gzip
import hashlib
import json
import os
import shutil
import socket
import subprocess
import time

import pytest
from commands import DISCOVER, apart, discover, ended, leftovers, refused, results, run
from crawls import TABLES, arc_record, write_warc

from mr_reuse.engine.clusters import yarn
from mr_reuse.errors import UserError

PAGES = [('http://a.org/', b'<p>one'), ('http://b.org/', b'<p>two<p>one')]
HEADERS = [
    b'hash\tlength\tcopies\tpages\thosts\texample_url\tpreview\n',
    b'hash\tlength\tcopies\thosts\texample_url\n',
    b'unit\tcopies\tobjects\n',
]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Names that are nothing


def test_nothing_there(here):
    """Each kind of nothing: one line, exit code 1, no run directory."""
    os.mkfifo(here / 'pipe')
    (here / 'gone').symlink_to('nowhere')
    (here / 'empty').mkdir()
    (here / 'empty.txt').touch()
    (here / 'image.png').write_bytes(b'\x89PNG\r\n\x1a\n\0\0')
    (here / 'list').write_text('a.warc.gz\n')
    with socket.socket(socket.AF_UNIX) as made:
        made.bind('socket')
    expected = {
        'a.warc.gz': 'no such file or folder',
        '*.arc': 'matches no file or folder; check the path',
        'pipe': 'neither a file nor a folder',
        'socket': 'neither a file nor a folder',
        'gone': 'neither a file nor a folder',
        'empty': 'no files in this folder; name one with archives or pages',
        'empty.txt': 'this file is empty',
        'image.png': 'this file is not an archive, a page or a list of names',
        'ftp://host/a.warc.gz': 'ftp:// is not supported; use hdfs, s3 or https',
    }
    for name, why in expected.items():
        assert refused(name, '-o', 'run') == f'{name}: {why}'
    why = 'no such file or folder; a text file is read as a list of names'
    assert refused('list', '-o', 'run') == f'list, line 1: a.warc.gz: {why}'
    assert not (here / 'run').exists()


def test_runs_are_no_crawls(here):
    """A run that is given in place of its archives is not read as pages."""
    write_warc(here / 'a.warc', PAGES)
    assert discover('a.warc', '-o', 'run', '-q').code == 0
    assert refused('run', '-o', 'other') == (
        'run: a run, not a crawl; name its archives instead (see inputs.txt in it)'
    )
    (here / 'site').mkdir()
    (here / 'site/run.json').write_text('{"a": 1}')  # it may be a page all the same
    assert discover('site', '-o', 'other', '-q') == (0, '', '')


def test_folders_for_files(here):
    """What is said where a folder is named instead of a file in it."""
    write_warc(here / 'a.warc', PAGES)
    assert discover('a.warc', '-o', 'run', '-q').code == 0
    (here / 'empty').mkdir()
    assert run('labels', 'info', 'empty').err == (
        'error: empty: a folder without labels.mrl; name a label file or a run of '
        'discover\n'
    )
    assert refused('a.warc', '-o', 'other', '-c', 'run') == (
        'run: a folder, not a file; name a mrjob.conf with -c'
    )
    assert refused('a.warc', '-o', 'a.warc') == (
        'a.warc: a file is in the way of this folder'
    )
    assert run('watch', 'a.warc', '-l', 'run').err == (
        'error: a.warc: a file, not a folder\n'
    )


def test_prefix_without_a_slash(here):
    """Of a host it is one all the same."""
    write_warc(here / 'a.warc', PAGES)
    assert discover('a.warc', '-o', 'run', '-q').code == 0
    said = run('show', 'run', 'a.org/x')
    assert (said.code, said.out) == (2, '')
    assert said.err == (
        'error: a.org/x: not a hash of six or more digits, not ARCHIVE:OFFSET, '
        'and not a URL prefix ending in /\n'
    )


def test_odd_name_is_one_line(here):
    assert refused('a\nb\x1b.warc', '-o', 'run') == (
        r'a\x0ab\x1b.warc: no such file or folder'
    )


@pytest.mark.parametrize(
    'line',
    [
        ['-o', 'run'],
        ['a.warc'],
        ['a.warc', '-o', 'run', '--hash=rot13'],
        ['a.warc', '-o', 'run', '--threshold=-1'],
        ['a.warc', '-o', 'run', '--tasks=0'],
        ['a.warc', '-o', 'run', '--no-such-option'],
    ],
)
def test_usage(line):
    code, out, err = run('discover', *line)
    assert (code, out) == (2, '')
    assert 'error: ' in err.splitlines()[-1]


@pytest.mark.parametrize('line', ['detect run', 'watch run'])
def test_stop_scope_none(line):
    """A value that never had an effect of its own; the way to its effect is named."""
    code, out, err = run(*line.split(), '-l', 'x.mrl', '--stop-scope=none')
    assert (code, out) == (2, '')
    assert err == (
        'error: --stop-scope: none would do the same as labels, as stop chunks are no '
        'labels; to count them as labels, run discover without --stop and with '
        '--min-len 0\n'
    )


@pytest.mark.parametrize(
    'option',
    ['--delimiters=<p>', '--delimiters=p,,p', '--filter=colour=red', '--filter=status'],
)
def test_bad_values(here, option):
    write_warc(here / 'a.warc', PAGES)
    code, out, err = discover('a.warc', '-o', 'run', option)
    assert (code, out) == (2, '')
    assert err.count('\n') == 1 and option.partition('=')[2].partition('=')[0] in err
    assert not (here / 'run').exists()


@pytest.mark.parametrize(
    ('text', 'why'),
    {
        'runners: [': 'while parsing a flow node',
        '[1]': 'the top level should be a mapping, not [1]',
        'words': "the top level should be a mapping, not 'words'",
        'runner: {}': "the top level has no setting 'runner'; did you mean runners?",
        'runners: {inlin: {}}': "runners has no setting 'inlin'; did you mean",
        'runners: {inline: 5}': 'runners.inline should be a mapping, not 5',
        'runners: {inline: {cmdenw: {}}}': "runners.inline has no setting 'cmdenw'",
        'runners: {inline: {cmdenv: [1]}}': 'runners.inline.cmdenv should be a mapping',
    }.items(),
)
def test_bad_conf(here, text, why):
    """What mrjob would stumble over in the middle of a run is found before it."""
    write_warc(here / 'a.warc.gz', PAGES)
    (here / 'my.conf').write_text(text)
    said = refused('a.warc.gz', '-o', 'run', '-c', 'my.conf')
    assert said.startswith('my.conf: not a mrjob.conf (-c): ') and why in said
    assert not (here / 'run').exists()


def test_bad_stop_lists(here):
    write_warc(here / 'a.warc', PAGES)
    (here / 'image.png').write_bytes(b'\x89PNG\r\n\x1a\n\0\0')
    assert discover('a.warc', '-o', 'other', '--hash=sha256', '-q').code == 0
    for name in ('gone', 'image.png', 'other/labels.mrl', 'other'):
        assert refused('a.warc', '-o', 'run', '--stop', name).startswith(name)
    assert not (here / 'run').exists()


# Archives with nothing in them


def test_no_records(here):
    (here / 'a.warc.gz').touch()
    code, out, err = discover('a.warc.gz', '-o', 'run', '-q')
    assert (code, out) == (3, '')
    assert err.splitlines()[-1].endswith('empty file, a.warc.gz')
    assert [results(here / 'run')[name] for name in TABLES] == HEADERS


def test_no_pages(here):
    write_warc(here / 'a.warc.gz', [])
    assert discover('a.warc.gz', '-o', 'run', '-q') == (
        0,
        '',
        'warning: no pages in the input; check INPUT and --filter\n',
    )
    assert [results(here / 'run')[name] for name in TABLES] == HEADERS


def test_not_an_archive(here):
    """A name that promises an archive makes a page damage, which `-q` shows as well."""
    write_warc(here / 'a.warc', PAGES)
    (here / 'b.arc').write_bytes(b'<html>')
    code, out, err = discover('a.warc', 'b.arc', '-o', 'run', '-q')
    assert (code, out) == (3, '')
    assert err.splitlines()[0] == 'damaged input; everything else was read:'
    assert err.splitlines()[-1].endswith('not an archive, b.arc')


def test_unread_inputs_are_on_the_first_screen(here):
    """An archive with a damaged record was read, one without any record was not."""
    write_warc(here / 'a.warc', PAGES)
    data = (here / 'a.warc').read_bytes()
    (here / 'cut.warc').write_bytes(data[:-20])
    (here / 'none.warc').touch()
    (here / 'junk.warc.gz').write_bytes(b'\xff' * 999)
    names = ['a.warc', 'cut.warc', 'none.warc', 'junk.warc.gz']
    code, out, _ = discover(*names, '-o', 'run')
    assert code == 3
    assert out.splitlines()[1] == 'could not be read at all: 2 of 4 inputs'
    assert 'could not be read at all' not in discover(*names[:1], '-o', 'sound').out


def test_loops_are_reported(here):
    """Records that were left out as loops are in the summary and in the histogram."""
    loops = [(f'http://a.org/{"x/" * n}', b'<p>one') for n in (96, 97, 97, 300)]
    write_warc(here / 'a.warc', loops)
    code, out, _ = discover('a.warc', '-o', 'run', '--threshold=0', '--min-len=0')
    said = 'left out as crawler loops: 3 records (see --recursion)'
    assert code == 0 and out.splitlines()[1] == said
    read = json.loads((here / 'run/run.json').read_text())['read']
    assert read['depths'] == {'96': 1, '97': 2, '300': 1}
    line = ['a.warc', '-l', 'run', '-r', 'inline', '-o', 'other']
    assert run('detect', *line).out.splitlines()[0] == said
    out = discover('a.warc', '-o', 'all', '--recursion=none').out
    assert 'left out' not in out


# Odd names, from end to end


@pytest.mark.parametrize('name', [b'a b', b'a\tb\nc', b'a:7', b'\xff', b"a'@%20"])
def test_odd_names(here, name):
    name = os.fsdecode(name)
    (here / f'{name} site').mkdir()
    (here / f'{name} site/{name}.html').write_bytes(b'<p>one')
    write_warc(here / 'x', [('http://a.org/', b'<p>one')] * 3)
    (here / 'x').rename(here / f'{name}.warc')
    line = [f'{name}.warc', f'{name} site', '-o', f'run {name}', '-q']
    line += ['--threshold=1', '--min-len=0']
    assert discover(*line) == (0, '', '')
    [row] = results(here / f'run {name}')['labels.tsv'].splitlines()[1:]
    digest, *_, preview = row.decode().split('\t')
    assert preview == '<p>one'
    assert len((here / f'run {name}/inputs.txt').read_bytes().splitlines()) == 2
    code, out, err = run('show', f'run {name}', digest)
    assert (code, out) == (0, '<p>one')
    rid = err.splitlines()[-1].split('  ')[-1]
    assert run('show', f'run {name}', rid)[:2] == (0, '<p>one')
    assert discover(*line) == (0, '', '')


# What is read


def test_limit_and_twice(here):
    for name in ('a.warc', 'b.warc', 'c.warc'):
        write_warc(here / name, PAGES)
    names = ['a.warc', './a.warc', str(here / 'b.warc'), '*.warc']
    code, out, err = discover(*names, '-o', 'run', '--limit=2', '--captures=all')
    assert code == 0 and out.startswith('4 pages ')
    assert err == 'warning: ./a.warc: named twice, read once\n'
    names += ['missing.warc']
    code, out, err = discover(*names, '-o', 'other', '--limit=2')
    assert (code, err) == (1, 'error: missing.warc: no such file or folder\n')


def test_dry_run(here):
    for name in ('a.warc', 'b.warc'):
        write_warc(here / name, PAGES)
    (here / 'c.html').write_bytes(b'<p>')
    size = sum((here / name).stat().st_size for name in ('a.warc', 'b.warc'))
    code, out, err = discover('*.*', '-o', 'run', '--dry-run', '--tasks=3')
    assert (code, err) == (0, '')
    assert [line.split() for line in out.splitlines()[2:4]] == [
        ['3', 'c.html'],
        [
            f'{size + 3:,}',
            *'bytes in 2 archives and 1 single page'.split(),
        ],
    ]
    assert 'HashChunks' in out and '3 map tasks into run\n' in out
    assert not (here / 'run').exists()


def test_run_below_inputs(here):
    """A run in the folder of its inputs can be taken up again."""
    (here / 'site').mkdir()
    (here / 'site/a.html').write_bytes(b'<p>one')
    for _ in range(2):
        assert discover('site', '-o', 'site/run', '-q') == (0, '', '')
    assert refused('site/run', '-o', 'site/run') == (
        'site/run: this input is the folder for results; give another -o'
    )


@pytest.mark.parametrize('name', ['a#b', 'a[1]', '$HOME', 'a*'])
def test_odd_run(here, name):
    """What mrjob would take for something else is refused before it can."""
    write_warc(here / 'a.warc', PAGES)
    assert refused('a.warc', '-o', name).endswith(
        ' cannot be in the name of this folder; name another'
    )
    assert not (here / name).exists()


def test_many_pages(here):
    for number in range(5000):
        folder = here / f'site/{number // 100}'
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f'{number}.html').write_bytes(b'<p>page %d<p>all' % number)
    began = time.monotonic()
    line = ['--threshold=9', '--min-len=0', '-q']
    assert discover('site', '-o', 'run', *line) == (0, '', '')
    assert time.monotonic() - began < 15
    [row] = results(here / 'run')['labels.tsv'].splitlines()[1:]
    assert row.split(b'\t')[1:5] == [b'6', b'5000', b'5000', b'1']


# A full disk


@pytest.fixture
def small_disk(here):
    disk = here / 'disk'
    disk.mkdir()
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', str(disk)]
    if os.getuid() or subprocess.call(mount):
        pytest.skip('only root can mount a small disk')
    yield disk
    subprocess.run(['umount', str(disk)], check=True)


@pytest.mark.apart
@pytest.mark.skipif(not shutil.which('mount'), reason='needs mount')
def test_full_disk(here, small_disk):
    body = b''.join(b'<p>chunk %d' % i for i in range(20_000))
    write_warc(here / 'a.warc', [('http://a.org/', body)])
    line = [*DISCOVER, 'a.warc', '-o', small_disk / 'run', '-q']
    code, out, err = ended(apart(*line, cwd=here))
    assert (code, out, err.count('\n')) == (1, '', 1)
    assert 'no space left on the device' in err and 'Errno' not in err
    assert not leftovers(small_disk / 'run')
    subprocess.run(['mount', '-o', 'remount,size=90M', str(small_disk)], check=True)
    assert ended(apart(*line, cwd=here)) == (0, '', '')


def test_many_comments(here):
    """A page that begins with comments alone is told from others in no time."""
    body = b'<!-- c -->' * 100 + b'<section>'
    write_warc(here / 'a.warc', [('http://a.org/', body)])
    assert discover('a.warc', '-o', 'run', '-q') == (0, '', '')


def test_many_encodings(here):
    """They cost their own record at the most, not the run."""
    layers = b','.join([b'gzip'] * 1000)
    head = b'HTTP/1.1 200 OK\r\nContent-Encoding: ' + layers + b'\r\n\r\n<p>one'
    (here / 'a.arc').write_bytes(
        arc_record('filedesc://a', b'text/plain', b'1 0 x\n\n')
        + arc_record('http://a.org/', b'text/html', head)
    )
    assert discover('a.arc', '-o', 'run', '-q') == (0, '', '')
    told = json.loads((here / 'run/run.json').read_text())['read']
    assert told['notes'] == {'content encoding unknown': 1}
    assert told['counts']['chunks'] == 1


def test_packed_pages(here):
    """A page in a gzipped file is that page; `show` prints it unpacked."""
    body = b'<html><p>one<p>two'
    (here / 'site').mkdir()
    (here / 'site/a.html.gz').write_bytes(gzip.compress(body))
    assert discover('site', '-o', 'run', '-q') == (0, '', '')
    told = json.loads((here / 'run/run.json').read_text())['read']
    assert told['counts'] == {'pages': 1, 'files': 1, 'chunks': 3, 'bytes': len(body)}
    shown = run('show', 'run', hashlib.sha1(b'<p>two').hexdigest(), '-q')
    assert shown.out == '<p>two'
    (here / 'site/a.html.gz').write_bytes(gzip.compress(body)[:-9])
    assert discover('site', '-o', 'cut', '-q').code == 3


def test_show_of_a_changed_file(here):
    body = b'<p>' + b'x' * 50
    write_warc(here / 'a.warc', [('http://a.org/', body)], gzip=False)
    assert discover('a.warc', '-o', 'run', '-q') == (0, '', '')
    name = hashlib.sha1(body).hexdigest()
    assert run('show', 'run', name, '-q').out == body.decode()
    changed = (here / 'a.warc').read_bytes().replace(b'xxx', b'yyy')
    (here / 'a.warc').write_bytes(changed)
    said = run('show', 'run', name)
    assert (said.code, said.out) == (1, '')
    assert said.err.endswith(
        'the archive has changed since the run; name the folder of the right one '
        'with --archives, or run discover again\n'
    )


def test_show_of_a_chunk_behind_new_damage(here):
    """A large record that became damaged since the run ends in one line as well."""
    body = b'<p>one' + b'x' * (17 << 20) + b'<p>two'
    write_warc(here / 'a.warc.gz', [('http://a.org/', body)])
    assert discover('a.warc.gz', '-o', 'run', '-q') == (0, '', '')
    data = bytearray((here / 'a.warc.gz').read_bytes())
    data[-6] ^= 0xFF  # the checksum
    (here / 'a.warc.gz').write_bytes(data)
    said = run('show', 'run', hashlib.sha1(b'<p>two').hexdigest(), '-q')
    assert (said.code, said.out) == (1, '')
    assert 'this record is damaged' in said.err and said.err.count('\n') == 1


def test_lines_that_never_end(here):
    (here / 'list.txt').write_bytes(b'a' * 5_000_000)
    why = 'list.txt: not a list: it has a line of more than 4,194,304 bytes'
    assert refused('list.txt', '-o', 'run') == why


def test_records_in_one_another(here):
    """Each declares more than there is; what is read is not read again for each."""
    head = b'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.org/\r\n'
    huge = head + b'Content-Length: 1000000000000\r\n\r\n<p>one\r\n\r\n'
    (here / 'a.warc').write_bytes(huge * 3_000 + b'WARC/1.0\r\nA:' * 10_000)
    (here / 'b.warc.gz').write_bytes(b'\x1f\x8b\x08\x08' * 9_000)
    assert discover('a.warc', 'b.warc.gz', '-o', 'run', '-q').code == 3


# Commands that are nowhere


def test_no_hadoop(here, monkeypatch):
    (here / 'bin').mkdir()
    monkeypatch.setenv('PATH', str(here / 'bin'))
    monkeypatch.setenv('HADOOP_HOME', str(here))
    with pytest.raises(UserError, match='hadoop: no such command'):
        yarn.require_command()
    (here / 'bin/hadoop').write_text('#!/bin/sh\n')
    (here / 'bin/hadoop').chmod(0o755)
    with pytest.raises(UserError, match='yarn: no such command'):
        yarn.require_command()
    shutil.copy(here / 'bin/hadoop', here / 'bin/yarn')
    yarn.require_command()
