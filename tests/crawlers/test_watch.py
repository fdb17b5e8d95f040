"""What `watch` tells while archives grow."""

import contextlib
import gzip
import io
import json
import signal
import sys
from hashlib import sha1

import mrl
import pytest
from commands import apart, detect, run
from crawls import new_record, write_plain_warc, write_warc
from revisit_crawls import response, revisit, write
from warcio.warcwriter import WARCWriter

from mr_reuse.archives import tailing
from mr_reuse.crawlers.watching import Watch, WatchOptions
from mr_reuse.engine import processes

BAD, GOOD = '<p>copied', '<p>own'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mrl.write(tmp_path / 'some.mrl', [mrl.sha1(BAD)], min_len=0)
    (tmp_path / 'crawl').mkdir()
    return tmp_path


def watch(*args) -> list[dict]:
    """One look; the events without their times."""
    done = run('watch', 'crawl', '-l', 'some.mrl', '--once', *args)
    assert done.code == 0, done.err
    return events_of(done.out)


def events_of(text: str) -> list[dict]:
    """The events that were printed, without what each has of its own."""
    events = [json.loads(line) for line in text.splitlines()]
    assert all(event.pop('time') and event.pop('seq') for event in events)
    return events


def documents(*numbers) -> list[tuple[str, bytes]]:
    """Every second page has one label among three chunks."""
    return [
        (f'http://a.org/{n}', f'{n}{BAD if n % 2 else GOOD}<p>{n}'.encode())
        for n in numbers
    ]


def growing(*numbers) -> bytes:
    """The bytes of an archive of some pages."""
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=True)
    for number, (url, body) in enumerate(documents(*numbers)):
        writer.write_record(new_record(writer, 'response', url, body, number))
    return stream.getvalue()


def test_revisits_are_not_judged(here):
    """They are counted, as the record with their content may be anywhere."""
    records = [response('http://a.org/', BAD.encode(), 1, id='urn:1')]
    records.append(revisit('http://b.org/', 2, refers_to='urn:1'))
    write(here / 'crawl/a.warc.gz', records)
    done = run('watch', 'crawl', '-l', 'some.mrl', '--once')
    assert len(done.out.splitlines()) == 1
    assert done.err == (
        '1 page read; 1 document printed, 0 known files among them; '
        '1 revisit was not judged, as the content is in another record\n'
    )


def urls(events) -> list[str]:
    return [event['url'] for event in events if event['event'] == 'match']


@pytest.mark.parametrize('write', [write_warc, write_plain_warc])
def test_once(here, write):
    pages = write(here / 'crawl/a.warc', documents(*range(6)))
    events = watch()
    assert urls(events) == [f'http://a.org/{n}' for n in (1, 3, 5)]
    assert [e['rid'] for e in events] == [
        f'crawl/a.warc:{pages[n].offset}' for n in (1, 3, 5)
    ]
    assert events[1] | {'rid': ''} == {
        'event': 'match',
        'rid': '',
        'url': 'http://a.org/3',
        'date': '2020-01-02T03:04:05Z',
        'bad': 1,
        'total': 3,
        'contains': 0.333333333,
        'file': False,
        'labels': [mrl.sha1(BAD)],
        'site': {'prefix': 'a.org/', 'pages': 4, 'bad': 2, 'total': 12},
    }
    assert watch() == []


def test_as_detect(here):
    """The same pages, with the same numbers; what is no page is none here either."""
    bad = BAD.encode()
    more = [
        ('http://a.org/picture', b'\x89PNG\r\n' + bad),
        ('http://a.org/empty', b''),
        ('http://a.org' + '/x' * 97, bad),
        ('http://a.org/only', bad),
    ]
    write_warc(here / 'crawl/a.warc.gz', [*documents(*range(20)), *more])
    rows = detect('crawl/a.warc.gz', '-l', 'some.mrl', out=here / 'run')['pages.tsv']
    rows = [line.split('\t') for line in rows.decode().splitlines()[1:]]
    expected = [(row[0], int(row[2]), int(row[3])) for row in rows if row[2] != '0']
    events = watch()
    assert [(e['rid'], e['bad'], e['total']) for e in events] == expected
    assert events[-1]['site'] == {
        'prefix': 'a.org/',
        'pages': 21,
        'bad': 11,
        'total': 61,
    }


@pytest.mark.parametrize('step', [1, 7, 100])
def test_growing(here, step):
    """However the archive grows, each page is told once, and in order."""
    data, told = growing(*range(8)), []
    path = here / 'crawl/a.warc.gz.open'
    for end in range(0, len(data) + step, step * 7):
        path.write_bytes(data[:end])
        told += urls(look())
    path.write_bytes(data)
    told += urls(look())
    path.rename(here / 'crawl/a.warc.gz')
    assert told + urls(look()) == [f'http://a.org/{n}' for n in (1, 3, 5, 7)]


def look() -> list[dict]:
    """One look at archives that may go on."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        Watch(WatchOptions('crawl', 'some.mrl')).scan()
    return events_of(out.getvalue())


def test_growing_plain(here):
    write_plain_warc(here / 'all.warc', documents(*range(6)))
    data, told = (here / 'all.warc').read_bytes(), []
    for end in range(0, len(data) + 50, 50):
        (here / 'crawl/a.warc').write_bytes(data[:end])
        told += urls(look())
    assert told == [f'http://a.org/{n}' for n in (1, 3, 5)]


def test_member_in_a_member(here):
    """A record within one that is half written is no record of the archive."""
    inner = growing(1)
    body = f'{BAD}<p>{"x" * 2000}'.encode() + inner * 400
    outer = gzip.compress(record('http://a.org/5', body), 0)
    data = growing(1) + outer + growing(7)
    path = here / 'crawl/a.warc.gz.open'
    told = []
    for end in (len(growing(1)) + 9000, len(growing(1)) + len(outer) // 2, len(data)):
        path.write_bytes(data[:end])
        told += look()
    assert urls(told) == [f'http://a.org/{n}' for n in (1, 5, 7)]
    assert all(event['event'] == 'match' for event in told)


def record(url: str, body: bytes) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=False)
    writer.write_record(new_record(writer, 'response', url, body, 0))
    return stream.getvalue()


def test_padding(here):
    """What lies between members does not end the following."""
    path = here / 'crawl/a.warc.gz'
    path.write_bytes(growing(1))
    told = look()
    path.write_bytes(growing(1) + bytes(4096))
    told += look()
    path.write_bytes(growing(1) + bytes(4096) + growing(3, 5))
    assert urls(told + look()) == [f'http://a.org/{n}' for n in (1, 3, 5)]


def test_two_at_once(here):
    write_warc(here / 'crawl/a.warc.gz', documents(1))
    (here / 'crawl/mr_reuse-watch.json.lock').write_text(
        json.dumps(processes.describe_process())
    )
    done = run('watch', 'crawl', '-l', 'some.mrl', '--once')
    assert (done.code, done.out) == (1, '')
    assert 'uses it' in done.err and done.err.count('\n') == 1
    (here / 'crawl/mr_reuse-watch.json.lock').write_text('{"pid": 4194305}')
    assert len(watch()) == 1
    assert not (here / 'crawl/mr_reuse-watch.json.lock').exists()


def test_damage(here):
    """A damaged member costs its own page, as soon as another follows it."""
    parts = [growing(n) for n in (1, 3, 5)]
    broken = bytearray(parts[1])
    broken[len(broken) // 2] ^= 0xFF
    (here / 'crawl/a.warc.gz').write_bytes(parts[0] + broken)
    assert urls(look()) == ['http://a.org/1']
    (here / 'crawl/a.warc.gz').write_bytes(parts[0] + broken + parts[2])
    events = look()
    assert urls(events) == ['http://a.org/5']
    [damage] = [event for event in events if event['event'] == 'damage']
    assert damage['cause'].startswith('gzip member') and damage['records'] == 1


def test_what_is_told(here):
    write_warc(here / 'crawl/a.warc.gz', documents(*range(6)))
    assert watch('--above=0.34', '--state=a.json') == []
    assert len(watch('--above=0.33', '--state=b.json')) == 3
    assert watch('--min-bad=2', '--state=c.json') == []


def test_known_files(here):
    """A file that is known as a whole is above any share, also without chunks."""
    picture, short, long = b'\x89PNG\r\n', b'it', b'me<p>copied'
    mrl.write(
        here / 'some.mrl',
        [mrl.sha1(BAD)],
        files=[sha1(one).hexdigest() for one in (picture, short, long)],
        min_len=3,
    )
    known = [('http://a.org/a.png', picture), ('http://a.org/b', short)]
    known.append(('http://a.org/c', long))
    write_warc(here / 'crawl/a.warc.gz', [*documents(0, 1), *known])
    told = watch('--above=0.9', '--state=a.json')
    assert [(e['url'][-1], e['file'], e['bad'], e['total']) for e in told] == [
        ('g', True, 0, 0),
        ('b', True, 0, 0),
        ('c', True, 1, 1),
    ]
    assert [e['contains'] for e in told] == [None, None, 1]
    assert urls(watch('--min-bad=1', '--state=b.json')) == [
        'http://a.org/1',
        'http://a.org/c',
    ]
    said = run('watch', 'crawl', '-l', 'some.mrl', '--once', '--state=c.json').err
    assert said == '4 pages read; 4 documents printed, 3 known files among them\n'


def test_labels_of_a_run(here):
    """A run stands for the labels that it has made."""
    write_warc(here / 'crawl/a.warc.gz', documents(*range(6)))
    (here / 'RUN').mkdir()
    (here / 'some.mrl').rename(here / 'RUN/labels.mrl')
    done = run('watch', 'crawl', '-l', 'RUN', '--once', '-q')
    assert (done.code, done.err, done.out.count('\n')) == (0, '', 3)


def test_exactly_above(here):
    """A tenth is not above a tenth, though as binary fractions it may be."""
    body = (BAD + ''.join(f'<p>{n}' for n in range(9))).encode()
    write_warc(here / 'crawl/a.warc.gz', [('http://a.org/', body)])
    assert watch('--above=0.1', '--state=a.json') == []
    assert len(watch('--above=0.099999999999', '--state=b.json')) == 1


def test_renamed_while_it_is_read(here, monkeypatch):
    """The crawler has just finished the archive: it is found under its new name."""
    path = here / 'crawl/a.warc.gz.open'
    path.write_bytes(growing(1, 2, 3))
    settled = tailing.complete_end

    def renames(name, *args):
        if path.exists():
            path.rename(here / 'crawl/a.warc.gz')
        return settled(name, *args)

    monkeypatch.setattr(tailing, 'complete_end', renames)
    assert urls(look()) == []
    assert urls(look()) == ['http://a.org/1', 'http://a.org/3']


def test_place_of_another(here):
    """A new archive may get the place on the disk that one had that is gone."""
    path = here / 'crawl/a.warc.gz'
    path.write_bytes(growing(1, 3))
    assert len(urls(look())) == 2
    path.write_bytes(growing(5, 7, 9))
    assert urls(look()) == [f'http://a.org/{n}' for n in (5, 7, 9)]


@pytest.mark.apart
def test_nobody_reads(here):
    """What nobody has taken is told again."""
    write_warc(here / 'crawl/a.warc.gz', documents(*range(400)))
    line = [sys.executable, '-m', 'mr_reuse.watch', 'crawl', '-l', 'some.mrl', '--once']
    process = apart(*line, cwd=here)
    first = json.loads(process.stdout.readline())['url']
    process.stdout.close()
    process.wait(20)
    process.stderr.close()
    again = urls(watch())
    assert first == 'http://a.org/1' and again[-1] == 'http://a.org/399'
    assert len(again) > 1


def test_other_labels(here):
    write_warc(here / 'crawl/a.warc.gz', documents(1))
    watch()
    mrl.write(here / 'some.mrl', [mrl.sha1(GOOD)], min_len=0)
    state = 'crawl/mr_reuse-watch.json'
    done = run('watch', 'crawl', '-l', 'some.mrl', '--once')
    why = f'{state}: written for other labels; name another with --state'
    assert (done.code, done.err) == (
        1,
        f'error: {why}\n',
    )
    made_of = json.loads((here / state).read_text())['made_of']
    damaged = [[], {'made_of': made_of}]
    damaged += [
        {'made_of': made_of, 'read': {'k': k}, 'sites': {}} for k in ([1], 5, [0, 'z'])
    ]
    damaged += [
        {'made_of': made_of, 'read': {}, 'sites': s} for s in ([1], {'a.org/': 7})
    ]
    mrl.write(here / 'some.mrl', [mrl.sha1(BAD)], min_len=0)
    for told in damaged:
        (here / state).write_text(json.dumps(told))
        done = run('watch', 'crawl', '-l', 'some.mrl', '--once')
        assert done.err == (
            f'error: {state}: not a state file of watch; name another with --state\n'
        )
    assert (
        run('watch', 'nowhere', '-l', 'some.mrl').err
        == 'error: nowhere: no such folder\n'
    )


@pytest.mark.apart
def test_interrupted(here):
    """It follows until it is told to stop, and goes on where it was."""
    line = [sys.executable, '-m', 'mr_reuse.watch', 'crawl', '-l', 'some.mrl']
    process = apart(*line, '--interval=0.1', cwd=here)
    write_warc(here / 'crawl/a.warc.gz', documents(1, 2, 3))
    lines = [json.loads(process.stdout.readline())['url'] for _ in range(2)]
    assert lines == ['http://a.org/1', 'http://a.org/3']
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, '')
    assert err.splitlines() == [
        '3 pages read; 2 documents printed, 0 known files among them',
        'interrupted; type the same command again to resume',
    ]
    assert watch() == []
