"""The worst neighborhoods: their worst pages, and the chunks that made them bad."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from mr_reuse.archives import domains
from mr_reuse.chunks.detect import copied_chunks, nested
from mr_reuse.chunks.detect.copied_chunks import Copied, Dossier
from mr_reuse.chunks.detect.neighborhoods import DOMAIN
from mr_reuse.chunks.detect.origins import COMMON
from mr_reuse.engine.run_steps import MATCHES
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.report.chunks.ties import Site
from mr_reuse.report.run import Run
from mr_reuse.tables.run_tables import BAD_NEIGHBORHOODS, LABELS

Label = LABELS.row
Neighborhood = BAD_NEIGHBORHOODS.row

LABELS = 8  # of a neighborhood
DAMAGED = (
    f'its matches are damaged; remove {MATCHES.folder} there, and run detect again'
)


class Bad(NamedTuple):
    """A bad neighborhood, and the folder in it that has all of its pages."""

    row: Neighborhood
    inside: str


def site_of(prefix: str, level: int) -> str:
    """The site that a neighborhood is in, '' if it is above all sites.

    >>> site_of('www.a.org/x/y/', 1), site_of('www.a.org/x/y/', 0), site_of('a/', 2)
    ('www.a.org/', 'a.org/', '')
    """
    parts = prefix.split('/')
    if level == DOMAIN:
        return f'{domains.registered_domain(parts[0])}/'
    return '/'.join([*parts[:level], '']) if level < len(parts) else ''


class Evidence(NamedTuple):
    """What is known of some neighborhoods besides their numbers."""

    dossiers: list[Dossier]
    previews: dict[bytes, str]  # of labels that are not in the table of labels
    gone: str  # why there are no dossiers


class Reader:
    """Reads the matches of a run for the neighborhoods of the report."""

    def __init__(self, run: Run, prefixes: list[str]):
        self._dossiers: list[Dossier] = []
        self.gone = ''
        if not prefixes:
            return
        try:
            self._matches = copied_chunks.Matches(run.path, run.record)
            self._dossiers = self._matches.dossiers(prefixes)
        except (OSError, UserError) as error:
            # A run may have been copied from a cluster that is no more.
            self.gone = str(error)
        except (ValueError, IndexError):
            self.gone = f'{run.path}: {DAMAGED}'
        if self.gone:
            warn(f'the report shows no pages and chunks of neighborhoods: {self.gone}')

    @property
    def labels(self) -> list[Copied]:
        """All labels that are to be shown."""
        return [one for found in self._dossiers for one in found.labels[:LABELS]]

    def evidence(self, known: Mapping[bytes, Label]) -> Evidence:
        """What is to be shown; texts that are not known are read from the archives."""
        unknown = [one for one in self.labels if one.digest not in known]
        previews = self._matches.previews(unknown) if unknown else {}
        return Evidence(self._dossiers, previews, self.gone)


def nature(labels: list[Label | None]) -> str:
    """What the hosts of the most copied labels say: own, common, both, or nothing.

    >>> one = Label('', 0, 9, 9, 1, '', '')
    >>> many, few = one._replace(hosts=101), one._replace(hosts=2)
    >>> nature([one, one]), nature([many]), nature([many, one])
    ('own', 'common', 'both')
    >>> nature([one, few]), nature([one, None]), nature([])
    ('', '', '')
    """
    hosts = {label.hosts if label else 0 for label in labels}
    if not hosts or any(1 != number <= COMMON for number in hosts):
        return ''
    if 1 not in hosts:
        return 'common'
    return 'both' if len(hosts) > 1 else 'own'


def worst(run: Run, top: int) -> list[Bad]:
    """The neighborhoods that are in the page."""
    rows = run.rows(BAD_NEIGHBORHOODS)
    groups = nested.folded(rows, lambda row: (row.prefix, row[2:5]))
    return [
        Bad(some[0], some[-1].prefix[len(some[0].prefix) :])
        for some in islice(groups, top)
    ]


def mainly(rows: Sequence[Neighborhood]) -> dict[str, Neighborhood]:
    """Neighborhoods that have nine in ten of their labels in a folder, and which.

    Without it they would have less than half of their ratio.

    >>> row = Neighborhood('a/', 1, 50, 100, 200, 0.5, 0.5)
    >>> farm = Neighborhood('a/~b/', 2, 9, 92, 100, 0.92, 0.92)
    >>> list(mainly([row, farm]).items()) == [('a/', farm)]
    True
    >>> mainly([row, farm._replace(bad=89)]), mainly([row, farm._replace(total=180)])
    ({}, {})
    """
    by_prefix = {row.prefix: row for row in rows}
    found: dict[str, Neighborhood] = {}
    for folder in rows:
        parts = folder.prefix.split('/')[:-1]
        for end in range(1, len(parts)):
            row = by_prefix.get('/'.join([*parts[:end], '']))
            if row and _is_main(folder, row):
                found.setdefault(row.prefix, folder)
    return found


def _is_main(folder: Neighborhood, row: Neighborhood) -> bool:
    bad, total = row.bad - folder.bad, row.total - folder.total
    return 10 * folder.bad >= 9 * row.bad and 2 * bad * row.total < row.bad * total


def section(
    run: Run,
    bad: list[Bad],
    evidence: Evidence,
    known: Mapping[bytes, Label],
    wanted: Mapping[str, Site],
) -> dict[str, Any] | None:
    """The table of bad neighborhoods."""
    if not run.is_detected:
        return None
    rows = []
    main = mainly([one.row for one in bad])
    dossiers = evidence.dossiers or [None] * len(bad)
    for one, found in zip(bad, dossiers, strict=True):
        copied = found.labels[:LABELS] if found else []
        labels = [known.get(label.digest) for label in copied]
        rows.append(
            {
                'row': one.row,
                'inside': one.inside,
                'main': main.get(one.row.prefix),
                'origin': wanted.get(site_of(one.row.prefix, run.level)),
                'nature': nature(labels),
                'pages': found.worst if found else [],
                'labels': list(zip(copied, labels, strict=True)),
            }
        )
    return {'rows': rows, 'previews': evidence.previews, 'gone': evidence.gone}
