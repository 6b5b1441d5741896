"""Bylines: the authors in the lines between the title of a paper and its abstract."""

import re
from collections.abc import Iterable
from itertools import islice

from stemma.extract.formats.draft import author, one_line
from stemma.extract.formats.person_name import person_names
from stemma.schema.paper import Author

_MARK = re.compile(
    r"\$[^$\n]{0,60}\$|\([^()\n]{0,40}\)|[\d*∗⋆†‡§¶#!?”“®˚^✉]+|<[^<>\n]{0,100}>|"
    r"\{[^{}\n]{0,200}\}\s?@\s?\S{1,100}|\S{1,100}@\S{1,100}"
)
_PLACE = re.compile(
    r"\b(?:universit|institut|department|dept\b|laborator|labs?\b|college|school|cent(?:er|re)|facult|"
    r"research|academy|inc\b|ltd\b|gmbh|corp|team\b|abstract|keywords|contents|editor|preprint|"
    r"review|published|figure|introduction)",
    re.I,
)
_PERSON = re.compile(
    r"(?=[^\n]{5,60}$)[^\W\d_a-z][^\W\d_'’-]*[.'’\w-]*"
    r"(?: (?:d[aeiou]s?|del|der|den|van|von|la|le|el|al|bin|ten|ter|y|zu|"
    r"[^\W\d_a-z][\w.'’-]*)){1,4}"
)
_NO_FAMILY = re.compile(r"[A-Z]{2,}|\S*\.")
"""The last word of "Clay AI", "Kiln Inc.", and of no person's name beside other letters."""
_MOST_LINES, _LONGEST_LINE = 100, 5000
_ACM = re.compile(r"^(?:ACM ?Reference Format:?\s*)?([^.]\D{5,1500}?)\. (?:19|20)\d\d\. ", re.I)
_ACM_HEADING = re.compile(r"ACM ?Reference Format\b", re.I)


def authors_between(lines: Iterable[str]) -> list[Author]:
    """Return the authors in lines below a title, those of lines with names alone."""
    found: dict[str, Author] = {}
    in_reference = False
    for line in islice(lines, _MOST_LINES):
        in_reference |= bool(_ACM_HEADING.match(line))
        if in_reference and (cited := _ACM.match(line)):
            return [author(each) for each in person_names(cited[1])]
        for name in _names(line[:_LONGEST_LINE]):
            found.setdefault(name, author(name))
    return list(found.values())


def _names(line: str) -> list[str]:
    plain = one_line(_MARK.sub(",", line.replace("·", ","))).strip(" ,.#")
    parts = [each.strip(" .,") for each in person_names(plain)]
    *first, last = parts or [""]
    if len(first) > 1 and _PLACE.search(last):  # Ann Sand, Bo Pot, Cy Mill Kiln University
        parts = [*first, " ".join(last.split()[:2])]
    return parts if parts and all(map(_is_person, parts)) else []


def _is_person(name: str) -> bool:
    if not _PERSON.fullmatch(name) or _PLACE.search(name):
        return False
    return name.isupper() or not _NO_FAMILY.fullmatch(name.rsplit(maxsplit=1)[-1])
