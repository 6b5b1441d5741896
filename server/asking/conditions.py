"""The papers that a question asks for: what they state, "use LoRA and run on A100, but not QLoRA",
who wrote them, and what they are about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from stemma.graph import Criterion, Reader, Work, WorkType
from stemma.graph.searching import MOST_CRITERIA, counts_narrower, papers_filter, papers_named
from stemma.graph.selection import Selection
from stemma.schema import Entity, EntityKind, RelationType
from stemma.server.asking.asked import NAME, Asked, joined, narrower_by_name, quoted
from stemma.server.asking.question import STOP_WORDS, VERB, VERBS, is_cue, is_noun, nouns
from stemma.server.asking.reading import Reading

_THING = rf"(?:{NAME}(?i: (?:{nouns()})\b)?|(?i:(?:{nouns('hardware')})\b))"
_OBJECTS = re.compile(
    rf"(?: (?i:both|either|only|an?|the|any|some|single|on|that|by))* {_THING}"
    rf"(?:(?:,| )? ?(?i:and|or|as well as|along with|together with|with|plus|&|,)"
    rf"(?: (?i:also|on|with|an?|the))* {_THING})*"
)
_ITEM = re.compile(rf"(?i:\b(?P<or>or)\b)?[^{NAME[1:]}]*?(?P<name>{_THING})")
_ORIGIN = re.compile(
    r"(?i)\b(?:(?:written|authored|published|made|presented|appear\w*) )?"
    r"(?P<word>by|from(?= (?-i:[A-Z\"]))|at(?! all\b)|in(?= (?-i:[A-Z\"]))) (?P<who>[^;]+?)"
    r"(?=$|;| (?:that|which|who|about|on|for|since|with|in)\b)"
)
_AND = re.compile(r"(?i),? (?:and|or) |, ")


@dataclass(slots=True)
class Conditions:
    """What papers must meet: what a selection says, with criteria, and the words of their topic.

    `phrases` say the criteria in words.
    """

    selection: Selection
    topic: str = ""
    criteria: list[Criterion] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"

    def add(self, reader: Reader, work: Work, verb: str, joint: str = "") -> None:
        """Add that papers have a relation to a work, do not have it, or have it to this or another:
        what `joint` says."""
        (said, means), is_not = VERBS[verb], joint == "not"
        relations, narrower = tuple(map(RelationType, means)), counts_narrower(reader, work)
        ids = (work.id, *sorted(narrower_by_name(reader, work)))
        if joint == "or" and self.criteria and not self.criteria[-1].excluded:
            last = self.criteria.pop()
            self.criteria.append(replace(last, entities=(*last.entities, *ids)))
            self.phrases.append(f"{self.phrases.pop()} or {quoted(work)}")
            return
        if is_not:
            said = said.replace("are ", "are not ") if said.startswith("are ") else f"do not {said}"
        self.criteria.append(Criterion(ids, relations, is_not, narrower))
        self.phrases.append(f"{said} {quoted(work)}")


def conditions(asked: Asked, text: str) -> Conditions:
    """Read what a part of a question says of papers: what they do to the works that it names, by
    whom they are and where they appeared; what is left is the topic."""
    found, before = Conditions(asked.question.selection), "about"
    stated, rest = list[tuple[str, str, Work]](), [*text]
    for verb in Reading(asked, text).verbs:
        objects = _OBJECTS.match(text, verb.end)
        named, spans = list[tuple[str, Work]](), list[tuple[int, int]]()
        if objects and _ends(text[objects.end() :]) and (verb.name == "cites" or verb.objects):
            named, spans = [*_named(asked, objects[0])], [(verb.start, objects.end())]
        elif verb.passive and verb.objects and not verb.subjects:  # "LoRA is used".
            named = [("", each) for each in verb.objects]
            spans = [each.span() for each in re.finditer(NAME, text[: verb.start])]
            spans.append((verb.start, verb.end))
        for start, end in spans if named else ():
            rest[start:end] = [";"] * (end - start)
        before = verb.name if named else before
        is_cited = verb.name == "cites" and verb.passive and objects
        stated += [("cited_by" if is_cited else verb.name, *each) for each in named]
    left, unknown = _by_origin(asked, found, "".join(rest))
    parts = [content(asked.typed(_without_verb(each))) for each in left.split(";")]
    is_topic = any(each and not _is_said(each) for each in parts)
    if is_topic and stated and all(_is_broad(work) for *_, work in stated):
        # Papers on code generation by reinforcement learning seldom say that they use that.
        parts, stated = [content(asked.typed(text))], []
    for verb_name, joint, work in stated:
        name = verb_name
        if name in ("cites", "cited_by"):
            papers = papers_named(asked.reader, work.id)
            own = asked.reader.cited_by if name == "cites" else asked.reader.cites
            if ids := tuple({id_ for each in own(papers).values() for id_ in each}):
                found.criteria.append(Criterion(ids))
                found.phrases.append(f"{VERBS[name][0]} {quoted(work)}")
                continue
            asked.remark(f"No paper here is known to {VERBS[name][0].replace('are ', 'be ')} {quoted(work)}.")
            # Who asks for what cites a work can also look at what names it.
            name = "MENTIONS"
        if len(found.criteria) < MOST_CRITERIA:
            found.add(asked.reader, work, name, joint)
    found.topic = " ".join(each for each in parts if each and not (stated and _is_said(each)))
    # Of an author who is not known, the rest is looked for, if there is any.
    found.topic = found.topic or ("" if found.phrases else unknown)
    return excluding(asked, found, before)


def _is_broad(work: Work) -> bool:
    return isinstance(work, Entity) and work.general and work.kind is not EntityKind.HARDWARE


def _without_verb(text: str) -> str:
    """Return a text without a verb at its beginning that has no object: "developed for vision"."""
    text = content(text)
    verb = VERB.match(text)
    return text[verb.end() :] if verb else text


def _is_said(text: str) -> bool:
    """Return whether a text says no more than what a verb does: "as a baseline"."""
    return all(e in STOP_WORDS or is_noun(e) or is_cue(e) for e in text.casefold().split())


def _named(asked: Asked, text: str) -> Iterator[tuple[str, Work]]:
    """Yield the works that a list names, each with "or" if that is before it."""
    for each in _ITEM.finditer(text):
        yield from (("or" if each["or"] else "", work) for work in asked.works(each["name"])[:1])


def _ends(text: str) -> bool:
    """Return whether a name may end before this text: of "LoRA adapters" it is only a part."""
    word = re.match(r" ([\w'-]+)", text)
    return not word or word[1].casefold() in STOP_WORDS or bool(VERB.match(text, 1))


def _by_origin(asked: Asked, found: Conditions, text: str) -> tuple[str, str]:
    """Choose the papers by the people and places in a text, and return the text without them, with
    the people who are not known."""
    unknown, start = [], 0
    while match := _ORIGIN.search(text, start):
        if any(each.end() == match.start() - 1 for each in VERB.finditer(text)):
            start = match.start("who")  # "Inspired by".
            continue
        verb = "venue" if match["word"].casefold() in ("at", "in") else "author"
        start = match.end()
        rest = []
        if not _choose(asked, found, verb, match["who"]):
            rest = [e for e in _AND.split(match["who"]) if not _choose(asked, found, verb, e)]
        if not rest:
            text, start = f"{text[: match.start()]};{text[match.end() :]}", match.start()
        # Of a field, such as "in Robotics", nothing is to be said.
        elif match["word"].casefold() != "in":
            name = asked.typed(match["who"])
            said = f"{VERBS[verb][0]} {name}".replace("are ", "be ", 1)
            asked.remark(f"No paper here is known to {said}.")
            works = asked.works(match["who"]) if re.fullmatch(NAME, match["who"]) else []
            if works:
                found.add(asked.reader, works[0], "MENTIONS")
            if works or (verb == "author" and name[:1].isupper()):
                unknown.append(name)
                text, start = f"{text[: match.start()]};{text[match.end() :]}", match.start()
    return text, " ".join(unknown)


def excluding(asked: Asked, found: Conditions, verb: str = "about") -> Conditions:
    """Add what a question leaves out, in the words of the last `verb` if it has no other."""
    for words, works in asked.exceptions:
        for work in works:
            own = VERB.match(f"{words.strip()} x")
            found.add(asked.reader, work, str(own.lastgroup) if own else verb, "not")
    return found


def _choose(asked: Asked, found: Conditions, verb: str, name: str) -> bool:
    """Add an author, a venue or citations to what papers must meet, if there are any.

    Of a surname, all who have it are meant; of several authors, papers of any of them.
    """
    said, filters = VERBS[verb]
    reader, typed = asked.reader, asked.typed(name).strip('"')
    for filter_ in filters:
        chosen, called = found.selection.changed(**{filter_: typed}), asked.typed(name)
        if filter_ == "author":
            people = reader.people_called(typed)
            if not people and (people := reader.people_surnamed(typed)):
                called = joined(dict.fromkeys(each.name for each in people), "or")
            if not people:
                continue
            authors = dict.fromkeys((*found.selection.authors, *(each.id for each in people)))
            chosen = found.selection.changed(authors=tuple(authors))
        try:
            of_all_years = papers_filter(reader, chosen.changed(since=None, until=None))
            if reader.count(WorkType.PAPER, of_all_years):
                if filter_ == "author" and found.selection.authors:
                    found.phrases[-1] += f" or {called}"
                else:
                    found.phrases.append(f"{said} {called}")
                found.selection = chosen
                return True
        except LookupError:
            continue
    return False


def content(text: str) -> str:
    """Return a text without the words around it that say nothing of a topic."""
    words = text.split()
    says = [number for number, each in enumerate(words) if each.casefold() not in STOP_WORDS]
    return " ".join(words[says[0] : says[-1] + 1]) if says else ""
