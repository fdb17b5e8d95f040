"""Machines and processes of a real Hadoop that are lost, or slow: the same bytes."""

import os
import signal
import sys
import threading
import time

import pytest
from commands import apart, ended, run
from hadoop import Hadoop, cluster, hadoop, kill_a_task, patiently, results, tasks  # noqa: F401
from webserver import serving

from mr_reuse import synth
from mr_reuse.stores import hdfs

pytestmark = [pytest.mark.failures, pytest.mark.cluster]
OF_DISCOVER = '01-pages 02-counts 03-labels 03-places 03-previews'.split()
OF_DETECT = '04-matches 05-neighborhoods 06-origins'.split()


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Enough archives for several tasks."""
    folder = tmp_path_factory.mktemp('crawl')
    for seed in '123456':
        line = ['-o', folder / seed, '--size=2MB', '--seed', seed, '-q']
        assert synth.main(list(map(str, line))) == 0
    return f'{folder}/*/*.gz'


@pytest.fixture(scope='module')
def expected(crawl, tmp_path_factory):
    folder = tmp_path_factory.mktemp('expected') / 'run'
    assert run('discover', crawl, '-o', folder).code == 0
    assert run('detect', '-o', folder).code == 0
    return results(folder)


@pytest.fixture
def folder(hadoop, request):  # noqa: F811
    name = f'{hadoop.files}/test/{request.node.name}'
    hadoop.fs('-rm', '-r', '-f', name)
    yield name
    for daemon in ('datanode1', 'nodemanager1', 'nodemanager2'):
        cluster('start', daemon)


# A driver that fails once a step is finished, as it reads what the tasks have told.
FAILING = """
import sys
sys.argv[0] = '-m'
from mr_reuse import chain
from mr_reuse.errors import UserError
whole = chain.last_line
def last_line(part):
    if '/02-counts/' in part:
        raise UserError('the driver fails')
    return whole(part)
chain.last_line = last_line
from mr_reuse.discover import main
sys.exit(main())
"""


def whole_chain(hadoop: Hadoop, folder, crawl, tmp_path):  # noqa: F811
    """The results of discover and detect."""
    for line in (['discover', crawl, '--tasks=6'], ['detect']):
        done = hadoop.run(*line, '-o', folder, '-q', seconds=1800)
        assert done == (0, '', '')
    return hadoop.fetch(folder, tmp_path)


def in_the_background(func) -> threading.Thread:
    thread = threading.Thread(target=func, daemon=True)
    thread.start()
    return thread


def test_node_lost_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """A NodeManager goes with its tasks, be it the one with the master of the job."""
    lost = []

    def lose() -> None:
        for number, step in enumerate(OF_DISCOVER + OF_DETECT):
            daemon = f'nodemanager{number % 2 + 1}'
            hadoop.wait_for(step, 600)
            patiently(tasks)
            cluster('kill', daemon)
            lost.append(step)
            time.sleep(20)  # until it is missed
            cluster('start', daemon)

    thread = in_the_background(lose)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    thread.join()
    assert lost == OF_DISCOVER + OF_DETECT


def test_task_killed_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    killed = []

    def kill() -> None:
        for step in OF_DISCOVER + OF_DETECT:
            hadoop.wait_for(step, 600)
            killed.append(kill_a_task())

    thread = in_the_background(kill)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    thread.join()
    assert len(killed) == len(OF_DISCOVER + OF_DETECT)


def test_data_node_lost(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """All blocks have a second copy."""

    def lose() -> None:
        hadoop.wait_for('01-pages')
        cluster('kill', 'datanode1')

    thread = in_the_background(lose)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    thread.join()


def test_slow_task(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """A second attempt overtakes a task that does not get on."""
    app = []

    def stop() -> None:
        app.append(hadoop.wait_for('02-counts', 600)['id'])
        os.kill(patiently(tasks)[0], signal.SIGSTOP)

    thread = in_the_background(stop)
    assert whole_chain(hadoop, folder, crawl, tmp_path) == expected
    thread.join()
    assert hadoop.job(app[0])['killedMapAttempts'] >= 1


def test_driver_killed_in_each_step(hadoop, folder, crawl, expected, tmp_path):  # noqa: F811
    """Killed again and again, the driver goes on, and no application is left."""
    for command, steps in (('discover', OF_DISCOVER), ('detect', OF_DETECT)):
        line = [command, *([crawl] if command == 'discover' else []), '-o', folder]
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
    assert len(asked) > len(OF_DISCOVER + OF_DETECT)  # tasks, too
