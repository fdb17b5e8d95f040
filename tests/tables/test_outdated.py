"""What was made of tables that are made anew goes or is told, with what makes it."""

import pytest
from commands import run
from crawls import write_warc

from mr_reuse.chunks.detect import badness_tables

OF_DETECT = ['report.html', 'links.tsv', 'rings.tsv', 'pages.csv', 'origins.csv']
OF_DISCOVER = ['labels.csv', 'frequency.csv', 'pairs.csv']


@pytest.fixture
def done(tmp_path, monkeypatch):
    """A run with all that can be made of it."""
    monkeypatch.chdir(tmp_path)
    body = b''.join(b'<p>%d ' % n + b'copied ' * 20 for n in range(12))
    hosts = [f'http://h{n}.org/' for n in range(12)]
    write_warc(tmp_path / 'a.warc.gz', [(host, body) for host in hosts])
    work('discover', 'a.warc.gz', '--threshold=10')
    work('detect', '--neighborhood-threshold=0.5')
    for name in ('links', 'report'):
        assert run(name, 'RUN', '-q').code == 0
    assert run('export', 'RUN', '--format=csv', '-q').code == 0
    assert left(tmp_path) == {*OF_DETECT, *OF_DISCOVER}
    return tmp_path


def work(name, *args) -> list[str]:
    """What a command told of what is of older results, be it as quiet as it can."""
    ended = run(name, *args, '-o', 'RUN', '-r', 'inline', '-q')
    assert ended.code == 0, ended.err
    return ended.err.splitlines()


def left(folder) -> set[str]:
    return {n for n in OF_DETECT + OF_DISCOVER if (folder / 'RUN' / n).exists()}


def removed(*names) -> str:
    return f'removed: {", ".join(names)}; rebuild with: python -m mr_reuse.'


def kept(*names) -> str:
    told = f'kept, though out of date: {", ".join(names)}'
    return f'{told}; rebuild with: python -m mr_reuse.'


def test_detect(done):
    """The same again removes nothing, another threshold what was of the last one."""
    assert work('detect', '--neighborhood-threshold=0.5') == []
    assert left(done) == {*OF_DETECT, *OF_DISCOVER}
    report, links, copies = work('detect', '--neighborhood-threshold=0.6')
    assert report == removed('report.html') + 'report RUN'
    assert links == removed('links.tsv', 'rings.tsv') + 'links RUN'
    # The labels that occur are the same.
    names = 'pages bad_pages neighborhoods bad_neighborhoods origins file_matches'
    csv = [f'{name}.csv' for name in [*names.split(), 'links', 'rings']]
    assert copies == kept(*csv) + 'export RUN --format csv'
    assert left(done) == {'pages.csv', 'origins.csv', *OF_DISCOVER}
    assert work('detect', '--neighborhood-threshold=0.6') == []


def test_killed_detect(done, monkeypatch):
    """What was made before it was killed is not of what it has left."""
    with monkeypatch.context() as patch:
        patch.setattr(badness_tables.Judged, 'threshold_of', property(interrupted))
        line = ['-o', 'RUN', '--neighborhood-threshold=0.6', '-r', 'inline']
        assert run('detect', *line).code == 130
    work('detect', '--neighborhood-threshold=0.5')
    assert left(done) == {'pages.csv', 'origins.csv', *OF_DISCOVER}


def interrupted(*args):
    raise KeyboardInterrupt


def test_discover(done):
    """The same again changes nothing; other labels are not those of detect's tables."""
    assert work('discover', 'a.warc.gz', '--threshold=10') == []
    assert left(done) == {*OF_DETECT, *OF_DISCOVER}
    assert work('detect', '--neighborhood-threshold=0.5') == []
    report, tables, copies = work('discover', 'a.warc.gz', '--threshold=11')
    assert report == removed('report.html') + 'report RUN'
    names = 'label_counts pages bad_pages neighborhoods bad_neighborhoods'
    names += ' origins file_matches'
    assert tables == kept(*(f'{n}.tsv' for n in names.split())) + 'detect -o RUN'
    csv = [f'{name}.csv' for name in ('labels', 'file_labels', 'frequency', 'pairs')]
    assert copies == kept(*csv) + 'export RUN --format csv'
    assert left(done) == {*OF_DETECT, *OF_DISCOVER} - {'report.html'}
    assert run('report', 'RUN', '-q').code == 0
    assert work('discover', 'a.warc.gz', '--threshold=11') == []
    assert 'report.html' in left(done)


def test_links(done):
    """A report that was written before links were sought does not have them."""
    for name in ('links.tsv', 'rings.tsv'):
        (done / 'RUN' / name).unlink()
    ended = run('links', 'RUN', '-q')
    report, copies = ended.err.splitlines()
    assert report == removed('report.html') + 'report RUN'
    assert copies == kept('links.csv', 'rings.csv') + 'export RUN --format csv'
    assert run('links', 'RUN', '-q').err == ''
