"""What the summary and the report say of thresholds that prove little."""

import json
import re

import mrl
import pytest
from commands import run
from crawls import write_warc
from reference import digest
from reports import Report

COPIED = b'<p>' + b'copied ' * 20
FEW = 'The mean and deviation of fewer than 30 say little.'
HOSTS = '--neighborhood-threshold'


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """Write hosts with this number of copied chunks among ten, and detect them."""
    monkeypatch.chdir(tmp_path)

    def detected(shares, *args, path='') -> list[str]:
        documents = [
            (
                f'http://h{n:02}.org/{path}',
                COPIED * k + b''.join(b'<p>%d.%d' % (n, i) for i in range(10 - k)),
            )
            for n, k in enumerate(shares)
        ]
        write_warc(tmp_path / 'a.warc.gz', documents)
        labels = mrl.write(tmp_path / 'x.mrl', [digest(COPIED)], min_len=0)
        line = ['a.warc.gz', '-l', labels, '-o', 'RUN', '-r', 'inline', '--force']
        done = run('detect', *line, *args)
        assert done.code == 0, done.err
        return done.out.splitlines()

    return detected


def about(lines: list[str], noun: str) -> list[str]:
    """The paragraph that begins with what is said of these."""
    start = next(n for n, line in enumerate(lines) if line.startswith(f'No {noun} '))
    return lines[start : lines.index('', start)]


def test_no_host_can_pass(crawl, tmp_path):
    """Half of 40 hosts have all chunks copied: 0.5 + 0.5 * 1.5 is 1.25."""
    said = about(crawl([0, 10] * 20, '--sigmas=1.5'), 'host')
    assert said == [
        'No host is above 125.0 %. The highest are h01.org/ with 100.0 % (10 of 10 '
        'chunks), h03.org/ with 100.0 % (10 of 10), h05.org/ with 100.0 % (10 of 10).',
        'No share can be above 125.0 %, so this says nothing about copies.',
        f'To judge hosts by a fixed share, add {HOSTS} 0.5.',
    ]
    lead = Report(tmp_path / 'RUN').text('.lead')
    for line in said:
        assert line.replace('host ', 'site ').replace('hosts ', 'sites ') in lead
    assert 'no site has a high share' not in lead.lower()


def test_no_host_is_above_the_highest(crawl, tmp_path):
    """All have the same: the mean is the highest share there is."""
    lines = crawl([5] * 40)
    assert about(lines, 'host') == [
        'No host is above 50.0 %. The highest are h00.org/ with 50.0 % (5 of 10 '
        'chunks), h01.org/ with 50.0 % (5 of 10), h02.org/ with 50.0 % (5 of 10).',
        f'To judge hosts by a fixed share, add {HOSTS} 0.25.',
    ]
    table = 'no bad neighborhood, so this table has only a header'
    assert f'{table}: RUN/bad_neighborhoods.tsv' in lines
    report = Report(tmp_path / 'RUN')
    assert f'detect -o {tmp_path}/RUN {HOSTS} 0.25' in report.text('.steps')
    assert 'names the highest sites' in report.text('#neighborhoods')
    assert 'is above the threshold, so none is compared' in report.text('#copying')
    # The option that is named does judge them.
    done = run('detect', '-o', 'RUN', HOSTS, '0.25', '-r', 'inline')
    assert 'bad neighborhoods: 40 of 40' in done.out and 'No host' not in done.out


def test_nothing_labeled(crawl):
    assert about(crawl([0] * 40), 'host') == [
        'No host is above 0.0 %. None has a labeled chunk.'
    ]


@pytest.mark.parametrize('count', [29, 30])
def test_few_hosts(crawl, tmp_path, count):
    """From 30 on, nothing is said: one host has copies, and is bad."""
    shares = [9, 4, *[0] * (count - 2)]
    said = '\n'.join(crawl(shares, '--page-threshold=0.5'))
    assert 'bad neighborhoods: 2 of' in said
    expected = [f'Only 29 shares determine it. {FEW}', 'add ' + HOSTS]
    report = Report(tmp_path / 'RUN').text('#summary')
    for text in expected:
        assert (text in said) == (text in report) == (count == 29)


def test_highest_of_the_others(crawl):
    """Where few determine the threshold, those below it are named as well."""
    said = '\n'.join(crawl([9, 4, 3, 2, 1, 0], '--page-threshold=0.5'))
    assert (
        f'Only 6 shares determine it. {FEW}\n'
        'The highest of the others are h01.org/ with 40.0 % (4 of 10 chunks), '
        'h02.org/ with 30.0 % (3 of 10), h03.org/ with 20.0 % (2 of 10).\n'
        f'To judge hosts by a fixed share, add {HOSTS} 0.25.\n'
    ) in said


def test_fixed_thresholds(crawl):
    """A fixed share needs no number of hosts, but is no all-clear either."""
    lines = crawl([5, 0], f'{HOSTS}=0.6', '--page-threshold=0.6')
    assert about(lines, 'host') == [
        'No host is above 60.0 %. The highest is h00.org/ with 50.0 % (5 of 10 '
        'chunks).',
        f'To judge hosts by a lower share, add {HOSTS} 0.25.',
    ]
    assert about(lines, 'page')[0].startswith('No page is above 60.0 %. The highest is')
    assert 'say little' not in '\n'.join(lines)


def test_few_labeled_chunks(crawl):
    """Above the threshold, but with fewer labels than was asked for."""
    lines = crawl([5, 0], f'{HOSTS}=0.4', '--min-bad=6')
    assert about(lines, 'host') == [
        'No host is above 40.0 % and has at least 6 labeled chunks. The highest is '
        'h00.org/ with 50.0 % (5 of 10 chunks).',
        'To list hosts with fewer labeled chunks, add --min-bad 5.',
    ]
    done = run('detect', '-o', 'RUN', f'{HOSTS}=0.4', '--min-bad=5', '-r', 'inline')
    assert 'all 1 bad neighborhood: ' in done.out


def test_folders(crawl):
    """Levels of few folders are named in one line."""
    said = '\n'.join(crawl([9, *[0] * 39], path='x/y/'))
    assert 'unreliable' not in said
    said = '\n'.join(crawl([9, 3, *[0] * 9], '--page-threshold=0.5', path='x/y/'))
    assert (
        'The thresholds of levels 2 and 3 each come from fewer than 30 folders, so '
        'they are unreliable.\n'
        'The highest of the others are h01.org/x/ with 30.0 % (3 of 10 chunks), '
        'h01.org/x/y/ with 30.0 % (3 of 10).\n'
        f'To judge folders by a fixed share, add {HOSTS} 0.25.\n'
    ) in said
    said = '\n'.join(crawl([0, 10] * 20, '--sigmas=1.5', path='x/'))
    assert 'No share can be above the threshold of level 2 (see stats.json).' in said


@pytest.mark.parametrize(
    ('threshold', 'said'),
    [
        (1, ''),
        (2, 'Chunks with 2 copies were not considered (see --threshold of discover).'),
        (9, 'Chunks with 2 to 9 copies were not considered'),
    ],
)
def test_chunks_with_fewer_copies(tmp_path, monkeypatch, threshold, said):
    """They are named if discover found the labels, and only then."""
    monkeypatch.chdir(tmp_path)
    own = [b'<p>%d ' % n + b'own ' * 50 for n in range(40)]
    documents = [(f'http://h{n}.org/', COPIED + own[n]) for n in range(40)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    line = ['-o', 'RUN', '-r', 'inline']
    assert run('discover', 'a.warc.gz', f'--threshold={threshold}', *line).code == 0
    out = run('detect', *line).out
    assert (said or 'not considered') in out if said else 'not considered' not in out
    assert (said in Report(tmp_path / 'RUN').text('.lead')) if said else True
    labels = mrl.write(tmp_path / 'x.mrl', [digest(COPIED)])
    assert 'not considered' not in run('detect', '-l', labels, *line).out


def test_old_statistics(crawl, tmp_path):
    """A report of statistics without the highest shares still says no all-clear."""
    crawl([5] * 40)
    path = tmp_path / 'RUN/stats.json'
    stats = json.loads(path.read_text())
    stats['neighborhoods']['by_level']['1'].pop('highest')
    path.write_text(json.dumps(stats))
    assert re.search(
        r'No site is above 50.0 %\.', Report(tmp_path / 'RUN').text('.lead')
    )
