"""`-r emr`: what AWS is asked for, and what the steps then do, to the last byte."""

import json
import time

import pytest
from aws import REGION, Aws, aws  # noqa: F401
from commands import ended, run
from hadoop import results

from mr_reuse import synth

pytestmark = [pytest.mark.emr, pytest.mark.cluster]
CONF = {'runners': {'emr': {'check_cluster_every': 0.5}}}


@pytest.fixture
def crawl(tmp_path):
    for seed in '12':
        line = ['-o', tmp_path / seed, '--size=2MB', '--seed', seed, '-q']
        assert synth.main(list(map(str, line))) == 0
    return [str(name) for name in sorted(tmp_path.glob('?/*.gz'))]


def test_same_bytes(aws: Aws, crawl, tmp_path):  # noqa: F811
    s3 = aws.client('s3')
    s3.create_bucket(Bucket='bucket')
    s3.upload_file(crawl[0], 'bucket', 'crawl/a b.warc.gz')
    conf = tmp_path / 'mrjob.conf'
    conf.write_text(json.dumps(CONF))
    inputs, out = ['s3://bucket/crawl/*', crawl[1]], 's3://bucket/runs/RUN'
    done = aws.run('discover', *inputs, '-o', out, '-c', conf, '-q')
    assert done == (0, '', '')
    assert aws.run('detect', '-o', out, '-c', conf, '-q') == (0, '', '')
    assert aws.run('get', out, '-o', tmp_path / 'got', '-q', runner=None).code == 0
    # Here the first archive has another name, which is in two tables only.
    here = tmp_path / 'here'
    assert run('discover', *crawl, '-o', here, '-q').code == 0
    assert run('detect', '-o', here, '-q').code == 0
    name = str(crawl[0]).encode()
    expected = {
        n: data.replace(name, b's3://bucket/crawl/a b.warc.gz')
        for n, data in results(here).items()
    }
    assert expected.keys() == results(tmp_path / 'got').keys()
    for table, data in results(tmp_path / 'got').items():
        assert sorted(data.split(b'\n')) == sorted(expected[table].split(b'\n')), table
    as_asked(aws)


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
    assert code == 0 and ' is still at it, so it is waited for\n' in err, err
    assert len(aws.steps) == before + 5 and len(aws.clusters()) == clusters + 1
    here = tmp_path / 'here'
    assert run('discover', crawl[0], '-o', here, '-q').code == 0
    got = tmp_path / 'got'
    assert aws.run('get', 's3://other/RUN', '-o', got, '-q', runner=None).code == 0
    assert results(got) == results(here)


def as_asked(aws: Aws):  # noqa: F811
    """One cluster for all steps, as the default mrjob.conf says."""
    [cluster] = aws.clusters()
    assert cluster.release_label == 'emr-7.13.0'
    assert cluster.service_role == 'EMR_DefaultRole_V2'
    assert cluster.job_flow_role == 'EMR_EC2_DefaultRole'
    tags = {tag['Key']: tag['Value'] for tag in cluster.tags}
    assert tags['for-use-with-amazon-emr-managed-policies'] == 'true'
    assert cluster.keep_job_flow_alive_when_no_steps
    groups = {g.role: g for g in cluster.instance_groups}
    assert groups['TASK'].market == 'SPOT'
    assert {'MASTER', 'CORE', 'TASK'} == set(groups)
    [action] = cluster.bootstrap_actions
    bucket, key = action.script_path.removeprefix('s3://').split('/', 1)
    # A node that joins the cluster late fetches it, too.
    assert aws.client('s3').head_object(Bucket=bucket, Key=key)
    assert len(aws.steps) == 9  # ShareLabels has two
    for step in aws.steps:
        args = step['args']
        assert args[args.index('-archives') + 1].endswith('#mr_reuse_env')
        assert args[args.index('-mapper') + 1].startswith('python3.11 ')
        assert not [arg for arg in args if 'SECRET' in arg.upper()]
