"""Papers described by hand, in a line for each thing that they say."""

import re
from collections.abc import Iterator
from textwrap import dedent

from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
)
from stemma.schema.name import paper_id
from stemma.schema.paper import Field, Paper, Source


def describe(
    title: str,
    abstract: str = "",
    *lines: str,
    published: str | None = None,
    file: str = "listing.txt",
    position: int = 1,
) -> Extraction:
    """Make an extraction of a title, an abstract, and lines such as

    ``framework ZeRO-Offload = Zero Offload: BUILDS_ON 0.8``: a kind, a name with other forms, and
    a relation with a confidence. Its evidence is the first sentence of the abstract that names the
    entity (for a second relation to it, the second), else the title. ``[entity/x]`` at the end
    names a certain concept.
    """
    source = Source(file, "0" * 64, position, published)
    paper = Paper(paper_id(title), title, abstract, sources=(source,))
    entities, relations = [], []
    for line in lines:
        parts = re.fullmatch(r"(\w+) (.+?): (\w+)(?: ([\d.]+))?(?: \[(.+)\])?", line)
        assert parts, line
        kind, forms, relation, confidence, concept = parts.groups()
        name, *others = forms.split(" = ")
        mentions = [each for form in (name, *others) for each in _mentions(paper, form)]
        if all(entity.name != name for entity in entities):
            entities.append(FoundEntity(name, EntityKind(kind), concept, tuple(mentions)))
        places = {(mention.field, mention.start) for mention in mentions}
        evidence = [
            each
            for each in _sentences(paper)
            if any(
                field is each.field and each.start <= start < each.end for field, start in places
            )
        ]
        told = sum(each.entity == name for each in relations)
        evidence.sort(key=lambda sentence: sentence.field is Field.TITLE)
        relations.append(
            FoundRelation(
                RelationType(relation),
                name,
                float(confidence or 0.9),
                tuple(evidence[told : told + 1] or evidence[-1:]),
                "by-hand 1",
            )
        )
    return Extraction(paper, tuple(entities), tuple(relations))


def described(table: str) -> list[Extraction]:
    """Make extractions of a table: a row has what `describe` takes, with bars between.

    A date may follow the title, in brackets. Lines that are set in continue a row.
    """
    extractions = []
    for title, *parts in rows(table):
        named = re.fullmatch(r"(.+?)(?: \(([\dX-]+)\))?", title)
        assert named
        extractions.append(describe(named[1], *parts, published=named[2]))
    return extractions


def rows(table: str) -> list[list[str]]:
    """Return the rows of a table, each in its parts."""
    whole = re.sub(r"\n +", " ", dedent(table)).strip()
    return [row.split(" | ") for row in whole.splitlines()]


def _sentences(paper: Paper) -> Iterator[Evidence]:
    yield Evidence(paper.title, Field.TITLE, 0, len(paper.title))
    for sentence in re.finditer(r"\S[^.]*\.(?=\s|$)", paper.abstract):
        yield Evidence(sentence[0], Field.ABSTRACT, *sentence.span())


def _mentions(paper: Paper, form: str) -> Iterator[Mention]:
    for field in Field:
        for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", paper.text(field)):
            yield Mention(match[0], field, *match.span())
