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

from stemma.extract.encoder.document import CASES, Document, Span
from stemma.extract.encoder.network import WIDEST
from stemma.extract.encoder.pieces import MOST_PIECES, Window
from stemma.extract.encoder.training.batch import Example, batches

MASK = 103
"""The piece [MASK] in BERT's vocabulary."""
_CERTAIN = 0.5
"""The probability from which a teacher's entity is replaced, or replaces another."""
_NAME = 0.3
"""The probability from which a span is a name, so that nothing within it is replaced."""
_KNOWN = 4
"""The bit of a tag that the catalogue knows the name (see `TAGS`)."""
_CAPITALS = {1 + 2 * CASES.index(case) for case in CASES if case[0] in "CUM"}
"""Shapes of words with capitals: names that are written like any other word stay."""
_TRIES = 4


class Word(NamedTuple):
    """A word with its pieces, the shape of the first, and what the rules take it for."""

    text: str
    pieces: list[int]
    shape: int
    tag: int


class Entity(NamedTuple):
    """Something that a paper names in one way only."""

    kind: int
    form: str
    spans: list[Span]


@dataclass(frozen=True, slots=True)
class Augmentation:
    """Makes variants. `names`: kind -> names of that kind in all papers.

    Of the papers a share of `changed` is changed in each of the two ways: then a share of
    `replaced` of the entities gets another name, and a share of `masked` of the words is masked.
    """

    names: Mapping[int, Sequence[tuple[str, list[Word]]]]
    changed: float = 0.4
    replaced: float = 0.35
    masked: float = 0.08

    @classmethod
    def of(cls, examples: Iterable[Example]) -> "Augmentation":
        """Collect the names."""
        names: dict[int, dict[str, list[Word]]] = defaultdict(dict)
        for example in examples:
            words = _words(example)
            for entity in _entities(example):
                begin, end = entity.spans[0]
                names[entity.kind].setdefault(entity.form, words[begin:end])
        return cls({kind: list(some.items()) for kind, some in names.items()})

    def variant(self, example: Example, chance: random.Random) -> Example:
        """Return a paper as it is, or a variant."""
        if chance.random() < self.changed:
            example = self._with_other_names(example, chance)
        if chance.random() < self.changed:
            example = self._masked(example, chance)
        return example

    def _with_other_names(self, example: Example, chance: random.Random) -> Example:
        used = {example.document.form(span) for span in _spans(example)}
        others: dict[Span, tuple[Entity, str, list[Word]]] = {}
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
        return _replaced(example, others) if others else example

    def _masked(self, example: Example, chance: random.Random) -> Example:
        window = example.window
        pieces = list(window.pieces)
        for first, last in zip(window.first, window.last, strict=True):
            if chance.random() < self.masked:
                pieces[first : last + 1] = [MASK] * (last + 1 - first)
        return replace(example, window=replace(window, pieces=pieces))


def varied_batches(
    examples: Sequence[Example],
    size: int,
    chance: random.Random,
    augmentation: Augmentation | None,
) -> Iterator[list[Example]]:
    """Yield all examples, `size` at once, in variants if there is an `augmentation`."""
    for some in batches(examples, size, chance):
        yield [augmentation.variant(each, chance) for each in some] if augmentation else some


def _words(example: Example) -> list[Word]:
    window, document = example.window, example.document
    return [
        Word(text, window.pieces[first : last + 1], window.shapes[first], tag)
        for text, first, last, tag in zip(
            document.words, window.first, window.last, document.tags, strict=False
        )
    ]


def _spans(example: Example) -> dict[Span, float]:
    """Return the spans that may be names, each with the probability that it is one."""
    found = dict.fromkeys(example.spans(), 1.0) if example.paper.judged is None else {}
    if example.taught:
        found |= {span: float(kinds.sum()) for span, kinds in example.taught.spans.items()}
    return found


def _entities(example: Example) -> Iterator[Entity]:
    """Yield the entities that can have another name: they have one, which has a capital, and
    which is no part of another."""
    document, window = example.document, example.window
    spelled_out = {*document.long_forms, *document.long_forms.values()}
    names = [span for span, likely in _spans(example).items() if likely > _NAME]
    for kind, spans in _certain(example):
        forms = {document.form(span) for span in spans}
        if len(forms) > 1 or forms & spelled_out:
            continue
        if not all(
            any(window.shapes[window.first[i]] in _CAPITALS for i in range(*span)) for span in spans
        ):
            continue
        if any(
            other not in spans and other[0] < span[1] and span[0] < other[1]
            for span in spans
            for other in names
        ):
            continue
        yield Entity(kind, forms.pop(), spans)


def _certain(example: Example) -> Iterator[tuple[int, list[Span]]]:
    """Yield kind and spans of what is surely an entity."""
    groups: dict[int, list[Span]] = defaultdict(list)
    if taught := example.taught:
        for span, group in taught.groups.items():
            groups[group].append(span)
        for group, spans in groups.items():
            if taught.entity[group] > _CERTAIN and taught.kind[group].max() > _CERTAIN:
                yield int(taught.kind[group].argmax()), spans
    elif example.paper.judged is None:
        for span, entity in example.spans().items():
            groups[entity].append(span)
        for entity, spans in groups.items():
            yield example.paper.kinds[entity], spans


def _replaced(example: Example, others: Mapping[Span, tuple[Entity, str, list[Word]]]) -> Example:
    """Return a paper with other words for spans that do not overlap."""
    words, sentences = _words(example), example.document.sentences
    ends = dict(others.keys())
    result: list[Word] = []
    numbers: list[int] = []
    # Where words are now, except for those within what is replaced.
    moved: dict[int, int] = {}
    i = 0
    while i < len(words):
        moved[i] = len(result)
        end = ends.get(i, i + 1)
        if i in ends:
            result += _tagged(others[i, end][2], words[i].tag)
        else:
            result.append(words[i])
        numbers += [sentences[i]] * (len(result) - len(numbers))
        i = end
    moved[i] = len(result)
    window = _window(example.window, result, moved)
    if len(window.pieces) > MOST_PIECES:
        return example

    def at(span: Span) -> Span | None:
        begin, end = moved.get(span[0]), moved.get(span[1])
        if begin is None or end is None or end - begin > WIDEST:
            return None
        return begin, end

    paper, taught = example.paper, example.taught
    document = _document(example.document, result, numbers)
    known = dict(paper.names)
    for entity, form, _ in others.values():
        if (number := known.pop(entity.form, None)) is not None:
            known[form] = number
    spans = {new: k for span, k in paper.spans.items() if (new := at(span))}
    if taught:
        taught = replace(
            taught,
            spans={new: kinds for span, kinds in taught.spans.items() if (new := at(span))},
            groups={new: group for span, group in taught.groups.items() if (new := at(span))},
        )
    paper = replace(paper, document=document, names=known, spans=spans)
    return Example(paper, window, taught, example.share)


def _tagged(words: Sequence[Word], tag: int) -> list[Word]:
    """Return the words of a name as the rules would take them where a word has `tag`: a name that
    the catalogue does not know is recognised by what stands around it."""
    introduced = (tag - 1) & 1 if tag else 0
    result = []
    for k, word in enumerate(words):
        own = word.tag
        if own and (own - 1) & _KNOWN:
            own = ((own - 1) & ~1 | introduced) + 1
        elif not tag or not (tag - 1) & _KNOWN:
            own = ((tag - 1) & ~2 | (2 if k else 0)) + 1 if tag else 0
        result.append(word._replace(tag=own))
    return result


def _window(window: Window, words: Sequence[Word], moved: Mapping[int, int]) -> Window:
    """Return the window of other words, with the mark at the end of the title where it was."""
    result = Window(window.start)
    result.add(window.pieces[: window.first[0]])
    marked = {
        moved[i + 1]: window.pieces[last + 1 : first]
        for i, (last, first) in enumerate(zip(window.last, window.first[1:], strict=False))
        if first > last + 1 and i + 1 in moved
    }
    for place, word in enumerate(words):
        if mark := marked.get(place):
            result.add(mark)
        result.first.append(len(result.pieces))
        result.add(word.pieces, word.shape, word.tag)
        result.last.append(len(result.pieces) - 1)
    result.add(window.pieces[window.last[-1] + 1 :])
    return result


def _document(document: Document, words: Sequence[Word], sentences: list[int]) -> Document:
    texts = [word.text for word in words]
    starts, place = [], 0
    for text in texts:
        starts.append(place)
        place += len(text) + 1
    ends = [start + len(text) for start, text in zip(starts, texts, strict=True)]
    return Document(
        " ".join(texts),
        document.in_title,
        texts,
        starts,
        ends,
        sentences,
        [word.tag for word in words],
        document.long_forms,
    )
