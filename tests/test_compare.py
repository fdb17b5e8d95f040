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


def changed(folder) -> dict[str, list[str]]:
    """The cells of the changes of labels, by the name of the chunk."""
    lines = (folder / 'label_changes.tsv').read_text().splitlines()[1:]
    cells = [line.split('\t') for line in lines]
    return {row[6].split()[0]: row[:1] + row[3:6] + row[7:] for row in cells}


def test_words(tmp_path, monkeypatch):
    """Every change of a label, by the pages that have it in the two crawls."""
    monkeypatch.chdir(tmp_path)
    old = {
        'a.org': ['gone gone gone', 'fewer fewer fewer', 'moved1 moved1 moved1'],
        'b.org': ['few', 'same same same', 'moved1 moved2', 'half half half'],
    }
    new = {
        'a.org': ['fewer', 'few few', 'fresh fresh fresh', 'moved2 moved2 moved2'],
        'b.org': ['same same same', 'half half few'],
        'c.org': ['half', 'moved1 moved1 moved1 moved1'],
        'dd.org': ['moved1'],
    }
    crawl('old.warc.gz', old)
    crawl('new.warc.gz', new)
    for name in ('old', 'new'):
        line = [f'{name}.warc.gz', '-o', name, '--threshold=2', '-q']
        assert run('discover', *line).code == 0
    done = run('compare', 'old', 'new', '-o', 'changes')
    assert done.code == 0
    assert changed(tmp_path / 'changes') == {
        '<p>moved1': ['moved', '4', '5', 'http://c.org/1', 'http://a.org/2'],
        '<p>moved2': ['moved', '1', '3', 'http://a.org/3', 'http://b.org/2'],
        '<p>fresh': ['appeared', '', '3', 'http://a.org/2', ''],
        '<p>few': ['now above the threshold', '1', '3', 'http://a.org/1', ''],
        '<p>gone': ['vanished', '3', '', 'http://a.org/0', ''],
        '<p>fewer': ['now below the threshold', '3', '1', 'http://a.org/1', ''],
    }
    assert ' <p>moved1 copied copied' in done.out
    assert ', from http://a.org/2 to http://c.org/1\n' in done.out


def test_other_rules(runs):
    """Labels by another threshold or stop list are not silently compared."""
    crawl(runs / 'old.warc.gz', {'a.org': ['x x x', 'y y', 'z z z']})
    assert run('discover', 'old.warc.gz', '-o', 'p', '--threshold=1', '-q').code == 0
    stop = (runs / 'p/labels.tsv').read_text().splitlines()[1].split('\t')[0]
    (runs / 'stop.txt').write_text(f'{stop}\n')
    line = ['old.warc.gz', '-o', 'q', '--threshold=2', '--min-len=99']
    assert run('discover', *line, '--stop=stop.txt', '-q').code == 0
    done = run('compare', 'p', 'q', '-o', 'changes')
    assert done.err == (
        'warning: p, q: the rules for labels differ: --threshold (1 and 2), --min-len, '
        '--stop; to compare the crawls, run discover with the same options on both\n'
    )
    # Of the two chunks with three copies, the stop list has the one of the lower hash.
    words = sorted(cells[0] for cells in changed(runs / 'changes').values())
    assert words == ['now below the threshold', 'now excluded']


def test_other_levels(runs):
    """One threshold for all levels is another rule, unless the threshold is fixed."""

    def warnings(*options) -> str:
        for name, levels in (('old', '--per-level'), ('new', '--no-per-level')):
            assert run('detect', '-o', name, levels, *options, '-q').code == 0
        return run('compare', 'old', 'new').err

    assert 'the options of detect differ: --labels, --per-level;' in warnings()
    assert '--per-level' not in warnings('--neighborhood-threshold=0.7')


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
