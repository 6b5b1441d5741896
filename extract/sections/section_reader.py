"""What sections add to what an abstract says: relations with the sentences behind them."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, groupby, islice
from operator import itemgetter
from string import punctuation

from stemma.extract.extractor import Found
from stemma.extract.sections.features import Collected, EntityReading, Said, features
from stemma.extract.sections.result_table import Place, Result, TableRole, results
from stemma.extract.sections.spelling import same_things
from stemma.extract.sections.trust import Trust
from stemma.extract.sections.window import Window, named_by, windows
from stemma.extract.sentence import sentences
from stemma.extract.shape import kind_of_shape
from stemma.schema import (
    Citation,
    Entity,
    EntityKind,
    Evidence,
    Field,
    FoundEntity,
    FoundRelation,
    FullText,
    Mention,
    Paper,
    Reference,
    RelationType,
    Section,
)
from stemma.schema.disjoint_sets import DisjointSets
from stemma.schema.name import match_key


class Kept:
    """The sentences that are kept of a text, in sections of their own."""

    def __init__(self, text: FullText, places: Iterable[Place]) -> None:
        self._stretches = _joined(sorted(places))
        sections, offsets = list[Section](), list[tuple[int, int]]()
        for number, stretches in groupby(self._stretches, key=itemgetter(0)):
            section = text.sections[number]
            parts, citations, length = list[str](), list[Citation](), 0
            for _, start, end in stretches:
                offsets.append((len(sections), length))
                parts.append(section.text[start:end])
                citations += (
                    replace(
                        citation,
                        start=citation.start - start + length,
                        end=citation.end - start + length,
                    )
                    for citation in section.citations
                    if start <= citation.start and citation.end <= end
                )
                length += end - start + 1
            sections.append(replace(section, text="\n".join(parts), citations=tuple(citations)))
        self.text = replace(text, sections=tuple(sections))
        starts = self.text.starts
        self._kept = [(sections[of].kind, starts[of] + offset) for of, offset in offsets]
        """For each stretch, its kind, and where it begins in the text of that."""

    def span(self, place: Place) -> tuple[str, Field, int, int] | None:
        """Return what is at a place of the paper, with its place in the kept text if it is kept."""
        number, start, end = place
        at = bisect_right(self._stretches, (number, start), key=itemgetter(0, 1)) - 1
        if at < 0 or self._stretches[at][0] != number or end > self._stretches[at][2]:
            return None
        kind, begin = self._kept[at]
        begin += start - self._stretches[at][1]
        stop = begin + end - start
        return self.text.of_kind(kind)[begin:stop], kind, begin, stop


def _joined(places: Iterable[Place]) -> list[Place]:
    """Put stretches together that overlap."""
    joined: list[Place] = []
    for number, start, end in places:
        if joined and joined[-1][0] == number and start < joined[-1][2]:
            joined[-1] = (number, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((number, start, end))
    return joined


_Key = tuple[RelationType, str]
"""A relation to an entity, by its name."""
_OURS = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Oo]urs|[Tt]his (?:paper|work|article|study|report))\b"
    r"|\b(?:[Tt]he|[Tt]his) (?:proposed|present) \w+"
)
_SYSTEM_NAME = re.compile(r"(?=.*[A-Z])(?!.* et al)[\w.+@/^-]{2,40}(?: [\w.+@/^-]{1,40}){0,3}")
_SYSTEMS = (EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL)
_NO_NAME = re.compile(
    r"(?:see )?(?:alg(?:orithm)?|sec(?:tion)?|tab(?:le)?|fig(?:ure)?|eqn?|equation|"
    r"appendi(?:x|ces)|theorem|lemma|corollary|proposition|definition|chapter|step|stage|phase|"
    r"layer|case)s?\.? ?"
    r"\(?[\dA-Z]?(?:\.?\d){0,5}\)?\.?",
    re.I,
)
"""A part of the paper itself: "see Appendix A.5"."""
_REPEATED = re.compile(r"(\S{1,40}(?: \S{1,40}){0,2})(?: \1)+")
"""Labels of a figure, as a PDF has them: "vLLM vLLM"."""
_ALIKE = re.compile(
    r"\b(?:(?:similar|akin|analogous|comparable|reminiscent|orthogonal|complementary) (?:in \w+ )?"
    r"(?:to|of)|resembl(?:es?|ing)) (?:(?:the|that of|those of) )?$"
)
_OTHERS = re.compile(
    r"(?P<name>[A-Z][\w-]{1,40})\)?(?: (?:\[[^\[\]]{1,40}\]|\([^()]{1,40}\)))?(?:"
    r",? (?:(?:which|that) )?(?:(?:is|was|are|were) )?(?:derived from|built (?:on|upon|from)|"
    r"based on|adapted from|extends|(?:builds|improves) (?:up)?on|fine-tuned (?:on|from))"
    r"(?: \w{1,20}){0,2} |, which [^,.;:()]{1,120} )$"
)
"""What is said of another work: "RefSeer [7] derived from", "Merak, which combines"."""
_OUTLOOK = re.compile(r"limit|future|impact", re.I)
_PLANNED = re.compile(
    r"\bfuture (?:work|research|direction|version)|\bin (?:the )?future\b"
    r"|\bwe (?:plan|leave|hope)\b|\bremains? (?:open|to be)\b"
    r"|\b(?:could|might) (?:also )?be (?:extended|applied|combined)\b",
    re.I,
)
_ORIGIN, _TABLES = "sections/1", "tables/1"
"""The origins of what sections say, and what only their tables do."""
_MOST_EVIDENCE = 3
_MOST_WINDOWS = 400
_LONGEST_CONTEXT = 400
_PROSE = 0.33
"""The share of words in prose. Plots, formulas and listings have more figures and symbols."""
_BESIDE = 4
"""Characters after a name within which a citation is one of it."""
_UNNAMED, _PLACEHOLDER = "CW{}", re.compile(r"CW\d+")
"""What a cited work is called that has no name: it reads as a name, as tests show."""


def _late(text: FullText) -> set[int]:
    """Return the numbers of sections that are appendices, or about limits and the future."""
    found, concluded = set[int](), False
    for number, section in enumerate(text.sections):
        is_conclusion = section.kind is Field.CONCLUSION
        concluded |= is_conclusion
        if (concluded and section.kind is Field.OTHER) or (
            is_conclusion and _OUTLOOK.search(section.heading)
        ):
            found.add(number)
    return found


def _once(name: str) -> str:
    """Return a name without what repeats it."""
    repeated = _REPEATED.fullmatch(name)
    return repeated[1] if repeated else name


def _is_prose(text: str) -> bool:
    parts = [each.strip(punctuation) for each in text.split()]
    return sum(len(part) > 1 and part.isalpha() for part in parts) >= _PROSE * len(parts)


class SectionReader:
    """Reads the sections of one paper, whose abstract has been read.

    `known` are the catalogue's entities by the match keys of their names.
    """

    def __init__(
        self, paper: Paper, abstract: Found, trust: Trust, known: Mapping[str, Sequence[Entity]]
    ) -> None:
        assert paper.full_text is not None
        self._known = known
        self._text, self._trust = paper.full_text, trust
        self._entities: dict[str, FoundEntity] = {entity.name: entity for entity in abstract[0]}
        self._relations = abstract[1]
        self._keys = DisjointSets()
        """Of names: those that a window, or the abstract, has for one thing are joined."""
        self._owners: dict[str, str] = {}
        for entity in abstract[0]:
            names = (entity.name, *(mention.text for mention in entity.mentions))
            self._owners[self._joined(names, entity.concept)] = entity.name
        self._introduced = {
            relation.entity for relation in abstract[1] if relation.type is RelationType.INTRODUCES
        }
        own_kinds = (entity.kind for entity in abstract[0] if entity.name in self._introduced)
        self._own_kind = next(filter(_SYSTEMS.__contains__, own_kinds), EntityKind.TECHNIQUE)
        """What stands beside a model in its results is one, too."""
        forms = {
            mention.text for name in self._introduced for mention in self._entities[name].mentions
        } | self._introduced
        own = "|".join(map(re.escape, sorted(forms))) or "(?!)"  # what nothing matches
        self._own = re.compile(rf"(?<!\w)(?:{own})(?!\w)")
        self._late = _late(paper.full_text)
        self._abstract = paper.abstract.casefold()
        self.context = self._context_of(paper.abstract)
        """What is read after each window, so that it is known whose work the paper presents."""
        self._unnamed: dict[str, Reference] = {}
        self._titled: dict[str, Reference] = {}
        """Cited works, by the match keys of what titles call them."""
        self._cited: dict[tuple[int, int], Reference] = {}
        """Cited works, by the number of a section and the place of the citation in it."""
        self._citing: dict[Reference, set[Field]] = defaultdict(set)
        """By what is cited, the kinds of sections that do."""
        self._read: list[tuple[str, EntityReading, list[Said]]] = []
        """What windows say, by a key of the name."""
        self._rows: list[tuple[str, FoundEntity, Result]] = []

    def _joined(self, forms: Sequence[str], concept: str | None) -> str:
        """Return the key of names of one thing; what the abstract has as two things stays two."""
        keys = [match_key(form) for form in forms] + [f"={concept}"] * (concept is not None)
        for key in keys[1:]:
            both = {self._keys.of(keys[0]), self._keys.of(key)}
            if sum(self._keys.of(owner) in both for owner in self._owners) < 2:
                self._keys.join(keys[0], key)
        return keys[0]

    def add_tables(self) -> None:
        """Add the rows and columns of tables of results."""
        for number, section in enumerate(self._text.sections):
            if section.kind is Field.TABLE:
                for result in results(number, section, lambda name: bool(self._own.search(name))):
                    self._add_result(section, result)

    def _add_result(self, section: Section, result: Result) -> None:
        """Add a system of a table: one that the paper names elsewhere, that the catalogue has, or
        that is cited there."""
        name = section.text[slice(*result.name[1:])]
        senses = self._known.get(match_key(name), ())
        is_data = result.role in (TableRole.DATA, TableRole.ACROSS)
        is_system = result.role in (TableRole.BESIDE, TableRole.APART)
        concepts = [sense for sense in senses if not is_system or sense.kind in _SYSTEMS]
        known = concepts[0] if len(concepts) == 1 else None
        if result.role is TableRole.BESIDE and senses and not concepts:
            return
        is_name = _SYSTEM_NAME.fullmatch(name)
        if result.cited and not is_name:
            cited = result.cited[0].reference
            name = named_by(cited) or cited.title or name
            result = replace(result, is_named=False)
        shaped = kind_of_shape(name)
        usual = shaped if shaped in _SYSTEMS else self._own_kind
        kind = EntityKind.DATASET if is_data else usual
        entity = FoundEntity(name, known.kind if known else kind, known.id if known else None, ())
        if known or (result.role is not TableRole.CELL and (result.cited or is_name)):
            self._rows.append((self._joined([name], entity.concept), entity, result))

    def windows(self) -> list[Window]:
        """Return the windows that are read, with the title before them."""
        found = windows(self._text, self._names())
        return list(islice((window for window in found if _is_prose(window.text)), _MOST_WINDOWS))

    def _names(self) -> dict[Reference, str]:
        """Return what cited works are called: the systems that titles name, or placeholders."""
        names: dict[Reference, str] = {}
        for number, section in enumerate(self._text.sections):
            for citation in section.citations:
                cited = citation.reference
                self._cited[number, citation.start] = cited
                self._citing[cited].add(section.kind)
                if cited not in names:
                    name = named_by(cited)
                    if title := name or cited.title:
                        self._titled[match_key(title)] = cited
                    if name is None:
                        name = _UNNAMED.format(10 + len(self._unnamed))
                        self._unnamed[name] = cited
                    names[cited] = name
        return names

    def _context_of(self, abstract: str) -> str:
        """Return the sentence by which an abstract introduces the paper's work."""
        introduced = (
            evidence.text
            for relation in self._relations
            if relation.type is RelationType.INTRODUCES
            for evidence in relation.evidence
            if evidence.field is Field.ABSTRACT
        )
        own = (abstract[sentence.start : sentence.end] for sentence in sentences(abstract))
        return next(chain(introduced, filter(_OURS.search, own)), "")[:_LONGEST_CONTEXT]

    def _is_own(self, sentence: str) -> bool:
        return bool(_OURS.search(sentence) or self._own.search(sentence))

    def add(self, window: Window, read: Sequence[EntityReading]) -> None:
        """Add what was read in a window."""
        for reading in read:
            if (named := self._named(reading)) is None:
                continue
            said = [
                Said(
                    len(self._read),
                    window.kind,
                    self._is_own(sentence.text),
                    window.section in self._late
                    or bool(_PLANNED.search(sentence.text))
                    or all(
                        self._is_aside(sentence.text[: start - sentence.start])
                        for start, _ in sentence.names
                    ),
                    (window.section, *window.place(sentence.start, sentence.end)),
                    tuple(
                        (window.section, *window.place(start, start + len(_once(name))))
                        for start, end in sentence.names
                        if window.is_copied(start, end)
                        for name in [window.text[start:end]]
                    ),
                    sentence,
                    reading.likely,
                )
                for sentence in reading.sentences
                if sentence.end <= len(window.text)
            ]
            self._read.append((self._joined(sorted(named.forms), named.concept), named, said))

    def _is_aside(self, before: str) -> bool:
        """Whether what stands before a name says what is like it, or descends from it."""
        other = _OTHERS.search(before)
        return bool(_ALIKE.search(before) or (other and not self._is_own(other["name"])))

    def _named(self, read: EntityReading) -> EntityReading | None:
        """Return a reading under its name; None where it is no name."""
        if reference := self._unnamed.get(read.name):
            # A work without a name is known by its title.
            title = reference.title
            return replace(read, name=title, forms=frozenset([title])) if title else None
        if _NO_NAME.fullmatch(read.name) or _PLACEHOLDER.search(read.name):
            return None
        name, forms = _once(read.name), frozenset(map(_once, read.forms))
        return replace(read, name=name, forms=forms)

    def collected(self) -> list[Collected]:
        """Return all that was read, by entities."""
        self._join_all()
        titles = {reference.title for reference in self._unnamed.values()}
        readings: dict[str, list[EntityReading]] = defaultdict(list)
        said: dict[str, list[Said]] = defaultdict(list)
        rows: dict[str, list[Result]] = defaultdict(list)
        found: dict[str, FoundEntity] = {}
        for name_key, reading, passages in self._read:
            key = self._keys.of(name_key)
            readings[key].append(reading)
            said[key] += passages
        owners = {self._keys.of(key): name for key, name in self._owners.items()}
        for name_key, entity, row in self._rows:
            key = self._keys.of(name_key)
            rows[key].append(row)
            found.setdefault(key, entity)
        result = []
        for key in dict.fromkeys((*readings, *rows)):
            own = readings[key]
            if own:
                names = Counter(reading.name for reading in own)
                name = max(names, key=lambda name: (name not in titles, names[name]))
                [(kind, _)] = Counter(reading.kind for reading in own).most_common(1)
                concept = next((reading.concept for reading in own if reading.concept), None)
                found[key] = FoundEntity(name, kind, concept, ())
            name = owners.get(key, found[key].name)
            entity = self._entities.setdefault(name, found[key])
            forms = {name, *(form for reading in own for form in reading.forms)}
            collected = Collected(
                entity,
                bool(self._own.search(name)),
                {
                    relation.type: relation.confidence
                    for relation in self._relations
                    if relation.entity == name
                },
                any(form.casefold() in self._abstract for form in forms),
                own,
                said[key],
                rows[key],
                {sense.general for form in forms for sense in self._known.get(match_key(form), ())},
            )
            collected.cited_in = self._cited_in(forms, collected.names())
            result.append(collected)
        return result

    def _join_all(self) -> None:
        """Join names of one thing that no window has together."""
        forms: dict[str, set[str]] = defaultdict(set)
        cited: dict[str, Counter[Reference]] = defaultdict(Counter)
        for key, reading, said in self._read:
            forms[self._keys.of(key)] |= reading.forms
            cited[reading.name].update(
                work for each in said for name in each.names for work in self._cited_beside(name)
            )
        for key, entity, _ in self._rows:
            forms[self._keys.of(key)].add(entity.name)
        for key, name in self._owners.items():
            mentions = self._entities[name].mentions
            forms[self._keys.of(key)] |= {name, *(mention.text for mention in mentions)}
        for one, other in same_things(list(forms.values())):
            self._keys.join(match_key(one), match_key(other))
        # A work whose title is no name is called what the paper calls it: "VGG [41]".
        called: dict[Reference, Counter[str]] = defaultdict(Counter)
        for name, works in cited.items():
            for work, number in works.most_common(1):
                if 2 * number > works.total() and _SYSTEM_NAME.fullmatch(name):
                    called[work][name] = number
        for work in self._unnamed.values():
            for name, _ in called[work].most_common(1):
                self._keys.join(match_key(name), match_key(work.title or name))

    def _cited_beside(self, name: Place) -> Iterator[Reference]:
        """Yield the work that is cited right behind a name, at its place in the paper."""
        number, _, end = name
        text = self._text.sections[number].text
        for start in range(end, end + _BESIDE):
            if (number, start) in self._cited and not text[end:start].strip(" ~(["):
                yield self._cited[number, start]

    def _cited_in(self, names: Set[str], places: Iterable[Place]) -> set[Field]:
        """Return the kinds of sections that cite the work: what is cited beside its names, or has
        them as a title."""
        cited = {self._titled[name] for name in map(match_key, names) if name in self._titled}
        cited.update(work for name in places for work in self._cited_beside(name))
        return {section for reference in cited for section in self._citing[reference]}

    def result(self) -> tuple[FullText, Found]:
        """Return the kept part of the full text, and the findings of abstract and sections."""
        stated: dict[_Key, tuple[float, Collected]] = {}
        paper = self.collected()
        for collected, counted in zip(paper, features(paper, self._trust.table), strict=True):
            for relation, sure in collected.stated(self._trust, counted).items():
                stated[relation, collected.entity.name] = sure, collected
        number = Counter({(old.type, old.entity): len(old.evidence) for old in self._relations})
        places = {  # The likeliest sentences first.
            key: each.places(key[0])[: max(0, _MOST_EVIDENCE - number[key])]
            for key, (_, each) in stated.items()
        }
        kept = Kept(self._text, {place for own in places.values() for place in own})
        more = {name for _, name in stated}
        relations = {  # Of what the abstract only mentions sections may say more.
            (relation.type, relation.entity): relation
            for relation in self._relations
            if relation.type is not RelationType.MENTIONS or relation.entity not in more
        }
        for key, (sure, collected) in stated.items():
            quoted = tuple(Evidence(*span) for span in map(kept.span, places[key]) if span)
            if not quoted:
                continue
            comparison = collected.comparison() if key[0] is RelationType.COMPARES_WITH else None
            if old := relations.get(key):
                quoted, comparison = (*old.evidence, *quoted), old.comparison or comparison
                relations[key] = replace(old, evidence=quoted, comparison=comparison)
            else:
                origin = _ORIGIN if collected.said else _TABLES
                relations[key] = FoundRelation(*key, round(sure, 3), quoted, origin, comparison)
        named = {name for _, name in relations}
        mentions = {
            collected.entity.name: [
                Mention(*span) for span in map(kept.span, sorted(collected.names())) if span
            ]
            for _, collected in stated.values()
        }
        entities = (
            replace(entity, mentions=(*entity.mentions, *mentions.get(entity.name, ())))
            for entity in self._entities.values()
            if entity.name in named or entity.mentions
        )
        return kept.text, (tuple(entities), tuple(relations.values()))
