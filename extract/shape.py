"""Shapes of names: spans that look like the name of a device, a sized model or a dataset."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from spacy.tokens import Doc

from stemma.extract.kind import NO_ENTITY_WORDS, kind_of_ending
from stemma.extract.recognition import Candidate, component, recognition
from stemma.schema import EntityKind
from stemma.schema.name import DEVICE_VENDORS

_SHAPES = Path(__file__).with_name("shapes.toml")
_VENDOR = rf"(?:(?i:{'|'.join(DEVICE_VENDORS)})(?:\([Rr]\)|®|™)?[ -])"
# A capital at the beginning of a sentence is no part of a name: "On ImageNet".
SMALL_WORD = re.compile(
    r"(?:The|On|In|Our|We|For|And|From|An?|Using|Both|This|With|Two|To|At|By|As|While|When)\s+"
)


@dataclass(frozen=True, slots=True)
class NameShape:
    """A pattern of names of `kind`; `score` in [0, 1] is how often it is right.

    A text in which `needs` finds nothing has no such name.
    """

    kind: EntityKind
    score: float
    pattern: re.Pattern[str]
    needs: re.Pattern[str]


@cache
def read_shapes(file: Path = _SHAPES) -> tuple[NameShape, ...]:
    """Return the shapes of a file."""
    data = tomllib.loads(file.read_text("utf-8"))
    parts = {"{vendor}": _VENDOR, "{edition}": data["edition"]}
    return tuple(
        NameShape(
            EntityKind(each["kind"]),
            float(each["score"]),
            _compiled(each["patterns"], parts),
            re.compile(each.get("needs", "")),
        )
        for each in data["shape"]
    )


def _compiled(patterns: list[str], parts: dict[str, str]) -> re.Pattern[str]:
    alternatives = "|".join(patterns)
    for name, pattern in parts.items():
        alternatives = alternatives.replace(name, pattern)
    # Or after what is left of "8×" where formulas have lost their marks: "8timesA100".
    before = r"(?:(?<![\w\\/.@-])|(?<=\dtimes))"
    return re.compile(rf"(?=[A-Z]|[a-z]{{1,9}}[A-Z]|i\d){before}(?:{alternatives})(?!\w)")


def kind_of_shape(name: str) -> EntityKind | None:
    """Return the kind of a name by its shape or its end, if they tell: "Holm-7B" is a model."""
    shapes = (shape.kind for shape in read_shapes() if shape.pattern.fullmatch(name))
    return next(shapes, None) or kind_of_ending(name)


@component("stemma_shapes")
def shape_finder(doc: Doc) -> Doc:
    """Add a candidate for each name of a known shape, whether or not anyone has seen it before."""
    found = recognition(doc)
    text = found.text
    for shape in (shape for shape in read_shapes() if shape.needs.search(text)):
        for match in shape.pattern.finditer(text):
            start, end = match.span()
            while small := SMALL_WORD.match(text, start, end):
                start = small.end()
            if text[start:end] not in NO_ENTITY_WORDS and found.in_one_field(start, end):
                found.candidates.append(Candidate(start, end, shape.kind, "shape", shape.score))
    return doc
