"""The tables of the package, and the hashes, against other sources."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from mr_reuse.text import characters, charsets
from mr_reuse.text.word_hashes import LANES, SEEDS, hash_word

FOLDER = Path(characters.__file__).parent
PYTHONS = {'ibm866': 'cp866', 'macintosh': 'mac-roman', 'windows-874': 'cp874'}
PYTHONS |= {'x-mac-cyrillic': 'mac-cyrillic', 'iso-8859-8-i': 'iso-8859-8'}
# Where Python's codecs differ from the Standard in characters of words.
DIFFERENT = {('koi8-u', 0xAE), ('koi8-u', 0xBE), ('windows-1255', 0xCA)}


def test_classes_and_lower_case():
    """Of what Python knows as well, few characters were changed by a later Unicode."""
    table = characters.character_table('unicode')
    letters = {'L': {1, 3}, 'N': {1}, 'M': {2}}
    different = lower = 0
    for code in range(0x110000):
        char = chr(code)
        category = unicodedata.category(char)
        if category != 'Cn':
            entry = int(table[code])
            different += entry & 3 not in letters.get(category[0], {0})
            lower += chr(entry >> 2) != char.lower()[0]
    assert different < 20
    assert lower < 60


def test_scripts_without_spaces():
    table = characters.character_table('unicode')
    alone = '漢𠀀々〆'[:3] + 'あゝアヽｱกไກລក្រ'[:9] + 'កမༀ'[:2] + 'ཀ'
    assert {c for c in alone if table[ord(c)] & 3 != 3} == set()
    assert {c for c in 'ー〆〇๑가аע' if table[ord(c)] & 3 != 1} == set()
    assert sum(table & 3 == 3) > 100_000


def test_single_bytes():
    names = set(charsets._single_bytes()) - {'replacement', 'x-user-defined'}
    assert len(names) == 28
    for name in names:
        upper = charsets.encoding_of(name).upper
        codec = PYTHONS.get(name, name)
        for byte in range(0x80, 0x100):
            theirs, ours = bytes([byte]).decode(codec, 'replace'), upper[byte - 0x80]
            is_word = any(unicodedata.category(c)[0] in 'LNM' for c in theirs + ours)
            if is_word and (name, byte) not in DIFFERENT:
                assert theirs == ours, (name, hex(byte))


def test_labels():
    assert len(charsets._names()) == 228  # of the Encoding Standard
    assert all(charsets.encoding_of(name) for name in charsets._names().values())
    found = map(charsets.find_name, ['UTF8', 'unicode-1-1-utf-8', 'sun_eu_greek', 'l9'])
    assert [*found] == ['utf-8', 'utf-8', 'iso-8859-7', 'iso-8859-15']
    found = map(charsets.find_name, ['ms932', 'cn-big5', 'iso-2022-kr', 'unicodefffe'])
    assert [*found] == ['shift_jis', 'big5', 'replacement', 'utf-16be']


def test_published_finalizers():
    """SplitMix64 begins with this number for the seed 0; the other is fmix64(1)."""
    murmur, split = LANES
    assert hash_word((SEEDS[0] ^ 1).to_bytes(8, 'little'))[0] == 0xB456BCFC34C2CB2C
    block = (SEEDS[1] ^ 0x9E3779B97F4A7C15).to_bytes(8, 'little')
    assert hash_word(block)[1] == 0xE220A8397B1DCDAF
    assert murmur.seed != split.seed


@pytest.mark.slow
def test_tables_can_be_made_again(tmp_path):
    script = Path(__file__).with_name('make_tables.py')
    subprocess.run([sys.executable, script, tmp_path], check=True)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()
