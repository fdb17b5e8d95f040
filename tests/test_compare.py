"""What `compare` says of two runs."""

from pathlib import Path

import pytest
from commands import run
from crawls import write_warc


def chunk(name: str) -> bytes:
    return f'<p>{name} '.encode() + b'copied ' * 20


def crawl(path, pages: dict[str, list[str]]):
    """Pages by host, each of some chunks by their names."""
    documents = [
        (f'http://{host}/{n}', b''.join(map(chunk, names.split())))
        for host, bodies in pages.items()
        for n, names in enumerate(bodies)
    ]
    write_warc(Path(path), documents)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    crawl(
        'old.warc.gz',
        {
            'a.org': ['x', 'x y'],
            'b.org': ['y y', 'o1'],
            'c.org': ['x o2 o3'],
            'd.org': ['x'],
        },
    )
    crawl(
        'new.warc.gz',
        {
            'a.org': ['x', 'x o4'],
            'b.org': ['z z', 'z x'],
            'c.org': ['x x x'],
            'e.org': ['z'],
        },
    )
    for name in ('old', 'new'):
        assert (
            run('discover', f'{name}.warc.gz', '-o', name, '--threshold=2', '-q').code
            == 0
        )
        done = run('detect', '-o', name, '--neighborhood-threshold=0.7', '-q')
        assert done.code == 0
    return tmp_path


def rows(path, columns) -> list[list[str]]:
    lines = [line.split('\t') for line in path.read_text().splitlines()[1:]]
    return [[line[n] for n in columns] for line in lines]


def test_changes(runs):
    done = run('compare', 'old', 'new', '-o', 'changes')
    assert done.code == 0
    # old: x 4 copies, y 3; new: x 6 copies, z 4.
    assert [
        row[:2] + [row[2][:5]]
        for row in rows(runs / 'changes/label_changes.tsv', (0, 3, 6))
    ] == [
        ['appeared', '', '<p>z '],
        ['vanished', '3', '<p>y '],
        ['grew', '4', '<p>x '],
    ]
    # old: a.org 3 of 3, b.org 2 of 3, c.org 1 of 3, d.org 1 of 1.
    # new: a.org 2 of 3, b.org 4 of 4, c.org 3 of 3, e.org 1 of 1.
    assert rows(runs / 'changes/neighborhood_changes.tsv', (0, 1, 3, 4, 5, 6)) == [
        ['turned bad', 'c.org/', '0.333333333', '1.000000000', '1', '3'],
        ['turned bad', 'b.org/', '0.666666667', '1.000000000', '2', '4'],
        ['new and bad', 'e.org/', '', '1.000000000', '', '1'],
        ['turned good', 'a.org/', '1.000000000', '0.666666667', '3', '2'],
        ['gone', 'd.org/', '1.000000000', '', '1', ''],
    ]
    assert '        1 grew\n' in done.out and '        2 turned bad\n' in done.out
    assert '4 ->           6' in done.out
    assert done.out.endswith(
        'all of them: changes/label_changes.tsv, changes/neighborhood_changes.tsv\n'
    )


def test_no_change(runs):
    done = run('compare', 'old', 'old')
    assert done.code == 0
    assert {line.split()[0] for line in done.out.splitlines() if line[:1] == ' '} == {
        '0'
    }


def test_damaged_table(runs):
    with open(runs / 'new/labels.tsv', 'a') as table:
        table.write('ff00\n')
    done = run('compare', 'old', 'new')
    assert done.code == 1
    why = 'new/labels.tsv: line 4 is damaged; run discover again'
    assert done.err.splitlines()[-1] == f'error: {why}'


def test_refused(runs):
    assert run('compare', 'old', 'nowhere').err == (
        'error: nowhere: no finished run of discover or detect; there is no such '
        'folder\n'
    )
    assert run('discover', 'new.warc.gz', '-o', 'p', '--delimiters=p', '-q').code == 0
    assert (
        run('compare', 'old', 'p').err
        == 'error: p: was cut or hashed with other options than old; run discover with '
        'the same options\n'
    )
    (runs / 'new/bad_neighborhoods.tsv').unlink()
    done = run('compare', 'old', 'new')
    assert done.code == 0 and 'neighborhoods:' not in done.out
    assert (
        done.err
        == 'warning: new: has no bad_neighborhoods.tsv, so it is not compared\n'
    )
