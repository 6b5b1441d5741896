"""Questions for entities: what the papers of a work, or of a field, name in some role."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from stemma.graph import PageOrder, Reader, Work, WorkFilter, WorkType
from stemma.graph.criteria import EntityMatch, entities_where
from stemma.graph.filters import ALL_YEARS, Years
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement
from stemma.schema.quantity import quantity
from stemma.server.asking import graphql
from stemma.server.asking.answer import MOST_WORKS, Answer, Window
from stemma.server.asking.origin import Origin, selection_of
from stemma.server.asking.papers import Term, said_of
from stemma.server.asking.wording import (
    ORDERS,
    capital,
    counted,
    evidence,
    joined,
    name_with_year,
    names,
    plural,
    quoted,
    verbs,
    within,
)
from stemma.server.views.notes import count_papers

_LISTED = 10


@dataclass(frozen=True, slots=True)
class Sort:
    """Entities that have one (an id) as a broader one.

    What they are called is a noun of their own (GPUs), or the noun for their kind and a `phrase`
    (techniques narrower than quantization).
    """

    broader: str
    plural: str
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class EntityQuestion:
    """What papers that meet `terms` have `relations` to: entities of some kinds, and of a sort."""

    terms: tuple[Term, ...]
    relations: tuple[RelationType, ...] = ()
    kinds: tuple[EntityKind, ...] = ()
    years: Years = ALL_YEARS
    origins: tuple[Origin, ...] = ()
    sort: Sort | None = None

    @property
    def understood_as(self) -> str:
        what = self._what
        if own := self._own:
            papers = "the papers that introduce it" if isinstance(own, Entity) else "its text"
            does = verbs(self.relations, one=True)
            return f"{what} that {quoted(own)} {does}, according to {papers}"
        return f"in {self._papers}, the {what} that they {verbs(self.relations)}"

    @property
    def _what(self) -> str:
        return self.sort.plural if self.sort else plural(self.kinds, "entities")

    @property
    def _papers(self) -> str:
        return said_of(self.terms, self.years, None, self.origins)

    @property
    def _own(self) -> Work | None:
        """The work whose own papers are asked, where that is all."""
        if len(self.terms) != 1 or self.years or self.origins:
            return None
        (term,) = self.terms
        is_own = isinstance(term.work, Paper) or term.relations == (RelationType.INTRODUCES,)
        return term.work if is_own else None

    @property
    def query(self) -> str:
        arguments = {
            "all": [term.arguments for term in self.terms],
            **dict(pair for each in self.origins for pair in each.arguments),
            "relations": self.relations,
            "kinds": self.kinds,
            "since": self.years.first,
            "until": self.years.last,
            "broader": self.sort.broader if self.sort else None,
            "first": MOST_WORKS,
        }
        return graphql.query(graphql.field("entitiesWhere", graphql.ENTITIES, arguments))

    def answer(self, reader: Reader, window: Window) -> Answer:
        criteria = [term.criterion for term in self.terms]
        found = entities_where(
            reader,
            criteria,
            selection_of(self.origins, self.years).changed(
                kinds=tuple(self.kinds),
                relations=tuple(self.relations),
                first=window.end,
                broader=self.sort.broader if self.sort else None,
            ),
        )
        shown = window.of(found.matches)
        statements = tuple(each for match in shown for each in match.statements)
        # How many papers say so orders them, and is mentioned where it differs.
        papers = {
            match.entity.id: len({each.subject for each in match.statements}) for match in shown
        }
        by_papers = max(papers.values(), default=0) > 1
        return Answer(
            self._sentence(
                shown, found.total, found.truncated, window.beyond(found.total), by_papers
            )
            + evidence(reader, statements),
            _query_of(self, reader),
            self.understood_as,
            tuple(match.entity for match in shown),
            statements,
            () if found.total else self._instead(),
            found.total,
            notes={id_: quantity(number, "paper") for id_, number in papers.items()}
            if by_papers
            else {},
        )

    def _instead(self) -> tuple[str, ...]:
        """Return what may be asked where nothing was found; of baselines, the other way round."""
        rivals = (RelationType.COMPARES_WITH,)
        asked = []
        for term in self.terms:
            if self.relations == rivals:
                asked.append(f"what compares with {quoted(term.work)}?")
            elif term.relations == rivals:
                asked.append(f"what does {quoted(term.work)} compare with?")
            elif self._own and self.kinds and isinstance(term.work, Entity):
                asked.append(f"which {self._what} do papers about {term.work.name} use?")
            asked.append(f"what is {quoted(term.work)}?")
        return tuple(asked)

    def _sentence(
        self,
        matches: tuple[EntityMatch, ...],
        total: int,
        truncated: bool,
        beyond: int,
        by_papers: bool,
    ) -> str:
        what = self._what
        own = self._own
        who = quoted(own) if own else self._papers
        does = verbs(self.relations, one=own is not None)
        if total:
            count = counted(total, what, truncated)
            most = ", by number of papers" if by_papers else ""
            shown = f" ({len(matches)} of them shown)" if total > len(matches) else ""
            listed = names([match.entity for match in matches], {}, beyond)
            sentence = f"{who} {does} {count}{shown}{most}: {listed}."
            return sentence if own else capital(sentence)
        return f"In this graph, {who} {does} no {what}."


@dataclass(frozen=True, slots=True)
class KindQuestion:
    """Which entities of some kinds there are.

    `relations` asks for those alone that some paper has one of these to, `sort` for some of them,
    `years` for those that appeared then.
    """

    kinds: tuple[EntityKind, ...]
    relations: tuple[RelationType, ...] = ()
    sort: Sort | None = None
    order: PageOrder = PageOrder.PAPERS
    years: Years = ALL_YEARS

    @property
    def understood_as(self) -> str:
        return f"{self._what(self._plural)}, {ORDERS[self.order]}"

    @property
    def _plural(self) -> str:
        own = self.sort.plural if self.sort else ""
        return own or plural(self.kinds, "entities")

    def _what(self, entities: str) -> str:
        used = f" that papers {verbs(self.relations)}" if self.relations else ""
        appeared = f" that appeared{within(self.years)}" if self.years else ""
        return f"{entities}{self.sort.phrase if self.sort else ''}{used}{appeared}"

    @property
    def query(self) -> str:
        arguments = {
            "kinds": self.kinds,
            "relations": self.relations,
            "broader": self.sort.broader if self.sort else None,
            "since": self.years.first,
            "until": self.years.last,
            "order": self.order,
            "first": MOST_WORKS,
        }
        selection = "totalCount nodes { id name published }"
        return graphql.query(graphql.field("entities", selection, arguments))

    def answer(self, reader: Reader, window: Window) -> Answer:
        page = reader.page(
            WorkType.ENTITY,
            WorkFilter(
                kinds=self.kinds,
                relations=self.relations,
                broader=self.sort.broader if self.sort else None,
                year_from=self.years.first,
                year_to=self.years.last,
            ),
            self.order,
            first=window.end,
        )
        entities = [work for work in window.of(page.works) if isinstance(work, Entity)]
        ids = [each.id for each in entities]
        count = self._what(counted(page.total, self._plural))
        by_date = self.order is not PageOrder.PAPERS
        papers = {} if by_date else {id_: count_papers(reader, id_) for id_ in ids}
        dates = reader.published(ids) if by_date or self.years else {}
        shown = [self._listed(each, papers, dates) for each in entities[:_LISTED]]
        first = "" if window.skipped or page.total == 1 else "first of all "
        listed = f", {first}{joined(shown, 'and')}" if entities else ""
        text = f"This graph has {count}{listed}."
        if self.sort and not page.total:
            text += self._general_term(reader, self.sort.broader)
        if by_date and entities and not dates:
            text += " Their dates are not known: no paper in this graph introduces them."
        introduced = self._introductions(reader, ids) if self.years else []
        notes = defaultdict[str, list[str]](list)
        for id_, date in dates.items():
            notes[id_].append(str(date))
        for id_, number in papers.items():
            notes[id_].append(quantity(number, "paper"))
        return Answer(
            text + evidence(reader, introduced[0] if introduced else ()),
            _query_of(self, reader),
            self.understood_as,
            tuple(entities),
            tuple(each for own in introduced for each in own),
            total=page.total,
            notes={id_: ", ".join(own) for id_, own in notes.items()},
        )

    def _introductions(self, reader: Reader, ids: list[str]) -> list[list[Statement]]:
        """Return for each entity that has any the statements of papers of these years that
        introduce it: later papers claim to introduce known works as well."""
        stated = reader.statements(ids, (RelationType.INTRODUCES,))
        dates = reader.published({each.subject for own in stated.values() for each in own})
        found = [
            [
                each
                for each in stated.get(id_, ())
                if each.subject in dates and self.years.hold(dates[each.subject].year)
            ]
            for id_ in ids
        ]
        return [own for own in found if own]

    def _listed(
        self, entity: Entity, papers: Mapping[str, int], dates: Mapping[str, PartialDate]
    ) -> str:
        """Return the name of an entity with its year, where the list has more than one year, else
        with the number of its papers; what the number is, says the first."""
        if not papers or self.years.first != self.years.last:
            return name_with_year(entity, dates.get(entity.id))
        number = papers[entity.id]
        is_first = entity.id == next(iter(papers))
        said = f"named in {quantity(number, 'paper')}" if is_first else f"{number:,}"
        return f"{entity.name} ({said})"

    def _general_term(self, reader: Reader, id_: str) -> str:
        """Say that papers only name the general term, if they do."""
        if not reader.statement_rows(id_, self.relations, 1):
            return ""
        return f" Papers name only {reader.works([id_])[id_].name} in general."


def _query_of(question: EntityQuestion | KindQuestion, reader: Reader) -> str:
    """Return the query of a question; of a sort that is not in the graph there are no works."""
    sort = question.sort
    return graphql.works([]) if sort and not reader.works([sort.broader]) else question.query
