"""The interpretation of a question: which of the questions that the graph can answer it is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from stemma.graph import (
    FilterError,
    LineageDirection,
    PageOrder,
    Reader,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.graph.criteria import Years, counts_narrower, papers_where
from stemma.schema import Entity, EntityKind, Paper, RelationType
from stemma.schema.identifier import ENTITY
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.comparison import ComparisonQuestion
from stemma.server.asking.entities import EntityQuestion, KindQuestion, Sort
from stemma.server.asking.grammar import Grammar, Modifier, Parse
from stemma.server.asking.identity import IdentityQuestion
from stemma.server.asking.influence import InfluenceQuestion
from stemma.server.asking.lineage import DEEPEST, LineageQuestion
from stemma.server.asking.names import Names
from stemma.server.asking.origin import Origin, Origins, cited_by, citing
from stemma.server.asking.papers import PaperQuestion, Term, UnknownAuthorQuestion
from stemma.server.asking.path import PathQuestion
from stemma.server.asking.precedence import PrecedenceQuestion
from stemma.server.asking.wording import joined, quoted
from stemma.server.asking.words import Span, Word, name_of

_ABOUT = {"about", "study", "on"}
_NOUNS = {"kind", "device"}
_PAPER = "paper"
_ORDERS = {"newest": PageOrder.NEWEST, "oldest": PageOrder.PUBLISHED}
_MOST_WORDS_CORRECTED = 20
_SHORTEST_TOPIC = 4
"""Minimum number of letters of a topic to search for in titles: fewer occur within other words."""


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
    """A question, and what else its words say that it does not take into account.

    The `caveats` are about the works of the answer, if there are any. `first` of these works are
    asked for, if it is given.
    """

    question: Question
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    first: int | None = None


@dataclass(frozen=True, slots=True)
class FailedInterpretation:
    """The likeliest way to read a question of which some words are not the names of anything.

    `parse` is None where no way is likely. `unknown` are those words; of them `name` is the
    longest part that has a work, and `left` the other words. `known` are names elsewhere.
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
        self._names = Names(reader, grammar.not_names)
        self._origins = Origins(reader)

    def read(self, words: Sequence[Word]) -> Interpretation | FailedInterpretation:
        """Read a question, taking the longest names for names.

        Raises AmbiguousNameError where a name is that of several works.
        """
        parses = self._grammar.parses(words)
        if known := self._first_known(parses):
            return self._interpretation(known)
        return (
            self._by_title(parses)
            or self._by_author(parses)
            or self._likeliest(parses, tuple(words))
        )

    def correct(self, words: Span) -> Interpretation | None:
        """Read a question in which words are misspelt that are not names, if there is a way."""
        if len(words) > _MOST_WORDS_CORRECTED:
            return None
        for corrected in self._grammar.corrections(words):
            if parse := self._read_exactly(corrected):
                read = joined(
                    [
                        f"“{old.as_name}” as “{new.key}”"
                        for old, new in zip(words, corrected, strict=True)
                        if old.key != new.key
                    ],
                    "and",
                )
                found = self._interpretation(parse)
                return replace(found, notes=(f"Read {read}.", *found.notes))
        return None

    def understands(self, words: Span) -> bool:
        """Return whether a question can be read with names as they are in the graph."""
        return self._read_exactly(words) is not None

    def _read_exactly(self, words: Span) -> Parse | None:
        return self._first_known(self._grammar.parses(words))

    def _first_known(self, parses: Sequence[Parse]) -> Parse | None:
        return next(
            (
                parse
                for parse in parses
                if not self._asks_for_devices(parse)
                and all(self._is_known(slot, name) for slot, name in parse.slots)
                and all(self._names.known(name) for name in parse.names[len(parse.slots) :])
            ),
            None,
        )

    def _asks_for_devices(self, parse: Parse) -> bool:
        """Return whether "which is the newest GPU" was read as what GPU is."""
        words = {word.key for name in parse.names for word in name} - self._grammar.not_names
        is_identity = parse.form.intent == "identity"
        return is_identity and bool(_order(parse)) and words <= self._grammar.devices

    def _is_known(self, slot: str, name: Span) -> bool:
        if slot == "origin":
            return self._origins.find(name) is not None
        # "Which GPUs are used" asks for GPUs, and not what a work called GPU uses.
        if slot == "subject" and all(word.key in self._grammar.devices for word in name):
            return False
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
            unknown = [each for each in stated if not all(map(self._names.known, each.names))]
            if parse.form.intent != "papers" or len(unknown) != 1 or _kinds(parse):
                continue
            (sought,) = unknown
            if len(sought.names) > 1 or sought.negated:
                continue
            (name,) = sought.names
            text = name_of(name)
            if sought.relation not in _ABOUT or sum(map(str.isalnum, text)) < _SHORTEST_TOPIC:
                continue
            if all(word.key in self._grammar.vocabulary for word in name):
                continue  # "top papers" are not papers with "top" in the title
            if not self._reader.page(WorkType.PAPER, WorkFilter(text=text), first=1).total:
                continue
            terms = tuple(self._condition(each) for each in stated if each is not sought)
            note = (
                f"Nothing in this graph is called “{text}”; showing papers whose title contains it "
                "instead."
            )
            found = self._found(parse, PaperQuestion(terms, self._years(parse), text))
            return replace(found, notes=(note, *found.notes))
        return None

    def _by_author(self, parses: Sequence[Parse]) -> Interpretation | None:
        """Read "papers by X" as papers by an author that this graph does not have."""
        for parse in reversed(parses):
            if parse.form.intent == "authorship" and parse.form.relation in ("by", "from"):
                name, *others = sorted(parse.slots, key=lambda each: each[0] != "origin")
                if not all(self._is_known(*each) for each in others):
                    continue
                question = UnknownAuthorQuestion(name_of(name[1]))
                return self._only(parse, question, "years")
        return None

    def _interpretation(self, parse: Parse) -> Interpretation:
        build: Callable[[Parse], Interpretation] = getattr(self, f"_{parse.form.intent}")
        found = build(parse)
        notes = (*found.notes, *self._names.notes.values())
        return replace(found, notes=notes, first=_number_of(parse))

    def _only(self, parse: Parse, question: Question, *uses: str) -> Interpretation:
        caveats = (
            self._grammar.caveats.get(value) for _, value in parse.kept if isinstance(value, str)
        )
        said = tuple(dict.fromkeys(each for each in caveats if each))
        dates = tuple(self._dates(parse)) if "years" in uses else ()
        return Interpretation(question, (*dates, *_unused(parse.modifiers, set(uses))), said)

    def _dates(self, parse: Parse) -> Iterator[str]:
        """Say in which years the works appeared that stand for years: "before LoRA"."""
        for modifier in parse.modifiers:
            for name in modifier.names:
                yield f"{quoted(self._names.find(name))} appeared in {self._year_of(name)}."

    # One method for each intent that the grammar names.

    def _descendants(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        relation = _kept(parse, "derivation") or parse.form.relation or "derives"
        if _kept(parse, "kind") == _PAPER:
            term = self._related(relation, of)
            return self._found(parse, PaperQuestion((term,), self._years(parse)))
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
        by_year = by_year or "by year" in effects
        question = LineageQuestion(
            of,
            direction,
            relations,
            _kinds(parse),
            self._years(parse),
            steps,
            "papers only" not in effects,
            by_year,
            effects["as of"].numbers[0] if "as of" in effects else None,
            _order(parse),
        )
        uses = ("years", "by year", "steps", "catalogue", "as of", "order")
        return self._only(parse, question, *uses)

    def _timeline(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        return self._lineage(parse, of, LineageDirection.DESCENDANTS, by_year=True)

    def _path(self, parse: Parse) -> Interpretation:
        return self._only(parse, PathQuestion(self._find(parse, "x"), self._find(parse, "y")))

    def _comparison(self, parse: Parse) -> Interpretation:
        sides = (self._find(parse, "x"), self._find(parse, "y"))
        return self._only(parse, ComparisonQuestion(*sides))

    def _precedence(self, parse: Parse) -> Interpretation:
        sides = (self._find(parse, "x"), self._find(parse, "y"))
        return self._only(parse, PrecedenceQuestion(*sides))

    def _precedes(self, parse: Parse) -> Interpretation:
        sides = (self._find(parse, "x"), self._find(parse, "y"))
        return self._only(parse, PrecedenceQuestion(*sides, _kept(parse, "age")))

    def _identity(self, parse: Parse) -> Interpretation:
        if self._years(parse) and len(parse.form.row) == 1:  # LoRA in 2024
            term = self._term("about", parse.names[0])
            return self._found(parse, PaperQuestion((term,), self._years(parse)))
        return self._only(parse, IdentityQuestion(self._find(parse, "of")))

    def _introduction(self, parse: Parse) -> Interpretation:
        term = self._introducing(self._find(parse, "of"))
        question = PaperQuestion((term,), self._years(parse), by_whom=True)
        return self._only(parse, question, "years")

    def _papers(self, parse: Parse) -> Interpretation:
        terms = self._terms(parse)
        years = self._years(parse)
        kinds = _kinds(parse)
        if not terms and (kinds or (years and _kept(parse, "kind") != _PAPER)):
            return self._listed(parse)
        if not kinds:
            return self._found(parse, PaperQuestion(terms, years))
        introduced = (RelationType.INTRODUCES,)
        question = EntityQuestion(terms, introduced, kinds, years, sort=_sort(parse))
        return self._only(parse, question, "years")

    def _found(self, parse: Parse, question: PaperQuestion) -> Interpretation:
        by_year = any(each.effect == "by year" for each in parse.modifiers)
        ordered = replace(question, order=_order(parse) or question.order, by_year=by_year)
        return self._only(parse, ordered, "years", "order", "by year")

    def _trend(self, parse: Parse) -> Interpretation:
        question = PaperQuestion((self._term("about", parse.names[0]),), self._years(parse))
        return self._only(parse, replace(question, by_year=True), "years", "by year")

    def _trending(self, parse: Parse) -> Interpretation:
        latest = self._latest_year()
        years = self._years(parse) or Years(latest, latest)
        relations = self._relations_to("use", _kinds(parse))
        question = EntityQuestion((), relations, _kinds(parse), years, sort=_sort(parse))
        return self._only(parse, question, "years")

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
        question = PaperQuestion(terms, self._years(parse), yes_or_no=True)
        return self._only(parse, question, "years")

    def _entities(self, parse: Parse) -> Interpretation:
        subject = self._find(parse, "subject")
        relation = _kept(parse, "verb") or parse.form.relation or "have"
        introduces = self._introducing(subject)
        if not self._is_met(introduces):
            return self._of_others(parse, relation, subject)
        found = self._named(parse, relation, (introduces,))
        if _kept(parse, "kind") != _PAPER:
            return found
        note = "These are the entities that its papers name, not papers."
        return replace(found, notes=(note, *found.notes))

    def _of_others(self, parse: Parse, relation: str, of: Work) -> Interpretation:
        """Read what other papers have to do with a work that none of them introduces."""
        if relation == "compare":
            found = self._named(parse, "introduce", (self._related("compare", of),))
            showing = "the papers that compare with it introduce"
        else:
            found = self._named(parse, relation, (self._related("about", of),))
            showing = "the papers about it name"
        note = f"No paper in this graph introduces {quoted(of)}; showing what {showing}."
        return replace(found, notes=(note, *found.notes))

    def _is_met(self, *terms: Term) -> bool:
        """Return whether any paper meets all these terms."""
        criteria = [each.criterion for each in terms]
        return bool(papers_where(self._reader, criteria, first=1).total)

    def _company(self, parse: Parse) -> Interpretation:
        return self._named(parse, "use", (self._related("use", self._find(parse, "object")),))

    def _alternatives(self, parse: Parse) -> Interpretation:
        """Read what papers that compare with a work introduce, and what else they compare with."""
        of = self._find(parse, "object")
        kinds = _kinds(parse) or ((of.kind,) if isinstance(of, Entity) else ())
        compared, introduced = RelationType.COMPARES_WITH, RelationType.INTRODUCES
        years = self._years(parse)
        question = EntityQuestion((Term(of, (compared,)),), (introduced, compared), kinds, years)
        if not self._is_met(*question.terms):
            question = EntityQuestion((self._introducing(of),), (compared,), kinds, years)
        return self._only(parse, question, "years")

    def _field(self, parse: Parse) -> Interpretation:
        # The last verb, which has no object behind it, is what the papers do with the answer.
        verb = parse.kept[-1][1] if parse.kept[-1][0] == "verb" else "have"
        return self._named(parse, str(verb), self._terms(parse))

    def _named(
        self,
        parse: Parse,
        word: str,
        terms: tuple[Term, ...] = (),
        origins: tuple[Origin, ...] = (),
    ) -> Interpretation:
        """Read what papers have the relations to that a word means."""
        kinds = _kinds(parse)
        relations = self._relations_to(word, kinds)
        years = self._years(parse)
        question = EntityQuestion(terms, relations, kinds, years, origins, _sort(parse))
        return self._only(parse, question, "years")

    def _influence(self, parse: Parse) -> Interpretation:
        question = InfluenceQuestion(_kinds(parse), self._years(parse))
        found = self._only(parse, question, "years")
        return self._noting_papers(parse, found)

    def _news(self, parse: Parse) -> Interpretation:
        latest = self._latest_year()
        asked, is_counted = self._years(parse), _number_of(parse) is not None
        # So many of the newest works may be of several years.
        years = asked if asked or is_counted else Years(latest, latest)
        kinds = _kinds(parse)
        question: Question = KindQuestion(kinds, years=years)
        if _kept(parse, "kind") == _PAPER:
            question = PaperQuestion((), years, order=PageOrder.NEWEST)
        elif not years or not (asked or self._has_any(kinds, years)):
            question = KindQuestion(kinds, order=PageOrder.NEWEST)
        return self._only(parse, question, "years")

    def _has_any(self, kinds: tuple[EntityKind, ...], years: Years) -> bool:
        """Return whether anything of these kinds appeared in these years."""
        chosen = WorkFilter(kinds=kinds, year_from=years.first, year_to=years.last)
        return bool(self._reader.page(WorkType.ENTITY, chosen, first=1).works)

    def _appeared(self, parse: Parse) -> Interpretation:
        if _kept(parse, "kind") == _PAPER:
            return self._found(parse, PaperQuestion((), self._years(parse)))
        if not _order(parse) and not self._years(parse):
            return self._named(parse, "introduce")
        return self._listed(parse)

    def _years(self, parse: Parse) -> Years:
        """Return the years that all modifiers leave."""
        ranges = [self._range(modifier) for modifier in parse.modifiers]
        return Years(
            max((low for low, _ in ranges if low is not None), default=None),
            min((high for _, high in ranges if high is not None), default=None),
        )

    def _range(self, modifier: Modifier) -> tuple[int | None, int | None]:
        """Return the years that a modifier leaves, both inclusive."""
        years = modifier.numbers or tuple(map(self._year_of, modifier.names))
        match modifier.effect:
            case "since" | "after" as effect:
                return years[0] + (effect == "after"), None
            case "before" | "until" as effect:
                return None, years[0] - (effect == "before")
            case "in" | "between":
                return min(years), max(years)
            case "decade":
                return years[0], years[0] + 9
            case "last years" | "last decade" as effect:
                latest = self._latest_year()
                number = 10 if effect == "last decade" else years[0] if years else 1
                return latest and latest - number + 1, None
            case _:
                return None, None

    def _year_of(self, name: Span) -> int:
        """Return the year in which the work of this name appeared; raise FilterError if unknown."""
        work = self._names.find(name)
        date = self._reader.published([work.id]).get(work.id)
        if not date or not date.year:
            raise FilterError(f"it is not known when {quoted(work)} appeared")
        return date.year

    def _latest_year(self) -> int | None:
        newest = self._reader.page(WorkType.PAPER, order=PageOrder.NEWEST, first=1).works
        dates = [paper.published for paper in newest if isinstance(paper, Paper)]
        return next((date.year for date in dates if date), None)

    def _usage(self, parse: Parse) -> Interpretation:
        kinds = _kinds(parse)
        word = _kept(parse, "verb") or parse.form.relation or "use"
        if _kept(parse, "kind") == _PAPER:
            return self._influence(parse)
        if self._years(parse) or not kinds:
            return self._named(parse, word)
        return self._listed(parse, self._relations_to(word, kinds))

    def _narrower(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        kinds = _kinds(parse)
        if isinstance(of, Entity) and kinds and of.kind not in kinds:  # datasets of a technique
            relations = (RelationType.INTRODUCES, *self._relations_to("have", kinds))
            terms = (self._related("about", of),)
            question = EntityQuestion(terms, relations, kinds, self._years(parse))
            return self._only(parse, question, "years")
        return self._listed(parse, sort=Sort(of.id, "", f" narrower than {quoted(of)}"))

    def _listed(
        self,
        parse: Parse,
        relations: tuple[RelationType, ...] = (),
        sort: Sort | None = None,
    ) -> Interpretation:
        is_by_year = any(each.effect == "by year" for each in parse.modifiers)
        order = _order(parse) or (PageOrder.PUBLISHED if is_by_year else PageOrder.PAPERS)
        years = self._years(parse)
        question = KindQuestion(_kinds(parse), relations, sort or _sort(parse), order, years)
        return self._only(parse, question, "order", "by year", "years")

    def _authorship(self, parse: Parse) -> Interpretation:
        terms = self._terms(parse)
        origins = self._origins_of(parse)
        question = PaperQuestion(terms, self._years(parse), origins=origins)
        return self._noting(origins, self._found(parse, question))

    def _output(self, parse: Parse) -> Interpretation:
        """Read what the papers of an origin do something with."""
        derivation = _kept(parse, "derivation")
        word = derivation or _kept(parse, "verb") or parse.form.relation or "about"
        origins = self._origins_of(parse)
        return self._noting(origins, self._named(parse, word, origins=origins))

    def _citing(self, parse: Parse) -> Interpretation:
        of = self._find(parse, "of")
        origin = citing(self._reader, of)
        by = WorkFilter(provenance=origin.provenance)
        if isinstance(of, Entity) and not self._reader.page(WorkType.PAPER, by, first=1).total:
            note = (
                "No paper in this graph is known to cite the paper that introduced it; showing "
                "papers that mention it instead."
            )
            found = self._found(parse, PaperQuestion((Term(of),), self._years(parse)))
            return replace(found, notes=(note, *found.notes))
        return self._found(parse, PaperQuestion((), self._years(parse), origins=(origin,)))

    def _cited(self, parse: Parse) -> Interpretation:
        origin = cited_by(self._reader, self._find(parse, "of"))
        return self._found(parse, PaperQuestion((), self._years(parse), origins=(origin,)))

    def _origins_of(self, parse: Parse) -> tuple[Origin, ...]:
        found = (self._origins.find(name) for slot, name in parse.slots if slot == "origin")
        # Authors first: "by Ada Quill in Journal of Pens".
        return tuple(sorted((each for each in found if each), key=lambda each: each.arguments))

    def _noting(self, origins: Sequence[Origin], found: Interpretation) -> Interpretation:
        notes = tuple(each.note for each in origins if each.note)
        return replace(found, notes=(*notes, *found.notes))

    # What the parts of a parse mean.

    def _find(self, parse: Parse, slot: str) -> Work:
        (name,) = [value for label, value in parse.kept if label == slot]
        return self._names.find(name if isinstance(name, tuple) else ())

    def _terms(self, parse: Parse) -> tuple[Term, ...]:
        return tuple(map(self._condition, _stated(parse)))

    def _condition(self, stated: "_Stated") -> Term:
        term, *others = (self._term(stated.relation, name) for name in stated.names)
        # What "use" means of a technique is not what it means of hardware.
        own = [each.relations for each in (term, *others) if isinstance(each.work, Entity)]
        relations = dict.fromkeys(each for relations in own for each in relations)
        return Term(
            term.work,
            tuple(relations) if all(own) else (),
            any(each.with_cases for each in (term, *others)),
            tuple(each.work for each in others),
            stated.negated,
        )

    def _term(self, relation: str, name: Span) -> Term:
        return self._related(relation, self._names.find(name))

    def _related(self, relation: str, work: Work) -> Term:
        """Return what a word says of a work."""
        relations = self._relations(relation, work)
        return Term(work, relations, counts_narrower(self._reader, work))

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
    if _kept(parse, "device"):
        return (EntityKind.HARDWARE,)
    kind = _kept(parse, "kind")
    return (EntityKind(kind),) if kind in set(EntityKind) else ()


def _sort(parse: Parse) -> Sort | None:
    device = _kept(parse, "device")
    return Sort(f"{ENTITY}{device}", f"{device.upper()}s") if device else None


def _order(parse: Parse) -> PageOrder | None:
    """Return the order that a question asks for, if any."""
    return next((_ORDERS[each.effect] for each in parse.modifiers if each.effect in _ORDERS), None)


def _number_of(parse: Parse) -> int | None:
    """Return how many works are asked for: "top 10 techniques"."""
    return next((each.numbers[0] for each in parse.modifiers if each.effect == "first"), None)


@dataclass(frozen=True, slots=True)
class _Stated:
    """A condition on papers: a word for a relation, the names of works of which one is meant."""

    relation: str
    names: tuple[Span, ...]
    negated: bool


def _stated(parse: Parse) -> list[_Stated]:
    """Return the conditions of a parse."""
    found: list[_Stated] = []
    relation, negated, before = parse.form.relation or "about", False, ""
    for label, value in parse.kept:
        if label == "negation":
            negated = True
        elif isinstance(value, str) and label not in _NOUNS:
            # A negation goes for all objects of a verb: "do not use LoRA and QLoRA".
            relation, negated = value, before == "negation"
        elif isinstance(value, tuple) and label == "object":
            found.append(_Stated(relation, (value,), negated))
        elif isinstance(value, tuple) and label == "alternative":
            found[-1] = replace(found[-1], names=(*found[-1].names, value))
        before = label
    return found


def _is_bare_name(parse: Parse) -> bool:
    return parse.form.intent == "identity" and not parse.modifiers and len(parse.form.row) == 1


_USES = {
    "directly": "steps",
    "transitively": "steps",
    "steps": "steps",
    "papers only": "catalogue",
    "by year": "by year",
    "as of": "as of",
    "newest": "order",
    "oldest": "order",
}


def _unused(modifiers: Sequence[Modifier], uses: set[str]) -> tuple[str, ...]:
    """Return a note for each part of the question that makes no difference to the answer."""
    return tuple(
        f"“{each.text}” has no effect on this question."
        for each in modifiers
        if each.effect not in ("first", "nothing") and _USES.get(each.effect, "years") not in uses
    )
