"""Reading a question by its cues: which verbs it has, and which works do it to which; what is asked
for; and the words that are left."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stemma.graph import Work
from stemma.schema import EntityKind
from stemma.server.asking.asked import NAME, Asked
from stemma.server.asking.question import CUES, STOP_WORDS, TABLES, VERB, is_noun, kinds_of, nouns

LINEAGE = ("BUILDS_ON", "improves")
"""The verbs of lineage."""
_PARTICIPLE = re.compile(r"(?i)(?:\w+(?:ed|en|ade)|built|led|run)\b")
_BE = re.compile(r"(?i)\b(?:is|are|was|were|be|been|being|gets?|got)\b")
_BY = re.compile(r"(?i) (?:up)?(?:on )?by\b")
_OTHERWISE = re.compile(r"(?i) (?:in|for|to|when|where|within)\b")
_PARTICLE = re.compile(r"(?i) ?(?:up)?(?:on|from|of|with|against|to|over|off|than|using|after)$")
_ENDS_WITH_OF = re.compile(r"(?i)^ of(?: what| which| whom)?$")
_THINGS = re.compile(rf"{NAME}|(?i:\b(?:{nouns('hardware')})\b)")
_LEAD = frozenset(TABLES["lead"].split())
_LISTS = re.compile(r"(?i)^(?:which|what|list|all|every|any|show|how many|number|kinds?|types?|sorts?|top|most|other)\b")
SORTS = re.compile(r"(?i)\b(?:kind|type|sort)s? of$")
_WHICH = re.compile(r"(?i)\b(?:which|what|all|list|every)$")
_PERSON = re.compile(rf"(?i)(?:{TABLES['person']})")
_PAPER = re.compile(f"(?i)(?:{nouns('paper')})")
_LONGEST_TOPIC = 5


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


@dataclass(frozen=True, slots=True)
class Head:
    """What a question asks for: its first noun, of a type ("paper", "person", "entity", or "class"
    of things that are no kind; "" for none) and `kinds`, with what `lead`s to it, the `topic` before it,
    and the `rest` after it.

    `lists`: all of them are asked for.
    """

    type: str = ""
    noun: str = ""
    lead: str = ""
    topic: str = ""
    rest: str = ""
    kinds: tuple[EntityKind, ...] = ()
    lists: bool = False


class Reading:
    """The cues of a question: its `works`, `verbs` and `head`; whether that `is_class` of things, as
    "which LLMs" is."""

    def __init__(self, asked: Asked, text: str) -> None:
        self.asked, self.text = asked, text
        self.works = asked.works(text)
        self.head = self._head()
        self.is_class = bool(
            _WHICH.search(self.head.lead)
            and asked.works(self.head.noun)
            and asked.typed(self.head.noun).endswith("s")
        )
        self.verbs = [*self._verbs()]

    def cue(self, name: str) -> re.Match[str] | None:
        """Return where the question has a cue."""
        return CUES[name].search(self.text)

    def verb(self, *names: str) -> Verb | None:
        """Return the first of these verbs with works that do it, or that it is done to."""
        return next((e for e in self.verbs if e.name in names and (e.subjects or e.objects)), None)

    def has_verb(self, *names: str) -> bool:
        """Return whether the question has one of these verbs."""
        return any(each.name in names for each in self.verbs)

    def left(self, *spans: re.Match[str] | Verb | None) -> list[str]:
        """Return the words beside names, nouns, verbs and these cues, which say what else it is
        about."""
        text = [*self.text]
        for each in (*self.verbs, *filter(None, spans)):
            start, end = (each.start, each.end) if isinstance(each, Verb) else each.span()
            text[start:end] = [e if re.match(NAME, e) else " " for e in text[start:end]]
        words = re.findall(r"[\w'-]+", Asked.besides("".join(text)))
        return [e for e in words if e.casefold() not in STOP_WORDS and not is_noun(e)]

    def things(self) -> list[Work]:
        """Return the works that are named, and classes of hardware: "an A100 and a TPU"."""
        return [work for each in _THINGS.findall(self.text) for work in self.asked.works(each)]

    def _verbs(self) -> Iterator[Verb]:
        matches = [*VERB.finditer(self.text)]
        ends = [*(each.start() for each in matches[1:]), len(self.text)]
        # Of "which LLMs run on TPUs", the LLMs are what is asked for.
        taken = self.asked.works(self.head.noun) if self.is_class else []
        for match, end in zip(matches, ends, strict=False):
            before, after = self.text[: match.start()], self.text[match.end() :]
            left = [e for e in self.asked.works(before) if e not in taken]
            things = " ".join(_THINGS.findall(self.text[match.end() : end]))
            right = [work for each in things.split() for work in self.asked.works(each)]
            taken += left + right
            name = str(match.lastgroup)
            passive = bool(_PARTICIPLE.match(match[0])) and bool(
                _BY.match(after)
                or (
                    not _PARTICLE.search(match[0])
                    and (_OTHERWISE.match(after) or _BE.search(before))
                )
            )
            subjects, objects = (right, left) if passive != (name == "leads") else (left, right)
            name = "BUILDS_ON" if name == "leads" else name
            yield Verb(name, match.start(), match.end(), subjects, objects, passive)
        for cue, name in _NOUNS_OF_LINEAGE.items():
            for match in CUES[cue].finditer(self.text):
                before, after = self.text[: match.start()], self.text[match.end() :]
                left, right = self.asked.works(before), self.asked.works(after)
                if not (left and right) and not _ENDS_WITH_OF.match(after):
                    left, right = [], left or right
                subjects, objects = (right, left) if cue == "ancestors" else (left, right)
                yield Verb(name, match.start(), match.end(), subjects, objects)

    def _head(self) -> Head:
        """Return what is asked for: the words before the first that ends a noun."""
        words = [*re.finditer(r"[^\s,;:]+", self.text)]
        first = 0
        while first < len(words) and words[first][0].casefold() in _LEAD:
            first += 1
        verbs = {each.start() for each in VERB.finditer(self.text)}
        last = first
        for word in words[first : first + _LONGEST_TOPIC + 1]:
            is_name = re.match(NAME, word[0])
            ends = word[0].casefold() in STOP_WORDS or word.start() in verbs
            before = words[last - 1][0] if last > first else ""
            # "Who works", "frameworks people use".
            if _PERSON.fullmatch(before) or (_PERSON.fullmatch(word[0]) and is_noun(before)):
                break
            if (ends and not (is_noun(word[0]) or _PERSON.fullmatch(word[0]))) or (
                is_name and last > first
            ):
                break
            last += 1
            if self.text[word.end() : word.end() + 1] in (",", ";", ":"):
                break
        if last == first:
            return Head()
        nouns = [number for number in range(first, last) if is_noun(words[number][0])]
        if nouns and words[first - 1][0].casefold() in ("which", "what"):
            last = nouns[-1] + 1  # "Which systems serve LLMs".
        end = words[last - 1]
        noun, rest = end[0], self.text[end.end() :].strip(" ,")
        topic = self.text[words[first].start() : end.start()].strip()
        lists = bool(_LISTS.match(self.text) or CUES["superlative"].match(self.text))
        type_ = "entity" if is_noun(noun) else "class"
        if _PERSON.fullmatch(noun) or _PAPER.fullmatch(noun):
            type_ = "person" if _PERSON.fullmatch(noun) else "paper"
        lead = self.text[: words[first].start()].strip()
        lists = bool(_LISTS.match(lead) or SORTS.search(lead) or self.cue("superlative"))
        return Head(type_, noun, lead, topic, rest, kinds_of(noun), lists)


_NOUNS_OF_LINEAGE = {"descendants": "BUILDS_ON", "improvements": "improves", "ancestors": "BUILDS_ON"}

