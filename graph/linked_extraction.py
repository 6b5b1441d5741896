"""Linked extractions: what was found in a paper, with the entities that its names refer to, and the
lineage that follows from what the paper states."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from stemma.graph.linking.contradiction import Claim, Verdict
from stemma.schema import (
    LINEAGE_RELATIONS,
    Evidence,
    Extraction,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
    Source,
    Statement,
)
from stemma.schema.interchange import dump, from_json
from stemma.schema.name import first_free, slug
from stemma.schema.paper import FIELD_ORDER, Reference, source_order


def main_contribution(extraction: Extraction) -> FoundEntity | None:
    """Return the entity that the paper introduces in its title, else the first introduced."""
    introduced = _introduced(extraction)
    return min(introduced, key=_first_place, default=None)


def lineage_claims(extraction: Extraction) -> Iterator[tuple[FoundRelation, FoundEntity | None]]:
    """Yield the claims of a paper about its lineage, each with the contribution concerned.

    That is the contribution that the evidence names, else the main one, else the paper (None).
    """
    introduced, main = _introduced(extraction), main_contribution(extraction)
    for relation in extraction.relations:
        if relation.type in LINEAGE_RELATIONS:
            yield relation, _named_in(relation.evidence, introduced, main) or main


def derivations(
    extraction: Extraction, ids: Mapping[str, str]
) -> dict[tuple[str, str, RelationType], float]:
    """Return the lineage edges that a paper states, with their confidence, that of the surest.

    An edge leads from a child (an entity, or the paper itself) to its parent, which it has a
    relation to. `ids` are those of the entities of the paper, by name.
    """
    surest: dict[tuple[str, str, RelationType], float] = {}
    for relation, child in relations_by_child(extraction, ids):
        edge = (child, ids[relation.entity], relation.type)
        surest[edge] = max(relation.confidence, surest.get(edge, 0.0))
    return surest


def relations_by_child(
    extraction: Extraction, ids: Mapping[str, str]
) -> Iterator[tuple[FoundRelation, str]]:
    """Yield the relations that make lineage, each with the id of the child.

    The child is the contribution that the claim is about, or the paper. No work derives from
    itself.
    """
    for relation, contribution in lineage_claims(extraction):
        child = ids[contribution.name] if contribution else extraction.paper.id
        if child != ids[relation.entity]:
            yield relation, child


def _introduced(extraction: Extraction) -> list[FoundEntity]:
    names = {
        relation.entity
        for relation in extraction.relations
        if relation.type is RelationType.INTRODUCES
    }
    return [entity for entity in extraction.entities if entity.name in names]


def _first_place(entity: FoundEntity) -> tuple[float, float, str]:
    """Order by where the paper first names an entity: title, abstract, sections."""
    places = [(FIELD_ORDER[mention.field], mention.start) for mention in entity.mentions]
    return (*min(places, default=(float("inf"), float("inf"))), entity.name)


def _named_in(
    evidence: Iterable[Evidence], introduced: Iterable[FoundEntity], main: FoundEntity | None
) -> FoundEntity | None:
    """Return the contribution that the strongest sentence names which names one."""
    for sentence in evidence:
        named = [entity for entity in introduced if _names(sentence, entity)]
        if named:
            return main if main in named else min(named, key=_first_place)
    return None


def _names(sentence: Evidence, entity: FoundEntity) -> bool:
    return any(
        sentence.start <= mention.start
        and mention.end <= sentence.end
        and mention.field == sentence.field
        for mention in entity.mentions
    )


@dataclass(frozen=True, slots=True)
class LinkedExtraction:
    """An extraction with the entity ids of its names.

    `verdicts` are the claims that decisions or the catalogue confirm, change or reject.
    """

    extraction: Extraction
    ids: Mapping[str, str]
    verdicts: Mapping[Claim, Verdict] = field(default_factory=dict)

    def verdict(self, relation: FoundRelation) -> Verdict | None:
        """Return the verdict on a claim, None if there is none."""
        return self.verdicts.get((relation.type, relation.entity))

    def judged(self, relation: FoundRelation) -> FoundRelation | None:
        """Return a claim after the verdict on it: certain if confirmed, None if rejected."""
        match self.verdict(relation):
            case None:
                return relation
            case RelationType() as type_:
                return replace(relation, type=type_, comparison=None)
            case True:
                return replace(relation, confidence=1.0)
            case False:
                return None

    @property
    def decided(self) -> Extraction:
        """The extraction with what holds of its claims."""
        if not self.verdicts:
            return self.extraction
        relations = tuple(filter(None, map(self.judged, self.extraction.relations)))
        return replace(self.extraction, relations=relations)

    def statements(self) -> list[Statement]:
        """Return the statements of the paper about entities, each once; in no particular order."""
        return [statement for statement, _ in self.with_claims()]

    def with_claims(self) -> list[tuple[Statement, list[FoundRelation]]]:
        """Return the statements of the paper, each with the claims that make it as they were found,
        the surest first.

        Two names of one paper may be one entity: then several claims make one statement, and what
        has another relation is not merely mentioned.
        """
        local = local_names(entity.name for entity in self.extraction.entities)
        parts: dict[tuple[RelationType, str], list[tuple[FoundRelation, FoundRelation]]]
        parts = defaultdict(list)
        for found in self.extraction.relations:
            if judged := self.judged(found):
                parts[judged.type, self.ids[found.entity]].append((judged, found))
        related = {entity for type_, entity in parts if type_ is not RelationType.MENTIONS}
        made = []
        for (type_, entity), claims in parts.items():
            if type_ is RelationType.MENTIONS and entity in related:
                continue
            claims.sort(key=lambda claim: (-claim[0].confidence, local[claim[0].entity]))
            holding = [claim[0] for claim in claims]
            statement = Statement(
                self.extraction.paper.id,
                type_,
                entity,
                holding[0].confidence,
                tuple(dict.fromkeys(evidence for part in holding for evidence in part.evidence)),
                holding[0].origin,
                next((part.comparison for part in holding if part.comparison), None),
                confirmed=any(self.verdict(part) is True for part in holding),
            )
            made.append((statement, [claim[1] for claim in claims]))
        return made


def local_names(names: Iterable[str]) -> dict[str, str]:
    """Return a readable fragment for each name of one paper."""
    given, taken = dict[str, str](), set[str]()
    for name in sorted(names):
        given[name] = first_free(slug(name), taken.__contains__)
        taken.add(given[name])
    return given


def statement_name(relation: RelationType, local: str) -> str:
    """Return the fragment of a statement on the found entity with the fragment `local`."""
    return f"{relation.value.lower().replace('_', '-')}-{local}"


def claims_of(extraction: Extraction) -> dict[Claim, str | None]:
    """Return the claims of a paper; those of lineage with the name of their contribution."""
    claims: dict[Claim, str | None] = {
        (relation.type, relation.entity): None for relation in extraction.relations
    }
    for relation, contribution in lineage_claims(extraction):
        claims[relation.type, relation.entity] = contribution.name if contribution else None
    return claims


def canonical(extraction: Extraction) -> Extraction:
    """Return what a graph can hold of `extraction`: no order but that of evidence and of what is
    cited in sections, which is as in the text; nothing twice.

    Two relations of one type to one entity become one, with the evidence of both.
    """
    relations: dict[tuple[str, RelationType], FoundRelation] = {}
    for relation in sorted(extraction.relations, key=lambda relation: -relation.confidence):
        key = (relation.entity, relation.type)
        surer = relations.get(key)
        evidence = dict.fromkeys((*(surer.evidence if surer else ()), *relation.evidence))
        surer = surer or relation
        comparison = surer.comparison or relation.comparison
        relations[key] = replace(surer, evidence=tuple(evidence), comparison=comparison)
    paper = extraction.paper
    return Extraction(
        replace(
            paper,
            links=tuple(sorted(set(paper.links))),
            sources=tuple(sorted(set(paper.sources), key=source_order)),
            references=tuple(
                sorted(
                    {
                        Reference.parse(text)
                        for reference in paper.references
                        if (text := str(reference))
                    },
                    key=str,
                )
            ),
        ),
        tuple(
            replace(entity, mentions=tuple(sorted(set(entity.mentions), key=_mention_order)))
            for entity in sorted(extraction.entities, key=lambda entity: entity.name)
        ),
        tuple(relations[key] for key in sorted(relations)),
        vector=extraction.vector,
    )


def _mention_order(mention: Mention) -> tuple[int, int, int]:
    """Order mentions as they are read: the title first, then the abstract, then sections."""
    return (FIELD_ORDER[mention.field], mention.start, mention.end)


def encodable(extraction: Extraction) -> Extraction:
    """Replace lone surrogates, which JSON may hold and UTF-8 may not; offsets stay as they are."""
    record = dump(extraction).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    source = next(iter(extraction.paper.sources), Source("", "", 1))
    decoded = from_json(msgspec.json.decode(record), source)
    return canonical(replace(decoded, paper=replace(decoded.paper, id=extraction.paper.id)))
