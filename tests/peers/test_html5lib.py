"""The tokenizer tests of html5lib, which browsers share.

`make test-peers` fetches them into the folder PEERS.
"""

import json
import os
import re
from pathlib import Path

import pytest

from mr_reuse.text.markup import Markup

FOLDER = Path(os.environ.get('PEERS', os.devnull)) / 'html5lib'
FILES = sorted(FOLDER.glob('*.test'))
STATES = {
    'Data state': '_data',
    'RCDATA state': '_with_references',
    'RAWTEXT state': '_raw_text',
    'PLAINTEXT state': '_plain',
    'Script data state': '_in_script',
}
# A state with the end tag of an element in which it cannot be.
IMPOSSIBLE = {('Script data state', 'xmp')}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FILES, reason='make test-peers fetches the tests'),
]


def unescape(text: str) -> str:
    return re.sub(r'\\u([0-9a-fA-F]{4})', lambda m: chr(int(m[1], 16)), text)


def simplify(text: str) -> str:
    """Of tags, comments and zeros the text has spaces alone."""
    return re.sub(' +', ' ', re.sub('[\0\ufffd]', ' ', text)).strip()


@pytest.mark.parametrize('path', FILES, ids=lambda p: p.name)
def test_text(path):
    count = 0
    for test in json.loads(path.read_text(encoding='utf-8')).get('tests', []):
        change = unescape if test.get('doubleEscaped') else str
        last = test.get('lastStartTag', '')
        for state in test.get('initialStates', ['Data state']):
            if state not in STATES or (state, last) in IMPOSSIBLE:
                continue
            markup = Markup(keeps_scripts=True)
            markup._state = getattr(markup, STATES[state])
            markup._name = last or ('title' if state == 'RCDATA state' else 'xmp')
            page = change(test['input']).replace('\r\n', '\n').replace('\r', '\n')
            assert markup.read(page, is_last=True) == len(page)
            tokens = [token for token in test['output'] if token != 'ParseError']
            expected = ''.join(
                change(value) if kind == 'Character' else ' '
                for kind, value, *_ in [(*token, '') for token in tokens]
            )
            assert simplify(''.join(markup.take()[0])) == simplify(expected), test
            count += 1
    assert count or path.name == 'xmlViolation.test'
