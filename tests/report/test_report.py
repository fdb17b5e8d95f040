"""The report says what is in the tables, in words one can check."""

import json
import re
from collections import Counter

import made_runs as made
import pytest
from commands import run
from lxml import etree
from reports import CHUNK, READ, Report, bad, detected, discovered, tie, words

DAY, LATER, YEAR = (f'20{d}T00:00:00Z' for d in ('20-01-01', '20-01-02', '21-01-01'))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_discover_alone(here):
    report = Report(discovered(here / 'RUN'))
    assert report.sections == ['summary', 'labels', 'frequency', 'reading', 'tables']
    assert report.text('.lead') == (
        'This run read 40 pages (3.2 MB) from 1 input. No record was damaged. The '
        'pages were divided at each <p> or <div> into 1,000 chunks. 20.0 % of the '
        'chunks are widely copied, short chunks and repeats counted: 2 distinct '
        'chunks, each with more than 10 copies. Not counted: 1 distinct chunk with '
        'more than 10 copies, but of at most 100 bytes. 100 distinct chunks have 2 to '
        '10 copies. They do not count as widely copied, but text that two sites share '
        'is usually among them.'
    )
    assert [e.text for e in report.tree.cssselect('.steps code')] == [
        f'python -m mr_reuse.detect -o {here}/RUN',
        f'python -m mr_reuse.show {here}/RUN {CHUNK[:12]}',
    ]
    head, first, proof, *_ = report.rows('#labels table')
    assert head == ['chunk', 'copies', 'pages', 'hosts', 'bytes']
    assert first == ['<p>Well known', '150', '90', '7', '128']
    assert proof == [
        f'for example http://a.org/x python -m mr_reuse.show {here}/RUN {CHUNK[:12]}'
    ]
    once, few, many = report.rows('#frequency details:first-of-type table')[1:]
    assert once == ['once', '500', '500', '50.0 %']
    assert few == ['2 to 10 times', '100', '200', '20.0 %']
    assert many == ['11 to 100 times', '3', '300', '30.0 %']
    said = report.text('figcaption')
    assert '1,000 chunks, 603 of them distinct.' in said
    # All three chunks right of the threshold.
    assert (
        '2 chunks are labels, 1 with as many copies is too short, and 0 on the stop '
        'list.'
    ) in said


def test_spectrum(here):
    """Each row is a dot; those above the threshold are marked."""
    report = Report(discovered(here / 'RUN'))
    chunks, files = report.tree.cssselect('#frequency svg')
    dots = [e.get('d').count('M') for e in chunks.cssselect('.dots')]
    assert dots == [2, 1] and chunks.cssselect('.dots')[1].get('class') == 'dots hot'
    assert [e.get('d').count('M') for e in files.cssselect('.dots')] == [1, 1]
    # The axis to the right goes from 1 (46) to 100 (384): the threshold is in between.
    [limit] = chunks.cssselect('.limit')
    assert 46 + 338 / 2 < float(limit.get('d')[1:].split()[0]) < 46 + 338 * 0.52
    for picture in (chunks, files):
        told = picture.get('aria-labelledby').split()
        assert all(picture.xpath(f'*[@id="{name}"]')[0].text for name in told)


def test_points_that_nobody_could_tell_apart(here):
    """As many rows as a large corpus has are as many dots as a picture can show."""
    folder = discovered(here / 'RUN')
    rows = [('chunk', n, 10**9 // n**2 + 1) for n in range(1, 40_000)]
    made.table(folder, 'frequency', rows)
    report = Report(folder)
    assert len(report.bytes) < 100_000


def test_nothing_labeled(here):
    folder = discovered(here / 'RUN', labels={'chunk': {}, 'file': {}})
    made.table(folder, 'labels', [])
    made.table(folder, 'file_labels', [])
    report = Report(folder)
    assert 'No chunk is widely copied: none of more than 100 bytes' in report.text()
    assert 'No chunk is a label.' in report.text('#labels')
    assert 'again with a lower --threshold or --min-len' in report.text('#summary')
    assert not report.tree.cssselect('.steps')


def test_damage(here):
    """What was lost, by cause and by archive, the most first."""
    damage = {'gzip member does not inflate': [3, 500], 'cut': [1, 0], 'junk': [0, 77]}
    read = READ | {'damage': damage, 'skipped': {'warcinfo': 2}, 'notes': {'odd': 1}}
    damaged = [
        {'archive': f'{n:02}.warc.gz', 'damage': {'cut': [n, 10]}} for n in range(12)
    ]
    paths = {account['archive']: '/nowhere' for account in damaged}
    for account in damaged[:10]:
        account['counts'] = {'pages': 4, 'files': 5}
    report = Report(discovered(here / 'RUN', read, damaged=damaged, paths=paths))
    assert '2 of 12 inputs could not be read at all.' in report.text('#summary')
    assert (
        'At least 4 damaged records could not be read completely; all other records '
        'were read.' in report.text()
    )
    assert report.rows('#reading table:first-of-type')[1:] == [
        ['gzip member does not inflate', '3', '500'],
        ['cut', '1', '0'],
        ['junk', '0', '77'],
    ]
    archives = report.rows('#reading table:last-of-type')[1:]
    assert len(archives) == 10 and archives[0] == ['11.warc.gz', '11', '10']
    said = report.text('#reading')
    assert 'Lost: 4 records, 577 bytes, in 12 damaged archives.' in said
    assert 'by type: warcinfo (2).' in said and 'read completely: odd (1).' in said


def test_no_record_in_it(here):
    """An archive without any readable record is not summed up as no damaged record."""
    read = READ | {'damage': {'not an archive': [0, 71_000_000]}}
    damaged = [{'archive': 'a.warc.gz', 'damage': {'not an archive': [0, 71_000_000]}}]
    said = Report(discovered(here / 'RUN', read, damaged=damaged)).text('#summary')
    assert 'Part of the input is damaged; everything else was read.' in said
    assert '1 of 1 input could not be read at all.' in said
    read = {'counts': {'pages': 0}, 'damage': read['damage']}
    folder = discovered(here / 'NONE', read, damaged=damaged)
    assert '1 of 1 input could not be read at all. The' in Report(folder).text()


def test_everything_labeled(here):
    """A threshold of 0 is at the left end of the axis."""
    report = Report(discovered(here / 'RUN', threshold=0))
    [limit] = report.tree.cssselect('#frequency-chunk .limit')
    assert limit.get('d').startswith('M46 ')


def test_who_copied_from_whom(here):
    """The first of those that share much is the source, as sure as dates are."""
    origins = [
        # Two mirrors have more in common with each other than with the original.
        tie('m1.org/', 'm2.org/', 90, YEAR, YEAR, (40, 50)),
        tie('m1.org/', 'old.org/', 80, YEAR, DAY, (0, 80)),
        tie('m2.org/', 'm1.org/', 90, YEAR, YEAR, (50, 40)),
        tie('m2.org/', 'old.org/', 80, YEAR, DAY, (8, 72)),
        # Another shares too little to be where it is from.
        tie('m2.org/', 'far.org/', 30, YEAR, '2001-01-01T00:00:00Z', (0, 30)),
        # Too near in time, too few or just enough, and neither was first.
        tie('near.org/', 'm1.org/', 50, YEAR, '2020-12-31T00:00:01Z', (0, 50)),
        tie('few.org/', 'm1.org/', 30, YEAR, DAY, (0, 9)),
        tie('enough.org/', 'm1.org/', 31, YEAR, DAY, (1, 9)),
        tie('pair.org/', 'few.org/', 40, DAY, YEAR, (2, 0)),
        # Most was there first, but the very first of all was not.
        tie('odd.org/', 'm1.org/', 55, DAY, YEAR, (1, 54)),
        tie('little.org/', 'm1.org/', 24, YEAR, DAY, (0, 24)),
        tie('open.org/', 'm1.org/', 70, YEAR, DAY, (8, 62)),
        tie('undated.org/', 'm1.org/', 60, '', DAY, (0, 60)),
        # And one that had all first itself.
        tie('old.org/', 'm1.org/', 80, DAY, YEAR, (80, 0)),
    ]
    names = ['m1', 'm2', 'near', 'few', 'open', 'undated', 'old', 'little']
    names += ['alone', 'enough', 'pair', 'odd']
    report = Report(detected(here / 'RUN', origins, *(f'{n}.org/' for n in names)))
    assert report.sections == [
        *('summary', 'copying', 'neighborhoods', 'badness', 'reading', 'tables')
    ]
    found = {tuple(row[:2]): row[2:] for row in report.rows('.ties')[1:]}
    assert found == {
        ('m1.org/', 'old.org/'): [
            '80',
            '80.0 %',
            '80 of 80',
            '366 days',
            'captured later',
        ],
        ('m2.org/', 'old.org/'): [
            '80',
            '80.0 %',
            '72 of 80',
            '366 days',
            'captured later',
        ],
        ('near.org/', 'm1.org/'): [
            '50',
            '50.0 %',
            '50 of 50',
            '24 hours',
            'less than a day later',
        ],
        ('few.org/', 'm1.org/'): ['30', '30.0 %', '9 of 9', '–', 'too few dates'],
        ('enough.org/', 'm1.org/'): [
            '31',
            '31.0 %',
            '9 of 10',
            '366 days',
            'captured later',
        ],
        ('pair.org/', 'few.org/'): ['40', '40.0 %', '0 of 2', '–', 'too few dates'],
        ('odd.org/', 'm1.org/'): ['55', '55.0 %', '54 of 55', '–', 'open'],
        ('open.org/', 'm1.org/'): ['70', '70.0 %', '62 of 70', '–', 'open'],
        ('undated.org/', 'm1.org/'): ['60', '60.0 %', '60 of 60', '–', 'open'],
    }
    assert report.text('.lead').endswith(
        'The known chunks are those in /nowhere/x.mrl. 12 of 70 sites with enough '
        'chunks to be judged have a high share of known chunks: more than 15.0 % of '
        'the chunks, repeats counted. Of the 12, 3 were captured a day or more after '
        'another site with the same chunks; 1 was captured less than a day after '
        'another site with the same chunks; 3 share many chunks with others, and it is '
        'open which was first; 2 share many chunks with others, but with too few '
        'dates; 1 was captured first; 2 share less than a quarter of their labels or '
        'of their chunks with any other site.'
    )
    assert [words(e) for e in report.tree.cssselect('.who li')] == [
        '2 sites have on average 80.0 % of their chunks in common with '
        'old.org/, captured first, at least 366 days before.',
        '2 sites have on average 40.5 % of their chunks in common with m1.org/, '
        'captured first, at least 24 hours before; 1 of them less than a day later.',
        '3 sites share many chunks with others, and it is open which was first.',
        '2 sites share many chunks with others, but fewer than 10 have dates on both '
        'sites. That is too few to decide which was first.',
        'The largest group of known chunks is in m1.org/: 80 of its 90 chunks, '
        'repeats counted, on 9 pages.',
    ]
    assert [words(e) for e in report.tree.cssselect('#copying > ul li')] == [
        '3 were captured a day or more after another site with the same chunks',
        '1 was captured less than a day after another site with the same chunks',
        '3 share many chunks with others, and it is open which was first',
        '2 share many chunks with others, but with too few dates: fewer than 10 chunks '
        'with dates on both sites',
        '1 was captured first: a day or more before the others with the same chunks',
        '2 share less than a quarter of their labels or of their chunks with any other '
        'site: the labels are within a site, the same few on several sites, on several '
        'sites in smaller parts, or on more than 100 sites, which do not count here',
    ]
    summaries = [
        ' '.join(e.text_content().split())
        for e in report.tree.cssselect('.why summary')
    ]
    assert summaries == [
        '80 chunks in common with old.org/, captured there first (all), by 366 days',
        '80 chunks in common with old.org/, captured there first (72 of them), by 366 '
        'days',
        '50 chunks in common with m1.org/, captured there first (all), by 24 hours',
        '30 chunks in common with m1.org/: too few dates to decide who had them first',
        '70 chunks in common with m1.org/; who had them first is open',
        '60 chunks in common with m1.org/; who had them first is open',
        'Captured first, a day or more before the others with the same chunks',
        *2 * ['Its labels and worst pages'],
        '31 chunks in common with m1.org/, captured there first (9 of them), by 366 '
        'days',
        '40 chunks in common with few.org/: too few dates to decide who had them first',
        '55 chunks in common with m1.org/; who had them first is open',
    ]
    names = [e.text for e in report.tree.cssselect('#copying svg .site')]
    tree = ['old.org/', 'm1.org/', 'enough.org/', 'near.org/', 'm2.org/']
    assert names == [*tree, 'open.org/', 'undated.org/', 'odd.org/']
    heads = Counter(e.get('class') for e in report.tree.cssselect('#copying svg .head'))
    assert heads == {'head clear': 3, 'head weak': 1}


def test_source_or_one_captured_within_a_day(here):
    """The later site comes after both. The thief was seen an hour before the shop."""
    thief, shop = DAY, '2020-01-01T01:00:00Z'
    origins = [
        tie('thief.org/', 'shop.org/', 50, thief, shop, (50, 0)),
        tie('shop.org/', 'thief.org/', 50, shop, thief, (0, 50)),
        *(
            tie('late.org/', *other)
            for other in (
                ('later.org/', 50, YEAR, '2021-06-01T00:00:00Z', (50, 0)),
                ('next.org/', 50, YEAR, LATER, (0, 50)),
                ('shop.org/', 50, YEAR, shop, (0, 50)),
                ('thief.org/', 49, YEAR, thief, (0, 49)),
            )
        ),
    ]
    sites = ['late.org/', 'shop.org/', 'thief.org/']
    report = Report(detected(here / 'RUN', origins, *sites))
    either = 'thief.org/ or shop.org/'
    found = {tuple(row[:2]): row[-1] for row in report.rows('.ties')[1:]}
    assert found == {
        ('late.org/', either): 'captured later, first is open',
        ('shop.org/', 'thief.org/'): 'less than a day later',
    }
    said = words(report.tree.cssselect('.who li')[0])
    assert said == (
        f'1 site has 49.0 % of its chunks in common with {either}, captured '
        'first, by 366 days; which of these was first is open.'
    )
    column = [words(e) for e in report.tree.cssselect('#copying svg .site')]
    assert column == ['thief.org/', 'or shop.org/', 'late.org/']
    assert not report.tree.cssselect('.who b code, #copying svg .source')
    heads = [e.get('class') for e in report.tree.cssselect('#copying svg .head')]
    assert heads == ['head clear']
    assert len(report.tree.cssselect('#copying svg .arc.either')) == 1
    summaries = [words(e) for e in report.tree.cssselect('.why summary')]
    assert (
        summaries[0]
        == f'49 chunks in common with {either}, captured there first (all), by 366 days'
    )
    # The thief and the shop are told with the same reservation.
    assert summaries[1:] == [
        '50 chunks in common with thief.org/, captured there first (all), by 60 '
        'minutes',
        'Captured first, within a day of shop.org/',
    ]
    assert report.text('.lead').endswith(
        '1 was captured a day or more after another site with the same chunks; 1 was '
        'captured less than a day after another site with the same chunks; 1 was '
        'captured first, by less than a day.'
    )
    steps = report.text('.steps')
    assert 'Any of thief.org/ and shop.org/ may have been first. Look for' in steps
    assert 'mr_reuse.show' in steps and 'which was captured first' not in steps


def test_without_dates(here):
    """Who shares with whom is told, and why no more is."""
    origins = [tie('b.org/', 'a.org/', 50, '', '', (0, 0))]
    report = Report(detected(here / 'RUN', origins, 'b.org/'))
    [row] = report.rows('.ties')[1:]
    assert row == ['b.org/', 'a.org/', '50', '50.0 %', '0 of 0', '–', 'no dates']
    said = '1 site shares many chunks with others, but fewer than 10 have dates on both'
    assert said in report.text('.who')
    said = '50 chunks in common with a.org/: no dates to decide who had them first'
    assert said in report.text('.why summary')


def test_source_is_not_open(here):
    """Others are clear copies of it: so it is no open case, though one site is."""
    origins = [
        *(tie(f'c{n}.org/', 'a.org/', 40, YEAR, DAY, (0, 40)) for n in range(2)),
        tie('a.org/', 'x.org/', 46, DAY, DAY, (31, 15)),
        tie('x.org/', 'near.org/', 48, LATER, LATER, (26, 22)),
        tie('x.org/', 'older.org/', 47, LATER, '2019-12-01T00:00:00Z', (26, 21)),
        tie('x.org/', 'a.org/', 46, LATER, DAY, (15, 31)),
        tie('y.org/', 'near.org/', 48, LATER, LATER, (26, 22)),
        tie('y.org/', 'older.org/', 47, LATER, DAY, (26, 21)),
    ]
    sites = ['a.org/', 'x.org/', 'y.org/']
    report = Report(detected(here / 'RUN', origins, *sites))
    found = [(*row[:2], row[-1]) for row in report.rows('.ties')[1:]]
    assert found == [
        ('c0.org/', 'a.org/', 'captured later'),
        ('c1.org/', 'a.org/', 'captured later'),
        ('x.org/', 'a.org/', 'open'),  # from which others have copied
        ('y.org/', 'older.org/', 'open'),  # which was captured first
    ]
    said = report.text('#copying > ul')
    assert '2 share many chunks with others, and it is open which was first' in said
    assert '1 was captured first: a day or more before' in said
    assert [words(e) for e in report.tree.cssselect('.why summary')] == [
        'Captured first, a day or more before the others with the same chunks',
        '46 chunks in common with a.org/; who had them first is open',
        '47 chunks in common with older.org/; who had them first is open',
    ]


def test_only_a_hint(here):
    origins = [tie('b.org/', 'a.org/', 50, LATER, LATER, (0, 50))]
    report = Report(detected(here / 'RUN', origins, 'b.org/'))
    said = report.text('#summary')
    assert (
        '1 of 70 sites with enough chunks to be judged has a high share of known chunks'
        in said
    )
    assert 'It was captured less than a day after another site' in said
    assert (
        '1 site has 50.0 % of its chunks in common with a.org/, captured first, '
        'by less than a minute.' in said
    )
    assert 'Any of a.org/ and b.org/ may have been first.' in said
    assert 'first (all), by less than a minute' in report.text('.why summary')
    assert not report.tree.cssselect('.who b code, #copying svg .source')


def test_many_sources(here):
    """Of many sources and copies some are shown, and how many more there are."""
    origins = [
        tie(f'{s}-{n:02}.org/', f's{s}.org/', 50 + n, YEAR, DAY, (0, 50 + n))
        for s in range(12)
        for n in range(20 - s)
    ]
    report = Report(detected(here / 'RUN', origins, '0-00.org/'))
    names = [e.text for e in report.tree.cssselect('#copying svg .site')]
    assert names[:5] == [
        's0.org/',
        '0-19.org/',
        '0-18.org/',
        '0-17.org/',
        '… and 17 more',
    ]
    assert len(names) == 8 * 5
    # Of 174 copies three of each of eight sources are in the table.
    said = (
        '150 more rows like these and 4 more sites captured first are not shown. '
        'origins.tsv lists'
    )
    assert said in report.text('#copying')
    assert [words(e) for e in report.tree.cssselect('.who li')][:4] == [
        '20 sites have on average 59.5 % of their chunks in common with '
        's0.org/, captured first, at least 366 days before.',
        '19 sites have on average 59.0 % of their chunks in common with '
        's1.org/, captured first, at least 366 days before.',
        '18 sites have on average 58.5 % of their chunks in common with '
        's2.org/, captured first, at least 366 days before.',
        '9 more sites captured first are listed below.',
    ]
    bold = [e.text for e in report.tree.cssselect('.who b code, #copying svg .source')]
    assert bold == [f's{n}.org/' for n in (0, 1, 2, *range(8))]


def test_circle(here):
    """Three sites of which each was before the next one: all are drawn, once."""
    sites = ['a.org/', 'b.org/', 'c.org/']
    pairs = zip(sites, [*sites[1:], sites[0]], strict=True)
    origins = [tie(*pair, 50, YEAR, DAY, (0, 50)) for pair in pairs]
    report = Report(detected(here / 'RUN', origins, *sites))
    names = [e.text for e in report.tree.cssselect('#copying svg .site')]
    assert sorted(names) == sites
    assert len(report.tree.cssselect('#copying svg .head')) == 3


def test_links_and_rings(here):
    origins = [tie('b.org/', 'a.org/', 50, YEAR, DAY, (0, 50))]
    sites = ['b.org/', 'a.org/', 'c.org/', 'x/']
    folder = detected(here / 'RUN', origins, *sites)
    report = Report(folder)
    steps = report.text('.steps')
    assert 'mr_reuse.links' in steps and 'mr_reuse.review' in steps
    said = 'The links of this run have not been read yet. Run this command'
    assert said in report.text('#copying')
    assert f'mr_reuse.links {folder}' in report.text('#copying')
    assert not report.tree.cssselect('#copying svg .ring')
    assert '--min-chunks' not in steps
    rows = [('a.org/', 'b.org/', 5, 5), ('b.org/', 'c.org/', 9, 9)]
    made.table(folder, 'links', rows)
    made.table(folder, 'rings', [])
    denied = 'The bad sites do not link to each other in rings.'
    assert denied in Report(folder).text('#copying')
    made.table(folder, 'links_unread', [('a.warc.gz', 7)])
    text = Report(folder).text('#copying')
    assert denied not in text and 'No ring was found, but there may be some' in text
    assert '1 archive with pages of bad sites was missing' in text
    made.table(folder, 'rings', [(1, 2, 'a.org/'), (1, 2, 'b.org/'), (2, 2, 'x/')])
    report = Report(folder)
    assert 'mr_reuse.links' not in report.text('.steps')
    assert len(report.tree.cssselect('#copying svg .link')) == 1
    assert 'There are 2 rings' in report.text('#copying')
    assert '2 sites: a.org/, b.org/' in report.text('#copying')
    said = '3 of the 4 sites link to each other in 2 rings: a.org/, b.org/ and 1 more.'
    assert said in report.text('.who')
    marks = report.tree.cssselect('#copying svg .ring text')
    assert [mark.text for mark in marks] == ['1', '1']


def test_folded(here):
    """A folder with all pages of its host is not listed again."""
    rows = [*bad('a.org/', 'a.org/x/', 'a.org/x/y/'), *bad('a.org/x/z/', pages=3)]
    folder = detected(here / 'RUN', [], 'a.org/')
    made.table(folder, 'bad_neighborhoods', [*rows, *bad('b.org/', 'b.orgs/')])
    names = [
        e.text_content()
        for e in Report(folder).tree.cssselect('#neighborhoods th[scope=row]')
    ]
    assert names == ['a.org/x/y/', 'b.org/', 'b.orgs/']
    report = Report(folder, '--top=2')
    names = report.rows('#neighborhoods table')[1::2]
    assert [row[0] for row in names] == ['a.org/ x/y/', 'b.org/']
    assert report.text('.folders > ul > li') == (
        'a.org/x/z/ 88.9 %: 80 of 90 chunks, on 3 pages'
    )
    bins = made.histogram(p88=6)
    made.stats(folder, bins, bins, bad=6)
    assert 'All 6 bad neighborhoods, on 3 sites' in Report(folder).text()


def test_one_folder(here):
    """A host is told apart from the folder that has nearly all of its labels."""
    folder = detected(here / 'RUN', [], 'a.org/')
    rows = [
        ('a.org/~x/', 2, 9, 95, 100, 0.95, 0.95),
        ('a.org/', 1, 50, 100, 200, 0.5, 0.5),
    ]
    made.table(folder, 'bad_neighborhoods', rows)
    tree = Report(folder).tree
    said = [words(e) for e in tree.cssselect('#neighborhoods summary')]
    assert said == [
        '95 of the 100 are in ~x/; of the other chunks, 5.0 % are known',
        '1 more folder of a.org/ is bad',
    ]


def test_row_of_a_site(here):
    """A site has one row, with its folders inside, where its worst one stood."""
    folder = detected(here / 'RUN', [], 'a.org/')
    folders = [(f'a.org/{n:02}/', 2, n, 90, 100, 0.9, 0.9) for n in range(30)]
    rows = [
        folders[0],
        ('b.org/', 1, 7, 85, 100, 0.85, 0.85),
        *folders[1:],
        ('c.org/x/', 2, 7, 85, 100, 0.85, 0.85),
        ('a.org/', 1, 60, 150, 200, 0.75, 0.75),
        ('c.org/y/', 2, 4, 60, 100, 0.6, 0.6),
    ]
    made.table(folder, 'bad_neighborhoods', rows)
    bins = made.histogram(p85=len(rows))
    made.stats(folder, bins, bins, bad=len(rows))
    report = Report(folder)
    named = [row[0] for row in report.rows('#neighborhoods table')[1::2]]
    # c.org as a whole is not bad, so its row is that of its worst folder.
    assert named == ['a.org/', 'b.org/', 'c.org/x/']
    assert 'All 34 bad neighborhoods, on 3 sites, worst first' in report.text()
    inside = report.tree.cssselect('#neighborhoods .folders')
    assert [words(e.find('summary')) for e in inside] == [
        '30 more folders of a.org/ are bad',
        '1 more folder of c.org/ is bad',
    ]
    listed = [words(e) for e in inside[0].cssselect('ul > li')]
    assert listed[0] == 'a.org/00/ 90.0 %: 90 of 100 chunks, on 0 pages'
    assert listed[1].endswith('on 1 page') and len(listed) == 20
    assert '10 more folders in bad_neighborhoods.tsv' in words(inside[0])
    few = Report(folder, '--top=1')
    assert 'The 1 worst site, with 31 of 34 bad neighborhoods' in few.text()


def test_labels_on_the_most_hosts(here):
    """A template has many copies; what many hosts have is another list."""
    folder = discovered(here / 'RUN')
    rows = [(f'{n:040x}', 128, 900 - n, 9, 1, 'http://a/', f'T{n}') for n in range(30)]
    hosts = [
        (f'{n + 99:040x}', 128, 90 - n, 9, n, 'http://a/', f'W{n}') for n in (3, 8)
    ]
    made.table(folder, 'labels', [*rows, *hosts])
    report = Report(folder)
    captions = [words(e) for e in report.tree.cssselect('#labels caption')]
    assert captions[:2] == [
        'The labels with the most copies',
        'The labels on the most hosts',
    ]
    assert [row[0] for row in report.rows('#labels table:nth-of-type(1)')[1:5:2]] == [
        'T0',
        'T1',
    ]
    found = report.rows('#labels table:nth-of-type(2)')[1:]
    assert [row for row in found if len(row) > 1] == [
        ['W8', '8', '82', '9', '128'],
        ['W3', '3', '87', '9', '128'],
    ]
    made.table(folder, 'labels', rows)
    assert 'No label is on more than one host.' in Report(folder).text('#labels')


def test_badness(here):
    """Bars right of the threshold are marked; the sum ends at all."""
    folder = detected(here / 'RUN', [], 'a.org/')
    bins = made.histogram(p0=1000, p14=5, p15=4, p99=1, p100=2)
    made.stats(folder, bins, bins, bad=7)
    [bars, hot] = Report(folder).tree.cssselect('#badness svg:last-of-type .bars')[-2:]
    assert (bars.get('d').count('z'), hot.get('d').count('z')) == (2, 3)
    said = Report(folder).text('#badness figure:last-of-type figcaption')
    assert said.startswith('7 of 1,012 neighborhoods are bad: more than 15.0 % of')
    assert ' 1 more neighborhood has too few chunks to be judged.' in said
    assert ' 3 more pages have' in Report(folder).text('#badness figcaption')


def test_own_threshold_for_each_level(here):
    folder = detected(here / 'RUN', [], 'a.org/')
    bins = made.histogram(p0=10, p50=1)
    made.stats(folder, bins, bins, bad=1, threshold=None)
    told = json.loads((folder / 'run.json').read_text())
    told['detect']['rule']['per_level'] = True
    (folder / 'run.json').write_text(json.dumps(told))
    report = Report(folder)
    told = 'Neighborhoods have a threshold for each level (table below).'
    assert told in report.text('#badness')
    assert report.tree.cssselect('#badness-page .limit')
    assert not report.tree.cssselect('#badness-neighborhood .limit')


# What is not as it should be


def refused(*args) -> str:
    code, out, err = run('report', *args)
    assert (code, out) == (1, '')
    assert err.startswith('error: ') and err.count('\n') == 1
    return err[len('error: ') : -1]


def test_too_many_rows(here):
    done = run('report', discovered(here / 'RUN'), '--top=10001')
    why = '--top 10001: at most 10,000; the table has all'
    assert (done.code, done.err) == (2, f'error: {why}\n')


def test_no_run(here):
    why = 'no finished run of discover or detect'
    assert refused('nowhere') == f'nowhere: {why}; there is no such folder'
    assert not (here / 'nowhere').exists()
    folder = discovered(here / 'RUN', finished=False)
    begun = '; type the command that began it again to resume'
    assert refused(folder) == f'{folder}: {why}{begun}'


@pytest.mark.parametrize(
    'row',
    ['chunk\tmany\t3', 'chunk\t3', '', 'what\t1\t1', 'chunk\t1\t1\t1', 'chunk\t0\t5'],
)
def test_damaged_table(here, row):
    folder = discovered(here / 'RUN')
    (folder / 'frequency.tsv').write_text(
        f'unit\tcopies\tobjects\nchunk\t1\t1\n{row}\n'
    )
    why = 'line 3 is damaged; run discover or detect again'
    assert refused(folder) == f'{folder}/frequency.tsv: {why}'
    assert not (folder / 'report.html').exists()


@pytest.mark.parametrize('text', ['', '{}', '[]', '{"pages": {}, "neighborhoods": {}}'])
def test_damaged_statistics(here, text):
    folder = detected(here / 'RUN', [], 'a.org/')
    (folder / 'stats.json').write_text(text)
    why = "missing, or without a valid 'pages'; run detect again"
    assert refused(folder) == f'{folder}/stats.json: {why}'


def test_origins_gone(here):
    folder = detected(here / 'RUN', [], 'a.org/')
    (folder / 'origins.tsv').unlink()
    assert refused(folder) == f'{folder}/origins.tsv: missing; run detect again'


def test_old_report_stays_until_there_is_a_new_one(here):
    folder = discovered(here / 'RUN')
    first = Report(folder).bytes
    (folder / 'labels.tsv').write_text('hash\nx\n')
    assert 'labels.tsv: line 2 is damaged' in refused(folder)
    assert (folder / 'report.html').read_bytes() == first
    assert not list(folder.glob('*.half'))


# The page


def test_one_file_without_loads(here):
    """Nothing in the page leads anywhere else; only its own script may run."""
    report = Report(detected(here / 'RUN', [], 'a.org/'))
    head = report.tree.cssselect('meta[http-equiv]')[0]
    assert head.get('http-equiv') == 'Content-Security-Policy'
    policy = dict(part.strip().split(' ', 1) for part in head.get('content').split(';'))
    assert policy.keys() == {
        *('default-src', 'style-src', 'script-src', 'base-uri', 'form-action')
    }
    assert policy['default-src'] == policy['base-uri'] == "'none'"
    assert all(
        re.fullmatch(r"'sha256-[\w+/]{43}='", policy[f'{n}-src'])
        for n in ('style', 'script')
    )
    for element in report.tree.iter(etree.Element):
        for name, value in element.attrib.items():
            assert name not in ('src', 'style', 'action', 'background', 'xlink:href')
            assert not name.startswith('on')
            assert name != 'href' or value.startswith('#')
    ids = report.tree.xpath('//@id')
    assert len(ids) == len(set(ids)) > 10
    assert {n for a in report.tree.xpath('//@aria-labelledby') for n in a.split()} < {
        *ids
    }
    assert '@import' not in report.text('style') and 'url(' not in report.text('style')


def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG 2 defines it."""
    digits = colour.lstrip('#')
    if len(digits) == 3:
        digits = ''.join(2 * digit for digit in digits)
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast(here):
    """Text of any colour can be read: on screens, light and dark, and on paper."""
    assert round(contrast('#000', '#ffffff'), 2) == 21
    style = Report(discovered(here / 'RUN')).text('style')
    themes = [
        dict(re.findall(r'--(\w+): (#\w+)', block))
        for block in re.findall(r':root \{[^}]*\}', style)
    ]
    assert len(themes) == 3
    for theme in themes:
        for ink in ('ink', 'soft', 'accent'):
            for paper in ('paper', 'wash'):
                assert contrast(theme[ink], theme[paper]) >= 4.5, (ink, paper, theme)
        assert contrast(theme['dot'], theme['paper']) >= 3


def test_neighborhoods_of_few_chunks(here):
    """They are counted, and how to leave them out is said."""
    folder = detected(here / 'RUN', [], 'a.org/', 'b.org/', 'c.org/')
    rows = [('a.org/', 1, 1, 2, 2, 1.0, 1.0), ('b.org/', 1, 1, 4, 4, 1.0, 1.0)]
    made.table(folder, 'bad_neighborhoods', [*rows, ('c.org/', 1, 3, 40, 50, 0.8, 0.8)])
    report = Report(folder)
    assert 'Neighborhoods below with fewer than 5 chunks: 2.' in report.text('.steps')
    assert f'detect -o {folder} --min-chunks 5' in report.text('.steps')
    assert 'in c.org/: 40 of its 50 chunks, repeats counted, on 3 pages' in report.text(
        '.who'
    )
