r"""The grammar of personal names: lists of authors as files write them, as names in reading order.

It serves BibTeX (``Sand, Ann and {The Kiln Group}``), BibLaTeX (``family=Sand, given=Ann``), the
lines of RIS, PubMed and the Web of Science, columns of tables, and LaTeX.
"""

import html
import re
from collections.abc import Iterable

from stemma.extract.formats.document import storable
from stemma.extract.formats.latex import from_latex

_SUFFIX = r"(?:[JS]r\b\.?|I{2,3}|IV|2nd|3rd|4th)"
_IS_SUFFIX = re.compile(_SUFFIX, re.I)
_ENDS_IN_SUFFIX = re.compile(rf"(.*\S)\s+({_SUFFIX})", re.I)
_IS_DEGREE = re.compile(r"(?:Ph\.? ?D|M\.? ?D|M\.? ?Sc|B\.? ?Sc|M\.?B\.?A|Dr|Prof|Esq)\.?", re.I)
_IS_COMPANY = re.compile(r"(?:Inc|Ltd|LLC|L\.L\.C|Corp|Co|GmbH|S\.?A|PLC|Limited)\.?", re.I)
_BODY = re.compile(
    r"\b(?:group|team|consortium|collaboration|committee|universit\w+|institut\w*|department|"
    r"laborator\w+|cent(?:er|re)|society|association|organi[sz]ation|agency|ministry|foundation|"
    r"council|commission|company|corporation|network|initiative|investigators|bank)\b",
    re.I,
)
"""What is in the names of bodies, such as universities, and in no person's."""
_NOBODY = re.compile(
    r"\W*+(?:anonymous|anon|unknown|undefined|nan|null|none|n/?a|n\. ?n|s\. ?n|(?:and )?others?|"
    r"et\.? ?al|various(?: authors?)?|not (?:available|specified|provided)|"
    r"no authors?(?: names?)?(?: (?:is |are )?(?:available|listed|given|found|provided))?|"
    r"(?:unknown|anonymous) authors?|"
    r"authors? (?:names? )?(?:unknown|not (?:available|given|listed|specified)))?\W*+",
    re.I,
)
"""What stands in the place of an author where there is none, or where more are left out."""
_ET_AL = re.compile(r"(?:,|\s)\s*(?:et\.? ?al\b\.?|and others|…|\.\.\.)\s*$", re.I)
_NUMBERED = re.compile(r"(?<=[^\W\d_])(?:\s\d{4}|\s?[*†‡§¶‖#]|(?<=[a-z])\d{1,2})++$")
"""What DBLP adds to a name that several people have, and the marks of footnotes."""
_IN_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|<[^<>@]*@[^<>]*>)")
_AND = re.compile(r"(?:^|(?<=[\s,]))and(?=\s|$)", re.I)
_AND_SIGN = re.compile(rf"{_AND.pattern}|(?<=\s)\\?&(?=\s)", re.I)
_FULL_STOP = re.compile(r"(?<=[a-z]{2}|[A-Z]{2})\.$")
_PARTED = re.compile(r"[;|]")
_COMMA = re.compile(",")
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[ -]?){1,4}")
_FAMILY_INITIALS = re.compile(
    rf"([^\W\d_][\w'’-]+(?: [^\W\d_][\w'’-]+){{0,3}}) (?!{_SUFFIX}$)((?:[^\W\d_a-z]\.?-?){{1,3}})"
    rf"( {_SUFFIX})?"
)
"""A name as indexes write it: ``Sand A``, ``van der Sand A.B.``"""
_PART = re.compile(r"(?<![\w-])(family|given|prefix|suffix)\s*=\s*(\{[^{}]*\}|[^,{}\"]*)")
_HAS_PARTS = re.compile(r"\W{0,3}(?:family|given|prefix|suffix)(?:-i)?\s*=")
_QUOTE = re.compile(r'(?<!\\)"')
_READING_ORDER = ("given", "prefix", "family", "suffix")
_LETTER = re.compile(r"[^\W\d_]")
_PARTICLE = (
    r"(?:(?:[Vv][ao]n|[Dd]e[nrls]?|[Dd]os|[Dd][aiou]|[Ll][ae]s?|[Ee]l|[Aa]l|[Tt]e[rn]|bin|zu[rm]?"
    r"|[Ss]t\.) )"
)
WORD = r"(?:[dDl]['’])?[^\W\d_a-z](?:[^\W\d_]|['’-](?=[^\W\d_])){1,40}+(?!\.\w)"
SURNAME = rf"(?:{_PARTICLE}{{0,3}}{WORD})"
_INITIAL = r"[^\W\d_a-z]\."
INITIALS = rf"(?:[^\W\d_a-z]-)?{_INITIAL}(?:[ -]?[^\W\d_]\.){{0,4}}(?:[^\W\d_a-z](?!\w))?"
_GIVEN = rf"(?:[^\W\d_a-z](?![\w.])|{INITIALS}|{SURNAME})"
FULL = rf"(?:{INITIALS}|{_GIVEN})(?: {_GIVEN})"
_PERSON = re.compile(rf"{FULL}{{1,4}}(?:,? [JS]r\.?)?")
"""The name of a person with the first name first."""
_ORGANISATION = re.compile(
    r"\b(?:universi|institut|department|dept|laborator|labs?\b|college|school|faculty|centre|center|"
    r"research|academy|compan|corporation|corp\b|inc\b|ltd|llc|plc\b|gmbh|foundation|group|team|"
    r"technolog|scien|engineering|computing|division|hospital|clinic\b|council|ministry|commission|intern\b|"
    r"equal|author|correspond|contribut|report|preprint|draft|version|review|conference|"
    r"workshop|contents|links|notes|ai\b)",
    re.I,
)
_ACRONYM = re.compile(r"(?:[A-Z]{3,}|UC|UT|UW|TU|KU|US|EU) (?=\S*[a-z])")
"""What names of universities and companies begin with: "ETH Zurich"; "CV Raman" is a person."""
_HELD = "\ue000"
_MOST_BRACKETS = 3


def person_names(text: str, family_first: bool = False) -> list[str]:
    """Return the names in a list of authors, as they are read: ``Ann Sand``, ``Bo Clay Jr.``

    Semicolons, ``and`` or commas separate them. With `family_first` a comma is within a name, as in
    BibTeX and RIS; without it, this is decided by what stands before and after the comma. Names
    within braces are kept whole. Placeholders ("[Anonymous]") and "et al." are left out.
    """
    return _names(text, family_first, indexed=False)


def _names(text: str, family_first: bool, indexed: bool) -> list[str]:
    """Return the names in a list; with `indexed` a single one may be ``Sand A.``, as in indexes."""
    text = _decoded(text)
    text = text if "{" in text else _without_brackets(text)
    # Between names with commas "&" is "and"; otherwise it is a part of Barnes & Noble.
    separator = _AND if family_first and text.count(",") < 2 else _AND_SIGN
    parted = _cut(text, _PARTED)
    names = []
    for item in parted:
        people = _cut(_ET_AL.sub("", item), separator)
        # In "Ann Sand, Bo Clay and Cy Pot" the last name shows that commas separate names.
        listed = not family_first and len(people) > 1 and "," not in people[-1]
        for person in people:
            several = listed or len(parted) > 1
            names += _people(person, family_first or len(parted) > 1, listed, indexed or several)
    return list(filter(None, map(_plain, names)))


def person_name(text: str) -> str:
    """Return a name as it is read: ``Ann Sand`` of ``Sand, Ann``; "" of a placeholder."""
    text = _decoded(text)
    names = _people(text, True, False, False) if "," in text else [text]
    return _plain(names[0] if len(names) == 1 else text)


def listed_names(lines: Iterable[str]) -> list[str]:
    """Return the names of a format with an author a line, though some files put all in one."""
    names = []
    for line in map(_without_brackets, lines):
        # In "Collaboration, Kiln" a comma stands as in the names of persons.
        is_body = _BODY.search(line) and ";" not in line and " " in line.partition(",")[0].strip()
        names += (
            [_plain(line.strip(" ,"))] if is_body else _names(line, family_first=True, indexed=True)
        )
    return list(filter(None, names))


def name_of_parts(given: str, family: str, suffix: str = "", particle: str = "") -> str:
    """Return a name whose parts are known, in the order in which they are read."""
    return _plain(" ".join(filter(None, (given, particle, family, suffix))))


def is_nobody(name: str) -> bool:
    """Return whether a text stands for no author: "[Anonymous]", "et al.", "nan"."""
    return bool(_NOBODY.fullmatch(name))


def is_organisation(text: str) -> bool:
    """Return whether a text has words of the names of organisations, or of what a page is."""
    return bool(_ORGANISATION.search(text))


def is_person(text: str) -> bool:
    """Return whether a text is the name of a person, the first name first, and of no place."""
    return (
        bool(_PERSON.fullmatch(text))
        and text[-1].isalpha()
        and not (_ACRONYM.match(text) or _ORGANISATION.search(text))
    )


def _people(text: str, family_first: bool, listed: bool, indexed: bool) -> list[str]:
    """Return the names in a text without semicolons and "and", in which there may be commas."""
    if _HAS_PARTS.match(text):
        known = {key: value.strip(" {}") for key, value in _PART.findall(text)}
        return [" ".join(known[key] for key in _READING_ORDER if key in known)]
    parts = _comma_parts(text)
    words = [len(part.split()) for part in parts]
    family, given = parts[::2], parts[1::2]
    with_initials = [_FAMILY_INITIALS.fullmatch(part) for part in parts]
    names = parts
    if parts and all(with_initials) and (indexed or len(parts) > 1):
        stop = "" if "." in parts[0] else "."  # PubMed ends a list without dots with one
        names = [
            f"{initial[2].removesuffix(stop)} {initial[1]}{initial[3] or ''}"
            for initial in with_initials
            if initial
        ]
    elif len(parts) == 2 and words[0] > 1 and _BODY.search(text):  # University of Clay, Kiln Lab
        names = [", ".join(parts)] if family_first else parts
    elif len(parts) == 2:
        inverted = family_first or (not listed and _is_inverted(*parts))
        names = [_in_order(*parts)] if inverted and not (listed and min(words) > 1) else parts
    elif len(family) == len(given) and (all(map(_INITIALS.fullmatch, given)) or max(words) == 1):
        names = [_in_order(*parts) for parts in zip(family, given, strict=True)]
    elif family_first and len(parts) == 3 and min(words) == 1:  # in BibTeX the second is a suffix
        names = [f"{parts[2]} {parts[0]} {parts[1]}"]
    return names


def _comma_parts(text: str) -> list[str]:
    """Return what commas separate, a suffix with the name before it, without degrees."""
    parts: list[str] = []
    for part in _cut(text, _COMMA):
        if parts and _IS_SUFFIX.fullmatch(part):
            parts[-1] += f" {part}"
        elif parts and _IS_COMPANY.fullmatch(part):
            parts[-1] += f", {part}"
        elif not _IS_DEGREE.fullmatch(part) and _LETTER.search(part):
            parts.append(_FULL_STOP.sub("", part))
    return parts


def _is_inverted(before: str, after: str) -> bool:
    """Return whether a comma stands within a name (``Sand, Ann``) and not between two."""
    one_word = " " not in before or " " not in after
    return one_word or before[0].islower() or bool(_INITIALS.fullmatch(after))


def _in_order(family: str, given: str) -> str:
    """Return ``Ann Sand Jr`` of ``Sand`` and ``Ann Jr``, or ``Sand Jr`` and ``Ann``."""
    suffix = ""
    if ends := _ENDS_IN_SUFFIX.fullmatch(given):
        given, suffix = ends.groups()
    elif ends := _ENDS_IN_SUFFIX.fullmatch(family):
        family, suffix = ends.groups()
    return " ".join(filter(None, (given, family, suffix)))


def _plain(name: str) -> str:
    """Return a name without LaTeX, affiliations and marks; an empty one where it names nobody."""
    if not name.startswith("{"):
        name = _NUMBERED.sub("", _without_brackets(name))
    name = " ".join(from_latex(name).split()).strip(" ,;")
    return "" if is_nobody(name) else name


def _decoded(text: str) -> str:
    return " ".join(_QUOTE.sub("", html.unescape(storable(text))).split())


def _without_brackets(text: str) -> str:
    """Return a text without affiliations, which may have brackets of their own."""
    for _ in range(_MOST_BRACKETS if "(" in text or "<" in text else 0):
        text = _IN_BRACKETS.sub("", text)
    return text


def _cut(text: str, separator: re.Pattern[str]) -> list[str]:
    """Return the parts of a text that a separator parts, where it is not within braces."""
    masked, depth = [], 0
    for sign in text if "{" in text else ():
        depth += (sign == "{") - (sign == "}" and depth > 0)
        masked.append(_HELD if depth else sign)
    seen = (
        text if depth or not masked else "".join(masked)
    )  # braces that are not closed hold nothing
    parts, begin = [], 0
    for match in separator.finditer(seen):
        parts.append(text[begin : match.start()])
        begin = match.end()
    return [stripped for part in (*parts, text[begin:]) if (stripped := part.strip())]
