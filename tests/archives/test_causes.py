"""Every cause of damage is documented, and no other."""

import re
from pathlib import Path

import pytest
from crawls import ROOT
from damaged_reading import DAMAGED

from mr_reuse.archives import causes

PAGE = (ROOT / 'docs/recovery.md').read_text()
CAUSES = {
    value
    for name, value in vars(causes).items()
    if name.isupper() and not name.endswith(('_ENCODING', '_NOTE'))
}
NOTES = {
    f'{kind}{text}'
    for kind in ('content', 'transfer')
    for text in (causes.UNKNOWN_ENCODING, causes.OTHER_ENCODING)
} | {
    causes.UNLISTED_NOTE,
    causes.NO_LIST_NOTE,
    causes.CHANGED_LIST_NOTE,
    causes.TRUNCATED_NOTE,
}


def documented(section: str) -> set[str]:
    """The texts in the first column of a section's table."""
    text = PAGE.partition(f'\n## {section}\n')[2].partition('\n## ')[0]
    rows = [line.split(' | ')[0] for line in text.splitlines() if line[:3] == '| `']
    return {name for row in rows for name in re.findall('`([^`]+)`', row)}


@pytest.mark.parametrize(('section', 'texts'), [('Causes', CAUSES), ('Notes', NOTES)])
def test_documented(section, texts):
    assert documented(section) == texts


def test_number():
    """Twenty-five causes, eight notes: no constant of another kind is among them."""
    assert (len(CAUSES), len(NOTES)) == (25, 8)


def test_damaged_archives_have_known_causes():
    """What the handmade archives are expected to cost has no cause of its own."""
    text = (DAMAGED / 'expected.txt').read_text()
    seen = set(re.findall(r'(?:\t|; )([a-z][^:;\t]+): \d+ \d+', text))
    assert len(seen) >= 8
    assert seen <= CAUSES


def test_texts_stand_in_one_module():
    """The rest of the package uses the constants."""
    package = Path(causes.__file__).parents[1]
    others = set(package.glob('**/*.py')) - {Path(causes.__file__)}
    for path in others:
        code = re.sub(r'""".*?"""', '', path.read_text(), flags=re.DOTALL)
        assert not [text for text in CAUSES if f"'{text}" in code], path
