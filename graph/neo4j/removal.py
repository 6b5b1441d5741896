"""Removals: works that no longer exist, and what people themselves had added to them.

A node to which a user added labels, properties or relationships stays, as ``:_StemmaRemoved``
with its id and name, without all that Stemma knew of it; if the work comes back, it is that node.
"""

from collections.abc import Sequence

from neo4j import ManagedTransaction

from stemma.graph.neo4j.record import KIND_LABELS

_KEPT = ["id", "title", "name"]
_PROPERTIES = {
    "Paper": [
        "abstract",
        "published",
        "year",
        "author_count",
        "organization",
        "links",
        "authors",
        "author_orcids",
        "author_affiliations",
        "author_ids",
        "venue",
        "doi",
        "arxiv_id",
        "references",
        "full_text",
        "source_file",
        "source_sha256",
        "source_position",
        "source_published",
        "source_assumed_year",
        "_order",
        "_keys",
        "_organizations",
        "_venues",
    ],
    "Author": ["other_names", "orcid", "ids", "affiliations", "papers", "_keys"],
    "Entity": [
        "kind",
        "general",
        "aliases",
        "papers",
        "published",
        "year",
        "_year",
        "_order",
        "_keys",
    ],
}
_LABELS = {
    "Paper": ["Paper"],
    "Author": ["Author"],
    "Entity": ["Entity", "Baseline", *KIND_LABELS.values()],
}
_REMOVE = """
UNWIND $ids AS id MATCH (n:{label} {{id: id}})
WITH n, NOT EXISTS {{ (n)--() }}
  AND all(label IN labels(n) WHERE label IN $labels)
  AND all(name IN keys(n) WHERE name IN $properties) AS ours
FOREACH (each IN CASE WHEN ours THEN [n] ELSE [] END | DELETE each)
FOREACH (each IN CASE WHEN ours THEN [] ELSE [n] END |
  SET each += $nothing, each:_StemmaRemoved REMOVE each:{labels})
"""
_RESTORE = """
MATCH (n:_StemmaRemoved) WHERE n.id IN $ids SET n:{label} REMOVE n:_StemmaRemoved
"""


def remove_nodes(transaction: ManagedTransaction, label: str, ids: Sequence[str]) -> None:
    """Take out works of a label (Paper, Entity, Author), whose relationships of ours are gone."""
    labels, properties = _LABELS[label], _PROPERTIES[label]
    transaction.run(
        _REMOVE.format(label=label, labels=":".join(labels)),
        ids=ids,
        labels=labels,
        properties=[*_KEPT, *properties],
        nothing=dict.fromkeys(properties),
    )


def restore_nodes(transaction: ManagedTransaction, label: str, ids: Sequence[str]) -> None:
    """Restore works that come back."""
    transaction.run(_RESTORE.format(label=label), ids=ids)
