"""The showcase of a task: what displays its items."""

from mr_reuse.engine.record import RunRecord
from mr_reuse.review.book import Task
from mr_reuse.review.document_kinds import HOSTS, NEAR, PHRASED, QUILTED, STYLED
from mr_reuse.review.gathering import Gatherer
from mr_reuse.review.page_reader import Reader
from mr_reuse.review.showcase import Showcase
from mr_reuse.review.sides.near_duplicate_sides import NearDuplicateShowcase
from mr_reuse.review.sides.parts import SideShowcase
from mr_reuse.review.sides.phrase_sides import PhraseShowcase
from mr_reuse.review.sides.quilt_sides import QuiltShowcase
from mr_reuse.review.sides.style_sides import StyleShowcase

BESIDE = {
    QUILTED.name: QuiltShowcase,
    NEAR.name: NearDuplicateShowcase,
    PHRASED.name: PhraseShowcase,
    HOSTS.name: PhraseShowcase,
    STYLED.name: StyleShowcase,
}


def open_showcase(task: Task, record: RunRecord) -> Showcase | SideShowcase:
    """Return the showcase of a task."""
    if make := BESIDE.get(task.kind.name):
        return make(task, record)
    return Showcase(task, Gatherer(task.run, record), Reader(record))
