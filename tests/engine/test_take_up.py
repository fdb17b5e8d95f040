"""What is kept of a cluster's work when its driver cannot go on."""

import shutil
import signal
import stat
import time
from pathlib import Path

import pytest
from commands import run
from crawls import sample_crawl, tables_in, write_crawl
from webserver import Page, serving

from mr_reuse import storage
from mr_reuse.engine import clusters, part_files, rundir
from mr_reuse.engine.clusters import yarn
from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.errors import UserError
from mr_reuse.pages import input_status
from mr_reuse.storage.base import Unreachable


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Elsewhere(Cluster):
    """A cluster of one machine, this one, of which tests say what it answers."""

    begun: list[str] = []  # noqa: RUF012
    alive: list[str] = []  # noqa: RUF012
    silent = False
    sure = True

    def arguments(self, output):
        return []

    def prepare(self, job, size, attempt):
        super().prepare(job, size, attempt)
        work = job.run

        def work_and_tell():
            work()
            storage.create(self.run.join(attempt, '_SUCCESS'), '')

        job.run = work_and_tell
        self.begun.append(attempt.partition('/')[0])

    def list_running(self, attempt):
        if self.silent:
            raise Unreachable('YARN does not answer: a test')
        return self.alive

    def wait_for(self, attempt):
        self.alive.clear()

    def end(self, attempt):
        return self.sure


@pytest.fixture
def elsewhere(monkeypatch):
    class Other(Elsewhere):
        begun, alive = [], []  # noqa: RUF012

    monkeypatch.setattr(
        clusters,
        'make_cluster',
        lambda name, run, display, confs: Other(run, display, []),
    )
    return Other


def discover(*args):
    return run('discover', 'crawl', '-o', 'run', '-r', 'inline', '-q', *args)


@pytest.fixture
def crawl(here):
    (here / 'crawl').mkdir()
    write_crawl(here / 'crawl', sample_crawl())


def fail_once(monkeypatch, error):
    """Let the driver fail as it reads what the tasks of a step have told."""
    whole = part_files.read_stats

    def broken(part):
        monkeypatch.setattr(part_files, 'read_stats', whole)
        raise error

    monkeypatch.setattr(part_files, 'read_stats', broken)


@pytest.mark.parametrize('error', [Unreachable('no answer'), OSError(5, 'broken')])
def test_finished_work_is_kept(crawl, elsewhere, monkeypatch, error):
    """What the cluster has finished is not made again, though the driver fails."""
    fail_once(monkeypatch, error)
    assert discover().code == 1
    assert elsewhere.begun == ['01-pages']
    assert discover().code == 0
    assert elsewhere.begun.count('01-pages') == 1


def test_what_may_run_on_is_known(crawl, elsewhere, monkeypatch):
    """A step whose end is not certain is found by the next driver."""
    work = Elsewhere.prepare

    def broken(self, job, size, attempt):
        work(self, job, size, attempt)
        job.run = lambda: 1 / 0

    monkeypatch.setattr(elsewhere, 'prepare', broken)
    elsewhere.sure = False
    assert discover().code == 1
    assert storage.exists('run/01-pages/_attempt.json')
    monkeypatch.undo()


def test_nobody_can_tell(crawl, elsewhere, monkeypatch):
    """As long as YARN is silent nothing is begun beside what may still run."""
    fail_once(monkeypatch, Unreachable('no answer'))
    assert discover().code == 1
    elsewhere.silent = True
    code, _, err = discover()
    assert code == 1
    assert 'YARN does not answer: a test' in err
    assert 'type the same command again' in err
    assert elsewhere.begun == ['01-pages']
    elsewhere.silent = False
    assert discover().code == 0
    assert elsewhere.begun.count('01-pages') == 1


def test_work_of_other_options_is_made_anew(crawl, elsewhere, monkeypatch):
    fail_once(monkeypatch, Unreachable('no answer'))
    assert discover().code == 1
    assert discover('--delimiters', 'a').code == 0
    assert elsewhere.begun.count('01-pages') == 2


# YARN, by a command that says what a test wants


@pytest.fixture
def answers(here, monkeypatch):
    """A `yarn` that gives one answer after another, and keeps the last one."""
    for name in ('hadoop', 'yarn'):
        (here / name).write_text(
            '#!/bin/sh\ncd "$(dirname "$0")"; echo "$@" >> asked\n'
            'set -- $(ls answer-*); sh "$1"; code=$?\n'
            '[ $# = 1 ] || rm "$1"; exit $code\n'
        )
        (here / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv('PATH', f'{here}:/usr/bin:/bin')
    monkeypatch.setattr(yarn, 'POLL_INTERVAL', 0)

    def give(*scripts):
        for number, text in enumerate(scripts):
            (here / f'answer-{number}').write_text(text)

    return give


APP = 'echo "application_1700000000000_0042  a job  MAPREDUCE"'
NONE = 'echo "Total number of applications:0"'
SILENT = 'echo "GSS initiate failed" >&2; exit 255'


def test_a_wait_outlasts_silence(answers, here):
    """A ResourceManager that is restarted is no sign that a job has ended."""
    answers(APP, SILENT, APP, SILENT, NONE)
    yarn.wait_for('attempt-1')
    assert len((here / 'asked').read_text().splitlines()) == 5


def test_a_wait_ends_in_silence(answers, monkeypatch):
    monkeypatch.setattr(yarn, 'SILENCE', 0)
    answers(SILENT)
    with pytest.raises(UserError, match='YARN does not answer: GSS initiate failed'):
        yarn.wait_for('attempt-1')


@pytest.mark.parametrize(
    'scripts, sure, hint',
    [
        ([NONE], True, ''),
        ([APP, 'true'], True, ''),
        ([SILENT], False, 'yarn application -list -appTags attempt-1'),
        ([APP, SILENT], False, 'yarn application -kill application_1700000000000_0042'),
    ],
)
def test_end(answers, capsys, scripts, sure, hint):
    """It is told what may run on, and how to end it."""
    answers(*scripts)
    assert yarn.end_all('attempt-1') is sure
    err = capsys.readouterr().err
    assert hint in err if hint else not err


# Archives that nobody let us read


def test_what_can_be_read_at_last(here, monkeypatch):
    """The same command reads what was refused, and does not ask for it in vain."""
    monkeypatch.setattr(
        input_status, 'MAX_REMOTE_CHECKS', 0
    )  # of more nobody asks beforehand
    names, _ = write_crawl(here / 'crawl', sample_crawl())
    whole = [Path(name).read_bytes() for name in names]
    with serving() as site:
        site.pages = {f'/{n}.warc.gz': Page(data) for n, data in enumerate(whole)}
        urls = [f'{site.url}/{n}.warc.gz' for n in range(len(whole))]
        line = [*urls, '-o', 'run', '-r', 'inline']
        assert run('discover', *line).code == 0
        expected = tables_in(here / 'run')
        shutil.rmtree('run')

        data = site.pages.pop('/0.warc.gz')
        for _ in range(2):
            code, _, err = run('discover', *line)
            assert code == 3, err
            assert f'cannot be read: No such file or directory, {urls[0]}' in err
        assert '01-pages: finished before' in err
        site.pages['/0.warc.gz'] = data
        code, _, err = run('discover', *line)
        assert code == 0
        assert '/0.warc.gz: could not be read before, but can be now' in err
        assert tables_in(here / 'run') == expected
        assert '01-pages: finished before' in run('discover', *line).err


# Interrupts


def test_an_interrupt_as_python_cleans_up(capsys):
    """Python drops what is raised there, and prints a traceback."""

    class Last:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), raise_interrupts():
        Last()
        time.sleep(10)
    assert capsys.readouterr().err == ''
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_at_the_end_of_a_run(here, monkeypatch):
    """The lock is taken away whole, then the interrupt counts."""
    stopped = pytest.raises(KeyboardInterrupt)
    with stopped, raise_interrupts(), rundir.RunDir('run'):
        monkeypatch.setattr(storage, 'remove', removed(storage.remove))
    assert not list((here / 'run').iterdir())


def removed(remove):
    """The same, with an interrupt first."""

    def interrupted(name):
        signal.raise_signal(signal.SIGINT)
        remove(name)

    return interrupted
