"""Facts that the user states are kept in a run until others are stated."""

import json

import mrl
import pytest
from commands import run
from crawls import digest_of, write_warc

TEXTS = [b'<p>text %d ' % n + b'words ' * 20 for n in range(3)]


@pytest.fixture
def made(tmp_path):
    """Three hosts with the same texts, in a run of `detect`."""
    hosts = 'zoo.org', 'www.a.org', 'b.net'
    pages = [(f'http://{host}/', b''.join(TEXTS)) for host in hosts]
    write_warc(tmp_path / 'a.warc.gz', pages)
    labels = mrl.write(tmp_path / 'x.mrl', map(digest_of, TEXTS))
    first = [tmp_path / 'a.warc.gz', '-l', labels]

    def detect(*args, inputs=first):
        options = ['--neighborhood-threshold=0.5', '-q', '-r', 'inline']
        return run('detect', *inputs, *args, *options, '-o', tmp_path / 'RUN')

    assert detect().code == 0
    return detect


def stated(folder):
    record = json.loads((folder / 'RUN/run.json').read_text())['detect']
    lines = (folder / 'RUN/origins.tsv').read_text().splitlines()[1:]
    rows = [line.split('\t') for line in lines]
    relations = {tuple(row[:2]): row[-1] for row in rows if row[-1]}
    return record.get('sources'), record.get('families'), relations


def test_kept_until_forgotten(made, tmp_path):
    assert stated(tmp_path) == (None, None, {})
    path = tmp_path / 'mine.txt'
    path.write_text('A.org b.net\n')
    again = {'inputs': []}
    assert made('--source', 'www.zoo.org', '--families', path, **again).code == 0
    path.unlink()
    both = {
        ('b.net/', 'www.a.org/'): 'family',
        ('www.a.org/', 'b.net/'): 'family',
        ('b.net/', 'zoo.org/'): 'source there',
        ('www.a.org/', 'zoo.org/'): 'source there',
        ('zoo.org/', 'b.net/'): 'source here',
        ('zoo.org/', 'www.a.org/'): 'source here',
    }
    known = ['www.zoo.org'], [['a.org', 'b.net']]
    assert stated(tmp_path) == (*known, both)
    for more in ({}, again):  # with the archives, and without
        assert made(**more).code == 0
        assert stated(tmp_path) == (*known, both)
    profiles = [run('show', tmp_path / 'RUN', site) for site in ('zoo.org', 'b.net')]
    said = [profile.out.splitlines()[3] for profile in profiles]
    assert said == ['you named www.zoo.org as a source', '']
    assert made('--source', 'none', **again).code == 0
    families = {pair: word for pair, word in both.items() if word == 'family'}
    assert stated(tmp_path) == (None, known[1], families)
    assert made('--families', 'none', **again).code == 0
    assert stated(tmp_path) == (None, None, {})


def test_only_one_table_changes(made, tmp_path):
    """Tables that do not depend on facts, and their exports, are not out of date."""
    names = 'report.html', 'links.tsv', 'bad_pages.csv', 'origins.csv'
    for name in names:
        (tmp_path / 'RUN' / name).touch()
    done = made('--source', 'zoo.org', inputs=[])
    assert done.err.startswith('removed: report.html; rebuild with: ')
    assert 'kept, though out of date: origins.csv; ' in done.err
    assert done.err.count('\n') == 2
    assert not (tmp_path / 'RUN/report.html').exists()


@pytest.mark.parametrize(
    ('option', 'reason'),
    [
        (['--source', 'http://zoo.org/'], "'http://zoo.org/': not a host or a domain"),
        (['--source', 'zoo.org/x/'], "'zoo.org/x/': not a host or a domain"),
        (['--families', 'mine.txt'], 'mine.txt: line 1: has only a.org; put all hosts'),
        (['--families', 'gone.txt'], 'gone.txt: '),
    ],
)
def test_refused(made, tmp_path, monkeypatch, option, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'mine.txt').write_text('a.org # and others')
    done = made(*option, inputs=[])
    assert done.code in (1, 2) and done.out == ''
    assert done.err.startswith('error: ') and done.err.count('\n') == 1
    assert reason in done.err
