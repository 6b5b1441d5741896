"""All statements of or about a work: ``/statements?of=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from starlette.requests import Request

from stemma.graph import Reader, Work, kind_of
from stemma.graph.filters import ALL_YEARS, Years
from stemma.graph.statement_page import StatementKey, StatementRow
from stemma.schema import EntityKind, PartialDate, RelationType, Statement
from stemma.schema.identifier import PAPER
from stemma.schema.partial_date import UNDATED
from stemma.server.explorer.lineage_queries import choice
from stemma.server.explorer.queries import (
    LARGEST_PAGE,
    PREFIXES,
    Queries,
    iri,
    string,
    strings,
    term,
)
from stemma.server.explorer.view import Row, View, numbered_pages
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.presentation.data import reference, statement_json, works_of_statements
from stemma.server.presentation.notes import asked_as

_A_PAGE, _LAST_PAGE = 50, 100_000
_MOST = 10_000
"""Statements that are read of a work; where it has more, these are the surest."""
_PARAMETERS = (
    *("of", "relations", "kinds", "minConfidence", "yearFrom", "yearTo"),
    *("order", "page"),
)


class Order(StrEnum):
    """Which statements come first; those of papers without a date come last."""

    SUREST = "surest"
    NEWEST = "newest"
    OLDEST = "oldest"


class Kind(StrEnum):
    """Kinds of works."""

    PAPER = "paper"
    HARDWARE = EntityKind.HARDWARE.value
    FRAMEWORK = EntityKind.FRAMEWORK.value
    TECHNIQUE = EntityKind.TECHNIQUE.value
    MODEL = EntityKind.MODEL.value
    DATASET = EntityKind.DATASET.value


@dataclass(frozen=True, slots=True)
class StatementsRequest:
    """Which statements of or about a work (an id) are listed.

    `kinds` are those of the work at the other end, `years` those in which papers were published.
    """

    of: str
    relations: tuple[RelationType, ...] = ()
    kinds: tuple[Kind, ...] = ()
    min_confidence: float = 0.0
    years: Years = ALL_YEARS
    order: Order = Order.SUREST

    def other(self, statement: Statement | StatementRow) -> str:
        """Return the work at the other end of a statement."""
        return statement.entity if statement.subject == self.of else statement.subject

    def chosen(self, found: Collection[StatementRow]) -> list[StatementRow]:
        """Return those of some statements that are asked for, in order."""

        def passes(each: StatementRow) -> bool:
            return (
                each.confidence >= self.min_confidence
                and (not self.kinds or Kind(each.kind or Kind.PAPER) in self.kinds)
                and self.years.hold(each.published.year if each.published else None)
            )

        kept = sorted(
            filter(passes, found), key=lambda each: (-each.confidence, self.other(each), each.key)
        )
        if self.order is Order.SUREST:
            return kept
        dated = [each for each in kept if _date(each) != UNDATED]
        dated.sort(key=_date, reverse=self.order is Order.NEWEST)
        return [*dated, *(each for each in kept if _date(each) == UNDATED)]


@dataclass(frozen=True, slots=True)
class _Whole:
    """Statements with their evidence, the works that they are about, and the dates of papers."""

    statements: Sequence[Statement]
    works: dict[str, Work]
    dates: dict[str, PartialDate]

    @classmethod
    def of(
        cls,
        reader: Reader,
        rows: Sequence[StatementRow],
        known: Mapping[StatementKey, Statement],
    ) -> Self:
        """Return the statements of some rows, in the same order, out of those that are known."""
        statements = [known[each.key] for each in rows if each.key in known]
        dates = {each.subject: each.published for each in rows if each.published}
        return cls(statements, works_of_statements(reader, statements), dates)

    def published(self, statement: Statement) -> str | None:
        """Return when the subject of a statement was published."""
        date = self.dates.get(statement.subject)
        return str(date) if date else None


def _date(row: StatementRow) -> tuple[int, int, int]:
    return row.published.sort_key if row.published else UNDATED


def statements_view(request: Request, reader: Reader) -> View:
    """Return a page of statements; files have all of them.

    Whole statements are read of what is shown alone: a hub has thousands.
    """
    given = QueryParameters(request.query_params, _PARAMETERS)
    name = given.text("of")
    if name is None:
        raise ValueError("'of' is missing: give the name or the id of a work")
    asked = StatementsRequest(
        reader.resolve(name),
        given.choices("relations", list(RelationType)),
        given.choices("kinds", list(Kind)),
        given.min_confidence(),
        Years(given.year("yearFrom"), given.year("yearTo")),
        given.choice("order", list(Order), Order.SUREST),
    )
    every = reader.statement_rows(asked.of, asked.relations, _MOST)
    found = asked.chosen(every)
    of = reader.works([asked.of])
    work = of[asked.of]
    page = given.number("page", 1, _LAST_PAGE)
    rows = found[(page - 1) * _A_PAGE : page * _A_PAGE]
    shown = _Whole.of(reader, rows, reader.whole_statements([each.key for each in rows]))

    def whole() -> _Whole:
        # Readers keep what they answered: one file after another takes no longer.
        known = reader.statements([asked.of], asked.relations, _MOST).get(asked.of, [])
        return _Whole.of(reader, found, {each.key: each for each in known})

    values: dict[str, Any] = {
        "asked": asked,
        "work": work,
        "named": asked_as(reader, work),
        "statements": shown.statements,
        "works": shown.works,
        "dates": shown.dates,
        "total": len(found),
        "unfiltered": len(every),
        "most": _MOST if len(every) == _MOST else None,
        "relations": list(RelationType),
        "kinds": list(Kind),
        "orders": list(Order),
        **numbered_pages(request, page, _A_PAGE, len(found)),
    }
    return View(
        name=f"statements-{asked.of.partition('/')[2]}",
        template="statements.html",
        values=values,
        data=lambda: {"of": reference(asked.of, of), "statements": _data(whole())},
        table=lambda: _table(whole()),
        papers=_papers(asked, found),
        queries=queries_of(asked, len(found)),
    )


def _papers(asked: StatementsRequest, found: Sequence[StatementRow]) -> list[str]:
    """Return the papers (ids) behind statements: the one that they are of, or those about it."""
    papers = (each.subject for each in found)
    return list(dict.fromkeys(each for each in (asked.of, *papers) if each.startswith(PAPER)))


def _data(found: _Whole) -> list[dict[str, Any]]:
    return [
        {**statement_json(each, found.works), "published": found.published(each)}
        for each in found.statements
    ]


def _table(found: _Whole) -> Iterator[Row]:
    """Yield a row for each sentence."""
    yield (
        *("subject", "subject_name", "published", "relation", "entity", "entity_name"),
        *("entity_kind", "confidence", "origin", "field", "section", "start", "end", "sentence"),
    )
    for each in found.statements:
        subject, entity = found.works[each.subject], found.works[each.entity]
        start: Row = (
            *(each.subject, subject.name, found.published(each) or ""),
            *(each.relation.value, each.entity, entity.name),
            *(kind_of(entity), f"{each.confidence:g}", each.origin),
        )
        for text in each.evidence:
            yield (*start, text.field.value, text.section or "", text.start, text.end, text.text)
        if not each.evidence:
            yield (*start, "", "", "", "", "")


def queries_of(asked: StatementsRequest, total: int) -> Queries:
    """Return queries for statements of or about a work, of which there are `total`."""
    return Queries(
        "".join(_graphql(asked, total)),
        "".join(_sparql(asked)),
        "UNION\n".join("".join(_cypher(asked, is_subject)) for is_subject in _sides(asked)),
        "".join(_python(asked)),
    )


def _sides(asked: StatementsRequest) -> tuple[bool, ...]:
    """Return whether the work is the subject of statements; entities are it of the catalogue's."""
    return (True,) if asked.of.startswith(PAPER) else (False, True)


def _graphql(asked: StatementsRequest, total: int) -> Iterator[str]:
    is_paper = asked.of.startswith(PAPER)
    relations = ", ".join(asked.relations)
    kinds = ", ".join(each.name for each in asked.kinds if each is not Kind.PAPER)
    if asked.min_confidence or asked.years or (asked.kinds and not is_paper):
        yield "# All of these relations: choose by confidence, kind and year.\n"
    if total > LARGEST_PAGE and not is_paper:
        yield f"# The {LARGEST_PAGE} surest; SPARQL, Cypher and Python have all.\n"
    given = [
        *([f"relations: [{relations}]"] if relations else []),
        *([f"kinds: [{kinds}]"] if kinds and is_paper else []),
        *([] if is_paper else [f"first: {LARGEST_PAGE}"]),
    ]
    arguments = f"({', '.join(given)})" if given else ""
    yield f"query Statements {{\n  {'paper' if is_paper else 'entity'}(id: {string(asked.of)}) {{\n"
    yield f"    name\n    statements{arguments} {{\n"
    yield "      subject { id name }\n      relation\n      entity { id name kind }\n"
    yield "      confidence\n      evidence { text field }\n    }\n  }\n}\n"


def _sparql(asked: StatementsRequest) -> Iterator[str]:
    yield f"{PREFIXES}\nSELECT DISTINCT ?work ?name ?relation ?confidence WHERE {{\n"
    work = iri(asked.of)
    sides = {
        True: f"  {{\n    ?statement rdf:subject {work} ; rdf:object ?work .\n"
        f"    BIND ({work} AS ?subject)\n  }}\n",
        False: f"  {{\n    ?statement rdf:object {work} ; rdf:subject ?work .\n"
        "    BIND (?work AS ?subject)\n  }\n",
    }
    yield "  UNION\n".join(sides[each] for each in _sides(asked))
    yield "  ?statement rdf:predicate ?relation ; stemma:confidence ?confidence .\n"
    if asked.relations:
        yield f"  FILTER (?relation IN ({', '.join(map(term, asked.relations))}))\n"
    if asked.min_confidence:
        yield f"  FILTER (?confidence >= {asked.min_confidence:g})\n"
    yield from choice(asked.kinds, (asked.years.first, asked.years.last), "?subject")
    yield "  OPTIONAL { ?work skos:prefLabel|schema:name ?name }\n}\n"
    yield "ORDER BY DESC(?confidence) ?work\n"


def _cypher(asked: StatementsRequest, is_subject: bool) -> Iterator[str]:
    label = "Paper" if asked.of.startswith(PAPER) else "Entity"
    left, right = ("-", "->") if is_subject else ("<-", "-")
    relation = f"[r:{'|'.join(asked.relations or RelationType)}]"
    yield f"MATCH (x:{label} {{id: {string(asked.of)}}}){left}{relation}{right}(y)\n"
    conditions = []
    if asked.min_confidence:
        conditions.append(f"r.confidence >= {asked.min_confidence:g}")
    if asked.kinds:
        own = [f"y.kind IN {strings(asked.kinds)}"]
        if Kind.PAPER in asked.kinds:
            own.append(f"left(y.id, {len(PAPER)}) = '{PAPER}'")
        conditions.append(f"({' OR '.join(own)})")
    subject = "x" if is_subject else "y"
    if asked.years.first:
        conditions.append(f"{subject}.year >= {asked.years.first}")
    if asked.years.last:
        conditions.append(f"{subject}.year <= {asked.years.last}")
    if conditions:
        yield f"WHERE {' AND '.join(conditions)}\n"
    yield "RETURN DISTINCT y.id AS id, coalesce(y.name, y.title) AS name, "
    yield "r.confidence AS confidence\n"


def _python(asked: StatementsRequest) -> Iterator[str]:
    relations = f", {strings(asked.relations)}" if asked.relations else ""
    yield 'from stemma import Stemma\n\ngraph = Stemma("stemma.db")\n'
    yield f"every = graph.statements({string(asked.of)}{relations})\n"
    conditions = []
    if asked.min_confidence:
        conditions.append(f"each.confidence >= {asked.min_confidence:g}")
    if asked.kinds or asked.years:
        yield "with graph.store.snapshot() as reader:\n"
    if asked.kinds:
        yield "    works = reader.works({end for e in every for end in (e.subject, e.entity)})\n"
        end = f"each.entity if each.subject == {string(asked.of)} else each.subject"
        kind = f'getattr(works[{end}], "kind", "paper")'
        conditions.append(f"{kind} in {strings(asked.kinds)}")
    if asked.years:
        yield "    dates = reader.published({each.subject for each in every})\n"
        yield "years = {work: date.year for work, date in dates.items() if date.year}\n"
        conditions.append("each.subject in years")
    if asked.years.first:
        conditions.append(f"years[each.subject] >= {asked.years.first}")
    if asked.years.last:
        conditions.append(f"years[each.subject] <= {asked.years.last}")
    chosen = "".join(f"\n    {'and' if n else 'if'} {each}" for n, each in enumerate(conditions))
    yield f"found = [\n    each\n    for each in every{chosen}\n]\n"
