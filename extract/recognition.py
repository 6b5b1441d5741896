"""Documents: a paper as one spaCy Doc, with its title before its abstract.

A Doc made of plain text has its title before the first blank line; without one it is an abstract.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

from spacy.language import Language
from spacy.tokens import Doc, Span

from stemma.extract.named_entity import entities_of, relations_of, whole_tokens
from stemma.schema import EntityKind, Evidence, Field, FoundEntity, FoundRelation, Mention

_BETWEEN_FIELDS = "\n\n"


class Sentence(NamedTuple):
    """Characters `start` to `end` of a document, in one field, without blanks around them."""

    start: int
    end: int
    in_title: bool


class Candidate(NamedTuple):
    """Characters `start` to `end` of a document, which the recogniser `source` takes for a name.

    `score` in [0, 1] is how often the source is right, `kind` what it takes the entity for (None
    where it cannot tell), `concept` the id of the catalogue concept where the name has one sense.
    `introduced` means that the text presents the entity as its own, `generic` that the name is one
    of a class (LLM, GPU) rather than of one thing.
    """

    start: int
    end: int
    kind: EntityKind | None
    source: str
    score: float
    concept: str | None = None
    introduced: bool = False
    generic: bool = False


@dataclass(slots=True)
class Recognition:
    """What the recognisers share while a Doc goes through them. It is not stored with the Doc.

    `text` is that of the Doc (which would join its tokens each time it is asked for),
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

    def in_one_field(self, start: int, end: int) -> bool:
        """Return whether a span lies wholly in the title or wholly in the abstract."""
        return end <= self.title_end or start >= self.abstract_start

    def sentence_at(self, offset: int) -> int:
        """Return the number of the sentence in which `offset` lies."""
        return max(0, bisect_right(self.sentences, offset, key=attrgetter("start")) - 1)


def component(
    name: str, *, requires: Sequence[str] = (), assigns: Sequence[str] = ()
) -> Callable[[Callable[[Doc], Doc]], Callable[..., Callable[[Doc], Doc]]]:
    """Make a function of a Doc a component of this name, which has no settings.

    In its place stands the factory that spaCy finds by an entry point, and that returns it.
    """

    def registered(function: Callable[[Doc], Doc]) -> Callable[..., Callable[[Doc], Doc]]:
        def factory(nlp: Language, name: str) -> Callable[[Doc], Doc]:
            return function

        return Language.factory(name, requires=requires, assigns=assigns, func=factory)

    return registered


_recognitions: WeakKeyDictionary[Doc, Recognition] = WeakKeyDictionary()


def recognition(doc: Doc) -> Recognition:
    """Return the state that recognisers share for `doc`: candidates, and spans of its text."""
    found = _recognitions.get(doc)
    if found is None:
        _recognitions[doc] = found = _nothing_found(doc.text, doc._.title_end)
    return found


def sentences_of(doc: Doc) -> list[Sentence]:
    """Return the sentences of `doc`, which some component has to have set."""
    found = recognition(doc)
    if not found.sentences:
        for each in doc.sents:
            start, end = each.start_char, each.end_char
            if stripped := found.text[start:end].strip():
                start = found.text.index(stripped[0], start)
                sentence = Sentence(start, start + len(stripped), start < found.title_end)
                found.sentences.append(sentence)
    return found.sentences


def _nothing_found(text: str, title_end: int | None) -> Recognition:
    end = text.find(_BETWEEN_FIELDS) if title_end is None else title_end
    if end < 0:
        return Recognition(text, 0, 0)
    return Recognition(text, end, end + len(_BETWEEN_FIELDS))


if not Doc.has_extension("title_end"):
    Doc.set_extension("title_end", default=None)


def document_of(nlp: Language, title: str, abstract: str) -> Doc:
    """Return a paper for a pipeline: `nlp(document_of(nlp, title, abstract))`.

    A plain text with a blank line after its title does as well, unless the title has one itself.
    """
    text = title + _BETWEEN_FIELDS + abstract
    doc = nlp.make_doc(text)
    doc._.title_end = len(title)
    _recognitions[doc] = _nothing_found(text, len(title))
    return doc


def tokens_of(doc: Doc, sentence: Sentence) -> Span:
    """Return a sentence as tokens."""
    return whole_tokens(doc, sentence.start, sentence.end)


def found_in(doc: Doc) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Return the entities and relations of a Doc that went through the pipeline."""
    found = recognition(doc)
    text = found.text

    def placed(start: int, end: int) -> tuple[str, Field, int, int]:
        if end <= found.title_end:
            return text[start:end], Field.TITLE, start, end
        offset = found.abstract_start
        return text[start:end], Field.ABSTRACT, start - offset, end - offset

    entities = tuple(
        FoundEntity(
            each.name,
            each.kind,
            each.concept,
            tuple(Mention(*placed(start, end)) for start, end in each.spans),
        )
        for each in entities_of(doc)
    )
    relations = tuple(
        FoundRelation(
            each.type,
            each.entity,
            each.confidence,
            tuple(Evidence(*placed(span.start_char, span.end_char)) for span in each.evidence),
            each.origin,
            each.comparison,
        )
        for each in relations_of(doc)
    )
    return entities, relations
