"""Lists of hashes, as `discover --stop` reads them."""

import gzip

import mrl
import pytest
from crawls import discover, hashes, sample_crawl, write_crawl

from mr_reuse import discover as discover_command
from mr_reuse.errors import DONE, FAILED


def refused(capsys):
    """What was said in one line; nothing else was."""
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('error: ') and said.err.count('\n') == 1
    return said.err[len('error: ') : -1]


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', sample_crawl())
    tables = discover(*names, '--threshold=2', out=folder / 'run')
    return names, hashes(tables['labels.tsv']), folder / 'run'


def stopped(crawl, tmp_path, text: bytes, *more) -> list[str]:
    (tmp_path / 'stop').write_bytes(text)
    line = [*crawl[0], '--threshold=2', f'--stop={tmp_path / "stop"}', *more]
    return hashes(discover(*line, out=tmp_path / 'run')['labels.tsv'])


@pytest.mark.parametrize(
    'write',
    [
        '\n'.join,
        lambda h: ''.join(f'{x}\r\n' for x in h),
        lambda h: ''.join(f'{x.upper()}\n' for x in h),
        lambda h: '\ufeff# mine\n\n  ' + '\n\n'.join(h) + '\n#',
        lambda h: 'hash\tlength\n' + ''.join(f'{x}\t7\tmore\n' for x in h),
        lambda h: ''.join(f'chunk\t{x}\nstop\t{x}\n' for x in h),
    ],
)
def test_ways_to_write_a_list(crawl, tmp_path, write):
    all_, text = crawl[1], write(crawl[1][:3]).encode()
    assert stopped(crawl, tmp_path, text) == all_[3:]
    head, sections = mrl.read(tmp_path / 'run' / 'labels.mrl')
    assert sections[2] == set(all_[:3])


def test_gzipped_list(crawl, tmp_path):
    text = '\n'.join(crawl[1][:3]).encode()
    packed = gzip.compress(text[:30]) + gzip.compress(text[30:])
    assert stopped(crawl, tmp_path, packed) == crawl[1][3:]


def test_results_as_list(crawl, tmp_path):
    run_ = crawl[2]
    for name in ['labels.tsv', 'labels.mrl']:
        assert stopped(crawl, tmp_path, (run_ / name).read_bytes()) == []


def test_large_table_as_list(crawl, tmp_path):
    folder = tmp_path / 'labels.tsv'
    folder.mkdir()
    for number, name in enumerate(crawl[1]):
        (folder / f'part-{number:05d}.tsv').write_text(f'hash\tlength\n{name}\t9\n')
    line = [*crawl[0], '--threshold=2', f'--stop={folder}']
    assert hashes(discover(*line, out=tmp_path / 'run')['labels.tsv']) == []


def test_whole_files_do_not_stop(crawl, tmp_path):
    text = ''.join(f'file\t{name}\n' for name in crawl[1]).encode()
    assert stopped(crawl, tmp_path, text) == crawl[1]


def discover_fails(crawl, tmp_path, capsys) -> str:
    stop = f'--stop={tmp_path / "stop"}'
    assert (
        discover_command.main([*crawl[0], stop, '-q', '-o', str(tmp_path / 'run')])
        == FAILED
    )
    return refused(capsys)


@pytest.mark.parametrize(
    'text, why',
    [
        (b'ab\n', "line 1: 'ab' is not a sha1 hash (40 hexadecimal digits)"),
        (b'\n' + b'g' * 40, f"line 2: '{'g' * 40}' is not a sha1 hash (40 hexadecimal "
         'digits)'),
        (b'#\n' + b'a' * 64, f"line 2: '{'a' * 64}' is a sha256 hash; give sha1 "
         'hashes'),
        (b'\xff\xfea\0', "line 1: '\ufffd\ufffda\\x00' is not a sha1 hash (40 hex"
         'adecimal digits)'),
    ],
)  # fmt: skip
def test_no_list_of_hashes(crawl, tmp_path, capsys, text, why):
    (tmp_path / 'stop').write_bytes(text)
    said = discover_fails(crawl, tmp_path, capsys)
    assert said == f'{tmp_path / "stop"}, {why}'


def test_unreadable_lists(crawl, tmp_path, capsys):
    said = discover_fails(crawl, tmp_path, capsys)
    assert said == f'{tmp_path / "stop"}: no such file or folder'
    packed = gzip.compress(b'ab' * 500)
    for data in (packed[:-9], packed[:10] + b'\xff' * 20):
        (tmp_path / 'stop').write_bytes(data)
        said = discover_fails(crawl, tmp_path, capsys)
        assert said.startswith(f'{tmp_path / "stop"}: this gzip file is damaged: ')
    (tmp_path / 'stop').unlink()
    (tmp_path / 'stop').mkdir()
    said = discover_fails(crawl, tmp_path, capsys)
    why = 'a folder without hashes; name a list or a run of discover'
    assert said == f'{tmp_path / "stop"}: {why}'


def test_labels_of_another_kind_as_list(crawl, tmp_path, capsys):
    mrl.write(tmp_path / 'stop', delimiters='p')
    said = discover_fails(crawl, tmp_path, capsys)
    assert said == (
        f'{tmp_path / "stop"}: made with --delimiters p, the corpus with '
        '--delimiters p,div; use the same option for both'
    )


def test_empty_list(crawl, tmp_path, capsys):
    (tmp_path / 'stop').write_bytes(b'# none\n')
    line = [*crawl[0], '--threshold=2', '--stop-bloom=0.1', '-r', 'inline']
    line += [f'--stop={tmp_path / "stop"}', '-o', str(tmp_path / 'run')]
    assert discover_command.main(line) == DONE
    said = capsys.readouterr().err
    assert f'warning: {tmp_path / "stop"}: this list has no hashes' in said
    table = (tmp_path / 'run' / 'labels.tsv').read_bytes()
    assert hashes(table) == crawl[1]
