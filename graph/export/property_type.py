"""The types of properties in Neo4j, as its importer names them; ``ID(work)`` is a text, unique."""

from stemma.schema import LINEAGE_RELATIONS, RelationType

NODES: dict[str, dict[str, str]] = {
    "Paper": {
        "id": "ID(work)",
        "title": "string",
        "abstract": "string",
        "published": "string",
        "year": "long",
        "author_count": "long",
        "organization": "string",
        "links": "string[]",
        "source_file": "string[]",
        "source_sha256": "string[]",
        "source_position": "long[]",
        "source_published": "string[]",
        "source_assumed_year": "long[]",
        "_order": "string",
        "_keys": "string",
    },
    "Entity": {
        "id": "ID(work)",
        "name": "string",
        "kind": "string",
        "general": "boolean",
        "aliases": "string[]",
        "papers": "long",
        "published": "string",
        "year": "long",
        "_order": "string",
        "_keys": "string",
    },
    "_StemmaReading": {
        "paper": "string",
        "extractor": "string",
        "digest": "string",
        "names": "string",
        "found": "string",
        "verdicts": "string",
        "lineage": "string",
    },
    "_StemmaFile": {"key": "string", "file": "string", "sha256": "string", "reading": "string"},
    "_StemmaNote": {
        "name": "string",
        "text": "string",
        "format": "long",
        "statistics": "string",
        "former": "string",
        "unapplied": "string",
        "decision_file": "string",
        "decisions": "long",
        "catalogue": "string",
    },
}
"""By the label that says what a node is."""
STATEMENT = {
    "confidence": "double",
    "origin": "string",
    "confirmed": "boolean",
    "main": "boolean",
    "evidence_text": "string[]",
    "evidence_field": "string[]",
    "evidence_start": "long[]",
    "evidence_end": "long[]",
    "factor": "double",
    "difference": "double",
    "unit": "string",
    "low": "double",
    "high": "double",
    "bound": "string",
    "metric": "string",
    "direction": "string",
    "condition": "string",
}
"""Of relationships that state something of a paper, or are a fact of the catalogue."""
RELATIONSHIPS: dict[str, dict[str, str]] = {
    **{relation.value: STATEMENT for relation in RelationType},
    "BROADER": {"origin": "string"},
    "DERIVES_FROM": {
        "relations": "string[]",
        "confidence": "double",
        **{relation.value.lower(): "double" for relation in LINEAGE_RELATIONS},
        "statement_subject": "string[]",
        "statement_relation": "string[]",
        "statement_confidence": "double[]",
    },
}
