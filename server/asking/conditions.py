"""The conditions of a question: what papers state, "use LoRA and run on A100, but not QLoRA", who
wrote them, and what they are about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import Criterion, Reader, Work, WorkType
from stemma.graph.criteria import (
    MOST_CRITERIA,
    counts_narrower,
    meeting_statements,
    papers_filter,
)
from stemma.graph.selection import PageOrder, Selection
from stemma.schema import RelationType, Statement
from stemma.server.asking.asked import Asked
from stemma.server.asking.names import joined, quoted
from stemma.server.asking.question import STOP_WORDS, VERBS, is_noun
from stemma.server.asking.searching import FEW, MOST_FOUND, papers_about, to_read_first

_JOINT = re.compile(
    r"(?i)(?:^| |,)(and|but|or|that|which|who|while|"
    r"(?<!ed )(?<!en )(?=(?:by|in) (?-i:[A-Z])))(?=\b)"
)
_FILLER = re.compile(
    r"(?i)^(?:(?:both|either|also|only|have|has|been|were|was|are|is|do|does|people|should|can|"
    r"could|they|directly|mainly|actually|currently|mostly) )*"
)
_MOST_READ = 500


@dataclass(slots=True)
class Conditions:
    """What papers must meet: criteria, what a selection says, and the words of their topic.

    `phrases` say the criteria in words.
    """

    selection: Selection
    criteria: list[Criterion] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)

    @property
    def topic(self) -> str:
        """The topic of the papers: the words that are no criterion."""
        return content(" ".join(self.topics))

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"

    def add(self, reader: Reader, work: Work, verb: str, joint: str) -> None:
        """Add that papers have a relation to a work, do not have it, or have it to this or another:
        what `joint` says."""
        if joint == "or" and self.criteria and not self.criteria[-1].excluded:
            last = self.criteria[-1]
            self.criteria[-1] = replace(last, entities=(*last.entities, work.id))
            self.phrases[-1] += f" or {quoted(work)}"
            return
        (said, means, _), is_not = VERBS[verb], joint == "not"
        if is_not:
            said = said.replace("are ", "are not ") if said.startswith("are ") else f"do not {said}"
        relations, narrower = tuple(map(RelationType, means)), counts_narrower(reader, work)
        self.criteria.append(Criterion((work.id,), relations, is_not, narrower))
        self.phrases.append(f"{said} {quoted(work)}")


def acts(text: str) -> bool:
    """Return whether a text begins with what papers do, such as "use LoRA"."""
    text = _FILLER.sub("", f"{text} ")
    return any(each.match(text) for name, (*_, each) in VERBS.items() if name != "about")


def conditions(asked: Asked, text: str) -> Conditions:
    """Read the conditions that follow "papers" in a question.

    What names nothing, or says more than a name, is the topic. Of an author or a venue that is not
    known, the answer says so.
    """
    found, last = Conditions(asked.question.selection), "about"
    for verb, joint, part, rest in _parts(text):
        said, means, _ = VERBS[verb]
        last = verb if means else last
        if means and means[0].islower():  # A filter.
            name, about = [*re.split(" (?:about|on|for) ", rest, maxsplit=1), ""][:2]
            phrase = f"{said} {asked.typed(name)}"
            if chosen := _chosen(asked.reader, found.selection, means, asked.typed(name)):
                found.selection = chosen
                found.phrases.append(phrase)
            elif part.casefold().startswith("in "):  # A field, such as "in Robotics".
                about = name
            else:
                asked.remarks[f"No paper here is known to {phrase.replace('are ', 'be ', 1)}."] = None
                # Who asks for what cites a work can also look at what names it.
                works = asked.works(name)
                about = f"{'' if works else asked.typed(name)} {about}"
                for work in works[:1]:
                    found.add(asked.reader, work, "MENTIONS", joint)
            found.topics.append(asked.typed(about))
            continue
        works = asked.works(rest) if verb != "about" else []
        beside = "" if is_noun(rest) else content(asked.typed(asked.besides(rest, 1)))
        if works and not beside and len(found.criteria) < MOST_CRITERIA:
            found.add(asked.reader, works[0], verb, joint)
        else:
            found.topics += [joint] if joint in ("and", "or") and found.topic else []
            found.topics.append(asked.typed(rest if verb == "about" else part))
    for verb_text, works in asked.exceptions:
        said = _FILLER.sub("", f"{verb_text.strip()} ")
        named = (name for name, (*_, each) in VERBS.items() if each.match(f"{said} x"))
        verb = next(named, last)
        # Of "run on V100 and not on A100", both run on it.
        verb = last if verb == "about" and VERBS[last][0].endswith(f" {said.strip()}") else verb
        for work in works:
            found.add(asked.reader, work, verb, "not")
    return found


def _parts(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the verb of each condition (if it has none, of the one before it), the word that joins
    it to that, the condition, and it without the verb."""
    verb, joint = "about", ""
    for number, piece in enumerate(_JOINT.split(text)):
        if number % 2:
            joint = piece.casefold()
            continue
        part = piece.strip(" ,")
        rest = _FILLER.sub("", f"{part} ")
        matches = ((name, each.match(rest)) for name, (*_, each) in VERBS.items())
        before = verb
        verb, match = next((each for each in matches if each[1]), (verb, None))
        # Of "run on V100 and on A100", both run on it.
        if verb == "about" and match and VERBS[before][0].endswith(f" {match[0].strip()}"):
            verb = before
        if rest := rest[match.end() if match else 0 :].strip():
            yield verb, joint, part, rest


def _chosen(
    reader: Reader, selection: Selection, filters: Sequence[str], name: str
) -> Selection | None:
    """Return a selection of papers of an author or venue, or by citations, if there are any."""
    for filter_ in filters:
        try:
            chosen = selection.changed(**{filter_: name.strip('"')})
            of_all_years = chosen.changed(since=None, until=None)
            if reader.count(WorkType.PAPER, papers_filter(reader, of_all_years)):
                return chosen
        except LookupError:
            continue
    return None


def meeting(
    asked: Asked, wanted: Conditions, few: int = FEW
) -> tuple[Sequence[Work], list[Statement], int]:
    """Return papers that meet conditions, with statements by which they do, and how many there are:
    those on a topic in the order of the question, by default the best match first; a `few`, even if
    they match less well, and those of years that are asked for."""
    reader, order, years = asked.reader, asked.question.selection.order, wanted.selection.years
    if not wanted.topic:
        most = max(asked.end, _MOST_READ)
        chosen = papers_filter(reader, wanted.selection, wanted.criteria)
        by = wanted.selection.order or PageOrder.PUBLISHED
        page = reader.page(WorkType.PAPER, chosen.changed(order=by, first=most))
        stated = meeting_statements(reader, [each.id for each in page.items], chosen)
        return page.items, [each for own in stated.values() for each in own], page.total
    # Papers of other years count for what a good match is; of an order, a bad one is not the first.
    of_all_years = wanted.selection.changed(since=None, until=None)
    chosen = papers_filter(reader, of_all_years, wanted.criteria)
    few = 0 if order else MOST_FOUND if years else few
    ranked = papers_about(reader, wanted.topic, chosen, few)
    dates = reader.published([each.id for each in ranked])
    undated = [each.id for each in ranked if each.id not in dates]
    if undated and (order or years):
        where = "left out" if years else "last"
        asked.remarks[f"Without a date, and {where}: {len(undated):,}."] = None
    ranked = [e for e in ranked if years.hold(dates[e.id].year if e.id in dates else None)]
    ids = [each.id for each in ranked]
    if asked.question.introductory:
        ids = to_read_first(reader, ranked)
    elif order:
        dated = sorted((dates[each].sort_key, each) for each in ids if each in dates)
        last = () if years else undated
        ids = [*(id_ for _, id_ in dated[:: -1 if order is PageOrder.NEWEST else 1]), *last]
    return list(reader.works(ids).values()), [], len(ids)


def content(text: str) -> str:
    """Return a text without the words around it that say nothing of a topic."""
    words = text.split()
    says = [number for number, each in enumerate(words) if each.casefold() not in STOP_WORDS]
    return " ".join(words[says[0] : says[-1] + 1]) if says else ""
