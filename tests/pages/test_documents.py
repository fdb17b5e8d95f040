"""Which pages are documents, which of a URL is one, and how they are numbered."""

import gzip
import io
import json
import tracemalloc

import numpy as np
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from quilt_crawls import Draft, write_archives
from reference_quilts import place

from mr_reuse import storage
from mr_reuse.pages.documents.numbering import (
    KEY,
    BatchWriter,
    Numbers,
    is_among,
    number_batches,
)
from mr_reuse.shuffle import sorting

TEXT = ' '.join(f'w{n}' for n in range(9))
OLD, NEW = '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'
URL = 'http://a.org/'


def counts_of(folder, names, *options) -> dict:
    line = ['-q', '-r', 'inline', '-o', folder / 'run', '--force']
    done = run('quilts', *names, '--c=1', *options, *line)
    assert (done.code, done.out) == (0, '')
    return json.loads((folder / 'run/stats.json').read_text())['quilts']


def quilted(folder) -> list[str]:
    """The rids in quilts.tsv."""
    lines = (folder / 'run/quilts.tsv').read_text().splitlines()[1:]
    return sorted(line.split('\t')[0] for line in lines)


@pytest.mark.parametrize(
    'media, kind, types, documents',
    [
        ('text/html', 'response', 'html', 1),
        ('text/plain', 'response', 'html', 0),
        ('text/plain', 'response', 'text', 1),
        ('text/plain', 'conversion', 'html', 1),
        ('text/html', 'resource', 'html', 1),
    ],
)
def test_types(tmp_path, media, kind, types, documents):
    draft = Draft(URL, TEXT, media=media, kind=kind)
    names, _ = write_archives(tmp_path, [[draft]])
    counts = counts_of(tmp_path, names, f'--types={types}')
    assert (counts['documents'], counts['words']) == (documents, 9 * documents)


def test_wet_records_have_no_markup(tmp_path):
    """They are text as it is, whatever it looks like."""
    draft = Draft(URL, ['<html>one', '&amp;', '<b>two</b>'], kind='conversion')
    names, _ = write_archives(tmp_path, [[draft]])
    assert counts_of(tmp_path, names)['words'] == 6  # html one amp b two b


def test_filters(tmp_path):
    """A page that a filter leaves out is no document, and has no grams."""
    drafts = [Draft(f'http://{host}.org/', TEXT) for host in 'ab']
    drafts.append(Draft('http://a.org/x', TEXT, media='text/plain'))
    names, _ = write_archives(tmp_path, [drafts])
    counts = counts_of(tmp_path, names, '--filter=type=text/plain')
    assert (counts['documents'], counts['grams']) == (0, 0)
    counts = counts_of(tmp_path, names, '--filter=host=a.org')
    assert (counts['documents'], counts['distinct']) == (1, 5)


@pytest.mark.parametrize(
    'keep, kept', [('first', {1}), ('last', {0, 2}), ('all', {0, 1, 2})]
)
def test_choice_among_documents(tmp_path, keep, kept):
    """A plain text hides nothing; of equal dates the smaller rid is kept."""
    drafts = [
        Draft(URL, TEXT, NEW),
        Draft(URL, TEXT, OLD),
        Draft(URL, TEXT, NEW),
        Draft(URL, TEXT, '2018-01-01T00:00:00Z', media='text/plain'),
        Draft('http://b.org/', TEXT, NEW),
    ]
    names, pages = write_archives(tmp_path, [drafts])
    counts = counts_of(tmp_path, names, f'--captures={keep}')
    kept = {1} if keep == 'first' else {0} if keep == 'last' else kept
    assert quilted(tmp_path) == sorted(pages[n].rid for n in (*kept, 4))
    assert counts['passed_over'] == 3 - len(kept)
    assert counts['documents'] == len(kept) + 1


def test_files_are_captures_of_nothing_else(tmp_path):
    """Files of two folders with the same names are documents of their own."""
    for top in ('one', 'two'):
        folder = tmp_path / top / 'pages'
        folder.mkdir(parents=True)
        for number in range(3):
            (folder / f'{number}.html').write_text(f'<html>{TEXT}')
    inputs = [tmp_path / top / 'pages' for top in ('one', 'two')]
    counts = counts_of(tmp_path, inputs)
    assert (counts['documents'], counts['passed_over']) == (6, 0)
    assert len(quilted(tmp_path)) == 6


offsets = st.tuples(st.integers(0, 99), st.integers(0, 3))
archives = st.dictionaries(
    st.sampled_from(['a', 'a-b', 'a:b', 'b.warc', 'é']),
    st.lists(offsets, unique=True, max_size=9).map(sorted),
)


@settings(deadline=None)
@given(archives, st.integers(1, 4), st.randoms())
def test_numbers_are_in_the_order_of_rids(crawl, tasks, dice):
    """However archives are divided among tasks, and in whatever order they are read."""
    names = dice.sample(sorted(crawl), len(crawl))
    writers = [BatchWriter() for _ in range(tasks)]
    places = {}
    for name in names:
        writer = dice.choice(writers)
        for offset, inner in crawl[name]:
            rid = f'{name}:{offset}' + (f'+{inner}' if inner else '')
            places[rid] = writer.add(rid)
    stream = io.BytesIO()
    stats = (json.loads(json.dumps(writer.as_stats())) for writer in writers)
    total = number_batches(stats, stream)
    numbers = Numbers(stream.getvalue())
    found = {
        rid: numbers.base(batch) + ordinal for rid, (batch, ordinal) in places.items()
    }
    assert sorted(found, key=found.get) == sorted(found, key=rid_order)
    assert sorted(found.values()) == list(range(total))
    for rid, (batch, ordinal) in places.items():
        assert numbers.place(found[rid]) == (batch, ordinal)
    assert {KEY} == writers[0].as_stats().keys()


def rid_order(rid: str) -> tuple:
    archive, [offset, *inner] = place(rid)
    return archive, offset, *(inner or [0])


def test_damaged_numbers():
    numbers = Numbers(b'')
    with pytest.raises(ValueError, match='no batch of documents has the name 00'):
        numbers.base('00')


def test_archive_in_one_member(tmp_path):
    """Records inside one gzip member are in the order of their inner offsets."""
    drafts = [Draft(f'http://h{n}.org/', TEXT) for n in range(12)]
    [name], _ = write_archives(tmp_path, [drafts], gzipped=False)
    packed = tmp_path / 'one.warc.gz'
    packed.write_bytes(gzip.compress((tmp_path / '0.warc').read_bytes()))
    counts_of(tmp_path, [packed])
    found = [tuple(map(int, rid.split(':')[1].split('+'))) for rid in quilted(tmp_path)]
    assert len(found) == 12 and name.endswith('0.warc')
    sources = (tmp_path / 'run/quilt_sources.tsv').read_text().splitlines()[1:]
    # The smallest rid is the source of all others, and the second one is its source.
    chosen = {line.split('\t')[2] for line in sources}
    assert chosen == {f'{packed}:0', f'{packed}:0+{sorted(found)[1][1]}'}


def test_a_number_is_found_without_a_copy_of_all():
    """A task looks up each of its documents among those of the whole run."""
    ascending = np.arange(0, 2_000_000, 2, dtype=np.uint64)
    tracemalloc.start()
    assert is_among(1_000_000, ascending) and not is_among(1_000_001, ascending)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


@pytest.mark.slow
def test_batches_of_many_archives_stay_on_disk(monkeypatch):
    """100,000 archives, with an eighth of the usual memory for lines."""
    monkeypatch.setattr(sorting, 'IN_MEMORY', 8 << 20)
    tasks = (
        {KEY: [(f'{task}-{i}.warc:0', '', 2) for i in range(100)]}
        for task in range(1000)
    )
    with storage.open_scratch() as stream:
        tracemalloc.start()
        total = number_batches(tasks, stream)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert total == 200_000 and stream.tell() == 16 * 100_000
    assert peak < 16 << 20
