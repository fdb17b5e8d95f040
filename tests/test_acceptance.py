"""The README's commands on a crawl with planted copies: what they find and say.

The expected values follow from how the crawl was planted, or from references.
"""

import itertools
import json
import re
from pathlib import Path

import acceptance_crawl as planted
import odd_crawls
import pytest
import reference_sites as sites
from acceptance_library import Library, lines_of, make_library, readme_commands, shell
from commands import run
from lxml import html
from reports import words

pytestmark = pytest.mark.apart
CAPTION = f'{planted.CAPTURES:,} captures', f'{planted.URLS:,} URLs'
PASSED_OVER = planted.CAPTURES - planted.URLS
INNOCENT = [*planted.HONEST, *planted.FAMILY, *planted.PLAIN, *planted.BLOGS]
ACCUSATION = re.compile(
    r'\b(sources?|victims?|thie(f|ves)|stole\w*|plagiar\w*|originals?|clones?|'
    r'clear cop\w*|(is|are) cop(y|ies)|cop(y|ies) of|(has|have) copied|'
    r'copied (from|by)|scrap(ed|er|ers|ing))\b',
    re.IGNORECASE,
)


OTHERS = [('last', 1), ('all', 7)]


@pytest.fixture(scope='module')
def library(tmp_path_factory) -> Library:
    return make_library(tmp_path_factory.mktemp('library'))


@pytest.fixture(scope='module')
def report(library) -> list[str]:
    """The text of the report: a line for each paragraph, item, heading and so on.

    Two rows may belong together, so there is a line for each two that follow.
    """
    tree = html.parse(str(library.run / 'report.html'))
    kinds = 'tr p li h1 h2 h3 h4 figcaption caption summary text title td'.split()
    lines = [words(element) for element in tree.iter(*kinds)]
    rows = [words(row) for row in tree.iter('tr')]
    return lines + list(map(' '.join, itertools.pairwise(rows)))


def compare(folder: Path, tables: dict[str, bytes]) -> None:
    differ = [n for n, text in tables.items() if (folder / n).read_bytes() != text]
    assert not differ


def percent(share: str) -> str:
    return f'{100 * float(share):.1f} %'


# What was planted


def test_reference_finds_what_was_planted(library):
    rows = {row[:2]: row[2:] for row in sites.pair_rows(library.records, 'first')}
    pairs = planted.PLANTED + planted.FAMILY_PAIRS + planted.THEME_PAIRS
    assert set(rows) == {(pair.a, pair.b) for pair in pairs}
    for pair in pairs:
        chunks, _, a_share, b_share, *first = rows[pair.a, pair.b]
        assert (chunks, a_share, b_share) == pair[2:5]
        if pair.first:
            assert first == [pair.chunks * (pair.first == p) for p in pair[:2]]


# Tables


def test_commands_end_well(library):
    assert {line: end.code for line, end in library.told.items() if end.code} == {}
    assert len(library.told) >= 8


def test_tables_of_the_readme(library):
    compare(library.run, library.expected('first'))


@pytest.mark.parametrize(
    ('how', 'tasks'),
    [('first', 7), *(pytest.param(*a, marks=pytest.mark.slow) for a in OTHERS)],
)
def test_tables_of_each_choice(library, how, tasks, monkeypatch):
    monkeypatch.chdir(library.folder)
    folder = Path(f'run-{how}-{tasks}')
    archives = sorted(map(str, Path('crawl').iterdir()), reverse=tasks == 7)
    runner = 'local' if tasks == 7 else 'inline'
    said = [f'--tasks={tasks}', '-r', runner, '-q', '-o', folder]
    assert run('discover', *archives, f'--captures={how}', *said).code == 0
    done = run('detect', '--places', '--min-chunks=5', '-r', runner, '-q', '-o', folder)
    assert done.code == 0, done.err
    compare(folder, library.expected(how))


def test_pages_that_detect_reads_itself(library, monkeypatch):
    """With labels from elsewhere detect chooses captures, and writes the pairs."""
    monkeypatch.chdir(library.folder)
    said = ['-l', 'RUN/labels.mrl', '--places', '--min-chunks=5', '-q', '-o', 'itself']
    done = run('detect', *sorted(map(str, Path('crawl').iterdir())), *said)
    assert done.code == 0, done.err
    wanted = dict(library.expected('first'))
    for name in ('labels.tsv', 'file_labels.tsv', 'frequency.tsv'):
        del wanted[name]
    compare(Path('itself'), wanted)


# Captures


def test_captures_are_told(library, report):
    assert any(all(part in line for part in CAPTION) for line in library.said())
    assert any(all(part in line for part in CAPTION) for line in report)
    assert any(f'{PASSED_OVER:,}' in line for line in library.said())
    numbers = json.loads((library.run / 'run.json').read_text())
    wanted = planted.CAPTURES, planted.URLS, PASSED_OVER
    assert tuple(numbers[n] for n in ('captures', 'urls', 'passed_over')) == wanted


def test_numbers_of_the_summary(library, report):
    """All captures were read, and chunks are those of the captures searched."""
    [lead] = [line for line in report if line.startswith('This run read')]
    urls, captures = f'{planted.URLS:,}', f'{planted.CAPTURES:,}'
    assert lead.startswith(f'This run read {urls} URLs, {captures} captures (')
    assert f'; the first capture of each was searched, {PASSED_OVER:,} later' in lead
    chunks = sum(
        int(copies) * int(objects)
        for unit, copies, objects in frequencies(library)
        if unit == 'chunk'
    )
    assert f'The {urls} pages among these were divided at each' in lead
    # The banner is on 200 pages, and ten chunks of the theme are on 60.
    counted, labels = count_long_chunks(library), 200 + 60 * 10
    assert f' into {chunks:,} chunks; {counted:,} of them are longer than 100' in lead
    assert f' list. {100 * labels / counted:.1f} % of these are widely copied' in lead
    # 11 labels, and what is cut of each page: head, menu, end.
    many = [
        row for row in frequencies(library) if row[0] == 'chunk' and int(row[1]) > 10
    ]
    short = sum(int(objects) for _, _, objects in many) - 11
    assert f'Not counted: {short} distinct chunks with more than 10 copies' in lead


def count_long_chunks(library) -> int:
    """All chunks but head, menu and end, which each page has."""
    first = {}
    for record in library.records:
        first.setdefault(record.url, record.body)
    return sum(len(re.findall(b'<(?:p|div)[ >]', body)) - 2 for body in first.values())


def frequencies(library) -> list[list[str]]:
    rows = library.expected('first')['frequency.tsv'].decode().splitlines()[1:]
    return [row.split('\t') for row in rows]


def test_twelve_visits_make_no_copies(library):
    """Only the theme of ten sites and the banner of one occur on many pages."""
    rows = (library.run / 'labels.tsv').read_text().splitlines()[1:]
    found = sorted(row.split('\t')[2:5] for row in rows)
    assert found == [['200', '200', '1']] + [['60', '60', '10']] * 10


# What is said of sites


@pytest.mark.parametrize('pair', planted.PLANTED, ids=lambda pair: f'{pair.a} {pair.b}')
def test_pair_is_named(library, report, pair):
    """With both shares in one line of a summary, in the report, and by show."""
    shares = [percent(pair.a_share), percent(pair.b_share)]
    for lines in (library.said(), report):
        rows = [line for line in lines if pair.a in line and pair.b in line]
        assert any(all(share in row for share in shares) for row in rows), rows
    end = shell(f'python -m mr_reuse.show RUN {pair.a} {pair.b}', library.folder)
    assert end.code == 0, end.err
    assert all(share in end.out for share in shares)
    assert re.search(rf'\b{pair.chunks} chunks', end.out)


def test_largest_pair_is_told_first(library):
    """By discover and by detect: 180 chunks, three quarters of both sites."""
    for line in readme_commands()[:2]:
        said = lines_of(library.told[line])
        rows = [row for row in said if planted.OLD in row and planted.NEW in row]
        assert any(row.count('75.0 %') == 2 and '180' in row for row in rows), line


def test_family_is_listed_apart(library, report):
    """Hosts of one registered domain have rows of their own, after the others."""
    for line in readme_commands()[:2]:
        said = lines_of(library.told[line])
        of_family = [n for n, row in enumerate(said) if row.count('riverpost') == 3]
        others = [n for n, row in enumerate(said) if planted.OLD in row]
        assert of_family and min(others) < min(of_family), line
    assert any('one registered domain' in line for line in report)


@pytest.mark.parametrize(
    ('names', 'part', 'numbers'),
    [
        (planted.HONEST, '-club.', ('10', '2.2 kB', '10.0 %')),
        (planted.FAMILY, 'riverpost.', ('80', '15 kB', '100.0 %')),
    ],
)
def test_group_is_one_row(library, report, names, part, numbers):
    """Ten sites with one theme, and a site on three hosts, are not 48 pairs."""
    chunks, size, share = numbers
    for said in [lines_of(library.told[line]) for line in readme_commands()[:2]]:
        [row] = [row for row in said if f'{len(names)} sites with each other:' in row]
        assert row.split()[:3] == [chunks, *size.split()]
        assert row.count(share) == 2 and min(names) in row
        assert [line for line in said if line.count(part) > 1] == [row]
    rows = [line for line in report if f'{len(names)} sites with each other:' in line]
    assert any(all(name in row for name in names) for row in rows)
    assert all(f'{chunks} chunks' in row and share in row for row in rows if '%' in row)


@pytest.mark.parametrize(
    ('name', 'most'),
    [(planted.MIRROR, (48 + 32 + 72) / 160), (planted.SCRAPER, 200 / 250)],
)
def test_site_with_parts_of_several(library, report, name, most):
    """Its pairs are added up: 152 of 160 chunks of the mirror, 200 of 250."""
    others = [p for p in planted.PLANTED if name in p[:2]]
    told = f'{name} shares with {len(others)} sites: up to {percent(most)} of its '
    commands = [lines_of(library.told[line]) for line in readme_commands()[:2]]
    for said in (*commands, report):
        assert len([line for line in said if told in line]) >= 1
    for said in (*commands, report):
        hubs = {line.split()[0] for line in said if ' shares with ' in line}
        assert hubs == {planted.MIRROR, planted.SCRAPER}
    end = shell(f'python -m mr_reuse.show RUN {name}', library.folder)
    largest = max(p.a_share if p.a == name else p.b_share for p in others)
    between = f'{percent(largest).removesuffix(" %")} to {percent(most)}'
    together = f'{len(others)} sites of other registered domains have {between} of its '
    assert f'{together}distinct chunks together' in end.out
    # It is not the pair that shares the most, but the next steps name it.
    step = f'List the {len(others)} sites that share chunks with {name}: '
    assert f'{step}python -m mr_reuse.show RUN {name}' in report


@pytest.mark.parametrize('name', ['/0/', '/0/page-0.html'])
def test_copies_without_a_label(library, name):
    """Nothing on the page is a label, but all of it is mirrored."""
    name = planted.MIRROR + name
    line = f'show RUN {name if name.endswith("/") else f"http://{name}"}'
    end = shell(f'python -m mr_reuse.{line}', library.folder)
    assert end.code == 0, end.err
    assert end.out.endswith(
        'no chunk is a label\n(chunks with few copies are not listed here; to list the '
        f'3 sites that share chunks with {planted.MIRROR}: python -m mr_reuse.show RUN '
        f'{planted.MIRROR})\n'
    )


def test_site_that_shares_nothing(library):
    end = shell(f'python -m mr_reuse.show RUN {planted.PLAIN[0]}', library.folder)
    assert end.out.splitlines() == [
        f'{planted.PLAIN[0]} shares ten or more chunks with no other site',
        '',
        f'{planted.PLAIN[0]}/: 5 pages; 0 of 40 chunks are labels (0.000)',
        '',
        'no chunk is a label',
    ]


def test_captures_with_a_chunk(library):
    """The banner of the scraper: twelve visits to 200 pages, the first ones first."""
    [line] = [line for line in library.told if '--where' in line]
    _, *rows = library.told[line].out.splitlines()
    dates = [row.split('\t')[1] for row in rows]
    assert len(dates) == 12 * 200 and dates == sorted(dates)
    assert library.told[line].err.splitlines() == [
        '2,400 captures of 200 URLs; the tables count only the first one of each'
    ]


def test_template_is_no_theft(library, report):
    """The banner of the scraper is on 200 pages, and nowhere else."""
    assert [line for line in report if 'largest group of copies' in line] == []
    [line] = [
        line for line in report if 'on no other host: probably a template' in line
    ]
    assert line.startswith(
        'A folder of another site is also bad. One chunk is repeated on 200 pages of '
        f'{planted.SCRAPER}/a/'
    )
    assert line.endswith('chunks with 4 others: see Sites that share chunks.')
    # Five scraped paragraphs and the banner on 200 pages, and 49 of its own.
    assert f'200 of the {200 * 6 + 49:,} chunks there' in line


def test_row_of_the_scraper(library, report):
    """Its one label is its own, which does not clear it of what it shares."""
    assert (
        'Its label is on no other host. The site shares chunks with 4 others: see '
        'Sites that share chunks'
    ) in report


def test_order_of_each_pair(library, report):
    """No bad site is compared, and the section says where the order is."""
    told = 'For the order of each pair of sites see Sites that share chunks.'
    assert report.count(told) == 1


def test_threshold_of_few_folders(library, report):
    told = 'The threshold of level 2 (5.3 %) comes from only 14 folders'
    lines = [*lines_of(library.told[readme_commands()[1]]), *report]
    assert len([line for line in lines if line.startswith(told)]) == 2


AMBIGUOUS = re.compile(
    r'[Ee]ach two|\bdifferent\b|telephone|apart|domain or famil|(share|chunks) copied|'
    r'share of cop|(?<!widely )(?<!Most )copied chunks'
)


def test_words_have_one_meaning(library, report):
    """A widely copied chunk is a label; others may be copied too."""
    said = [*library.said(), *report]
    assert list(filter(AMBIGUOUS.search, said)) == []


def test_empty_tables(library):
    """No whole file is copied, and no bad site has a link: neither table is named."""
    said = library.said()
    assert 'no links from one bad site to another, so no rings' in said
    assert [line for line in said if re.match('all (0|of them)|0 ', line)] == []


def test_sites_with_one_theme(library, report):
    """Ten chunks of the theme, and 90 own ones, on each of ten sites."""
    lines = [line for line in report if 'All 10 have the same 10 labels: ' in line]
    assert lines and all(f'{min(planted.HONEST)}/' in line for line in lines)
    share = 'Counted once each, these are 10.0 % of the distinct chunks of a site.'
    assert all(share in line for line in lines)
    assert [line for line in report if 'share few chunks' in line] == []


def test_bad_sites_are_no_culprits(library, report):
    """The list says what it is, and where sites that share text are."""
    assert any(line.startswith('This list does not name who copied') for line in report)
    said = lines_of(library.told[readme_commands()[1]])
    assert any('so this list does not name who copied' in line for line in said)


def test_nobody_innocent_is_accused(library, report):
    accused = [
        line
        for line in [*library.said(), *report]
        if ACCUSATION.search(line) and any(name in line for name in INNOCENT)
    ]
    assert accused == []


def test_no_source_is_known(library, report):
    """Nobody named a source, so no date makes one; only the method is explained."""
    names = [name for pair in planted.PLANTED for name in pair[:2]]
    lines = [line for line in [*library.said(), *report] if ACCUSATION.search(line)]
    assert [line for line in lines if any(name in line for name in names)] == []


def test_no_all_clear(library, report):
    said = ' '.join([*library.said(), *report])
    denied = '[Nn]o site has much|within each site, or on more than 100'
    assert re.findall(denied, said) == []


# Archives that have moved


READING = ['show RUN HASH', 'show RUN http://a.org/x/1', 'report RUN', 'links RUN']
OUTPUTS = ['report.html', 'links.tsv', 'rings.tsv']
STORE = 'store/2019'


def outputs(library) -> dict[str, bytes]:
    return {name: (library.run / name).read_bytes() for name in OUTPUTS}


@pytest.fixture
def moved(library):
    """The same crawl, while the archives of the first half year are elsewhere."""
    places = library.folder / 'crawl', library.folder / STORE
    places[1].mkdir(parents=True, exist_ok=True)
    names = [f'crawl-{month:02}.warc.gz' for month in range(6)]
    for name in names:
        (places[0] / name).rename(places[1] / name)
    yield library
    for name in names:
        (places[1] / name).rename(places[0] / name)


def test_show_names_the_option(moved):
    end = shell('python -m mr_reuse.show RUN HASH', moved.folder)
    assert end.code == 1 and end.err.count('\n') == 1
    assert '--archives' in end.err and 'crawl/crawl-' in end.err


def test_links_keeps_its_tables(moved):
    before = outputs(moved)
    end = shell('python -m mr_reuse.links RUN', moved.folder)
    assert end.code == 3 and '--archives' in end.err
    assert outputs(moved) == before


@pytest.mark.parametrize('line', READING)
def test_moved_archives_are_found(moved, line):
    before = outputs(moved)
    end = shell(f'python -m mr_reuse.{line} --archives store', moved.folder)
    assert end.code == 0, end.err
    assert end.out == moved.told[f'python -m mr_reuse.{line}'].out
    assert outputs(moved) == before


# Archives that are not those which were read


@pytest.fixture
def small(tmp_path) -> tuple[Path, Path, list[str]]:
    """An archive, its run, and two names to show: of a page, and of a chunk."""
    body = b''.join(b'<p>%d ' % n + b'lorem ipsum ' * 12 for n in range(12))
    archive, folder = tmp_path / 'a.warc', tmp_path / 'run'
    urls = [f'http://{host}.example/' for host in 'abcdefghijkl']
    documents = [('response', url, '2019-01-01T00:00:00Z', body) for url in urls]
    records = odd_crawls.write_odd(archive, documents)
    assert run('discover', archive, '-r', 'inline', '-q', '-o', folder).code == 0
    chunk = (folder / 'labels.tsv').read_text().splitlines()[1].partition('\t')[0]
    return archive, folder, [records[0].rid, chunk]


def test_other_content_of_the_same_size(small):
    """A record whose bytes have changed is never shown as if it were the one read."""
    archive, folder, names = small
    archive.write_bytes(archive.read_bytes().replace(b'lorem', b'LOREM'))
    for name in names:
        end = run('show', folder, name)
        assert (end.code, end.out) == (1, ''), name
        assert str(archive) in end.err


def test_archive_of_another_size(small):
    """The record is the one that was read, but the file is not: a line says so."""
    archive, folder, names = small
    with open(archive, 'ab') as file:
        file.write(b'\r\n\r\n')
    for name in names:
        end = run('show', folder, name)
        assert re.search(rf'{re.escape(str(archive))}\b.*(size|bytes)', end.err), name
