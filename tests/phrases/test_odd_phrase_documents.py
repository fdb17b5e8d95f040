"""Odd and hostile pages, and odd crawls: each is read, counted and bounded."""

import random
from fractions import Fraction

import pytest
from commands import run
from phrase_crawls import arguments, phrases, random_pages, rows, tables_in, write_texts
from quilt_crawls import Draft, divide, write_record
from reference_phrase_tables import (
    TABLES,
    Corpus,
    Options,
    Sampler,
    Text,
    root_decimals,
)
from reference_quilts import decimals


@pytest.fixture(scope='module')
def sampler():
    return Sampler()


def words(count: int, name: str = 'w') -> list[str]:
    return [f'{name}{n}' for n in range(count)]


def hosts(texts) -> list[Draft]:
    """A page on a host of its own for each text."""
    return [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]


def write_bodies(folder, bodies, charset='') -> list[str]:
    """An archive of pages with these bodies."""
    media = 'text/html' + (f'; charset={charset}' if charset else '')
    drafts = [Draft(f'http://h{n}.org/', '', media=media) for n in range(len(bodies))]
    path = folder / 'bodies.warc'
    path.write_bytes(b''.join(map(write_record, drafts, bodies)))
    return [str(path)]


def left_out(run_folder) -> list[str]:
    """The URLs of the near-duplicates."""
    return [row[1] for row in rows(tables_in(run_folder)['near_duplicates.tsv'])]


def check(names, texts: list[Text], folder, options: Options, sampler) -> Corpus:
    """Run the command; the reference, of which all tables are the same."""
    counts = phrases(names, folder / 'run', *arguments(options))
    corpus = Corpus(texts, options, sampler)
    assert tables_in(folder / 'run') == corpus.tables()
    assert counts.items() >= corpus.counts_of_stats().items()
    return corpus


def test_pages_of_few_words(tmp_path, sampler):
    """Pages of any words have as many phrases; those without any are counted."""
    texts = [words(n) for n in (0, 1, 2, 3, 4, 5, 6, 0, 1)] + [['w0'] * 9]
    names, pages = write_texts(tmp_path, [hosts(texts)])
    corpus = check(names, pages, tmp_path, Options(popular=1), sampler)
    assert corpus.counts_of_stats()['wordless'] == 2
    assert left_out(tmp_path / 'run') == ['http://h8.org/', 'http://h9.org/']


def test_one_page(tmp_path, sampler):
    names, pages = write_texts(tmp_path, [hosts([words(50)])])
    check(names, pages, tmp_path, Options(popular=1, covers=1), sampler)


def test_pages_without_words(tmp_path):
    names, _ = write_texts(tmp_path, [hosts(['', '<br>', '<!-- x -->', '- ... -'])])
    done = run('phrases', *names, '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 0
    tables = tables_in(tmp_path / 'run')
    assert [table.count(b'\n') for table in tables.values()] == [1] * len(TABLES)


def test_no_page(tmp_path):
    drafts = [Draft('http://a.org/', words(50), media='text/plain')]
    names, _ = write_texts(tmp_path, [drafts])
    done = run('phrases', *names, '-q', '-r', 'inline', '-o', tmp_path / 'run')
    assert done.code == 0
    assert done.err.startswith('warning: no documents in the input: its pages are ')
    tables = tables_in(tmp_path / 'run')
    assert [table.count(b'\n') for table in tables.values()] == [1] * len(TABLES)


def test_plain_text_hides_no_page(tmp_path, sampler):
    """An earlier capture that is no document is not chosen."""
    early, late = '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'
    drafts = [
        Draft('http://a.org/', words(9), early, media='text/plain'),
        Draft('http://a.org/', words(8), late),
        Draft('http://b.org/', words(7), late, media='text/plain'),
    ]
    names, pages = write_texts(tmp_path, [drafts])
    for types in ('html', 'text'):
        check(names, pages, tmp_path, Options(popular=1, types=types), sampler)


def test_scripts_are_text_unless_dropped(tmp_path, sampler):
    script = '<script>var a = "<b>x</b>"; // one two</script><style>p { q: r }</style>'
    title = '<title>t &amp; u</title><noscript>n</noscript>'
    texts = [script + 'three' * n + title for n in range(1, 4)]
    names, pages = write_texts(tmp_path, [hosts(texts)])
    for scripts in ('keep', 'drop'):
        check(names, pages, tmp_path, Options(popular=1, scripts=scripts), sampler)


def test_words_of_all_scripts(tmp_path, sampler):
    """Phrases are printed in lower case, and compared by their bytes."""
    texts = [
        'ÄRGER ΣΊΣΥΦΟΣ İSTANBUL e\u0301te\u0301 naïve ﬃ ②③',
        '語学は楽しい です 々 ー 〇 ไทย ภาษา ລາວ ខ្មែរ မြန်မာ བོད',
        '𝒳 𐐀𐐁 x\u200dy z\u00adw ǅ ẞ ß',
    ]
    names, pages = write_texts(tmp_path, [hosts(texts * 2)])
    for rule in ('unicode', 'paper'):
        options = Options(popular=1, words=rule)
        check(names, pages, tmp_path, options, sampler)


@pytest.mark.slow
def test_one_word_many_times(tmp_path):
    """In more words than are held in memory together."""
    drafts = hosts([['w'] * 1_000_000, ['w'] * 1_000_000, ['w'], ['v'] * 999_999])
    names, _ = write_texts(tmp_path, [drafts])
    counts = phrases(names, tmp_path / 'run', '--popular=1')
    assert (counts['words'], counts['near_duplicates']) == (3_000_000, 2)
    found = rows(tables_in(tmp_path / 'run')['phrases.tsv'])
    assert found == [['1', '84', 'v v v v v'], ['1', '84', 'w w w w w']]


def test_one_long_word(tmp_path):
    """And text without spaces: a word, and many words of a script without spaces."""
    bodies = [
        b'<html>a b c d ' + b'x' * 5_000_000,
        '<html>語'.encode() + '語'.encode() * 999,
    ]
    names = write_bodies(tmp_path, bodies)
    counts = phrases(names, tmp_path / 'run', '--popular=1')
    assert (counts['words'], counts['popular_phrases']) == (1005, 6)
    texts = {row[2] for row in rows(tables_in(tmp_path / 'run')['phrases.tsv'])}
    assert '語 語 語 語 語' in texts
    assert 'a b c d ' + 'x' * 5_000_000 in texts


@pytest.mark.parametrize(
    'opening', [b'<!-- x', b'<a href="x', b'<textarea', b'</x y="', b'<' * 99]
)
def test_unclosed(tmp_path, opening):
    """A page is read to its end, and the next one is sound."""
    text = ' '.join(words(9)).encode()
    bodies = [b'<html>' + text + b' ' + opening, b'<html>' + text]
    phrases(write_bodies(tmp_path, bodies), tmp_path / 'run')
    assert left_out(tmp_path / 'run') == ['http://h1.org/']


def test_nested_tags(tmp_path):
    text = ' '.join(words(9)).encode()
    bodies = [b'<html>' + text + b'<i>' * 1_000_000, b'<html>' + text]
    phrases(write_bodies(tmp_path, bodies), tmp_path / 'run')
    assert left_out(tmp_path / 'run') == ['http://h1.org/']


@pytest.mark.parametrize('charset', ['', 'utf-8', 'iso-8859-1', 'no-such', 'shift_jis'])
def test_charsets(tmp_path, charset):
    """Words that are declared wrong are words; equal bytes stay equal."""
    text = 'ä ö ü ß é a b c'.encode() + b' \xff\xfe \xc3( x'
    names = write_bodies(tmp_path, [b'<html>' + text] * 2, charset)
    phrases(names, tmp_path / 'run')
    assert left_out(tmp_path / 'run') == ['http://h1.org/']


@pytest.mark.parametrize('filler', [b'<' * (20 << 20), b'<p>' * (6 << 20)])
def test_large_bodies(tmp_path, filler):
    """A body that is too large to hold is read in pieces, each time."""
    text, half = (' '.join(words(count)).encode() for count in (40, 20))
    found = []
    for more in (b'', b' ' + filler):
        bodies = [b'<html>' + text + more, b'<html>' + half, b'<html>' + text]
        phrases(write_bodies(tmp_path, bodies), tmp_path / 'run', '--popular=1')
        assert left_out(tmp_path / 'run') == ['http://h2.org/']
        tables = tables_in(tmp_path / 'run')
        pages = [row[1:] for row in rows(tables['phrase_pages.tsv'])]
        found.append((pages, tables['phrases.tsv']))
    assert found[0] == found[1]


@pytest.mark.slow
def test_large_text(tmp_path):
    """The phrases at the borders of pieces, and around the end, are phrases."""
    text = words(700_000)
    names, _ = write_texts(tmp_path, [hosts([text, text[-3:] + text[:-3]])])
    phrases(names, tmp_path / 'run')
    assert left_out(tmp_path / 'run') == ['http://h1.org/']


def test_copies(tmp_path, sampler):
    """Copies of a page in several archives: the first of all is kept."""
    drafts = [Draft(f'http://h{n}.org/', words(30)) for n in range(60)]
    names, pages = write_texts(tmp_path, [drafts[:20], drafts[20:50], drafts[50:]])
    corpus = check(names, pages, tmp_path, Options(popular=1), sampler)
    assert [page.url for page in corpus.kept] == ['http://h0.org/']


@pytest.mark.slow
def test_class_with_half_of_the_crawl(tmp_path):
    drafts = [
        Draft(f'http://h{n}.org/', words(30, 'w' if n % 2 else f'own{n}x'))
        for n in range(10_000)
    ]
    names, pages = write_texts(tmp_path, [drafts[:4999], drafts[4999:]], gzipped=False)
    counts = phrases(names, tmp_path / 'run')
    assert (counts['near_duplicates'], counts['kept']) == (4999, 5001)
    found = rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])
    assert {row[2] for row in found} == {pages[1].rid}


@pytest.mark.slow
def test_path_of_near_duplicates(tmp_path, sampler):
    """Each page has one word less and one more than the page before.

    Pages that are a hundred steps apart are no near-duplicates.
    """
    text, starts = words(1400, 'word'), [*range(1000)]
    random.Random(1).shuffle(starts)
    drafts = [
        Draft(f'http://h{n}.org/', text[start : start + 400])
        for n, start in enumerate(starts)
    ]
    names, pages = write_texts(tmp_path, [drafts[:300], drafts[300:]], gzipped=False)
    corpus = check(names, pages, tmp_path, Options(), sampler)
    assert len(corpus.kept) < 50


@pytest.mark.slow
def test_phrase_on_every_page(tmp_path, sampler):
    """Among phrases of its own each page has one that all pages have."""
    texts = [[*words(5, 'all'), *words(3, f'own{n}x')] for n in range(5000)]
    drafts = hosts(texts)
    names, _ = write_texts(tmp_path, [drafts[::2], drafts[1::2]], gzipped=False)
    counts = phrases(names, tmp_path / 'run')
    assert counts['near_duplicates'] == 0
    common = ' '.join(words(5, 'all'))
    shingles = [sampler.shingles(text) for text in texts]
    documents = [column.count(common) for column in zip(*shingles, strict=True)]
    popular = [count for count in documents if count >= 5]
    assert rows(tables_in(tmp_path / 'run')['phrases.tsv']) == [
        [str(max(popular)), str(len(popular)), common]
    ]


@pytest.mark.slow
def test_host_with_many_pages(tmp_path):
    """Its mean and deviation are exact."""
    drafts = [
        Draft(f'http://host.org/{n}', [*words(12, f't{n % 9}x'), *words(3, f'own{n}x')])
        for n in range(20_000)
    ]
    names, _ = write_texts(tmp_path, [drafts[:4000], drafts[4000:]], gzipped=False)
    counts = phrases(names, tmp_path / 'run', '--covers=2')
    tables = tables_in(tmp_path / 'run')
    popular = [int(row[3]) for row in rows(tables['phrase_pages.tsv'])]
    assert counts['kept'] == len(popular) > 19_000
    mean = Fraction(sum(popular), len(popular))
    square = sum((count - mean) ** 2 for count in popular) / len(popular)
    facts = [str(len(popular)), decimals(mean), root_decimals(square)]
    assert rows(tables['phrase_hosts.tsv']) == [['host.org', *facts, '1']]


@pytest.mark.slow
def test_many_pages_of_one_word(tmp_path):
    """Pages of 100 words, of which each page has one."""
    texts = [f'w{n % 100}' for n in range(20_000)]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, pages = write_texts(tmp_path, [drafts], gzipped=False)
    counts = phrases(names, tmp_path / 'run', '--popular=1')
    assert (counts['kept'], counts['near_duplicates']) == (100, 19_900)
    found = rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])
    assert found == [
        [page.rid, page.url, pages[number % 100].rid]
        for number, page in enumerate(pages)
        if number >= 100
    ]


def test_hosts_near_the_bounds(tmp_path, sampler):
    """With 9 and 10 pages, with a mean below 30, and with a deviation above 15."""
    shared = words(400, 'all')
    sizes = {'nine': [30] * 9, 'ten': [30] * 10, 'low': [4] * 10, 'mixed': [60, 0] * 9}
    drafts = [
        Draft(f'http://{host}.org/{n}', [*shared[:size], *words(9, f'{host}{n}x')])
        for host, found in sizes.items()
        for n, size in enumerate(found)
    ]
    names, pages = write_texts(tmp_path, [drafts])
    corpus = check(names, pages, tmp_path, Options(), sampler)
    monsters = {row[0]: row[-1] for row in corpus.host_rows()}
    assert monsters == {'ten.org': 1, 'mixed.org': 0}


def test_hosts_exactly_at_the_bounds(tmp_path, sampler):
    """A mean of 30 is enough, and a deviation of 15 is too much for a monster.

    The popular shingles of a page do not depend on its host, so hosts get pages after
    the reference has counted these.
    """
    shared, dice = words(60, 'all'), random.Random(1)
    texts = [
        [*shared[:size], *words(9, f'own{size}x{n}x')]
        for size in (50, 14, 11)
        for n in range(50)
    ]
    names, pages = write_texts(tmp_path, [hosts(texts)])
    corpus = Corpus(pages, Options(), sampler)
    counts = {p.words[-1]: len(corpus.positions[p.rid]) for p in corpus.kept}
    hosts_of = dict(zip(pick_hosts(counts, dice), NAMES, strict=True))
    host_of = {word: name for chosen, name in hosts_of.items() for word in chosen}
    drafts = [
        Draft(f'http://{host_of.get(text[-1], "other.org")}/{n}', text)
        for n, text in enumerate(texts)
    ]
    names, pages = write_texts(tmp_path, [drafts])
    check(names, pages, tmp_path, Options(), sampler)
    table = rows(tables_in(tmp_path / 'run')['phrase_hosts.tsv'])
    found = {row[0]: row[2:] for row in table}
    assert found['deviation-15.org'][1:] == ['15.000000000', '0']
    assert found['mean-30.org'][0] == '30.000000000'
    assert 'mean-29.9.org' not in found


NAMES = 'deviation-15.org', 'mean-30.org', 'mean-29.9.org'


def variance(numbers: list[int]) -> float:
    """The variance of ten numbers, which the division does not round at 225."""
    return (10 * sum(n * n for n in numbers) - sum(numbers) ** 2) / 100


def pick_hosts(counts: dict[str, int], dice: random.Random) -> list[tuple[str, ...]]:
    """Draw ten pages for each of the hosts, until their numbers are as wanted."""
    left, chosen = sorted(counts), []
    wanted = (
        lambda numbers: sum(numbers) >= 300 and variance(numbers) == 15**2,
        lambda numbers: sum(numbers) == 300,
        lambda numbers: sum(numbers) == 299,
    )
    for is_wanted, most in zip(wanted, (84, 40, 40), strict=True):
        usable = [word for word in left if counts[word] <= most]
        pages: list[str] = []
        while not pages or not is_wanted([counts[word] for word in pages]):
            pages = dice.sample(usable, 10)
        left = [word for word in left if word not in pages]
        chosen.append(tuple(pages))
    return chosen


def test_hosts_of_odd_names(tmp_path, sampler):
    """Ports, dots at the end, addresses, no host at all, and no address."""
    dice = random.Random(2)
    drafts = random_pages(dice, 60)
    names, pages = write_texts(tmp_path, divide(dice, drafts, 2))
    options = Options(popular=2, captures='all')
    check(names, pages, tmp_path, options, sampler)
