"""The interpretation of a question: which of the questions that the graph can answer it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from stemma.graph import (
    LineageDirection,
    PageOrder,
    Reader,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.graph.criteria import Years
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.schema.identifier import ENTITY
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.authorship import UnknownAuthorQuestion
from stemma.server.asking.comparison import ComparisonQuestion
from stemma.server.asking.entities import EntityQuestion, KindQuestion, Sort
from stemma.server.asking.grammar import Grammar, Modifier, Parse
from stemma.server.asking.identity import IdentityQuestion
from stemma.server.asking.influence import InfluenceQuestion
from stemma.server.asking.lineage import DEEPEST, LineageQuestion
from stemma.server.asking.names import Names, Span
from stemma.server.asking.origin import Origin, Origins, cited_by, citing
from stemma.server.asking.papers import PaperQuestion, Term
from stemma.server.asking.path import PathQuestion
from stemma.server.asking.words import Word, name_of

_ABOUT = {"about", "study", "on"}
_PAPER = "paper"
_SHORTEST_TOPIC = 4
"""Letters of a topic that is sought in titles: fewer stand within other words."""


class Question(Protocol):
    """A question that the graph can answer."""

    @property
    def understood_as(self) -> str:
        """The question in plain words."""

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Answer it from the graph, with the works in `window` of all that there are.

        Its query gives the same works, from the first.
        """


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A question, and what its words say besides that it does not take into account.

    The `caveats` are about the works of the answer, if there are any.
    """

    question: Question
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedInterpretation:
    """The likeliest way to read a question of which some words are not the names of anything.

    `parse` is None where no way is likely. `unknown` are those words; of them `name` is the
    longest part that has a work, and `left` what stands besides. `known` are names elsewhere.
    """

    parse: Parse | None
    unknown: Span
    name: Span | None = None
    left: Span = ()
    known: tuple[Span, ...] = ()


class QuestionInterpreter:
    """Reads questions against the names of a graph."""

    def __init__(self, grammar: Grammar, reader: Reader) -> None:
        self._grammar = grammar
        self._reader = reader
        self._names = Names(reader)
        self._origins = Origins(reader)

    def read(self, words: Sequence[Word]) -> Interpretation | FailedInterpretation:
        """Read a question, taking the longest names for names.

        Raises AmbiguousNameError where a name is that of several works.
        """
        parses = self._grammar.parses(words)
        for parse in parses:
            if all(self._is_known(slot, name) for slot, name in parse.slots):
                return self._interpretation(parse)
        return (
            self._by_title(parses)
            or self._by_author(parses)
            or self._likeliest(parses, tuple(words))
        )

    def _is_known(self, slot: str, name: Span) -> bool:
        if slot == "origin":
            return self._origins.find(name) is not None
        return self._names.known(name)

    def _likeliest(
        self, parses: Sequence[Parse], words: Span
    ) -> Interpretation | FailedInterpretation:
        """Return what leaves the fewest words unknown, or which words those are."""

        def unknown(parse: Parse) -> list[Span]:
            return [name for name in parse.names if not self._names.known(name)]

        likely = [
            parse
            for parse in parses
            if not _is_bare_name(parse) and all(slot != "origin" for slot, _ in parse.slots)
        ]
        best = min(likely, key=lambda each: sum(len(name) for name in unknown(each)), default=None)
        if best is None:
            part, left = self._names.longest_within(words)
            return FailedInterpretation(None, words, part, left)
        for name in unknown(best):
            # A title that is spelt otherwise is found here, where all spellings are looked at.
            if not self._names.resolves(name):
                part, left = self._names.longest_within(name)
                known = tuple(each for each in best.names if self._names.known(each))
                return FailedInterpretation(best, name, part, left, known)
        return self._interpretation(best)

    def _by_title(self, parses: Sequence[Parse]) -> Interpretation | None:
        """Read "papers about X" as papers with X in the title, where nothing is called X."""
        for parse in reversed(parses):
            stated = _stated(parse)
            unknown = [pair for pair in stated if not self._names.known(pair[1])]
            if parse.form.intent != "papers" or len(unknown) != 1 or _kinds(parse):
                continue
            ((relation, name),) = unknown
            text = name_of(name)
            if relation not in _ABOUT or sum(map(str.isalnum, text)) < _SHORTEST_TOPIC:
                continue
            if not self._reader.page(WorkType.PAPER, WorkFilter(text=text), first=1).total:
                continue
            terms = tuple(
                self._term(other, known) for other, known in stated if (other, known) != unknown[0]
            )
            note = (
                f"Nothing in this graph is called “{text}”; showing papers whose title contains it "
                "instead."
            )
            question = PaperQuestion(terms, _years(parse.modifiers), text)
            return Interpretation(question, (note, *_unused(parse.modifiers, {"years"})))
        return None

    def _by_author(self, parses: Sequence[Parse]) -> Interpretation | None:
        """Read "papers by X" as a question for its authors, whom this graph has no name of."""
        for parse in reversed(parses):
            if (parse.form.intent, parse.form.relation) == ("authorship", "by"):
                (name,) = (own for slot, own in parse.slots if slot == "origin")
                question = UnknownAuthorQuestion(name_of(name))
                return self._only(parse, question, "years")
        return None

    def _interpretation(self, parse: Parse) -> Interpretation:
        build: Callable[[Parse], Interpretation] = getattr(self, f"_{parse.form.intent}")
        return build(parse)

    def _only(self, parse: Parse, question: Question, *uses: str) -> Interpretation:
        caveats = (
            self._grammar.caveats.get(value) for _, value in parse.kept if isinstance(value, str)
        )
        said = tuple(dict.fromkeys(each for each in caveats if each))
        return Interpretation(question, tuple(_unused(parse.modifiers, set(uses))), said)

    # One method for each intent that the grammar names.

    def _descendants(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        relation = next((value for label, value in parse.kept if label == "derivation"), "derives")
        if _kept(parse, "kind") == _PAPER:
            term = self._related(str(relation), of)
            return self._only(parse, PaperQuestion((term,), _years(parse.modifiers)), "years")
        relations = (RelationType.IMPROVES_ON,) if relation == "improves" else ()
        return self._lineage(parse, of, LineageDirection.DESCENDANTS, relations)

    def _ancestors(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        relations = (RelationType.IMPROVES_ON,) if _kept(parse, "derivation") == "improves" else ()
        found = self._lineage(parse, of, LineageDirection.ANCESTORS, relations)
        return self._noting_papers(parse, found)

    def _noting_papers(self, parse: Parse, found: Interpretation) -> Interpretation:
        """Say that lineage does not lead to papers, where they are asked for."""
        if _kept(parse, "kind") != _PAPER:
            return found
        note = (
            "A lineage consists of works: showing works rather than the papers that introduced "
            "them."
        )
        return replace(found, notes=(note, *found.notes))

    def _lineage(
        self,
        parse: Parse,
        of: Work,
        direction: LineageDirection,
        relations: tuple[RelationType, ...] = (),
        by_year: bool = False,
    ) -> Interpretation:
        effects = {each.effect: each for each in parse.modifiers}
        steps = LineageQuestion(of).steps
        if "transitively" in effects:
            steps = DEEPEST
        if "steps" in effects:
            steps = min(effects["steps"].numbers[0], DEEPEST)
        if "directly" in effects:
            steps = 1
        question = LineageQuestion(
            of,
            direction,
            relations,
            _kinds(parse),
            _years(parse.modifiers),
            steps,
            "papers only" not in effects,
            by_year,
            effects["as of"].numbers[0] if "as of" in effects else None,
        )
        return self._only(parse, question, "years", "steps", "catalogue", "as of")

    def _timeline(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        return self._lineage(parse, of, LineageDirection.DESCENDANTS, by_year=True)

    def _path(self, parse: Parse) -> Interpretation:
        return self._only(parse, PathQuestion(self._find(parse, "x"), self._find(parse, "y")))

    def _comparison(self, parse: Parse) -> Interpretation:
        sides = (self._find(parse, "x"), self._find(parse, "y"))
        return self._only(parse, ComparisonQuestion(*sides))

    def _identity(self, parse: Parse) -> Interpretation:
        return self._only(parse, IdentityQuestion(self._find(parse, "of")))

    def _introduction(self, parse: Parse) -> Interpretation:
        term = self._introducing(self._find(parse, "of"))
        question = PaperQuestion((term,), _years(parse.modifiers), by_whom=True)
        return self._only(parse, question, "years")

    def _papers(self, parse: Parse) -> Interpretation:
        terms = tuple(self._term(relation, name) for relation, name in _stated(parse))
        years = _years(parse.modifiers)
        kinds = _kinds(parse)
        if not kinds:
            return self._only(parse, PaperQuestion(terms, years), "years")
        if not terms and not years:
            return self._only(parse, KindQuestion(kinds[0]))
        introduced = (RelationType.INTRODUCES,) if terms else ()
        return self._only(parse, EntityQuestion(terms, introduced, kinds, years), "years")

    def _check(self, parse: Parse) -> Interpretation:
        subject, object_ = self._find(parse, "subject"), self._find(parse, "object")
        relation = _kept(parse, "verb")
        if relation is None:
            return self._only(parse, PathQuestion(subject, object_, derives=True))
        if relation == "outperform":  # The papers of either may compare the two, and both may win.
            return replace(self._only(parse, ComparisonQuestion(subject, object_)), caveats=())
        terms = (
            self._introducing(subject),
            self._related(relation, object_),
        )
        question = PaperQuestion(terms, _years(parse.modifiers), yes_or_no=True)
        return self._only(parse, question, "years")

    def _entities(self, parse: Parse) -> Interpretation:
        subject = self._find(parse, "subject")
        kinds = _kinds(parse)
        relation = _kept(parse, "verb") or parse.form.relation or "have"
        terms = (self._introducing(subject),)
        question = EntityQuestion(
            terms, self._relations_to(relation, kinds), kinds, _years(parse.modifiers)
        )
        found = self._only(parse, question, "years")
        if _kept(parse, "kind") != _PAPER:
            return found
        note = "These are the entities that its papers name, not papers."
        return replace(found, notes=(note, *found.notes))

    def _company(self, parse: Parse) -> Interpretation:
        object_ = self._find(parse, "object")
        kinds = _kinds(parse)
        terms = (self._related("use", object_),)
        relations = self._relations_to("use", kinds)
        question = EntityQuestion(terms, relations, kinds, _years(parse.modifiers))
        return self._only(parse, question, "years")

    def _field(self, parse: Parse) -> Interpretation:
        stated = _stated(parse)
        # The last verb, which has no object behind it, is what the papers do with the answer.
        verb = parse.kept[-1][1] if parse.kept[-1][0] == "verb" else "have"
        kinds = _kinds(parse)
        terms = tuple(self._term(relation, name) for relation, name in stated)
        relations = self._relations_to(str(verb), kinds)
        question = EntityQuestion(terms, relations, kinds, _years(parse.modifiers))
        return self._only(parse, question, "years")

    def _influence(self, parse: Parse) -> Interpretation:
        question = InfluenceQuestion(_kinds(parse), _years(parse.modifiers))
        found = self._only(parse, question, "years")
        return self._noting_papers(parse, found)

    def _news(self, parse: Parse) -> Interpretation:
        years = _years(parse.modifiers) or self._latest_year()
        question: Question = EntityQuestion((), (RelationType.INTRODUCES,), _kinds(parse), years)
        if _kept(parse, "kind") == _PAPER:
            question = PaperQuestion((), years)
        return self._only(parse, question, "years")

    def _latest_year(self) -> Years:
        newest = self._reader.page(WorkType.PAPER, order=PageOrder.NEWEST, first=1).works
        dates = [paper.published for paper in newest if isinstance(paper, Paper)]
        year = next((date.year for date in dates if date), None)
        return Years(year, year)

    def _usage(self, parse: Parse) -> Interpretation:
        kinds, years = _kinds(parse), _years(parse.modifiers)
        sort = None
        if device := _kept(parse, "device"):
            kinds, sort = (EntityKind.HARDWARE,), Sort(f"{ENTITY}{device}", f"{device.upper()}s")
        relations = self._relations_to(_kept(parse, "verb") or "use", kinds)
        if years or not kinds:
            question = EntityQuestion((), relations, kinds, years, sort=sort)
            return self._only(parse, question, "years")
        return self._only(parse, KindQuestion(kinds[0], relations, sort))

    def _authorship(self, parse: Parse) -> Interpretation:
        terms = tuple(self._term(relation, name) for relation, name in _stated(parse))
        origins = self._origins_of(parse)
        question = PaperQuestion(terms, _years(parse.modifiers), origins=origins)
        return self._noting(origins, self._only(parse, question, "years"))

    def _output(self, parse: Parse) -> Interpretation:
        """Read what the papers of an origin do something with."""
        derivation = _kept(parse, "derivation")
        word = derivation or _kept(parse, "verb") or parse.form.relation or "about"
        kinds, origins = _kinds(parse), self._origins_of(parse)
        relations = self._relations_to(word, kinds)
        question = EntityQuestion((), relations, kinds, _years(parse.modifiers), origins)
        return self._noting(origins, self._only(parse, question, "years"))

    def _citing(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        origin = citing(self._reader, of)
        by = WorkFilter(provenance=origin.provenance)
        if isinstance(of, Entity) and not self._reader.page(WorkType.PAPER, by, first=1).total:
            note = (
                "No paper in this graph is known to cite the paper that introduced it; showing "
                "papers that mention it instead."
            )
            question = PaperQuestion((Term(of),), _years(parse.modifiers))
            return Interpretation(question, (note, *_unused(parse.modifiers, {"years"})))
        question = PaperQuestion((), _years(parse.modifiers), origins=(origin,))
        return self._only(parse, question, "years")

    def _cited(self, parse: Parse) -> Interpretation:
        origin = cited_by(self._reader, self._find(parse, "of"))
        question = PaperQuestion((), _years(parse.modifiers), origins=(origin,))
        return self._only(parse, question, "years")

    def _origins_of(self, parse: Parse) -> tuple[Origin, ...]:
        found = (self._origins.find(name) for slot, name in parse.slots if slot == "origin")
        # Authors first: "by Ada Quill in Journal of Pens".
        return tuple(sorted((each for each in found if each), key=lambda each: each.arguments))

    def _noting(self, origins: Sequence[Origin], found: Interpretation) -> Interpretation:
        notes = tuple(each.note for each in origins if each.note)
        return replace(found, notes=(*notes, *found.notes))

    # What the parts of a parse stand for.

    def _find(self, parse: Parse, slot: str) -> Work:
        (name,) = [value for label, value in parse.kept if label == slot]
        return self._names.find(name if isinstance(name, tuple) else ())

    def _term(self, relation: str, name: Span) -> Term:
        return self._related(relation, self._names.find(name))

    def _related(self, relation: str, work: Work) -> Term:
        """Return what a word says of a work. Who asks for GPUs means an H100 as well."""
        relations = self._relations(relation, work)
        is_hardware = isinstance(work, Entity) and work.kind is EntityKind.HARDWARE
        return Term(
            work, relations, is_hardware and bool(self._reader.narrower([work.id])[work.id])
        )

    def _introducing(self, work: Work) -> Term:
        return Term(work, (RelationType.INTRODUCES,) if isinstance(work, Entity) else ())

    def _relations(self, word: str, object_: Work) -> tuple[RelationType, ...]:
        kinds = (object_.kind,) if isinstance(object_, Entity) else ()
        return self._relations_to(word, kinds) if kinds else ()

    def _relations_to(self, word: str, kinds: tuple[EntityKind, ...]) -> tuple[RelationType, ...]:
        by_kind = self._grammar.relations[word]
        chosen = by_kind.get(kinds[0].value if kinds else "", by_kind["otherwise"])
        return tuple(RelationType(each) for each in chosen)


def _kept(parse: Parse, label: str) -> str | None:
    return next(
        (value for own, value in parse.kept if own == label and isinstance(value, str)), None
    )


def _kinds(parse: Parse) -> tuple[EntityKind, ...]:
    kind = _kept(parse, "kind")
    return (EntityKind(kind),) if kind in set(EntityKind) else ()


def _stated(parse: Parse) -> list[tuple[str, Span]]:
    """Return the objects of a parse, each with the word for the relation to it."""
    found = []
    relation = parse.form.relation or "about"
    for label, value in parse.kept:
        if isinstance(value, str) and label != "kind":
            relation = value
        elif isinstance(value, tuple) and label == "object":
            found.append((relation, value))
    return found


def _is_bare_name(parse: Parse) -> bool:
    return parse.form.intent == "identity" and not parse.modifiers and len(parse.form.row) == 1


def _years(modifiers: Sequence[Modifier]) -> Years:
    """Return the years that all modifiers leave."""
    first: int | None = None
    last: int | None = None
    for modifier in modifiers:
        low, high = _range(modifier)
        if low is not None:
            first = low if first is None else max(first, low)
        if high is not None:
            last = high if last is None else min(last, high)
    return Years(first, last)


def _range(modifier: Modifier) -> tuple[int | None, int | None]:
    """Return the years that a modifier leaves, both inclusive."""
    years = modifier.numbers
    match modifier.effect:
        case "since":
            return years[0], None
        case "after":
            return years[0] + 1, None
        case "before":
            return None, years[0] - 1
        case "until":
            return None, years[0]
        case "in" | "between":
            return min(years), max(years)
        case _:
            return None, None


_USES = {
    "directly": "steps",
    "transitively": "steps",
    "steps": "steps",
    "papers only": "catalogue",
    "as of": "as of",
}


def _unused(modifiers: Sequence[Modifier], uses: set[str]) -> tuple[str, ...]:
    """Return a note for each part of the question that makes no difference to the answer."""
    return tuple(
        f"“{each.text}” has no effect on this question."
        for each in modifiers
        if _USES.get(each.effect, "years") not in uses
    )
