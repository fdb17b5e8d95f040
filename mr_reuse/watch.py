"""Follow the archives that a running crawler writes, and tell what is copied.

One JSON object a line on standard output for each page that has a label:

    {"event": "match", "time": …, "rid": …, "url": …, "date": …, "bad": 12, "total": 15,
     "contains": 0.8, "file": false, "labels": […],
     "site": {"prefix": …, "pages": 4, "bad": 40, …}}

With `"file": true` all of it is a known file, be it a picture or so short that it
has no chunk which counts. `site` is the sum over the pages of that host so far. Damage
is an event too. What was told is kept in the state file, so the same command goes on.
"""

import argparse
import contextlib
import json
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime, timezone
from fractions import Fraction
from typing import Any

from mr_reuse import storage
from mr_reuse.archives import rids, tailing, urls
from mr_reuse.archives.archive_stats import Account
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks.detect import steps
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.chunks.detect.ratios import Sums, Threshold, ratio
from mr_reuse.chunks.matcher import Matcher, Verdict
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import interrupts, locks
from mr_reuse.errors import UserError
from mr_reuse.messages import say
from mr_reuse.pages.filters import Filter
from mr_reuse.storage import naming
from mr_reuse.storage.text_files import read_json

STATE = 'mr_reuse-watch.json'
ANOTHER = 'name another with --state'
SAVE_EVERY = 2.0  # seconds
FIRST = 256  # bytes by which an archive is told from one that has got its place
SITES = 10_000  # whose sums are kept; the one seen longest ago goes first


def parser() -> argparse.ArgumentParser:
    """The command line of watch."""
    found = Parser(description=__doc__, example='watch crawls/ -l known.mrl')
    add = found.add_argument
    add('folder', metavar='DIR', help='where the crawler writes WARC files')
    add('-l', '--labels', required=True, metavar='LABELS', help=values.A_LABEL_FILE)
    add(
        '--state',
        metavar='FILE',
        help=f'where to note what was told. Default: {STATE} in DIR',
    )
    add(
        '--above',
        type=values.ratio,
        default=Fraction(0),
        metavar='X',
        help='tell only pages of whose chunks a share above X is labeled, and known '
        'files, which are known as a whole. Default: 0',
    )
    add(
        '--min-bad',
        type=values.natural,
        default=0,
        metavar='N',
        help='tell only what has at least N labeled chunks, also of known files. '
        'Default: 0',
    )
    add('--stop-scope', choices=SCOPES, default=SCOPES[0], help='as for detect')
    add(
        '--interval',
        type=values.ratio,
        default=Fraction(2),
        metavar='S',
        help='seconds between two looks. Default: 2',
    )
    add(
        '--once',
        action='store_true',
        help='take all archives for finished, and end when they are read',
    )
    add('-q', '--quiet', action='store_true', help='no summary at the end')
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: follow archives until it is interrupted."""
    given = parser().parse_args(args)
    outputs.must_be_folder(given.folder)
    watch = Watch(given)
    watch.lock()
    try:
        watch.save()  # before anything is told that could not be noted
        while True:
            for event in watch.look():
                with interrupts.held():
                    sys.stdout.write(json.dumps(event) + '\n')
                    sys.stdout.flush()
                    watch.note()
            if given.once:
                break
            time.sleep(float(given.interval))
    finally:
        watch.save()
        watch.unlock()
        if not given.quiet:
            say(watch.summary())


class Watch:
    """What was read of which archive, and the sums of the sites."""

    def __init__(self, given: argparse.Namespace):
        self._given = given
        name = given.labels
        known = steps.known(name)
        self._matcher = Matcher(known.labels, given.stop_scope)
        self._made_of = {'labels': known.digest, 'stop_scope': given.stop_scope}
        self._name = given.state or naming.join(given.folder, STATE)
        state = self._load()
        # Of each archive where to go on, and the place of the last page there.
        self._read: dict[str, tuple[int, str]] = state.get('read', {})
        self._sites = OrderedDict(state.get('sites', {}))
        self._site: tuple[str, tuple[int, ...]] | None = None  # until it is told
        self._saved, self._unsaved = time.monotonic(), False
        self._filter = Filter([], 'length')
        self._above = Threshold(given.above, Fraction(0), Sums())
        self.pages = self.told = self.files = 0

    def summary(self) -> str:
        """What was read and told, in a line."""
        told = f'{self.told:,} documents told, {self.files:,} of them as known files'
        return f'{self.pages:,} pages read; {told}'

    def _load(self) -> dict[str, Any]:
        if not storage.exists(self._name):
            return {}
        try:
            state = json.loads(storage.read_text(self._name))
            made_of = state['made_of']
            for at, place in state['read'].values():
                rids.offsets_of(place or '0')
                if at < 0:
                    raise ValueError
            for pages, bad, total in state['sites'].values():
                pages + bad + total  # noqa: B018 (numbers they have to be)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise UserError(f'{self._name}: not a state of watch; {ANOTHER}') from None
        if made_of != self._made_of:
            raise UserError(f'{self._name}: of a watch for other labels; {ANOTHER}')
        return state

    def lock(self) -> None:
        """See to it that nobody else notes what was told in the same state."""
        name, us = f'{self._name}.lock', json.dumps(locks.process())
        if storage.create(name, us):
            return
        if locks.is_alive(owner := read_json(name)):
            why = f'process {owner.get("pid")} works with it'
            raise UserError(f'{self._name}: {why}; {ANOTHER}')
        storage.remove(name)
        storage.create(name, us)

    def unlock(self) -> None:
        """Let another one in."""
        storage.remove(f'{self._name}.lock')

    def note(self) -> None:
        """The page that was read last is told."""
        key, place = self._next
        self._read[key] = place
        if self._site:
            prefix, sums = self._site
            self._sites.pop(prefix, None)
            self._sites[prefix], self._site = sums, None
            if len(self._sites) > SITES:
                self._sites.popitem(last=False)
        self._unsaved = True
        if time.monotonic() > self._saved + SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Note what was told, so that it is told once."""
        state = {'made_of': self._made_of, 'read': self._read, 'sites': self._sites}
        with storage.write(self._name, 'w') as stream:
            stream.write(json.dumps(state) + '\n')
        self._saved, self._unsaved = time.monotonic(), False

    def look(self) -> Iterator[dict[str, Any]]:
        """Read what is new in all archives; what is told is noted when it was taken."""
        # What is renamed or removed meanwhile is found, or not, at the next look.
        with contextlib.suppress(FileNotFoundError):
            for name in (one.name for one in storage.tree(self._given.folder)):
                if tailing.is_archive(name) and storage.is_file(name):
                    with contextlib.suppress(FileNotFoundError):
                        yield from self._look_at(name)
        if self._unsaved:
            self.save()

    def _look_at(self, name: str) -> Iterator[dict[str, Any]]:
        if storage.size(name) < FIRST and not self._given.once:
            return
        key = tailing.identity(name, FIRST)
        start, last = self._read.get(key, (0, ''))
        if storage.size(name) < start:
            start, last = 0, ''
            self._next = key, (start, last)
            yield event('damage', archive=name, cause='shorter than before, read again')
        end = tailing.settled(name, start, self._given.once)
        if end == start:
            return
        account = Account(name)
        for item in tailing.items(name, start, end, account):
            if last and rids.offsets_of(item.place) <= rids.offsets_of(last):
                continue
            self._next = key, (rids.offsets_of(item.place)[0], item.place)
            if found := self._judge(name, item, account):
                yield found
            self.note()
        self._next = key, (end, '')
        for cause, (records, size) in account.damage.items():
            yield event(
                'damage', archive=name, cause=cause, records=records, bytes=size
            )
        self.note()

    def _judge(self, name: str, item: Item, account: Account) -> dict | None:
        """The event of a page, if it is worth one."""
        if not self._filter.for_account(account)(item):
            return None
        page = self._matcher.page()
        try:
            for piece in item.pieces if item.body is None else [item.body]:
                page.feed(piece)
        except Lost:
            return None
        verdict = page.close(item.cut)
        if not (verdict.is_page or verdict.file):
            return None
        self.pages += verdict.is_page
        site = self._add(item.url, verdict) if verdict.is_page else None
        if verdict.bad < self._given.min_bad or not self._is_above(verdict):
            return None
        self.told += 1
        self.files += verdict.file
        return event(
            'match',
            rid=f'{name}:{item.place}',
            url=item.url,
            date=item.date,
            bad=verdict.bad,
            total=verdict.total,
            contains=None if not verdict.total else round(verdict.contains, 9),
            file=verdict.file,
            labels=list(verdict.examples),
            site=site,
        )

    def _is_above(self, verdict: Verdict) -> bool:
        """Whether enough is copied; of a known file all is."""
        if verdict.file or not verdict.bad:
            return verdict.file
        return self._above.is_above(ratio(verdict.bad, verdict.total))

    def _add(self, url: str, verdict: Verdict) -> dict[str, Any] | None:
        """The sums of a page's site, this page included."""
        host, slash, _ = urls.neighborhood(url).partition('/')
        if not slash:
            return None
        prefix = host + slash
        pages, bad, total = self._sites.get(prefix, (0, 0, 0))
        sums = pages + 1, bad + verdict.bad, total + verdict.total
        self._site = prefix, sums
        return dict(
            zip(('prefix', 'pages', 'bad', 'total'), (prefix, *sums), strict=True)
        )


def event(kind: str, **told: Any) -> dict[str, Any]:
    """Something to tell."""
    now = datetime.now(timezone.utc).isoformat(timespec='seconds')
    return {'event': kind, 'time': now, **told}


if __name__ == '__main__':
    sys.exit(main())
