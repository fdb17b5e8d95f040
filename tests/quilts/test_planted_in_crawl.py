"""The quilts of a made crawl, against the key that `synth` writes."""

import csv

import pytest
from commands import run


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('planted') / 'crawl'
    assert run('synth', '-o', folder, '--size', '1MB', '--quilts', '-q').code == 0
    return folder


def read(path) -> list[dict[str, str]]:
    with open(path, newline='', encoding='utf-8') as stream:
        return list(csv.DictReader(stream, delimiter='\t', quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize('foreign', ['none', 'host', 'domain', 'ip'])
def test_planted_quilts(crawl, tmp_path, foreign):
    """Each planted quilt is found, with its numbers and sources, and no near miss."""
    line = [crawl / 'crawl-00000.warc.gz', '-o', tmp_path, f'--foreign={foreign}', '-q']
    assert run('quilts', *line, '-r', 'inline') == (0, '', '')
    planted = {row['url']: row for row in read(crawl / 'quilts.tsv')}
    found = {row['url']: row for row in read(tmp_path / 'quilts.tsv')}
    quilted = {
        url for url, row in planted.items() if foreign in row['quilted_by'].split()
    }
    assert planted.keys() & found.keys() == quilted and len(quilted) > 40
    column = 'sources' if foreign == 'none' else foreign
    for url in quilted:
        key, row = planted[url], found[url]
        numbers = [row[name] for name in ('words', 'grams', 'patch', 'sources')]
        assert numbers == [key[name] for name in ('words', 'grams', 'patch', column)], (
            url
        )
    urls = {row['rid']: url for url, row in found.items()}
    columns = 'number', 'source_url', 'new', 'shared'
    sources = sorted(
        (urls[row['rid']], *(row[name] for name in columns))
        for row in read(tmp_path / 'quilt_sources.tsv')
        if urls[row['rid']] in quilted
    )
    assert sources == sorted(
        (row['url'], *(row[name] for name in columns))
        for row in read(crawl / 'patches.tsv')
        if row['foreign'] == foreign and row['url'] in quilted
    )
