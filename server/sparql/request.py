"""Requests of the SPARQL 1.1 protocol: what is asked, of which graphs, for which formats."""

from email.message import Message
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.requests import Request

from stemma.server.http.negotiation import accepted, preferred
from stemma.server.sparql.answering import Refusal, SparqlQuery
from stemma.server.sparql.format import GRAPHS, SOLUTIONS

_FORM, _QUERY, _UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
READ_ONLY = "This endpoint is read-only: it does not accept updates."


async def read_query(request: Request) -> SparqlQuery:
    """Read a request by GET, or by POST of either kind. Raises Refusal (section 2.1).

    Parameters that are not in the protocol are ignored.
    """
    addressed = _parameters(request.url.query)
    if request.method != "POST":
        return _query(addressed, request)
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    content_type, charset = header.get_content_type(), header.get_content_charset("utf-8")
    if content_type == _UPDATE:
        raise Refusal(HTTPStatus.FORBIDDEN, READ_ONLY)
    if content_type not in (_FORM, _QUERY):
        raise Refusal(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send queries as {_QUERY}, or in a form as {_FORM}."
        )
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Queries must be UTF-8.")
    if "query" in addressed or "update" in addressed:
        raise Refusal(HTTPStatus.BAD_REQUEST, "With POST, send the query in the body.")
    try:
        body = (await request.body()).decode()
    except UnicodeDecodeError:
        raise Refusal(HTTPStatus.BAD_REQUEST, "The query is not UTF-8.") from None
    if content_type == _QUERY:
        return _query({**addressed, "query": [body]}, request)
    return _query({**addressed, **_parameters(body)}, request)


def _query(parameters: dict[str, list[str]], request: Request) -> SparqlQuery:
    if "update" in parameters:
        raise Refusal(HTTPStatus.FORBIDDEN, READ_ONLY)
    queries = parameters.get("query", [])
    if len(queries) != 1:
        problem = "There is no query." if not queries else "There is more than one query."
        raise Refusal(HTTPStatus.BAD_REQUEST, f"{problem} Give one, as `query`.")
    accept = accepted(request)
    return SparqlQuery(
        queries[0],
        tuple(parameters.get("default-graph-uri", ())),
        tuple(parameters.get("named-graph-uri", ())),
        preferred(accept, list(SOLUTIONS)),
        preferred(accept, list(GRAPHS)),
    )


def _parameters(text: str) -> dict[str, list[str]]:
    """Read ``a=b&c=d``."""
    try:
        return parse_qs(text, keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The parameters cannot be read: {error}") from None
