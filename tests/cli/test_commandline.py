"""What all command lines have in common: help with an example, mistakes in one line."""

import argparse
import re

import pytest
from commands import run

from mr_reuse import __main__
from mr_reuse.__main__ import import_command
from mr_reuse.systems import COMMANDS


def parsers():
    """All commands and their parts, by what one types."""
    for name in COMMANDS:
        made = import_command(name).parser()
        yield name, made
        for action in made._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from ((f'{name} {part}', p) for part, p in action.choices.items())


PARSERS = dict(parsers())


@pytest.mark.parametrize(('line', 'parser'), PARSERS.items(), ids=PARSERS)
def test_help(line, parser, monkeypatch):
    """A usage in one line, what each word is, and an example."""
    monkeypatch.setenv('COLUMNS', '80')
    done = run(line.split()[0], *line.split()[1:], '--help')
    assert (done.code, done.err) == (0, '')
    assert done.out.startswith(f'usage: python -m mr_reuse.{line} ') or (
        done.out.startswith(f'usage: python -m mr_reuse.{line}\n')
    )
    assert f'\n  python -m mr_reuse.{line} ' in done.out
    assert re.search(r'\nexamples?:\n', done.out)
    assert all(action.help for action in parser._actions if not action.choices)


@pytest.mark.parametrize(('line', 'parser'), PARSERS.items(), ids=PARSERS)
def test_examples_are_valid(line, parser):
    """What the help shows can be typed."""
    for example in re.findall(r'^  python -m mr_reuse\.(.*)$', parser.epilog, re.M):
        name, *words = example.split()
        import_command(name).parser().parse_args(words)


MISTAKES = {
    'discover a.warc': '-o/--output: missing; see --help',
    'discover -o run': (
        'INPUT: missing, and run is not a run with inputs of its own; see --help'
    ),
    'discover a -o run --treshold=5': (
        '--treshold: no such option; did you mean --threshold?'
    ),
    'discover a -o run --zzz': '--zzz: no such option; see --help',
    'discover a -o': '-o/--output: expected one argument; see --help',
    'discover a -o run -r sparc': (
        "-r/--runner: 'sparc' is not one of local, inline, hadoop, emr, spark; did you "
        'mean spark?'
    ),
    'discover a -o run -q -v': (
        '-v/--verbose: not allowed with argument -q/--quiet; see --help'
    ),
    'labels': 'COMMAND: missing; see --help',
    'labels buidl': (
        "COMMAND: 'buidl' is not one of build, info, merge, subtract, export, import; "
        'did you mean build?'
    ),
    'labels merge a.mrl -o b.mrl --fore': (
        '--fore: no such option; did you mean --force?'
    ),
    'detect -o run --page-threshold 50': (
        "--page-threshold: '50' is above 1; for 50 % give 0.5"
    ),
    'show run': 'HASH|RID|PREFIX|URL|STYLE: missing; see --help',
    'show run ff yy zz': "'zz': one argument too many; see --help",
}


@pytest.mark.parametrize(('line', 'why'), MISTAKES.items())
def test_mistakes(line, why):
    """One line, which says what to do; exit code 2."""
    name, *words = line.split()
    assert run(name, *words) == (2, '', f'error: {why}\n')


@pytest.mark.parametrize(
    ('line', 'code', 'why'),
    [
        ('', 2, 'usage: mr-reuse COMMAND …\n'),
        (
            'discovr x',
            2,
            'error: discovr: no such command; did you mean disco',
        ),
        ('xyzzy', 2, 'error: xyzzy: no such command; see mr-reuse --help\n'),
        ('help xyzzy', 2, 'error: xyzzy: no such command'),
        ('show', 2, 'error: RUN, HASH|RID|PREFIX|URL|STYLE: missing; see --help\n'),
    ],
)
def test_wrong_commands(line, code, why, capsys):
    assert __main__.main(line.split()) == code
    out, err = capsys.readouterr()
    assert out == '' and err.startswith(why)


@pytest.mark.parametrize('line', ['help', '--help', '-h'])
def test_list_of_commands(line, capsys):
    assert __main__.main([line]) == 0
    out, err = capsys.readouterr()
    assert err == '' and all(f'\n  {name} ' in out for name in COMMANDS)


def test_help_of_a_command(capsys):
    with pytest.raises(SystemExit) as ended:
        __main__.main(['help', 'show'])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith('usage: python -m mr_reuse.show RUN ')
