"""The rows of tables from which a sample is drawn, and hosts that stand for folders."""

import tracemalloc

import pytest
from reviews import in_order

from mr_reuse.algorithms.sampling import ONLY_STRATUM, Row, draw_sample
from mr_reuse.errors import UserError
from mr_reuse.review import chunk_kinds, drawing, kinds
from mr_reuse.review.drawing import Drawing
from mr_reuse.review.kinds import KINDS
from mr_reuse.tables import table_files


@pytest.mark.parametrize('parted', [False, True])
def test_tables_in_parts(tmp_path, monkeypatch, parted):
    if parted:
        monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 7)
    lines = [
        b'p%d/\t1\t1\t%d\t100\t0.%03d000000\t0.1' % (n, n, n) for n in range(1, 90)
    ]
    table_files.write_table(str(tmp_path / 'bad_neighborhoods.tsv'), 'header', lines)
    assert (tmp_path / 'bad_neighborhoods.tsv').is_dir() == parted
    kind = KINDS['neighborhoods']
    for stratified in (False, True):
        sample = draw_sample(kinds.rows(kind, str(tmp_path), stratified), 20, 1)
        assert sample.population == 89
        assert [row.line for row in sample.rows] == [
            next(line for line in lines if line.startswith(row.item + b'\t')) + b'\n'
            for row in sample.rows
        ]
        if not stratified:
            items = [line.split(b'\t')[0] for line in lines]
            assert [row.item for row in sample.rows] == in_order(items, 1)[:20]
    # .001, .002 to .003, .004 to .007, .008 to .015, .016 to .031, .032 to .062, …
    assert sorted(sample.sizes.values()) == [1, 2, 4, 8, 16, 27, 31]


# Hosts and the folders that fill them


def hood(prefix: str, pages: int, bad: int = 5, total: int = 9) -> bytes:
    """A row of `bad_neighborhoods.tsv`."""
    cells = prefix, prefix.count('/'), pages, bad, total, f'{bad / total:.9f}', '0.5'
    return '\t'.join(map(str, cells)).encode()


# The order is that of the table: by ratio, labels, prefix.
NESTED = [
    hood('b.org/', 2, 9, 10),
    hood('b.org/x/', 2, 9, 10),
    hood('a.org/', 4),
    hood('a.org/x/', 4),
    hood('a.org/x/y/', 4),
    hood('a.org/x/y/z/', 3),  # one page is beside it
    hood('a.orgs/x/', 4),  # another host
    hood('c.org/', 4),
    hood('d.org/u/', 4),
    hood('d.org/v/', 4),
]
OUTER = {
    b'b.org/': b'x/',
    b'a.org/': b'x/y/',
    b'a.org/x/y/z/': b'',
    b'a.orgs/x/': b'',
    b'c.org/': b'',
    b'd.org/u/': b'',
    b'd.org/v/': b'',
}


@pytest.mark.parametrize('rows_a_part', [3, 4, 100])
@pytest.mark.parametrize('stratified', [False, True])
def test_the_same_pages_are_drawn_once(tmp_path, monkeypatch, stratified, rows_a_part):
    """Also where a table goes on in another part."""
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', rows_a_part)
    table_files.write_table(str(tmp_path / 'bad_neighborhoods.tsv'), 'header', NESTED)
    found = list(kinds.rows(KINDS['neighborhoods'], str(tmp_path), stratified))
    assert {row.item: row.inside for row in found} == OUTER
    assert [row.line.rstrip() for row in found] == [
        line for line in NESTED if line.split(b'\t')[0] in OUTER
    ]
    sample = draw_sample(found, 100, 1)
    assert (sample.population, sample.folded) == (7, 3)
    assert sum(sample.sizes.values()) == 7
    if not stratified:
        assert [row.item for row in sample.rows] == in_order(OUTER, 1)
    few = draw_sample(found, 2, 1)
    assert few.rows == sample.rows[:2] and few[1:] == sample[1:]


@pytest.mark.parametrize('rows_a_part', range(1, 11))
@pytest.mark.parametrize('stratified', [False, True])
def test_parts_are_drawn_from_alone(tmp_path, monkeypatch, stratified, rows_a_part):
    """An item may begin in one part, and go on in several others."""
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', rows_a_part)
    table_files.write_table(str(tmp_path / 'bad_neighborhoods.tsv'), 'header', NESTED)
    wanted = Drawing(KINDS['neighborhoods'], stratified, 5, 1)
    files = sorted(map(str, (tmp_path / 'bad_neighborhoods.tsv').iterdir()))
    assert len(files) == -(-len(NESTED) // rows_a_part)
    parts = [drawing.draw_part(wanted, file) for file in files]
    found = drawing.merge(wanted, parts).finish()
    assert found == drawing.draw(wanted, str(tmp_path))
    assert (found.population, found.folded) == (7, 3)
    assert {row.item: row.inside for row in found.rows}.items() <= OUTER.items()
    monkeypatch.setattr(drawing, 'SMALL', 0)
    assert drawing.draw(wanted, str(tmp_path)) == found


def test_damaged_part(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 3)
    monkeypatch.setattr(drawing, 'SMALL', 0)
    rows = [*NESTED, b'no row']
    table_files.write_table(str(tmp_path / 'bad_neighborhoods.tsv'), 'header', rows)
    wanted = Drawing(KINDS['neighborhoods'], False, 5, 1)
    with pytest.raises(UserError, match=r'/bad_neighborhoods.tsv: damaged, or of'):
        drawing.draw(wanted, str(tmp_path))


def test_what_is_told_of_a_folded_one():
    row = Row(b'a.org/', NESTED[2] + b'\n', ONLY_STRATUM, b'x/y/', 2)
    assert kinds.describe_item(KINDS['neighborhoods'], row) == (
        'a.org/',
        '5 of 9 chunks are labels (55.6 %); pages: 4, all in x/y/',
    )


@pytest.mark.slow
def test_memory_of_a_folded_table():
    """Hosts with three folders that fill each, but for what is drawn nothing stays."""
    numbers = (n for n in range(50_000))
    lines = (
        hood(prefix, 4) + b'\n'
        for n in numbers
        for prefix in (f'{n}/', f'{n}/a/', f'{n}/a/b/', f'{n}/a/b/c/')
    )
    tracemalloc.start()
    groups = chunk_kinds.folded_rows(lines)
    rows = (
        Row(some[0].split(b'\t')[0], some[0], ONLY_STRATUM, b'', 3) for some in groups
    )
    sample = draw_sample(rows, 100, 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (sample.population, sample.folded) == (50_000, 150_000) and peak < 500_000
