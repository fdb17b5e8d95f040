"""`discover roc`: the labels of each threshold among judged chunks."""

import pytest
from commands import run
from crawls import digest_of, write_warc

from mr_reuse.review import judgements

SAMPLE = 'uniform seed=1 frame=00000000000000ff'


def chunk(name: str) -> bytes:
    return f'<p>{name} '.encode() + b'copied ' * 20


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A run with chunks of 6, 4, 4 and 2 copies."""
    monkeypatch.chdir(tmp_path)
    names = 'spam ' * 6 + 'menu ' * 4 + 'ads ' * 4 + 'note ' * 2 + 'once'
    body = b''.join(map(chunk, names.split()))
    write_warc(tmp_path / 'a.warc', [('http://a.org/', body)])
    assert run('discover', 'a.warc', '-o', 'RUN', '--threshold=1', '-q').code == 0
    return tmp_path


CURVE = [
    ['threshold', 'bad', 'benign', 'bad_share', 'benign_share'],
    ['1', '2', '2', '1.000000000', '1.000000000'],
    ['3', '2', '1', '1.000000000', '0.500000000'],
    ['5', '1', '0', '0.500000000', '0.000000000'],
    ['6', '0', '0', '0.000000000', '0.000000000'],
]


def test_list(here):
    """Chunks that the run does not have, and unclear ones, are left out."""
    verdicts = {'spam': 'bad', 'menu': 'benign', 'ads': 'bad', 'note': 'benign'}
    lines = [f'{digest_of(chunk(name))} {word}' for name, word in verdicts.items()]
    others = [f'{"ab" * 20} bad', f'{digest_of(chunk("once"))} unclear', '# hash', '']
    (here / 'judged.txt').write_text('\n'.join(['hash\tverdict', *lines, *others]))
    done = run('discover', 'roc', 'judged.txt', 'RUN')
    assert done.code == 0
    assert [line.split('\t') for line in done.out.splitlines()] == CURVE
    assert done.err == 'warning: judged.txt: 1 judged chunk not in the run, left out\n'


def test_judgements(here):
    """The judgements of a run; what is undone or disputed does not count."""
    words = [('ann', 'spam', 'bad'), ('ann', 'menu', 'benign'), ('ann', 'ads', 'bad')]
    words += [('ann', 'note', 'benign'), ('ann', 'once', 'bad'), ('bob', 'spam', 'bad')]
    words += [('bob', 'once', 'benign')]
    lines = [
        judgements.Judgement(
            *('t', judge, judgements.JUDGED, 'chunks', digest_of(chunk(name)), 'x'),
            *(word, '', 1, '', 9, 9, SAMPLE),
        )
        for judge, name, word in words
    ]
    data = judgements.HEADER + b''.join(line.line() for line in lines)
    (here / 'RUN/judgements.tsv').write_bytes(data)
    done = run('discover', 'roc', 'RUN')
    assert [line.split('\t') for line in done.out.splitlines()] == CURVE
    said = 'warning: RUN: left out 1 chunk that are both benign and bad\n'
    assert done.err == said.replace('that are', 'judged')


@pytest.mark.parametrize(
    ('line', 'text', 'code', 'why'),
    [
        ('roc', '', 2, 'JUDGED: missing; see --help'),
        ('roc x.txt', '', 2, 'roc: RUN is missing; name the run with the chunks'),
        (
            'roc x.txt RUN',
            'ff bad',
            1,
            'x.txt, line 1: not a hash of 40 digits and',
        ),
        ('roc x.txt RUN', '', 1, 'x.txt: has no benign or bad chunk of the run'),
        ('roc RUN', '', 1, 'RUN: has no benign or bad chunk of the run'),
        ('roc x.txt NONE', '', 1, 'NONE: no finished run of discover'),
    ],
)
def test_refused(here, line, text, code, why):
    (here / 'x.txt').write_text(text)
    done = run('discover', *line.split())
    assert (done.code, done.out) == (code, '') and done.err.startswith(f'error: {why}')


def test_file_of_this_name(here):
    """The first word is the subcommand; a folder of this name has another one."""
    (here / 'a.warc').rename(here / 'roc')
    assert run('discover', 'roc', '-o', 'OUT', '-q').code == 2
    assert run('discover', './roc', '-o', 'OUT', '-q').code == 0
