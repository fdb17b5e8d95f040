"""Record ids, as they are in page lines and tables."""

import pytest

from mr_reuse.archives import rids
from mr_reuse.archives.rids import Rid


@pytest.mark.parametrize(
    ('rid', 'archive', 'place'),
    [
        ('a.warc.gz:0', 'a.warc.gz', '0'),
        ('a.warc.gz:17+4096', 'a.warc.gz', '17+4096'),
        ('s3://bucket/a+b#c:d.warc:9', 's3://bucket/a+b#c:d.warc', '9'),
        (b'caf\xe9:9', b'caf\xe9', b'9'),
    ],
)
def test_split(rid, archive, place):
    assert rids.split_rid(rid) == (archive, place)


def test_numbers_of_places():
    assert [rids.offsets_of(place) for place in ('17', '17+4', b'17+4')] == [
        (17, 0),
        (17, 4),
        (17, 4),
    ]


@pytest.mark.parametrize(
    'text', ['', '17', ':', 'a:', 'a:x', 'a:1+', 'a:+1', 'a:-1', 'a:' + 19 * '1']
)
def test_no_rid(text):
    assert not rids.is_rid(text)


def test_order_of_rids():
    assert Rid('a:9') < Rid('a:10') < Rid('a:10+7') < Rid('b:1')
    assert Rid('a:10') > Rid('a:9')
    assert max(Rid('a:9'), Rid('a:10')) == 'a:10'


@pytest.mark.parametrize(
    ('key', 'rid'),
    [(b'a#1:7', b'a#1:7'), (b'a#1:7#1', b'a#1:7'), (b'a:7+8#12', b'a:7+8')],
)
def test_rid_of_a_line(key, rid):
    assert rids.rid_of(key) == rid
