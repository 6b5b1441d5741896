"""The page of an edge of lineage: what supports it, and what can be decided about it."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stemma.graph import Reader
from stemma.schema import EntityKind
from stemma.server import pages
from stemma.server.explorer.evidence import edge_evidence
from stemma.server.http.forgery import form_token, remember
from stemma.server.linked_data.responses import PAGE, problem_response, tagged
from stemma.server.sparql.format import content_type


def address(child: str, parent: str) -> str:
    """Return the address of the page of an edge."""
    return f"/evidence?{urlencode({'child': child, 'parent': parent}, safe='/')}"


def evidence_page(request: Request, reader: Reader, can_decide: bool = False) -> Response:
    """Return the page of an edge; with forms that decide, where that is allowed."""
    given = request.query_params.get("child", ""), request.query_params.get("parent", "")
    if not all(each.strip() for each in given):
        missing = ValueError("'child' and 'parent' are needed: give the names or the ids of works")
        return problem_response(request, missing)
    found = edge_evidence(reader, *given)
    here = address(found.child.id, found.parent.id)
    if given != (found.child.id, found.parent.id):
        return RedirectResponse(here)
    token = form_token(request)
    body = pages.render(
        "evidence.html",
        found=found,
        here=here,
        token=token if can_decide else None,
        kinds=list(EntityKind),
    )
    response = tagged(request, body.encode(), content_type(PAGE), {})
    if can_decide:
        remember(request, response, token)
    return response
