"""What `--dry-run` expects, against what then happens."""

import json
import re
from pathlib import Path

import pytest
from commands import discover

from mr_reuse import synth


@pytest.mark.apart
@pytest.mark.parametrize('size', [20, 60])
def test_disk(tmp_path, size):
    """What a run leaves is foreseen within 30 %."""
    line = ['-o', tmp_path / 'crawl', f'--size={size}MB', '-q']
    assert synth.main(list(map(str, line))) == 0
    args = [f'{tmp_path}/crawl/*.gz', '-o', tmp_path / 'run']
    expected = discover(*args, '--dry-run').out
    megabytes = int(re.search(r'([\d,]+) MB in /', expected)[1].replace(',', ''))
    assert discover(*args, '-q', runner='local').code == 0
    found = sum(p.stat().st_size for p in Path(tmp_path / 'run').rglob('*'))
    assert 0.7 < megabytes * 1e6 / found < 1.3


def test_no_pages(tmp_path):
    (tmp_path / 'a.warc.gz').touch()
    out = discover(tmp_path / 'a.warc.gz', '-o', tmp_path / 'run', '--dry-run').out
    assert out.endswith('not known: no pages in a sample of the input\n')


@pytest.fixture
def page(tmp_path):
    (tmp_path / 'a.html').write_text('<p>one<p>two')
    return tmp_path / 'a.html'


def foreseen(page, *more) -> str:
    """The line of costs."""
    args = [page, '-o', 's3://bucket/RUN', '--dry-run', *more]
    return discover(*args, runner='emr').out.splitlines()[-1]


def test_costs(page, tmp_path):
    """What AWS would take for seven m5.xlarge that have next to nothing to do.

    It bills by the second, from the start of the machines until they are terminated
    (aws.amazon.com/emr/faqs), at 0.192 dollars an hour for one in us-east-1
    (aws.amazon.com/ec2/pricing/on-demand) and 0.048 for EMR on it
    (aws.amazon.com/emr/pricing). docs/clusters.md: up after 5 to 8 minutes, ended after
    10 without work. A step is 20 seconds of Hadoop at the least, and is known to have
    ended up to 30 seconds later, as often as mrjob asks (check_cluster_every).
    """
    found = foreseen(page)
    assert found.startswith('on 1 m5.xlarge, 2 m5.xlarge, 4 m5.xlarge (spot) that ')
    dollars = float(re.search(r'([\d.]+) dollars', found)[1])
    an_hour = 7 * (0.192 + 0.048)
    least, most = ((up + 5 * step + 10) / 60 for up, step in ((5, 1 / 3), (8, 1)))
    assert an_hour * least < dollars < an_hour * most
    assert least < float(re.search(r'([\d.]+) hours', found)[1]) < most + 0.05
    twice = tmp_path / 'prices.tsv'
    twice.write_text('# mine\ntype\tcores\tec2\temr\nm5.xlarge\t4\t0.4\t0.08\n')
    found = foreseen(page, '--prices', twice)
    assert float(re.search(r'([\d.]+) dollars', found)[1]) == pytest.approx(
        2 * dollars, abs=0.02
    )


def test_costs_not_known(page, tmp_path):
    fleet: dict = {'InstanceFleetType': 'CORE', 'TargetSpotCapacity': 2}
    fleet['InstanceTypeConfigs'] = [{'InstanceType': 'x9.xlarge'}]
    conf = tmp_path / 'mrjob.conf'
    why = {
        'no price of x9.xlarge in ': {'instance_fleets': [fleet]},
        'the conf names a cluster, j-1': {'cluster_id': 'j-1'},
    }
    for text, options in why.items():
        conf.write_text(json.dumps({'runners': {'emr': options}}))
        found = foreseen(page, '-c', conf)
        assert found.startswith(f'what it would cost is not known: {text}')
    table = tmp_path / 'p.tsv'
    args = [page, '-o', 's3://bucket/RUN', '--dry-run', '--prices', table]
    for line in ('m5.xlarge 4 cheap', 'm5.xlarge 4', 'm5.xlarge 4 nan', 'x 0 1'):
        table.write_text(f'{line}\n')
        assert discover(*args, runner='emr') == (
            1,
            '',
            f'error: {table}, line 1: no price; give type, cores and dollars an hour\n',
        )
