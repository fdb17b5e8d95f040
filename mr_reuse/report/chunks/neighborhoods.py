"""The section of the worst sites, with their folders, worst pages and top labels."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mr_reuse.archives import domains
from mr_reuse.chunks.chunk_steps import MATCHES
from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS, LABELS
from mr_reuse.chunks.detect import copied_chunks, nested
from mr_reuse.chunks.detect.copied_chunks import CopiedLabel, Profile
from mr_reuse.chunks.detect.neighborhoods import DOMAIN
from mr_reuse.chunks.detect.origins import COMMON
from mr_reuse.chunks.discover.label_texts import GONE, is_markup
from mr_reuse.chunks.facts import Facts
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.report.chunks.ties import Site
from mr_reuse.report.run import MAX_ROWS, Run

Label = LABELS.row
Neighborhood = BAD_NEIGHBORHOODS.row

MAX_LABELS = 8  # shown of a neighborhood
MAX_FOLDERS = 20  # shown of a site, inside its row
MAX_DETAILED = 3  # of these folders, with pages and labels
DAMAGED = (
    f'its matches are damaged; remove {MATCHES.folder} there, and run detect again'
)


class Bad(NamedTuple):
    """A bad neighborhood, and the deepest folder in it that has all of its pages."""

    row: Neighborhood
    inside: str
    count: int = 1  # of the rows from the neighborhood to that folder


def site_of(prefix: str, level: int) -> str:
    """Return the site that contains a neighborhood, '' if it is above all sites.

    >>> site_of('www.a.org/x/y/', 1), site_of('www.a.org/x/y/', 0), site_of('a/', 2)
    ('www.a.org/', 'a.org/', '')
    """
    parts = prefix.split('/')
    if level == DOMAIN:
        return f'{domains.registered_domain(parts[0])}/'
    return '/'.join([*parts[:level], '']) if level < len(parts) else ''


class BadSite(NamedTuple):
    """The bad neighborhoods of a site, of which the first is its row in the table."""

    main: Bad  # the site itself, or its worst folder if the site is not bad
    folders: list[Bad]  # the other ones, the worst first, up to MAX_FOLDERS
    others: int  # number of the other ones
    count: int  # of all rows of the site

    @property
    def detailed(self) -> list[Bad]:
        """The neighborhoods that are shown with pages and labels."""
        return [self.main, *self.folders[:MAX_DETAILED]]


class Evidence(NamedTuple):
    """Pages and labels of the neighborhoods of the report."""

    profiles: list[Profile]
    previews: dict[bytes, str]  # of labels without text in the table of labels
    gone: str  # the reason if there are no profiles


class Reader:
    """Reader of the matches of a run for the neighborhoods of the report."""

    def __init__(self, run: Run, prefixes: list[str]):
        self._profiles: list[Profile] = []
        self.gone = ''
        if not prefixes:
            return
        try:
            self._matches = copied_chunks.Matches(run.path, run.record)
            self._profiles = self._matches.profile(prefixes)
        except (OSError, UserError) as error:
            # The run may be a copy from a cluster that no longer exists.
            self.gone = str(error)
        except (ValueError, IndexError):
            self.gone = f'{run.path}: {DAMAGED}'
        if self.gone:
            warn(f'the report has no pages and chunks of neighborhoods: {self.gone}')

    @property
    def labels(self) -> list[CopiedLabel]:
        """The labels that the report shows, of all neighborhoods."""
        return [
            label for profile in self._profiles for label in profile.labels[:MAX_LABELS]
        ]

    def evidence(self, known: Mapping[bytes, Label]) -> Evidence:
        """Return the evidence.

        Previews that are not in `known`, or are mark-up only, come from archives.
        """
        unknown = [
            label
            for label in self.labels
            if (row := known.get(label.digest)) is None or is_markup(row.preview)
        ]
        previews = self._matches.read_previews(unknown) if unknown else {}
        for digest, text in previews.items():
            if text == GONE and digest in known:
                previews[digest] = known[digest].preview
        return Evidence(self._profiles, previews, self.gone)


def nature(labels: list[Label | None]) -> str:
    """Classify a neighborhood by the numbers of hosts of its most copied labels.

    Returns 'own' if all are on one host, 'common' if all are on more than COMMON hosts,
    'both' if each label is either, and '' if any label is neither or unknown.

    >>> own = Label('', 0, 9, 9, 1, '', '')
    >>> common, few = own._replace(hosts=101), own._replace(hosts=2)
    >>> nature([own, own]), nature([common]), nature([common, own])
    ('own', 'common', 'both')
    >>> nature([own, few]), nature([own, None]), nature([])
    ('', '', '')
    """
    hosts = {label.hosts if label else 0 for label in labels}
    if not hosts or any(1 != number <= COMMON for number in hosts):
        return ''
    if 1 not in hosts:
        return 'common'
    return 'both' if len(hosts) > 1 else 'own'


def worst(run: Run, top: int) -> list[BadSite]:
    """List the `top` sites with the worst neighborhoods, in the order of the worst.

    Of a very large table only the first rows are read.
    """
    rows = run.first_rows(BAD_NEIGHBORHOODS)
    groups = nested.group_nested(rows, lambda row: (row.prefix, row[2:5]))
    bad = (
        Bad(group[0], group[-1].prefix[len(group[0].prefix) :], len(group))
        for group in groups
    )
    return group_by_site(bad, run.level, top)


def group_by_site(bad: Iterable[Bad], level: int, top: int) -> list[BadSite]:
    """Group neighborhoods by site; a site stands where its worst one stood.

    >>> rows = [Bad(Neighborhood(name, 0, 1, 1, 1, 1.0, 1.0), '')
    ...         for name in ('a/x/', 'b/', 'a/', 'a/y/', 'c/')]
    >>> for site in group_by_site(rows, 1, 2):
    ...     print(site.main.row.prefix, [entry.row.prefix for entry in site.folders])
    a/ ['a/x/', 'a/y/']
    b/ []
    """
    entries: dict[str, list[Bad]] = {}
    own: dict[str, Bad] = {}
    counts: dict[str, tuple[int, int]] = {}  # of neighborhoods, of rows
    for entry in bad:
        prefix = entry.row.prefix
        site = site_of(prefix, level) or prefix
        if site not in entries and len(entries) == top:
            continue
        kept = entries.setdefault(site, [])
        count, rows = counts.get(site, (0, 0))
        counts[site] = count + 1, rows + entry.count
        if prefix == site:
            own[site] = entry
        elif len(kept) <= MAX_FOLDERS:
            kept.append(entry)
    sites = []
    for site, folders in entries.items():
        main, *rest = [own[site], *folders] if site in own else folders
        count, rows = counts[site]
        sites.append(BadSite(main, rest[:MAX_FOLDERS], count - 1, rows))
    return sites


def main_folders(rows: Sequence[Neighborhood]) -> dict[str, Neighborhood]:
    """Find for each neighborhood the folder that accounts for its copies, if any.

    That is the first folder with nine in ten of the labels of the neighborhood, without
    which the neighborhood has less than half of its ratio.

    >>> row = Neighborhood('a/', 1, 50, 100, 200, 0.5, 0.5)
    >>> farm = Neighborhood('a/~b/', 2, 9, 92, 100, 0.92, 0.92)
    >>> list(main_folders([row, farm]).items()) == [('a/', farm)]
    True
    >>> main_folders([row, farm._replace(bad=89)])
    {}
    >>> main_folders([row, farm._replace(total=180)])
    {}
    """
    by_prefix = {row.prefix: row for row in rows}
    folders: dict[str, Neighborhood] = {}
    for folder in rows:
        parts = folder.prefix.split('/')[:-1]
        for end in range(1, len(parts)):
            row = by_prefix.get('/'.join([*parts[:end], '']))
            if row and _is_main(folder, row):
                folders.setdefault(row.prefix, folder)
    return folders


def _is_main(folder: Neighborhood, row: Neighborhood) -> bool:
    bad, total = row.bad - folder.bad, row.total - folder.total
    # Products of whole numbers, so that no ratio divides by zero.
    return 10 * folder.bad >= 9 * row.bad and 2 * bad * row.total < row.bad * total


def section(
    run: Run,
    sites: list[BadSite],
    evidence: Evidence,
    known: Mapping[bytes, Label],
    wanted: Mapping[str, Site],
) -> dict[str, Any] | None:
    """Return the data of the table of bad neighborhoods, with a row for each site."""
    if not run.is_detected:
        return None
    rows = []
    bad = [entry.row for site in sites for entry in (site.main, *site.folders)]
    main_ones = main_folders(bad)
    profiles = {profile.prefix: profile for profile in evidence.profiles}
    for site in sites:
        prefix = site.main.row.prefix
        name = site_of(prefix, run.level)
        main, *folders = (
            describe(entry, profiles.get(entry.row.prefix), known)
            for entry in (site.main, *site.folders)
        )
        rows.append(
            {
                **main,
                'site': name or prefix,
                'folders': folders,
                'others': site.others,
                'main': main_ones.get(prefix),
                'origin': wanted.get(name),
                'nature': nature([label for _, label in main['labels']]),
            }
        )
    shown = sum(site.count for site in sites)
    previews, gone = evidence.previews, evidence.gone
    return {
        'rows': rows,
        'facts': Facts.of(run.record.detect),
        'bad': bad,
        'shown': shown,
        'read': MAX_ROWS if run.stats['neighborhoods']['bad'] > MAX_ROWS else None,
        'previews': previews,
        'most_labels': MAX_LABELS,
        'gone': gone,
    }


def describe(
    entry: Bad, profile: Profile | None, known: Mapping[bytes, Label]
) -> dict[str, Any]:
    """Return the data of a neighborhood; without pages and labels if none were read."""
    copied = profile.labels[:MAX_LABELS] if profile else []
    return {
        'row': entry.row,
        'inside': entry.inside,
        'pages': profile.worst if profile else [],
        'labels': [(label, known.get(label.digest)) for label in copied],
    }
