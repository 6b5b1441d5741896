"""Documents: a paper as one spaCy Doc, and what the components find in it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.candidate import Candidate
from stemma.schema import (
    Comparison,
    EntityKind,
    Evidence,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
)

_BETWEEN_FIELDS = "\n\n"


class Sentence(NamedTuple):
    """Characters `start` to `end` of a document, in one field, without blanks around them."""

    start: int
    end: int
    in_title: bool


@dataclass(slots=True)
class Named:
    """An entity of one paper, with the spans (start, end) of the document that name it.

    `generic` tells a class of things (LLM, GPU) from one thing (GPT-3, A100), `homonym` that the
    text coins the name for another kind of thing than the catalogue has under it.
    """

    name: str
    kind: EntityKind
    concept: str | None
    introduced: bool
    spans: list[tuple[int, int]]
    score: float
    generic: bool = False
    homonym: bool = False


class Vote(NamedTuple):
    """That a sentence (by its number) states `relation` of an entity (by its number)."""

    entity: int
    relation: RelationType
    sentence: int
    confidence: float
    origin: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """That the paper has `relation` to an entity (by its number), and the sentences that say so.

    `sentences` are numbers of sentences, the strongest evidence first.
    """

    entity: int
    relation: RelationType
    confidence: float
    sentences: tuple[int, ...]
    origin: str
    comparison: Comparison | None = None


@dataclass(slots=True)
class Findings:
    """What the components have found so far; each adds to it, or weighs what others added.

    `text` is that of the Doc (which would join its tokens anew each time it is asked for),
    `title_end` is where the title ends, and `abstract_start` where the abstract begins.
    `synonyms` are pairs of spans that name the same thing, `excluded` spans that name no entity.
    """

    text: str
    title_end: int
    abstract_start: int
    sentences: list[Sentence] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    synonyms: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    excluded: set[tuple[int, int]] = field(default_factory=set)
    entities: list[Named] = field(default_factory=list)
    votes: list[Vote] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    def in_one_field(self, start: int, end: int) -> bool:
        """Tell whether a span lies wholly in the title or wholly in the abstract."""
        return end <= self.title_end or start >= self.abstract_start

    def sentence_at(self, offset: int) -> int:
        """Return the number of the sentence in which `offset` lies."""
        low, high = 0, len(self.sentences) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.sentences[middle].start <= offset:
                low = middle
            else:
                high = middle - 1
        return low


if not Doc.has_extension("findings"):
    Doc.set_extension("findings", default=None)


def findings(doc: Doc) -> Findings:
    """Return what has been found in `doc`; a Doc not made of a paper counts as an abstract."""
    found: Findings | None = doc._.findings
    if found is None:
        doc._.findings = found = Findings(doc.text, 0, 0)
    return found


def document_of(nlp: Language, title: str, abstract: str, *, tokens: bool = True) -> Doc:
    """Return title and abstract as one Doc, which remembers where each of them stands.

    Without `tokens` only the findings have the text. The components read nothing else, and tokens
    take as long as half of the rules; each new word would stay in the vocabulary, too.
    """
    text = title + _BETWEEN_FIELDS + abstract
    doc = nlp.make_doc(text) if tokens else Doc(nlp.vocab)
    doc._.findings = Findings(text, len(title), len(title) + len(_BETWEEN_FIELDS))
    return doc


def found_in(doc: Doc) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Return the entities and relations of a Doc that went through the whole pipeline."""
    found = findings(doc)
    text = found.text

    def placed(start: int, end: int) -> tuple[str, Field, int, int]:
        if end <= found.title_end:
            return text[start:end], Field.TITLE, start, end
        offset = found.abstract_start
        return text[start:end], Field.ABSTRACT, start - offset, end - offset

    def evidence(sentence: int) -> Evidence:
        return Evidence(*placed(found.sentences[sentence].start, found.sentences[sentence].end))

    entities = tuple(
        FoundEntity(
            each.name,
            each.kind,
            each.concept,
            tuple(Mention(*placed(start, end)) for start, end in each.spans),
        )
        for each in found.entities
    )
    relations = tuple(
        FoundRelation(
            each.relation,
            found.entities[each.entity].name,
            each.confidence,
            tuple(evidence(sentence) for sentence in each.sentences),
            each.origin,
            each.comparison,
        )
        for each in found.verdicts
    )
    return entities, relations
