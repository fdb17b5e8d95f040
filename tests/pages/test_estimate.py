"""What `--dry-run` expects, against what then happens."""

import json
import os
import random
import re
from pathlib import Path

import pytest
from commands import discover, run
from crawls import write_warc
from hadoop import HOME, Hadoop, hadoop  # noqa: F401

from mr_reuse import storage
from mr_reuse.archives.sources import Source
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.pages import estimate
from mr_reuse.pages.filters import Filter
from mr_reuse.synth import __main__

SHUFFLED = 'Map output materialized bytes'


@pytest.mark.apart
@pytest.mark.parametrize('size', [20, pytest.param(60, marks=pytest.mark.slow)])
def test_disk(tmp_path, size):
    """What a run leaves is foreseen within 30 %, what it shuffles within 20 %."""
    line = ['-o', tmp_path / 'crawl', f'--size={size}MB', '-q']
    assert __main__.main(list(map(str, line))) == 0
    args = [f'{tmp_path}/crawl/*.gz', '-o', tmp_path / 'run']
    expected = discover(*args, '--dry-run').out
    assert discover(*args, '-q', runner='local').code == 0
    found = sum(p.stat().st_size for p in Path(tmp_path / 'run').rglob('*'))
    assert 0.7 < number(expected, ' MB in /') * 1e6 / found < 1.3
    [shuffled] = shuffles(tmp_path / 'run', '02-counts')
    assert 0.8 < number(expected, ' MB of shuffle') * 1e6 / shuffled < 1.2
    expected = run('detect', '-o', tmp_path / 'run', '--dry-run').out
    assert run('detect', '-o', tmp_path / 'run', '-q').code == 0
    added = sum(p.stat().st_size for p in Path(tmp_path / 'run').rglob('*')) - found
    assert 0.6 < number(expected, ' MB in /') * 1e6 / added < 1.4
    [shuffled] = shuffles(tmp_path / 'run', '04-matches')
    assert 0.8 < number(expected, ' MB of shuffle') * 1e6 / shuffled < 1.2
    assert 0 < number(expected, ' s of a core') < 100


def number(text: str, unit: str) -> float:
    """The number before a unit."""
    return float(re.search(rf'([\d,.]+){unit}', text)[1].replace(',', ''))


def shuffles(folder, step: str) -> list[int]:
    """The bytes shuffled by a step, as run.json has them."""
    record = json.loads((folder / 'run.json').read_text())
    steps = record['steps'] | record.get('detect', {}).get('steps', {})
    return [group['bytes shuffled'] for group in steps[step]['counters'].values()]


@pytest.mark.failures
@pytest.mark.cluster
def test_on_hadoop(hadoop: Hadoop, tmp_path):  # noqa: F811
    """The shuffle is foreseen within 30 %, time as far as cores are alike."""
    line = ['-o', tmp_path / 'crawl', '--size=150MB', '-q']
    assert __main__.main(list(map(str, line))) == 0
    there = f'{hadoop.files}/test/estimate'
    hadoop.fs('-rm', '-r', '-f', there)
    args = [f'{tmp_path}/crawl/*.gz', '-o', there, '--tasks=2']
    expected = hadoop.run('discover', *args, '--dry-run').out
    before = spent()
    assert hadoop.run('discover', *args, '-q').code == 0
    seconds = number(expected, ' s of a core')
    assert 0.5 < seconds / (spent() - before) < 2
    megabytes = number(expected, ' MB of shuffle')
    steps = json.loads(hadoop.fs('-cat', f'{there}/run.json'))['steps']
    counters = steps['02-counts']['counters'].values()
    [found] = [c[SHUFFLED] for c in counters if SHUFFLED in c]
    assert 0.7 < megabytes * 1e6 / found < 1.3


def spent() -> float:
    """Seconds of a core that containers took which have ended.

    Hadoop's own counter has no start of a JVM in it, and nothing of Python.
    """
    ticks = 0
    for file in HOME.glob('run/nodemanager*.pid'):
        stat = Path('/proc', file.read_text().split()[0], 'stat').read_text()
        ticks += sum(map(int, stat.rpartition(')')[2].split()[13:15]))
    return ticks / os.sysconf('SC_CLK_TCK')


@pytest.mark.parametrize('bound', [0, 25_000, 50_000, 10**9])
def test_bytes_of_a_sample(tmp_path, monkeypatch, bound):
    """They are those of the records in it, from the first one to the one behind them.

    A record that begins inside the bound is read as a whole. The first record of a
    position is the one that begins there.
    """
    documents = [
        (
            f'http://a.org/{n}',
            b'<p>' + random.Random(n).randbytes(9000 + n).hex().encode(),
        )
        for n in range(12)
    ]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    size = (tmp_path / 'a.warc.gz').stat().st_size
    offsets = [int(page.offset) for page in pages]
    source = Source('archive', 'a', str(tmp_path / 'a.warc.gz'), '', size)
    monkeypatch.setattr(estimate, 'SAMPLE_BYTES', bound)
    monkeypatch.setattr(estimate, 'sample_positions', lambda _: [(source, offsets[2])])
    hasher = Hasher(Recipe(), storage.open_scratch)
    sample = estimate.take_sample([source], hasher.hash_items, Filter([], 'length'))
    inside = [n for n in offsets[2:] if n <= offsets[2] + bound]
    behind = [n for n in offsets if n > inside[-1]] or [size]
    assert sample.files == len(inside)
    assert sample.read == behind[0] - offsets[2]


def test_no_pages(tmp_path):
    (tmp_path / 'a.warc.gz').touch()
    out = discover(tmp_path / 'a.warc.gz', '-o', tmp_path / 'run', '--dry-run').out
    assert out.endswith('cost unknown: no pages in a sample of the input\n')


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
    assert found.startswith('on 1 m5.xlarge, 2 m5.xlarge, 4 m5.xlarge (spot): ')
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
        'the mrjob.conf names a cluster, j-1': {'cluster_id': 'j-1'},
    }
    for text, options in why.items():
        conf.write_text(json.dumps({'runners': {'emr': options}}))
        found = foreseen(page, '-c', conf)
        assert found.startswith(f'the cost is unknown: {text}')
    table = tmp_path / 'p.tsv'
    args = [page, '-o', 's3://bucket/RUN', '--dry-run', '--prices', table]
    for line in ('m5.xlarge 4 cheap', 'm5.xlarge 4', 'm5.xlarge 4 nan', 'x 0 1'):
        table.write_text(f'{line}\n')
        assert discover(*args, runner='emr') == (
            1,
            '',
            f'error: {table}, line 1: no price; give type, cores and dollars an hour\n',
        )
