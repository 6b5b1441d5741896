"""Coined names: what a paper calls its own contribution.

Papers present it in many ways: "we propose X", "a compiler called X", "X: …".
"""

import re

from spacy.tokens import Doc

from stemma.extract.acronym import Span
from stemma.extract.kind import (
    DESCRIBES,
    MODIFIERS,
    NAME,
    NO_ENTITY_WORDS,
    PHRASE_END,
    QUOTE,
    WORD,
    is_no_entity,
    is_unusual,
    kind_in_text,
    kind_of_head,
    one_of,
    places_of,
    variants_of,
)
from stemma.extract.recognition import Candidate, Recognition, component, recognition, sentences_of

_TITLE_SCORE, _TEXT_SCORE = 0.95, 0.85
_ARTICLE = r"(?:(?:a|an|the|our|one|its) )?"
_VERB = (
    one_of(
        """propos present introduc develop design describ creat build built releas construct
        contribut launch unveil demonstrat offer devis formulat implement establish publish
        collect curat open-sourc provid report announc leverag call"""
    )
    + "(?:e|es|ed|ing|s)?"
)
_AUTHORS = one_of("[Ww]e paper work article study report authors? thesis")
_PRESENTED = re.compile(
    rf"\b{_AUTHORS}\b,? "
    r"(?:(?:\w+ly|also|then|further|therefore|first|thus|hence|here|have"
    r"|has|will) ){0,3}"
    rf"{_VERB}[, ]+"
    r"(?:and (?:open-source|release|implement|design|build|develop|evaluat\w+|analy[sz]e) )?"
    r"(?P<rest>[^.;]{2,160})"
)
_NAMED = re.compile(
    r"\b(?:called|named|dubbed|termed|coined|nicknamed|denoted(?: as)?|referred to as"
    r"|abbreviated as|refer to (?:it|this(?: \w+)?) as|call (?:it|(?:this|our)(?: \w+){0,3})"
    r"|call the (?:resulting |proposed )?\w+|name (?:it|our \w+|this \w+)|dub (?:it|this \w+)"
    rf"|i\.e\.,?|namely,?) {_ARTICLE}{QUOTE}(?P<name>{NAME})"
)
_DIRECT = re.compile(
    rf"{_ARTICLE}(?:(?:novel|new|proposed|open-source[d]?|efficient) )?{QUOTE}(?P<name>{NAME})"
)
_AFTER_COMMA = re.compile(
    r"(?:a|an|the|two|our|\w+) (?:[\w'’/-]+ ){1,16}?(?:[\w'’/-]+)"
    r"(?:,| -{1,3}| [–—]|:|, that is,|, i\.e\.,|, namely,?) "
    rf"{QUOTE}(?P<name>{WORD}(?: {WORD}){{0,4}})"
    r"(?=[\s}'\"”’]*(?:$|[,.:;(]| \(| --| [–—]| that| which| to | for | as well| based| and ))"
)
# "two simple techniques: mask sharing and late fusion": what is counted is named as it stands.
_COUNTED = re.compile(
    r"(?:two|three|four|several) (?:[\w-]+ ){0,8}?"
    + one_of(
        """algorithm approach architecture attack block component dataset estimator heuristic
        kernel loss mechanism method metric model module network objective optimization policy
        scheme strategy strategie system task technique variant"""
    )
    + r"(?:s|es)?(?: [^,:;.]{2,50}?)?(?:,? namely,?|,? i\.e\.,|:) (?P<names>[^.;:]+)"
)
_IN_LIST = re.compile(r"(?:,? and |, )(?:\(?[ivx\d]{1,3}\) )?")
_LISTED = re.compile(r"(?P<name>\w[\w-]{0,40}(?: [\w-]{1,40}){0,4})(?: \([A-Z][\w-]*\))?$")
_NO_NAME = re.compile(r"(?:^|.* )(?:an?|the|to|which|that|for|by|with|of|one|its?|their)(?: .*|$)")
_SHORT_FORM = re.compile(r"\(\s*(?P<name>[A-Z][\w+\-./]*|[a-z]+[A-Z]\w*)\s*\)")
_HYPHEN_TAIL = re.compile(r"-[a-z]{2,}$")
_ABOUT_OURS = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Uu]s|novel|new|[Pp]ropos\w+|[Ii]ntroducing"
    r"|(?:[Tt]his|the present|the) (?:paper|work|article|study|report|thesis)"
    r"|(?:is|are) (?:presented|introduced|developed|described|designed|devised))\b"
    r"|^[A-Z][\w-]*[A-Z0-9]\w*\b"
)
# "an open-source robot called X": what is called so is not the paper's.
_FOREIGN = re.compile(
    r"\b"
    + one_of(
        """open[-\\s]source existing popular well-known widely recent recently commercial previous
        other using use uses used on with from by standard via"""
    )
    + r"\b[^,]{0,40}$"
)
_PRESENTING = re.compile(
    rf"\b{_AUTHORS}\b (?:\w+ ){{0,3}}{_VERB} "
    r"(?:(?!(?:using|via|based|with|leveraging|on|for|that|which|to|by|through|from|where)\b)"
    r"[^.;,]){0,70}$"
    r"|\b(?:[Oo]ur|called|named|dubbed|termed|namely,?|i\.e\.,?|[Tt]he proposed|[Nn]ovel) "
    r"(?:[\w-]+ ){0,3}$"
)
_IS_PRESENTED = re.compile(
    r"\)[^.;]{0,60}? (?:is|are|has been|was) (?:also |then |further |first )?"
    r"(?:proposed|presented|introduced|developed)\b"
)
_IN_TITLE = re.compile(r"\s*(?P<name>[^:\s][^:]{0,60}?)\s*(?::|\s[-–—]{1,3})\s+\S")
_TITLE_NO_NAME = re.compile(
    "^"
    + one_of(
        """towards? on how why what when is are can do does a an the beyond from learning
        understanding rethinking revisiting exploring accelerating improving optimizing
        training efficient fast scaling benchmarking evaluating survey technical characterizing
        analyzing enabling using building challenges faster"""
    )
    + r"(?![\w-])",
    re.IGNORECASE,
)


def named_by_title(title: str, abstract: str) -> str | None:
    """The name before the colon of a title such as "Fuyou: Training on One GPU"."""
    match = _IN_TITLE.match(title)
    if not match:
        return None
    name = re.sub(r"\s*\([^)]*\)$", "", match.group("name")).strip(" \"'“”‘’{}$*")
    words = name.split()
    if not words or len(words) > 6 or _TITLE_NO_NAME.match(name) or name in NO_ENTITY_WORDS:
        return None
    if any(w[0].islower() and not re.search(r"[A-Z0-9]", w) for w in words if len(w) > 3):
        return None
    repeated = name.casefold() in abstract.casefold()
    if len(words) > 2 and not (is_unusual(name) or repeated or kind_of_head(name)):
        return None
    return name


def named_by(sentence: str) -> list[str]:
    """The names that a sentence introduces as the paper's own."""
    names: list[str] = []
    if not _ABOUT_OURS.search(sentence):
        return names
    for match in _PRESENTED.finditer(sentence):
        names += _presented(match.group("rest"))
    for match in _NAMED.finditer(sentence):
        if not _FOREIGN.search(sentence, 0, match.start()):
            names.append(match.group("name"))
    return [cleaned for name in names for part in _parts(name) if (cleaned := _clean(part))]


def _parts(name: str) -> list[str]:
    """The names in "A-Set and B-Set", which are two; "Search and Rescue" is one."""
    parts = name.split(" and ")
    return parts if all(is_unusual(part) for part in parts) else [name]


def _presented(rest: str) -> list[str]:
    """The names in what follows "we present"."""
    if listed := _listed(rest):
        return listed
    if direct := _DIRECT.match(rest):
        return [direct.group("name")]
    if after := _AFTER_COMMA.match(rest):
        return [after.group("name")]
    stop = PHRASE_END.search(rest)
    phrase = rest[: stop.start()] if stop else rest
    short = _SHORT_FORM.search(rest[: len(phrase) + 60])
    if short and PHRASE_END.search(rest[len(phrase) + 1 : short.start()]) is None:
        return [short.group("name")]
    return []


def _listed(rest: str) -> list[str]:
    """The names in "two techniques: this one and that one"; none where they are described."""
    counted = _COUNTED.match(rest)
    if not counted or " and " not in counted.group("names"):
        return []
    pieces = _IN_LIST.split(counted.group("names").split(", which ")[0])
    matches = [_LISTED.match(piece.strip()) for piece in pieces]
    names = [match.group("name") for match in matches if match]
    described = len(names) < len(pieces) or any(map(_NO_NAME.match, names))
    return [] if described else names


def _clean(name: str) -> str | None:
    name = name.strip(" \"'“”‘’{}*.,").removesuffix("'s").removesuffix("’s")
    while (first := name.partition(" "))[2] and first[0] in NO_ENTITY_WORDS:
        name = first[2]
    if len(name) < 2 or name in NO_ENTITY_WORDS or not re.search(r"[A-Za-zα-ω]", name):
        return None
    if _HYPHEN_TAIL.search(name) and " " not in name and not name[0].isupper():
        return None
    if DESCRIBES.search(name) or name.casefold() in MODIFIERS:
        return None
    if is_no_entity(name) and not is_unusual(name):
        return None
    return name


@component("stemma_coined_names")
def coined_name_finder(doc: Doc) -> Doc:
    """Add candidates for the names that a paper introduces, wherever it uses them."""
    found = recognition(doc)
    text = found.text
    title = text[: found.title_end]
    coined: dict[str, float] = {}
    if named := named_by_title(title, text[found.abstract_start :]):
        coined[named] = _TITLE_SCORE
    for sentence in sentences_of(doc):
        if sentence.in_title:
            continue
        for name in named_by(text[sentence.start : sentence.end]):
            coined.setdefault(name, _TEXT_SCORE)
    for long, short in found.synonyms:
        if _is_introduced(found, long, short):
            coined.setdefault(text[slice(*short)], _TEXT_SCORE)
            coined.setdefault(text[slice(*long)], _TEXT_SCORE)
    for variant, name in variants_of(coined, text).items():
        coined.setdefault(variant, coined[name])
    for name, places in places_of(coined, text).items():
        kind = kind_in_text(places, text)
        for start, end in places:
            if found.in_one_field(start, end):
                found.candidates.append(
                    Candidate(start, end, kind, "coined", coined[name], introduced=True)
                )
    return doc


def _is_introduced(found: Recognition, long: Span, short: Span) -> bool:
    """Return whether the text presents what a long form and its acronym name: We propose … (X)."""
    if not found.in_one_field(long[0], short[1]):
        return False
    sentence = found.sentences[found.sentence_at(long[0])]
    before, after = found.text[sentence.start : long[0]], found.text[short[1] : sentence.end]
    return bool(_PRESENTING.search(before) or _IS_PRESENTED.match(after))
