"""The chain on a real Hadoop: the same bytes as on this machine, whatever happens."""

import json
import random
import shutil
import signal
import sys
from pathlib import Path

import pytest
from commands import apart, ended, run
from crawls import write_warc
from damaged_reading import DAMAGED
from hadoop import SECONDS, Hadoop, hadoop, kill_a_task, patiently, results  # noqa: F401
from webserver import Page, serving

from mr_reuse.errors import UserError
from mr_reuse.storage import hdfs
from mr_reuse.storage.base import Store
from mr_reuse.storage.hdfs_command import HadoopFs
from mr_reuse.storage.hdfs_web import WebHdfs
from mr_reuse.synth import __main__

pytestmark = [pytest.mark.hadoop, pytest.mark.cluster]
LABELED = ['labels.tsv', 'file_labels.tsv', 'frequency.tsv', 'labels.mrl']
NO_PATTERN = str.maketrans('[]', '__')
LEFT = ['small', 'sub']
SHUFFLED = 'Map output materialized bytes'


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Archives, one of them damaged, and a folder of pages."""
    folder = tmp_path_factory.mktemp('crawl') / 'crawl'
    for seed in '12':
        line = ['-o', folder / f'archives {seed}', '--size=2MB', '--seed', seed, '-q']
        assert __main__.main(list(map(str, line))) == 0
    pages = folder / 'pages'
    (pages / 'sub').mkdir(parents=True)
    for number in range(12):
        text = f'<html><p>{"copied to and fro, " * 9}<div>own text {number}'
        (pages / f'sub/page {number}.html').write_text(text)
    poisoned = folder / 'poisoned.warc.gz'
    shutil.copy(DAMAGED / 'flipped-first.warc.gz', poisoned)
    return [str(p) for p in (*folder.glob('*/crawl*.gz'), pages, poisoned)]


@pytest.fixture(scope='module')
def here(crawl, tmp_path_factory):
    """The run of the same commands on this machine, and what it says of damage."""
    folder = tmp_path_factory.mktemp('expected') / 'run'
    code, _, err = run('discover', *crawl, '-o', folder)
    assert code == 3
    assert run('detect', '-o', folder, '--places').code == 0
    assert run('links', folder, '-q').code == 0
    return folder, damage(err)


@pytest.fixture(scope='module')
def expected(here):
    """The results of that run."""
    return results(here[0])


def damage(err: str) -> list[str]:
    """The rows of the table of damage."""
    rows = [line for line in err.splitlines() if line.endswith('poisoned.warc.gz')]
    assert rows
    return rows


def launched(hadoop: Hadoop, run_: str, step: str, what: str) -> int:  # noqa: F811
    """How many tasks of a step were begun, as run.json tells it."""
    told = json.loads(hadoop.fs('-cat', f'{run_}/run.json'))
    steps = told['steps'] | told.get('detect', {}).get('steps', {})
    groups = steps[step]['counters'].values()
    return sum(counters.get(f'Launched {what} tasks', 0) for counters in groups)


def conf(folder: Path, settings: dict) -> list:
    """The arguments that set properties of Hadoop's jobs."""
    name = folder / 'mrjob.conf'
    name.write_text(json.dumps({'runners': {'hadoop': {'jobconf': settings}}}))
    return ['-c', name]


@pytest.fixture
def folder(hadoop, request):  # noqa: F811
    """A folder on HDFS for a run."""
    name = f'{hadoop.files}/test/{request.node.name.translate(NO_PATTERN)}'
    hadoop.fs('-rm', '-r', '-f', name)
    hadoop.fs('-mkdir', '-p', f'{hadoop.files}/test')
    return name


def test_same_bytes(hadoop: Hadoop, folder, crawl, here, tmp_path):  # noqa: F811
    """The whole chain, while a task is killed; then everything is finished before."""
    process = hadoop.command('discover', *crawl, '-o', folder)
    kill_a_task()
    code, out, err = ended(process, 600)
    assert code == 3, err
    assert damage(err) == here[1]
    assert f'mr_reuse.detect -r hadoop -o {folder}' in out
    assert hadoop.run('detect', '-o', folder, '-q') == (0, '', '')
    assert hadoop.fetch(folder, tmp_path) == results(here[0])
    left = hadoop.names(folder)
    assert not [name for name in left if '/_tmp' in name or '_lock' in name]
    again = hadoop.run('discover', *crawl, '-o', folder)
    steps = '01-pages 01-urls 01-captures 02-counts 03-labels 03-places 03-previews'
    steps = [*steps.split(), '03-pairs']
    done_before = [f'{step}: finished before' for step in steps]
    assert again.err.splitlines()[: len(steps)] == done_before
    self_contained(hadoop, folder, tmp_path)
    short_shuffle(hadoop, folder, tmp_path)
    seen_from_here(hadoop, folder, here[0], tmp_path)


def seen_from_here(hadoop: Hadoop, run_: str, here: Path, tmp_path):  # noqa: F811
    """The other commands read and write where the run is."""
    assert hadoop.run('links', run_, '-q') == (0, '', '')
    for name in ('links.tsv', 'rings.tsv'):
        assert hadoop.fs('-cat', f'{run_}/{name}') == (here / name).read_bytes()
    row = (here / 'labels.tsv').read_text().splitlines()[1].split('\t')
    for name, *args in (
        ['report', run_, '-q'],
        ['export', run_, '--format', 'jsonl', '-q'],
        ['show', run_, row[0], '-q'],
    ):
        line = [sys.executable, '-m', f'mr_reuse.{name}', *args]
        code, out, err = ended(apart(*line, env=hadoop.env))
        assert (code, err) == (0, '')
    assert len(out.encode()) == int(row[1])
    assert row[0][:12].encode() in hadoop.fs('-cat', f'{run_}/report.html')
    out = ['--format', 'jsonl', '-o', tmp_path / 'here', '-q']
    assert run('export', here, *out).code == 0
    pages = (tmp_path / 'here/pages.jsonl').read_bytes()
    assert hadoop.fs('-cat', f'{run_}/pages.jsonl') == pages


def short_shuffle(hadoop: Hadoop, run_: str, tmp_path):  # noqa: F811
    """At most 30 bytes for each distinct chunk and file, though tasks share some."""
    hadoop.fs('-get', f'{run_}/run.json', tmp_path / 'told.json')
    told = json.loads((tmp_path / 'told.json').read_text())
    counters = told['steps']['02-counts']['counters'].values()
    [found] = [c[SHUFFLED] for c in counters if SHUFFLED in c]
    rows = (tmp_path / 'frequency.tsv').read_text().splitlines()[1:]
    assert 0 < found <= 30 * sum(int(row.split('\t')[2]) for row in rows)


def self_contained(hadoop: Hadoop, run_: str, tmp_path):  # noqa: F811
    """What is fetched shows its evidence, out of the archives on HDFS."""
    fetch = [sys.executable, '-m', 'mr_reuse.get', run_, '-o', tmp_path / 'got', '-q']
    assert ended(apart(*fetch, env=hadoop.env)) == (0, '', '')
    row = (tmp_path / 'got/labels.tsv').read_text().splitlines()[1].split('\t')
    show = [sys.executable, '-m', 'mr_reuse.show', tmp_path / 'got', row[0], '-q']
    code, out, err = ended(apart(*show, env=hadoop.env))
    assert (code, err) == (0, '')
    assert len(out.encode()) == int(row[1])


def test_reducers_and_joins(hadoop: Hadoop, folder, crawl, here, tmp_path):  # noqa: F811
    """However many reducers, whatever the join, and from wherever labels come."""
    three = conf(tmp_path, {'mapreduce.job.reduces': 3})
    run_ = folder.replace(hadoop.files, 'hdfs://')  # the host is configured
    assert hadoop.run('discover', *crawl, '-o', run_, *three, '-q').code == 3
    # 15 files of 2 MB in all are less than the 128 MB of a task.
    assert launched(hadoop, folder, '01-pages', 'map') == 1
    assert launched(hadoop, folder, '02-counts', 'reduce') == 3
    assert launched(hadoop, folder, '03-labels', 'map') == 3
    for join in ('bloom', 'reduce'):
        line = ['-o', run_, '-l', f'{run_}/labels.mrl', '--join', join, *three, '-q']
        assert hadoop.run('detect', *line) == (0, '', '')
        (tmp_path / join).mkdir()
        assert hadoop.fetch(folder, tmp_path / join) == results(here[0])
        hadoop.fs('-rm', '-r', f'{folder}/04-matches')  # else it is finished before
    line = ['-o', run_, '--places', *three, '-q']
    assert hadoop.run('detect', *line) == (0, '', '')
    places = (here[0] / 'places.tsv').read_bytes()
    assert hadoop.fs('-cat', f'{folder}/places.tsv') == places
    assert launched(hadoop, folder, '05-places', 'reduce') == 3


# A driver for which tables of few rows are large.
LARGE = """
import sys
sys.argv[0] = '-m'
from mr_reuse.tables import table_files
table_files.MAX_PART_ROWS = 50
from mr_reuse.detect import main
sys.exit(main())
"""


def test_large_tables(hadoop: Hadoop, folder, crawl, here, tmp_path):  # noqa: F811
    """Tasks write the parts of tables to HDFS; the rows are those of single files."""
    discover = [sys.executable, '-m', 'mr_reuse.discover', *crawl, '-o', folder, '-q']
    assert ended(apart(*discover, '-r', 'local', env=hadoop.env))[0] == 3
    three = conf(tmp_path, {'mapreduce.job.reduces': 3})
    line = ['-o', folder, '--places', '-q', '-r', 'hadoop', *three]
    detect = apart(sys.executable, '-c', LARGE, *line, env=hadoop.env)
    assert ended(detect, 600) == (0, '', '')
    expected = {path.name: path.read_bytes() for path in here[0].glob('*.tsv')}
    left, large = hadoop.names(folder), []
    assert not [name for name in left if '.half' in name]
    for name, table in expected.items():
        header, _, rows = table.partition(b'\n')
        parts = sorted(part for part in left if part.startswith(f'/{name}/'))
        if parts:
            hadoop.fs('-get', f'{folder}/{name}', tmp_path / name)
            texts = [path.read_bytes() for path in sorted((tmp_path / name).iterdir())]
            assert len(texts) == len(parts)
            found = [text.partition(b'\n') for text in texts]
            assert {first for first, _, _ in found} == {header}
            assert b''.join(rest for _, _, rest in found) == rows
            large.append(name)
    names = 'pages neighborhoods label_counts places'
    assert {f'{name}.tsv' for name in names.split()} <= {*large}
    assert launched(hadoop, folder, '05-pages', 'reduce') == 3


def test_inputs_on_hdfs(hadoop: Hadoop, folder, crawl, tmp_path):  # noqa: F811
    """Files, globs, folders and lists on HDFS are read where they are."""
    archives = [name for name in crawl if 'crawl-0' in name]
    hadoop.fs('-mkdir', '-p', f'{folder}/in/some')
    hadoop.put(archives[0], f'{folder}/in/a.warc.gz')
    hadoop.put(archives[1], f'{folder}/in/some/b.warc.gz')
    listed = tmp_path / 'c.warc.gz'
    write_warc(listed, [('http://c.org/', b'<p>' + 50 * b'only here ')])
    hadoop.put(listed, f'{folder}/in/c[1].warc.gz')
    (tmp_path / 'list').write_text(f'{folder}/in/c[1].warc.gz\n')
    hadoop.put(tmp_path / 'list', f'{folder}/list')
    inputs = [f'{folder}/in/?.warc.gz', f'{folder}/in/some', f'{folder}/list']
    here = [*archives, listed]
    options = ['--min-len', 0]
    labels = f'{folder}/known.mrl'
    done = hadoop.run('labels', 'build', *inputs, '-o', labels, *options)
    assert done.code == 0, done.err
    assert run('labels', 'build', *here, '-o', tmp_path / 'x.mrl', *options).code == 0
    assert hadoop.fs('-cat', labels) == (tmp_path / 'x.mrl').read_bytes()
    assert not [name for name in hadoop.names(folder) if '.run' in name]


def test_driver_killed(hadoop: Hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """What runs on without its driver is taken up by the next one."""
    process = hadoop.command('discover', *crawl, '-o', folder, '-q')
    left = hadoop.wait_for('02-counts')
    process.send_signal(signal.SIGKILL)
    process.communicate()
    code, _, err = hadoop.run('discover', *crawl, '-o', folder)
    assert code == 3
    assert f'{left["id"]} still runs; waiting for it' in err.splitlines()
    assert '01-pages: finished before' in err.splitlines()
    found = hadoop.fetch(folder, tmp_path, LABELED)
    assert found == {name: expected[name] for name in LABELED}
    assert not hadoop.applications()


def test_interrupted(hadoop: Hadoop, folder, crawl):  # noqa: F811
    """Ctrl-C ends what runs on the cluster, and leaves nothing half done."""
    process = hadoop.command('discover', *crawl, '-o', folder, '-q')
    app = hadoop.wait_for('01-pages')
    process.send_signal(signal.SIGINT)
    assert ended(process, SECONDS) == (
        130,
        '',
        'interrupted; type the same command again to resume\n',
    )
    assert not hadoop.applications()
    assert hadoop.state(app['id']) == 'KILLED'
    names = hadoop.names(folder)
    assert not [n for n in names if '_tmp' in n or '_lock' in n or '01-pages' in n]


def test_orphan_of_other_options(hadoop: Hadoop, folder, crawl):  # noqa: F811
    """What nobody waits for any more is ended; so is all that a polite kill meets."""
    line = ['discover', *crawl, '-o', folder, '-q']
    process = hadoop.command(*line)
    orphan = hadoop.wait_for('01-pages')['id']
    process.kill()
    process.communicate()
    assert hadoop.state(orphan) == 'RUNNING'
    process = hadoop.command(*line, '--delimiters=div')
    patiently(lambda: hadoop.state(orphan) != 'RUNNING')
    app = hadoop.wait_for('01-pages')['id']
    assert hadoop.state(orphan) == 'KILLED'
    process.terminate()
    assert ended(process, SECONDS).code == 130
    assert not hadoop.applications()
    assert hadoop.state(app) == 'KILLED'


def test_bad_command(hadoop: Hadoop, tmp_path):  # noqa: F811
    """What cannot be meant is told before anything runs."""
    code, _, err = hadoop.run('discover', 'x.warc.gz', '-o', tmp_path / 'run')
    assert code == 2
    assert 'on this machine, which -r hadoop cannot read' in err
    nowhere = f'{hadoop.files}/nowhere/*.warc.gz'
    code, _, err = hadoop.run('discover', nowhere, '-o', f'{hadoop.files}/test/x')
    assert (code, err) == (
        1,
        f'error: {nowhere}: matches no file or folder; check the path\n',
    )


def test_failing_task(hadoop: Hadoop, folder, crawl, tmp_path):  # noqa: F811
    """Why a task fails is said in a line, not in the logs of a node."""
    gone = 'http://127.0.0.1:9/'
    names = ''.join(f'{gone}{n}.warc.gz\n' for n in range(201))
    (tmp_path / 'list').write_text(names)
    once = conf(tmp_path, {'mapreduce.map.maxattempts': 1})
    done = hadoop.run('discover', tmp_path / 'list', '-o', folder, *once, '-q')
    assert done.code == 1
    assert done.err.count('\n') == 1
    assert 'step 01-pages failed: http://127.0.0.1:9/' in done.err
    assert patiently(lambda: not hadoop.applications())


def test_long_silence(hadoop: Hadoop, folder, tmp_path):  # noqa: F811
    """Hadoop's patience is for tasks that do nothing, not for those without output."""
    archive = tmp_path / 'skipped.warc.gz'
    junk = random.Random(1).randbytes(8 << 20)
    write_warc(archive, [('http://a.org/', junk)], 'metadata')
    impatient = conf(
        tmp_path,
        {
            'mapreduce.task.timeout': 30_000,
            'mapreduce.task.timeout.check-interval-ms': 500,
            'mapreduce.map.maxattempts': 2,
        },
    )
    with serving() as site:
        site.pages['/a.warc.gz'] = Page(archive.read_bytes(), pause=0.09)
        name = f'{site.url}/a.warc.gz'
        begun = hadoop.command('discover', name, '-o', folder, *impatient, '-q')
        app = hadoop.wait_for('01-pages')['id']
        patiently(lambda: hadoop.running('02-counts') or begun.poll(), SECONDS)
        begun.terminate()
        assert ended(begun, SECONDS).code == 130
    [attempt] = hadoop.attempts(app)
    assert attempt['elapsedTime'] > 40_000
    assert attempt['status'].startswith(f'{name}: read to byte ')


def ways_to(hadoop, monkeypatch) -> dict[str, Store]:  # noqa: F811
    """WebHDFS and `hadoop fs`."""
    for name, value in hadoop.env.items():
        monkeypatch.setenv(name, value)
    hdfs.settings.cache_clear()
    authority = hdfs.authority_of(hadoop.files)
    web = WebHdfs(authority, hdfs.web_addresses(authority, hdfs.settings()))
    assert web.answers()
    return {'webhdfs': web, 'command': HadoopFs(authority)}


@pytest.mark.parametrize('way', ['webhdfs', 'command'])
def test_ways_to_hdfs(hadoop: Hadoop, folder, monkeypatch, tmp_path, way):  # noqa: F811
    """They give and take the same."""
    ways = ways_to(hadoop, monkeypatch)
    store = ways[way]
    data = bytes(range(256)) * 20_000
    (tmp_path / 'a b').write_bytes(data)
    odd = f'{folder}/sub/ü [1] b%20#'
    store.make_dir(f'{folder}/sub')
    store.put(str(tmp_path / 'a b'), odd)
    store.put(str(tmp_path / 'a b'), odd)  # in place of the first
    assert not store.create(odd, b'other')
    assert store.create(f'{folder}/small', b'small')
    [entry] = store.list_entries(f'{folder}/sub')
    assert entry[:3] == (odd, False, len(data))
    assert store.status(odd) == entry
    # Its stamp also, or else a run is made anew when the way changes.
    assert {one.status(odd) for one in ways.values()} == {entry}
    assert [e.name for e in store.list_entries(folder)] == [
        f'{folder}/{n}' for n in LEFT
    ]
    assert store.status(f'{folder}/sub').is_dir
    assert store.status(f'{folder}/none') is None
    assert store.list_entries(f'{folder}/none') == store.list_entries(odd) == []
    assert 'hdfs:///test' in [e.name for e in store.list_entries('hdfs:///')]
    with store.open_read(odd, 300_001) as stream:
        assert stream.read() == data[300_001:]
    with pytest.raises(FileNotFoundError):
        store.open_read(f'{folder}/none')
    store.remove(f'{folder}/sub')
    store.remove(f'{folder}/none')
    assert [e.name for e in store.walk_files(folder)] == [f'{folder}/small']


@pytest.mark.parametrize('way', ['webhdfs', 'command'])
def test_no_right_on_hdfs(hadoop: Hadoop, folder, monkeypatch, tmp_path, way):  # noqa: F811
    """Who may not is told so, by either way, and in a command in one line."""
    hadoop.fs('-mkdir', '-p', f'{folder}/closed')
    hadoop.fs('-put', '-', f'{folder}/f', given=b'data')
    hadoop.fs('-chmod', '600', f'{folder}/f')
    hadoop.fs('-chmod', '700', f'{folder}/closed')
    (tmp_path / 'f').write_bytes(b'more')
    monkeypatch.setenv('HADOOP_USER_NAME', 'stranger')
    store = ways_to(hadoop, monkeypatch)[way]
    for name, right, do in [
        ('f', 'READ', lambda name: store.open_read(name).read()),
        ('closed/f', 'EXECUTE', store.status),
        ('closed', 'READ_EXECUTE', store.list_entries),
        ('new', 'WRITE', lambda name: store.put(str(tmp_path / 'f'), name)),
        ('new', 'WRITE', lambda name: store.create(name, b'more')),
        ('new', 'WRITE', store.make_dir),
        ('f', 'WRITE', store.remove),
    ]:
        why = f'no right on HDFS: Permission denied: user=stranger, access={right}, '
        with pytest.raises(PermissionError, match=why) as told:
            do(f'{folder}/{name}')
        assert told.value.filename == f'{folder}/{name}'
    # Such users are told of a file in the way as of a right that they have not.
    assert store.status(f'{folder}/f/below') is None
    assert store.list_entries(f'{folder}/f/below') == []
    with pytest.raises(UserError, match='a file is in the way of this folder'):
        store.make_dir(f'{folder}/f/below')
    monkeypatch.delenv('HADOOP_USER_NAME')
    assert hadoop.names(folder) == ['/closed', '/f']


def test_command_without_a_right(hadoop: Hadoop, folder, crawl):  # noqa: F811
    """In one line, with the name of the file and the right that is wanted."""
    hadoop.put(crawl[0], f'{folder}/closed.warc.gz')
    hadoop.fs('-chmod', '600', f'{folder}/closed.warc.gz')
    env = {**hadoop.env, 'HADOOP_USER_NAME': 'stranger'}
    line = [sys.executable, '-m', 'mr_reuse.discover', f'{folder}/closed.warc.gz', '-q']
    code, _, err = ended(apart(*line, '-o', f'{folder}/run', env=env))
    assert (code, err.count('\n')) == (1, 1), err
    assert err.startswith(f'error: {folder}/'), err
    assert 'no right on HDFS: Permission denied: user=stranger, access=' in err
