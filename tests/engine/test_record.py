"""The record of a run, by JSON as earlier versions have written it."""

import copy
import json
from dataclasses import replace

import pytest

from mr_reuse.engine import record
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.typed_json import DamagedError
from mr_reuse.errors import UserError

PAGES = {
    'finished': True,
    'version': '0.1.0',
    'run': 'RUN',
    'options': {'inputs': ['a.warc.gz'], 'min_len': 100},
    'made_of': {'hash': 'sha1', 'filter': [], 'recursion': 'length'},
    'inputs': ['a.warc.gz'],
    'paths': {'a.warc.gz': '/crawl/a.warc.gz'},
    'pages': ['01-pages/attempt-1'],
    'rows': 7,
    'read': {'counts': {'pages': 3}, 'notes': {}},
    'damaged': [{'archive': 'a.warc.gz', 'damage': {'empty file': [0, 0]}}],
    'steps': {
        '01-pages': {
            'output': '01-pages/attempt-1',
            'seconds': 0.5,
            'bytes': 100,
            'counters': {},
            'jobs': ['job_1'],
        },
        '03-places': {'output': '03-places/attempt-2', 'bytes': 9, 'counters': {}},
    },
}
DISCOVERED = {
    'counts': '02-counts/attempt-3',
    'threshold': 10,
    'reason': 'as given',
    'labels': {'chunk': {'labels': 2, 'stop': 1}, 'file': {}},
}
DETECTED = {
    'labels': 'labels.mrl',
    'labels_digest': 'ab',
    'matches': '04-matches/attempt-4',
    'neighborhoods': '05-neighborhoods/attempt-5',
    'levels': 'all',
    'level': 1,
    'rule': {'min_chunks': 5, 'top': None},
    'options': {'output': 'RUN'},
    'steps': {'04-matches': {'output': '04-matches/attempt-4', 'seconds': 1.0}},
}
WHOLE = PAGES | DISCOVERED | {'detect': DETECTED}
SHARED = {k: v for k, v in PAGES.items() if k not in ('options', 'damaged')}


@pytest.fixture
def run(tmp_path):
    """Write the record of a run; returns the folder."""

    def write(data) -> str:
        (tmp_path / 'RUN').mkdir(exist_ok=True)
        text = data if isinstance(data, str) else json.dumps(data)
        (tmp_path / 'RUN/run.json').write_text(text)
        return str(tmp_path / 'RUN')

    return write


def of(data) -> RunRecord:
    return RunRecord.from_json(copy.deepcopy(data))


@pytest.mark.parametrize(
    'data',
    [
        PAGES,
        PAGES | DISCOVERED,
        WHOLE,
        SHARED | {'detect': DETECTED},
        PAGES | {'detect': {'labels': '/x.mrl'}},  # detect has begun again
        PAGES | {'finished': False},
    ],
)
def test_json_stays_the_same(data):
    assert of(data).to_json() == data


def test_unknown_keys_are_kept():
    """Other versions may write more, on every level."""
    data = copy.deepcopy(WHOLE) | {'phrases': {'steps': [1]}, 'discover': 7}
    data['detect']['more'] = None
    data['detect']['steps']['04-matches']['host'] = 'a'
    data['steps']['01-pages']['host'] = 'b'
    assert of(data).to_json() == data
    assert replace(of(data), finished=False).to_json() == data | {'finished': False}


def test_attributes():
    whole = of(WHOLE)
    assert (whole.rows, whole.pages) == (7, ['01-pages/attempt-1'])
    assert whole.steps['01-pages'].jobs == ['job_1']
    assert whole.steps['03-places'].seconds is None
    assert (whole.discover.threshold, whole.detect.level) == (10, 1)
    assert whole.detect.steps['04-matches'].output == '04-matches/attempt-4'


def test_systems_that_have_not_run():
    pages = of(SHARED)
    assert pages.discover is None and pages.detect == DetectRecord()
    assert pages.options is None and pages.detect.matches is None


def test_paths_are_whole(run):
    """They are, wherever the run was begun; those of other folders stay."""
    folder = run(WHOLE | {'pages': ['/old/01-pages/x', '01-pages/attempt-1']})
    loaded = record.load_record(folder)
    assert loaded.pages == ['/old/01-pages/x', f'{folder}/01-pages/attempt-1']
    assert loaded.steps['03-places'].output == f'{folder}/03-places/attempt-2'
    assert loaded.discover.counts == f'{folder}/02-counts/attempt-3'
    detect = loaded.detect
    assert detect.labels == f'{folder}/labels.mrl'
    assert detect.matches == f'{folder}/04-matches/attempt-4'
    assert detect.neighborhoods == f'{folder}/05-neighborhoods/attempt-5'
    assert detect.steps['04-matches'].output == f'{folder}/04-matches/attempt-4'
    assert loaded.paths == {'a.warc.gz': '/crawl/a.warc.gz'}


def test_paths_on_a_cluster():
    located = of(WHOLE).locate('hdfs:///user/RUN')
    assert located.pages == ['hdfs:///user/RUN/01-pages/attempt-1']
    begun = of(PAGES | {'detect': {'labels': 's3://b/x.mrl'}}).locate('/RUN')
    assert begun.detect == DetectRecord(labels='s3://b/x.mrl')


def test_paths_of_systems():
    """Those of their steps are whole, as others are; damage has a name."""
    step = {'output': '11-grams/attempt-1', 'bytes': 7}
    results = {'quilts': {'options': {'k': 5}, 'steps': {'11-grams': step}}}
    located = of(PAGES | {'systems': results}).locate('/RUN')
    [found] = located.systems['quilts']['steps'].values()
    assert found == {'output': '/RUN/11-grams/attempt-1', 'bytes': 7}
    assert located.systems['quilts']['options'] == {'k': 5}
    for damage in ({'steps': {}}, {'options': {}}, {'options': {}, 'steps': {'a': {}}}):
        with pytest.raises(DamagedError, match=r'systems\.quilts\.'):
            of(PAGES | {'systems': {'quilts': damage}})


def test_output_that_is_gone(run, tmp_path):
    folder = run(PAGES | DISCOVERED)
    for gone in ('01-pages/attempt-1', '02-counts/attempt-3'):
        with pytest.raises(UserError) as error:
            record.load_complete(folder)
        assert str(error.value) == (
            f'{folder}/{gone}: missing, but {folder} needs it; put it back, or type '
            f'the command that made {folder} again'
        )
        (tmp_path / 'RUN' / gone).mkdir(parents=True)
    assert record.load_complete(folder).rows == 7


# Damage


@pytest.mark.parametrize('key', ['made_of', 'paths', 'pages', 'steps', 'run'])
def test_missing_keys(run, key):
    folder = run({k: v for k, v in WHOLE.items() if k != key})
    assert refused(folder) == no_valid(folder, key)


@pytest.mark.parametrize(
    ('key', 'value'),
    [
        ('made_of', None),
        ('paths', ['a.warc.gz']),
        ('paths', {'a.warc.gz': 5}),
        ('pages', '01-pages'),
        ('pages', [5]),
        ('steps', []),
        ('steps', {'01-pages': '01-pages/attempt-1'}),
        ('steps', {'01-pages': {'bytes': 1}}),
        ('run', 5),
        ('rows', '7'),
        ('read', {'counts': 5}),
        ('damaged', ['a.warc.gz']),
        ('counts', None),
        ('threshold', 0.5),
        ('labels', {'chunk': 5}),
        ('detect', []),
        ('detect', {'labels': 5}),
        ('detect', {'steps': {'04-matches': {}}}),
    ],
)
def test_values_of_other_types(run, key, value):
    folder = run(WHOLE | {key: value})
    assert refused(folder) == no_valid(folder, key)
    assert record.read_record(folder) is None


def test_half_of_discover(run):
    folder = run(PAGES | {'threshold': 10})
    assert refused(folder) == no_valid(folder, 'counts')


@pytest.mark.parametrize('text', ['', '5', '[]', '"x"', '[' * 100_000, '{"pages": []}'])
def test_no_record(run, text):
    folder = run(text)
    assert record.read_record(folder) is None
    assert refused(folder).startswith(f'{folder}: no finished run of discover or ')
    assert not record.is_run(folder) and not record.is_finished(folder)


def test_not_finished(run, tmp_path):
    folder = run(WHOLE | {'finished': False})
    why = 'no finished run of discover or detect'
    goes_on = '; type the command that began it again to resume'
    assert refused(folder) == f'{folder}: {why}{goes_on}'
    assert record.read_record(folder).detect.level == 1
    none = str(tmp_path / 'none')
    assert refused(none) == f'{none}: {why}; there is no such folder'
    (tmp_path / 'none').mkdir()
    assert refused(none) == f'{none}: {why}; name the folder of a run'


def no_valid(folder: str, key: str) -> str:
    again = 'type the command that made the run again'
    return f"{folder}: run.json in it has no valid '{key}'; {again}"


def refused(folder: str) -> str:
    with pytest.raises(UserError) as error:
        record.load_record(folder)
    return str(error.value)


# What a new record takes over from the one before


def test_detect_is_kept_while_steps_are_the_same():
    new = of(PAGES | DISCOVERED | {'rows': 8})
    kept = new.keep_detect(of(WHOLE))
    assert kept.to_json() == WHOLE | {'rows': 8}
    steps = PAGES['steps'] | {'03-places': {'output': '03-places/attempt-9'}}
    assert new.keep_detect(of(WHOLE | {'steps': steps})) == new
    assert new.keep_detect(None) == new


def test_results_are_kept_while_pages_are_the_same():
    new = of(PAGES | {'options': {'output': 'RUN'}})
    before = WHOLE | {'finished': False, 'phrases': 1}
    assert new.keep_results(of(before)).to_json() == before | {'finished': True}
    assert new.keep_results(of(before | {'pages': ['01-pages/attempt-0']})) == new
    assert new.keep_results(None) == new


def test_pages_of_another_run():
    shared = of(WHOLE | {'phrases': 1}).share_pages('OTHER', DetectRecord(labels='x'))
    expected = SHARED | {'run': 'OTHER', 'detect': {'labels': 'x'}}
    assert shared.to_json() == expected


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('labels_digest', 'cd'),
        ('matches', '04-matches/attempt-9'),
        ('neighborhoods', None),
        ('levels', 'site'),
        ('level', 0),
        ('rule', {'min_chunks': 6, 'top': None}),
        ('sources', ['a.org']),
        ('families', [['a.org', 'b.org']]),
    ],
)
def test_new_results_of_detect(name, value):
    detect = of(WHOLE).detect
    others = {'labels': 'x', 'options': None, 'steps': {}, 'unknown': {'more': 1}}
    assert detect.has_results_of(replace(detect, **others))
    assert not detect.has_results_of(replace(detect, **{name: value}))


# The file


def test_file(tmp_path):
    data = {'made_of': {}, 'paths': {}, 'pages': [], 'steps': {}, 'run': 'é'}
    data |= {'version': '1', 'inputs': [], 'rows': 0, 'read': {}, 'finished': True}
    RunDir(str(tmp_path)).write_record(of(data))
    assert (tmp_path / 'run.json').read_text() == (
        '{\n "finished": true,\n "inputs": [],\n "made_of": {},\n "pages": [],\n '
        '"paths": {},\n "read": {},\n "rows": 0,\n "run": "\\u00e9",\n "steps": {},\n '
        '"version": "1"\n}\n'
    )


def test_a_run_that_begins_again_is_not_finished(run):
    folder = run(WHOLE | {'phrases': 1})
    RunDir(folder).claim(lambda: ['7\ta.warc.gz\n'])
    assert record.read_record(folder) is None  # it was of other inputs
    run(WHOLE | {'phrases': 1})
    RunDir(folder).claim(lambda: ['8\ta.warc.gz\n'])
    began = record.read_record(folder).to_json()
    assert began == WHOLE | {'phrases': 1, 'finished': False}


def test_a_damaged_record_does_not_stay(run, tmp_path):
    folder = run(WHOLE)
    RunDir(folder).claim(lambda: ['7\ta.warc.gz\n'])
    run({'finished': True, 'made_of': 5})
    RunDir(folder).claim(lambda: ['7\ta.warc.gz\n'])
    assert not (tmp_path / 'RUN/run.json').exists()
    assert not record.is_finished(folder)
