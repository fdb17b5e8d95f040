"""Keys of URLs and hosts, as in the tests of Common Crawl's and the IA's key makers."""

import re
import time

import pytest
from crawls import ROOT
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse.archives.url_keys import host_key, host_of_key, url_key

ID = '0123456789abcdefghijklemopqrstuv'

# From WaybackURLKeyMakerTest, BasicURLCanonicalizerTest and IAURLCanonicalizerTest of
# ia-web-commons, as far as they have URLs of pages.
PUBLISHED = [
    ('http://archive.org/', 'org,archive)/'),
    ('http://www.archive.org/', 'org,archive)/'),
    ('http://archive.org', 'org,archive)/'),
    ('http://archive.org:/', 'org,archive)/'),
    ('http://archive.org/goo/', 'org,archive)/goo'),
    ('http://archive.org/goo/?', 'org,archive)/goo'),
    ('http://archive.org/goo/?b&a', 'org,archive)/goo?a&b'),
    ('http://archive.org/goo/?a=2&b&a=1', 'org,archive)/goo?a=1&a=2&b'),
    (
        f'http://archive.org/index.php?PHPSESSID={ID}&action=profile;u=4221',
        'org,archive)/index.php?action=profile;u=4221',
    ),
    (
        'http://1kr.ua/newslist.html?tag=%E4%EE%F8%EA%EE%EB%FC%ED%EE%E5',
        'ua,1kr)/newslist.html?tag=%e4%ee%f8%ea%ee%eb%fc%ed%ee%e5',
    ),
    (
        'http://www.aluroba.com/tags/%C3%CE%CA%C7%D1%E5%C7.htm',
        'com,aluroba)/tags/%c3%ce%ca%c7%d1%e5%c7.htm',
    ),
    ('whois://whois.isoc.org.il/shaveh.co.il', 'il,org,isoc,whois)/shaveh.co.il'),
    (
        'http://visit.webhosting.yahoo.com/visit.gif?&r=http%3A//web.archive.org/web/'
        '20090517140029/http%3A//anthonystewarthead.electric-chi.com/&b=Netscape%205.0'
        '%20%28Windows%3B%20en-US%29&s=1366x768&o=Win32&c=24&j=true&v=1.2',
        'com,yahoo,webhosting,visit)/visit.gif?&b=netscape%205.0%20(windows;%20en-us)'
        '&c=24&j=true&o=win32&r=http://web.archive.org/web/20090517140029/http://'
        'anthonystewarthead.electric-chi.com/&s=1366x768&v=1.2',
    ),
    ('http://host/%25%32%35%25%32%35', 'host)/%25%25'),
    ('http://host/%2525252525252525', 'host)/%25'),
    ('http://host/%%%25%32%35asd%%', 'host)/%25%25%25asd%25%25'),
    ('http://3279880203/blah', '11,0,127,195)/blah'),
    ('http://www.google.com/blah/..', 'com,google)/'),
    ('http://www.evil.com/blah#frag', 'com,evil)/blah'),
    ('http://www.google.com.../', 'com,google)/'),
    ('http://evil.com/foo?bar;', 'com,evil)/foo?bar;'),
    ('http://www.gotaport.com:1234/', 'com,gotaport:1234)/'),
    ('http://host.com/ab%23cd', 'com,host)/ab%23cd'),
    ('http://host.com//twoslashes?more//slashes', 'com,host)/twoslashes?more//slashes'),
    ('https://www.archive.org:80/', 'org,archive:80)/'),
    ('http://www.archive.org:443/', 'org,archive:443)/'),
    ('https://www.archive.org:443/', 'org,archive)/'),
    ('http://www12.foo.com/', 'com,foo)/'),
    ('http://www2.www2foo.com/', 'com,www2foo)/'),
    (
        'http://a.org/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx',
        'org,a)/mileg.aspx',
    ),
    ('http://a.org/(4hqa0555fwsecu455xqckv45)/mileg.aspx', 'org,a)/mileg.aspx'),
    ('http://a.org/photos/36050182@N05/', 'org,a)/photos/36050182@n05'),
    (f'http://a.org/?one=two&jsessionid={ID}&x=y', 'org,a)/?one=two&x=y'),
    (f'http://a.org/?jsessionid={ID}0', f'org,a)/?jsessionid={ID}0'),
    ('http://a.org/?CFID=1169580&CFTOKEN=48630702&d=22', 'org,a)/?d=22'),
]


@pytest.mark.parametrize(('url', 'key'), PUBLISHED)
def test_published_keys(url, key):
    assert url_key(url) == key


@pytest.mark.parametrize(
    ('url', 'key'),
    [
        ('http://b\u00fccher.ch/', 'ch,xn--bcher-kva)/'),
        ('http://b%C3%BCcher.ch/', 'ch,xn--bcher-kva)/'),
        ('http://xn--bcher-kva.ch/', 'ch,xn--bcher-kva)/'),
        ('http://user:secret@www.a.org/', 'org,a)/'),
        ('http://www.com/', 'com,www)/'),
        ('http://www.www.a.org/', 'org,a)/'),
        ('http://[2001:DB8::1]:8080/x', '[2001:db8::1]:8080)/x'),
        ('HTTP://A.ORG:80/X', 'org,a)/x'),
        ('ftp://www.a.org/x', 'org,a)/x'),
        ('http:///a.org/x', 'org,a)/x'),
        ('site/a.html', 'site)/a.html'),
        ('dns:www.a.org', 'dns:www.a.org'),
        ('urn:uuid:12', 'urn:uuid:12'),
        ('file:///home/A', 'file:///home/A'),
        ('', ''),
    ],
)
def test_odd_urls(url, key):
    assert url_key(url) == key


def test_keys_in_the_documentation():
    """A row of the table names a URL, the key of its host, and its own."""
    text = (ROOT / 'docs/export.md').read_text()
    rows = re.findall(r'^\| `(\w+://\S+?)`.*? \| `(\S+)` \| `(\S+)` \|$', text, re.M)
    assert len(rows) == 7
    for url, host, key in rows:
        assert (host_of_key(url_key(url)), url_key(url)) == (host, key)


@pytest.mark.parametrize(
    ('host', 'key'),
    [
        ('a.org', 'org,a'),
        ('a.org:8080', 'org,a:8080'),
        ('a.org:443', 'org,a:443'),
        ('10.0.0.1', '1,0,0,10'),
        ('1.2.3.400', '400,3,2,1'),
        ('[::1]:81', '[::1]:81'),
        ('localhost', 'localhost'),
    ],
)
def test_hosts(host, key):
    """The host of a page has the same key as the page."""
    assert host_key(host) == key
    scheme = 'https' if ':' not in host else 'ftp'
    assert host_of_key(url_key(f'{scheme}://{host}/x')) == key


@given(st.text(alphabet='htp:/@[]?#%25w.a\u00e9\0\n\t-1&=', max_size=40))
def test_any_text(text):
    """A key is a cell of a table: ASCII, without white space."""
    for url in (text, f'http://{text}', f'http://a.org/{text}'):
        key = url_key(url)
        assert key.isascii() and key.isprintable() and ' ' not in key


@pytest.mark.parametrize(
    'part',
    [
        '/%25',
        '/%3',
        '?cfid=',
        '?sid=',
        '/..',
        '/(a(',
        '?a&',
        '.',
        'www.',
        '1',
        '@',
        ':',
    ],
)
def test_long_urls(part):
    """Quadratic time would take hours."""
    start = time.process_time()
    url_key(f'http://a.org{part * 100_000}')
    url_key(f'http://{part * 100_000}.org')
    assert time.process_time() - start < 10
