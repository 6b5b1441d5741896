"""Notes: what Stemma keeps in a database besides the graph, in nodes of its own.

``:_StemmaNote`` holds what is true of the whole, ``:_StemmaReading`` what was read in one paper
before linking, ``:_StemmaFile`` names a file that was read. They have no relationships with papers
and entities, so that nothing of them shows where people look at those.
"""

import json
from collections.abc import Iterable, Mapping

from stemma.graph.linking import Claim, Name, PaperNames, Verdict, read_verdicts, verdict_rows
from stemma.graph.store import StoreError
from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
)
from stemma.schema import comparison as comparisons
from stemma.schema.statement import Span

FORMAT = 5
_OLDEST_FORMAT = 4
"""Of 4 there are no ties of names: the first writer makes them."""
GRAPH, LOCK, DECISIONS, HISTORY = "graph", "lock", "decisions", "history"
"""The names of the notes that there are."""

_KINDS = {kind.value: kind for kind in EntityKind}


def expect_format(where: object, found: int | None) -> None:
    """Raise StoreError where the graph in a database has a format that is not understood."""
    if found not in range(_OLDEST_FORMAT, FORMAT + 1):
        raise StoreError(
            f"{where} has the graph format {found}; this version of Stemma reads and writes "
            f"{FORMAT}. Rebuild the graph in an empty database."
        )


def dump_found(extraction: Extraction) -> str:
    """Write what was found in a paper; its texts, into which all places point, stand there."""
    entities = [
        [each.name, each.kind.value, each.concept, _places(each.mentions)]
        for each in extraction.entities
    ]
    relations = [
        [
            each.type.value,
            each.entity,
            each.confidence,
            _places(each.evidence),
            each.origin,
            comparisons.to_json(each.comparison) if each.comparison else None,
        ]
        for each in extraction.relations
    ]
    return json.dumps([entities, relations], ensure_ascii=False, separators=(",", ":"))


def load_found(text: str, paper: Paper, extractor: str) -> Extraction:
    """Read what `dump_found` wrote of `paper`."""
    entities, relations = json.loads(text)
    return Extraction(
        paper,
        tuple(
            FoundEntity(
                name,
                _KINDS[kind],
                concept,
                tuple(Mention(*_span(paper, *place)) for place in places),
            )
            for name, kind, concept, places in entities
        ),
        tuple(
            FoundRelation(
                RelationType(type_),
                name,
                confidence,
                tuple(Evidence(*_span(paper, *place)) for place in places),
                origin,
                comparisons.from_json(compared) if compared else None,
            )
            for type_, name, confidence, places, origin, compared in relations
        ),
        extractor,
    )


def _places(spans: Iterable[Span]) -> list[tuple[str, int, int]]:
    return [(each.field.value, each.start, each.end) for each in spans]


def _span(paper: Paper, field: str, start: int, end: int) -> tuple[str, Field, int, int]:
    return paper.text(Field(field))[start:end], Field(field), start, end


def dump_names(names: PaperNames, ids: Mapping[str, str]) -> str:
    """Write what linking needs to know of a paper, and the ids that its names were linked to."""
    linked = [
        [
            each.name,
            each.kind.value,
            each.concept,
            each.forms,
            int(each.introduced),
            int(each.titled),
            ids[each.name],
        ]
        for each in names.names
    ]
    return json.dumps([names.published, linked], ensure_ascii=False, separators=(",", ":"))


def load_names(paper: str, text: str) -> tuple[PaperNames, dict[str, str]]:
    """Read what `dump_names` wrote of the paper with this id."""
    published, linked = json.loads(text)
    names, ids = [], {}
    for name, kind, concept, forms, introduced, titled, id_ in linked:
        names.append(
            Name(name, _KINDS[kind], concept, tuple(forms), bool(introduced), bool(titled))
        )
        ids[name] = id_
    year, month, day = published
    return PaperNames(paper, (year, month, day), tuple(names)), ids


def dump_verdicts(verdicts: Mapping[Claim, Verdict]) -> str:
    """Write how the claims of a paper are judged."""
    return json.dumps(verdict_rows(verdicts), ensure_ascii=False, separators=(",", ":"))


def load_verdicts(text: str) -> dict[Claim, Verdict]:
    """Read what `dump_verdicts` wrote."""
    return read_verdicts(json.loads(text))
