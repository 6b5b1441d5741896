"""Augmentation: papers are read in variants, so that the network learns what the words around a
name say of it, and not the names.

In a variant some names stand for others: those of one entity are replaced by a name of the same
kind from another paper, with all that is annotated and taught of them. Some words are masked, as
they were when the encoder was pretrained (Devlin et al., BERT, 2019).
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from stemma.extract.encoder.network import WIDEST
from stemma.extract.encoder.paper_words import PaperWords, Span, Vocabulary, case_of
from training.batch import Example, batches

MASK = 103
"""The piece [MASK] in BERT's vocabulary."""
_CERTAIN = 0.5
"""The probability from which a teacher's entity is replaced, or replaces another."""
_NAME = 0.3
"""The probability from which a span is a name, so that nothing within it is replaced."""
_KNOWN = 4
"""The bit of a tag that the catalogue knows the name (see `TAGS`)."""
_TRIES = 4


class Word(NamedTuple):
    """A word, and what the rules take it for."""

    text: str
    tag: int


class SingleNameEntity(NamedTuple):
    """Something that a paper names in one way only."""

    kind: int
    form: str
    spans: list[Span]


Names = Mapping[int, Sequence[tuple[str, list[Word]]]]
"""For a kind its names in all papers: the form, and the words."""


@dataclass(frozen=True, slots=True)
class Augmentation:
    """Makes variants of papers to train on.

    Of the papers a share of `changed` is changed in each of the two ways: then a share of
    `replaced` of the entities gets another name, and a share of `masked` of the words is masked.
    """

    names: Names
    vocabulary: Vocabulary
    changed: float = 0.4
    replaced: float = 0.35
    masked: float = 0.08

    @classmethod
    def of(
        cls,
        examples: Iterable[Example],
        vocabulary: Vocabulary,
        changed: float = 0.4,
        masked: float = 0.08,
    ) -> "Augmentation":
        """Return an augmentation with the names in the papers of examples."""
        names: dict[int, dict[str, list[Word]]] = defaultdict(dict)
        for example in examples:
            document = example.document
            for entity in _entities(example):
                words = [Word(document.words[i], document.tags[i]) for i in range(*entity.spans[0])]
                names[entity.kind].setdefault(entity.form, words)
        listed = {kind: list(some.items()) for kind, some in names.items()}
        return cls(listed, vocabulary, changed, masked=masked)

    def variant(self, example: Example, chance: random.Random) -> Example:
        """Return a paper as it is, or a variant."""
        if chance.random() < self.changed:
            example = self._with_other_names(example, chance)
        if chance.random() < self.changed:
            example = self._masked(example, chance)
        return example

    def _with_other_names(self, example: Example, chance: random.Random) -> Example:
        used = {example.document.form(span) for span in _spans(example)}
        others: dict[Span, tuple[SingleNameEntity, str, list[Word]]] = {}
        taken: set[int] = set()
        for entity in _entities(example):
            place = {i for span in entity.spans for i in range(*span)}
            if chance.random() < self.replaced and taken.isdisjoint(place):
                for form, words in chance.choices(self.names[entity.kind], k=_TRIES):
                    if form not in used:
                        used.add(form)
                        taken |= place
                        others |= dict.fromkeys(entity.spans, (entity, form, words))
                        break
        return self._replaced(example, others) if others else example

    def _replaced(
        self, example: Example, others: Mapping[Span, tuple[SingleNameEntity, str, list[Word]]]
    ) -> Example:
        """Return a paper with other words for spans that do not overlap, unless it is too long."""
        old, words, sentences = example.document, list[Word](), list[int]()
        ends = dict(others.keys())
        moved: dict[int, int] = {}  # Where words are now, apart from those that are replaced.
        i = 0
        while i < len(old.words):
            moved[i] = len(words)
            end = ends.get(i, i + 1)
            if i in ends:
                words += _tagged(others[i, end][2], old.tags[i])
            else:
                words.append(Word(old.words[i], old.tags[i]))
            sentences += [old.sentences[i]] * (len(words) - len(sentences))
            i = end
        moved[i] = len(words)
        document = _document(old, words, sentences)
        windows = self.vocabulary.windows(document)
        if len(windows) > 1:
            return example

        def at(span: Span) -> Span | None:
            begin, end = moved.get(span[0]), moved.get(span[1])
            if begin is None or end is None or end - begin > WIDEST:
                return None
            return begin, end

        paper, taught = example.paper, example.taught
        names = dict(paper.names)
        for entity, form, _ in others.values():
            if (number := names.pop(entity.form, None)) is not None:
                names[form] = number
        spans = {new: k for span, k in paper.spans.items() if (new := at(span))}
        if taught:
            taught = replace(
                taught,
                spans={new: kinds for span, kinds in taught.spans.items() if (new := at(span))},
                groups={new: group for span, group in taught.groups.items() if (new := at(span))},
            )
        paper = replace(paper, document=document, names=names, spans=spans)
        return Example(paper, windows[0], taught, example.share)

    def _masked(self, example: Example, chance: random.Random) -> Example:
        window = example.window
        pieces = list(window.pieces)
        for first, last in zip(window.first, window.last, strict=True):
            if chance.random() < self.masked:
                pieces[first : last + 1] = [MASK] * (last + 1 - first)
        return replace(example, window=replace(window, pieces=pieces))


def varied_batches(
    examples: Sequence[Example], size: int, chance: random.Random, augmentation: Augmentation | None
) -> Iterator[list[Example]]:
    """Yield all examples, `size` at once, in variants if there is an `augmentation`."""
    for some in batches(examples, size, chance):
        yield [augmentation.variant(each, chance) for each in some] if augmentation else some


def _spans(example: Example) -> dict[Span, float]:
    """Return the spans that may be names, with the probability that they are."""
    spans = dict.fromkeys(example.spans(), 1.0) if example.paper.complete else {}
    if example.taught:
        spans |= {span: float(kinds.sum()) for span, kinds in example.taught.spans.items()}
    return spans


def _entities(example: Example) -> Iterator[SingleNameEntity]:
    """Yield the entities whose name can be replaced: one that is written the same way everywhere,
    is no acronym and not spelled out as one, has a capital, and is no part of another."""
    document = example.document
    spelled_out = {*document.long_forms, *document.long_forms.values()}
    names = [span for span, likely in _spans(example).items() if likely > _NAME]
    for kind, spans in _certain(example):
        forms = {document.form(span) for span in spans}
        if len(forms) > 1 or forms & spelled_out:
            continue
        if not all(
            any(case_of(document.words[i])[0] in "CUM" for i in range(*span)) for span in spans
        ):
            continue
        if any(
            other not in spans and other[0] < span[1] and span[0] < other[1]
            for span in spans
            for other in names
        ):
            continue
        yield SingleNameEntity(kind, forms.pop(), spans)


def _certain(example: Example) -> Iterator[tuple[int, list[Span]]]:
    """Yield kind and spans of what is surely an entity."""
    groups: dict[int, list[Span]] = defaultdict(list)
    if taught := example.taught:
        for span, group in taught.groups.items():
            groups[group].append(span)
        for group, spans in groups.items():
            if taught.entity[group] > _CERTAIN and taught.kind[group].max() > _CERTAIN:
                yield int(taught.kind[group].argmax()), spans
    elif example.paper.complete:
        for span, entity in example.spans().items():
            groups[entity].append(span)
        for entity, spans in groups.items():
            yield example.paper.kinds[entity], spans


def _tagged(words: Sequence[Word], tag: int) -> Iterator[Word]:
    """Yield the words of a name as the rules would take them where a word has `tag`: a name that
    the catalogue does not know is recognised by what stands around it."""
    introduced = (tag - 1) & 1 if tag else 0
    for k, word in enumerate(words):
        kept = word.tag
        if kept and (kept - 1) & _KNOWN:
            kept = ((kept - 1) & ~1 | introduced) + 1
        elif not tag or not (tag - 1) & _KNOWN:
            kept = ((tag - 1) & ~2 | (2 if k else 0)) + 1 if tag else 0
        yield word._replace(tag=kept)


def _document(document: PaperWords, words: Sequence[Word], sentences: list[int]) -> PaperWords:
    texts = [word.text for word in words]
    starts, place = [], 0
    for text in texts:
        starts.append(place)
        place += len(text) + 1
    ends = [start + len(text) for start, text in zip(starts, texts, strict=True)]
    return replace(
        document,
        text=" ".join(texts),
        words=texts,
        starts=starts,
        ends=ends,
        sentences=sentences,
        tags=[word.tag for word in words],
    )
