"""Facts that the user states: the true sources, and the hosts of one owner.

No date of capture shows who copied. Only these facts allow the words source and copy.
"""

import json
from collections.abc import Iterable

from mr_reuse.chunks.families import Families
from mr_reuse.engine.record import DetectRecord

FAMILY, SOURCE_HERE, SOURCE_THERE = 'family', 'source here', 'source there'


class Facts:
    """The families, and the hosts that the user named as sources.

    A source stands for its whole family.

    >>> facts = Facts(['www.zoo.org'], Families([['zoo.org', 'zoo-shop.net']]))
    >>> facts.source_of('m.zoo-shop.net/'), facts.source_of('a.org/')
    ('www.zoo.org', '')
    >>> sites = 'zoo.org/', 'www.zoo.org/', 'a.org/', 'b.org/'
    >>> [facts.relation('zoo.org/', site) for site in sites[1:]]
    ['family', 'source here', 'source here']
    >>> facts.relation('a.org/', 'zoo.org/'), facts.relation('a.org/', 'b.org/')
    ('source there', '')
    """

    def __init__(
        self, sources: Iterable[str] = (), families: Families | None = None
    ) -> None:
        self.sources = list(sources)
        self.families = families or Families()
        # Of several sources of one family, the first stands for it.
        hosts = reversed(self.sources)
        self._source_of = {self.families.owner_of(host): host for host in hosts}

    @classmethod
    def of(cls, record: DetectRecord) -> 'Facts':
        """Return the facts in the record of a run."""
        return cls(record.sources or (), Families(record.families or ()))

    def to_json(self) -> str:
        """Format the facts for a task.

        >>> text = Facts(['b.org'], Families([['a.org', 'c.org']])).to_json()
        >>> facts = Facts.from_json(text)
        >>> facts.source_of('b.org/'), facts.relation('a.org/', 'c.org/')
        ('b.org', 'family')
        """
        return json.dumps([self.sources, self.families.named], sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> 'Facts':
        """Return the facts of a text that `to_json` has made."""
        sources, families = json.loads(text)
        return cls(sources, Families(families))

    def source_of(self, site: str) -> str:
        """Return the host that the user named as source, if a site is of its family."""
        return self._source_of.get(self.families.owner_of(site), '')

    def relation(self, here: str, there: str) -> str:
        """Return what the facts say of two sites, '' without a fact."""
        if self.families.same(here, there):
            return FAMILY
        if self.source_of(here):
            return SOURCE_HERE
        return SOURCE_THERE if self.source_of(there) else ''
