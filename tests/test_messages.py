"""What is told of mistakes is alike in form: where, what was found, what to do."""

import ast
import errno
import os
import re
from pathlib import Path

import pytest

from mr_reuse import errors
from mr_reuse.messages import say

PACKAGE = Path(__file__).parent.parent / 'mr_reuse'
TOLD = ('UserError', 'UsageError', 'Unreachable', 'ArgumentTypeError', 'warn')
# One word for a thing: what another one is called here.
OTHERS = {
    'directory': 'folder',
    'invalid': 'is not …',
    'illegal': 'is not …',
    'does not exist': 'no such file',
    'not found': 'no such file',
    'already exists': 'exists',
    'overwrite': 'replace',
    'please': '',
    'unable to': 'cannot',
    'failed to': 'cannot',
    'parameter': 'option',
    'argument': 'option',
    'filename': 'name',
}


def messages():
    """All texts that are told, by their place; what is put into them is `{}`."""
    for path in sorted(PACKAGE.glob('**/*.py')):
        for call in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(call, ast.Call) and call.args):
                continue
            name = getattr(call.func, 'id', getattr(call.func, 'attr', ''))
            text = shown(call.args[0])
            if name in TOLD and re.search('[a-z]', text):
                place = f'{path.relative_to(PACKAGE)}:{call.lineno}'
                yield pytest.param(text, id=place)


def shown(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return ''.join(map(shown, node.values))
    return '{}'


MESSAGES = list(messages())


def test_they_are_found():
    assert len(MESSAGES) > 100


@pytest.mark.parametrize('text', MESSAGES)
def test_form(text):
    """One line without a full stop, that begins with a name or in lower case."""
    assert '\n' not in text and not re.search(r'[.!]$', text)
    assert re.match(r'\{\}|-|[a-z]|AWS|YARN|INPUT', text)
    assert not [word for word in OTHERS if re.search(rf'\b{word}\b', text.lower())]


@pytest.mark.parametrize(
    ('number', 'name', 'why'),
    [
        (errno.ENOENT, 'a', 'a: no such file or folder'),
        (errno.EISDIR, b'a', 'a: a folder, not a file'),
        (errno.EACCES, Path('a/b'), 'a/b: no right to read or write'),
        (errno.EACCES, 'b.mrl.0a1b2c3d.half', 'b.mrl: no right to read or write'),
        (errno.EMFILE, 'a', 'a: Too many open files'),
        (errno.ENOSPC, None, 'no space left on the device; free some or name another'),
    ],
)
def test_errors_of_the_system(number, name, why):
    error = OSError(number, os.strerror(number), name)
    assert errors.describe_error(error).startswith(why)


def test_errors_of_stores():
    """What they say of their own is kept."""
    error = PermissionError(errno.EACCES, 'no right to read (403)', 's3://b/f')
    assert errors.describe_error(error) == 's3://b/f: no right to read (403)'
    assert errors.describe_error(OSError('two\nlines')) == 'two lines'


def test_terminals_get_no_control_characters(capsys):
    """A name of a file or a text of a page may have them."""
    say('a\x1b[2Jb\x9bc\u202ed\re\nf')
    said = capsys.readouterr().err
    assert not set(said) & set('\x1b\x9b\u202e\r')
    assert re.fullmatch(r'a.+b.+c.+d.+e\nf\n', said)
