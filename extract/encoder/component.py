"""The component that reads a paper with the encoder: its entities, and how it relates to them."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.encoder.grouping import (
    Group,
    choose_groups,
    group,
    is_placeholder,
    join_names,
    likely_spans,
    mentions_of,
    name_within,
    preferred_forms,
)
from stemma.extract.encoder.network import NOTHING, RELATIONS, Calibration, Network, RelationScores
from stemma.extract.encoder.paper_words import KINDS, PaperWords, Span
from stemma.extract.encoder.trained_model import TrainedModel
from stemma.extract.entity import name_entity
from stemma.extract.recognition import (
    Candidate,
    NamedEntity,
    Relation,
    recognition,
    sentences_of,
    set_entities,
    set_relations,
    whole_tokens,
)
from stemma.schema import LINEAGE_RELATIONS, Catalogue, EntityKind, RelationType
from stemma.schema.general_wording import written_as_general
from stemma.schema.name import without_possessive

ORIGIN = "encoder:relations/1"
ONLY_FOR = {
    RelationType.RUNS_ON: {EntityKind.HARDWARE},
    RelationType.EVALUATED_ON: {EntityKind.DATASET, EntityKind.MODEL},
}
"""The kinds of entities that some relations lead to; the others lead to any."""
_MOST_SENTENCES = 3
_ALSO_STATES = 0.15
"""How likely against the strongest a further sentence has to be to count as evidence. Statements of
the gold then have 1.12 sentences, with an F1 of 0.941 (from 0.4 on: 1.06 and 0.926)."""

_OF_CLASS = 0.7
"""The probability from which a class of models is improved on: mostly the limits of one are the
subject of the paper, as in "LLMs are slow"."""
_WITH_INTRODUCES = {RelationType.INTRODUCES, RelationType.EVALUATED_ON}
"""What a paper may state of a thing that it introduces: it may evaluate on its own dataset."""
_LINEAGE = 0.5
"""The probability from which one of the relations of lineage is stated, the likelier, if neither
reaches its own threshold: the network can be surer that it is one of the two than of which. This
gave lineage an F1 of 0.638 (without: 0.629); anything from 0.44 to 0.6 gives 0.634 or more."""
_IMPROVED_ON = re.compile(r"\bimprov(?:es?|ed|ing) (?:up)?on (?:the )?$")
"""What the network reads as BUILDS_ON more often than not, though it says what it means."""
_LONGEST_WORDING = 25
"""Characters of that."""
_NOT_NAMING = 0.3
"""How likely a sentence that does not name the entity is evidence against one that does."""
_FAR = 0.2
"""The difference of confidence from which only the likelier of two relations is stated."""


@Language.factory(
    "stemma_encoder",
    default_config={"model": None},
    requires=["doc.sents"],
    assigns=["doc.ents", "doc._.relations"],
)
def paper_reader(nlp: Language, name: str, model: str | None) -> "PaperReader":
    """Return the component, with the shipped catalogue.

    `model`: the folder of another trained model than the shipped one. Raises ModelError if it is
    none.
    """
    return PaperReader(model)


class PaperReader:
    """Finds entities and relations by the network, which sees what the rules found.

    They take the place of those of the rules.
    """

    catalogue: Catalogue | None = None

    def __init__(self, model: str | None) -> None:
        self.network = Network(TrainedModel.read(model).path) if model else Network.shipped()

    @cached_property
    def preferred(self) -> dict[str, str]:
        """The preferred forms of the catalogue: see `preferred_forms`."""
        return preferred_forms(self.catalogue or Catalogue.shipped())

    def __call__(self, doc: Doc) -> Doc:
        """Set the entities and relations of a Doc, in the order of the text."""
        document = PaperWords.of(doc)
        groups, related = read_document(self.network, document, self.preferred)
        interpret(doc, document, groups, related, self.network.calibration)
        return doc


def read_document(
    network: Network, document: PaperWords, preferred: Mapping[str, str]
) -> tuple[list[Group], RelationScores]:
    """Return the groups of a document's spans that are likely names, and what `network` says of
    them. `preferred`: see `group`."""
    if not document.words:
        return [], NOTHING
    words = network.read(network.vocabulary.windows(document))
    spans = likely_spans(1 - words.spans[:, :, 0], document.sentences)
    groups = group(document, spans, preferred)
    if not groups:
        return [], NOTHING
    titles = sum(document.in_title)
    return groups, network.relate(words, document.sentences, titles, mentions_of(groups))


def interpret(
    doc: Doc,
    document: PaperWords,
    groups: Sequence[Group],
    related: RelationScores,
    calibration: Calibration,
) -> None:
    """Set the entities and relations that are likely enough."""
    named = list(named_entities(doc, document, groups, related, calibration.entity_threshold))
    set_entities(doc, (entity for _, entity in named))
    set_relations(
        doc,
        [
            relation
            for number, entity in named
            for relation in _relations(doc, number, entity, related, calibration)
        ],
    )


def choose_names(
    document: PaperWords, groups: Sequence[Group], related: RelationScores, least: float
) -> list[tuple[int, list[Span]]]:
    """Return the groups that stand, each with the names within its spans and within those of groups
    of the same thing. `least`: the probability of an entity that they need."""
    chosen = choose_groups(groups, related.entity.tolist(), least)
    names = []
    for k, spans in chosen:
        kind = _kind(related, k)
        places = [span for span in spans if not is_placeholder(document.surface(span))]
        if places:
            names.append((k, [name_within(document, place, kind) for place in places]))
    introduced = related.relations[:, RELATIONS.index(RelationType.INTRODUCES)]
    return join_names(document, names, introduced.tolist())


def _kind(related: RelationScores, group: int) -> EntityKind:
    return KINDS[int(related.kind[group].argmax())]


def _in_order(
    document: PaperWords, chosen: Sequence[tuple[int, list[Span]]]
) -> list[tuple[int, list[Span]]]:
    """Return the chosen groups in the order of the text, each with its places: those in prose, if
    it has any."""
    found = []
    for k, spans in chosen:
        in_prose = [span for span in spans if not document.is_in_address(span)]
        found.append((k, sorted(in_prose or spans)))
    return sorted(found, key=lambda group: group[1][0])


def named_entities(
    doc: Doc, document: PaperWords, groups: Sequence[Group], related: RelationScores, least: float
) -> Iterator[tuple[int, NamedEntity]]:
    """Yield the groups that stand (see `choose_names`) in the order of the text, each as an entity
    with what the rules know of it: name, kind and places are those of the network."""
    found = recognition(doc)
    candidates: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for candidate in found.candidates:
        candidates[candidate.start, candidate.end].append(candidate)
    long_forms = {end: start for (start, end), _ in found.synonyms}
    names: set[str] = set()
    chosen = choose_names(document, groups, related, least)
    for k, spans in _in_order(document, chosen):
        places = [_place(document, span) for span in spans]
        spelt_out = {place for place in places if long_forms.get(place[1], -1) >= place[0]}
        ruled = name_entity(
            [(place, candidates.get(place, [])) for place in places], found, spelt_out
        )
        name = ruled.name
        if name in names:
            surfaces = map(document.surface, spans)
            name = next((surface for surface in surfaces if surface not in names), name)
        names.add(name)
        kind = ruled.kind if ruled.homonym else _kind(related, k)
        yield k, replace(ruled, name=name, kind=kind, score=float(related.entity[k]))


def _place(document: PaperWords, span: Span) -> tuple[int, int]:
    """Return the offsets of a name, without the ending of a possessive."""
    start, _ = document.place(span)
    return start, start + len(without_possessive(document.surface(span)))


def _relations(
    doc: Doc, group: int, named: NamedEntity, related: RelationScores, calibration: Calibration
) -> Iterator[Relation]:
    """Yield the relations to an entity that are likely enough: MENTIONS if no other is."""
    sentences, found = sentences_of(doc), recognition(doc)
    naming = {found.sentence_at(start) for start, _ in named.spans}
    likely = dict(zip(RELATIONS, related.relations[group].tolist(), strict=True))
    stated = likely_relations(_kind(related, group), likely, calibration)
    improves = RelationType.IMPROVES_ON
    if improves in stated and likely[improves] < _OF_CLASS and _is_class_of_models(doc, named):
        stated = [relation for relation in stated if relation is not improves]
        stated = stated or [RelationType.USES]
    sure = {
        relation: calibration.confidence(relation, likely[relation])
        for relation in (*stated, RelationType.MENTIONS)
    }
    for relation in consistent(stated, sure) or [RelationType.MENTIONS]:
        scores = related.evidence[group, RELATIONS.index(relation)].tolist()
        is_improved = (
            relation is RelationType.BUILDS_ON
            and improves not in stated
            and _is_improved_on(found.text, named)
        )
        yield Relation(
            improves if is_improved else relation,
            named.name,
            round(sure[relation], 3),
            tuple(
                whole_tokens(doc, *sentences[number][:2]) for number in _evidence(scores, naming)
            ),
            ORIGIN,
        )


def _is_improved_on(text: str, entity: NamedEntity) -> bool:
    """Return whether a text says of an entity by name that something improves on it."""
    before = (text[max(0, start - _LONGEST_WORDING) : start] for start, _ in entity.spans)
    return any(map(_IMPROVED_ON.search, before))


def likely_relations(
    kind: EntityKind, likely: Mapping[RelationType, float], calibration: Calibration
) -> list[RelationType]:
    """Return the relations to an entity of this kind that are likely enough to be stated."""
    possible = [relation for relation in RELATIONS[:-1] if kind in ONLY_FOR.get(relation, {kind})]
    stated = [
        relation
        for relation in possible
        if likely[relation] > calibration.relation_thresholds[relation]
    ]
    lineage = [relation for relation in possible if relation in LINEAGE_RELATIONS]
    if not set(stated) & set(lineage) and sum(likely[relation] for relation in lineage) > _LINEAGE:
        stated.append(max(lineage, key=lambda relation: likely[relation]))
    return stated


def _is_class_of_models(doc: Doc, entity: NamedEntity) -> bool:
    """Whether an entity is a class (transformer, LLM) and not one model."""
    surfaces = (doc.text[start:end] for start, end in entity.spans)
    return entity.kind is EntityKind.MODEL and (
        entity.generic or any(written_as_general(surface, entity.kind) for surface in surfaces)
    )


def consistent(
    stated: Sequence[RelationType], sure: Mapping[RelationType, float]
) -> list[RelationType]:
    """Leave out what is rarely true of one work together.

    What is introduced is nothing earlier; USES is left out where BUILDS_ON is as likely, and
    BUILDS_ON where it is far less likely.
    """
    if RelationType.INTRODUCES in stated:
        return [relation for relation in stated if relation in _WITH_INTRODUCES]
    builds, uses = RelationType.BUILDS_ON, RelationType.USES
    if builds not in stated or uses not in stated or -_FAR < sure[builds] - sure[uses] < 0:
        return list(stated)
    without = uses if sure[builds] >= sure[uses] else builds
    return [relation for relation in stated if relation is not without]


def _evidence(scores: Sequence[float], naming: Container[int]) -> list[int]:
    """Return the sentences that state a relation; those that name the entity, if they may."""
    scores = [each if s in naming else each * _NOT_NAMING for s, each in enumerate(scores)]
    ranked = sorted(range(len(scores)), key=lambda s: (-scores[s], s))[:_MOST_SENTENCES]
    return [s for s in ranked if scores[s] >= _ALSO_STATES * scores[ranked[0]]]
