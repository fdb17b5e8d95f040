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
HINT = 'If you know the source, name it with detect --source HOST.'
SHARED = [b'<p>shared %d ' % n + b'of the original ' * 9 for n in range(20)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(report: Report) -> dict[str, str]:
    """The first words on each neighborhood, by its prefix."""
    rows = report.rows('#neighborhoods table')[1:]
    return {site[0]: why[0] for site, why in zip(rows[::2], rows[1::2], strict=True)}


SAME_LABELS = 'All {} have the same labels as another bad site.'


def kinds(report: Report) -> str:
    """What the summary says of all bad sites together."""
    return report.text('.lead').partition('repeats counted. ')[2]


def test_hosts_of_one_domain(here):
    """They are a family, whoever of them was captured first."""
    origins = [
        tie('www.shop.co.uk/', 'shop.co.uk/', 90, FEB, JAN, (0, 90)),
        tie('m.shop.co.uk/', 'shop.co.uk/', 90, MARCH, JAN, (0, 90)),
    ]
    sites = ['www.shop.co.uk/', 'm.shop.co.uk/']
    report = Report(detected(here / 'RUN', origins, *sites))
    assert kinds(report) == (
        'All 2 share many chunks only with other hosts of the same registered domain.'
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
    few = 'It shares less than a quarter of its labels or of its chunks with any other'
    assert (few in kinds(report)) != is_close


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

    def report(documents, *facts) -> Report:
        write_arc(here / 'a.arc', documents)
        labels = mrl.write(here / 'x.mrl', map(digest, SHARED))
        line = ['a.arc', '-l', labels, '-o', here / 'RUN', '-r', 'inline']
        done = run('detect', *line, '--neighborhood-threshold=0', *facts)
        assert (done.code, 'warning' in done.err) == (0, False)
        found = Report(here / 'RUN')
        if '--source' in facts:
            found.summary = done.out
            return found
        assert not [words for words in ACCUSATIONS if words in done.out]
        said = found.text('h1, #summary, #copying, summary').replace(HINT, '')
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


def test_theme(made, here):
    """Ten sites with one theme, and labels from elsewhere: few of their chunks."""
    report = made(
        [
            (f'202001{n:02}000000', f'http://club-{n}.org/', [*SHARED, *texts])
            for n in range(1, 11)
            for texts in [own(f'club {n}', 70)]
        ]
    )
    assert kinds(report).startswith(SAME_LABELS.format(10))
    names = sorted(f'club-{n}.org/' for n in range(1, 11))
    for part in ('.who li', '#copying > ul li'):
        assert report.text(part).startswith(
            f'All 10 have the same 20 labels: {", ".join(names[:3])} and 7 more. '
            'Counted once each, these are 22.2 % of the distinct chunks of a site. The '
            'sites may have a common theme or template.'
        )
    assert (
        'A bad site is compared with sites that have at least a quarter of its '
        'labels, and also a quarter of its chunks. Here no site has both. The labels '
        'that bad sites have in common are listed below.'
    ) in report.text('#copying')
    assert 'None shares' not in report.text('.who')
    rows = [line.split('\t') for line in (here / 'RUN/origins.tsv').open()][1:]
    assert len(rows) == 90
    column = ORIGINS.names.index('chunk_share')
    assert {row[column].strip() for row in rows} == {'0.222222222'}  # 20 of 90
    assert set(relations(here).values()) == {''}


def test_theme_of_small_sites(made):
    """Most of the chunks of ten honest sites are those of a theme.

    The order of their captures is a fact, of which nothing follows.
    """
    report = made(
        [
            (f'202001{n:02}000000', f'http://club-{n}.org/', [*SHARED, *texts])
            for n in range(1, 11)
            for texts in [own(f'club {n}', 10)]
        ]
    )
    assert kinds(report) == (
        'Of the 10, 9 were captured a day or more after another site with the same '
        'chunks; 1 was captured first.'
    )
    assert 'This does not show who copied' in report.text('#summary')


def test_the_same_second(made):
    report = made(
        [
            ('20200101000000', f'http://{site}/', [*SHARED, *own(site, 3)])
            for site in ('a.org', 'b.org')
        ]
    )
    assert kinds(report).startswith(
        'All 2 were captured at the same time as another site'
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


# Facts that the user states


def relations(folder) -> dict[tuple[str, str], str]:
    """What `origins.tsv` says of pairs of sites."""
    rows = [line[:-1].split('\t') for line in (folder / 'RUN/origins.tsv').open()][1:]
    return {(row[0], row[1]): row[-1] for row in rows}


def test_named_source_is_no_suspect(made, here):
    """The victim was captured after two thieves, and a third has little of it."""
    documents = [
        ('20200101000000', 'http://thief.net/', SHARED),
        ('20200201000000', 'http://late.net/', [*SHARED, *own('late', 20)]),
        ('20200201000000', 'http://quotes.net/', [*SHARED[:5], *own('quotes', 90)]),
        ('20200401000000', 'http://www.shop.org/', [*SHARED, *own('shop', 5)]),
        ('20200501000000', 'http://m.shop.org/', SHARED),
    ]
    report = made(documents, '--source', 'shop.org')
    said = verdicts(report)
    from_shop = 'of its chunks, in common with m.shop.org/, of one family with shop.org'
    assert said['thief.net/'].startswith(f'20 chunks, 100.0 % {from_shop}')
    assert said['late.net/'].startswith(f'20 chunks, 50.0 % {from_shop}')
    assert said['quotes.net/'].startswith('Its labels and worst pages')
    for host in ('www.shop.org/', 'm.shop.org/'):
        assert said[host].startswith(
            'You named shop.org, of one family with this site, as a source'
        )
    assert kinds(report) == (
        'Of the 5, 2 have copies from a site that you named as the source; 2 belong to '
        'a source that you named; 1 shares less than a quarter of its labels or of '
        'its chunks with any other site.'
    )
    assert (
        '2 sites have copies from m.shop.org/, of one family with shop.org, which you '
        'named as the source: on average 75.0 % of their chunks.'
    ) in report.text('.who')
    rows = report.rows('.ties')[1:]
    assert [row[0] for row in rows] == ['late.net/', 'thief.net/']
    assert {row[-1] for row in rows} == {'copies, source named'}
    assert report.summary.partition(
        '2 bad hosts have copies from a source that you named:\n'
    )[2].splitlines()[:2] == [
        '   50.0 %        20  late.net/ from m.shop.org/',
        '  100.0 %        20  thief.net/ from m.shop.org/',
    ]
    listed = report.summary.partition('prefix\n')[2].partition('\n(')[0].splitlines()
    marked = [line.split('  ', 1)[1] for line in listed if 'source' in line]
    assert len(marked) == 2
    assert all(line.endswith('shop.org/  (a source that you named)') for line in marked)
    words = relations(here)
    assert words['thief.net/', 'www.shop.org/'] == 'source there'
    assert words['www.shop.org/', 'thief.net/'] == 'source here'
    assert words['www.shop.org/', 'm.shop.org/'] == 'family'
    assert words['thief.net/', 'late.net/'] == ''


def test_named_families(made, here):
    """Two domains of one owner, captured a month apart, are not compared."""
    (here / 'mine.txt').write_text('shop.org shop-blog.net\n')
    documents = [
        ('20200101000000', 'http://shop.org/', SHARED),
        ('20200201000000', 'http://shop-blog.net/', SHARED),
    ]
    report = made(documents, '--families', 'mine.txt')
    assert kinds(report) == (
        'All 2 share many chunks only with other hosts of the same owner.'
    )
    same = '20 chunks in common with shop.org/, of the same owner, as you stated'
    assert verdicts(report)['shop-blog.net/'].startswith(same)
    assert not report.tree.cssselect('.ties, #copying svg .arc')
    listed = 'Not compared: hosts of one family shop-blog.net/, shop.org/: 20 chunks'
    assert listed in report.text('#copying')
    assert set(relations(here).values()) == {'family'}
    # Without the file, the order of their captures is stated.
    report = made(documents, '--families', 'none')
    assert 'captured a day or more after another' in kinds(report)


def test_agency(made):
    """Twelve papers print the texts of an agency, among many of their own."""
    report = made(
        [
            (f'202001{n:02}000000', f'http://paper-{n}.com/', texts)
            for n in range(1, 13)
            for texts in [[*SHARED, *own(f'paper {n}', 70)]]
        ]
    )
    # A row of the table has only ten of the eleven others.
    assert kinds(report).startswith(SAME_LABELS.format(12))
    assert report.text('.who li').startswith('All 12 have the same 20 labels: ')
    assert not report.tree.cssselect('.ties')


def test_few_labels_from_elsewhere(made, here):
    """All 20 labels of a site are of a template; it has 800 other chunks."""
    report = made(
        [
            ('20200101000000', 'http://a.org/', [*SHARED, *own('a', 5)]),
            ('20200301000000', 'http://b.org/', [*SHARED, *own('b', 780)]),
        ]
    )
    assert verdicts(report)['b.org/'].startswith('Its labels and worst pages')
    [share] = [
        row[0:5] for row in report.rows('#neighborhoods table') if row[0] == 'b.org/'
    ]
    assert share == ['b.org/', '2.5 %', '20', '800', '1']
    assert not report.tree.cssselect('.ties')
    assert '100.0 %' not in report.text('#summary') + report.text('#copying')
