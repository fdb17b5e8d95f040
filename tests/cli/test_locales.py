"""Commands in locales that are not UTF-8: the same names, texts and bytes."""

import os
import pty
import shutil
import subprocess
import sys

import pytest
from commands import apart, ended, run
from crawls import write_warc

TEXT = 'Grüße aus Köln, 日本語の文章、' * 5
PAGES = [
    (f'http://müller.org/straße/{n}', f'<p>{TEXT}<p>{n}'.encode()) for n in range(3)
]
CRAWL, RUN = 'köln-日本.warc.gz', '結果'
LINE = [CRAWL, '-o', RUN, '--threshold=1', '-r', 'inline', '-c', 'my.conf']
PLAIN = {'LC_ALL': 'C', 'PYTHONUTF8': '0', 'PYTHONCOERCECLOCALE': '0'}
CHARSETS = {'de_DE': 'ISO-8859-1', 'ja_JP': 'EUC-JP'}


@pytest.fixture(scope='module')
def locales(tmp_path_factory):
    """The environment of each locale that this machine can make, and the plain one."""
    made, folder = {'C': PLAIN}, tmp_path_factory.mktemp('locales')
    for name, charset in CHARSETS.items():
        path = folder / f'{name}.{charset}'
        line = ['localedef', '-f', charset, '-i', name, path]
        if shutil.which('localedef'):
            subprocess.run(line, check=False, capture_output=True)
        if path.exists():
            made[name] = {'LOCPATH': str(folder), 'LC_ALL': path.name}
    return made


def write_input(folder):
    write_warc(folder / CRAWL, PAGES)
    (folder / 'my.conf').write_text('# Straße\nrunners: {}\n', encoding='utf-8')


@pytest.mark.apart
def test_any_locale(locales, tmp_path, monkeypatch):
    """All at the same time, since each takes a second to start."""
    started = {}
    for name, env in locales.items():
        (tmp_path / name).mkdir()
        write_input(tmp_path / name)
        line = [sys.executable, '-m', 'mr_reuse.discover', *LINE]
        options = {'env': env, 'cwd': tmp_path / name, 'encoding': 'utf-8'}
        started[name] = apart(*line, **options)
    write_input(tmp_path)
    monkeypatch.chdir(tmp_path)
    expected = run('discover', *LINE)
    labels = (tmp_path / RUN / 'labels.tsv').read_bytes()
    assert f'<p>{TEXT[:20]}'.encode() in labels
    for name, process in started.items():
        assert ended(process) == expected, name
        assert (tmp_path / name / RUN / 'labels.tsv').read_bytes() == labels
        inputs = (tmp_path / name / RUN / 'inputs.txt').read_text('utf-8')
        assert inputs.partition('\t')[2] == f'{CRAWL}\n'


@pytest.mark.apart
def test_terminal_gets_its_own_encoding(locales):
    """UTF-8 has bytes that other terminals obey: `Û` ends in the code of CSI."""
    if 'de_DE' not in locales:
        pytest.skip('this machine has no such locale')
    driver, terminal = pty.openpty()
    line = [sys.executable, '-m', 'mr_reuse', 'Ûber'.encode()]
    env = {**os.environ, **locales['de_DE']}
    subprocess.run(line, check=False, env=env, stdout=terminal, stderr=terminal)
    said = os.read(driver, 1000)
    assert said.startswith('error: Ûber: no such command'.encode('latin-1'))
    os.close(driver)
    os.close(terminal)
