"""The sections on phrases, against numbers that are known."""

import json
import random
import re
from collections import Counter

import pytest
from commands import run
from crawls import write_warc
from phrase_runs import CLASS_COUNTS, CLASSES, near_duplicate, page, write_run
from reports import Report, words
from reviews import TRIES

from mr_reuse.phrases.phrase_tables import COVERS, PHRASE_HOSTS, PHRASES
from mr_reuse.report.phrases import classes, covers, phrase_hosts, phrases
from mr_reuse.report.phrases.counts import read_facts
from mr_reuse.report.phrases.page_counts import read_pages
from mr_reuse.report.run import Run

SECTIONS = ['near_duplicates', 'phrases', 'phrase_hosts', 'covers', 'reading', 'tables']


def cells(report: Report, css: str, number: int = 0) -> list[list[str]]:
    """The cells of a table, without its head."""
    table = report.tree.cssselect(f'{css} table')[number]
    rows = ([c.text_content() for c in r] for r in table.cssselect('tbody tr'))
    return [[' '.join(cell.split()) for cell in row] for row in rows]


@pytest.fixture
def report(tmp_path):
    return Report(write_run(tmp_path / 'RUN', CLASSES, **CLASS_COUNTS))


# Near-duplicates


def test_numbers(report):
    assert report.sections == SECTIONS
    assert report.text('h1') == 'Near-duplicates and popular phrases'
    assert report.text('#near_duplicates .lead') == (
        '7 of 20 documents are near-duplicates (35.0 %) of 3 others. The others are '
        'kept, one of each class of near-duplicates.'
    )
    told = report.text('#near_duplicates')
    assert 'A class may be a chain.' in told
    assert 'its first and its last page need not be alike' in told
    assert '2 of 7 near-duplicates are on the host of the document that is kept' in told
    assert 'and 5 on another host' in told


def test_classes(report):
    """By size: 2, 3 to 4, 5 to 8; then each with its hosts, the largest first."""
    assert cells(report, '#near_duplicates') == [
        ['2', '1', '2'],
        ['3 to 4', '1', '3'],
        ['5 to 8', '1', '5'],
    ]
    largest = cells(report, '#near_duplicates', 1)
    assert largest[::2] == [
        ['http://a.test/0', '5', '3'],
        ['http://a.test/1', '3', '3'],
        ['http://d.test/2', '2', '1'],
    ]
    at = '; the page that is kept is at a:'
    assert largest[1::2] == [
        [f'On a.test (2), b.test (2), c.test (1){at}0'],
        [f'On a.test (1), b.test (1), d.test (1){at}1'],
        [f'All are on d.test{at}2'],
    ]


def test_hosts_of_near_duplicates(report):
    assert cells(report, '#near_duplicates', 2) == [
        ['b.test', 'a.test', '3'],
        ['c.test', 'a.test', '1'],
        ['d.test', 'a.test', '1'],
    ]
    assert cells(report, '#near_duplicates', 3) == [['a.test', '1'], ['d.test', '1']]


def test_bars_of_sizes(report):
    """A bar for each of three groups of sizes, all of one class, side by side."""
    [bars] = report.tree.cssselect('#class-sizes .bars')
    found = re.findall(r'M(\S+) (\S+)V(\S+)H(\S+?)V', bars.get('d'))
    assert len(found) == 3 and len({height for _, _, height, _ in found}) == 1
    edges = [float(x) for left, _, _, right in found for x in (left, right)]
    assert edges == sorted(edges)


def test_single_things(tmp_path):
    tables = {
        'near_duplicates': [near_duplicate(9, 'a.test', 0)],
        'phrase_pages': [page(0, 'a.test', 60)],
        'phrases': [(5, 1, 'one two three four five')],
        'phrase_frequency': [(5, 1)],
        'phrase_hosts': [('a.test', 10, '60.000000000', '1.000000000', 1)],
        'covers': [('a:0', 'http://a.test/', 60, 1, 60)],
        'cover_sources': [('a:0', 1, 'a:5', 'http://b.test/', 60, 60, 1)],
    }
    counts = {'documents': 3, 'near_duplicates': 1, 'classes': 1, 'kept': 1}
    counts |= {'wordless': 1, 'passed_over': 1, 'popular_phrases': 1, 'unread': 1}
    counts |= {'popular_shingles': 1, 'hosts': 1, 'listed': 1, 'monsters': 1}
    report = Report(write_run(tmp_path / 'RUN', tables, **counts))
    lead = '#{} .lead'.format
    assert report.text(lead('near_duplicates')) == (
        '1 of 3 documents is a near-duplicate (33.3 %) of 1 other. The other is kept.'
    )
    assert report.text(lead('phrases')) == (
        '1 phrase is popular: at least 5 documents of the 1 that are kept have it in '
        'their samples. 1 document has a popular phrase in the sample (100.0 %). In '
        'the sample of 1 document (100.0 %), at least half of the phrases are popular.'
    )
    assert report.text(lead('phrase_hosts')) == (
        '1 host has many popular phrases, of 1: it has at least 10 documents, with at '
        'least 30 popular shingles of 84 on average. It is a monster.'
    )
    assert report.text(lead('covers')) == (
        '1 document is covered, by 1 other. Of its popular shingles, 100.0 % are from '
        'foreign sources.'
    )
    told = report.text()
    for text in (
        'without 1 other capture of their URLs',
        '1 document has no words, and is not compared',
        '1 phrase is missing there: the archives with its words have changed',
        '1 popular shingle by its number of documents',
    ):
        assert text in told
    wrong = r'(?<![\d.,])1 (documents|phrases|hosts|others|shingles|sources|classes)\b'
    for part in report.tree.cssselect('p, figcaption, summary, caption, li'):
        assert not re.search(wrong, words(part))


def test_nothing_found(tmp_path):
    tables = {'phrase_pages': [page(0, 'a.test', 0)]}
    counts = {'documents': 1, 'kept': 1, 'hosts': 1}
    report = Report(write_run(tmp_path / 'RUN', tables, **counts))
    told = report.text()
    assert 'No document is a near-duplicate of another, of 1 document.' in told
    assert 'No phrase is popular' in told and 'none has at least 10' in told
    assert 'No document has at least 30 popular shingles.' in told
    assert [e.get('id') for e in report.tree.cssselect('svg')] == ['popular-shingles']
    report = Report(write_run(tmp_path / 'EMPTY', {}))
    assert report.sections == SECTIONS and not report.tree.cssselect('svg')


# Many classes


def test_a_sample_of_many_classes(tmp_path, monkeypatch):
    """Of random classes, those of the sample are exact, and the largest are found."""
    monkeypatch.setattr(classes, 'MAX_CLASSES', 200)
    dice = random.Random(5)
    left_out = {n: dice.choice([1, 1, 1, 2, 3, 9]) for n in range(1000)}
    left_out |= {n: 200 + n for n in range(12)}
    kept = [n for n, count in left_out.items() for _ in range(count)]
    dice.shuffle(kept)
    tables = {
        'near_duplicates': [
            near_duplicate(5000 + n, f'h{n % 7}.test', at) for n, at in enumerate(kept)
        ],
        'phrase_pages': [page(n, 'a.test', 1) for n in left_out],
    }
    counts = {'documents': len(kept) + 1000, 'near_duplicates': len(kept)}
    folder = tmp_path / 'RUN'
    write_run(folder, tables, classes=1000, kept=1000, **counts)
    report = Report(folder)
    rows = cells(report, '#near_duplicates', 1)[::2]
    assert rows == [[f'http://a.test/{n}', str(201 + n), '8'] for n in range(11, 1, -1)]
    told = report.text('#near_duplicates')
    assert 'one in 8 of them' in told and 'may be missing in this list' in told
    groups = cells(report, '#near_duplicates')
    assert 60 < sum(int(row[1]) for row in groups) < 200  # of 1000, one in 8
    share = dict.fromkeys(('2', '3 to 4', '9 to 16'), 0)
    share |= {row[0]: int(row[1]) for row in groups}
    by_size = Counter(
        '2' if n == 1 else '3 to 4' if n < 4 else '9 to 16'
        for n in left_out.values()
        if n < 100
    )
    for group, number in by_size.items():
        assert number / 16 < share[group] < number / 5


def test_a_class_of_many_hosts(monkeypatch):
    """Memory is bounded, and the host of most documents is found, though it is late."""
    monkeypatch.setattr(classes, 'MAX_HOSTS', 20)
    large = classes.LargeClass('a:0', 'http://a.test/', 'a.test')
    for n in range(19):
        large.add(f'{n}.test')
    assert (large.count_hosts, large.has_more_hosts) == (20, False)
    for n in range(300):
        large.add('often.test' if n % 3 == 0 else f'x{n}.test')
    assert (large.size, large.count_hosts, large.has_more_hosts) == (320, 20, True)
    assert large.first_hosts(1)[0][0] == 'often.test'


def test_sizes_are_exact_up_to_the_limit():
    """No class is left to the sample or to luck."""
    dice = random.Random(1)
    kept = [f'a:{dice.randrange(300)}' for _ in range(5000)]
    sizes = classes.ClassSizes(300)
    for rid in kept:
        sizes.add(rid)
    assert sizes.step == 1 and sizes.unlisted == 0
    assert sorted(sizes.sampled.values()) == sorted(Counter(kept).values())


# Popular phrases


def test_phrases_and_search(tmp_path):
    """The first are visible, the others folded; not more than a limit."""
    rows = [(2000 - n, 3, f'a b c d word{n}') for n in range(1100)]
    tables = {'phrases': rows, 'phrase_frequency': [(2000, 3), (5, 70)]}
    counts = {'popular_phrases': 9999, 'popular_shingles': 73, 'kept': 5000}
    report = Report(write_run(tmp_path / 'RUN', tables, {'top': 1100}, **counts))
    first, others = cells(report, '#phrases'), cells(report, '#phrases', 1)
    assert first[0] == ['a b c d word0', '2,000', '3'] and len(first) == 20
    assert others[-1] == ['a b c d word999', '1,001', '3'] and len(others) == 980
    [field] = report.tree.cssselect('#phrases .search input')
    assert field.get('id') == 'phrase-search'
    assert len(report.tree.cssselect('#phrases [data-entry]')) == 1000
    assert 'phrases.tsv has the first 1,100.' in report.text('#phrases')
    [dots] = report.tree.cssselect('#shingle-frequency .dots')
    assert dots.get('d').count('M') == 2


def test_popular_shingles_of_pages(tmp_path):
    """The lead counts documents; the bars have their shares, one cut and named."""
    tables = {
        'phrase_pages': [
            *(page(n, 'a.test', 0) for n in range(80)),
            *(page(n, 'b.test', 42) for n in range(10)),
            *(page(n, 'c.test', 41) for n in range(5)),
            *(page(n, 'c.test', 7 + n) for n in range(5)),
        ],
        'phrase_hosts': [
            ('b.test', 10, '42.000000000', '0.000000000', 1),
            ('c.test', 10, '32.000000000', '16.000000000', 0),
        ],
    }
    counts = {'popular_phrases': 9, 'kept': 100, 'listed': 2, 'monsters': 1}
    report = Report(write_run(tmp_path / 'RUN', tables, **counts))
    assert report.text('#phrases .lead').endswith(
        '20 documents have a popular phrase in the sample (20.0 %). In the samples of '
        '10 documents (10.0 %), at least half of the phrases are popular.'
    )
    assert len(report.tree.cssselect('#popular-shingles .curve')) == 2
    keys = [e.text_content() for e in report.tree.cssselect('.keys .key')]
    assert keys == ['all documents', 'b.test', 'c.test']
    [bars] = report.tree.cssselect('#popular-shingles .bars')
    assert bars.get('d').count('z') == 4  # of 0, 5 to 9, 10 to 14, and 40 to 44


@pytest.mark.parametrize(
    ('shares', 'cut'), [([0.9, 0.02], []), ([0.9, *[0.02] * 5], ['90.0 %'])]
)
def test_a_share_that_would_flatten_all_others(tmp_path, shares, cut):
    pages = [
        page(n, 'a.test', 5 * popular)
        for popular, share in enumerate(shares)
        for n in range(round(share * 100))
    ]
    report = Report(write_run(tmp_path / 'RUN', {'phrase_pages': pages}, kept=100))
    texts = [e.text for e in report.tree.cssselect('#popular-shingles .cut')]
    assert texts == cut


@pytest.mark.parametrize(('documents', 'bars'), [(2000, 85), (1999, 17)])
def test_few_documents_are_grouped(tmp_path, documents, bars):
    pages = [page(n, 'a.test', n % 85) for n in range(documents)]
    report = Report(write_run(tmp_path / 'RUN', {'phrase_pages': pages}))
    [path] = report.tree.cssselect('#popular-shingles .bars')
    assert path.get('d').count('z') == bars
    assert ('0 to 4, 5 to 9, and so on' in report.text('#phrases')) == (bars == 17)


# Hosts


HOSTS = [
    ('big.test', 4000, '50.000000000', '20.000000000', 0),
    ('spam.test', 1000, '70.500000000', '4.250000000', 1),
    ('-x.test', 10, '31.000000000', '14.999999999', 1),
]


@pytest.fixture
def hosts(tmp_path):
    counts = {'hosts': 7, 'listed': 3, 'monsters': 2}
    return Report(write_run(tmp_path / 'RUN', {'phrase_hosts': HOSTS}, **counts))


def test_hosts(hosts):
    assert hosts.text('#phrase_hosts .lead') == (
        '3 hosts have many popular phrases, of 7: each has at least 10 documents, with '
        'at least 30 popular shingles of 84 on average. 2 of these are monsters.'
    )
    assert 'a reason to look, and no verdict' in hosts.text('#phrase_hosts')
    assert cells(hosts, '#phrase_hosts') == [
        ['spam.test', '1,000', '70.5', '4.2'],
        ['-x.test', '10', '31.0', '15.0'],
    ]
    assert cells(hosts, '#phrase_hosts', 1) == [['big.test', '4,000', '50.0', '20.0']]
    command = hosts.text('#phrase_hosts pre')
    assert command.endswith('--covers-of spam.test')


def test_discs_of_hosts(hosts):
    """Monsters are red and below the line; areas are as the numbers of documents."""
    discs = hosts.tree.cssselect('#host-deviations .discs')
    found = {
        float(e.get('stroke-width')): (
            'hot' in e.get('class'),
            float(re.search(r'M\S+ (\S+?)h', e.get('d'))[1]),
        )
        for e in discs
    }
    big, spam, small = sorted(found, reverse=True)
    assert big == 2 * spam and small == 1.5
    assert [found[size][0] for size in (big, spam, small)] == [False, True, True]
    [line] = hosts.tree.cssselect('#host-deviations .limit')
    limit = float(re.search(r'M\S+ (\S+?)H', line.get('d'))[1])
    assert found[big][1] < limit < found[spam][1]
    assert len(hosts.tree.cssselect('#host-pages .spread')) == 2


# Covering sets


def test_covers(tmp_path):
    tables = {
        'covers': [
            ('a:0', 'http://quilt.test/', 80, 12, 80),
            ('a:1', 'http://half.test/', 60, 3, 30),
            ('a:2', 'http://half.test/2', 60, 3, 60),
            ('a:3', 'http://own.test/', 40, 1, 0),
        ],
        'cover_sources': [
            *(
                ('a:0', n, f'b:{n}', f'http://s{n}.test/', 10 - n % 9, 20, 1)
                for n in range(1, 13)
            ),
            ('a:1', 1, 'b:7', 'http://half.test/own', 40, 41, 0),
        ],
    }
    report = Report(write_run(tmp_path / 'RUN', tables, sampled=4))
    assert report.text('#covers .lead') == (
        '4 documents are covered, by 4.8 others each on average. Of their popular '
        'shingles, 70.8 % are from foreign sources. 2 documents have only foreign '
        'sources.'
    )
    rows = [row for row in cells(report, '#covers') if len(row) == 4]
    assert rows == [
        ['http://quilt.test/', '80', '80', '12'],
        ['http://half.test/2', '60', '60', '3'],
        ['http://half.test/', '30', '60', '3'],
    ]
    details = report.tree.cssselect('#covers details')
    assert len(details[0].cssselect('li')) == 10
    assert 'and 2 more documents' in details[0].text_content()
    [own] = details[2].cssselect('li')
    told = '40 shingles that none before it has, 41 in all; not foreign'
    assert told in words(own)
    outer = report.tree.cssselect('#cover-sizes .outer')
    inner = report.tree.cssselect('#cover-sizes .inner')
    assert sum(e.get('d').count('M') for e in outer) == 3
    assert sum(e.get('d').count('M') for e in inner) == 2
    report = Report(write_run(tmp_path / 'HOST', tables, {'covers_of': 'own.test'}))
    assert 'All documents of own.test that have popular shingles' in report.text()


def test_the_largest_foreign_parts():
    """Of equal ones, those with more sources are first, then the earlier ones."""
    dice = random.Random(2)
    rows = [
        COVERS.row(f'a:{n}', '', 50, dice.randint(1, 3), dice.randint(0, 9))
        for n in range(200)
    ]
    found = covers.count_covers(rows)
    assert (
        found.worst == sorted(rows, key=lambda row: (-row.foreign, -row.sources))[:10]
    )
    assert found.documents == 200
    assert found.mean == sum(row.sources for row in rows) / 200


@pytest.mark.parametrize(
    ('options', 'why'),
    [
        ({'covers': 0}, 'its option --covers is 0'),
        ({'covers_of': 'x.test'}, 'No document of x.test has popular shingles'),
    ],
)
def test_no_covers(tmp_path, options, why):
    assert why in Report(write_run(tmp_path / 'RUN', {}, options)).text('#covers')


# A run of the command


def test_a_real_run(tmp_path):
    """All sections of a little crawl, beside those of the other systems."""
    template = ' '.join(f'w{n}' for n in range(60))
    documents = [
        (f'http://s{n}.test/', f'<p>{template} own{n} x{n} y{n}'.encode())
        for n in range(12)
    ]
    documents.append(('http://copy.test/', documents[0][1]))
    write_warc(tmp_path / 'a.warc.gz', documents)
    folder = tmp_path / 'run'
    assert run('phrases', tmp_path / 'a.warc.gz', '-o', folder, '-q').code == 0
    report = Report(folder)
    assert report.sections == SECTIONS
    assert report.text('#near_duplicates .lead').startswith(
        f'{documents_left_out(folder)} of 13 documents '
    )
    for command in ('discover', 'detect', 'quilts'):
        assert run(command, '-o', folder, '-q').code == 0
    report = Report(folder)
    assert report.text('h1') == 'Copied content and where it is'
    assert 'see Near-duplicates.' in report.text('#summary')
    assert [name for name in report.sections if name in SECTIONS] == SECTIONS
    terms = [e.text_content() for e in report.tree.cssselect('#tables h3')]
    assert terms == ['Terms of quilts', 'Terms of phrases', 'Terms of chunks']


def documents_left_out(folder) -> int:
    return len((folder / 'near_duplicates.tsv').read_text().splitlines()) - 1


# Hostile and damaged tables


def test_hostile_names(tmp_path):
    tries = [re.sub(r'[\t\r\n]', ' ', text) for text in TRIES.values()]
    tables = {
        'near_duplicates': [
            (f'a:{100 + n}', f'http://{text}/', f'a:{n}')
            for n, text in enumerate(tries)
        ],
        'phrase_pages': [
            (f'a:{n}', f'http://x{text}/', 9, 60) for n, text in enumerate(tries)
        ],
        'phrases': [(9, 1, text) for text in tries],
        'phrase_hosts': [(text, 9, '40.0', '3.0', 1) for text in tries],
        'covers': [(f'a:{n}', text, 60, 1, 60) for n, text in enumerate(tries)],
        'cover_sources': [
            (f'a:{n}', 1, f'b:{text}', text, 60, 60, 1) for n, text in enumerate(tries)
        ],
    }
    counts = dict.fromkeys(('popular_phrases', 'listed', 'monsters'), len(tries))
    counts |= {'documents': 99, 'near_duplicates': len(tries), 'classes': len(tries)}
    options = {'covers_of': tries[0]}
    report = Report(write_run(tmp_path / 'RUN', tables, options, **counts))
    assert len(report.tree.cssselect('script')) == 1
    assert report.tree.cssselect('img, iframe, a[href^=j], [onerror], [onload]') == []
    assert tries[0] in report.text('#phrases')


@pytest.mark.parametrize(
    ('table', 'row'),
    [
        ('phrase_pages', ('a:0', 'http://a.test/', 9, 85)),
        ('phrase_frequency', (0, 9)),
        ('phrase_hosts', ('a.test', 10, 'many', '1.0', 1)),
        ('phrase_hosts', ('a.test', 10, 'inf', '1.0', 1)),
        ('covers', ('a:0', 'http://a.test/', 85, 1, 1)),
        ('covers', ('a:0', 'http://a.test/', 0, 0, 0)),
    ],
)
def test_damaged_tables(tmp_path, table, row):
    folder = write_run(tmp_path / 'RUN', {table: [row]})
    done = run('report', folder)
    why = f'error: {folder}/{table}.tsv: damaged; run phrases again\n'
    assert (done.code, done.err) == (1, why)


@pytest.mark.parametrize(
    ('file', 'change', 'why'),
    [
        ('stats.json', {'kept': 'x'}, 'has no valid counts of phrases'),
        ('stats.json', {'kept': -1}, 'has no valid counts of phrases'),
        ('run.json', {'popular': 'x'}, 'has no valid options of phrases'),
        ('run.json', {'covers_of': 7}, 'has no valid options of phrases'),
    ],
)
def test_damaged_records(tmp_path, file, change, why):
    folder = write_run(tmp_path / 'RUN', {})
    data = json.loads((folder / file).read_text())
    if file == 'run.json':
        data['systems']['phrases']['options'] |= change
    else:
        data['phrases'] |= change
    (folder / file).write_text(json.dumps(data))
    done = run('report', folder)
    assert done.code == 1 and done.err.count('\n') == 1
    assert why in done.err and 'run phrases again' in done.err


def test_only_the_first_rows_are_read(tmp_path, monkeypatch):
    """Tables of phrases and hosts may have millions of rows."""
    folder = write_run(tmp_path / 'RUN', {}, {'top': 10**9})
    of_run, taken = Run(str(folder)), Counter()
    rows = {
        PHRASES: PHRASES.row(9, 1, 'a b c d e'),
        PHRASE_HOSTS: PHRASE_HOSTS.row('a.test', 10, '40.0', '3.0', 1),
    }

    def endless(run, table):
        while table in rows:
            taken[table] += 1
            yield rows[table]

    facts, pages = read_facts(of_run), read_pages(of_run, [], (), ())
    monkeypatch.setattr(Run, 'rows', endless)
    assert len(phrases.section(of_run, facts, pages)['others']) == 980
    assert len(phrase_hosts.read_hosts(of_run).drawn) == 1000
    assert taken == {PHRASES: 1000, PHRASE_HOSTS: 1000}
