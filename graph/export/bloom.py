"""A perspective for Neo4j Bloom: how it draws a graph of Stemma's, and phrases to search it by.

``python -m stemma.graph.export.bloom`` prints it; it is kept as ``schema/bloom-perspective.json``.
Bloom's format has no specification: the fields here are those of perspectives that Bloom exports
(https://github.com/neo4j-graph-examples has some) and of programs that write them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from stemma.graph.export.property_type import NODES, RELATIONSHIPS
from stemma.schema import EntityKind, RelationType

_VERSION = "2.21.0"
"""The version of Bloom whose fields these are."""
_TIME = 1767225600000
"""When it was made, in milliseconds: fixed, so that the file changes only with what it says."""
_ID = str(uuid5(NAMESPACE_URL, "https://stemma.dev/bloom-perspective"))
_TYPES = {"string": "string", "long": "bigint", "double": "number", "boolean": "boolean"}
_PALETTE = ("#A04A9C", "#3D8A4A", "#2C8791", "#B08414", "#4566BD", "#777777", "#51606F", "#D9C8AE")
"""Colours of the kinds, as on Stemma's own pages; then of papers, authors and sentences."""
_NODES: dict[str, dict[str, str]] = {
    **{kind.value.capitalize(): NODES["Entity"] for kind in EntityKind},
    "Paper": NODES["Paper"],
    "Author": NODES["Author"],
    "Evidence": {
        "id": "string",
        "text": "string",
        "field": "string",
        "start": "long",
        "end": "long",
        "paper": "string",
    },
}
_CAPTIONS = {"Paper": "title", "Evidence": "text"}
_NOT_SEARCHED = {"abstract", "full_text", "references", "links"}
"""Long texts and lists, which would fill the suggestions of the search box."""
_RELATIONSHIPS: dict[str, dict[str, str]] = {
    **RELATIONSHIPS,
    "HAS_EVIDENCE": {},
    "SUPPORTS": {"relation": "string", "confidence": "double"},
}
_COLOURS = {"BUILDS_ON": "#51606F", "IMPROVES_ON": "#C2572B", "DERIVES_FROM": "#7536B8"}
_STATEMENTS = "|".join(RelationType)
_PHRASES = {
    "What builds on $work": (
        "MATCH path = (:Entity {name: $work})<-[:DERIVES_FROM*1..3]-() RETURN path"
    ),
    "What does $work build on": (
        "MATCH path = (:Entity {name: $work})-[:DERIVES_FROM*1..3]->() RETURN path"
    ),
    "Lineage from $child to $parent": (
        "MATCH path = shortestPath((:Entity {name: $child})-[:DERIVES_FROM*..15]->"
        "(:Entity {name: $parent})) RETURN path"
    ),
    "Papers about $work": (
        f"MATCH path = (:Paper)-[:{_STATEMENTS}]->(:Entity {{name: $work}}) RETURN path"
    ),
    "Papers that run on $hardware": (
        "MATCH path = (:Paper)-[:RUNS_ON]->(:Hardware)-[:BROADER*0..3]->"
        "(:Hardware {name: $hardware}) RETURN path"
    ),
    "Compared with $work": (
        "MATCH path = (:Paper)-[:COMPARES_WITH]->(:Entity {name: $work}) RETURN path"
    ),
    "What did $author write": (
        "MATCH path = (:Author {name: $author})-[:WROTE]->(:Paper)-[:INTRODUCES]->(:Entity) "
        "RETURN path"
    ),
    "Evidence about $work": (
        "MATCH path = (:Paper)-[:HAS_EVIDENCE]->(:Evidence)-[:SUPPORTS]->"
        "(:Entity {name: $work}) RETURN path"
    ),
}
"""What people may type, and what finds it."""
_SUGGESTED = {"hardware": "Hardware", "author": "Author"}
"""The labels of the nodes whose names complete a parameter; of others it is an entity."""


def perspective() -> dict[str, Any]:
    """Return the perspective, as Bloom imports it."""
    return {
        "name": "Stemma",
        "id": _ID,
        "version": _VERSION,
        "type": "STANDARD_PERSPECTIVE",
        "createdAt": _TIME,
        "lastEditedAt": _TIME,
        "categories": [
            _category(number, label, properties)
            for number, (label, properties) in enumerate(_NODES.items(), 1)
        ],
        "labels": {label: _typed(label, properties) for label, properties in _NODES.items()},
        "relationshipTypes": [_relationship(*each) for each in _RELATIONSHIPS.items()],
        "templates": list(_templates()),
        "palette": {"colors": list(_PALETTE), "currentIndex": 0},
        "sceneActions": [],
        "hiddenCategories": [],
        "hiddenRelationshipTypes": [],
        "hideUncategorisedData": False,
        "maxLimitToastMsgEnabled": False,
        "parentPerspectiveId": None,
        "metadata": {"pathSegments": [], "indexes": []},
    }


def _category(number: int, label: str, properties: Mapping[str, str]) -> dict[str, Any]:
    caption = _CAPTIONS.get(label, "name")
    return {
        "id": number,
        "name": label,
        "labels": [label],
        "color": _PALETTE[number - 1],
        "icon": "no-icon",
        "size": 1,
        "textSize": 1,
        "textAlign": "top",
        "captionKeys": [],
        "captions": [_caption(caption, "property")],
        "properties": [
            {"name": name, "exclude": name in _NOT_SEARCHED, "dataType": _type(type_)}
            for name, type_ in _public(properties)
        ],
        "styleRules": [],
        "createdAt": _TIME,
        "lastEditedAt": _TIME,
    }


def _relationship(name: str, properties: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "color": _COLOURS.get(name, "#A5ABB6"),
        "size": 2 if name in _COLOURS else 1,
        "textSize": 1,
        "textAlign": "top",
        "captionKeys": [],
        "captions": [_caption(name, "relationship")],
        "properties": _typed(name, properties),
        "styleRules": [],
    }


def _caption(key: str, type_: str) -> dict[str, Any]:
    return {"key": key, "type": type_, "isCaption": True, "inTooltip": True, "styles": []}


def _typed(owner: str, properties: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"propertyKey": name, "type": owner, "dataType": _type(type_)}
        for name, type_ in _public(properties)
    ]


def _public(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return (each for each in properties.items() if not each[0].startswith("_"))


def _type(name: str) -> str:
    return "array" if name.endswith("[]") else _TYPES.get(name, "string")


def _templates() -> Iterator[dict[str, Any]]:
    for number, (text, query) in enumerate(_PHRASES.items()):
        names = [word[1:] for word in text.split() if word.startswith("$")]
        yield {
            "name": " ".join(word for word in text.split() if not word.startswith("$")),
            "id": f"tmpl:{_TIME + number}",
            "createdAt": _TIME + number,
            "text": text,
            "cypher": query,
            "params": [_parameter(name) for name in names],
            "isUpdateQuery": None,
            "isWriteTransactionChecked": None,
            "hasCypherErrors": False,
        }


def _parameter(name: str) -> dict[str, Any]:
    return {
        "name": f"${name}",
        "dataType": "String",
        "suggestionLabel": _SUGGESTED.get(name, "Entity"),
        "suggestionProp": "name",
        "suggestionBoolean": False,
        "collapsed": False,
        "cypher": None,
    }


if __name__ == "__main__":
    print(json.dumps(perspective(), indent=1))
