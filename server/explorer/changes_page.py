"""What the latest builds changed: ``/changes?since=2026-11-01``."""

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.graph.added_edges import edges_added
from stemma.graph.history import since
from stemma.server import pages
from stemma.server.linked_data.responses import PAGE, problem_response, tagged
from stemma.server.sparql.format import content_type

_MOST = 50
"""Papers, entities or edges of a build that the page shows."""


def changes_page(request: Request, reader: Reader) -> Response:
    """Return the page: the latest build first, its new lineage with the sentences."""
    start = request.query_params.get("since")
    try:
        builds = since(reader.builds(), start or None)
    except ValueError as error:
        return problem_response(request, ValueError(f"since: {error}"))
    edges = edges_added(reader, builds, _MOST)
    body = pages.render("changes.html", builds=builds, edges=edges, since=start, most=_MOST)
    return tagged(request, body.encode(), content_type(PAGE), {})
