"""The cluster of a run with `-r emr`: which one it is, and how its steps end."""

import io
import json
import uuid

import boto3
import pytest
from botocore.stub import Stubber
from moto.server import ThreadedMotoServer

from mr_reuse.engine.clusters import base
from mr_reuse.engine.clusters.emr import Emr
from mr_reuse.engine.display import Display
from mr_reuse.engine.run_options import DEFAULTS
from mr_reuse.engine.rundir import RunDir
from mr_reuse.storage import s3_client
from mr_reuse.storage.naming import last_component

WANTED: list[dict] = []  # the clusters that AWS was asked for
ATTEMPT = '01-pages/attempt-0123abcd'


@pytest.fixture(scope='module')
def url():
    """A server that says what AWS would."""
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    whole = server._server.app

    def noted(environ, start):
        if environ.get('HTTP_X_AMZ_TARGET') == 'ElasticMapReduce.RunJobFlow':
            body = environ['wsgi.input'].read(int(environ['CONTENT_LENGTH']))
            environ['wsgi.input'] = io.BytesIO(body)
            region = environ['HTTP_AUTHORIZATION'].split('/')[2]
            WANTED.append({'region': region, **json.loads(body)})
        return whole(environ, start)

    server._server.app = noted
    yield 'http://{}:{}'.format(*server._server.server_address)
    server.stop()


@pytest.fixture
def make(url, monkeypatch, tmp_path):
    """What makes a cluster for a run on S3, as the commands do."""
    settings = {
        'AWS_ENDPOINT_URL': url,
        'AWS_ACCESS_KEY_ID': 'key',
        'AWS_SECRET_ACCESS_KEY': 'secret',
        'AWS_DEFAULT_REGION': 'eu-west-1',
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    s3_client._client.cache_clear()
    bucket = f'b{uuid.uuid4().hex}'
    boto3.client('s3', 'us-east-1').create_bucket(Bucket=bucket)
    # Packing the code takes long, and has tests of its own.
    monkeypatch.setattr(base, 'send_bundle', lambda *_: 's3://b/bundle.tar.gz')
    with RunDir(f's3://{bucket}/RUN') as run:

        def made(**options):
            named = tmp_path / 'mrjob.conf'
            named.write_text(json.dumps({'runners': {'emr': options}}))
            return Emr(run, Display(True, str(tmp_path)), [DEFAULTS, str(named)])

        yield made
    s3_client._client.cache_clear()


def used(cluster):
    """The cluster that a step would go to."""
    args = cluster.arguments(ATTEMPT)
    [found] = [a for a in args if a.startswith('--cluster-id=')]
    return found.removeprefix('--cluster-id=')


def test_cluster_that_is_gone(make):
    """Each step has a cluster that is up, and the steps share it if they can."""
    emr, cluster = boto3.client('emr', 'us-east-1'), make()
    first = used(cluster)
    assert used(cluster) == used(make()) == first
    emr.terminate_job_flows(JobFlowIds=[first])
    second = used(cluster)
    assert second != first and used(cluster) == used(make()) == second
    states = {c['Id']: c['Status']['State'] for c in emr.list_clusters()['Clusters']}
    assert states[first].startswith('TERMINAT') and states[second] == 'WAITING'


def test_cluster_that_is_forgotten(make):
    """AWS knows a cluster for two months, a run may be older."""
    cluster = make()
    cluster.run.write_json('_bundle/cluster.json', {'id': 'j-LONGAGO'})
    assert cluster.list_running(ATTEMPT) == []
    assert used(cluster) != 'j-LONGAGO'


def test_cluster_of_the_user(make):
    """What the configuration names is used as it is, and no other made."""
    before = len(boto3.client('emr', 'us-east-1').list_clusters()['Clusters'])
    assert used(make(cluster_id='j-MINE')) == 'j-MINE'
    assert len(boto3.client('emr', 'us-east-1').list_clusters()['Clusters']) == before


def test_cancelling(make, capsys):
    """The step of an attempt is ended, and no other; moto cannot do that."""
    cluster, client = make(cluster_id='j-MINE'), boto3.client('emr', 'us-east-1')
    cluster._client = client
    name = last_component(ATTEMPT)
    steps = [
        {'Id': 's-1', 'Name': f'{name}.me.20260101.000000.000000: Step 1 of 1'},
        {
            'Id': 's-2',
            'Name': 'attempt-fedc9876.me.20260101.000000.000000: Step 1 of 1',
        },
    ]
    asked = {'ClusterId': 'j-MINE', 'StepStates': ['PENDING', 'RUNNING']}
    ended = {
        'ClusterId': 'j-MINE',
        'StepIds': ['s-1'],
        'StepCancellationOption': 'TERMINATE_PROCESS',
    }
    with Stubber(client) as aws_:
        aws_.add_response('list_steps', {'Steps': steps}, asked)
        aws_.add_response('cancel_steps', {}, ended)
        assert cluster.end(ATTEMPT)
        aws_.assert_no_pending_responses()
        assert capsys.readouterr().err == ''
        aws_.add_client_error('list_steps', 'AccessDeniedException', 'not for you')
        assert not cluster.end(ATTEMPT)
        told = capsys.readouterr().err
        assert 'a step on cluster j-MINE may still run: AWS: ' in told
        assert 'not for you' in told
        aws_.add_response('list_steps', {'Steps': steps[1:]}, asked)
        assert cluster.end(ATTEMPT)  # nothing is left to be ended


def test_what_is_asked_for(make):
    """All of it, as docs/clusters.md and the default mrjob.conf say: it is paid for."""
    cluster = make()
    used(cluster)
    wanted = WANTED[-1]
    bucket = cluster.run.path.split('/')[2]
    assert wanted.pop('Name').startswith('mr_reuse.')
    [action] = wanted.pop('BootstrapActions')
    # It ends the cluster after so many seconds without work.
    assert action['ScriptBootstrapAction'].pop('Args') == ['600']
    script = action['ScriptBootstrapAction']['Path'].removeprefix(f's3://{bucket}/')
    # A node that joins the cluster late fetches it, too.
    assert script.startswith('RUN/_bundle/')
    body = boto3.client('s3', 'us-east-1').get_object(Bucket=bucket, Key=script)['Body']
    assert b'MAX_SECS_IDLE=$1' in body.read()
    groups = [('MASTER', 1, {}), ('CORE', 2, {}), ('TASK', 4, {'Market': 'SPOT'})]
    assert wanted == {
        'region': 'us-east-1',
        'LogUri': f's3://{bucket}/RUN/_bundle/logs/',
        'ReleaseLabel': 'emr-7.13.0',
        'Applications': [{'Name': 'Hadoop'}],
        'Instances': {
            'InstanceGroups': [
                {
                    'InstanceRole': role,
                    'InstanceType': 'm5.xlarge',
                    'InstanceCount': count,
                    **more,
                }
                for role, count, more in groups
            ],
            'KeepJobFlowAliveWhenNoSteps': True,
        },
        'AutoTerminationPolicy': {'IdleTimeout': 1200},
        'JobFlowRole': 'EMR_EC2_DefaultRole',
        'ServiceRole': 'EMR_DefaultRole_V2',
        'Tags': [{'Key': 'for-use-with-amazon-emr-managed-policies', 'Value': 'true'}],
        'Steps': [],
        'StepConcurrencyLevel': 1,
        'VisibleToAllUsers': True,
    }


def test_what_a_conf_asks_for(make):
    """The region and the place of logs are the user's, where a conf has them."""
    name = 's3://b/logs/'
    used(make(region='eu-central-1', cloud_log_dir=name, max_mins_idle=3))
    wanted = WANTED[-1]
    assert (wanted['region'], wanted['LogUri']) == ('eu-central-1', name)
    [action] = wanted['BootstrapActions']
    assert action['ScriptBootstrapAction']['Args'] == ['180']
