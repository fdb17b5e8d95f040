"""The links among the bad sites of a run, and the rings that they make.

SiteLinks  07-links  archives, the pages of bad sites -> who links to whom
"""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import Any

from mr_reuse import messages, storage
from mr_reuse.algorithms import graphs
from mr_reuse.archives import rids
from mr_reuse.chunks.detect import badness_tables, matching, origins, steps
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.jobs.site_links import SiteLinks
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.interrupts import interruptible
from mr_reuse.engine.rundir import RunDir, finished
from mr_reuse.errors import UserError
from mr_reuse.messages import put, say, warn
from mr_reuse.pages import inputs
from mr_reuse.shuffle import sorting
from mr_reuse.storage import mapped, naming
from mr_reuse.tables import derived, table_files
from mr_reuse.tables.run_tables import made_by

LINKS = 'source\ttarget\tlinks\tpages'
RINGS = 'ring\tsites\tsite'
TOP = 10
EPILOG = """\
results in RUN:
  links.tsv  which bad site links to which, how often, and on how many pages
  rings.tsv  the sites of each ring, the largest ring first
"""


def parser() -> argparse.ArgumentParser:
    """The command line of links."""
    found = Parser(
        description='Find the links among the bad sites of a run of detect, and the '
        'rings among them: sites from each of which links lead to all others.',
        example='links RUN',
        epilog=EPILOG,
    )
    found.add_argument('output', metavar='RUN', help='a run of detect')
    run_options.add_runner(found)
    found.add_argument('-q', '--quiet', action='store_true', help='no summary')
    found.set_defaults(verbose=False)
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: who of the bad sites links to whom."""
    given = parser().parse_args(args)
    run_options.check_run(given)
    told = finished(given.output)
    if 'matches' not in told.get('detect', {}):
        raise UserError(
            f'{given.output}: has no result of detect; run that on it first'
        )
    with interruptible(), RunDir(given.output) as run:
        chain = Chain(run, given)
        done = site_links(chain, told)
        before = text_of(run)
        links = write_links(run.join('links.tsv'), done.parts if done else [])
        rings = graphs.rings(links)
        write_rings(run.join('rings.tsv'), rings)
        is_new = text_of(run) != before
        old = derived.remove_stale(run.path, made_by('links')) if is_new else []
        if not given.quiet:
            put(summary(run, links, rings))
        for line in old:
            say(line)


def text_of(run: RunDir) -> str:
    """What stands in the table of links, if it is there."""
    name = run.join('links.tsv')
    there = storage.exists(name) and not storage.is_dir(name)
    return storage.read_text(name) if there else ''


def site_links(chain: Chain, told: dict[str, Any]) -> Done | None:
    """Read the pages of bad sites for links; nothing is to be done without any."""
    run, level = chain.run, told['detect']['level']
    matches, sums = (
        Done(run.join(told['detect'][name]), [], '')
        for name in ('matches', 'neighborhoods')
    )
    rule = Rule.of_dict(told['detect']['rule'])
    bad = badness_tables.Findings(run, rule, matches, sums).bad_ones(level)
    hashes, name = steps.write_hashes(chain, bad)
    if not hashes:
        return None

    def to_read() -> list[str]:
        names = [run.temporary(f'to-read-{n}') for n in range(os.cpu_count() or 1)]
        found = sorting.sort_lines(pages_of(run, told, set(hashes)))
        return label_tables.write_shares(names, badness_tables.unsorted(found))

    gone = inputs.gone(told['paths'].values())
    if gone:
        warn(
            f'{messages.summarize_names(gone)}: gone, so links of pages there '
            'are not seen'
        )
    made_of = [told['detect']['matches'], mapped.digest(name), gone]
    return chain.step(
        Step(
            '07-links',
            SiteLinks,
            {'level': level},
            to_read,
            made_of,
            unhashed={'bad': name},
        )
    )


def pages_of(run: RunDir, told: dict[str, Any], hashes: set[bytes]) -> Iterator[bytes]:
    """The pages of some sites, a line each with what sorts it."""
    level = told['detect']['level']
    for line in badness_tables.lines_of(
        storage.part_files(run.join(told['detect']['matches']))
    ):
        page = matching.read_match(*line)
        site = origins.at_level(page.url.decode(), level)
        if page.total is not None and origins.hash_of(site) in hashes:
            archive, _, place = page.rid.decode('utf-8', 'surrogateescape').rpartition(
                ':'
            )
            path = naming.quoted(told['paths'].get(archive, archive)).encode()
            row = b'%b:%b\t%b' % (path, place.encode(), page.url)
            yield rids.sort_key(path + b':' + place.encode(), row)


def write_links(name: str, parts: list[str]) -> dict[str, list[str]]:
    """Write `links.tsv`, in the order of sources and targets; the links as a graph."""
    links: dict[str, list[str]] = {}

    def rows() -> Iterator[bytes]:
        for row in sorting.sort_lines(
            b'\t'.join(line) for line in badness_tables.lines_of(parts)
        ):
            here, there, *_ = row.decode('utf-8', 'surrogateescape').split('\t')
            links.setdefault(here, []).append(there)
            yield row

    table_files.write(name, LINKS, rows())
    return links


def write_rings(name: str, rings: list[list[str]]) -> None:
    """Write `rings.tsv`, the largest ring first."""
    rows = (
        f'{number}\t{len(ring)}\t{site}'.encode('utf-8', 'surrogateescape')
        for number, ring in enumerate(rings, 1)
        for site in ring
    )
    table_files.write(name, RINGS, rows)


def summary(run: RunDir, links: dict[str, list[str]], rings: list[list[str]]) -> str:
    """What was found, and the largest rings."""
    pairs = sum(map(len, links.values()))
    lines = [f'{pairs:,} links from one bad site to another, rings: {len(rings):,}']
    for ring in rings[:TOP]:
        more = f' and {len(ring) - 3:,} more' if len(ring) > 3 else ''
        lines.append(f'{len(ring):>9,} sites  {", ".join(ring[:3])}{more}')
    lines += ['', f'all of them: {run.join("links.tsv")}, {run.join("rings.tsv")}']
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    sys.exit(main())
