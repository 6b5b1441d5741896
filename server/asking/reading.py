"""Reading a question by its cues: which verbs it has, and which works do it to which; what is asked
for; and the words that are left."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stemma.graph import Reader, Selection, Work
from stemma.graph.searching import called_after, narrower_entities, passes
from stemma.schema import Catalogue, EntityKind
from stemma.schema.name import match_key
from stemma.server.asking.asked import Asked
from stemma.server.asking.question import (
    CUES,
    NAME,
    PATTERNS,
    STOP_WORDS,
    TABLES,
    VERB,
    is_noun,
    is_person,
    kinds_of,
)

LINEAGE = ("BUILDS_ON", "improves")
"""The verbs of lineage."""
_NOUNS_OF_LINEAGE = {
    "descendants": "BUILDS_ON",
    "variants": "BUILDS_ON",
    "improvements": "improves",
    "ancestors": "BUILDS_ON",
}
"""What the nouns of lineage say that works do."""
_LEAD = frozenset(TABLES["lead"].split())
_HARDWARE = (EntityKind.HARDWARE,)
_METHODS = (EntityKind.TECHNIQUE, EntityKind.MODEL, EntityKind.FRAMEWORK)
_LONGEST_TOPIC, _FEW_OF_CLASS = 5, 3


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of a question, from `start` to `end` of its text, with the works that do it (its
    `subjects`) and those that it is done to (its `objects`), as far as the question names them."""

    name: str
    start: int
    end: int
    subjects: list[Work]
    objects: list[Work]
    passive: bool = False


@dataclass(slots=True)
class Head:
    """What a question asks for: its first noun, of a type ("paper", "person", "entity", or "class"
    of things that are no kind; "" for none) and `kinds`, with what leads to it, the `topic` before
    it, and the `rest` after it; the `members` (by id) if it is a class.

    `is_meant`: it asks for entities. `lists`: for all of them, not for papers on them as well.
    """

    type: str = ""
    noun: str = ""
    lead: str = ""
    topic: str = ""
    rest: str = ""
    kinds: tuple[EntityKind, ...] = ()
    lists: bool = False
    is_meant: bool = False
    members: Mapping[str, Work] = field(default_factory=dict)


class Reading:
    """The cues of a question: its `works`, `verbs` and `head`; whether this `is_class`."""

    def __init__(self, asked: Asked, text: str) -> None:
        self.asked, self.text = asked, text
        self.works, self.head = asked.works(text), self._head()
        noun = self.head.noun
        self.is_class = bool(PATTERNS["which"].search(self.head.lead) and asked.works(noun))
        self.is_class &= asked.typed(noun).endswith("s")
        self.verbs = [*self._verbs()]
        if self.head.type in ("entity", "class"):
            self._find_members()

    def cue(self, name: str) -> re.Match[str] | None:
        """Return where the question has a cue."""
        return CUES[name].search(self.text)

    def verb(self, *names: str) -> Verb | None:
        """Return the first of these verbs with works that do it, or that it is done to."""
        return next((e for e in self.verbs if e.name in names and (e.subjects or e.objects)), None)

    def has_verb(self, *names: str) -> bool:
        """Return whether the question has one of these verbs."""
        return any(each.name in names for each in self.verbs)

    def left(self, *cues: str) -> list[str]:
        """Return the words beside names, nouns, verbs and these cues, which say what else it is
        about."""
        spans = [(each.start, each.end) for each in self.verbs]
        spans += [match.span() for each in cues if (match := self.cue(each))]
        text = [*self.text]
        for start, end in spans:
            text[start:end] = [e if re.match(NAME, e) else " " for e in text[start:end]]
        words = re.findall(r"\w[\w'-]*", Asked.besides("".join(text)))
        return [e for e in words if e.casefold() not in STOP_WORDS and not is_noun(e)]

    def things(self) -> list[Work]:
        """Return the works that are named, and classes of hardware: "an A100 and a TPU"."""
        names = PATTERNS["named"].findall(self.text)
        return [work for each in names for work in self.asked.works(each)]

    def _verbs(self) -> Iterator[Verb]:
        matches, works = [*VERB.finditer(self.text)], self.asked.works
        ends = [*(each.start() for each in matches[1:]), len(self.text)]
        # Of "which LLMs run on TPUs", the LLMs are what is asked for.
        taken = works(self.head.noun) if self.is_class else []
        for match, end in zip(matches, ends, strict=False):
            before, after = self.text[: match.start()], self.text[match.end() :]
            left = [each for each in works(before) if each not in taken]
            things = PATTERNS["named"].findall(self.text[match.end() : end])
            right = [work for each in things for work in works(each)]
            taken += left + right
            name, is_participle = str(match.lastgroup), PATTERNS["participle"].match(match[0])
            may_be_passive = not PATTERNS["particle"].match(match[0]) and (
                PATTERNS["otherwise"].match(after) or PATTERNS["be"].search(before)
            )
            passive = bool(is_participle and (PATTERNS["by"].match(after) or may_be_passive))
            subjects, objects = (right, left) if passive != (name == "leads") else (left, right)
            name = "BUILDS_ON" if name == "leads" else name
            yield Verb(name, match.start(), match.end(), subjects, objects, passive)
        for cue, name in _NOUNS_OF_LINEAGE.items():
            for match in CUES[cue].finditer(self.text):
                left, right = works(self.text[: match.start()]), works(self.text[match.end() :])
                if not (left and right) and not PATTERNS["of_what"].match(self.text[match.end() :]):
                    left, right = [], left or right
                subjects, objects = (right, left) if cue == "ancestors" else (left, right)
                yield Verb(name, match.start(), match.end(), subjects, objects)

    def _head(self) -> Head:
        """Return what is asked for: the words before the first that ends a noun."""
        words = [*re.finditer(r"[^\s,;:]+", self.text)]
        verbs = {each.start() for each in VERB.finditer(self.text)}
        first = next((n for n, e in enumerate(words) if e[0].casefold() not in _LEAD), len(words))
        last = first
        for number, word in enumerate(words[first : first + _LONGEST_TOPIC + 1], first):
            before = words[number - 1][0] if number > first else ""
            is_person_or_noun = is_noun(word[0]) or is_person(word[0])
            says_nothing = word[0].casefold() in STOP_WORDS or word.start() in verbs
            # "Who works", "frameworks people use", "datasets GPT-4 was tested on".
            goes_on = is_person(before) or (is_person(word[0]) and is_noun(before))
            goes_on = goes_on or bool(before and re.match(NAME, word[0]))
            if goes_on or (says_nothing and not is_person_or_noun):
                break
            last = number + 1
            if self.text[word.end() : word.end() + 1] in (",", ";", ":"):
                break
        if last == first:
            return Head()
        named = [number for number in range(first, last) if is_noun(words[number][0])]
        if named and first and words[first - 1][0].casefold() in ("which", "what"):
            last = named[-1] + 1  # "Which systems serve LLMs".
        start, end = words[first].start(), words[last - 1]
        type_ = "entity" if is_noun(end[0]) else "class"
        type_ = "paper" if is_noun(end[0], "paper") else type_
        return Head(
            "person" if is_person(end[0]) else type_,
            end[0],
            lead := self.text[:start].strip(),
            self.text[start : end.start()].strip(),
            self.text[end.end() :].strip(" ,"),
            kinds_of(end[0]),
            bool(PATTERNS["lists"].match(lead) or self.cue("superlative")),
        )

    def _find_members(self) -> None:
        """Find whether the head asks for entities, and those of the class that it is, if any."""
        head, reader, is_most = self.head, self.asked.reader, bool(self.cue("superlative"))
        whole, kinds = self.asked.typed(f"{head.topic} {head.noun}".strip()), head.kinds
        is_plural = whole.casefold().endswith(("s", "ware", "corpora"))
        is_one = is_most or PATTERNS["any"].search(head.lead)
        may_be_class = head.topic or head.type == "class" or kinds == _HARDWARE
        may_be_class = may_be_class and whole.casefold() not in ("hardware", "device", "devices")
        sorts = PATTERNS["sorts"].search(head.lead) if head.topic or not kinds else None
        if sorts or (may_be_class and (is_plural or kinds or is_one)):
            head.members = _members(reader, whole, () if sorts else kinds)
            if head.topic and kinds and not (sorts or head.members or head.rest):
                # "Quantization methods" are those that the catalogue has below quantization.
                head.members = _members(reader, self.asked.typed(head.topic), kinds)
        is_known = len(head.members.keys() & Catalogue.shipped().concepts) >= _FEW_OF_CLASS
        if head.type == "entity" and not sorts:
            head.members = head.members if is_known else {}
            # "Small models", without "which", are what papers are about.
            is_bare = not head.topic and (is_plural or bool(head.rest))
            # "GPipe baselines", "DeepSeek-V3 hardware".
            is_bare |= bool(re.fullmatch(NAME, head.topic)) and kinds in ((), _HARDWARE)
            head.lists |= is_bare or kinds == (EntityKind.DATASET,)
            head.is_meant = head.lists or is_known
        else:
            is_sure = head.lead or (is_known and not self.asked.exceptions)
            head.is_meant = bool(head.members and is_sure)
            head.lists &= is_known or is_most
        if head.members:
            head.noun, head.topic = f"{sorts[0]} {whole}" if sorts else whole, ""


def _members(reader: Reader, name: str, kinds: tuple[EntityKind, ...] = ()) -> dict[str, Work]:
    """Return the entities (by id) of a class with this name, those of most papers first: those with
    a name that ends with it, as "humanoid robot" does, and those below it and them; of kinds like
    these, if any are given."""
    concepts = Catalogue.shipped().by_key.get(match_key(name), ())
    classes = {*reader.called(name), *(each.id for each in concepts)}
    found = called_after(reader, [name]) | classes
    members = found.union(*(narrower_entities(reader, each) for each in found)) - classes
    # What is a technique to one is a model or a system to another.
    chosen = Selection(kinds=_METHODS if kinds == (EntityKind.TECHNIQUE,) else kinds)
    works = {id_: work for id_, work in reader.works(members).items() if passes(work, chosen)}
    naming = reader.papers_naming(works)
    return {id_: works[id_] for id_ in sorted(works, key=lambda each: (-len(naming[each]), each))}
