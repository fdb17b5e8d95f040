"""`-r emr`: what AWS is asked for, and what the steps then do, to the last byte."""

import importlib
import json
import re
import time
from pathlib import Path

import pytest
from aws import Aws, aws  # noqa: F401
from commands import ended, run
from hadoop import results

from mr_reuse.chunks import chunk_steps
from mr_reuse.synth import __main__

pytestmark = [pytest.mark.emr, pytest.mark.cluster]
CONF = {'runners': {'emr': {'check_cluster_every': 0.5}}}


@pytest.fixture
def crawl(tmp_path):
    for seed in '12':
        line = ['-o', tmp_path / seed, '--size=2MB', '--seed', seed, '-q']
        assert __main__.main(list(map(str, line))) == 0
    return [str(name) for name in sorted(tmp_path.glob('?/*.gz'))]


def count_steps(folder: Path) -> int:
    """How many steps the jobs of a run have; each is a step of a cluster."""
    jobs = {step.folder: step.job for step in chunk_steps.STEPS}
    record = json.loads((folder / 'run.json').read_text())
    count = 0
    for name in [*record['steps'], *record.get('detect', {}).get('steps', ())]:
        module = re.sub('(?<!^)([A-Z])', r'_\1', jobs[name]).lower()
        found = importlib.import_module(f'mr_reuse.chunks.jobs.{module}')
        count += len(getattr(found, jobs[name])([]).steps())
    return count


def test_same_bytes(aws: Aws, crawl, tmp_path):  # noqa: F811
    """The whole chain, although the cluster ends while the driver is busy."""
    s3 = aws.client('s3')
    s3.create_bucket(Bucket='bucket')
    there = 's3://bucket/crawl/a b.warc.gz'
    s3.upload_file(crawl[1], 'bucket', there.split('/', 3)[3])
    conf = tmp_path / 'mrjob.conf'
    conf.write_text(json.dumps(CONF))
    inputs, out = [crawl[0], 's3://bucket/crawl/*'], 's3://bucket/runs/RUN'
    aws.steps_of_a_cluster = 2
    assert aws.run('discover', *inputs, '-o', out, '-c', conf, '-q') == (0, '', '')
    assert aws.run('detect', '-o', out, '-c', conf, '-q') == (0, '', '')
    assert aws.run('get', out, '-o', tmp_path / 'got', '-q', runner=None).code == 0
    here = tmp_path / 'here'
    assert run('discover', *crawl, '-o', here, '-q').code == 0
    assert run('detect', '-o', here, '-q').code == 0
    # Here the second archive has another name; it stands second under both.
    expected = {
        table: data.replace(crawl[1].encode(), there.encode())
        for table, data in results(here).items()
    }
    assert results(tmp_path / 'got') == expected
    assert len(aws.steps) == count_steps(here)
    ran = [len(cluster.steps) for cluster in aws.clusters()]
    assert ran == [2, len(aws.steps) - 2]
    for step in aws.steps:
        args = step['args']
        assert args[args.index('-archives') + 1].endswith('#mr_reuse_env')
        assert args[args.index('-mapper') + 1].startswith('python3.11 ')
        assert not [arg for arg in args if 'SECRET' in arg.upper()]


def test_killed(aws: Aws, crawl, tmp_path):  # noqa: F811
    """The step of a driver that was killed is waited for, on the cluster it made."""
    aws.client('s3').create_bucket(Bucket='other')
    conf = tmp_path / 'mrjob.conf'
    conf.write_text(json.dumps(CONF))
    line = [crawl[0], '-o', 's3://other/RUN', '-c', conf]
    before, clusters = len(aws.steps), len(aws.clusters())
    driver = aws.begin('discover', *line)
    while len(aws.steps) == before:
        time.sleep(0.1)
    driver.kill()
    ended(driver)
    code, _, err = aws.run('discover', *line)
    assert code == 0 and ' still runs; waiting for it\n' in err, err
    here = tmp_path / 'here'
    assert run('discover', crawl[0], '-o', here, '-q').code == 0
    assert len(aws.steps) == before + count_steps(here)
    assert len(aws.clusters()) == clusters + 1
    got = tmp_path / 'got'
    assert aws.run('get', 's3://other/RUN', '-o', got, '-q', runner=None).code == 0
    assert results(got) == results(here)
