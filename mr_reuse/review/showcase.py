"""What a judge is shown of the items of a sample, as JSON for the page."""

from typing import Any

from mr_reuse.archives import urls
from mr_reuse.chunks.detect import matching
from mr_reuse.review import kinds, seeking, summary_tables
from mr_reuse.review.book import Task
from mr_reuse.review.excerpts import visible
from mr_reuse.review.gathering import Exhibit, Gatherer, Label
from mr_reuse.review.page_reader import Reader, names_of

Json = dict[str, Any]


def describe_task(task: Task) -> Json:
    """The facts of a task that the page shows."""
    return {
        'what': task.kind.name,
        'all': task.kind.all,
        'run': task.run,
        'judge': task.judge,
        'drawn': len(task.sample.rows),
        'population': task.sample.population,
        'folded': summary_tables.FOLDED if task.sample.folded else '',
        'categories': [category._asdict() for category in task.categories],
    }


class Showcase:
    """The items of a task, with the pages and the labels that belong to them."""

    def __init__(self, task: Task, gatherer: Gatherer, reader: Reader):
        self._task, self._gatherer, self._reader = task, gatherer, reader
        self._exhibits = gatherer.of(task.kind.name, task.sample.rows)

    def item(self, place: int) -> Json:
        """An item: what its row says, its pages, its labels and where else they are."""
        row, exhibit = self._task.sample.rows[place - 1], self._exhibits[place - 1]
        title, about = kinds.told_of(self._task.kind, row)
        texts = self._texts(exhibit)
        hosts = {urls.url_host(page.url.decode()) for page in exhibit.pages}
        return {
            'place': place,
            'title': visible(title),
            'about': visible(about),
            'stratum': self._task.kind.name_of(row.stratum),
            'pages': [names_of(page) for page in exhibit.pages],
            'labels': [
                label_of(label, texts.get(label.digest), hosts)
                for label in exhibit.labels
            ],
        }

    def _texts(self, exhibit: Exhibit) -> dict[bytes, Json]:
        """The labels of an item as text, out of as few records as will do."""
        found: dict[bytes, Json] = {}
        others = [page for label in exhibit.labels for page in label.others[:1]]
        for page in [*exhibit.pages, *others]:
            missing = [
                label.digest for label in exhibit.labels if label.digest not in found
            ]
            if not missing:
                break
            found |= self._reader.texts(page, missing)
        return found

    def page(self, place: int, number: int) -> Json:
        """A page of an item, with its labels marked."""
        exhibit = self._exhibits[place - 1]
        page = exhibit.pages[number]
        digests = [label.digest for label in exhibit.labels]
        if page.labels == matching.NONE and digests:
            return self._reader.label(page, digests[0])
        return self._reader.page(page, self._gatherer.digests_of(page, digests))

    def source(self, place: int, label: int, number: int) -> Json:
        """A label in one of the other pages that have it."""
        found = self._exhibits[place - 1].labels[label]
        return self._reader.label(found.others[number], found.digest)


def label_of(label: Label, part: Json | None, hosts: set[str]) -> Json:
    """A label: how often it is, what it says, and where else."""
    return {
        'hash': label.digest.hex(),
        'here': label.here,
        'copies': label.copies,
        'pages': label.pages,
        'hosts': label.hosts,
        'left': label.left,
        'least': label.hosts >= seeking.COUNTED,
        'part': part,
        'others': [
            names_of(page) | {'same': urls.url_host(page.url.decode()) in hosts}
            for page in label.others
        ],
    }
