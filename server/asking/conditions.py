"""Conditions on papers: "use LoRA and run on A100, but not QLoRA"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import FilterError, Reader, Work
from stemma.graph.criteria import MOST_CRITERIA, Criterion, counts_narrower, papers_where
from stemma.graph.selection import Selection
from stemma.schema import RelationType
from stemma.server.asking.naming import Names, joined, quoted
from stemma.server.asking.question import VERBS, is_noun
from stemma.server.asking.search import content

_NEGATIONS = "without|except|not|do not|don't|does not|doesn't"
_JOINT = re.compile(
    rf"(?i)(?:^| |,)(and|but|or|{_NEGATIONS}|that|which|who|while|"
    r"(?<!ed )(?<!en )(?=(?:by|in) (?-i:[A-Z])))(?=\b)"
)
_FILLER = re.compile(
    r"(?i)^(?:(?:both|either|also|only|have|has|been|were|was|are|is|do|does|people|should|can|"
    r"could|they|mainly|actually|currently|mostly) )*"
)


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
        """What the papers are about."""
        return content(" ".join(self.topics))

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"


def begins_with_verb(text: str) -> bool:
    """Return whether a text begins with what papers do, such as "use LoRA"."""
    return any(each.match(f"{text} ") for name, (*_, each) in VERBS.items() if name != "about")


def conditions(names: Names, text: str, selection: Selection) -> Conditions:
    """Read the conditions that follow "papers" in a question.

    What names nothing, or says more than a name, is the topic. Raises FilterError where nothing is
    known of an author or a venue, and there is no other condition.
    """
    found, unknown = Conditions(selection), ""
    for verb, joint, part, rest in _parts(text):
        said, means, _ = VERBS[verb]
        if means and means[0].islower():  # A filter.
            name, _, about = rest.partition(" about ")
            phrase = f"{said} {names.typed(name)}"
            if chosen := _chosen(names, found.selection, means, names.typed(name)):
                found.selection = chosen
                found.phrases.append(phrase)
            elif part.casefold().startswith("in "):  # A field, such as "in Robotics".
                about = name
            else:
                unknown = f"No paper here is known to {phrase.replace('are ', 'be ', 1)}"
            found.topics.append(names.typed(about))
            continue
        works = names.works(rest) if verb != "about" or joint == "not" else []
        beside = "" if is_noun(rest) else content(names.typed(names.besides(rest, 1)))
        if works and (joint == "not" or not beside) and len(found.criteria) < MOST_CRITERIA:
            _add(found, names.reader, works[0], verb, joint)
            found.topics.append(beside)
        elif joint != "not":
            found.topics += [joint] if joint in ("and", "or") and found.topic else []
            found.topics.append(names.typed(rest if verb == "about" else part))
    if unknown and not (found.criteria or found.topic):
        raise FilterError(unknown)
    if unknown:
        names.remarks[f"{unknown}."] = None
    return found


def _parts(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the verb of each condition (if it has none, of the one before it), the word that joins
    it to that ("not" if it is excluded), the condition, and it without the verb."""
    verb, joint = "about", ""
    for number, piece in enumerate(_JOINT.split(text)):
        if number % 2:
            is_not = re.fullmatch(f"(?i:{_NEGATIONS})", piece) or (piece, joint) == ("or", "not")
            joint = "not" if is_not else piece.casefold()
            continue
        part = piece.strip(" ,")
        rest = _FILLER.sub("", f"{part} ")
        matches = ((name, each.match(rest)) for name, (*_, each) in VERBS.items())
        verb, match = next((each for each in matches if each[1]), (verb, None))
        if rest := rest[match.end() if match else 0 :].strip():
            yield verb, joint, part, rest


def _add(found: Conditions, reader: Reader, work: Work, verb: str, joint: str) -> None:
    """Add that papers have a relation to a work, do not have it, or have it to this or another."""
    if joint == "or" and found.criteria and not found.criteria[-1].excluded:
        last = found.criteria[-1]
        found.criteria[-1] = replace(last, others=(*last.others, work.id))
        found.phrases[-1] += f" or {quoted(work)}"
        return
    (said, means, _), is_not = VERBS[verb], joint == "not"
    if is_not:
        said = said.replace("are ", "are not ") if said.startswith("are ") else f"do not {said}"
    relations = tuple(map(RelationType, means))
    narrower = counts_narrower(reader, work)
    found.criteria.append(Criterion(work.id, relations, narrower, excluded=is_not))
    found.phrases.append(f"{said} {quoted(work)}")


def _chosen(
    names: Names, selection: Selection, filters: Sequence[str], name: str
) -> Selection | None:
    """Return a selection of papers of an author or venue, or by citations, if there are any."""
    for filter_ in filters:
        try:
            chosen = selection.changed(**{filter_: name.strip('"')})
            of_all_years = chosen.changed(first=1, since=None, until=None)
            if papers_where(names.reader, (), of_all_years).total:
                return chosen
        except LookupError:
            continue
    return None
