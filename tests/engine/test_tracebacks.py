"""Tracebacks of tasks, written where the driver reads them."""

import pytest

from mr_reuse.engine import tracebacks


def fail(text: str) -> None:
    with tracebacks.report_errors():
        raise ValueError(text)


def test_report(tmp_path, monkeypatch):
    """The end of a traceback names the error, so a long one loses its beginning."""
    monkeypatch.setenv(tracebacks.FOLDER, str(tmp_path))
    for text in ('one', 'x' * 30_000 + 'two'):
        with pytest.raises(ValueError, match=f'{text[-3:]}$'):
            fail(text)
    short, long = sorted(tracebacks.read_tracebacks(str(tmp_path)), key=len)
    assert short.startswith('Traceback (most recent call last):')
    assert short.endswith('\nValueError: one\n')
    assert len(long) == 20_000 and long.endswith('xtwo\n')


def test_nothing_to_report(tmp_path, monkeypatch):
    monkeypatch.setenv(tracebacks.FOLDER, str(tmp_path))
    with tracebacks.report_errors():
        pass
    assert tracebacks.read_tracebacks(str(tmp_path)) == []


def test_error_is_not_hidden(tmp_path, monkeypatch):
    """Neither without a folder nor by one that cannot be written or read."""
    (tmp_path / 'file').write_bytes(b'')
    for folder in (tmp_path / 'file', None):
        monkeypatch.delenv(tracebacks.FOLDER, raising=False)
        if folder:
            monkeypatch.setenv(tracebacks.FOLDER, str(folder))
        with pytest.raises(ValueError, match='^one$'):
            fail('one')
    assert tracebacks.read_tracebacks(str(tmp_path / 'gone')) == []
    assert tracebacks.read_tracebacks(str(tmp_path / 'file')) == []
