"""The papers that a question asks for: what they state, "use LoRA and run on A100, but not QLoRA",
who wrote them, and what they are about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import Criterion, Reader, Work, WorkType
from stemma.graph.searching import MOST_CRITERIA, entities_meant, papers_filter, papers_named
from stemma.graph.selection import Selection
from stemma.schema import Entity, EntityKind, RelationType
from stemma.server.asking.asked import Asked, content, is_general, joined, quoted
from stemma.server.asking.question import NAME, PATTERNS, STOP_WORDS, VERB, VERBS, is_cue, is_noun
from stemma.server.asking.reading import Reading

_ON = {EntityKind.DATASET: "EVALUATED_ON", EntityKind.HARDWARE: "RUNS_ON"}


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
        is_data = isinstance(work, Entity) and work.kind is EntityKind.DATASET
        # What is trained on data uses it.
        said, means = VERBS["USES" if verb == "RUNS_ON" and is_data else verb]
        is_not, ids = joint == "not", tuple(sorted(entities_meant(reader, work)))
        if verb in ("cites", "cited_by"):
            papers = papers_named(reader, work.id)
            found = reader.cited_by(papers) if verb == "cites" else reader.cites(papers)
            ids, means = tuple(sorted({id_ for each in found.values() for id_ in each})) or ids, ()
        if joint == "or" and self.criteria and not self.criteria[-1].excluded:
            last = self.criteria.pop()
            self.criteria.append(replace(last, entities=(*last.entities, *ids)))
            self.phrases[-1] += f" or {quoted(work)}"
            return
        if is_not:
            said = said.replace("are ", "are not ") if said.startswith("are ") else f"do not {said}"
        self.criteria.append(Criterion(ids, tuple(map(RelationType, means)), is_not))
        self.phrases.append(f"{said} {quoted(work)}")


def conditions(asked: Asked, text: str, *, excepting: bool = True) -> Conditions:
    """Read what a part of a question says of papers: what they do to the works that it names, by
    whom they are and where they appeared; what is left is the topic. If `excepting`, what the
    question leaves out is left out of the papers."""
    found, rest, stated = Conditions(asked.question.selection), [*text], list[tuple[str, ...]]()
    works = dict[str, Work]()
    for verb in Reading(asked, text).verbs:
        objects, named = PATTERNS["objects"].match(text, verb.end), list[tuple[str, str]]()
        spans = [(verb.start, verb.end)]
        if objects and _ends(text[objects.end() :]) and (verb.name == "cites" or verb.objects):
            named, spans = PATTERNS["object"].findall(objects[0]), [(verb.start, objects.end())]
        elif verb.passive and verb.objects and not verb.subjects:  # "LoRA is used".
            names = [*re.finditer(NAME, text[: verb.start])]
            named, spans = [("", each[0]) for each in names], [*spans, *(e.span() for e in names)]
        for start, end in spans if named else ():
            rest[start:end] = [";"] * (end - start)
        name = "cited_by" if verb.name == "cites" and verb.passive and objects else verb.name
        for joint, item in named:
            works.update((item, each) for each in asked.works(item)[:1])
            stated += [(name, joint.lower(), item)] if item in works else []
    for match in re.finditer(rf" on ({NAME})", "".join(rest)) if stated else ():
        work = next(iter(asked.works(match[1])), None)
        if isinstance(work, Entity) and work.kind in _ON:  # "Beat GPT-4 on HumanEval".
            works[match[1]] = work
            stated.append((_ON[work.kind], "", match[1]))
            rest[match.start() : match.end()] = ";" * len(match[0])
    left, unknown = _by_origin(asked, found, "".join(rest))
    parts = [content(asked.typed(_without_verb(each))) for each in left.split(";")]
    if any(not _is_said(each) for each in parts) and all(map(_is_broad, works.values())) and works:
        # Papers on code generation by reinforcement learning seldom say that they use that.
        parts, stated = [content(asked.typed(text))], []
    for name, joint, item in stated[:MOST_CRITERIA]:
        found.add(asked.reader, works[item], name, joint)
        if name in ("cites", "cited_by") and works[item].id in found.criteria[-1].entities:
            # Who asks for what cites a work can also look at what names it.
            said, _ = found.phrases.pop(), found.criteria.pop()
            asked.remark(f"No paper here is known to {said.replace('are ', 'be ', 1)}.")
            found.add(asked.reader, works[item], "MENTIONS", joint)
    found.topic = " ".join(each for each in parts if not (stated and _is_said(each)))
    # Of an author who is not known, the rest is looked for, if there is any.
    found.topic = found.topic.strip() or ("" if found.phrases else unknown)
    return excluding(asked, found, stated[-1][0] if stated else "about") if excepting else found


def excluding(asked: Asked, found: Conditions, verb: str = "about") -> Conditions:
    """Add what a question leaves out, in the words of the last `verb` if it has no other."""
    for words, works in asked.exceptions:
        own = VERB.match(f"{words.strip()} x")
        for work in works:
            found.add(asked.reader, work, str(own.lastgroup) if own else verb, "not")
    return found


def _without_verb(text: str) -> str:
    """Return a text without a verb at its beginning that has no object: "developed for vision"."""
    verb = VERB.match(text := content(text))
    return text[verb.end() :] if verb else text


def _is_said(text: str) -> bool:
    """Return whether a text says no more than what a verb does: "as a baseline"."""
    return all(e in STOP_WORDS or is_noun(e) or is_cue(e) for e in text.casefold().split())


def _is_broad(work: Work) -> bool:
    return is_general(work) and work.kind is not EntityKind.HARDWARE  # type: ignore[union-attr]


def _ends(text: str) -> bool:
    """Return whether a name may end before this text: of "LoRA adapters" it is only a part."""
    word = re.match(r" ([\w'-]+)", text)
    return not word or word[1].casefold() in STOP_WORDS or bool(VERB.match(text, 1))


def _by_origin(asked: Asked, found: Conditions, text: str) -> tuple[str, str]:
    """Choose the papers by the people and places in a text, and return the text without them, with
    the people who are not known."""
    unknown, start, verbs = list[str](), 0, {each.end() + 1 for each in VERB.finditer(text)}
    while match := PATTERNS["origin"].search(text, start):
        (word, name), start = match.groups(), match.end()
        if match.start() in verbs:  # "Inspired by".
            continue
        is_place, typed = word.casefold() in ("at", "in"), asked.typed(name)
        filters = ("venue", "organization") if is_place else ("author", "organization", "venue")
        names = [asked.typed(each) for each in PATTERNS["each"].split(name)]
        chosen = [_choose(asked, found, filters, each) for each in names]
        # A name may have "and" in it.
        is_known = all(chosen) or (len(names) > 1 and _choose(asked, found, filters, typed))
        if not is_known and word.casefold() != "in":  # Of a field, nothing is to be said.
            if typed[:1].isupper() or not is_place:
                where = "from" if is_place else "by"
                asked.remark(f"No paper here is known to be {where} {typed}.")
            for work in asked.works(name) if re.fullmatch(NAME, name) else ():
                found.add(asked.reader, work, "MENTIONS")
                is_known = True
            if not is_known and not is_place and typed[:1].isupper():
                unknown.append(typed)
                is_known = True
        if is_known:
            text, start = f"{text[: match.start()]};{text[match.end() :]}", match.start()
    return text, " ".join(unknown)


def _choose(asked: Asked, found: Conditions, filters: Sequence[str], name: str) -> bool:
    """Choose papers by the first of these filters that lets any pass, if one does.

    Of a surname, all who have it are meant; of several authors, papers of any of them.
    """
    reader, name, said = asked.reader, name.strip('"'), "are from"
    if filters[0] == "author":
        said = "are by"
        called = reader.people_called(name)
        if people := called or reader.people_surnamed(name):
            before, ids = found.selection.authors, (each.id for each in people)
            if not called:
                name = joined(dict.fromkeys(each.name for each in people), "or")
            found.selection = found.selection.changed(authors=(*dict.fromkeys((*before, *ids)),))
            if before:
                found.phrases[-1] += f" or {name}"
            else:
                found.phrases.append(f"{said} {name}")
            return True
    for filter_ in filters[filters[0] == "author" :]:
        chosen = found.selection.changed(**{filter_: name})
        of_all_years = chosen.changed(since=None, until=None)
        if reader.count(WorkType.PAPER, papers_filter(reader, of_all_years)):
            found.selection = chosen
            found.phrases.append(f"{said} {name}")
            return True
    return False
