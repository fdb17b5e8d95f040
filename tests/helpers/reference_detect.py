"""What `detect` must write, computed in the plainest way there is; for tests only.

Like `reference.py` it is written from the definitions alone, with fractions where the
program has whole numbers.
"""

from dataclasses import dataclass
from fractions import Fraction

from reference import (
    LABELS,
    Options,
    Page,
    chunk_rows,
    chunks_of,
    components,
    digest,
    holders,
    host_of,
    is_text,
    kept,
    printable,
    table,
)

PAGES = ['rid', 'url', 'bad', 'total', 'contains']
NEIGHBORHOODS = ['prefix', 'level', 'pages', 'bad', 'total', 'pooled', 'mean']
FILES = ['rid', 'url', 'hash']


@dataclass(frozen=True)
class Known:
    """Labels: hashes, and the shortest length that is no stop chunk."""

    chunks: frozenset = frozenset()
    files: frozenset = frozenset()
    stop: frozenset = frozenset()
    min_len: int = 0


@dataclass(frozen=True)
class Asked:
    """The options of `detect` that change what it writes."""

    scope: str = 'both'
    distinct: bool = False
    min_chunks: int = 1
    levels: str = 'all'
    ratio: str = 'pooled'
    page_threshold: str = ''
    neighborhood_threshold: str = ''
    sigmas: str = '1'
    per_level: bool = True
    rank: str = 'ratio'
    min_bad: int = 0
    captures: str = ''


def rounded(ratio: Fraction, digits: int = 12) -> Fraction:
    """Half to even, as Python's round does with fractions."""
    return Fraction(round(ratio * 10**digits), 10**digits)


def shown(ratio: Fraction | None) -> str:
    if ratio is None:
        return ''
    number = int(rounded(ratio, 9) * 10**9)
    return f'{number // 10**9}.{number % 10**9:09}'


def judged(body: bytes, known: Known, asked: Asked) -> tuple[int, int]:
    """How many chunks of a page are labels, and how many count at all."""
    bad = total = 0
    seen = set()
    for chunk in chunks_of(body, Options()):
        name = digest(chunk)
        if asked.distinct and name in seen:
            continue
        seen.add(name)
        stop = len(chunk) <= known.min_len or name in known.stop
        if stop and asked.scope == 'both':
            continue
        total += 1
        bad += name in known.chunks and not (stop and asked.scope == 'labels')
    return bad, total


def prefixes(url: str) -> list[str]:
    """The neighborhoods of a page, from its host on."""
    host = host_of(url)
    if not host:
        return []
    path = url.partition('#')[0].partition('?')[0]
    folders = components(url)
    if not path.endswith('/') and folders:
        folders.pop()
    return ['/'.join([host, *folders[:n], '']) for n in range(len(folders) + 1)]


def mean_of(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def is_bad(
    ratio: Fraction, all_of_them: list[Fraction], fixed: str, sigmas: str
) -> bool:
    """Strictly above a fixed value, or above mean + sigmas * deviation."""
    if fixed:
        return ratio > Fraction(fixed)
    mean = mean_of(all_of_them)
    variance = mean_of([(r - mean) ** 2 for r in all_of_them])
    return ratio > mean and (ratio - mean) ** 2 > Fraction(sigmas) ** 2 * variance


def detect_tables(pages: list[Page], known: Known, asked: Asked) -> dict[str, bytes]:
    """All tables of a run of `detect`, by file name."""
    pages = kept(pages, Options(captures=asked.captures))
    pages.sort(key=lambda page: (page.archive, page.offset))
    texts = [page for page in pages if is_text(page.body)]
    counts = [judged(page.body, known, asked) for page in texts]
    page_rows, ratios = [], []
    for page, (bad, total) in zip(texts, counts, strict=True):
        contains = Fraction(bad, total) if total else None
        counted = total >= asked.min_chunks and total > 0
        ratios.append(rounded(contains) if counted else None)
        rid = f'{page.archive}:{page.offset}'
        shown_ = shown(contains and rounded(contains) if total else None)
        page_rows.append((rid, printable(page.url), bad, total, shown_))
    known_ratios = [ratio for ratio in ratios if ratio is not None]
    bad_pages = [
        (-ratio, -row[2], number, row)
        for number, (row, ratio) in enumerate(zip(page_rows, ratios, strict=True))
        if ratio is not None
        and is_bad(ratio, known_ratios, asked.page_threshold, asked.sigmas)
    ]
    if asked.rank == 'bad':
        bad_pages = [(b, a, *rest) for a, b, *rest in bad_pages]
    around = neighborhoods(texts, counts, ratios, asked.levels)
    return {
        'pages.tsv': table(PAGES, page_rows),
        'bad_pages.tsv': table(PAGES, [row for *_, row in sorted(bad_pages)]),
        'neighborhoods.tsv': table(NEIGHBORHOODS, [row for row, _ in around]),
        'bad_neighborhoods.tsv': table(NEIGHBORHOODS, bad_ones(around, asked)),
        'label_counts.tsv': table(LABELS, found_labels(texts, known)),
        'file_matches.tsv': table(
            FILES,
            [
                (f'{p.archive}:{p.offset}', printable(p.url), digest(p.body))
                for p in pages
                if digest(p.body) in known.files
            ],
        ),
    }


def found_labels(texts: list[Page], known: Known) -> list[tuple]:
    """The rows of `labels.tsv`, but of the labels that were looked for."""
    every = Options(min_len=known.min_len, stop=known.stop)
    chunks = holders(texts, lambda body: chunks_of(body, Options()))
    return [row for row in chunk_rows(chunks, every) if row[0] in known.chunks]


def neighborhoods(texts, counts, ratios, levels: str) -> list[tuple]:
    """A row for every prefix of every page, with its ratios, by the prefixes."""
    members: dict[tuple[str, int], list[int]] = {}
    for number, page in enumerate(texts):
        for level, prefix in enumerate(prefixes(page.url), 1):
            if levels == 'all' or level == {'site': 1}.get(levels, levels):
                members.setdefault((prefix, level), []).append(number)
    found = []
    for (prefix, level), numbers in sorted(members.items()):
        counted = [n for n in numbers if ratios[n] is not None]
        bad = sum(counts[n][0] for n in counted)
        total = sum(counts[n][1] for n in counted)
        pooled = rounded(Fraction(bad, total)) if total else None
        mean = rounded(mean_of([ratios[n] for n in counted])) if counted else None
        row = prefix, level, len(numbers), bad, total, shown(pooled), shown(mean)
        found.append((row, {'pooled': pooled, 'mean': mean}))
    return found


def bad_ones(around: list[tuple], asked: Asked) -> list[tuple]:
    """The rows above the threshold, worst first."""
    found = []
    for row, of_it in around:
        ratio = of_it[asked.ratio]
        population = [
            other[asked.ratio]
            for (_, level, *_), other in around
            if other[asked.ratio] is not None
            and (level == row[1] or not asked.per_level)
        ]
        fixed = asked.neighborhood_threshold
        if (
            ratio is not None
            and row[3] >= asked.min_bad
            and is_bad(ratio, population, fixed, asked.sigmas)
        ):
            keys = [-ratio, -row[3]]
            found.append((*(keys if asked.rank == 'ratio' else keys[::-1]), row))
    return [row for *_, row in sorted(found)]
