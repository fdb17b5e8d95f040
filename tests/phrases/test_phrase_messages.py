"""What `phrases` says when it finds nothing of what was asked for."""

import pytest
from commands import run
from phrase_crawls import write_texts
from quilt_crawls import Draft

PAGE = Draft('http://a.org/', 'one two three')


@pytest.fixture
def crawl(tmp_path):
    return write_texts(tmp_path, [[PAGE]], gzipped=True)[0]


def test_a_host_without_pages_is_named(crawl, tmp_path):
    done = run('phrases', *crawl, '-o', tmp_path / 'run', '--covers-of', 'b.org', '-q')
    assert done.code == 0
    assert done.err.startswith('warning: --covers-of b.org: no document kept')


def test_words_that_are_gone_are_counted(crawl, tmp_path, monkeypatch):
    """As if the archive had changed after the step that reads it."""
    with monkeypatch.context() as patch:
        patch.setattr('mr_reuse.phrases.texts.PhraseReader._read', lambda *_: [])
        done = run('phrases', *crawl, '-o', tmp_path / 'run', '--popular', '1', '-q')
    assert done.code == 0
    assert 'warning: 3 popular phrases left out of phrases.tsv' in done.err


def test_what_fixes_the_fingerprints():
    done = run('phrases', 'polynomials')
    lines = done.out.split()
    assert len(lines) == len(set(lines)) == 86
    assert all(int(line, 16) & 1 for line in lines)  # one that x divides is not prime


@pytest.mark.parametrize('words', (['--popular', '0'], ['--top', '-1'], ['--m', '3']))
def test_bad_options(words, crawl, tmp_path):
    done = run('phrases', *crawl, '-o', tmp_path / 'run', *words)
    assert done.code == 2
    assert done.err.count('\n') == 1
    assert not (tmp_path / 'run').exists()
