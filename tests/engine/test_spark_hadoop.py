"""Spark on the machines of a real Hadoop, which have nothing of this program."""

import json
import signal
import sys
from pathlib import Path

import pytest
from commands import apart, ended, run
from hadoop import Hadoop, hadoop, patiently, results  # noqa: F401

from mr_reuse.synth import __main__

pytestmark = [pytest.mark.failures, pytest.mark.cluster]
pyspark = pytest.importorskip('pyspark')
SECONDS = 900
# Its jars are on all nodes of this cluster, which are one machine.
JARS = f'local:{Path(pyspark.__file__).parent}/jars/*'
SMALL = {
    'spark.executor.instances': 2,
    'spark.executor.memory': '512m',
    'spark.yarn.am.memory': '256m',
    'spark.yarn.jars': JARS,
}


def test_same_bytes(hadoop: Hadoop, tmp_path):  # noqa: F811
    """On YARN, whose application ends with its driver; then on this machine alone."""
    for seed in '123':
        made = ['-o', tmp_path / seed, '--size=2MB', '--seed', seed, '-q']
        assert __main__.main(list(map(str, made))) == 0
    crawl = [*tmp_path.glob('?/*.gz')]
    here, there = tmp_path / 'run', f'{hadoop.files}/test/spark'
    assert run('discover', *crawl, '-o', here, '-q').code == 0
    assert run('detect', '-o', here, '-q').code == 0
    hadoop.fs('-rm', '-r', '-f', there)
    conf = tmp_path / 'mrjob.conf'
    spark = {'spark_master': 'yarn', 'jobconf': SMALL}
    conf.write_text(json.dumps({'runners': {'spark': spark}}))
    line = [*crawl, '-o', there, '--tasks=3']

    process = begin(hadoop, 'discover', *line, '-q', '-c', conf)
    left = hadoop.wait_for('02-counts', SECONDS)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    patiently(lambda: left['id'] not in {a['id'] for a in hadoop.applications()}, 60)
    code, _, err = ended(begin(hadoop, 'discover', *line, '-c', conf), SECONDS)
    assert (code, err.splitlines()[0]) == (0, '01-pages: finished before'), err
    parts = [n for n in hadoop.names(f'{there}/01-pages') if '/part-' in n]
    assert len(parts) == 3
    of_spark = [
        a['name'] for a in hadoop.applications('FINISHED') if there in a['name']
    ]
    assert len(of_spark) >= 5

    detect = begin(hadoop, 'detect', '-o', there, '-q')
    assert ended(detect, SECONDS) == (0, '', '')
    (tmp_path / 'got').mkdir()
    assert hadoop.fetch(there, tmp_path / 'got') == results(here)
    top = {name.split('/')[1] for name in hadoop.names(there)}
    kept = {name for name in top if name.startswith('_')}
    assert kept == {'_bundle', '_inputs', '_sources.json'}


def begin(hadoop: Hadoop, name: str, *args):  # noqa: F811
    """Begin a command on Spark, as a user of the cluster does."""
    line = [sys.executable, '-m', f'mr_reuse.{name}', *args, '-r', 'spark']
    return apart(*line, env=hadoop.env)
