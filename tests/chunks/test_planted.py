"""What was planted is found: the sites that copied, and since when; the ring."""

import csv
from collections import defaultdict
from datetime import datetime, timedelta
from functools import partial

import pytest
from commands import run
from lxml import html

DAY = timedelta(days=1)
OPEN = 'captured later, first is open'
FIXED = ['--neighborhood-threshold', '0.5']  # the option that the summary proposes


def rows(path):
    with open(path, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A crawl, and all that the demo makes of it."""
    top = tmp_path_factory.mktemp('planted')
    crawl, out = top / 'crawl', top / 'run'
    quiet = ['-q', '-r', 'inline']
    lines = [
        ['synth', '-o', crawl, '--size', '3MB', '-q'],
        ['discover', crawl / '*.warc.gz', '-o', out, *quiet],
        # Half of these sites are copies, so that none is far above their mean.
        ['detect', '-o', out, '--min-chunks', '5', *FIXED, *quiet],
        ['links', out, *quiet],
        ['report', out, '-q'],
    ]
    assert [run(*line).code for line in lines] == [0] * len(lines)
    return crawl, out


@pytest.fixture(scope='module')
def planted(made):
    """Each planted site, by its name in tables."""
    return {f'{row["site"]}/': row for row in rows(made[0] / 'sites.tsv')}


def date(text):
    return datetime.strptime(text, '%Y-%m-%dT%H:%M:%SZ')


def lead(planted, name):
    """How long before a site the one that it copied was captured."""
    here, there = planted[name], planted[f'{planted[name]["copied_from"]}/']
    return date(here['first_captured']) - date(there['first_captured'])


def copiers(planted):
    return [name for name, row in planted.items() if row['copied_from']]


def test_planted_sites_are_bad(made, planted):
    bad = {row['prefix'] for row in rows(made[1] / 'bad_neighborhoods.tsv')}
    assert len(copiers(planted)) > 20 and set(planted) <= bad


def test_first_captures(made, planted):
    """Each copier is told with the one that it copied, and the dates of both."""
    told = {(r['neighborhood'], r['other']): r for r in rows(made[1] / 'origins.tsv')}
    for name in copiers(planted):
        source = f'{planted[name]["copied_from"]}/'
        row = told[name, source]
        assert float(row['share']) > 0.8
        assert row['first_here'] == planted[name]['first_captured']
        assert row['first_there'] == planted[source]['first_captured']
        here, there = int(row['earlier_here']), int(row['earlier_there'])
        assert here + there == int(row['shared']) >= 20
        if lead(planted, name) >= DAY:
            assert here == 0
        if lead(planted, name) < timedelta():
            assert there == 0


def test_one_site_is_now_earlier_now_later(made, planted):
    found = [
        row
        for row in rows(made[1] / 'origins.tsv')
        if row['neighborhood'] in planted
        and row['other'] == f'{planted[row["neighborhood"]]["copied_from"]}/'
        and min(int(row['earlier_here']), int(row['earlier_there'])) >= 6
    ]
    assert len(found) == 1


@pytest.fixture(scope='module')
def report(made):
    return html.document_fromstring((made[1] / 'report.html').read_text())


def test_report_is_as_sure_as_dates_allow(planted, report):
    """Sites are captured later by weeks or by hours, and nobody is called a copy."""
    ties = {}
    for line in report.cssselect('.ties tbody tr'):
        here, there, *_, sure = (cell.text_content() for cell in line)
        ties[here] = there, sure
    said = defaultdict(list)
    for here, (there, sure) in ties.items():
        if here in planted and planted[here]['copied_from']:
            said[sure].append(here)
            source = f'{planted[here]["copied_from"]}/'
            late = sure.startswith('captured later')
            assert late == (lead(planted, here) > 20 * DAY)
            if sure == 'captured later':
                assert there == source == 'www.openlore.example/'
            else:
                assert there.startswith((source, 'amber-outlet-0.example/'))
            assert there.endswith(' or others') == (sure == OPEN)
    mirrors = [n for n, row in planted.items() if 'openlore' in row['copied_from']]
    later = said['captured later']
    assert {*later} <= {*mirrors} and len(later) > 10
    assert len(said[OPEN]) == 5
    assert len(said['less than a day later']) == 2 and not said['open']
    early = [name for name in copiers(planted) if lead(planted, name) < timedelta()]
    assert early == ['amber-outlet-0.example/'] and not {*early} & ties.keys()
    robbed = f'{planted[early[0]]["copied_from"]}/'
    assert ties[robbed] == (early[0], 'less than a day later')


def test_report_names_the_robbed_beside_the_thief(made, planted, report):
    """Who came within a day is in the picture as what may be the source as well."""
    said = [e.text_content() for e in report.cssselect('.who li')]
    ring = [name for name, row in planted.items() if row['links_to']]
    late = [name for name in ring if lead(planted, name) > DAY]
    assert len(late) == 5
    first, robbed = 'amber-outlet-0.example/', 'www.fernshop.example/'
    have = f'{len(late)} sites have on average 72.7\xa0% of their chunks in '
    have += f'common with {first}, {robbed} or one of 2 others, captured first, at '
    have += 'least 27\xa0days before; which of these was first is open.'
    assert have in said[1]
    sites = [r for r in rows(made[1] / 'bad_neighborhoods.tsv') if r['level'] == '1']
    ringed = f'{len(ring)} of the {len(sites)} sites link to each other in a ring: '
    assert f'{ringed}{ring[0]}, ' in said[2]
    column = [e.text_content() for e in report.cssselect('#copying svg .site')]
    near = [name for name in ring if timedelta() < lead(planted, name) < DAY]
    near.sort(key=partial(lead, planted))
    assert column[column.index(first) :] == [
        first,
        *(f'or {name}' for name in (robbed, *near)),
        *late,
    ]
    bold = report.cssselect('#copying svg .source, .who b code')
    assert {e.text_content() for e in bold} == {'www.openlore.example/'}
    assert len(report.cssselect('#copying svg .ring')) == len(ring)


def test_report_has_the_same_reservation_on_both_sides(planted, report):
    """Neither the thief nor the robbed is accused; the ring tells more."""
    first, robbed = 'amber-outlet-0.example/', 'www.fernshop.example/'
    told = {}
    table = report.cssselect('#neighborhoods table')[0]
    for body in table.cssselect('tbody'):
        name = body.cssselect('th code')[0].text_content()
        told[name] = ' '.join(body.cssselect('summary')[0].text_content().split())
    assert told[first] == (
        f'Captured first, within a day of {robbed}, bright-outlet-2.example/, '
        'ancient-outlet-1.example/'
    )
    assert told[robbed].endswith(f'{first}, captured there first (all), by 3 hours')
    assert told['www.openlore.example/'] == (
        'Captured first, a day or more before the others with the same chunks'
    )
    said = report.cssselect('.lead')[2].text_content()
    assert '1 was captured first, by less than a day' in said
    ring = [name for name, row in planted.items() if row['links_to']]
    said = ' '.join(report.cssselect('#copying')[0].text_content().split())
    assert (
        f'Of the {len(ring) + 1} bad sites that share the chunks of {first} or others, '
        f'{len(ring)} link to each other in a ring; {robbed} does not.'
    ) in said
    heads = report.cssselect('#copying svg .head')
    assert {one.get('class') for one in heads} <= {'head clear', 'head more'}
    steps = [e.text_content() for e in report.cssselect('.steps li')]
    possible = f'Any of {first}, {robbed} and 2 more may have been first.'
    assert [possible in step for step in steps].count(True) == 1


def test_ring(made, planted):
    links = {
        (name, f'{to}/')
        for name, row in planted.items()
        for to in row['links_to'].split()
    }
    found = rows(made[1] / 'links.tsv')
    assert len(links) == 20 and {(r['source'], r['target']) for r in found} == links
    ring = sorted({name for link in links for name in link})
    assert [row['site'] for row in rows(made[1] / 'rings.tsv')] == ring
    assert len(ring) == 8
    assert {planted[name]['copied_from'] for name in ring} == {'www.fernshop.example'}


def test_named_source(made, planted, tmp_path):
    """All that copied from the robbed are told as copies, even who came before it."""
    robbed, out = 'www.fernshop.example', tmp_path / 'run'
    line = [made[1], '-o', out, '--min-chunks', '5', *FIXED, '-r', 'inline']
    done = run('detect', *line, '--source', robbed)
    assert done.code == 0 and run('report', out, '-q').code == 0
    copied = {n for n in copiers(planted) if planted[n]['copied_from'] == robbed}
    assert len(copied) == 8 and 'amber-outlet-0.example/' in copied
    words = done.out.partition('8 bad hosts have copies from a source that you named:')
    listed = [line.split() for line in words[2].splitlines()[1:9]]
    assert {cells[-3] for cells in listed} == copied
    assert {tuple(cells[-2:]) for cells in listed} == {('from', f'{robbed}/')}
    page = html.document_fromstring((out / 'report.html').read_text())
    ties = {row[0].text_content(): row for row in page.cssselect('.ties tbody tr')}
    found = {name for name, row in ties.items() if 'source named' in row[-1].text}
    assert found == copied and f'{robbed}/' not in ties
    assert {ties[name][1].text_content() for name in found} == {f'{robbed}/'}
    # The mirrors of another site are captured later, as before.
    assert {ties[name][-1].text for name in ties.keys() - found} == {'captured later'}
    said = [e.text_content() for e in page.cssselect('.who li')]
    assert said[0].startswith(f'8 sites have copies from {robbed}/, which you named as')
