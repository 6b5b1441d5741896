"""A graph that is linked on a cluster is the one that a store has of the same papers."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from corpus import extracted
from filled import put
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Catalogue, Extraction, interchange


@pytest.fixture
def on_cluster(spark):
    """The nodes and relationships of papers, linked on a cluster."""
    from stemma.server.spark.property_graph import SparkPropertyGraph  # noqa: PLC0415 - an extra

    def link(papers: list[Extraction], catalogue: Catalogue) -> Counter[str]:
        graph = SparkPropertyGraph(spark.sparkContext.parallelize(by_hand(papers), 3), catalogue)
        return Counter(map(as_text, (*graph.nodes().collect(), *graph.relationships().collect())))

    return link


@pytest.fixture
def in_store(tmp_path):
    """The nodes and relationships of papers, linked by a store."""

    def link(papers: list[Extraction], catalogue: Catalogue) -> Counter[str]:
        store = SqliteStore(tmp_path / "stemma.db", catalogue=catalogue)
        put(store, *by_hand(papers))
        with store.snapshot() as reader:
            graph = reader.property_graph
            items = [graph.note(), *graph.entities(), *graph.people(), *graph.bibliography()]
            items += [*graph.catalogue(), *graph.lineage()]
            for part in graph.papers():
                items += [part.paper, part.reading, *part.statements]
            return Counter(map(as_text, items))

    return link


def by_hand(papers: list[Extraction]) -> list[Extraction]:
    """Papers as `put` has them."""
    return [replace(each, extractor="hand") for each in papers]


def as_text(item: object) -> str:
    properties = item.properties
    if "statistics" in properties:
        properties = {**properties, "statistics": json.loads(properties["statistics"])}
    return json.dumps(
        replace(item, properties=properties).__getstate__(), sort_keys=True, ensure_ascii=False
    )


@pytest.mark.long
def test_papers_whose_names_depend_on_each_other(on_cluster, in_store, papers, catalogue) -> None:
    shuffled = random.Random(1).sample(papers, len(papers))
    assert on_cluster(shuffled, catalogue) == in_store(papers, catalogue)


@pytest.mark.long
def test_listings_as_they_are_saved(on_cluster, in_store, shared) -> None:
    with extracted(shared / "seeds", "seeds").open("rb") as lines:
        papers = list(interchange.read(lines, "papers.jsonl", "0" * 64))
    catalogue = Catalogue.shipped()
    assert on_cluster(papers, catalogue) == in_store(papers, catalogue)
