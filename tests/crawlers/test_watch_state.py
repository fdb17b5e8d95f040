"""The state file of watch: what it keeps, and who may use it."""

import json
import os
import socket

import pytest

from mr_reuse.crawlers import watch_state
from mr_reuse.crawlers.watch_state import State
from mr_reuse.errors import UserError

MADE_OF = {'labels': 'x'}


@pytest.fixture
def name(tmp_path):
    return str(tmp_path / 'state.json')


def test_kept(name):
    state = State(name, MADE_OF)
    assert (state.position('a'), state.sums('a.org/')) == ((0, ''), (0, 0, 0))
    state.note_position('a', (7, '3+4'))
    state.note_sums('a.org/', (1, 2, 3))
    state.note_event('{"seq": 1}')
    state.save()
    again = State(name, MADE_OF)
    assert tuple(again.position('a')) == (7, '3+4')
    assert tuple(again.sums('a.org/')) == (1, 2, 3)
    assert (again.last_number, again.unprinted) == (1, ['{"seq": 1}'])


def test_least_recently_seen_sites_are_dropped(name, monkeypatch):
    monkeypatch.setattr(watch_state, 'MAX_SITES', 2)
    state = State(name, MADE_OF)
    for site in ('a/', 'b/', 'a/', 'c/'):
        state.note_sums(site, (1, 1, 1))
    assert [state.sums(site)[0] for site in ('a/', 'b/', 'c/')] == [1, 0, 1]


def test_saved_from_time_to_time(name, monkeypatch):
    """A position is on disk when the last save is two seconds old."""
    now = [100.0]
    monkeypatch.setattr(watch_state.time, 'monotonic', lambda: now[0])
    state = State(name, MADE_OF)
    state.note_position('a', (1, ''))
    state.save_if_old()
    assert not os.path.exists(name)
    now[0] += 2.1
    state.note_position('a', (2, ''))
    state.save_if_old()
    state.note_position('a', (3, ''))
    state.save_if_old()
    with open(name) as file:
        assert json.load(file)['read'] == {'a': [2, '']}


def refused(name: str, pid: int) -> None:
    with pytest.raises(UserError, match=f'process {pid} uses it; name another'):
        State(name, MADE_OF).lock()


def test_lock(name):
    first = State(name, MADE_OF)
    first.lock()
    refused(name, os.getpid())
    first.save()
    first.unlock()
    assert os.listdir(os.path.dirname(name)) == ['state.json']


NOBODY = 2**22 + 1  # above all numbers of processes


@pytest.mark.parametrize(
    'owner', ['', '{"host"', json.dumps({'host': socket.gethostname(), 'pid': NOBODY})]
)
def test_lock_of_a_killed_process(name, owner):
    """Also one that was killed while it wrote the lock."""
    with open(f'{name}.lock', 'w') as file:
        file.write(owner)
    State(name, MADE_OF).lock()
    refused(name, os.getpid())


def test_lock_of_another_host(name):
    """Nobody can see from here whether the process still runs."""
    with open(f'{name}.lock', 'w') as file:
        json.dump({'host': 'elsewhere', 'pid': NOBODY}, file)
    refused(name, NOBODY)
