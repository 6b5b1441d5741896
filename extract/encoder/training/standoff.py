"""Stand-off annotations: marks kept apart from the texts that they are about.

A record a line: a paper's title, its entities, and relations whose evidence is a stretch of the
title or abstract, half open, in code points. The texts themselves come from elsewhere, or are
given as `abstract` beside the title::

    {"title": "…", "entities": [{"name": "LoRA", "kind": "technique", "mentions": ["LoRA"]}],
     "relations": [{"type": "BUILDS_ON", "entity": "LoRA", "at": ["abstract", 120, 215]}]}

A relation on which two annotators differed is marked `"disputed": true`: it is not used in
training. `"judged": ["BUILDS_ON", "IMPROVES_ON"]` says that only these were judged, of each name
that is listed: names, kinds and other relations are not trained on.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stemma.extract.evaluation.annotation_key import annotation_key
from stemma.extract.evaluation.gold import AnnotatedEntity, AnnotatedRelation, Annotation
from stemma.schema import EntityKind, Paper, RelationType


class Marked(NamedTuple):
    """A paper, what is annotated in it, the relations (entity, type) that are disputed, and the
    relations that were judged: None where all were, and the entities themselves."""

    paper: Paper
    annotation: Annotation
    disputed: frozenset[tuple[str, RelationType]] = frozenset()
    judged: frozenset[RelationType] | None = None


def read_standoff(path: Path, texts: Mapping[str, Paper]) -> Iterator[Marked]:
    """Yield the papers whose texts are at hand, with their annotations.

    `texts`: surface key of the title -> paper. Raises ValueError where marks do not fit the text.
    """
    for number, record in enumerate(_records(path), 1):
        if paper := texts.get(annotation_key(record["title"])):
            try:
                yield Marked(paper, _annotation(record, paper), _disputed(record), _judged(record))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error


def own_texts(path: Path) -> dict[str, Paper]:
    """Return the papers of a file that holds abstracts too: surface key of the title -> paper."""
    papers = (
        Paper(f"paper/{number}", record["title"], record["abstract"])
        for number, record in enumerate(_records(path), 1)
    )
    return {annotation_key(each.title): each for each in papers}


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _annotation(record: dict[str, Any], paper: Paper) -> Annotation:
    entities = tuple(
        AnnotatedEntity(each["name"], EntityKind(each["kind"]), tuple(each["mentions"]))
        for each in record["entities"]
    )
    relations = tuple(
        AnnotatedRelation(RelationType(each["type"]), each["entity"], (_stretch(each, paper),))
        for each in record["relations"]
        if not each.get("disputed")
    )
    whole = f"{paper.title}\n{paper.abstract}"
    for entity in entities:
        for mention in entity.mentions:
            if mention not in whole:
                raise ValueError(f"{mention!r} does not occur in {paper.title!r}")
    return Annotation(paper.title, entities, relations)


def _disputed(record: dict[str, Any]) -> frozenset[tuple[str, RelationType]]:
    return frozenset(
        (each["entity"], RelationType(each["type"]))
        for each in record["relations"]
        if each.get("disputed")
    )


def _judged(record: dict[str, Any]) -> frozenset[RelationType] | None:
    return frozenset(map(RelationType, record["judged"])) if "judged" in record else None


def _stretch(relation: dict[str, Any], paper: Paper) -> str:
    field, start, end = relation["at"]
    text = paper.title if field == "title" else paper.abstract
    if not 0 <= start < end <= len(text):
        raise ValueError(f"offsets {start}-{end} out of range in the {field} of {paper.title!r}")
    return text[start:end]
