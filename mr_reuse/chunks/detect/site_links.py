"""Find links between sites in pages, and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from lxml import etree

from mr_reuse.archives import urls
from mr_reuse.chunks.detect import origins
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import partitions, sorting
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.shuffle.protocol import Line

MAX_PAIRS = 100_000  # pairs of sites in memory
MAX_CACHED = 100_000  # sites, known and others
MAX_LINK = 10_000  # characters of a link
MAX_PAGE = 4 << 20  # bytes of a page to parse; the tree takes several times as much
PARSER = etree.HTMLParser(recover=True, no_network=True, remove_comments=True)
FIND_LINKS = etree.XPath('//@href | //@src')


def extract_links(body: bytes) -> list[str]:
    """Extract the absolute links of a page.

    >>> extract_links(b'<a href="http://a.org/">x<img src=//b.org/i><a href=c>')
    ['http://a.org/', 'http://b.org/i']
    """
    try:
        tree = etree.fromstring(body[:MAX_PAGE], PARSER)
    except (etree.LxmlError, ValueError):
        return []
    links = []
    for link in FIND_LINKS(tree) if tree is not None else ():
        text = link.strip()[:MAX_LINK]
        if text.startswith('//'):
            text = f'http:{text}'
        if text.lower().startswith(('http://', 'https://')):
            links.append(urls.percent_encode(text.encode('utf-8', 'replace')))
    return links


class LinkCounter:
    """A `Collector` of pages: counts the links among sites."""

    def __init__(self, known: np.ndarray, level: int, bits: int):
        self._known, self._level, self._bits = DigestIndex(known), level, bits
        self._is_known: dict[str, bool] = {}
        self._links: Counter[tuple[str, str]] = Counter()
        self._pages: Counter[tuple[str, str]] = Counter()

    def add(self, url: str, body: bytes) -> Iterator[Line]:
        """Add the links of a page of one of the sites to count."""
        source = self._site(url)
        if not source:
            raise ValueError(f'{url}: not a page of the sites whose links are counted')
        sites = Counter(self._site(link) for link in extract_links(body))
        for target, count in sites.items():
            if target and target != source:
                self._links[source, target] += count
                self._pages[source, target] += 1
        if len(self._links) > MAX_PAIRS:
            yield from self.finish()

    def _site(self, link: str) -> str:
        """Return the site of a link, '' if it is not one of the sites to count."""
        site = origins.neighborhood_at(link, self._level)
        if site not in self._is_known:
            if len(self._is_known) > MAX_CACHED:
                self._is_known.clear()
            key = np.frombuffer(name_digest(site), np.uint8).reshape(1, -1)
            self._is_known[site] = bool(self._known.find(key)[0] >= 0)
        return site if self._is_known[site] else ''

    def finish(self) -> Iterator[Line]:
        """Yield the links of the pages so far, many in a line; forget them."""
        yield from partitions.lines_by_name('links', self._texts(), self._bits)
        self._links.clear()
        self._pages.clear()

    def _texts(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield each pair of sites, and its text."""
        for (source, target), count in self._links.items():
            pair = to_bytes(f'{source} {target}')
            numbers = b'%d %d' % (count, self._pages[source, target])
            yield pair, sorting.add_key(pair, numbers)


def sum_links(values: Iterable[bytes]) -> Iterator[Line]:
    """Sum the links of a partition; yield source, target, links and pages.

    >>> list(sum_links([b'a/ b/\\x003 1', b'a/ b/\\x001 1']))
    [(b'a/', b'b/\\t4\\t2')]
    """
    for pair, texts in sorting.group_rows(partitions.split_texts(values)):
        links = pages = 0
        for numbers in texts:
            more_links, more_pages = map(int, numbers.split())
            links += more_links
            pages += more_pages
        source, target = pair.split(b' ')
        yield source, b'%b\t%d\t%d' % (target, links, pages)
