"""What a first reader may conclude from the report is true."""

import hashlib
import itertools

import pytest
from commands import run
from pair_crawls import Page, chunk, write_archive
from reports import Report, detected, tie, words

JAN, FEB = (f'2020-0{n}-01T00:00:00Z' for n in (1, 2))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report_of(here, pages, *more) -> Report:
    """A crawl in which chunks with more than 10 copies are labels, and any are bad."""
    write_archive(here / 'a.warc', pages)
    line = ['-o', here / 'RUN', '-r', 'inline', '-q']
    assert run('discover', 'a.warc', '--threshold=10', *line, *more).code == 0
    assert run('detect', *line, '--neighborhood-threshold=0').code == 0
    return Report(here / 'RUN')


def pages_with(host: str, labels: list[int], count: int, own: int) -> list[Page]:
    """Pages that all have some chunks, and one of their own."""
    return [
        Page(JAN, f'http://{host}/{n}', b''.join(map(chunk, [*labels, own + n])))
        for n in range(count)
    ]


def largest(report: Report) -> str:
    return words(report.tree.cssselect('.who li')[-1])


# Copies within one host


def test_banner_of_a_site(here):
    """One chunk on twenty pages of one host are not twenty chunks of others."""
    pages = [*pages_with('a.org', [0], 20, 100), *pages_with('b.org', [], 5, 200)]
    assert largest(report_of(here, pages)) == (
        'One chunk is repeated on 20 pages of a.org/ and is on no other host: '
        'probably a template of the site. With repeats, 20 of the 40 chunks there are '
        'widely copied.'
    )


def test_template_of_a_site(here):
    pages = [
        *pages_with('a.org', [0, 1, 2], 12, 100),
        *pages_with('a.org', [0], 9, 150),
    ]
    pages = [page._replace(url=f'{page.url}-{n}') for n, page in enumerate(pages)]
    # 12 pages have three of them, and 9 pages one.
    assert largest(report_of(here, pages)) == (
        '3 chunks are repeated on up to 21 pages of a.org/ and are on no other host: '
        'probably a template of the site. With repeats, 45 of the 66 chunks there are '
        'widely copied.'
    )


def test_large_template_of_a_site(here):
    """Not all of its labels are looked at."""
    said = largest(report_of(here, pages_with('a.org', list(range(30)), 12, 100)))
    assert said.startswith(
        'The most copied labels of a.org/ are on no other host: probably a template '
    )


def test_copies_on_two_hosts(here):
    """A chunk that is on another host as well is no template of the site."""
    pages = [*pages_with('a.org', [0, 1], 20, 100), *pages_with('b.org', [1], 5, 200)]
    assert largest(report_of(here, pages)) == (
        'The largest group of widely copied chunks is in a.org/: 40 of its 60 chunks, '
        'repeats counted, on 20 pages.'
    )


# The same few chunks on several sites


def shared(a: str, b: str, labels: int, share: str, chunks: int) -> tuple:
    """A row of `origins.tsv`: a site, another, and how much the first has in common."""
    row = tie(f'{a}/', f'{b}/', labels, JAN, FEB, (labels, 0), chunks=chunks)
    return (*row[:3], share, *row[4:])


def themes(*groups) -> list:
    """Rows of sites that have all labels of each other."""
    return [
        shared(a, b, labels, '1.000000000', chunks)
        for names, labels, chunks in groups
        for a, b in itertools.permutations(names, 2)
    ]


def test_two_themes(here):
    """Sites with one theme are one group; one with more or fewer is not in it."""
    origins = themes(('abc', 10, 100), ('de', 20, 200))
    # f has all labels of a, and as many others.
    origins.append(shared('a', 'f', 10, '1.000000000', 100))
    origins.append(shared('f', 'a', 10, '0.500000000', 100))
    # g has some labels of a, and no others.
    origins.append(shared('g', 'a', 5, '1.000000000', 100))
    report = Report(detected(here / 'RUN', origins, *(f'{n}/' for n in 'abcdefg')))
    assert report.text('.lead').endswith(
        'Of the 7, 5 have the same labels as another bad site; 2 share less than a '
        'quarter of their labels or of their chunks with any other site.'
    )
    lines = [words(e) for e in report.tree.cssselect('.who li')][:2]
    assert lines == [
        f'{count} bad sites have the same {labels} labels: {names}. Counted once each, '
        'these are 10.0 % of the distinct chunks of a site. The sites may have a '
        'common theme or template.'
        for count, labels, names in ((3, 10, 'a/, b/, c/'), (2, 20, 'd/, e/'))
    ]
    said = report.text('#copying')
    assert 'the same few on several sites' in said and lines[0] in said


def test_shares_of_a_theme(here):
    """Sites of several sizes have the least and the largest share of the chunks."""
    rows = [
        (*row[:9], f'{share:.9f}', *row[10:])
        for row, share in zip(themes(('ab', 10, 100)), (0.05, 0.2), strict=True)
    ]
    report = Report(detected(here / 'RUN', rows, 'a/', 'b/'))
    assert report.text('.who li').startswith(
        'All 2 have the same 10 labels: a/, b/. Counted once each, these are 5.0 to '
        '20.0 % of the distinct chunks of a site.'
    )


# Chunks that do not count


def test_short_and_stop_chunks(here):
    """They have as many copies as labels, and are told apart from these."""
    short = b'<p>menu' + b'<p>foot'
    pages = [
        page._replace(body=short + page.body)
        for page in pages_with('a.org', [0, 1, 2], 20, 100)
    ]
    stop = here / 'stop.txt'
    digests = [hashlib.sha1(text).hexdigest() for text in (chunk(1), b'<p>menu')]
    stop.write_text(''.join(f'{digest}\n' for digest in digests))
    report = report_of(here, pages, f'--stop={stop}')
    assert (
        # Each of the 20 pages has two labels, a stop chunk, and a chunk of its own.
        'into 120 chunks; 60 of them are longer than 100 bytes and on no stop list. '
        '66.7 % of these are widely copied, repeats counted: 2 distinct chunks, each '
        'with more than 10 copies. Not counted: 2 distinct chunks with more than 10 '
        'copies, but of at most 100 bytes, and 2 on the stop list.'
    ) in report.text('.lead')
    [row] = [row for row in report.rows('#frequency table') if '11 to 100 times' in row]
    assert row[1] == str(2 + 2 + 1)
    assert (
        '2 chunks are labels, 2 with as many copies are too short, and 2 on the stop '
        'list.'
    ) in report.text('figcaption')


def test_rare_chunks(here):
    """What two sites share has few copies; the summary leads to the pairs."""
    text = list(range(15))
    report = report_of(here, [*pages_with('a.org', text, 1, 100),
                              *pages_with('b.org', text, 1, 200)])  # fmt: skip
    assert (
        '15 distinct chunks have 2 to 10 copies. They do not count as widely copied, '
        'but text that two sites share is usually among them: see Sites that share '
        'chunks.'
    ) in report.text('.lead')
    [link] = report.tree.cssselect('.lead a')
    assert link.get('href') == '#pairs'


def test_head(here):
    """A folder that is called run reads well."""
    report = Report(detected(here / 'run', [], 'a.org/'))
    assert report.text('.kicker').endswith(f'report of the results in {here}/run')


# What the list of neighborhoods is


def test_list_of_neighborhoods(here):
    """It is no list of those who copied, and no other site is cleared."""
    pages = [*pages_with('a.org', [0], 20, 100), *pages_with('b.org', [], 5, 200)]
    report = report_of(here, pages)
    first = words(report.tree.cssselect('#neighborhoods p')[0])
    assert first.startswith('This list does not name who copied.')
    assert 'often those of a theme or a template' in first
    told = 'does not count here, even if sites share much of it: see Sites that share'
    assert told in first
    assert first.endswith(
        'a site that is missing here may have most of its text in common with another.'
    )
    [link] = report.tree.cssselect('#neighborhoods p a')
    assert link.get('href') == '#pairs'
    # A run of an older version has no pairs.
    old = Report(detected(here / 'OLD', [], 'a.org/'))
    assert 'even if sites share much of it. So' in old.text('#neighborhoods')
