"""The search box of every page: it finds a work by its name, answers a question, or searches."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from stemma.graph import PageOrder, Reader, Selection, UnknownNameError, Work, WorkType, kind_of
from stemma.graph.searching import search
from stemma.graph.selection import member
from stemma.schema import Entity, EntityKind, PartialDate, Statement
from stemma.schema.name import is_id, slug
from stemma.schema.quantity import quantity
from stemma.server import asking
from stemma.server.asking import Answer
from stemma.server.http.caching import NO_CACHE
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.views.answer import AnswerView
from stemma.server.views.notes import asked_as, notes
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import LARGEST_PAGE, ExplorerPage, query
from stemma.server.web.linked_data.responses import found_response
from stemma.server.web.paper_table import table_of

_SHOWN, _MOST = 50, 300
"""How many works of an answer are shown, and how many can be chosen from."""
_SUGGESTED = 8
_FACETS = ("kind", "year", "relation")
_MOST_VALUES, _FEWEST_WORKS = 12, 5
_EARLIER, _UNDATED = "earlier", "undated"


def make_answer_page(
    request: Request, reader: Reader, page_size: int = LARGEST_PAGE
) -> ExplorerPage | Response:
    """Return the answer to a question, or the works with a name like a single word.

    In a browser, a name leads to its work, and nothing to all entities.
    """
    given = QueryParameters(request.query_params, ("q", "first", *_FACETS))
    sought = given.text("q") or ""
    if request.url.path == "/page":
        if not sought:
            return entities_page(request, reader)
        if is_id(sought) or reader.called(sought):  # Nothing spelt like a question is looked for.
            with suppress(UnknownNameError):
                return RedirectResponse(f"/page/{pages.path(reader.resolve(sought))}", 303)
    first = given.number("first", _SHOWN, _MOST)
    is_word = " " not in sought
    answer = (is_word and _named_like(reader, sought)) or asking.ask(reader, sought, _MOST)
    if not answer.works:
        return found_response(
            reader, f"No results for “{sought}”", (), answer.text, sought, answer.suggestions
        )
    chosen = {name: text for name in ("q", *_FACETS) if (text := given.text(name))}
    works, facets = _facets_of(reader, answer.works, answer.statements, chosen)
    noted = {**answer.derivations, **answer.notes}
    shown = works[:first]
    return ExplorerPage(
        name=slug(sought) or "answer",
        template="found.html",
        values=lambda: {
            "heading": sought,
            "sought": sought,
            "text": answer.text + (f" The first {_MOST}." if answer.total > _MOST else ""),
            "about": answer.about,
            "facets": facets,
            "rows": table_of(reader, shown, answer.sentences(reader, shown), noted),
            "more": f"?{urlencode(chosen | {'first': _MOST})}" if len(works) > first else "",
            "more_says": f"Show {len(works)}",
            "pages": (),
            "questions": answer.suggestions,
        },
        view=lambda: AnswerView.of(reader, answer),
        papers=[
            *(e.id for e in answer.works),
            *(statement.subject for statement in answer.statements),
        ],
        graphql=query("answer", sought)
        if answer.understood_as
        else query("search", sought, page_size),
    )


class _FacetValue(NamedTuple):
    """A value by which a list can be narrowed down, and how many works have it.

    `address` narrows the list down, or widens it again where the value is chosen.
    """

    value: str
    works: int
    address: str
    chosen: bool


def _facets_of(
    reader: Reader,
    works: Sequence[Work],
    statements: Iterable[Statement],
    chosen: Mapping[str, str],
) -> tuple[list[Work], dict[str, list[_FacetValue]]]:
    """Return the works with the values that are chosen, and how many there are of all values.

    `chosen` are the query parameters of the page. A facet that tells few works apart is left out.
    """
    dates = reader.published([work.id for work in works])
    years = {work.id: _year(dates.get(work.id)) for work in works}
    newest = sorted({*years.values()} - {_UNDATED}, reverse=True)[: _MOST_VALUES - 2]
    stated = defaultdict[str, dict[str, None]](dict)
    for statement in statements:
        for id_ in (statement.subject, statement.entity):
            stated[id_][statement.relation.words] = None
    values: dict[str, Mapping[str, Collection[str]]] = {
        "kind": {work.id: [kind_of(work)] for work in works},
        "year": {
            id_: [year] if year in (_UNDATED, *newest) else [year, _EARLIER]
            for id_, year in years.items()
        },
        # Of a lineage, statements are about what the works build on.
        "relation": stated if all(work.id in stated for work in works) else {},
    }

    def kept(but: str = "") -> list[Work]:
        asked = {name: value for name, value in chosen.items() if name in _FACETS and name != but}
        return [
            work
            for work in works
            if all(value in values[name].get(work.id, ()) for name, value in asked.items())
        ]

    facets: dict[str, list[_FacetValue]] = {}
    for name in _FACETS:
        counts = Counter(v for work in kept(name) for v in values[name].get(work.id, ()))
        order = sorted(counts, key=lambda value: -counts[value])
        if name == "year":
            order = [year for year in (*newest, _EARLIER, _UNDATED) if year in counts]
        if name in chosen or (len(order) > 1 and len(works) >= _FEWEST_WORKS):
            others = {other: text for other, text in chosen.items() if other != name}
            for value in order[:_MOST_VALUES]:
                is_chosen = chosen.get(name) == value
                asked = urlencode(others if is_chosen else {**others, name: value})
                facet = _FacetValue(value, counts[value], f"?{asked}", is_chosen)
                facets.setdefault(name, []).append(facet)
    return kept(), facets


def _year(published: PartialDate | None) -> str:
    return f"{published.year:04}" if published and published.year else _UNDATED


def _named_like(reader: Reader, sought: str) -> Answer | None:
    """Return the works whose names have a word, if there are any."""
    page = search(reader, sought, Selection(first=_MOST))
    if not page.items or page.alike:
        return None
    entities = [work for work in page.items if isinstance(work, Entity)]
    naming = reader.papers_naming([entity.id for entity in entities])
    noted = {
        id_: " · ".join(filter(None, (quantity(len(naming[id_]), "paper"), note)))
        for id_, note in notes(reader, entities).items()
    }
    text = f"Names and titles with “{sought}”: {page.total:,}."
    return Answer(text, works=page.items, total=page.total, notes=noted, question=sought)


def entities_page(request: Request, reader: Reader) -> Response:
    """List the entities that most papers name, by kind."""
    given = QueryParameters(request.query_params, ("q", "kind", "after", "before"))
    kind = member(EntityKind, text) if (text := given.text("kind")) else None
    order, after = PageOrder.PAPERS, given.text("after")
    chosen = Selection(kinds=(kind,) if kind else (), order=order, first=_SHOWN, after=after)
    page = reader.page(WorkType.ENTITY, chosen, given.text("before"))
    ids = [item.id for item in page.items]
    naming = reader.papers_naming(ids)
    kinds = [
        _FacetValue(name, count, f"?kind={name}" if name != kind else "/entities", name == kind)
        for name, count in reader.statistics().by_kind.items()
        if count
    ]
    return found_response(
        reader,
        "Entities",
        page.items,
        f"{page.total:,} entities, those that most papers name first.",
        noted={id_: quantity(len(papers), "paper") for id_, papers in naming.items()},
        facets={"kind": kinds},
        pages=(page, f"/entities?kind={kind}" if kind else "/entities"),
    )


def suggest(request: Request, reader: Reader) -> Response:
    """Return the works whose names match what was typed so far, those most used first."""
    typed = request.query_params.get("q", "").strip()[: asking.LONGEST_QUESTION]
    found = search(reader, typed, Selection(first=_SUGGESTED)).items if typed else ()
    noted = notes(reader, found)
    suggestions = [
        {
            "name": work.name,
            "kind": kind_of(work),
            "note": noted[work.id],
            "address": f"/page/{pages.path(work.id)}",
            "asked": asked_as(reader, work),
        }
        for work in found
    ]
    return JSONResponse(suggestions, headers={"cache-control": NO_CACHE})
