"""From the entities of the model to those of the document: concepts, and what rules say of them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from stemma.extract.candidate import Candidate
from stemma.extract.document import Findings, Named
from stemma.extract.entity import name_entity
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.schema import EntityKind


def named(document: Document, entities: Iterable[Entity], found: Findings) -> list[Named]:
    """Return what `entities` are to the rules: the name, kind and places are those of the model."""
    candidates: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for each in found.candidates:
        candidates[each.start, each.end].append(each)
    long_forms = {long for long, _ in found.synonyms}
    result = []
    for entity in entities:
        places = [document.place(span) for span in entity.spans]
        group = [(place, candidates.get(place, [])) for place in places]
        ruled = name_entity(group, found, long_forms)
        result.append(
            replace(
                ruled,
                name=entity.name,
                kind=ruled.kind if ruled.homonym else EntityKind(entity.kind),
                score=entity.probability,
            )
        )
    return result
