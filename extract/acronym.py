"""Acronyms and their long forms: "Mixture of Experts (MoE)".

After A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation definitions
in biomedical text", Pacific Symposium on Biocomputing, 2003.
"""

import re
from collections.abc import Iterator

from spacy.tokens import Doc

from stemma.extract.kind import is_no_entity, kind_of_head
from stemma.extract.recognition import Candidate, component, recognition

# A short form in brackets, which may be followed by more: "(MoE, Figure 1)".
_IN_BRACKETS = re.compile(r"\(\s*([A-Za-z0-9Α-ωµ][\w&/+\-.$^]{0,14}?)(?:,[^()]{0,40})?\s*\)")
_WORD = re.compile(r"[\w&+']+")
_BREAK = re.compile(r"[.;:,()\[\]?!]\s|[()\[\];:]")
_LEADING = frozenset(
    re.findall(
        r"\w+",
        """a an the of for and to in on with by we our this that called named using via as its new
        novel is are or uses use propose present introduce""",
    )
)
Span = tuple[int, int]
_SCORE = 0.7


@component("stemma_acronyms")
def acronym_finder(doc: Doc) -> Doc:
    """Add candidates for long forms and their acronyms, and that they are synonyms."""
    found = recognition(doc)
    text = found.text
    for long, short in definitions(text):
        if not found.in_one_field(long[0], short[1]):
            continue
        long_form = text[slice(*long)]
        found.synonyms.append((long, short))
        if is_no_entity(long_form):
            found.excluded |= {long, short}
            continue
        kind = kind_of_head(long_form)
        found.candidates += (Candidate(*each, kind, "acronym", _SCORE) for each in (long, short))
    return doc


def definitions(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield the spans of each long form and of its acronym."""
    for bracket in _IN_BRACKETS.finditer(text):
        short = bracket.group(1)
        if len(short) < 2 or not any(map(str.isupper, short)):
            continue
        start = _long_form_start(text, bracket.start(), short)
        if start is not None:
            yield (start, start + len(text[start : bracket.start()].rstrip())), bracket.span(1)


def _long_form_start(text: str, end: int, short: str) -> int | None:
    """Where the long form that ends at `end` begins, if its letters spell `short`."""
    letters = [c for c in short.casefold() if c.isalnum()]
    if len(letters) > 2 and letters[-1] == "s" and short.endswith("s"):
        letters.pop()
    most = min(len(letters) + 5, 2 * len(letters)) + 2
    window = max(0, end - 200)
    stretch = text[window:end].rstrip()
    cut = max((b.end() for b in _BREAK.finditer(stretch)), default=0)
    words = list(_WORD.finditer(stretch, cut))[-most:]
    initials = words[-len(letters) :]
    if [initial.group()[0].casefold() for initial in initials] == letters:
        return window + initials[0].start()
    remaining = len(letters) - 1
    for word in reversed(words):
        spelt = word.group().casefold()
        position = len(spelt) - 1
        while position >= 0 and remaining >= 0:
            if spelt[position] == letters[remaining] and (remaining > 0 or position == 0):
                remaining -= 1
            position -= 1
        if remaining < 0:
            if spelt in _LEADING or len(stretch) - word.start() <= len(short) + 1:
                return None
            return window + word.start()
    return None
