"""Jobs that run by themselves: the same rows as in a run, and one line for mistakes."""

import contextlib
import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import mrl
import pytest
import s3server
import webhdfs
from commands import Ended, apart, ended, run
from crawls import ROOT, write_warc
from damaged_reading import DAMAGED
from hadoop import Hadoop, hadoop  # noqa: F401
from lone_jobs import rows_by_unit

from mr_reuse import storage
from mr_reuse.chunks.jobs.count_duplicates import CountDuplicates
from mr_reuse.chunks.jobs.filter_stop_chunks import FilterStopChunks
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.jobs.match_labeled import MatchLabeled
from mr_reuse.chunks.jobs.neighborhood_badness import NeighborhoodBadness
from mr_reuse.storage import hdfs, hdfs_web

COPIED = b'<p>' + b'copied everywhere, ' * 8
STOPPED = b'<p>' + b'in the footer of each page, ' * 8
# Three hosts with two pages each, and two pages that are equal as files.
PAGES = [
    (
        f'http://{host}.org/{folder}/{n}',
        COPIED + STOPPED + b'<p>' + f'{host} {n}'.encode() * 40,
    )
    for host, folder in (('a', 'x'), ('b', 'x/y'), ('c', ''))
    for n in (1, 2)
]
PAGES += [(f'http://d.org/{n}', COPIED) for n in (1, 2, 3)]
STEPS = ['01-pages', '02-counts', '03-labels', '04-matches', '05-neighborhoods']


def alone(job: type, *args) -> Ended:
    """Run a job by itself, as its command line does."""
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        try:
            job(list(map(str, args))).run_job()
            code = 0
        except SystemExit as ended:
            code = ended.code
    return Ended(code, '', err.getvalue())


def rows(folder: str) -> list:
    """The sorted rows of a step, which part files divide in another way."""
    lines = []
    for name in storage.list_part_names(folder):
        with storage.open_read(name) as stream:
            lines += stream.read().splitlines()
    return rows_by_unit(lines)


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Two archives and their list, with names relative to its folder."""
    folder = tmp_path_factory.mktemp('crawl')
    write_warc(folder / 'a.warc.gz', PAGES[:4])
    write_warc(folder / 'b.warc', PAGES[4:], gzip=False)
    (folder / 'warc.paths').write_text('# two archives\n\na.warc.gz\nb.warc\n')
    return folder


@pytest.fixture(scope='module')
def driven(crawl):
    """The steps of a run on the same list."""
    with chdir(crawl):
        folder = crawl / 'run'
        line = ['--captures=all', '--threshold=2', '-q', '-o', folder]
        assert run('discover', 'warc.paths', *line).code == 0
        assert run('detect', '-o', folder, '--min-chunks=1', '-q').code == 0
    outputs = {step: next((folder / step).glob('attempt-*')) for step in STEPS}
    return {step: rows(str(output)) for step, output in outputs.items()}


@contextlib.contextmanager
def chdir(folder):
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def chain(crawl: Path, to: str, runner: str, *join) -> dict[str, list]:
    """Run the five jobs; return the rows of each."""
    outputs = [f'{to}/{step}' for step in STEPS]
    pages, counts, labels, matches, sums = outputs
    lines = [
        (HashChunks, crawl / 'warc.paths', '--folder', crawl, '-o', pages),
        (CountDuplicates, pages, '-o', counts),
        (FilterStopChunks, counts, '-o', labels, '--threshold=2'),
        (MatchLabeled, pages, '-o', matches, '--labels', labels, *join),
        (NeighborhoodBadness, matches, '-o', sums),
    ]
    for job, *args in lines:
        assert alone(job, *args, '-r', runner, '--no-conf') == (0, '', '')
    return {step: rows(output) for step, output in zip(STEPS, outputs, strict=True)}


@pytest.mark.parametrize('join', ['map', 'reduce', 'bloom'])
def test_same_rows(crawl, driven, tmp_path, join):
    made = chain(crawl, tmp_path, 'inline', '--join', join)
    assert made == driven
    assert len(made['04-matches']) == len(PAGES)
    assert sorted(p.name for p in tmp_path.iterdir()) == STEPS


@pytest.fixture(scope='module')
def stores():
    """The names of a folder on each store."""
    patched = pytest.MonkeyPatch.context()
    with s3server.serving() as bucket, webhdfs.serving() as stub, patched as patch:
        patch.setenv(hdfs.ADDRESSES, f'nn:9={stub.name_node.url}')
        hdfs._store_of.cache_clear()
        yield {'s3': f'{bucket}/chain', 'hdfs': 'hdfs://nn:9/chain'}
    hdfs._store_of.cache_clear()
    hdfs_web._pool.cache_clear()


@pytest.mark.parametrize('store', ['s3', 'hdfs'])
def test_on_a_store(crawl, driven, stores, store):
    assert chain(crawl, stores[store], 'local') == driven
    names = storage.list_names(stores[store])
    assert names == STEPS


def run_example(crawl: Path, **variables) -> str:
    """Run the five jobs by the script; return the folder of their output."""
    env = {**variables, 'PYTHON': sys.executable, 'THRESHOLD': '2', 'PYTHONPATH': ''}
    script = ROOT / 'examples/chain.sh'
    code, out, err = ended(apart(script, 'warc.paths', cwd=crawl, env=env), 600)
    assert (code, out, 'error' in err) == (0, '', False), err
    return variables['RUN']


@pytest.mark.apart
def test_example(crawl, driven):
    made = crawl / run_example(crawl, RUN='chain')
    assert {step: rows(f'{made}/{step}') for step in STEPS} == driven


@pytest.mark.spark
@pytest.mark.cluster
def test_example_on_spark(crawl, driven):
    made = crawl / run_example(crawl, RUN='on-spark', RUNNER='spark', JOIN='bloom')
    assert {step: rows(f'{made}/{step}') for step in STEPS} == driven


@pytest.mark.hadoop
@pytest.mark.cluster
def test_example_on_hadoop(hadoop: Hadoop, crawl, driven):  # noqa: F811
    to = f'{hadoop.files}/test/chain'
    hadoop.fs('-rm', '-r', '-f', to)
    run_example(crawl, RUN=to, RUNNER='hadoop', **hadoop.env)
    parts = {step: hadoop.fs('-cat', f'{to}/{step}/part-*') for step in STEPS}
    made = {step: rows_by_unit(data.splitlines()) for step, data in parts.items()}
    assert made == driven
    assert {name.split('/')[1] for name in hadoop.names(to)} == {*STEPS}


def test_damage(crawl, tmp_path):
    """Damaged and missing archives are listed, and the others are read."""
    names = [crawl / 'a.warc.gz', DAMAGED / 'flipped-crc.warc.gz', 'gone.warc', crawl]
    names.append(ROOT / 'README.md')
    (tmp_path / 'list').write_text(''.join(f'{name}\n' for name in names))
    code, _, err = alone(HashChunks, tmp_path / 'list', '-o', tmp_path / '01')
    assert code == 3
    head, columns, *table = err.splitlines()
    assert head == 'damaged input; everything else was read:'
    causes = {tuple(line.split('  ')[-1].rsplit(', ', 1)) for line in table}
    assert causes >= {
        ('gzip member fails its checksum', str(names[1])),
        ('cannot be read: No such file or directory', 'gone.warc'),
        ('cannot be read: Is a directory', str(crawl)),
        ('not an archive', str(names[-1])),
    }
    assert len(rows(str(tmp_path / '01'))) > 4


def test_stop_list(crawl, tmp_path):
    """The output of FilterStopChunks has the length of its stop list alone."""
    chain(crawl, tmp_path, 'inline')
    pages, counts = tmp_path / STEPS[0], tmp_path / STEPS[1]
    stop, labels = tmp_path / 'stop.txt', tmp_path / 'labels'
    stop.write_text(mrl.sha1(STOPPED.decode()) + '\n')
    line = ['--threshold=2', '--stop', stop, '-o', labels]
    assert alone(FilterStopChunks, counts, *line).code == 0
    line = [pages, '--labels', labels, '-o', tmp_path / 'matches']
    assert alone(MatchLabeled, *line) == (
        1,
        '',
        f'error: {labels}: made with a stop list of 1 hashes; name that list with '
        '--stop\n',
    )
    assert alone(MatchLabeled, *line, '--stop', stop).code == 0
    found = sorted(line[3:5] for line in rows(str(tmp_path / 'matches')))
    assert found == sorted([(b'1', b'2')] * 6 + [(b'1', b'1')] * 3)


# Mistakes


def mistakes(crawl: Path, here: Path) -> dict:
    """Command lines with a mistake, and the cause that is named."""
    page, listed, empty, unpacked, lost = (
        here / name for name in ('a.html', 'list.gz', 'empty', 'folder', 'lost')
    )
    page.write_text('<html><p>one')
    listed.write_bytes(gzip.compress(b'a.warc.gz\n'))
    empty.write_text('\n')
    unpacked.mkdir()
    lost.write_text(f'{here}/gone.warc\n')
    folders = here / 'folders'
    folders.write_text(f'{unpacked}\n')
    lists = here / 'lists'
    lists.write_text(f'{crawl}/warc.paths\n')
    (here / 'new.paths').write_text(f'{crawl}/b.warc\n')
    pages, counts, labels, matches, sums = (str(here / step) for step in STEPS)
    a_line = 'a line is the name of an archive'
    wanted = 'name the output of HashChunks (page lines)'
    to_count = f'{wanted} or the output of CountDuplicates (counts)'
    no_list = 'name a text file with the name of an archive on each line'
    return {
        'missing': (HashChunks, ['gone'], 'gone: no such file or folder'),
        'archive': (
            HashChunks,
            [crawl / 'a.warc.gz'],
            f'{crawl}/a.warc.gz: an archive; {no_list}',
        ),
        'page': (HashChunks, [page], f'{page}: not a list; {no_list}'),
        'gzipped': (
            HashChunks,
            [listed],
            f'{listed}: gzipped; unpack it, as not all runners can',
        ),
        'empty': (HashChunks, [empty], f'{empty}: this list names nothing'),
        'text': (
            HashChunks,
            [ROOT / 'setup.cfg'],
            f'{ROOT}/setup.cfg, line 1: [metadata]: no such file; {a_line}',
        ),
        'lost': (
            HashChunks,
            [lost],
            f'{lost}, line 1: {here}/gone.warc: no such file; {a_line}',
        ),
        'folder': (
            HashChunks,
            [folders],
            f'{folders}, line 1: {unpacked}: a folder; {a_line}',
        ),
        'list': (
            HashChunks,
            [lists],
            f'{lists}, line 1: {crawl}/warc.paths: not an archive; {a_line}',
        ),
        'no parts': (
            CountDuplicates,
            [unpacked],
            f'{unpacked}: no part files in it; name the output of a job',
        ),
        'html': (CountDuplicates, [page], f'{page}: no output of a job; {to_count}'),
        'matches': (
            CountDuplicates,
            [matches],
            f'{matches}/part-00000: matches, the output of MatchLabeled; {to_count}',
        ),
        'pages': (
            FilterStopChunks,
            [pages],
            f'{pages}/part-00000: page lines, the output of HashChunks; name the '
            'output of CountDuplicates (counts)',
        ),
        'neighborhoods': (
            MatchLabeled,
            [sums, '--labels', labels],
            f'{sums}/part-00000: neighborhoods, the output of NeighborhoodBadness; '
            f'{wanted}',
        ),
        'no labels': (
            MatchLabeled,
            [pages],
            '--labels: missing; name the output of FilterStopChunks',
        ),
        'counts as labels': (
            MatchLabeled,
            [pages, '--labels', counts],
            f'{counts}: not the output of FilterStopChunks; name that, or a label file',
        ),
        'text as labels': (
            MatchLabeled,
            [pages, '--labels', page],
            f'{page}: not a label file (it does not begin with MRL2)',
        ),
        'pages again': (
            NeighborhoodBadness,
            [pages],
            f'{pages}/part-00000: page lines, the output of HashChunks; name the '
            'output of MatchLabeled (matches)',
        ),
        'output': (
            CountDuplicates,
            [pages, '-o', counts],
            f'{counts}: has content already; name another folder with -o',
        ),
        'cluster': (
            CountDuplicates,
            [pages, '-r', 'hadoop', '-o', ''],
            '-o: missing; name a folder below hdfs:///user/NAME/',
        ),
        'option': (
            HashChunks,
            [here / 'new.paths', '--normalize', 'all'],
            "--normalize 'all': give none, auntietuna, collapse",
        ),
    }


@pytest.fixture(scope='module')
def outputs(crawl, tmp_path_factory):
    folder = tmp_path_factory.mktemp('chain')
    chain(crawl, folder, 'inline')
    return folder


def test_mistakes(crawl, outputs):
    for case, (job, line, said) in mistakes(crawl, outputs).items():
        done = alone(job, '-o', outputs / 'new', *line)
        assert done.err == f'error: {said}\n', case
        assert done.code in (1, 2) and not (outputs / 'new').exists()


@pytest.mark.parametrize('runner', ['inline', 'local'])
def test_damaged_line(outputs, tmp_path, runner):
    """What only a task sees ends in a line, too, and leaves nothing."""
    lines = [p.read_bytes().splitlines(True) for p in outputs.glob('01-*/part-*')]
    first, second, *_ = max(lines, key=len)
    (tmp_path / 'pages').write_bytes(first + second[:40] + b'\n')
    line = [tmp_path / 'pages', '-r', runner, '-o', tmp_path / 'new']
    rid = second.split(b'\t')[0].decode()
    assert alone(CountDuplicates, *line) == (
        1,
        '',
        'error: CountDuplicates failed: ValueError: the page line of '
        f'{rid} is damaged\n',
    )
    assert not (tmp_path / 'new').exists()


@pytest.mark.apart
def test_standard_streams(crawl):
    """Without -o, the output goes to standard output. `-` is standard input."""
    line = [
        sys.executable,
        '-m',
        'mr_reuse.chunks.jobs.hash_chunks',
        '-r',
        'inline',
        '-',
    ]
    out = subprocess.check_output(line, cwd=crawl, input=b'a.warc.gz\n')
    *lines, last = out.splitlines()
    assert len(lines) == 4 and last.startswith(b'@\t')


@pytest.mark.apart
@pytest.mark.parametrize('job', ['hash_chunks', 'match_labeled'])
def test_help(job):
    line = [sys.executable, '-m', f'mr_reuse.chunks.jobs.{job}', '--help']
    out = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    assert 'dataproc' not in out
    assert '--labels LABELS' in out or 'In: names of archives' in out
