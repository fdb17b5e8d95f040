"""`styles near`, against the similarity of each document by brute force."""

import random
from fractions import Fraction

import pytest
from commands import run
from quilt_crawls import divide
from reference_quilts import Page
from reference_style_tables import Corpus, Options, noise_of
from style_crawls import arguments, random_pages, read_parameters, styles, write_pages

RULES = [
    Options(captures='all', t=12),
    Options(t=12, normalize_empty=True, ignore=Fraction(1, 2), key_bits=12),
]


@pytest.fixture(scope='module', params=RULES)
def found(request, tmp_path_factory):
    """A run, the corpus of its pages, and their bodies."""
    folder, dice = tmp_path_factory.mktemp('near'), random.Random(4)
    shares = divide(dice, random_pages(dice, 25), 3)
    names, bodies = write_pages(folder / 'crawl', shares)
    styles(names, folder / 'run', *arguments(request.param))
    corpus = Corpus(bodies, request.param, read_parameters(request.param))
    return folder / 'run', corpus, bodies


def near(folder, page):
    done = run('styles', 'near', folder, page, '-q', '-r', 'inline')
    assert done == (0, '', '')
    return (folder / 'near.tsv').read_bytes()


def test_rids(found):
    folder, corpus, _ = found
    for page in corpus.prints[::6]:
        assert near(folder, page.rid) == corpus.near(page)


def test_url(found):
    """Of several documents with the same URL, the first."""
    folder, corpus, _ = found
    urls = [page.url for page in corpus.prints]
    page = max(corpus.prints, key=lambda p: (urls.count(p.url), -urls.index(p.url)))
    [first, *_] = [p for p in corpus.prints if p.url == page.url]
    assert near(folder, page.url) == corpus.near(first)


def test_file(found, tmp_path):
    """A file has no row of its own. Common values are left out of it too."""
    folder, corpus, bodies = found
    whole = {body.rid: body.body for body in bodies}
    page = corpus.prints[2]
    file = tmp_path / 'page.html'
    file.write_bytes(whole[page.rid])
    assert near(folder, file) == corpus.near(page)
    file.write_bytes(whole[page.rid] + b'<p>.,;' * 9)
    options = corpus.options
    noise = noise_of(file.read_bytes(), options.preprocessor)
    mine = corpus.parameters.keys(noise, options)
    if options.ignore is None:
        corpus.keys['mine'] = mine
        assert near(folder, file) == corpus.near(Page('mine', '', []))


def test_gaps(found):
    """The greatest fall with at most a tenth of the documents above in between."""
    folder, corpus, _ = found
    page = corpus.prints[0]
    done = run('styles', 'near', folder, page.rid, '-r', 'inline')
    assert done.code == 0 and done.out.endswith(f'{folder / "near.tsv"}\n')
    near_it = [corpus.similarity(page, other) for other in corpus.prints]
    order = sorted(near_it, reverse=True)
    falls = [
        order[above - 1] - order[above + between]
        for above in range(1, len(order))
        for between in range(above // 10 + 1)
        if above + between < len(order)
    ]
    lines = done.out.splitlines()[2:-1]
    told = []
    for line in lines:
        above, between, _, upper, _, _, lower = line.split()
        assert f'{float(order[int(above) - 1]):.3f}' == upper
        assert f'{float(order[int(above) + int(between)]):.3f}' == lower
        told.append(float(upper) - float(lower))
    assert max(falls) > 0.05
    assert max(told) == pytest.approx(float(max(falls)), abs=0.002)


def test_what_cannot_be_compared(found, tmp_path):
    folder, corpus, bodies = found
    [other, *_] = [b.rid for b in bodies if b.kind != 'html']
    small = tmp_path / 'small.html'
    small.write_bytes(b'<p>')
    for name in ('http://none.org/', other, tmp_path / 'none.html', small):
        done = run('styles', 'near', folder, name, '-q', '-r', 'inline')
        assert done.code == 1
        assert done.err.count('\n') == 1 and done.err.startswith(f'error: {name}: ')
    done = run('styles', 'near', tmp_path, corpus.prints[0].rid)
    assert done.code == 1 and 'has no styles' in done.err
