"""The items of a sample as JSON for the page."""

from typing import Any

from mr_reuse.archives import urls
from mr_reuse.chunks.detect import matching
from mr_reuse.review import kinds, seeking, summary_tables
from mr_reuse.review.book import Task
from mr_reuse.review.chunk_kinds import FILES
from mr_reuse.review.excerpts import visible
from mr_reuse.review.gathering import Exhibit, Gatherer, Label
from mr_reuse.review.page_reader import Reader, names_of

Json = dict[str, Any]


def describe_task(task: Task) -> Json:
    """Return the task as JSON."""
    return {
        'what': task.kind.name,
        'all': task.kind.all,
        'run': task.run,
        'judge': task.judge,
        'drawn': len(task.sample.rows),
        'population': task.sample.population,
        'folded': summary_tables.FOLDED if task.sample.folded else '',
        'sides': task.kind.sides and task.kind.sides._asdict(),
        'categories': [category._asdict() for category in task.categories],
    }


class Showcase:
    """The items of a task, with their pages and labels."""

    def __init__(self, task: Task, gatherer: Gatherer, reader: Reader):
        self._task, self._gatherer, self._reader = task, gatherer, reader
        self._exhibits = gatherer.gather(task.kind.name, task.sample.rows)

    def item(self, place: int) -> Json:
        """Return an item: its description, pages and labels, from position 1."""
        row, exhibit = self._task.sample.rows[place - 1], self._exhibits[place - 1]
        title, about = kinds.describe_item(self._task.kind, row)
        texts = self._texts(exhibit)
        hosts = {urls.url_host(page.url.decode()) for page in exhibit.pages}
        return {
            'place': place,
            'title': visible(title),
            'about': visible(about),
            'stratum': self._task.kind.name_of(row.stratum),
            'pages': [names_of(page) for page in exhibit.pages],
            'labels': [
                label_json(label, texts.get(label.digest), hosts)
                for label in exhibit.labels
            ],
        }

    def _texts(self, exhibit: Exhibit) -> dict[bytes, Json]:
        """Read the texts of the labels of an item from as few records as possible."""
        texts: dict[bytes, Json] = {}
        others = [page for label in exhibit.labels for page in label.others[:1]]
        for page in [*exhibit.pages, *others]:
            missing = [
                label.digest for label in exhibit.labels if label.digest not in texts
            ]
            if not missing:
                break
            texts |= self._reader.texts(page, missing)
        return texts

    def page(self, place: int, number: int) -> Json:
        """Return a page of an item with its labels marked."""
        exhibit = self._exhibits[place - 1]
        page = exhibit.pages[number]
        if self._task.kind is FILES:
            whole = bytes.fromhex(self._task.sample.rows[place - 1].item.decode())
            return self._reader.file(page, whole)
        digests = [label.digest for label in exhibit.labels]
        # An example page has no list of labels: show the part around its label.
        if page.labels == matching.NO_LABELS and digests:
            return self._reader.label(page, digests[0])
        return self._reader.page(page, self._gatherer.digests_of(page, digests))

    def source(self, place: int, label: int, number: int) -> Json:
        """Return a label in the context of another page."""
        exhibited = self._exhibits[place - 1].labels[label]
        return self._reader.label(exhibited.others[number], exhibited.digest)


def label_json(label: Label, part: Json | None, hosts: set[str]) -> Json:
    """Return a label as JSON: its numbers, its text and its other pages."""
    return {
        'hash': label.digest.hex(),
        'here': label.here,
        'copies': label.copies,
        'pages': label.pages,
        'hosts': label.hosts,
        'left': label.left,
        'least': label.hosts >= seeking.MAX_COUNTED,
        'part': part,
        'others': [
            names_of(page) | {'same': urls.url_host(page.url.decode()) in hosts}
            for page in label.others
        ],
    }
