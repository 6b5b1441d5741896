"""What the box on every page finds: a work by its name, an answer to a question, or a search."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from stemma.graph import PageOrder, Reader, UnknownNameError, Work, WorkType
from stemma.graph.searching import search
from stemma.schema import Paper
from stemma.schema.identifier import PAPER
from stemma.server import asking, pages
from stemma.server.asking import Answer
from stemma.server.explorer.named_work import asked_as
from stemma.server.http.caching import NO_CACHE
from stemma.server.linked_data.responses import PAGE, found_response, tagged
from stemma.server.sparql.format import content_type

_SHOWN = 20
_SUGGESTED = 8
_LONGEST = asking.LONGEST_QUESTION


def find(request: Request, reader: Reader, local: str) -> Response:
    """Find what is asked for; without a question, show the works that most papers name."""
    sought = request.query_params.get("q", "").strip()
    after = request.query_params.get("after")
    if not sought:
        most = reader.page(WorkType.ENTITY, order=PageOrder.PAPERS, first=_SHOWN)
        return found_response("What most papers speak of", most.works)
    try:
        return RedirectResponse(f"/page/{pages.path(reader.resolve(sought))}", 303)
    except UnknownNameError:
        pass
    # The cursors of answers are numbers, those of a search are ids.
    answer = asking.ask(reader, sought, _SHOWN, after if after and after.isdigit() else None)
    if answer.understood_as:
        return _answered(request, reader, sought, answer)
    found = search(reader, sought, (), _SHOWN, after)
    more = urlencode({"q": sought, "after": found.end_cursor}) if found.end_cursor else ""
    remark = f"{found.total} works match." if found.total > len(found.works) else ""
    if not found.works:
        remark = f"Nothing in this graph is called so. {answer.text}"
    elif found.alike:
        remark = "Nothing matches. These are spelt much like it."
    questions = () if found.works else answer.suggestions
    heading = f"Works like “{sought}”"
    return found_response(
        heading, found.works, remark, sought=sought, more=more, questions=questions
    )


def suggest(request: Request, reader: Reader, local: str) -> Response:
    """Return the works whose names match what was typed so far, those most used first."""
    typed = request.query_params.get("q", "").strip()[:_LONGEST]
    found = search(reader, typed, first=_SUGGESTED).works if typed else ()
    return JSONResponse(
        [_suggestion(reader, each) for each in found], headers={"cache-control": NO_CACHE}
    )


def _suggestion(reader: Reader, work: Work) -> dict[str, str]:
    """Return a work as a line of the list of suggestions."""
    if isinstance(work, Paper):
        kind, note = "paper", str(work.published or "")
    else:
        kind, note = work.kind.value, ", ".join(work.aliases[:3])
    address = f"/page/{pages.path(work.id)}"
    return {
        "name": work.name,
        "kind": kind,
        "note": note,
        "address": address,
        "asked": asked_as(reader, work),
    }


def _answered(request: Request, reader: Reader, sought: str, answer: Answer) -> Response:
    papers = [each.subject for each in answer.statements if each.subject.startswith(PAPER)]
    ends = {end for each in answer.statements for end in (each.subject, each.entity)}
    body = pages.render(
        "answer.html",
        sought=sought,
        answer=answer,
        works=reader.works({*papers, *ends}),
        more=urlencode({"q": sought, "after": answer.end_cursor}) if answer.end_cursor else "",
    )
    return tagged(request, body.encode(), content_type(PAGE), {})
