"""Free space is checked before a run begins."""

import re
import tempfile
from types import SimpleNamespace

import pytest
from commands import run
from crawls import sample_crawl, write_crawl

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.pages import disk_space
from mr_reuse.pages.estimate import Estimate

NEEDED = re.compile(r'and about ([\d,.]+) MB (are|may be) needed')


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    names, _ = write_crawl(tmp_path_factory.mktemp('crawl'), sample_crawl(size=200))
    return names


@pytest.fixture
def free(monkeypatch):
    """Sets the number of free bytes; collects the folders that were asked about."""
    asked = []

    def set_free(count):
        monkeypatch.setattr(
            storage, 'free_bytes', lambda name: asked.append(name) or count
        )
        return asked

    return set_free


def check(folder, estimate, size=10**9, runner='local'):
    options = SimpleNamespace(output=str(folder), runner=runner)
    disk_space.check_space(options, size, lambda: estimate)


def test_too_little_space(tmp_path, free, capsys):
    """A run that needs twice the space is refused, one that needs a bit more is not."""
    estimate = Estimate(0.0, 100_000_000, 300_000_000)
    asked = free(190_000_000)
    with pytest.raises(UserError) as error:
        check(tmp_path / 'a/b', estimate)
    assert str(error.value) == (
        f'{tmp_path}: 190 MB free, and about 400 MB are needed; make room, or name a '
        'folder on another disk'
    )
    assert set(asked) == {str(tmp_path)}
    free(390_000_000)
    check(tmp_path, estimate)
    assert capsys.readouterr().err == (
        f'warning: {tmp_path}: 390 MB free, and about 400 MB may be needed; make room, '
        'or name a folder on another disk\n'
    )
    free(400_000_000)
    check(tmp_path, estimate)
    assert capsys.readouterr().err == ''


def test_space_of_an_earlier_attempt(tmp_path, free, capsys):
    """What a run has written before it was interrupted is not needed again."""
    (tmp_path / '01-pages').mkdir()
    (tmp_path / '01-pages/part-00000').write_bytes(bytes(3_000_000))
    free(2_000_000)
    check(tmp_path, Estimate(0.0, 1_000_000, 4_000_000))
    assert capsys.readouterr().err == ''


def test_scratch_of_a_remote_run(free):
    """Tasks on this machine write to TMPDIR then; those of a cluster are elsewhere."""
    asked = free(10)
    with pytest.raises(UserError, match='set TMPDIR to a folder on another disk'):
        check('s3://bucket/run', disk_space.guess(10**9))
    assert set(asked) == {tempfile.gettempdir()}
    check('hdfs:///run', disk_space.guess(10**9), runner='hadoop')


def test_no_estimate_if_there_is_room(tmp_path, free):
    free(4 * 10**9)
    options = SimpleNamespace(output=str(tmp_path), runner='local')
    disk_space.check_space(options, 10**9, pytest.fail)


@pytest.mark.parametrize('command', ['discover', 'detect', 'labels build'])
def test_commands(command, crawl, tmp_path, free):
    """Each command is refused before it writes anything, and runs with more space."""
    free(1)
    assert run('discover', *crawl, '-o', tmp_path / 'labeled', '-q').code == 1
    line = [*command.split(), *crawl, '-o', tmp_path / 'run', '-q']
    if command == 'detect':
        free(10**9)
        assert (
            run(
                'discover', *crawl, '-o', tmp_path / 'labeled', '-q', '--threshold=0'
            ).code
            == 0
        )
        line += ['-l', tmp_path / 'labeled']
    free(1)
    ended = run(*line)
    assert ended.code == 1 and NEEDED.search(ended.err)[2] == 'are'
    assert ended.err.startswith(f'error: {tmp_path}: 0.0 MB free')
    assert {path.name for path in tmp_path.iterdir()} <= {'labeled'}
    free(10**9)
    assert run(*line).code == 0


def test_pages_of_a_run(crawl, tmp_path, free):
    assert run('discover', *crawl, '-o', tmp_path / 'run', '-q').code == 0
    free(1)
    line = ['detect', tmp_path / 'run', '-l', tmp_path / 'run', '-o', tmp_path / 'new']
    ended = run(*line)
    assert ended.code == 1 and NEEDED.search(ended.err)
    free(10**9)
    assert run(*line).code == 0
