"""Entities: which candidates stand, which of them name one thing, and of what kind it is."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from spacy.tokens import Doc, Span

from stemma.extract.kind import kind_in_title
from stemma.extract.recognition import (
    Candidate,
    NamedEntity,
    Recognition,
    component,
    entities_of,
    recognition,
    set_entities,
    whole_tokens,
)
from stemma.schema import EntityKind
from stemma.schema.disjoint_sets import DisjointSets
from stemma.schema.name import VENDORS, match_key, plain, without_stray_brackets

_VENDOR = re.compile(
    rf"^(?:the )?(?:{'|'.join(VENDORS)})(?:'s)?(?:®|™|\([Rr]\))?[ -](?=\w)", re.IGNORECASE
)
_INTERCHANGEABLE = (
    {EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL},
    {EntityKind.FRAMEWORK, EntityKind.DATASET},
)
CANDIDATES = "candidates"
"""The spans that recognisers take for names: label is the kind, id which of them it was."""
_GIVEN_SCORE = 0.9
_KNOWN_NEEDS = 0.9
"""The score at which a text introduces what the catalogue knows already."""


@component("stemma_entities", assigns=["doc.ents", "doc.spans"])
def entity_grouper(doc: Doc) -> Doc:
    """Choose among overlapping candidates, group surface forms, and decide on kinds.

    The entities are in the order in which the text first names them. Their names differ, since
    spans that are spelt alike are one entity. What doc.ents has already counts as a candidate.
    """
    found = recognition(doc)
    found.candidates += (
        Candidate(*place, entity.kind, "doc.ents", _GIVEN_SCORE, entity.concept)
        for entity in entities_of(doc)
        for place in entity.spans
    )
    doc.spans[CANDIDATES] = spans = [_span(doc, candidate) for candidate in found.candidates]
    whole = {(span.start_char, span.end_char) for span in spans}
    # What ends within a token has been cut, "VQA v2" of "VQA v2.0": it is another thing.
    standing = {
        span: candidates for span, candidates in accepted_candidates(found).items() if span in whole
    }
    long_forms = {long for long, _ in found.synonyms}
    groups = _grouped(standing, found)
    set_entities(doc, [name_entity(group, found, long_forms) for group in groups])
    return doc


def _span(doc: Doc, candidate: Candidate) -> Span:
    kind, concept = candidate.kind, candidate.concept
    return whole_tokens(
        doc,
        candidate.start,
        candidate.end,
        label=kind.value if kind else "",
        kb_id=concept or "",
        id_=candidate.source,
    )


def accepted_candidates(found: Recognition) -> dict[tuple[int, int], list[Candidate]]:
    """Return the spans that stand, in order, with all candidates for each.

    Of overlapping spans the longest stands; of equal ones, the better supported.
    """
    text = found.text
    by_span: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for candidate in found.candidates:
        span = (candidate.start, candidate.end)
        surface, is_named = text[slice(*span)], candidate.introduced or span not in found.excluded
        is_word = len(surface.strip()) > 1 and any(map(str.isalpha, surface))
        if is_named and is_word and "\n\n" not in surface:
            by_span[span].append(candidate)
    ranked = sorted(
        by_span, key=lambda span: (span[0] - span[1], -max(c.score for c in by_span[span]), span)
    )
    taken = bytearray(len(text) + 1)
    standing = []
    for start, end in ranked:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            standing.append((start, end))
    chosen = {span: by_span[span] for span in sorted(standing)}
    by_end = {end: candidates for (_, end), candidates in chosen.items()}
    return {
        span: candidates
        for span, candidates in chosen.items()
        if not (
            text[span[0] - 1 : span[0]] == " "
            and _is_trailing_noun(candidates, by_end.get(span[0] - 1, []))
        )
    }


def _is_trailing_noun(candidates: list[Candidate], before: list[Candidate]) -> bool:
    """Return whether a class is named only to say what the name before it is: "an A100 GPU"."""
    kinds = {candidate.kind for candidate in candidates}
    return (
        any(candidate.generic for candidate in candidates)
        and not any(each.generic for each in before)
        and not kinds.isdisjoint(each.kind for each in before)
    )


Group = list[tuple[tuple[int, int], list[Candidate]]]
"""Spans that name one thing, each with the candidates for it."""


def _grouped(standing: dict[tuple[int, int], list[Candidate]], found: Recognition) -> list[Group]:
    """Spans that name one thing: by spelling, concept, vendor prefix, or as acronym."""
    joined = DisjointSets()
    keys = {span: match_key(found.text[slice(*span)]) for span in standing}
    known = set(keys.values())
    for span, candidates in standing.items():
        for candidate in candidates:
            if candidate.concept:
                joined.join(keys[span], candidate.concept)
        if (shorter := match_key(_VENDOR.sub("", found.text[slice(*span)]))) in known:
            joined.join(keys[span], shorter)
    for long, short in found.synonyms:
        if long in standing and short in standing:
            joined.join(keys[long], keys[short])
    groups: dict[str, Group] = {}
    for span, candidates in standing.items():
        groups.setdefault(joined.of(keys[span]), []).append((span, candidates))
    return list(groups.values())


def name_entity(group: Group, found: Recognition, long_forms: set[tuple[int, int]]) -> NamedEntity:
    """Return the entity that a group of spans names, by the candidates that stand for each."""
    surfaces = [found.text[slice(*span)] for span, _ in group]
    candidates = [candidate for _, each in group for candidate in each]
    if any(span in long_forms and not any(c.concept for c in each) for span, each in group):
        # The text spells an acronym out in words that are none of its names in the catalogue:
        # what it means is for linking to say, and its kind for the text.
        own = [c._replace(concept=None) for c in candidates if not c.concept or c.introduced]
        candidates = own or [c._replace(concept=None) for c in candidates]
    introduced = [c for c in candidates if c.introduced]
    homonym = _kind_of_homonym(group, candidates, found.text[: found.title_end])
    if homonym:
        candidates = introduced
    concepts = Counter(c.concept for c in candidates if c.concept)
    if concepts and introduced:
        introduced = [c for c in introduced if c.score >= _KNOWN_NEEDS]
    concept = concepts.most_common(1)[0][0] if len(concepts) == 1 else None
    return NamedEntity(
        name=_coined_in_title(group, found) or full_name(surfaces),
        kind=homonym or _kind(candidates),
        concept=concept,
        introduced=bool(introduced),
        spans=[span for span, _ in group],
        score=max((c.score for c in candidates), default=0.0),
        generic=any(c.generic for c in candidates) or all(s.islower() for s in surfaces),
        homonym=homonym is not None,
    )


def _coined_in_title(group: Group, found: Recognition) -> str | None:
    """Return the name that a title puts before a colon, if it is one of this entity.

    A work is known by it: "SPADE", not what that is short for.
    """
    (start, end), _ = group[0]
    title = found.text[: found.title_end]
    return title[:end] if start == 0 and title[end:].lstrip().startswith(":") else None


def full_name(surfaces: Sequence[str]) -> str:
    """Return the fullest of the forms of a name, which are in the order of the text.

    Of those that differ in case or number alone, the first: a title's form wins, unless it has
    capitals only because it is in a title.
    """
    key = match_key(max(surfaces, key=lambda surface: len(plain(surface))))
    forms = [without_stray_brackets(each) for each in surfaces if match_key(each) == key]
    words = re.split(r"[\s-]", forms[0])
    in_title_case = len(words) > 1 and all(word in (word.lower(), word.title()) for word in words)
    small = forms[0].lower()
    return small if in_title_case and small in forms else forms[0]


def _kind_of_homonym(group: Group, candidates: list[Candidate], title: str) -> EntityKind | None:
    """The kind of what a title coins a name for, if the catalogue has another kind under it.

    What is software to one is a method or a network to another, and what measures is data and
    program; a method is no data set and no device.
    """
    known = {c.kind for c in candidates if c.concept}
    if not known or not any(c.introduced for c in candidates):
        return None
    kind = kind_in_title([span for span, _ in group], title)
    may_be_one = any(kind in kinds and not known.isdisjoint(kinds) for kinds in _INTERCHANGEABLE)
    return None if kind in known or may_be_one else kind


def _kind(candidates: list[Candidate]) -> EntityKind:
    """The kind that the candidates support most; what the text itself says counts double."""
    support: dict[EntityKind, float] = defaultdict(float)
    for candidate in candidates:
        if candidate.kind is not None:
            support[candidate.kind] += candidate.score * (2 if candidate.introduced else 1)
    if not support:
        return EntityKind.TECHNIQUE
    return max(support, key=lambda kind: (support[kind], kind.value))
