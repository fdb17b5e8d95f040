"""The sections on styles, against numbers that are known."""

import json
import random

import pytest
from commands import run
from reference_style_tables import Corpus, Options
from reports import Report
from style_crawls import read_parameters, write_pages
from style_features import HOSTILE, drafts, make_run, rows_of

from mr_reuse.report.run import Run
from mr_reuse.report.styles import plots, style_curves
from mr_reuse.styles.gaps import BETWEEN, LEAST_FALL, find_gaps


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    folder, _, bodies = make_run(tmp_path_factory.mktemp('made'))
    return folder, Corpus(bodies, Options(), read_parameters(Options()))


@pytest.fixture(scope='module')
def report(made):
    return Report(made[0])


def test_numbers(report):
    """Two styles: twelve pages of forums on domains of their own, three of a shop."""
    assert report.sections == ['styles', 'style_curves', 'reading', 'tables']
    assert report.text('h1') == 'Pages of the same style'
    assert report.text('#styles .lead') == (
        '2 styles have 15 of 23 documents (65.2 %), the largest 12 pages.'
    )
    told = report.text('#styles')
    assert 'alike if at least 35 of 128 samples' in told
    assert 'A style is not a verdict.' in told
    assert 'The largest of the other styles' not in told
    assert 'Terms of styles' in report.text('#tables')


def test_styles(report, made):
    folder, corpus = made
    table = report.rows('#styles table')
    for row, style, number in zip(table[1::2], corpus.styles(), (1, 2), strict=True):
        near = [corpus.similarity(style.prototype, page) for page in style.members]
        assert row == [
            style.prototype.url,
            str(number),
            f'{float(style.score):.2f}',
            str(style.domains),
            str(len(style.members)),
            f'{float(style.mean):.2f}',
            f'{float(min(near)):.2f}',
        ]
    told = table[2][0]
    assert told.startswith(
        'Its pages share the generator MiniForum, the path /board/view*.php?t=*, the '
        'classes.forum-head.topics.row, the tags <'
    )
    assert 'classes:.forum-head,.topics,.row,.odd,.forum-foot' in told
    assert 'html head meta body div.forum-head … table.topics' in told
    assert told.endswith(f'python -m mr_reuse.show {folder} style:1')
    # Five pages of the style, each on a domain of its own, and the least similar one.
    members = [row for row in rows_of(folder, 'style_members') if row[0] == '1']
    for page in (*members[:5], members[-1]):
        assert f'{page[2]} {page[3][:4]} at {page[1]}' in told
    assert members[6][2] not in told


def test_curves(report, made):
    folder, corpus = made
    figures = report.tree.cssselect('#style_curves figure')
    assert len(figures) == 2
    for number, style in enumerate(corpus.styles(), 1):
        near = sorted(
            (corpus.similarity(style.prototype, p) for p in corpus.prints), reverse=True
        )
        alike = sum(similarity * 128 >= 35 for similarity in near)
        [caption] = [
            text
            for text in map(str, report.text('#style_curves').split('Style ')[1:])
            if text.startswith(f'{number}, ')
        ]
        assert caption.startswith(
            f'{number}, with {len(style.members)} pages: {style.prototype.url}. '
            f'{alike} documents are alike the page.'
        )
        fall, above, last = max(
            (near[above - 1] - near[last], above, last)
            for above in range(1, len(near))
            for last in range(above, min(len(near), above + above // 10 + 1))
        )
        upper, lower = float(near[above - 1]), float(near[last])
        documents = f'{above} document{"s"[: above > 1]}'
        assert f'from {upper:.2f} down to {lower:.2f} after {documents}' in caption
        assert fall > 0.5


@pytest.mark.parametrize('seed', range(10))
def test_gaps(seed):
    """Brute force over all pairs of documents."""
    dice = random.Random(seed)
    values = sorted({dice.randrange(129) for _ in range(25)}, reverse=True)
    points = [(value / 128, dice.choice([1, 2, 30, 400])) for value in values]
    order = [value for value, count in points for _ in range(count)]
    falls = [
        order[above - 1] - order[last]
        for above in range(1, len(order))
        for last in range(above, min(len(order), above + above // BETWEEN + 1))
    ]
    gaps = find_gaps(points, 3)
    assert max(gap.fall for gap in gaps) == pytest.approx(max(falls))
    for gap in gaps:
        assert order[gap.above - 1] == gap.upper and gap.fall >= LEAST_FALL
        assert order[gap.above + gap.between] == gap.lower
        assert gap.between <= gap.above // BETWEEN
    ends = [(gap.first, gap.last) for gap in gaps]
    assert ends == sorted(ends)
    assert all(one[1] <= other[0] for one, other in zip(ends, ends[1:], strict=False))


def test_a_curve_falls():
    """The path goes right and down only, from the first document to the last."""
    points = [(1.0, 1), (0.9, 500), (0.5, 3), (0.0, 9000)]
    steps = list(plots._steps(points, lambda n: n, lambda s: -s))
    assert steps[0] == ('M', 1, -1.0) and steps[-1] == ('H', 9505)
    for name in 'VH':
        told = [step[1] for step in steps if step[0] == name]
        assert told == sorted(told) and len(told) == len(points)


def test_next_steps(report):
    """The commands are those that exist, and the first ones work."""
    lines = [one.text_content() for one in report.tree.cssselect('#styles .steps code')]
    assert [line.split()[2] for line in lines] == [
        'mr_reuse.show',
        'mr_reuse.show',
        'mr_reuse.styles',
    ]
    for line in lines[:2]:
        assert run('show', *line.split()[3:]).code == 0


def test_no_styles(tmp_path):
    folder, *_ = make_run(tmp_path, found=drafts(1, 1, 3))
    report = Report(folder)
    assert report.text('#styles .lead') == '0 styles have 0 of 5 documents (0.0 %).'
    assert report.rows('#styles table') == []
    assert 'No two documents are alike.' in report.text('#styles')
    assert 'style_curves' not in report.sections


def test_no_documents(tmp_path):
    names, _ = write_pages(tmp_path, [[drafts(1)[0]._replace(media='text/plain')]])
    assert run('styles', *names, '-o', tmp_path / 'run', '-q').code == 0
    report = Report(tmp_path / 'run')
    assert report.text('#styles .lead') == '0 styles have 0 of 0 documents.'


def test_the_largest(tmp_path, monkeypatch):
    monkeypatch.setattr('mr_reuse.report.styles.styles.MAX_STYLES', 1)
    report = Report(make_run(tmp_path, '--describe=1')[0])
    one, other = report.tree.cssselect('#styles table')
    assert 'The styles with the greatest scores' in one.text_content()
    assert 'The largest of the other styles' in other.text_content()
    assert 'http://shop.net/' in other.text_content()


def test_other_options(tmp_path):
    line = ['--t=20', '--m=64', '--ignore=0.9', '--preprocessor=tags', '--n=8']
    folder, *_ = make_run(tmp_path, *line, '--describe=0', '--normalize-empty')
    told = Report(folder).text()
    assert 'similar tags' in told and 'at least 20 of 64 samples' in told
    assert 'more than 9/10 of all domains' in told or '0.9 of all domains' in told
    assert 'Its pages share' not in told
    assert 'Those that are empty in both do not count.' in told


def test_beside_chunks(tmp_path):
    folder, *_ = make_run(tmp_path)
    line = ['--threshold=1', '--min-len=0']
    assert run('discover', '-o', folder, '-q', *line).code == 0
    report = Report(folder)
    assert report.sections[0] == 'summary' and 'styles' in report.sections
    assert '2 styles have 15 of 23 documents' in report.text('#summary')


def test_hostile_names(tmp_path):
    report = Report(make_run(tmp_path)[0])
    assert len(report.tree.cssselect('script')) == 1
    shown = HOSTILE.replace(' ', '-').replace('\u202e', '\\u202e')
    assert shown in report.text('#styles')
    assert '\u202e'.encode() not in report.bytes


@pytest.mark.parametrize(
    ('file', 'change', 'why'),
    [
        ('stats.json', {'styles': {'documents': 'x'}}, 'has no valid counts of styles'),
        ('stats.json', {'styles': []}, 'has no valid counts of styles'),
        ('run.json', {'t': 'x'}, 'has no valid options of styles'),
        ('run.json', {'m': 0}, 'has no valid options of styles'),
    ],
)
def test_damaged_files(tmp_path, file, change, why):
    folder, *_ = make_run(tmp_path)
    data = json.loads((folder / file).read_text())
    if file == 'run.json':
        data['systems']['styles']['options'] |= change
    else:
        data |= change
    (folder / file).write_text(json.dumps(data))
    done = run('report', folder)
    assert done.code == 1 and done.err.count('\n') == 1 and why in done.err


@pytest.mark.parametrize(
    ('table', 'column', 'value'),
    [
        *(('styles', 4, 'x'), ('styles', 4, '2.0'), ('styles', 5, 'nan')),
        *(('style_curves', 1, 'x'), ('style_curves', 1, '1.5')),
        *(
            ('style_curves', 2, '0'),
            ('style_features', 3, '2'),
            ('style_members', 0, 'x'),
        ),
        *(('style_members', 3, 'x'), ('style_curves', 0, '')),
    ],
)
def test_damaged_tables(tmp_path, table, column, value):
    folder, *_ = make_run(tmp_path)
    file = folder / f'{table}.tsv'
    lines = file.read_text().split('\n')
    cells = lines[1].split('\t')
    cells[column] = value
    lines[1] = '\t'.join(cells)
    file.write_text('\n'.join(lines))
    done = run('report', folder)
    assert done.code == 1 and done.err.count('\n') == 1
    assert 'damaged' in done.err and table in done.err


def test_missing_tables(tmp_path):
    """A run of an older version has no curves."""
    folder, *_ = make_run(tmp_path)
    (folder / 'style_curves.tsv').unlink()
    assert 'style_curves' not in Report(folder).sections
    assert style_curves.section(Run(str(folder)), None) is None
    (folder / 'style_features.tsv').unlink()
    assert 'styles' not in Report(folder).sections
