"""The features of a style in `show`: from the table, or read from its pages again."""

from collections.abc import Iterable
from typing import Any

from mr_reuse.pages.lookup import read_items
from mr_reuse.styles.features import choosing, reading, shared
from mr_reuse.styles.features.choosing import Others
from mr_reuse.styles.features.page_features import PageFeatures
from mr_reuse.styles.features.step import feature_cells
from mr_reuse.styles.showing.results import StyleResults
from mr_reuse.styles.style_tables import STYLE_FEATURES


def read_features(results: StyleResults, style: Any) -> list[Any]:
    """Return the features of a style, which may not be in the table.

    The same pages are read as if the style were one of the first.
    """
    if rows := results.list_features(style.style):
        return rows
    sampled = results.read_sampled(style.rid)
    drawn = results.read_others()
    urls = {page.rid: page.url for page in (*sampled, *drawn)}
    found = read_pages(results, urls)
    cluster = sampled[0].cluster if sampled else None
    others = Others(
        [(page.cluster, found[page.rid]) for page in drawn if page.rid in found]
    )
    pages = [found[page.rid] for page in sampled if page.rid in found]
    features = shared.find_shared(pages)
    described = choosing.describe_style(cluster, len(pages), features, others)
    rows = (one._replace(style=style.style) for one in described)
    return [STYLE_FEATURES.parse(feature_cells(row)) for row in rows]


def read_pages(results: StyleResults, urls: dict[str, str]) -> dict[str, PageFeatures]:
    """Return the features of some pages, without those that cannot be read."""
    items: Iterable = read_items(urls, results.record.paths, (FileNotFoundError,))
    pages = ((rid, reading.read_page(item, urls[rid])) for rid, item in items)
    return {rid: page for rid, page in pages if page}
