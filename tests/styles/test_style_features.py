"""The features of styles, of a crawl whose programs are known."""

import json
import random
import shutil
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import apart, ended, run
from lone_jobs import run_job
from reference_style_tables import Corpus, Options, decimals
from style_crawls import FORKED, read_parameters, styles, write_pages
from style_features import HOSTILE, SHOP, drafts, make_run, rows_of

from mr_reuse.styles.features.sampling import MEMBERS, choose_members
from mr_reuse.styles.jobs.read_features import ReadFeatures


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp('made'))


def features(folder, style: int) -> dict[str, list[tuple[str, str, str]]]:
    """The rows of a style by kind."""
    found: dict[str, list] = {}
    for number, kind, *rest in rows_of(folder, 'style_features'):
        if number == str(style):
            found.setdefault(kind, []).append(tuple(rest))
    return found


def ninths(count: int, of: int) -> str:
    return decimals(Fraction(count, of))


def test_the_forum(made):
    """Twelve domains with one page each; ten pages are read."""
    folder, _, bodies = made
    [first, second] = rows_of(folder, 'styles')
    assert first[1:4] == ['12', '12', '12'] and second[1:4] == ['3', '1', '1']
    found = features(folder, 1)
    [[name, share, others]] = found['generator']
    # The version is 2.1.0 on half of the pages, and 2.1.1 on the others.
    assert (name, share, others) == ('MiniForum', ninths(1, 1), ninths(0, 11))
    assert found['path'] == [('/board/view*.php?t=*', ninths(1, 1), ninths(0, 11))]
    classes = ['forum-head', 'topics', 'row', 'odd', 'forum-foot']
    assert [row[0] for row in found['class']] == classes
    assert {row[2] for row in found['class']} == {ninths(0, 11)}
    # An h1 is on 8 of the 11 pages of others, so it does not tell them apart.
    tags = {row[0]: row[2] for row in found['tag']}
    assert set(tags) == {'table', 'tr', 'a', 'address'} | (set(tags) & {'td'})
    assert 'h1' not in tags
    [[skeleton, share, others]] = found['skeleton']
    assert skeleton == (
        'html head meta body div.forum-head … table.topics tr.row td a h1 '
        'div.forum-foot address'
    )
    assert (share, others) == (ninths(1, 1), ninths(0, 11))


def test_the_shop(made):
    folder, *_ = made
    found = features(folder, 2)
    assert [row[0] for row in found['generator']] == [SHOP]
    assert [row[0] for row in found['path']] == ['/*/']
    assert found['path'][0][1:] == (ninths(1, 1), ninths(0, 20))
    assert [row[0] for row in found['class']] == [
        'basket',
        HOSTILE.replace(' ', '-'),
        'price',
        'foot',
    ]


def test_curves(made):
    """All documents by their similarity to each prototype, by brute force."""
    folder, _, bodies = made
    corpus = Corpus(bodies, Options(), read_parameters(Options()))
    expected = []
    for number, style in enumerate(corpus.styles(), 1):
        near = Counter(corpus.similarity(style.prototype, p) for p in corpus.prints)
        rows = sorted(near.items(), reverse=True)
        expected += [[str(number), decimals(s), str(count)] for s, count in rows]
    assert rows_of(folder, 'style_curves') == expected and len(expected) > 8


@pytest.mark.parametrize('normalize', [False, True])
def test_curves_without_documents_passed_over(tmp_path, normalize):
    """Captures that are not compared, and pages without noise, are none."""
    found = [draft for draft in drafts(4, 2, 3) for _ in range(2)]
    found.insert(3, found[0]._replace(url='http://none.org/', words=''))
    options = Options(normalize_empty=normalize)
    line = ['--normalize-empty'] if normalize else []
    folder, _, bodies = make_run(tmp_path, *line, found=found)
    corpus = Corpus(bodies, options, read_parameters(options))
    page = corpus.styles()[0].prototype
    near = Counter(corpus.similarity(page, p) for p in corpus.prints)
    told = [row for row in rows_of(folder, 'style_curves') if row[0] == '1']
    assert told == [
        ['1', decimals(s), str(count)] for s, count in sorted(near.items())[::-1]
    ]
    assert sum(near.values()) == len(corpus.prints) < len(bodies)


@pytest.mark.apart
@pytest.mark.parametrize('tasks', [1, 3])
def test_tasks(made, tmp_path, tasks):
    """The same bytes, in processes of their own, and without the kernel."""
    folder, names, _ = made
    env = {'MR_REUSE_PURE': '1'} if tasks % 2 else {}
    line = ['-q', '-r', 'local', '-o', tmp_path, f'--tasks={tasks}']
    done = ended(apart(sys.executable, '-c', FORKED, *names, *line, env=env))
    assert done == (0, '', '')
    for table in ('style_features.tsv', 'style_curves.tsv'):
        assert (tmp_path / table).read_bytes() == (folder / table).read_bytes()


def test_how_many_are_described(made, tmp_path):
    """The first styles, and the largest ones; none with 0."""
    _, names, _ = made
    for most, expected in ((0, set()), (1, {'1'}), (9, {'1', '2'})):
        styles(names, tmp_path, f'--describe={most}')
        found = {row[0] for row in rows_of(tmp_path, 'style_features')}
        assert found == expected
    done = run('styles', '-o', tmp_path, '--describe=10001')
    assert done.code == 2 and done.err.startswith('error: --describe 10001: at most')


def test_the_largest_style_is_described(tmp_path):
    """Copies on two domains have a greater score than many pages of one."""
    found = [
        draft._replace(url=f'http://one.org/{n}') for n, draft in enumerate(drafts(9))
    ]
    found[9:11] = [found[9], found[9]._replace(url='http://two.org/')]
    folder, *_ = make_run(tmp_path, '--describe=1', found=found)
    pages = [int(row[1]) for row in rows_of(folder, 'styles')]
    described = {int(row[0]) for row in rows_of(folder, 'style_features')}
    assert described == {1, 1 + pages.index(max(pages))} and len(described) == 2


def test_archives_that_are_gone(made, tmp_path):
    """A style whose pages cannot be read is not described; the command says so."""
    _, names, _ = made
    crawl = tmp_path / 'crawl'
    crawl.mkdir()
    copies = [shutil.copy(name, crawl) for name in names]
    rows = [line.split('\t') for line in (made[0] / 'style_members.tsv').open()][1:]
    there, gone = copies
    shutil.move(gone, f'{gone}.away')
    lines = []
    for place, row in enumerate(rows[:12]):
        path = row[1].replace(str(names[0]).rpartition('/')[0], str(crawl))
        lines.append(f'{path}\t1\t{place}\t{row[2]}'.encode())
    # Another page is at the place of one; nothing begins at that of another.
    lines.append(f'{there}:0\t1\t90\thttp://other.org/'.encode())
    lines.append(f'{there}:7\t1\t91\thttp://other.org/'.encode())
    found = run_job(ReadFeatures, sorted(lines))
    sound = sum(there in row[1].replace(names[0], there) for row in rows[:12])
    stats = f'{{"features": {{"read": {sound}, "unread": {14 - sound}}}}}'
    assert found[-1] == b'@\t' + stats.encode() and 0 < sound < 12
    assert any(line.startswith(b'shared/0001\t') for line in found)


@pytest.mark.parametrize(
    'damage',
    [
        lambda data: b'',
        lambda data: data[: len(data) // 2],
        lambda data: random.Random(1).randbytes(len(data)),
        lambda data: data.replace(b'\x1f\x8b', b'\x1f\x8b\x07'),
        lambda data: bytes(byte ^ (n % 97 == 0) for n, byte in enumerate(data)),
    ],
)
def test_archives_that_are_damaged(made, tmp_path, damage):
    """Pages that cannot be read are counted; nothing else happens."""
    folder, names, _ = made
    archive = tmp_path / 'a.warc.gz'
    archive.write_bytes(damage(Path(names[0]).read_bytes()))
    lines = [
        f'{archive}:{row[1].rpartition(":")[2]}\t1\t{place}\t{row[2]}'.encode()
        for place, row in enumerate(rows_of(folder, 'style_members'))
        if row[1].startswith(names[0])
    ]
    found = run_job(ReadFeatures, lines)
    counts = json.loads(found[-1].split(b'\t')[1])['features']
    assert counts['read'] + counts['unread'] == len(lines) and counts['unread']


def test_unread_pages_are_told(made, tmp_path, monkeypatch):
    _, names, _ = made
    monkeypatch.setattr(
        'mr_reuse.styles.features.reading.read_page', lambda item, url: None
    )
    done = run('styles', *names, '-o', tmp_path, '-q', '-r', 'inline')
    assert done.code == 0 and rows_of(tmp_path, 'style_features') == []
    # Ten of twelve pages of forums, three of the shop, and all 23 documents.
    assert done.err == (
        'warning: 36 pages were not read again to describe styles: their archives '
        'have changed or cannot be read\n'
    )


def test_a_page_of_any_bytes(tmp_path):
    """Bytes that are no UTF-8, and control characters, stay as they are."""
    name = b'\xff\x1b[31m\x00'
    body = '<div class="BYTES">' + drafts(1)[0].words
    found = [drafts(1)[0]._replace(url=f'http://{h}.org/', words=body) for h in 'ab']
    names, _ = write_pages(tmp_path / 'crawl', [found], gzipped=False)
    archive = Path(names[0])
    archive.write_bytes(archive.read_bytes().replace(b'BYTES', name[:5]))
    styles(names, tmp_path / 'run')
    table = (tmp_path / 'run/style_features.tsv').read_bytes()
    assert b'\tclass\t\xff\x1b[31\t' in table
    assert run('show', tmp_path / 'run', '1').out.isprintable() is False
    assert '\x1b' not in run('show', tmp_path / 'run', '1').out


def test_pages_are_of_many_domains():
    """Each domain comes once before any comes twice; the prototype comes first."""
    domains = np.repeat(np.arange(7), [50, 1, 1, 1, 1, 2, 2])
    for prototype in (0, 49, 57):
        chosen = choose_members(np.arange(58) + 900, domains, prototype)
        assert len(chosen) == len({*chosen}) == MEMBERS and chosen[0] == prototype
        assert len({domains[n] for n in chosen[:7]}) == 7
        assert sorted(Counter(domains[chosen[7:]]).values()) == [1, 1, 1]
