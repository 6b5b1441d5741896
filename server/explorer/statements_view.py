"""All statements of or about a work: ``/statements?of=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from starlette.requests import Request

from stemma.graph import Reader, Work, kind_of
from stemma.graph.criteria import ALL_YEARS, Years
from stemma.graph.statement_page import StatementKey, StatementRow
from stemma.schema import EntityKind, PartialDate, RelationType, Statement
from stemma.schema.identifier import PAPER
from stemma.schema.partial_date import UNDATED
from stemma.server.explorer.graphql_text import LARGEST_PAGE, string
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
        graphql="".join(_graphql(asked, len(found))),
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


def _graphql(asked: StatementsRequest, total: int) -> Iterator[str]:
    is_paper = asked.of.startswith(PAPER)
    relations = ", ".join(asked.relations)
    kinds = ", ".join(each.name for each in asked.kinds if each is not Kind.PAPER)
    if asked.min_confidence or asked.years or (asked.kinds and not is_paper):
        yield "# All of these relations: choose by confidence, kind and year.\n"
    if total > LARGEST_PAGE and not is_paper:
        yield f"# The {LARGEST_PAGE} surest.\n"
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
