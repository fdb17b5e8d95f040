"""What a quilt is: the theorems, the examples of the papers, and greedy covers."""

import random
from fractions import Fraction

import pytest
from commands import run
from quilt_crawls import Draft, random_drafts, write_archives
from reference_quilts import Corpus, Options, Page


def pages_of(texts: list[str]) -> list[Page]:
    """A page of words for each text, of which each has a URL and a rid."""
    return [
        Page(f'a:{number}', f'http://h{number}.org/', text.split())
        for number, text in enumerate(texts)
    ]


def random_pages(seed: int, size: int) -> list[Page]:
    drafts = random_drafts(random.Random(seed), size, vocabulary=8)
    return pages_of([' '.join(draft.words) for draft in drafts])


def is_quilted(pages: list[Page], number: int, options: Options) -> bool:
    """Whether a page is a quilt by an exact cover, of the fewest documents."""
    corpus = Corpus(pages, options)
    page = corpus.pages[number]
    grams, patch = len(corpus.grams[page.rid]), len(corpus.patch_grams(page))
    if not grams or Fraction(patch, grams) < options.alpha:
        return False
    return corpus.exact(page) >= options.c


@pytest.mark.random
@pytest.mark.parametrize('seed', range(6))
def test_theorems(seed):
    """A quilt stays one with a smaller alpha, a smaller c, and a greater m."""
    pages = random_pages(seed, 12)
    quilts = 0
    for number in range(len(pages)):
        for m in (2, 3, 5):
            for c in (1, 2, 3):
                options = Options(k=2, m=m, c=c, alpha=Fraction(1, 3))
                if is_quilted(pages, number, options):
                    quilts += 1
                    for easier in (
                        options._replace(alpha=Fraction(1, 4)),
                        options._replace(c=c - 1),
                        options._replace(m=m + 1),
                    ):
                        assert is_quilted(pages, number, easier)
    assert quilts


COUNTEREXAMPLE = ['b g c b f', 'h e h e a b g h', 'h e f', 'h a g', 'g e b f']


@pytest.mark.parametrize('m, greedy, share', [(3, 3, '0.8'), (4, 2, '1')])
def test_counterexample_to_greedy_covers(tmp_path, m, greedy, share):
    """With c = 3 a page is a quilt for m = 3, and not for m = 4."""
    pages = pages_of(COUNTEREXAMPLE)
    corpus = Corpus(pages, Options(k=1, m=m))
    page = corpus.pages[1]
    assert (len(corpus.cover(page)), corpus.exact(page)) == (greedy, 2)
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(COUNTEREXAMPLE)]
    names, _ = write_archives(tmp_path, [drafts])
    rows = quilts(tmp_path, names, '--k=1', f'--m={m}', '--c=1', '--alpha=0')
    [row] = [row for row in rows if row[1] == 'http://h1.org/']
    assert row[5:] == [f'{float(share):.9f}', str(greedy)]


def quilts(folder, names, *options) -> list[list[str]]:
    """The rows of quilts.tsv."""
    out = folder / 'run'
    ended = run('quilts', *names, *options, '-q', '-r', 'inline', '-o', out, '--force')
    assert ended == (0, '', '')
    lines = (out / 'quilts.tsv').read_text().splitlines()
    return [line.split('\t') for line in lines[1:]]


def test_page_of_two_others(tmp_path):
    texts = ['a b c d e f', 'a b c x y z', 'd e f u v w']
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    names, [page, *_] = write_archives(tmp_path, [drafts])
    [row] = quilts(tmp_path, names, '--k=2', '--m=2', '--c=2')
    assert row == [page.rid, page.url, '6', '5', '4', '0.800000000', '2']
    shares = (tmp_path / 'run/quilt_shares.tsv').read_text()
    assert shares == 'percent\tpages\n40\t2\n80\t1\n'


def test_mirrors(tmp_path):
    """A mirror alone covers a page. In more documents than m, grams are common."""
    text = ' '.join(f'w{n}' for n in range(30))
    drafts = [Draft(f'http://h{n}.org/', text) for n in range(4)]
    names, _ = write_archives(tmp_path, [drafts])
    assert [row[-1] for row in quilts(tmp_path, names, '--m=4', '--c=1')] == ['1'] * 4
    assert quilts(tmp_path, names, '--m=4', '--c=2') == []
    assert quilts(tmp_path, names, '--m=3', '--c=1') == []
    assert (tmp_path / 'run/quilt_shares.tsv').read_text() == 'percent\tpages\n0\t4\n'


def test_foreign_quilts_are_no_subset(tmp_path):
    """A page of the same site has all of a page; four others have it together."""
    parts = [[f'{p}{n}' for n in range(8)] for p in 'abcd']
    whole = [word for part in parts for word in part]
    drafts = [
        Draft('http://www.blog.org/', whole),
        Draft('http://old.blog.org/', whole),
        *(Draft(f'http://{n}.net/', part) for n, part in enumerate(parts)),
    ]
    names, _ = write_archives(tmp_path, [drafts])
    assert quilts(tmp_path, names) == []
    found = quilts(tmp_path, names, '--foreign=domain')
    assert [row[1] for row in found] == [drafts[0].url, drafts[1].url]
    assert [row[-1] for row in found] == ['4', '4']


def test_foreign_by_address(tmp_path):
    """Two domains with one address are no foreigners; without addresses they are."""
    text = ' '.join(f'w{n}' for n in range(9))
    hosts = ['hartnell.edu', 'hartnell.example']
    for ips, found in (
        (['198.189.134.200'] * 2, 0),
        (['198.189.134.200', '198.189.134.200 '.strip() + '0'], 2),  # no address
        (['2001:db8::1', '2001:DB8:0:0::1'], 0),
        (['192.0.2.1', '::ffff:192.0.2.1'], 2),
    ):
        pairs = zip(hosts, ips, strict=True)
        drafts = [Draft(f'http://{host}/', text, ip=ip) for host, ip in pairs]
        names, _ = write_archives(tmp_path, [drafts])
        assert len(quilts(tmp_path, names, '--foreign=ip', '--c=1')) == found


def test_pages_without_host(tmp_path):
    """Each is a server of its own, and stands in no row of sites."""
    text = ' '.join(f'w{n}' for n in range(9))
    drafts = [Draft(f'urn:x:{n}', text, ip='192.0.2.1') for n in range(2)]
    names, _ = write_archives(tmp_path, [drafts])
    assert len(quilts(tmp_path, names, '--foreign=ip', '--c=1')) == 2
    sites = (tmp_path / 'run/quilt_sites.tsv').read_text()
    assert sites == 'host\tsource_host\tpages\tnew\n'


@pytest.mark.random
@pytest.mark.parametrize('seed', range(5))
def test_greedy_is_near_the_best(seed):
    """It has at most H(n) times the documents of a smallest cover."""
    corpus = Corpus(random_pages(seed, 10), Options(k=2, m=6))
    for page in corpus.pages:
        patch = corpus.patch_grams(page)
        harmonic = sum(Fraction(1, n) for n in range(1, len(patch) + 1))
        exact, greedy = corpus.exact(page), len(corpus.cover(page))
        assert exact <= greedy <= max(exact, harmonic * exact)
