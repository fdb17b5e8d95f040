"""Read chunks that people have judged, from the judgements of a run or from a list."""

from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, warn
from mr_reuse.review import judgements
from mr_reuse.review.book import read_all
from mr_reuse.review.categories import COUNTS
from mr_reuse.review.kinds import CHUNKS

BENIGN, _, BAD = COUNTS
Verdict = tuple[str, str]  # hash, and benign, unclear or bad


def read_verdicts(name: str, width: int) -> dict[bytes, bool]:
    """Read the judged chunks of a run or a list: True for bad, False for benign ones.

    Unclear chunks are left out, with a warning also those on which judges disagree.
    """
    verdicts = _of_run(name) if storage.is_dir(name) else _of_list(name, width)
    by_digest: dict[bytes, set[str]] = {}
    for hash_, verdict in verdicts:
        by_digest.setdefault(bytes.fromhex(hash_), set()).add(verdict)
    if disputed := sum({BENIGN, BAD} <= given for given in by_digest.values()):
        chunks = format_count(disputed, 'chunk')
        warn(f'{name}: left out {chunks} judged both benign and bad')
    clear = {digest: given for digest, given in by_digest.items() if len(given) == 1}
    return {d: BAD in given for d, given in clear.items() if given <= {BENIGN, BAD}}


def _of_run(run: str) -> Iterator[Verdict]:
    lines = filter(None, read_all(run))
    for by_judge in judgements.samples(lines, CHUNKS.name).values():
        for items in by_judge.values():
            for hash_, line in items.items():
                yield hash_, line.counts


def _of_list(name: str, width: int) -> Iterable[Verdict]:
    """Yield the verdicts of a list with a hash and a word in each line."""
    for number, line in enumerate(storage.read_text(name).splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith('#') or words[0] == 'hash':
            continue
        if len(words) < 2 or words[1] not in COUNTS or not _is_hash(words[0], width):
            raise UserError(
                f'{name}, line {number}: not a hash of {2 * width} digits and one of '
                f'{", ".join(COUNTS)}'
            )
        yield words[0], words[1]


def _is_hash(word: str, width: int) -> bool:
    try:
        return len(bytes.fromhex(word)) == width
    except ValueError:
        return False
