"""Crawls with very many inputs: the driver holds none of them."""

import json
import tracemalloc

import pytest

from mr_reuse.archives.sources import Source
from mr_reuse.engine.step_record import JsonList, digest_of
from mr_reuse.pages import inputs, source_list
from mr_reuse.pages.source_list import SourceList
from mr_reuse.storage import text_files

COUNT = 20_000


def source(number: int) -> Source:
    name = f'/crawl/some-folder-{number // 1000}/page-{number:06}.html'
    return Source('page', name, name, f'a/{number}.html', number % 97, f'{number} 7')


def test_list_of_sources():
    made = [source(n) for n in range(COUNT)]
    sources = SourceList(made)
    assert list(sources) == made and sources[5:9] == made[5:9]
    assert [s for batch in sources.batches() for s in batch] == made
    changed = made[3]._replace(path='/a\nb\udc80', rows='0+7 9+1', size=10**12)
    size = sources.size
    sources[3] = changed
    assert sources[3] == changed and len(sources) == COUNT
    assert sources.size == size - 3 + 10**12


def test_memory_of_a_list():
    tracemalloc.start()
    sources = SourceList(map(source, range(COUNT)))
    shares = source_list.divide_sources(sources, 50)
    assert sum(len(list(share)) for share in shares) == COUNT
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The buffers of two files; a list of offsets alone would take as much again.
    assert held < 200_000 and peak < 300 * COUNT


def test_shares_of_similar_size():
    """As a list of all sources would be divided: the largest first."""
    made = [source(n) for n in range(500)]
    shares = [list(share) for share in source_list.divide_sources(made, 7)]
    assert sorted(s for share in shares for s in share) == sorted(made)
    sizes = [sum(s.size + 1 for s in share) for share in shares]
    assert max(sizes) - min(sizes) <= 2
    assert all(s == sorted(s, key=lambda s: (-s.size, s.name)) for s in shares)


def test_digest_of_a_list_in_pieces():
    """The digest of a step is that of the whole list, as in older versions."""
    for values in ([], [['a', 'é'], {'b': [1]}], list(range(1000))):
        whole = ['1.0', '01-pages', {'x': None}, values]
        pieces = [*whole[:-1], JsonList(lambda values=values: iter(values))]
        assert digest_of(pieces) == digest_of(whole)


@pytest.mark.parametrize('piece', [1, 10, 1000])
def test_list_in_json(tmp_path, monkeypatch, piece):
    """A long list is read in pieces; a damaged one is noticed."""
    name = str(tmp_path / 'x.json')
    values = [['é' * (n % 40), n, ', "sources": [', {'a': []}] for n in range(300)]
    data = {'options': {'a': 1}, 'sources': values}
    text = json.dumps(data, sort_keys=True) + '\n'
    (tmp_path / 'x.json').write_text(text)
    whole = list(text_files.read_json_list(name, 'sources'))
    assert whole == [{'options': {'a': 1}}, *values]
    monkeypatch.setattr(text_files, 'MAX_OBJECT', 60)
    monkeypatch.setattr(text_files, 'PIECE', piece)
    assert list(text_files.read_json_list(name, 'sources')) == whole
    (tmp_path / 'x.json').write_text(text[: len(text) // 2])
    with pytest.raises(ValueError):
        list(text_files.read_json_list(name, 'sources'))


def test_inputs_with_one_name_in_tables(tmp_path):
    """Two files whose names are equal after encoding are refused."""
    for name in ('a\nb.html', 'a%0Ab.html'):
        (tmp_path / name).write_text('<p>x')
    with pytest.raises(inputs.UserError, match='two inputs would have this name'):
        inputs.find_sources([str(tmp_path)])
