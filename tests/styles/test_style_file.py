"""The style file of a run: its content, and that no other bytes are taken for one."""

import hashlib
import random
from fractions import Fraction

import msf
import pytest
from commands import run
from quilt_crawls import divide
from reference_quilts import place
from reference_style_tables import Corpus, Options
from style_crawls import (
    arguments,
    random_options,
    random_pages,
    read_parameters,
    styles,
    write_pages,
)

from mr_reuse.errors import UserError
from mr_reuse.styles import style_file

SMALL = Options(m=6, t=2, p=4, captures='all', ignore=Fraction(2, 5))


def make(folder, options: Options, dice: random.Random):
    """A run on some pages, and what they are by brute force."""
    shares = divide(dice, random_pages(dice, 25), 3)
    names, bodies = write_pages(folder / 'crawl', shares)
    styles(names, folder / 'run', *arguments(options))
    return folder / 'run', Corpus(bodies, options, read_parameters(options))


@pytest.mark.random
@pytest.mark.parametrize('seed', range(6))
def test_content(tmp_path, seed):
    """All members, in the order of styles and rids, and what fixes their keys."""
    dice = random.Random(seed)
    options = random_options(dice)
    folder, corpus = make(tmp_path, options, dice)
    header, members, ignored = msf.read(folder / 'styles.msf')
    assert members == [
        msf.Member(number, corpus.keys[page.rid], page.rid, page.url)
        for number, style in enumerate(corpus.styles(), 1)
        for page in sorted(style.members, key=lambda page: place(page.rid))
    ]
    assert ignored == corpus.ignored
    named = {k: getattr(options, k) for k in ('n', 'm', 'p', 'preprocessor')}
    line = [f'--{name}={value}' for name, value in named.items()]
    text = run('styles', 'parameters', *line, f'--key-bits={options.key_bits}').out
    assert header.pop('names') == sum(len(f'{m.rid}{m.url}') + 1 for m in members)
    assert header == named | {
        'key_bits': options.key_bits,
        't': options.t,
        'normalize_empty': options.normalize_empty,
        'parameters': hashlib.sha256(text.encode()).hexdigest(),
        'styles': len(corpus.styles()),
        'members': len(members),
        'ignored': len(ignored),
    }


@pytest.fixture(scope='module')
def small(tmp_path_factory):
    """The bytes of a small style file, which has all sections."""
    folder, _ = make(tmp_path_factory.mktemp('small'), SMALL, random.Random(6))
    data = (folder / 'styles.msf').read_bytes()
    header, _ = msf.split(data)
    assert all(header[name] for name in ('styles', 'members', 'ignored', 'names'))
    return data


def test_flipped_bits(small):
    """Each one is noticed, in the header as well."""
    style_file.parse('x', small)
    for bit in range(8 * len(small)):
        flipped = bytearray(small)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(UserError):
            style_file.parse('x', bytes(flipped))


DAMAGED = 'the header of this style file is damaged'
NOT_OURS = 'not a style file (it does not begin with MSF1)'
IN_DISORDER = 'this style file is damaged: it is not in order'


@pytest.mark.parametrize(
    ('change', 'why'),
    [
        ({'n': 0}, DAMAGED),
        ({'n': 257}, DAMAGED),
        ({'m': 129}, DAMAGED),
        ({'m': 6.0}, DAMAGED),
        ({'t': 7}, DAMAGED),
        ({'p': 7}, DAMAGED),
        ({'p': True}, DAMAGED),
        ({'key_bits': 7}, DAMAGED),
        ({'normalize_empty': 0}, DAMAGED),
        ({'members': -1}, DAMAGED),
        ({'more': 1}, DAMAGED),
        ({'t': None}, DAMAGED),
        ({'preprocessor': 'x'}, "not for this version: --preprocessor 'x': give noise, "
         'tags, full'),
        ({'parameters': '0' * 64}, 'not for this version: styles parameters prints '
         'other numbers than it was made with'),
        ({'n': 31}, 'not for this version: styles parameters prints other numbers '
         'than it was made with'),
        ({'styles': 0}, IN_DISORDER),
    ],
)  # fmt: skip
def test_headers_that_cannot_be(small, change, why):
    header, body = msf.split(small)
    with pytest.raises(UserError) as found:
        style_file.parse('x', msf.join(header | change, body))
    assert str(found.value) == f'x: {why}'


def test_data_in_disorder(small):
    header, body = msf.split(small)
    width = 2 * header['m'] + 16
    rows = [body[i * width : (i + 1) * width] for i in range(header['members'])]
    data = b''.join([*reversed(rows), body[width * len(rows) :]])
    with pytest.raises(UserError, match='not in order'):
        style_file.parse('x', msf.join(header, data))


@pytest.mark.parametrize(
    ('make_data', 'why'),
    [
        (lambda data: b'', NOT_OURS),
        (lambda data: b'MRL2' + data[4:], NOT_OURS),
        (lambda data: b'MSF2' + data[4:], 'a style file of another version (MSF2); '
         'this program reads MSF1'),
        (lambda data: data[:4], DAMAGED),
        (lambda data: msf.with_head(b'[]'), DAMAGED),
        (lambda data: data[:-1], 'this style file is cut: '),
        (lambda data: data + b'\n', 'this style file is too long: '),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), 'this style file is damaged: '
         'its bytes have changed since it was written; make it again'),
    ],
)  # fmt: skip
def test_not_a_style_file(small, tmp_path, make_data, why):
    """A line says so before any work begins."""
    name = tmp_path / 'x.msf'
    name.write_bytes(make_data(small))
    done = run('styles', 'match', name, tmp_path, '-o', tmp_path / 'run')
    assert (done.code, done.out) == (1, '') and not (tmp_path / 'run').exists()
    assert done.err.startswith(f'error: {name}: {why}') and done.err.count('\n') == 1


def test_no_file(tmp_path):
    for name in (tmp_path / 'none.msf', tmp_path):
        done = run('styles', 'match', name, tmp_path, '-o', tmp_path / 'run')
        assert done.code == 1 and done.err.startswith(f'error: {name}: ')
        assert done.err.count('\n') == 1 and not (tmp_path / 'run').exists()
