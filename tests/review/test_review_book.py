"""What judges have said: kept whatever happens, taken back without being lost."""

import fcntl
import multiprocessing
import os
import random

import pytest

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.algorithms.sampling import Row
from mr_reuse.errors import UsageError, UserError
from mr_reuse.review import book as books
from mr_reuse.review import judgements, summary_tables
from mr_reuse.review.book import Book, Task
from mr_reuse.review.categories import HEADER, parse
from mr_reuse.review.kinds import KINDS
from mr_reuse.storage import disk

CATEGORIES = parse(
    'x', f'{HEADER}\na\tAds\tbad\nb\tBlog\tbenign\ns\tSuspect\tunclear\n'
)


def book_of(run, judge='ann', size=5, seed=1, folded=0) -> Book:
    """A book for 50 items, or for as many less as there are with a folder."""
    rows = [Row(b'%d.org/' % n, b'', sampling.ONLY_STRATUM) for n in range(50 - folded)]
    rows[:folded] = [row._replace(inside=b'x/', folded=1) for row in rows[:folded]]
    sample = sampling.draw_sample(rows, size, seed)
    kind = KINDS['neighborhoods']
    return Book(Task(str(run), judge, kind, sample, False, seed, CATEGORIES))


def names(state: dict) -> dict[str, list[str]]:
    return {place: one['names'] for place, one in state['items'].items()}


def test_said_and_taken_back(tmp_path):
    book = book_of(tmp_path)
    book.judge(1, ['a'], '')
    book.judge(2, ['b', 'a'], 'both\tof\nthem')
    assert book.judge(1, ['b'], '')['place'] == 1
    assert names(book.state()) == {'1': ['Blog'], '2': ['Ads', 'Blog']}
    assert book.state()['items']['2']['note'] == 'both of them'
    assert book.undo()['place'] == 1
    assert names(book.state())['1'] == ['Ads']
    assert book.undo()['judged'] == 1 and names(book.undo()) == {}
    with pytest.raises(UserError, match='no judgement to undo'):
        book.undo()
    lines = (tmp_path / 'judgements.tsv').read_text().splitlines()
    assert len(lines) == 1 + 3 + 3  # nothing was ever removed
    assert [line.split('\t')[2] for line in lines[1:]] == ['judged'] * 3 + [
        'undone'
    ] * 3
    # an undo says what holds after it
    assert [line.split('\t')[5] for line in lines[4:]] == ['Ads', '', '']


def test_the_same_again_is_not_said_twice(tmp_path):
    book = book_of(tmp_path)
    for _ in range(3):
        book.judge(1, ['a'], 'why')
    assert len((tmp_path / 'judgements.tsv').read_text().splitlines()) == 2


def test_a_note_alone_is_no_judgement(tmp_path):
    book = book_of(tmp_path)
    assert book.judge(3, [], 'what is this?')['judged'] == 0
    lines = list(books.read_all(str(tmp_path)))
    assert judgements.samples(lines) == {}
    assert book.judge(3, ['s'], 'what is this?')['judged'] == 1


def test_whatever_is_said_in_whatever_order(tmp_path):
    """Against a plain list of what is to be remembered."""
    dice, book = random.Random(1), book_of(tmp_path)
    history = []
    for _ in range(150):
        now = dict(history)
        if history and dice.random() < 0.3:
            history.pop()
            book.undo()
        else:
            place, keys = dice.randint(1, 5), dice.sample('abs', dice.randint(1, 2))
            said = [c.name for c in CATEGORIES if c.key in keys]
            if now.get(str(place)) != said:
                history.append((str(place), said))
            book.judge(place, keys, '')
        assert names(book.state()) == dict(history)
    assert names(book_of(tmp_path).state()) == dict(history)  # and after a restart


def test_judges_and_samples_are_apart(tmp_path):
    book_of(tmp_path).judge(1, ['a'], '')
    for other in (book_of(tmp_path, 'bob'), book_of(tmp_path, seed=2)):
        assert other.state() == {'judged': 0, 'items': {}}
        with pytest.raises(UserError, match='no judgement to undo'):
            other.undo()
    larger = book_of(tmp_path, size=20)  # which begins with the smaller one
    assert names(larger.state()) == {'1': ['Ads']}
    larger.judge(17, ['b'], '')
    with pytest.raises(UserError, match='--sample 17'):
        book_of(tmp_path).undo()


def test_another_population(tmp_path):
    """What was said of items before hosts were folded is kept, and told apart."""
    old = book_of(tmp_path)
    old.judge(1, ['a'], '')
    old.judge(2, ['b'], '')
    old.judge(3, [], 'a note alone')
    lines = (tmp_path / 'judgements.tsv').read_text()
    assert 'folded' not in lines
    new = book_of(tmp_path, folded=20)
    assert (old.count_earlier(), new.count_earlier()) == (0, 2)
    assert new.state() == {'judged': 0, 'items': {}}
    with pytest.raises(UserError, match='no judgement to undo'):
        new.undo()
    new.judge(1, ['s'], '')
    assert names(old.state())['1'] == ['Ads'] and old.count_earlier() == 1
    # another seed or judge is another sample, not another population
    assert book_of(tmp_path, seed=2, folded=20).count_earlier() == 0
    assert book_of(tmp_path, 'bob', folded=20).count_earlier() == 0
    text = (tmp_path / 'judgements.tsv').read_text()
    assert text.startswith(lines)
    whole = judgements.read_line(text.splitlines()[-1].encode())
    assert (whole.folded, whole.population, whole.how) == (20, 30, ('uniform', '1'))
    found = judgements.samples(line for line in books.read_all(str(tmp_path)) if line)
    told = summary_tables.summary(found, {'neighborhoods': 'bad neighborhoods'}, {})
    lines = told.splitlines()
    assert [line for line in lines if line.startswith('population')] == [
        'population: 30 bad neighborhoods, hosts joined with equal folders; '
        '50 rows of the table',
        'population: 50 bad neighborhoods; 50 rows of the table',
    ]
    assert '2 judged by ann (uniform sample of 50, seed 1)' in told
    assert '1 judged by ann (uniform sample of 30, seed 1)' in told


@pytest.mark.parametrize('place, keys', [(0, ['a']), (6, ['a']), (-1, []), (1, ['x'])])
def test_nothing_that_is_not_there(tmp_path, place, keys):
    with pytest.raises(UsageError):
        book_of(tmp_path).judge(place, keys, '')
    assert len(list(books.read_all(str(tmp_path)))) == 0


def test_torn_at_any_byte(tmp_path):
    """Whatever was left of the last line: the others hold, and new ones are whole."""
    book = book_of(tmp_path)
    book.judge(1, ['a'], '')
    book.judge(2, ['b'], 'größer \udcff')
    whole = (tmp_path / 'judgements.tsv').read_bytes()
    start = whole.rindex(b'\n', 0, -1) + 1
    for end in range(start, len(whole)):
        (tmp_path / 'judgements.tsv').write_bytes(whole[:end])
        torn = book_of(tmp_path)
        kept = (
            {'1': ['Ads'], '2': ['Blog']} if end == len(whole) - 1 else {'1': ['Ads']}
        )
        assert names(torn.state()) == kept
        torn.judge(3, ['s'], '')
        assert names(torn.state()) == {**kept, '3': ['Suspect']}
        assert (tmp_path / 'judgements.tsv').read_bytes().startswith(whole[:end])


def test_a_table_of_another_kind(tmp_path):
    (tmp_path / 'judgements.tsv').write_text('judge\tpage\n')
    with pytest.raises(UserError, match='not a table of this version'):
        book_of(tmp_path).state()


def add_lines(name: str, mark: str) -> None:
    for number in range(200):
        line = f'{mark} {number} {"x" * 3000}\n'.encode()
        storage.append(name, lambda line=line: line)


def test_many_writers_at_a_time(tmp_path):
    name = str(tmp_path / 'lines')
    writers = [
        multiprocessing.Process(target=add_lines, args=(name, m)) for m in 'abcd'
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    lines = (tmp_path / 'lines').read_text().splitlines()
    expected = [f'{m} {n} {"x" * 3000}' for m in 'abcd' for n in range(200)]
    assert sorted(lines) == sorted(expected)


def judge_and_undo(run: str, seed: int) -> None:
    book, dice = book_of(run), random.Random(seed)
    for _ in range(60):
        try:
            if dice.random() < 0.6:
                book.judge(dice.randint(1, 5), [dice.choice('abs')], '')
            else:
                book.undo()
        except UserError as error:
            assert 'no judgement to undo' in str(error)


def test_undo_in_two_servers(tmp_path):
    """What an undo takes back is what it says, also if another server writes."""
    book_of(tmp_path)
    servers = [
        multiprocessing.Process(target=judge_and_undo, args=(str(tmp_path), seed))
        for seed in range(3)
    ]
    for server in servers:
        server.start()
    for server in servers:
        server.join()
    assert [server.exitcode for server in servers] == [0, 0, 0]
    stack, undone = [], 0
    for line in books.read_all(str(tmp_path)):
        if line.action == 'judged':
            stack.append(line.item)
        else:
            undone += 1
            assert stack.pop() == line.item
    assert undone > 20


def test_locked_by_somebody(tmp_path, monkeypatch):
    """Whoever may read the book can lock it; that is not waited for without end."""
    monkeypatch.setattr(disk, 'PATIENCE', 0.2)
    book = book_of(tmp_path)
    with open(tmp_path / 'judgements.tsv') as stream:
        fcntl.flock(stream, fcntl.LOCK_SH)
        with pytest.raises(UserError, match='another process has locked it'):
            book.judge(1, ['a'], '')
    book.judge(1, ['a'], '')
    assert names(book.state()) == {'1': ['Ads']}


def test_no_file(tmp_path):
    """Neither a link that leads out of the run nor a pipe is a book."""
    (tmp_path / 'judgements.tsv').symlink_to(tmp_path / 'outside')
    with pytest.raises(UserError, match='neither a file nor a folder'):
        book_of(tmp_path)
    assert not (tmp_path / 'outside').exists()
    (tmp_path / 'judgements.tsv').unlink()
    os.mkfifo(tmp_path / 'judgements.tsv')
    with pytest.raises(UserError, match='neither a file nor a folder'):
        list(books.read_all(str(tmp_path)))


@pytest.mark.parametrize(
    'numbers', ['0\t\t9\t9', '9\t\t9\t5', '1\t\t0\t0', '-5\t\t9\t9']
)
def test_odd_numbers(tmp_path, numbers):
    """They are nobody's, and no line of a sample."""
    start = 't\tann\tjudged\tpages\ta:0\tAds\tbad\t\t'
    line = f'{start}{numbers}\tuniform seed=1 frame=00000000000000ff\n'
    assert judgements.read_line(line.encode()) is None
    fine = line.replace(numbers, '1\t\t9\t9').encode()
    assert judgements.read_line(fine).population == 9


# Categories


@pytest.mark.parametrize(
    'text, why',
    [
        ('', 'the first line must have these columns'),
        ('key\tname\n', 'the first line must have these columns: key, name, counts'),
        (HEADER, 'it has no categories'),
        (f'{HEADER}\n\tAds\tbad\t', "line 2: '' is no key"),
        (f'{HEADER}\nA\tAds\tbad\t', "line 2: 'A' is no key"),
        (f'{HEADER}\nab\tAds\tbad\t', "'ab' is no key"),
        (f'{HEADER}\nn\tNews\tbad\t', 'the key n is reserved'),
        (f'{HEADER}\na\t\tbad\t', 'is no name'),
        (f'{HEADER}\na\tAds; spam\tbad\t', 'has a semicolon'),
        (f'{HEADER}\na\tAds\tevil\t', "'evil' should be benign, unclear or bad"),
        (f'{HEADER}\na\tAds\tbad\na\tBlog\tbenign', 'line 3: the key a occurs twice'),
        (f'{HEADER}\na\tAds\tbad\nb\tAds\tbad', 'line 3: the name Ads occurs twice'),
    ],
)
def test_odd_categories(text, why):
    with pytest.raises(UserError, match='^x.tsv') as refused:
        parse('x.tsv', text)
    assert why in str(refused.value)


def test_categories_as_people_save_them():
    rows = '1\tAds\tbad\r\n2\tBlog\tbenign\tof one\r\n'
    text = f'\ufeff{HEADER}\r\n# a remark\r\n\r\n{rows}'
    assert [tuple(one) for one in parse('x.tsv', text)] == [
        ('1', 'Ads', 'bad', ''),
        ('2', 'Blog', 'benign', 'of one'),
    ]
