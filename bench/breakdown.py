"""Tables of where the time of discover goes."""

from collections.abc import Callable

from figures import CORPORA, DEBDOCS, NAMES, SIZED, Line, Results, markdown, wall

DOES = {
    '01-pages': 'HashChunks: inflates, cuts and hashes',
    '02-counts': 'CountDuplicates: counts and merges page lines',
    '03-labels': 'FilterStopChunks',
    '03-places': 'PlaceLabels: reads page lines again',
    '03-previews': 'ReadPreviews: reads some records again',
    '04-matches': 'MatchLabeled',
    '05-neighborhoods': 'NeighborhoodBadness',
}


def steps(found: Results) -> str:
    lines = {
        '1.89 GB': found.having('compare', *NAMES),
        '10 GB': found.having('linear', *SIZED, size='10GB'),
    }
    told = {
        name: line['systems']['discover']['told']['seconds']
        for name, line in lines.items()
    }
    rows = [
        [f'{step}: {DOES[step]}', *(f'{one[step]:.2f}' for one in told.values())]
        for step in next(iter(told.values()))
    ]
    rest = [
        f'{wall(line, "discover") - sum(told[name].values()):.2f}'
        for name, line in lines.items()
    ]
    rows.append(['start of Python, tables, driver', *rest])
    return markdown(['step', *told], rows)


def parts(found: Results, corpus: str, whole: bool = False) -> Line:
    return found.newest(
        'parts', lambda line: line['corpus'] == corpus and (whole or line['stages'])
    )


STAGES = {
    'inflate': 'splitting and inflating members, checksums',
    'read': 'headers, filters',
    'cut and hash': 'media types, cutting, hashing',
    'lines': 'page lines and statistics',
}


def stages(found: Results) -> str:
    told = parts(found, DEBDOCS)['stages']
    rows, before = [], dict.fromkeys(told, 0.0)
    for stage, does in STAGES.items():
        row = [does]
        for kind, seconds in told.items():
            part = seconds[stage] - before[kind]
            row += [f'{part:.2f}', f'{100 * part / seconds["lines"]:.0f} %']
            before[kind] = seconds[stage]
        rows.append(row)
    return markdown(
        ['stage', 'kernel, CPU s', 'share', 'pure Python, CPU s', 'share'], rows
    )


def kernel(found: Results) -> str:
    line = parts(found, DEBDOCS)
    rows = []
    for size in line['cut']['kernel']:
        cells = (f'{line["cut"][kind][size]:.0f}' for kind in ('pure', 'kernel'))
        rows.append([f'cutting and hashing, {size}: MB/s', *cells])
    names = {
        'head': 'headers of a record: µs',
        'ends of members': 'end of a member: µs',
        'count': 'counting the chunks of a page: µs',
    }
    for name, does in names.items():
        cells = (f'{line["small"][kind][name]:.1f}' for kind in ('pure', 'kernel'))
        rows.append([does, *cells])
    return markdown(['', 'Python', 'kernel'], rows)


def units(found: Results) -> str:
    """What a unit of each step costs, by runs in one process."""
    lines = [parts(found, name, whole=True) for name in CORPORA[1:]]
    costs: dict[str, Callable[[Line, Line], float]] = {
        'GB of HTML': lambda s, u: s['01-pages'] / u['bytes'] * 1e9,
        'million distinct chunks': lambda s, u: s['02-counts'] / u['distinct'] * 1e6,
        'million pages': lambda s, u: s['03-places'] / u['pages'] * 1e6,
        'million labels': lambda s, u: s['03-previews'] / u['labels'] * 1e6,
    }
    names = 'HashChunks', 'CountDuplicates', 'PlaceLabels', 'ReadPreviews'
    rows = []
    for (unit, cost), step in zip(costs.items(), names, strict=True):
        cells = [
            f'{cost(line["whole"][kind]["inline"], line["units"]):.1f}'
            for line in lines
            for kind in ('kernel', 'pure')
        ]
        rows.append([f'{step}, s per {unit}', *cells])
    cells = [
        f'{line["whole"][kind]["disk"] / line["units"]["chunks"]:.0f}'
        for line in lines
        for kind in ('kernel', 'pure')
    ]
    rows.append(['bytes on disk per chunk', *cells])
    return markdown(
        ['', '1.89 GB, kernel', '1.89 GB, pure', '10 GB, kernel', '10 GB, pure'], rows
    )


def expected(found: Results) -> str:
    rows = []
    for corpus, size in ((DEBDOCS, '1.89 GB'), (CORPORA[2], '10 GB')):
        line = parts(found, corpus, whole=True)
        for kind, told in line['whole'].items():
            wanted = told['expected']
            rows.append(
                [
                    f'{size}, {kind}',
                    f'{wanted["cpu"]:.0f}',
                    f'{told["cpu"]:.1f}',
                    f'{wanted["disk"] / 1e6:,.0f}',
                    f'{told["disk"] / 1e6:,.0f}',
                ]
            )
    return markdown(
        ['', 'CPU s, estimate', 'actual', 'MB on disk, estimate', 'actual'], rows
    )
