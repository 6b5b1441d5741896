"""Conditions on papers: "use LoRA and run on A100, but not QLoRA"."""

import re
from dataclasses import dataclass, field, replace

from stemma.graph import FilterError, Reader, Work
from stemma.graph.criteria import MOST_CRITERIA, Criterion, counts_narrower, papers_where
from stemma.graph.selection import Selection
from stemma.schema import Entity, EntityKind, RelationType
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
ABOUT = tuple(each for each in RelationType if each is not RelationType.MENTIONS)
"""The relations of a paper to what it is about: all but a mere mention."""
_MEANT = {
    "about": ABOUT,
    "MENTIONS": tuple(RelationType),
    "USES": (RelationType.USES, RelationType.BUILDS_ON),
    "BUILDS_ON": (RelationType.BUILDS_ON, RelationType.IMPROVES_ON),
}
ON_KIND = {
    EntityKind.HARDWARE: (RelationType.RUNS_ON, RelationType.USES),
    EntityKind.DATASET: (RelationType.EVALUATED_ON, RelationType.USES),
}
"""The relations of papers to what they use of a kind, whatever the verb."""
_PROVENANCE = {
    "author": ("by", "are by", ("author", "organization", "venue")),
    "venue": ("from", "are from", ("venue", "organization")),
    "cites": ("citing", "cite", ("cites",)),
    "cited_by": ("cited by", "are cited by", ("cited_by",)),
}
"""How papers "by", "at", "citing" and "cited by" something are called, and their filters."""


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
        return content(" ".join(filter(None, self.topics)))

    def __str__(self) -> str:
        about = f" about {self.topic}" if self.topic else ""
        return f"papers{about}{' that ' if self.phrases else ''}{joined(self.phrases)}"

    def add(self, reader: Reader, work: Work, verb: str, excluded: bool, other: bool) -> None:
        """Add that papers have a relation to a work, do not have it, or have it to this `other`."""
        last = self.criteria[-1] if self.criteria else None
        if other and last and not last.excluded:
            self.criteria[-1] = replace(last, others=(*last.others, work.id))
            self.phrases[-1] += f" or {quoted(work)}"
            return
        relations = relations_of(verb, work)
        said = {"about": "are about", "MENTIONS": "mention"}.get(verb)
        said = said or joined(map(_plural, relations), "or")
        if excluded:
            said = f"are not{said[3:]}" if said.startswith("are ") else f"do not {said}"
        self.criteria.append(
            Criterion(work.id, relations, counts_narrower(reader, work), excluded=excluded)
        )
        self.phrases.append(f"{said} {quoted(work)}")


def _plural(relation: RelationType) -> str:
    """Return a relation as it follows a plural: "build on"."""
    first, *others = relation.words.split()
    return " ".join((f"are {first}" if first.endswith("d") else first.removesuffix("s"), *others))


def relations_of(verb: str, work: Work) -> tuple[RelationType, ...]:
    """Return the relations to a work that a verb of the table means."""
    if isinstance(work, Entity) and verb in ("USES", "RUNS_ON", "EVALUATED_ON"):
        if work.kind in ON_KIND:
            relations = ON_KIND[work.kind]
            return relations[:1] if relations[0] == verb else relations
        if verb != "USES":
            return (RelationType(verb), RelationType.USES)
    return _MEANT.get(verb) or (RelationType(verb),)


def begins_with_verb(text: str) -> bool:
    """Return whether a text begins with what papers do, such as "use LoRA"."""
    return any(pattern.match(f"{text} ") for name, pattern in VERBS if name != "about")


def conditions(names: Names, text: str, selection: Selection) -> Conditions:
    """Read the conditions that follow "papers" in a question.

    A part without a verb goes on with the one before it; what names nothing is the topic, and so
    is what stands beside a name: "GPT-4 on coding". Raises FilterError where nothing is known of
    an author or a venue, if no other condition is left.
    """
    found = Conditions(selection)
    verb, excluded, joint, unknown = "about", False, "", ""
    for number, part in enumerate(_JOINT.split(text)):
        if number % 2:
            joint = part.casefold()
            excluded = bool(re.fullmatch(_NEGATIONS, joint)) or (excluded and joint == "or")
            continue
        said = _FILLER.sub("", f"{part.strip(' ,')} ").strip()
        before = verb
        for name, pattern in VERBS:
            if match := pattern.match(f"{said} "):
                verb, said = name, said[match.end() :]
                break
        if not said:
            continue
        if verb in _PROVENANCE:
            name, _, about = said.partition(" about ")
            if _chosen(names, found, verb, names.typed(name).strip('"')):
                found.topics.append(names.typed(about))
                verb = "about"
                continue
            if not (match and match[0].casefold().strip() == "in"):  # A field is no venue.
                unknown = (
                    f"No paper here is known to be {_PROVENANCE[verb][0]} {names.typed(name)}."
                )
                found.topics.append(names.typed(about))
                continue
            verb = before
        works = names.works(said) if verb != "about" or excluded else []
        beside = content(names.besides(said)) if works else ""
        if (
            works
            and len(found.criteria) < MOST_CRITERIA
            and (excluded or not beside or is_noun(said))
        ):
            found.add(names.reader, works[0], verb, excluded, joint == "or")
            found.topics.append(content(names.typed(beside)))
        elif not excluded:
            found.topics += [joint] if joint in ("and", "or") and found.topic else []
            found.topics.append(names.typed(said if verb == "about" else part.strip(" ,")))
    if unknown and not (found.criteria or found.topic):
        raise FilterError(unknown.removesuffix("."))
    if unknown:
        names.remarks[unknown] = None
    return found


def _chosen(names: Names, found: Conditions, verb: str, name: str) -> bool:
    """Restrict papers to those of an author or venue, or by citations; return if there are any."""
    _, said, filters = _PROVENANCE[verb]
    for filter_ in filters:
        try:
            chosen = found.selection.changed(**{filter_: name})
            if papers_where(
                names.reader, (), chosen.changed(first=1, since=None, until=None)
            ).total:
                found.selection = chosen
                found.phrases.append(f"{said} {name}")
                return True
        except LookupError:
            continue
    return False
