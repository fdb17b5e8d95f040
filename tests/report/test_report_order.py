"""Who was captured first is said as it is, and no honest site is accused."""

import mrl
import pytest
from commands import run
from crawls import arc_record
from reference import digest
from reports import Report, detected, tie

from mr_reuse.chunks.chunk_tables import ORIGINS

JAN, FEB, MARCH = (f'2020-0{n}-01T00:00:00Z' for n in (1, 2, 3))
ACCUSATIONS = 'copy of', 'copied from', 'clear cop', 'took', 'source'
SHARED = [b'<p>shared %d ' % n + b'of the original ' * 9 for n in range(20)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(report: Report) -> dict[str, str]:
    """The first words on each neighborhood, by its prefix."""
    rows = report.rows('#neighborhoods table')[1:]
    return {site[0]: why[0] for site, why in zip(rows[::2], rows[1::2], strict=True)}


def kinds(report: Report) -> str:
    """What the summary says of all bad sites together."""
    return report.text('.lead').partition('are known. ')[2]


def test_hosts_of_one_domain(here):
    """They are a family, whoever of them was captured first."""
    origins = [
        tie('www.shop.co.uk/', 'shop.co.uk/', 90, FEB, JAN, (0, 90)),
        tie('m.shop.co.uk/', 'shop.co.uk/', 90, MARCH, JAN, (0, 90)),
    ]
    sites = ['www.shop.co.uk/', 'm.shop.co.uk/']
    report = Report(detected(here / 'RUN', origins, *sites))
    assert kinds(report) == (
        'Of the 2, 2 share many chunks only with other hosts of the same registered '
        'domain.'
    )
    same = '90 chunks in common with shop.co.uk/, of the same registered domain'
    assert all(why.startswith(same) for why in verdicts(report).values())
    assert not report.tree.cssselect('.ties, #copying svg .arc')


def test_family_was_captured_before_the_thief(here):
    """One host in January, the thief in February, another host in March."""
    origins = [
        tie('shop.org/', 'thief.net/', 90, MARCH, FEB, (0, 90)),
        tie('shop.org/', 'www.shop.org/', 90, MARCH, JAN, (0, 90)),
        tie('thief.net/', 'shop.org/', 90, FEB, MARCH, (90, 0)),
        tie('thief.net/', 'www.shop.org/', 90, FEB, JAN, (0, 90)),
    ]
    report = Report(detected(here / 'RUN', origins, 'shop.org/', 'thief.net/'))
    assert kinds(report) == (
        'Of the 2, 1 was captured a day or more after another site with the same '
        'chunks; 1 was captured first.'
    )
    first = 'Captured first, a day or more before the others with the same chunks'
    assert verdicts(report)['shop.org/'].startswith(first)
    [row] = report.rows('.ties')[1:]
    assert row[:2] == ['thief.net/', 'www.shop.org/'] and row[-1] == 'captured later'


def test_folders_of_one_host_are_compared(here):
    origins = [tie('home.com/~b/', 'home.com/~a/', 90, FEB, JAN, (0, 90))]
    report = Report(detected(here / 'RUN', origins, 'home.com/~b/'))
    assert 'captured a day or more after another' in kinds(report)


@pytest.mark.parametrize(
    ('orders', 'same', 'said'),
    [
        ((0, 0), 50, 'same time'),
        ((0, 5), 45, 'same time'),
        ((0, 6), 44, 'open'),
        ((0, 5), 0, 'too few dates'),
        ((0, 0), 0, 'no dates'),
        ((0, 45), 5, 'captured later'),
        ((0, 44), 6, 'open'),
    ],
)
def test_equal_dates(here, orders, same, said):
    """Chunks of the same second have dates, and count for neither site."""
    origins = [tie('b.org/', 'a.org/', 50, FEB, JAN, orders, same=same)]
    report = Report(detected(here / 'RUN', origins, 'b.org/'))
    [row] = report.rows('.ties')[1:]
    assert row[-1] == said
    assert row[4] == f'{orders[1]} of {sum(orders) + same}'
    if said == 'same time':
        assert kinds(report).startswith('It was captured at the same time as another')
        assert 'others that were captured at the same time' in report.text('.who')
        assert 'captured at the same time' in verdicts(report)['b.org/']
        assert 'too few dates' not in report.text() and 'open' not in row


@pytest.mark.parametrize(('chunks', 'is_close'), [(200, True), (201, False)])
def test_few_of_all_chunks(here, chunks, is_close):
    """All labels of a site in common, which are a template: no sign of copying."""
    origins = [tie('b.org/', 'a.org/', 50, FEB, JAN, (0, 50), chunks=chunks)]
    report = Report(detected(here / 'RUN', origins, 'b.org/'))
    assert ('captured a day or more after' in kinds(report)) == is_close
    assert ('It shares few chunks with any other site' in kinds(report)) != is_close


def test_table_of_an_older_version(here):
    """Without the columns that are new, no site is left out for their sake."""
    origins = [tie('b.org/', 'a.org/', 50, FEB, JAN, (0, 50))]
    folder = detected(here / 'RUN', origins, 'b.org/')
    path = folder / 'origins.tsv'
    lines = [line.split('\t')[:8] for line in path.read_text().splitlines()]
    path.write_text(''.join('\t'.join(line) + '\n' for line in lines))
    report = Report(folder)
    assert [row[:2] for row in report.rows('.ties')[1:]] == [['b.org/', 'a.org/']]
    assert '1 site has chunks in common with a.org/, captured' in report.text('.who')


# Whole crawls


def write_arc(path, documents) -> None:
    """Write (date, URL, chunks)."""
    with open(path, 'wb') as file:
        file.write(arc_record('filedesc://x', b'text/plain', b'1 0 x\n\n'))
        for date, url, chunks in documents:
            block = b'HTTP/1.1 200 OK\r\n\r\n' + b''.join(chunks)
            head = f'{url} 192.0.2.1 {date} text/html {len(block)}\n'.encode()
            file.write(head + block + b'\n')


def own(site: str, count: int) -> list[bytes]:
    return [f'<p>{site} {n} {"own words " * 12}'.encode() for n in range(count)]


@pytest.fixture
def made(here):
    """Detect labels of 20 chunks in the crawl of these documents; write a report."""

    def report(documents) -> Report:
        write_arc(here / 'a.arc', documents)
        labels = mrl.write(here / 'x.mrl', map(digest, SHARED))
        line = ['a.arc', '-l', labels, '-o', here / 'RUN', '-q', '-r', 'inline']
        assert run('detect', *line, '--neighborhood-threshold=0').code == 0
        found = Report(here / 'RUN')
        said = found.text('#summary') + found.text('#copying') + found.text('summary')
        assert not [words for words in ACCUSATIONS if words in said]
        return found

    return report


def test_victim_captured_late(made):
    """The thief was captured first: a fact, from which no theft follows."""
    report = made(
        [
            ('20200101000000', 'http://thief.net/', SHARED),
            ('20200401000000', 'http://shop.org/', [*SHARED, *own('shop', 5)]),
        ]
    )
    assert verdicts(report)['shop.org/'].startswith(
        '20 chunks in common with thief.net/, captured there first (all), by 91 days'
    )
    assert 'This does not show who copied' in report.text('#summary')


def test_theme_and_agency(made, here):
    """Sites with one theme, and labels from elsewhere: few of their chunks."""
    report = made(
        [
            (f'20200{n}01000000', f'http://club-{n}.org/', [*SHARED, *own(f'c{n}', 70)])
            for n in range(1, 6)
        ]
    )
    assert 'Of the 5, 5 share few chunks with any other site.' in kinds(report)
    rows = [line.split('\t') for line in (here / 'RUN/origins.tsv').open()][1:]
    assert len(rows) == 20
    column = ORIGINS.names.index('chunk_share')
    assert {row[column].strip() for row in rows} == {'0.222222222'}  # 20 of 90


def test_the_same_second(made):
    report = made(
        [
            ('20200101000000', f'http://{site}/', [*SHARED, *own(site, 3)])
            for site in ('a.org', 'b.org')
        ]
    )
    assert kinds(report).startswith(
        'Of the 2, 2 were captured at the same time as another site'
    )


def test_family_in_a_crawl(made):
    report = made(
        [
            ('20200101000000', 'http://www.shop.org/', SHARED),
            ('20200201000000', 'http://thief.net/', SHARED),
            ('20200301000000', 'http://shop.org/', SHARED),
            ('20200401000000', 'http://m.shop.org/', SHARED),
        ]
    )
    [row] = report.rows('.ties')[1:]
    assert row[:2] == ['thief.net/', 'www.shop.org/'] and row[5] == '31 days'
