"""Conditions on papers: "use LoRA and run on A100, but not QLoRA"."""

import re
from dataclasses import dataclass, field, replace

from stemma.graph import Reader, Work
from stemma.graph.criteria import MOST_CRITERIA, Criterion, counts_narrower, papers_where
from stemma.graph.selection import Selection
from stemma.schema import Entity, EntityKind, RelationType
from stemma.server.asking.naming import Names, joined, quoted
from stemma.server.asking.question import VERBS

_NEGATIONS = "without|except|not|do not|don't|does not|doesn't"
_JOINT = re.compile(
    rf"(?i)(?:^| |,)(and|but|or|{_NEGATIONS}|that|which|who|while|"
    r"(?<!ed )(?<!en )(?=(?:by|in) (?-i:[A-Z])))(?=\b)"
)
_FILLER = re.compile(
    r"(?i)^(?:(?:both|either|also|only|have|has|been|were|was|are|is|do|does|people|should|can|"
    r"could|they|mainly|actually|currently|mostly) )*"
)
_TOPIC = re.compile("(?i) (?:about|on|for|in|at|as|with|when) ")
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
_SAID = {"author": "by", "venue": "from", "cites": "citing", "cited_by": "cited by"}
_PROVENANCE = {
    "author": ("author", "organization", "venue"),
    "venue": ("venue", "organization"),
    "cites": ("cites",),
    "cited_by": ("cited_by",),
}
"""The filters by which papers "by", "at", "citing" and "cited by" something may be chosen."""


@dataclass(slots=True)
class Conditions:
    """What papers must meet: criteria, what a selection says, and the words of their topic.

    `phrases` say the criteria in words. `unknown` says of whom or where no paper is.
    """

    selection: Selection
    criteria: list[Criterion] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    topic: list[str] = field(default_factory=list)
    unknown: str = ""

    def __str__(self) -> str:
        about = f" about {' '.join(self.topic)}" if self.topic else ""
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


def conditions(names: Names, text: str, selection: Selection, split: bool = False) -> Conditions:
    """Read the conditions that follow "papers" in a question.

    A part without a verb goes on with the one before it; what names nothing is the topic, and so
    is what follows a name if this may be `split`: "GPT-4 on coding".
    """
    found = Conditions(selection)
    verb, excluded, joint = "about", False, ""
    for number, part in enumerate(_JOINT.split(text)):
        if number % 2:
            joint = part.casefold()
            excluded = bool(re.fullmatch(_NEGATIONS, joint)) or (excluded and joint == "or")
            continue
        said = _FILLER.sub("", f"{part.strip(' ,')} ").strip()
        for name, pattern in VERBS:
            if match := pattern.match(f"{said} "):
                verb, said = name, said[match.end() :]
                break
        if not said:
            continue
        if verb in _PROVENANCE:
            in_field = match is not None and match[0].casefold().strip() == "in"
            if _chosen(names.reader, found, verb, said, in_field):
                continue
            verb = "about"
        work: Work | None = None
        if verb != "about" or excluded:
            parts = _parts(said) if split else []
            tried = ((names.work(name), about) for name, about in parts)
            work, about = next((each for each in tried if each[0]), (None, ""))
            work = work or names.work(said, correct=verb != "about")
            found.topic += [about] if about else []
        if work and len(found.criteria) < MOST_CRITERIA:
            found.add(names.reader, work, verb, excluded, joint == "or")
        elif not excluded:
            found.topic += [joint] if joint in ("and", "or") and found.topic else []
            found.topic.append(said if verb == "about" else part.strip(" ,"))
    return found


def _parts(said: str) -> list[tuple[str, str]]:
    """Return a name with what follows it, the longest first: ("GPT-4", "coding")."""
    places = reversed([*_TOPIC.finditer(said)])
    return [(said, ""), *((said[: each.start()], said[each.end() :]) for each in places)]


def _chosen(reader: Reader, found: Conditions, verb: str, said: str, in_field: bool) -> bool:
    """Restrict papers to those of an author or venue, or by citations; note if there are none.

    Return False for a field, such as "in robotics", that is no venue.
    """
    name, about = _parts(said)[-1] if verb == "author" else (said, "")
    name = name.strip('"')
    for filter_ in _PROVENANCE[verb]:
        try:
            some = papers_where(reader, (), Selection(first=1).changed(**{filter_: name})).total
        except LookupError:
            continue
        if some:
            found.selection = found.selection.changed(**{filter_: name})
            how = {"author": "are by", "cites": "cite", "cited_by": "are cited by"}
            found.phrases.append(f"{how.get(filter_, 'are from')} {name}")
            break
    else:
        if in_field:
            return False
        found.unknown = f"No paper here is known to be {_SAID[verb]} {name}."
    found.topic += [about] if about else []
    return True
