"""What the box on every page finds: a work by its name, an answer to a question, or a search."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from stemma.graph import PageOrder, Reader, UnknownNameError, Work, WorkType, kind_of
from stemma.graph.searching import FoundPage, search
from stemma.graph.selection import Selection
from stemma.schema.name import slug
from stemma.server import asking
from stemma.server.asking import Answer
from stemma.server.asking.answer import MOST_WORKS
from stemma.server.http.caching import NO_CACHE
from stemma.server.views.answer import AnswerView
from stemma.server.views.notes import asked_as, notes
from stemma.server.views.statement import works_of
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import ExplorerPage, render_page
from stemma.server.web.linked_data.responses import found_response

_SHOWN = 20
_SUGGESTED = 8
_LONGEST = asking.LONGEST_QUESTION


def find(request: Request, reader: Reader) -> Response:
    """Find what is asked for; without a question, show the works that most papers name."""
    sought = request.query_params.get("q", "").strip()
    after = request.query_params.get("after")
    if not sought:
        most = reader.page(WorkType.ENTITY, order=PageOrder.PAPERS, first=_SHOWN)
        return found_response(reader, "Most mentioned works", most.works)
    try:
        return RedirectResponse(f"/page/{pages.path(reader.resolve(sought))}", 303)
    except UnknownNameError:
        pass
    # The cursors of answers are numbers, those of a search are ids.
    is_answered = bool(after and after.isdigit())
    names = Selection(first=_SHOWN, after=after)
    found = None
    if " " not in sought and not is_answered:
        found = search(reader, sought, names)
        if found.works and not found.alike:  # The word is a part of names.
            return _results(reader, sought, found)
    answer = asking.ask(reader, sought, _SHOWN, after if is_answered else None)
    if answer.understood_as:
        return render_page(request, reader, _page_of(reader, sought, answer))
    return _results(reader, sought, found or search(reader, sought, names), answer)


def _results(
    reader: Reader, sought: str, found: FoundPage, answer: Answer | None = None
) -> Response:
    """Return the page of works with a name like `sought`; without any, what the answer says."""
    more = urlencode({"q": sought, "after": found.end_cursor}) if found.end_cursor else ""
    remark = f"{found.total:,} works match." if found.total > len(found.works) else ""
    if found.alike and found.works:
        remark = "No exact match. Showing names with similar spelling."
    questions: tuple[str, ...] = ()
    if answer and not found.works:
        remark, questions = f"No results. {answer.text}", answer.suggestions
    heading = f"Results for “{sought}”"
    return found_response(
        reader, heading, found.works, remark, sought=sought, more=more, questions=questions
    )


def suggest(request: Request, reader: Reader) -> Response:
    """Return the works whose names match what was typed so far, those most used first."""
    typed = request.query_params.get("q", "").strip()[:_LONGEST]
    found = search(reader, typed, Selection(first=_SUGGESTED)).works if typed else ()
    noted = notes(reader, found)
    return JSONResponse(
        [_suggestion(reader, each, noted[each.id]) for each in found],
        headers={"cache-control": NO_CACHE},
    )


def _suggestion(reader: Reader, work: Work, note: str) -> dict[str, str]:
    """Return a work as a line of the list of suggestions."""
    address = f"/page/{pages.path(work.id)}"
    return {
        "name": work.name,
        "kind": kind_of(work),
        "note": note,
        "address": address,
        "asked": asked_as(reader, work),
    }


def make_answer_page(request: Request, reader: Reader) -> ExplorerPage:
    """Return the answer to a question, with more of its works than a page has."""
    sought = request.query_params.get("q", "").strip()
    answer = asking.ask(reader, sought, MOST_WORKS)
    if not answer.understood_as:
        raise ValueError(f"{sought!r} is not a question that can be answered")
    return _page_of(reader, sought, answer)


def _page_of(reader: Reader, sought: str, answer: Answer) -> ExplorerPage:
    works = reader.works(works_of(answer.statements))
    papers = (each.subject for each in answer.statements)
    return ExplorerPage(
        name=slug(sought) or "answer",
        template="answer.html",
        values={
            "sought": sought,
            "answer": answer,
            "works": works,
            "more": urlencode({"q": sought, "after": answer.end_cursor})
            if answer.end_cursor
            else "",
        },
        view=lambda: AnswerView.of(reader, answer),
        papers=list(dict.fromkeys((*(each.id for each in answer.works), *papers))),
        graphql=answer.query,
    )
