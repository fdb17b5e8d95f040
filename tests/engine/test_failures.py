"""Machines and processes of a real Hadoop that are lost, or slow: the same bytes."""

import contextlib
import os
import signal
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from commands import apart, ended, run
from hadoop import (  # noqa: F401
    SECONDS,
    Hadoop,
    Process,
    cluster,
    hadoop,
    master,
    patiently,
    results,
    tasks,
)
from webserver import serving

from mr_reuse.storage import hdfs
from mr_reuse.synth import __main__

pytestmark = [pytest.mark.failures, pytest.mark.cluster]
# A reducer that works is the middle of a job. The last step has two.
STRIKES = (
    ('01-pages', '--mapper'),
    ('02-counts', '--reducer'),
    ('03-labels', '--mapper'),
    ('03-places', '--reducer'),
    ('03-previews', '--mapper'),
    ('03-pairs', '--reducer', '--step-num=0'),
    ('04-matches', '--reducer'),
    ('05-neighborhoods', '--reducer'),
    ('06-origins', '--reducer', '--step-num=0'),
    ('06-origins', '--reducer', '--step-num=1'),
)
OF_DISCOVER = '01-pages 01-urls 01-captures 02-counts 03-labels'.split()
OF_DISCOVER += '03-places 03-previews 03-pairs'.split()
# Without a bad site there are no origins to look for.
DETECT = ['detect', '--neighborhood-threshold=0.1']
OF_DETECT = '04-matches 05-neighborhoods 06-origins'.split()


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Enough archives for several tasks."""
    folder = tmp_path_factory.mktemp('crawl')
    for seed in '123456':
        line = ['-o', folder / seed, '--size=2MB', '--seed', seed, '-q']
        assert __main__.main(list(map(str, line))) == 0
    return f'{folder}/*/*.gz'


@pytest.fixture(scope='module')
def expected(crawl, tmp_path_factory):
    folder = tmp_path_factory.mktemp('expected') / 'run'
    assert run('discover', crawl, '-o', folder).code == 0
    assert run(*DETECT, '-o', folder).code == 0
    return results(folder)


@pytest.fixture
def folder(hadoop, request):  # noqa: F811
    name = f'{hadoop.files}/test/{request.node.name}'
    hadoop.fs('-rm', '-r', '-f', name)
    yield name
    for daemon in ('datanode1', 'datanode2', 'nodemanager1', 'nodemanager2'):
        cluster('start', daemon)


# A driver that fails once a step is finished, as it reads what the tasks have told.
FAILING = """
import sys
sys.argv[0] = '-m'
from mr_reuse.engine import part_files
from mr_reuse.errors import UserError
whole = part_files.read_stats
def fail_at_counts(part):
    if '/02-counts/' in part:
        raise UserError('the driver fails')
    return whole(part)
part_files.read_stats = fail_at_counts
from mr_reuse.discover import main
sys.exit(main())
"""


def whole_chain(hadoop: Hadoop, folder, crawl, tmp_path):  # noqa: F811
    """The results of discover and detect."""
    for line in (['discover', crawl, '--tasks=6'], DETECT):
        done = hadoop.run(*line, '-o', folder, '-q', seconds=1800)
        assert done == (0, '', '')
    return hadoop.fetch(folder, tmp_path)


def in_the_background(func) -> Future:
    """Something that is done meanwhile; its result shows whether it was."""
    with_one = ThreadPoolExecutor(1)
    future = with_one.submit(func)
    with_one.shutdown(wait=False)
    return future


def stopped(hadoop: Hadoop, step: str, *words: str) -> Process:  # noqa: F811
    """A task of a step, in the middle of its work, which it does not end now."""

    def found() -> Process | None:
        app = hadoop.running(step)
        for one in tasks(*words) if app else ():
            if one.app == app['id']:
                os.kill(one.pid, signal.SIGSTOP)
                return one
        return None

    return patiently(found, SECONDS)


def test_node_lost_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """A NodeManager goes with its tasks, be it the one with the master of the job."""

    def lose() -> list[str]:
        apps = []
        for strike in STRIKES:
            hit = stopped(hadoop, *strike)
            cluster('kill', hit.node)
            apps.append(hit.app)
            time.sleep(20)  # until it is missed
            cluster('start', hit.node)
        return apps

    done = in_the_background(lose)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    assert all(hadoop.lost(app) for app in done.result(60))


def test_one_of_three_busy_nodes_lost(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """All three NodeManagers have containers when one goes."""
    node = 'nodemanager3'
    cluster('start', node)

    def stop_on_it() -> Process | None:
        for one in tasks('--mapper'):
            if one.node == node and len(hadoop.busy_nodes()) == 3:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGSTOP)
                    return one
        return None

    def lose() -> str:
        hit = patiently(stop_on_it, SECONDS)
        cluster('kill', node)
        return hit.app

    done = in_the_background(lose)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    assert hadoop.lost(done.result(60))


def test_process_killed_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """In turn a task, its container, and the master of the job."""

    def kill() -> list[str]:
        apps = []
        for number, strike in enumerate(STRIKES):
            hit = stopped(hadoop, *strike)
            [of_job] = master(hit.app)
            os.kill((hit.pid, hit.parent, of_job.pid)[number % 3], signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(hit.pid, signal.SIGCONT)
            apps.append(hit.app)
        return apps

    done = in_the_background(kill)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    assert all(hadoop.lost(app) for app in done.result(60))


def test_data_node_lost(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """All blocks have a second copy; the driver also has to write meanwhile.

    For 12 s (10 minutes, but for the settings here) nobody knows that a node is gone.
    """

    def lose() -> list[str]:
        lost = []
        hadoop.wait_for('01-pages', SECONDS)
        lost.append(cluster('kill', 'datanode1'))
        hadoop.wait_for('02-counts', SECONDS)
        cluster('start', 'datanode1')
        for step, daemon in (('03-previews', 'datanode2'), ('06-origins', 'datanode1')):
            hadoop.wait_for(step, SECONDS)
            patiently(lambda step=step: not hadoop.running(step), SECONDS)
            lost.append(cluster('kill', daemon))
            time.sleep(20)
            cluster('start', daemon)
        return lost

    done = in_the_background(lose)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    assert len(done.result(60)) == 3


def test_slow_task(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """A second attempt overtakes a task that does not get on."""
    done = in_the_background(lambda: stopped(hadoop, '02-counts', '--mapper'))
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    assert hadoop.job(done.result(60).app)['killedMapAttempts'] >= 1


def test_driver_killed_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """Killed again and again, the driver goes on, and no application is left."""
    for command, steps in ((['discover', crawl], OF_DISCOVER), (DETECT, OF_DETECT)):
        line = [*command, '-o', folder]
        for step in steps:
            process = hadoop.command(*line, '-q')
            hadoop.wait_for(step, 600)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert hadoop.run(*line, '-q', seconds=1800) == (0, '', '')
    assert hadoop.fetch(folder, tmp_path) == expected
    assert not hadoop.applications()


def test_driver_fails_after_a_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """What the cluster has finished is not made twice."""
    line = [crawl, '-o', folder, '-q', '-r', 'hadoop']
    broken = apart(sys.executable, '-c', FAILING, *line, env=hadoop.env)
    assert ended(broken, 600).err.endswith('the driver fails\n')
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    done = [app['name'] for app in hadoop.applications('FINISHED,FAILED,KILLED')]
    made = [name for name in done if f'{folder} 02-counts/' in name]
    assert len(made) == 1


def test_without_webhdfs(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """Where it is closed, driver and tasks do with the `hadoop` command."""
    authority = hadoop.files.partition('://')[2]
    with serving() as closed, pytest.MonkeyPatch.context() as patch:
        patch.setitem(hadoop.env, hdfs.ADDRESSES, f'{authority}={closed.url}')
        assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
        asked = [path for _, path, _ in closed.asked]
    assert set(asked) == {'/webhdfs/v1/'}
    # Each process asks once: two drivers, and the tasks that read from HDFS themselves.
    assert len(asked) > 2
