"""Families: hosts of one owner, which are never compared with each other.

Hosts of one registered domain are a family. The user may name more in a file. In it,
each line has hosts or domains of one owner, separated by blanks. A `#` begins a
comment.
"""

import re
from collections.abc import Iterable, Sequence

from mr_reuse.archives.domains import registered_domain
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.storage import text_files

HOST = re.compile(r'(?:\[[\da-f:.]+\]|[\w%.-]*[\w%])(?::\d+)?')
FORM = 'not a host or a domain, such as a.org'


def parse_host(text: str) -> str:
    """Return a host as it is in tables; ValueError if a text is no host.

    >>> parse_host('WWW.A.org'), parse_host('a.org:8080/'), parse_host('münchen.de')
    ('www.a.org', 'a.org:8080', 'xn--mnchen-3ya.de')
    >>> parse_host('a.org/x/')
    Traceback (most recent call last):
    ValueError: 'a.org/x/': not a host or a domain, such as a.org
    """
    name = text.lower().removesuffix('/').removesuffix('.')
    try:
        if HOST.fullmatch(name):
            return name if name.isascii() else name.encode('idna').decode()
    except UnicodeError:
        pass
    raise ValueError(f'{text!r}: {FORM}')


def host_of(site: str) -> str:
    """Return the host of a site: of a host or URL prefix.

    >>> host_of('a.org/x/'), host_of('a.org')
    ('a.org', 'a.org')
    """
    return site.partition('/')[0]


class Families:
    """The owners of hosts: registered domains, and families that the user named.

    A host in a family stands for its registered domain. Families that share a domain
    are one.

    >>> families = Families([['a.org', 'www.b.com'], ['b.com', 'c.net']])
    >>> families.same('m.a.org/', 'c.net/x/'), families.same('a.org/', 'd.net/')
    (True, False)
    >>> families.same('x.d.co.uk/', 'y.d.co.uk/'), families.same('x.co.uk', 'y.co.uk')
    (True, False)
    >>> families.owner_of('m.c.net/'), families.owner_of('m.d.net/')
    ('a.org', 'd.net')

    Two folders of a host may belong to strangers, unless the user named the host.

    >>> families.same('home.com/~a/', 'home.com/~b/'), families.same('b.com/', 'b.com/')
    (False, True)
    """

    def __init__(self, named: Iterable[Sequence[str]] = ()):
        self.named = [list(hosts) for hosts in named]  # as in `run.json`
        parents: dict[str, str] = {}

        def find_root(domain: str) -> str:
            while (parent := parents.setdefault(domain, domain)) != domain:
                domain = parent
            return domain

        for hosts in self.named:
            roots = [find_root(registered_domain(host)) for host in hosts]
            parents.update(dict.fromkeys(roots, min(roots)))
        self._owners = {domain: find_root(domain) for domain in parents}

    @classmethod
    def load(cls, name: str) -> 'Families':
        """Load a file of families; a malformed line raises UserError."""
        lines = map(to_text, text_files.read_lines(name))
        families = (
            parse_line(line, f'{name}: line {number:,}')
            for number, line in enumerate(lines, 1)
        )
        return cls(filter(None, families))

    @property
    def noun(self) -> str:
        """The noun for hosts of one owner.

        >>> Families().noun, Families([['a.org', 'b.com']]).noun
        ('registered domain', 'registered domain or family')
        """
        return 'registered domain or family' if self.named else 'registered domain'

    def owner_of(self, site: str) -> str:
        """Return the domain that stands for the owner of a site."""
        domain = registered_domain(host_of(site))
        return self._owners.get(domain, domain)

    def is_named(self, site: str) -> bool:
        """Test whether the user named the family of a site."""
        return registered_domain(host_of(site)) in self._owners

    def same(self, site: str, other: str) -> bool:
        """Test whether two sites belong to one family."""
        if host_of(site) == host_of(other):
            return self.is_named(site)
        return self.owner_of(site) == self.owner_of(other)


def parse_line(line: str, place: str) -> list[str]:
    """Parse a line of a file of families; empty if it is blank or a comment.

    >>> parse_line('A.org www.b.com # mine', 'x'), parse_line('# mine', 'x')
    (['a.org', 'www.b.com'], [])
    """
    try:
        hosts = [parse_host(word) for word in line.partition('#')[0].split()]
    except ValueError as error:
        raise UserError(
            f'{place}: {error}; name hosts of one owner, separated by blanks'
        ) from None
    if len(hosts) == 1:
        raise UserError(
            f'{place}: has only {hosts[0]}; put all hosts of one owner into one line'
        )
    return hosts
