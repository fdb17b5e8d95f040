"""What was planted is found: the sites that copied, and since when; the ring."""

import csv
import re
from collections import defaultdict
from datetime import datetime, timedelta

import pytest
from commands import run

DAY = timedelta(days=1)


def rows(path):
    with open(path, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A crawl, and all that the demo makes of it."""
    top = tmp_path_factory.mktemp('planted')
    crawl, out = top / 'crawl', top / 'run'
    lines = [
        ['synth', '-o', crawl, '--size', '3MB', '-q'],
        ['discover', crawl / '*.warc.gz', '-o', out, '-q', '-r', 'inline'],
        ['detect', '-o', out, '--min-chunks', '5', '-q', '-r', 'inline'],
        ['links', out, '-q', '-r', 'inline'],
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


def test_one_mirror_is_now_earlier_now_later(made, planted):
    found = [
        row
        for row in rows(made[1] / 'origins.tsv')
        if row['neighborhood'] in planted
        and row['other'] == f'{planted[row["neighborhood"]]["copied_from"]}/'
        and min(int(row['earlier_here']), int(row['earlier_there'])) >= 6
    ]
    assert len(found) == 1


def test_report_is_as_sure_as_dates_allow(made, planted):
    """Clear where months tell it, a hint within hours; nobody is accused by hours."""
    page = (made[1] / 'report.html').read_text()
    table = page.partition('<table class="list ties"')[2].partition('</table>')[0]
    ties = {}
    for line in table.split('<tr role="row">')[2:]:
        here, there = re.findall(r'<code>(.*?)</code>', line)
        ties[here, there] = re.search(r'data-label="how sure">(.*?)<', line)[1]
    said = defaultdict(list)
    for (here, there), sure in ties.items():
        if here in planted and there in planted:
            is_source = there == f'{planted[here]["copied_from"]}/'
            said[sure, is_source].append(here)
    assert len(said['clear', True]) > 5
    assert all(lead(planted, name) > 20 * DAY for name in said['clear', True])
    assert not said['clear', False]
    assert all(lead(planted, name) < DAY for name in said['a hint', True])
    assert len(said['a hint', True]) >= 3
    early = [name for name in copiers(planted) if lead(planted, name) < timedelta()]
    assert len(early) == 1
    robbed = f'{planted[early[0]]["copied_from"]}/'
    assert ties[robbed, early[0]] == 'a hint'


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
