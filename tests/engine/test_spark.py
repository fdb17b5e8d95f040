"""Jobs on Spark: the same bytes as without it, and what is said if it fails."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import boto3
import pytest
from commands import (
    DISCOVER,
    INTERRUPTED,
    RESULTS,
    WAIT,
    alive,
    apart,
    ended,
    leftovers,
    run,
)
from crawls import ROOT, sample_crawl, write_crawl
from failing import Failing
from hadoop import patiently
from moto.server import ThreadedMotoServer

from mr_reuse.engine.chain import Chain, Step
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.runners import spark
from mr_reuse.errors import DAMAGED, DONE, FAILED, UserError
from mr_reuse.synth import __main__
from mr_reuse.tables import table_files

pytestmark = [pytest.mark.spark, pytest.mark.cluster]
FOUND = [
    *(
        f'{bad}{name}.tsv'
        for bad in ('', 'bad_')
        for name in ('pages', 'neighborhoods')
    ),
    'origins.tsv',
    'file_matches.tsv',
    'label_counts.tsv',
    'places.tsv',
    'stats.json',
]
QUICK = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'  # to start, if not to run for long
KEYS = {
    'ACCESS_KEY_ID': 'test',
    'SECRET_ACCESS_KEY': 'test',
    'DEFAULT_REGION': 'us-east-1',
}
SETTINGS = 'SPARK_HOME SPARK_CONF_DIR HADOOP_CONF_DIR YARN_CONF_DIR MASTER'.split()
WORKERS = 'worker-1', 'worker-2'
# In one file that is read as it is.
EVENTS = {
    f'spark.eventLog.{name}': value
    for name, value in (
        ('enabled', 'true'),
        ('rolling.enabled', 'false'),
        ('compress', 'false'),
    )
}
LOST = 'ExecutorLostFailure'
WEB = ['--webui-port', '0']
START = 60.0  # seconds that a daemon may take to start


@pytest.fixture(scope='module', autouse=True)
def quick():
    """Spark that starts sooner, with no settings of the person who tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SETTINGS:
            patch.delenv(name, raising=False)
        patch.setenv('JAVA_TOOL_OPTIONS', QUICK)
        yield


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Archives of every kind with copies, one of them cut off."""
    folder = tmp_path_factory.mktemp('crawl')
    names, _ = write_crawl(folder / 'few', sample_crawl(60))
    line = ['-o', folder / 'many', '--size=2MB', '-q']
    assert __main__.main(list(map(str, line))) == DONE
    many = next((folder / 'many').glob('*.gz'))
    cut = folder / 'cut.warc.gz'
    cut.write_bytes(many.read_bytes()[:-1000])
    return [*names, cut]


@pytest.fixture(scope='module')
def expected(crawl, tmp_path_factory):
    """A run without Spark."""
    out = tmp_path_factory.mktemp('local') / 'run'
    assert run('discover', *crawl, '-o', out, '-q').code == DAMAGED
    assert run('detect', '-o', out, '--places', '-q').code == DONE
    return tables(out, RESULTS + FOUND)


def tables(out: Path, names: list[str]) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in names}


def free_port() -> int:
    with socket.create_server(('127.0.0.1', 0)) as server:
        return server.getsockname()[1]


def settings(folder: Path, master: str, **more: str) -> Path:
    """A mrjob.conf that names a master."""
    path = folder / 'mrjob.conf'
    jobconf = ''.join(f'\n      {name}: {value}' for name, value in more.items())
    text = f'runners:\n  spark:\n    spark_master: {master}\n'
    path.write_text(text + (f'    jobconf:{jobconf}\n' if more else ''))
    return path


@pytest.fixture(scope='module')
def two_cores(tmp_path_factory):
    """A run of discover on two cores of this machine, and its mrjob.conf."""
    return settings(tmp_path_factory.mktemp('conf'), 'local[2]')


# The same bytes


@pytest.fixture(scope='module')
def discovered(crawl, two_cores, tmp_path_factory):
    """A run on this machine, started in a folder that stays as it is."""
    folder = tmp_path_factory.mktemp('spark')
    line = [*crawl, '-o', folder / 'run', '-q', '-r', 'spark', '-c', two_cores]
    return ended(apart(*DISCOVER, *line, '--tasks=3', cwd=folder)), folder / 'run'


def test_discover(discovered, expected):
    (code, out, err), path = discovered
    assert (code, out) == (DAMAGED, '')
    assert 'cut.warc.gz' in err and 'INFO' not in err and 'WARN' not in err
    assert tables(path, RESULTS) == {name: expected[name] for name in RESULTS}
    assert [one.name for one in path.parent.iterdir()] == ['run']
    assert not leftovers(path)
    assert len(list(path.glob('01-pages/*/part-*'))) == 3


@pytest.mark.parametrize('join', ['map', 'reduce'])  # test_workers has the third
def test_detect(discovered, expected, two_cores, tmp_path, join):
    _, path = discovered
    line = [path, '-o', tmp_path / 'run', '-l', path / 'labels.mrl', f'--join={join}']
    told = run('detect', *line, '--places', '-q', '-r', 'spark', '-c', two_cores)
    assert told == (DONE, '', '')
    found = tables(tmp_path / 'run', FOUND)
    assert found == {name: expected[name] for name in FOUND}


def test_large_tables(discovered, expected, two_cores, tmp_path, monkeypatch):
    """Executors write the parts of tables; the rows are those of single files."""
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 7)
    _, path = discovered
    line = [path, '-o', tmp_path / 'run', '-l', path / 'labels.mrl', '--places', '-q']
    told = run('detect', *line, '-r', 'spark', '-c', two_cores)
    assert told == (DONE, '', '')
    names = [name for name in FOUND if (tmp_path / 'run' / name).is_dir()]
    assert {'pages.tsv', 'neighborhoods.tsv', 'places.tsv'} <= {*names}
    for name in names:
        parts = sorted((tmp_path / 'run' / name).iterdir())
        header, _, rows = expected[name].partition(b'\n')
        assert {part.read_bytes().partition(b'\n')[0] for part in parts} == {header}
        assert len(parts) > 1
        assert b''.join(p.read_bytes().partition(b'\n')[2] for p in parts) == rows
    others = [name for name in FOUND if name not in names]
    assert tables(tmp_path / 'run', others) == {name: expected[name] for name in others}


# A run on S3, on all cores


@pytest.fixture
def s3(monkeypatch):
    """A client of what is as S3, with a bucket."""
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    try:
        address = 'http://{}:{}'.format(*server._server.server_address)
        for name, value in {'ENDPOINT_URL': address, **KEYS}.items():
            monkeypatch.setenv(f'AWS_{name}', value)
        client = boto3.client('s3')
        client.create_bucket(Bucket='bucket')
        yield client
    finally:
        server.stop()


def test_run_on_s3(crawl, expected, s3, tmp_path):
    """Killed and gone on with, it has the same bytes."""
    line = [*DISCOVER, *crawl, '-o', 's3://bucket/RUN', '-r', 'spark']

    def finished() -> bool:
        found = s3.list_objects_v2(Bucket='bucket', Prefix='RUN/01-pages/_step')
        return bool(found['KeyCount'])

    process = apart(*line, '-q', env={'TMPDIR': str(tmp_path)})
    assert patiently(finished)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    code, _, err = ended(apart(*line))
    assert (code, err.splitlines()[0]) == (DAMAGED, '01-pages: finished before')
    line = ['-o', 's3://bucket/RUN', '--places', '-r', 'spark', '-q']
    assert run('detect', *line).code == DONE
    assert run('get', 's3://bucket/RUN', '-o', tmp_path / 'got', '-q').code == DONE
    assert tables(tmp_path / 'got', RESULTS + FOUND) == expected
    left = s3.list_objects_v2(Bucket='bucket', Prefix='RUN/_')['Contents']
    names = {entry['Key'].split('/')[1] for entry in left}
    assert names == {'_inputs', '_sources.json'}


# Workers apart from the driver


@pytest.fixture
def cluster(tmp_path):
    """A master and two workers, which know nothing of this program; their address."""
    running: list[subprocess.Popen] = []
    port = free_port()
    master = f'spark://127.0.0.1:{port}'
    try:
        running.append(daemon(tmp_path, 'master.Master', '--port', port))
        wait_for_lines(tmp_path / 'master.Master.log', 'I have been elected leader')
        for folder in WORKERS:
            more = ['-c', 1, '-m', '1g', '-d', tmp_path / folder, master]
            running.append(daemon(tmp_path, 'worker.Worker', *more))
        wait_for_lines(tmp_path / 'master.Master.log', *2 * ['Registering worker'])
        yield master
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(WAIT * 4)


def daemon(folder: Path, name: str, *args) -> subprocess.Popen:
    home = Path(shutil.which('spark-submit', path=Path(sys.executable).parent)).parent
    whole = f'org.apache.spark.deploy.{name}'
    line = [home / 'spark-class', whole, '--host', '127.0.0.1', *WEB, *args]
    env = {
        'PATH': f'{Path(sys.executable).parent}:/usr/bin:/bin',
        'JAVA_HOME': os.environ.get('JAVA_HOME', ''),
        'SPARK_LOCAL_IP': '127.0.0.1',
        'SPARK_DAEMON_MEMORY': '256m',
        'JAVA_TOOL_OPTIONS': QUICK,
    }
    with open(folder / f'{name}.log', 'ab') as log:
        return subprocess.Popen(
            list(map(str, line)),
            env={name: value for name, value in env.items() if value},
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def wait_for_lines(log: Path, *lines: str) -> None:
    until = time.monotonic() + START
    while any(log.read_text().count(line) < lines.count(line) for line in lines):
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


@pytest.mark.skipif(not Path('/proc/self/environ').exists(), reason='needs /proc')
def test_workers(crawl, expected, cluster, tmp_path):
    """Both do their share; a task that is killed is done again, be it with its JVM."""
    (tmp_path / 'events').mkdir()
    conf = settings(
        tmp_path,
        cluster,
        **EVENTS,
        **{
            'spark.eventLog.dir': f'file://{tmp_path}/events',
            'spark.executor.memory': '512m',
            'spark.scheduler.minRegisteredResourcesRatio': '1.0',
        },
    )
    line = ['-o', tmp_path / 'run', '-q', '-r', 'spark', '-c', conf]

    def kill() -> None:
        for number, executor_too in enumerate((False, True)):
            task, executor = patiently(lambda number=number: at_work(tmp_path, number))
            os.kill(task, signal.SIGSTOP)  # it has not ended, nor will it
            if executor_too:
                os.kill(executor, signal.SIGKILL)
            os.kill(task, signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert run('discover', *crawl, *line, '--tasks=4').code == DAMAGED
    killer.join(0)
    assert not killer.is_alive()
    assert run('detect', *line, '--join=bloom', '--places') == (DONE, '', '')
    assert tables(tmp_path / 'run', RESULTS + FOUND) == expected
    ends = [task_ends(log) for log in sorted((tmp_path / 'events').iterdir())]
    assert ends[0].keys() == ends[1].keys() - {'2'} == {'0', '1'}
    reasons = [set().union(*step.values()) for step in ends]
    assert reasons[:2] == [{'Success', 'ExceptionFailure'}, {'Success', LOST}]
    assert all(reason == {'Success'} for reason in reasons[2:])
    assert sum('Success' in step.get(one, ()) for step in ends for one in '01') > 10


def at_work(folder: Path, number: int) -> tuple[int, int] | None:
    """A Python task of an application, and the executor that it works for."""
    lines = {}
    for process in Path('/proc').glob('[0-9]*'):
        try:
            there = (process / 'cwd').readlink()
            parent = int((process / 'stat').read_text().rpartition(')')[2].split()[1])
            lines[int(process.name)] = (process / 'cmdline').read_text(), parent, there
        except OSError:
            continue  # has just ended
    for task, (line, daemon_, there) in lines.items():
        inside = there.is_relative_to(folder) and f'-{number:04d}/' in str(there)
        if (
            inside
            and 'pyspark.daemon' in line
            and 'pyspark.daemon' in lines[daemon_][0]
        ):
            return task, lines[daemon_][1]
    return None


def task_ends(log: Path) -> dict[str, set[str]]:
    """How the tasks of each executor ended, as an application has noted it."""
    found: dict[str, set[str]] = {}
    for event in map(json.loads, log.read_text().splitlines()):
        if event['Event'] == 'SparkListenerTaskEnd':
            executor = event['Task Info']['Executor ID']
            found.setdefault(executor, set()).add(event['Task End Reason']['Reason'])
    return found


# What is said when it fails


@pytest.mark.parametrize(
    ('how', 'said'),
    [
        ('told', 'a: b: c'),
        ('killed', 'a task was killed, perhaps because memory ran out'),
    ],
)
def test_failed_task(tmp_path, two_cores, monkeypatch, how, said):
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join([str(ROOT / 'tests'), str(ROOT)]))
    options = RunOptions(str(tmp_path / 'run'), 'spark', str(two_cores), quiet=True)
    (tmp_path / 'line').write_text('a\tb\n')
    read = [str(tmp_path / 'line')]
    with RunDir(options.output) as out, pytest.raises(UserError) as failed:
        Chain(out, options).run_step(
            Step('01-pages', Failing, {'how': how}, lambda: read, 0)
        )
    assert f'step 01-pages failed: {said}; ' in str(failed.value)
    assert not leftovers(tmp_path / 'run')


def failure(*line) -> str:
    code, out, err = run('discover', *line, '-q', '-r', 'spark')
    assert (code, out, err.count('\n')) == (FAILED, '', 1)
    return err.removeprefix('error: ').rstrip('\n')


def test_no_pyspark(crawl, tmp_path, monkeypatch):
    monkeypatch.setattr('mrjob.bin.pyspark', None)
    monkeypatch.setenv('PATH', str(tmp_path))
    assert failure(*crawl, '-o', tmp_path / 'run') == spark.NO_SPARK


def test_no_java(crawl, tmp_path, monkeypatch):
    monkeypatch.setenv('JAVA_HOME', str(tmp_path))
    assert failure(*crawl, '-o', tmp_path / 'run') == spark.NO_JAVA


def test_no_master(crawl, tmp_path):
    master = f'spark://127.0.0.1:{free_port()}'
    conf = settings(tmp_path, master)
    said = failure(*crawl, '-o', tmp_path / 'run', '-c', conf)
    assert said.startswith(f'{master}: no Spark master answers there; a mrjob.conf')


def test_no_yarn(crawl, tmp_path):
    conf = settings(tmp_path, 'yarn')
    said = failure(*crawl, '-o', tmp_path / 'run', '-c', conf)
    assert 'either HADOOP_CONF_DIR or YARN_CONF_DIR must be set' in said
    with conf.open('a') as more:
        more.write('    spark_deploy_mode: cluster\n')
    said = failure(*crawl, '-o', tmp_path / 'run', '-c', conf)
    assert said == spark.NOT_CLIENT.format('cluster')


def test_odd_folder(crawl, tmp_path):
    said = failure(*crawl, '-o', tmp_path / 'a,b')
    assert said.startswith(f'{tmp_path}/a,b/')
    assert said.endswith("Spark does not read names with ','")


@pytest.mark.skipif(not Path('/proc/self/environ').exists(), reason='needs /proc')
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGKILL])
def test_killed(crawl, two_cores, tmp_path, number):
    """Nothing outlives the command, nor is anything left but what was finished."""
    mark = str(tmp_path)
    line = [*crawl, '-o', tmp_path / 'run', '-r', 'spark', '-c', two_cores]
    process = apart(*DISCOVER, *line, env={'MARK': mark})
    until = time.monotonic() + START
    while not any('spark_harness' in one for one in alive(mark)):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.1)
    process.send_signal(number)
    told = ended(process)
    if number == signal.SIGINT:
        assert told == (130, '', INTERRUPTED)
        assert not leftovers(tmp_path / 'run')
    until = time.monotonic() + WAIT * 4
    while alive(mark):
        assert time.monotonic() < until, alive(mark)
        time.sleep(0.1)
