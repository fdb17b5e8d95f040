"""The files `_attempt.json` and `_step.json` in the folder of a step."""

import hashlib
import json

import pytest

from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.step_record import Attempt, FinishedStep, StepRecord

OUTPUT = '01-pages/attempt-0123abcd'
FINISHED = {
    'bytes': 9,
    'counters': {'mr_reuse': {'pages': 2}},
    'digest': 'ab',
    'output': OUTPUT,
    'seconds': 1.5,
    'told': [{'accounts': []}],
}
FINISHED_FIELDS = {'output': OUTPUT, 'digest': 'ab', 'bytes': 9}
CHECK = b'"check"'


@pytest.fixture
def run(tmp_path):
    (tmp_path / OUTPUT).mkdir(parents=True)
    return RunDir(str(tmp_path))


def write(run, name, text):
    with open(f'{run.path}/01-pages/{name}', 'w') as stream:
        stream.write(text)


def test_files(run, tmp_path):
    """Keys are sorted; keys without a value are left out; `check` is of all others."""
    run.write_attempt('01-pages', Attempt(output=OUTPUT, digest='ab'))
    assert (tmp_path / '01-pages/_attempt.json').read_text() == checked(
        '"digest": "ab", "output": "01-pages/attempt-0123abcd"'
    )
    finished = FinishedStep(
        output=OUTPUT,
        digest='ab',
        bytes=9,
        stats=[{'accounts': []}],
        counters={},
        seconds=1.5,
        jobs=['job_1'],
    )
    run.write_step('01-pages', finished)
    assert (tmp_path / '01-pages/_step.json').read_text() == checked(
        '"bytes": 9, "counters": {}, "digest": "ab", "jobs": ["job_1"], '
        '"output": "01-pages/attempt-0123abcd", "seconds": 1.5, '
        '"told": [{"accounts": []}]'
    )


def checked(text: str) -> str:
    """The line of an object whose other keys are these."""
    digest = hashlib.sha256(f'{{{text}}}'.encode()).hexdigest()[:16]
    keys = json.loads(f'{{{text}}}') | {'check': digest}
    return json.dumps(keys, sort_keys=True) + '\n'


def test_changed_files(run, tmp_path):
    """Any other value, wherever it stands, and any flipped bit: not finished."""
    name = tmp_path / '01-pages/_step.json'
    told = [{'accounts': [{'counts': {'pages': 7}}]}]
    run.write_step('01-pages', FinishedStep(**FINISHED_FIELDS, stats=told))
    data = name.read_bytes()
    assert run.read_step('01-pages').stats == told
    name.write_bytes(data.replace(b'"pages": 7', b'"pages": "7"'))
    assert run.read_step('01-pages') is None
    for bit in range(8 * (len(data) - 1)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        name.write_bytes(flipped)
        finished = run.read_step('01-pages')
        assert finished is None or CHECK not in flipped


@pytest.mark.parametrize('more', [{}, {'host': 'a'}])
def test_reading(run, more):
    """Keys of other versions do no harm."""
    write(run, '_step.json', json.dumps(FINISHED | more))
    write(run, '_attempt.json', json.dumps({'output': OUTPUT, 'digest': 'ab'} | more))
    finished = run.read_step('01-pages')
    assert (finished.digest, finished.stats) == ('ab', [{'accounts': []}])
    assert finished.to_step_record() == StepRecord(
        output=OUTPUT, seconds=1.5, bytes=9, counters={'mr_reuse': {'pages': 2}}
    )
    attempt = run.read_attempt('01-pages')
    assert (attempt.output, attempt.digest) == (OUTPUT, 'ab')


@pytest.mark.parametrize(
    'text',
    [
        '',
        '[]',
        '{',
        *(
            json.dumps({k: v for k, v in FINISHED.items() if k != key})
            for key in ('output', 'digest', 'bytes', 'told')
        ),
        *(
            json.dumps(FINISHED | {key: value})
            for key, value in (
                ('output', 5),
                ('digest', None),
                ('bytes', '9'),
                ('bytes', True),
                ('told', {}),
                ('told', [5]),
                ('output', '01-pages/attempt-99999999'),
            )
        ),
    ],
)
def test_damaged_step(run, text):
    """A step without a valid record and its output has not finished."""
    write(run, '_step.json', text)
    assert run.read_step('01-pages') is None


@pytest.mark.parametrize('text', ['', '[]', '{"output": "x"}', '{"digest": "ab"}'])
def test_damaged_attempt(run, text):
    write(run, '_attempt.json', text)
    assert run.read_attempt('01-pages') is None
    assert run.read_attempt('02-counts') is None
