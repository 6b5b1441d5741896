"""All statements of or about a work: ``/statements?of=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from starlette.requests import Request

from stemma.graph import Reader
from stemma.graph.selection import EVERYTHING, Selection
from stemma.graph.statement_page import StatementKey, StatementPage, StatementRow
from stemma.schema import EntityKind, RelationType, Statement
from stemma.schema.identifier import PAPER
from stemma.schema.partial_date import UNDATED
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.notes import asked_as
from stemma.server.views.page import PageView
from stemma.server.views.statement import StatementView, works_of
from stemma.server.web.explorer.explorer_page import ExplorerPage, numbered_pages
from stemma.server.web.graphql_text import LARGEST_PAGE, arguments, selected, string

_A_PAGE, _LAST_PAGE = 50, 100_000
_MOST = 10_000
"""Statements that are read of a work; where it has more, these are the surest."""
_FILTERS = ("relations", "kinds", "min_confidence", "since", "until")


class Order(StrEnum):
    """Which statements come first; those of papers without a date come last."""

    SUREST = "surest"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class StatementsRequest:
    """Which statements of or about a work (an id) are listed.

    The selection has the kinds of the work at the other end, and the years of papers.
    """

    of: str
    selection: Selection = EVERYTHING
    order: Order = Order.SUREST

    def other(self, statement: Statement | StatementRow) -> str:
        """Return the work at the other end of a statement."""
        return statement.entity if statement.subject == self.of else statement.subject

    def chosen(self, found: Collection[StatementRow]) -> list[StatementRow]:
        """Return those of some statements that are asked for, in order."""

        chosen = self.selection

        def passes(each: StatementRow) -> bool:
            return (
                each.confidence >= chosen.min_confidence
                and (not chosen.kinds or each.kind in chosen.kinds)
                and chosen.years.hold(each.published.year if each.published else None)
            )

        kept = sorted(
            filter(passes, found), key=lambda each: (-each.confidence, self.other(each), each.key)
        )
        if self.order is Order.SUREST:
            return kept
        dated = [each for each in kept if _date(each) != UNDATED]
        dated.sort(key=_date, reverse=self.order is Order.NEWEST)
        return [*dated, *(each for each in kept if _date(each) == UNDATED)]


def _date(row: StatementRow) -> tuple[int, int, int]:
    return row.published.sort_key if row.published else UNDATED


def make_statements_page(request: Request, reader: Reader) -> ExplorerPage:
    """Return a page of statements; files have all of them.

    Whole statements are read of what is shown alone: a hub has thousands.
    """
    selection, given = read_parameters(request.query_params, _FILTERS, ("of", "order", "page"))
    name = given.text("of")
    if name is None:
        raise ValueError("'of' is missing: give the name or the id of a work")
    asked = StatementsRequest(
        reader.resolve(name), selection, given.choice("order", list(Order), Order.SUREST)
    )
    every = reader.statement_rows(asked.of, selection.relations, _MOST)
    found = asked.chosen(every)
    work = reader.works([asked.of])[asked.of]
    page = given.number("page", 1, _LAST_PAGE)
    rows = found[(page - 1) * _A_PAGE : page * _A_PAGE]
    shown = _in_order(reader.whole_statements([each.key for each in rows]), rows)

    def view() -> PageView[StatementView]:
        # Readers keep what they answered: one file after another takes no longer.
        known = reader.statements([asked.of], selection.relations, _MOST).get(asked.of, [])
        every = _in_order({each.key: each for each in known}, found)
        return PageView.of_statements(reader, StatementPage(every, len(every), False, False))

    values: dict[str, Any] = {
        "asked": asked,
        "work": work,
        "named": asked_as(reader, work),
        "statements": shown,
        "works": reader.works(works_of(shown)),
        "dates": {each.subject: each.published for each in rows},
        "total": len(found),
        "unfiltered": len(every),
        "most": _MOST if len(every) == _MOST else None,
        "relations": list(RelationType),
        "kinds": list(EntityKind),
        "orders": list(Order),
        **numbered_pages(request, page, _A_PAGE, len(found)),
    }
    return ExplorerPage(
        name=f"statements-{asked.of.partition('/')[2]}",
        template="statements.html",
        values=values,
        view=view,
        papers=_papers(asked, found),
        graphql="".join(_graphql(asked, len(found))),
    )


def _in_order(
    known: Mapping[StatementKey, Statement], rows: Sequence[StatementRow]
) -> tuple[Statement, ...]:
    """Return the whole statements of some rows, as far as they are known."""
    return tuple(known[each.key] for each in rows if each.key in known)


def _papers(asked: StatementsRequest, found: Sequence[StatementRow]) -> list[str]:
    """Return the papers (ids) behind statements: the one that they are of, or those about it."""
    papers = (each.subject for each in found)
    return list(dict.fromkeys(each for each in (asked.of, *papers) if each.startswith(PAPER)))


def _graphql(asked: StatementsRequest, total: int) -> Iterator[str]:
    is_paper, chosen = asked.of.startswith(PAPER), asked.selection
    if chosen.min_confidence or chosen.years or (chosen.kinds and not is_paper):
        yield "# All of these relations: choose by confidence, kind and year.\n"
    if total > LARGEST_PAGE:
        yield f"# The {LARGEST_PAGE} surest.\n"
    given = arguments(
        {
            **selected(chosen, ("relations", *(("kinds",) if is_paper else ()))),
            "first": str(LARGEST_PAGE),
        }
    )
    yield f"query Statements {{\n  {'paper' if is_paper else 'entity'}(id: {string(asked.of)}) {{\n"
    yield f"    name\n    statements({given}) {{\n      totalCount\n      nodes {{\n"
    yield "        subject { id name }\n        relation\n        entity { id name kind }\n"
    yield "        confidence\n        evidence { text field }\n      }\n    }\n  }\n}\n"
