"""Annotated papers: what people marked, laid over the words of a document."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from stemma.extract.encoder.grouping import Group
from stemma.extract.encoder.network import RELATIONS, WIDEST
from stemma.extract.encoder.paper_words import KINDS, PaperWords, Span, normal_form
from stemma.extract.recognition import sentences_of
from training.standoff import Marked

Unknown = frozenset[tuple[int | None, int]]


@dataclass(slots=True)
class Annotated:
    """A paper with its annotation, and what the rules recognise in it.

    `names`: normal form -> number of the entity; `spans`: span -> number of the entity;
    `kinds`: the kind of an entity, by its number in KINDS; `relations`: for an entity its
    relations, by number, with the numbers of the sentences that are evidence;
    `unknown`: pairs of an entity (None: of any name that is not annotated) and a relation for which
    the annotation says nothing, so that they are not trained on.
    """

    marked: Marked
    document: PaperWords
    sentences: list[str]
    names: dict[str, int]
    spans: dict[Span, int]
    kinds: list[int]
    relations: list[dict[int, list[int]]]
    unknown: Unknown

    @classmethod
    def of(cls, marked: Marked, doc: Doc) -> "Annotated":
        """Return the paper with all its mentions: the longest first, without overlaps."""
        document, record = PaperWords.of(doc), marked.annotation
        sentences = [document.text[sentence.start : sentence.end] for sentence in sentences_of(doc)]
        exact: dict[str, int] = {}
        names: dict[str, int] = {}
        for k, entity in enumerate(record.entities):
            for mention in [*entity.mentions, entity.name]:
                exact.setdefault(mention, k)
                if form := normal_form(mention):
                    names.setdefault(form, k)
        numbers = {each.name: k for k, each in enumerate(record.entities)}
        relations: list[dict[int, list[int]]] = [{} for _ in record.entities]
        for relation in record.relations:
            stating = relations[numbers[relation.entity]]
            stating.setdefault(RELATIONS.index(relation.type), []).extend(
                number
                for number, text in enumerate(sentences)
                if any(quotes(sentence, text) for sentence in relation.evidence)
            )
        return cls(
            marked,
            document,
            sentences,
            names,
            dict(_mentions(document, exact, names)),
            [KINDS.index(each.kind) for each in record.entities],
            relations,
            _unknown(marked, numbers),
        )

    @property
    def complete(self) -> bool:
        """Whether all entities of the paper are annotated: other names are known to be none."""
        return self.marked.judged is None

    def settled(self, entity: int | None) -> list[int]:
        """Return the relations, by number, of which it is known whether an entity has them."""
        return [each for each in range(len(RELATIONS)) if (entity, each) not in self.unknown]

    def matches(self, groups: Sequence[Group]) -> list[int | None]:
        """Return the annotated entities that groups of spans are."""
        return [self._match(each) for each in groups]

    def _match(self, group: Group) -> int | None:
        for span in group:
            if span in self.spans:
                return self.spans[span]
        for span in group:
            if len(form := self.document.form(span)) > 3 and form in self.names:
                return self.names[form]
        return None


def quotes(evidence: str, sentence: str) -> bool:
    """Return whether evidence is from a sentence, or the reverse, apart from line breaks."""
    one, other = (" ".join(each.split()) for each in (evidence, sentence))
    return one in other or other in one


def _unknown(marked: Marked, numbers: Mapping[str, int]) -> Unknown:
    unknown: set[tuple[int | None, int]] = {
        (numbers[name], RELATIONS.index(relation)) for name, relation in marked.disputed
    }
    if marked.judged is not None:
        for k, relation in enumerate(RELATIONS):
            unknown.add((None, k))
            if relation not in marked.judged:
                unknown |= {(entity, k) for entity in numbers.values()}
    return frozenset(unknown)


def _mentions(
    document: PaperWords, exact: Mapping[str, int], names: Mapping[str, int]
) -> Iterable[tuple[Span, int]]:
    singular = {mention.rstrip("s") for mention in exact}
    i, count = 0, len(document.words)
    while i < count:
        for end in range(min(count, i + WIDEST), i, -1):
            if document.sentences[end - 1] != document.sentences[i]:
                continue
            span = (i, end)
            text = document.surface(span)
            k = exact.get(text)
            if k is None and text[0].isalnum() and (text[-1].isalnum() or text[-1] == "+"):
                form = document.form(span)
                if len(form) > 3 or text.rstrip("s") in singular or text.isupper():
                    k = names.get(form)
            if k is not None:
                yield span, k
                i = end - 1
                break
        i += 1
