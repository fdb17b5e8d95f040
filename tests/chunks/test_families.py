"""Files of families: which hosts have one owner, and lines that are refused."""

import pytest

from mr_reuse.chunks.families import Families
from mr_reuse.errors import UserError

FILE = """\
# our own hosts
Shop.example www.shop-blog.example.   # the blog
 \t
news.example:8080\tnews.co.uk/
[2001:db8::1] 192.0.2.7
shop-blog.example outlet.example far.example last.example
"""


@pytest.fixture
def families(tmp_path):
    path = tmp_path / 'families.txt'
    path.write_text(FILE)
    return Families.load(str(path))


@pytest.mark.parametrize(
    ('site', 'other', 'is_same'),
    [
        ('shop.example/', 'shop-blog.example/', True),
        ('www.shop.example/', 'm.shop-blog.example/x/', True),
        ('shop.example/', 'outlet.example/', True),  # by way of two lines
        ('shop.example/', 'last.example/', True),
        ('news.example/', 'news.co.uk/', True),
        ('[2001:db8::1]:81/', '192.0.2.7/', True),
        ('shop.example/~a/', 'shop.example/~b/', True),
        ('shop.example/', 'news.example/', False),
        ('news.co.uk/', 'other.co.uk/', False),
        ('a.other.co.uk/', 'b.other.co.uk/', True),
        ('other.co.uk/~a/', 'other.co.uk/~b/', False),
    ],
)
def test_owners(families, site, other, is_same):
    assert families.same(site, other) == families.same(other, site) == is_same


def test_as_recorded(families):
    """The record of a run holds the content of the file."""
    assert families.named[:2] == [
        ['shop.example', 'www.shop-blog.example'],
        ['news.example:8080', 'news.co.uk'],
    ]
    again = Families(families.named)
    assert again.same('shop.example', 'outlet.example')


@pytest.mark.parametrize(
    ('line', 'reason'),
    [
        ('a.org, b.org', "'a.org,': not a host or a domain, such as a.org"),
        ('a.org http://b.org/', "'http://b.org/': not a host or a domain"),
        ('a.org b.org/x/', "'b.org/x/': not a host or a domain"),
        ('a.org *.b.org', "'*.b.org': not a host or a domain"),
        ('a.org', 'has only a.org; put all hosts of one owner into one line'),
        ('a.org ö..org', "'ö..org': not a host or a domain"),
        ('a.org \udcff\udcfe', 'not a host or a domain'),
    ],
)
def test_malformed_lines(tmp_path, line, reason):
    path = tmp_path / 'families.txt'
    data = f'# mine\nx.org y.org\n{line}\n'.encode('utf-8', 'surrogateescape')
    path.write_bytes(data)
    with pytest.raises(UserError) as refused:
        Families.load(str(path))
    assert str(refused.value).startswith(f'{path}: line 3: ')
    assert reason in str(refused.value)
