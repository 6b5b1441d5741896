"""The papers that a question asks for: what they state, "use LoRA and run on A100, but not QLoRA",
who wrote them, and what they are about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import Criterion, Reader, Work, WorkType
from stemma.graph.searching import MOST_CRITERIA, entities_meant, papers_filter, papers_named
from stemma.graph.selection import Selection
from stemma.schema import RelationType
from stemma.server.asking.asked import Asked, joined, quoted
from stemma.server.asking.parser import STATED, Span
from stemma.server.asking.question import VERBS

_OR = re.compile(r"(?i)(?:\bor\b|/|\beither\b)")


@dataclass(slots=True)
class Conditions:
    """What papers must meet: what a selection says, with criteria, and the words of their topic.

    `phrases` say the criteria in words; other `words` of the question may tell of the topic too, or
    all of the `question`, where papers are what it asks for.
    """

    selection: Selection
    topic: str = ""
    words: Sequence[str] = ()
    question: str = ""
    criteria: list[Criterion] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"

    def add(self, reader: Reader, work: Work, verb: str, joint: str = "") -> None:
        """Add that papers have a relation to a work, do not have it, or have it to this or another:
        what `joint` says."""
        said, means = VERBS[verb]
        meant = entities_meant(reader, work)  # The work comes first, then what is narrower.
        is_not, ids = joint == "not", tuple(sorted(meant, key=lambda id_: (id_ != work.id, id_)))
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


def conditions(asked: Asked) -> Conditions:
    """Return what a question says of papers, by the roles of its spans: what they do to works, by
    whom they are and where they appeared, what they are about, and what is left out."""
    found = Conditions(asked.question.selection, words=asked.others)
    topic, before = [*asked.topics], list[Span]()
    unknown = list[str]()
    for span in asked.spans(*STATED)[:MOST_CRITERIA]:
        if not (work := asked.work(span.text)):
            topic.append(span)  # Of what has no name here, papers may say the words.
            continue
        between = asked.question.text[before[-1].end : span.start] if before else ""
        is_same = bool(before) and before[-1].role == span.role
        joint = "or" if is_same and _OR.search(between) else ""
        found.add(asked.reader, work, span.role, joint)
        if span.role in ("cites", "cited_by") and work.id in found.criteria[-1].entities:
            # Who asks for what cites a work can also look at what names it.
            said, _ = found.phrases.pop(), found.criteria.pop()
            asked.remark(f"No paper here is known to {said.replace('are ', 'be ', 1)}.")
            found.add(asked.reader, work, "mentions", joint)
        before.append(span)
    for span in asked.spans("author", "venue"):
        filters = ("venue", "organization") if span.role == "venue" else ("author", "organization")
        if not _choose(asked, found, filters, span.text):
            if span.role == "venue" and (work := asked.work(span.text)):
                found.add(asked.reader, work, "uses")  # "Data sets that were made from Wikipedia".
                continue
            where = "from" if span.role == "venue" else "by"
            asked.remark(f"No paper here is known to be {where} {span.text}.")
            unknown += [span.text] if span.role == "author" else []
    # Of an author who is not known, the rest is looked for, if there is any.
    found.topic = asked.phrase(topic) or ("" if found.phrases else " ".join(unknown))
    return excluding(asked, found, before[-1].role if before else "about")


def excluding(asked: Asked, found: Conditions, verb: str = "about") -> Conditions:
    """Add that papers do not do what a `verb` says to the works that the question leaves out; of
    those of an author, that they do not introduce them."""
    verb = "introduces" if found.selection.authors else verb
    for work in asked.exceptions:
        found.add(asked.reader, work, verb, "not")
    return found


def _choose(asked: Asked, found: Conditions, filters: Sequence[str], name: str) -> bool:
    """Choose papers by the first of these filters that lets any pass, if one does.

    Of several authors, papers of any of them are meant.
    """
    reader, name, said = asked.reader, name.strip('"').removesuffix("'s"), "are from"
    if filters[0] == "author" and (people := reader.people_meant(name)):
        before, ids = found.selection.authors, (person.id for person in people)
        name = joined(dict.fromkeys(person.name for person in people), "or")
        found.selection = found.selection.changed(authors=(*dict.fromkeys((*before, *ids)),))
        if before:
            found.phrases[-1] += f" or {name}"
        else:
            found.phrases.append(f"are by {name}")
        return True
    for filter_ in filters[filters[0] == "author" :]:
        chosen = found.selection.changed(**{filter_: name})
        of_all_years = chosen.changed(since=None, until=None)
        if reader.count(WorkType.PAPER, papers_filter(reader, of_all_years)):
            found.selection = chosen
            found.phrases.append(f"{said} {name}")
            return True
    return False
