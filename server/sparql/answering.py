"""Answering: one query put to Oxigraph, and its answer as bytes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.server.settings import Settings
from stemma.server.sparql.confinement import MEGABYTE
from stemma.server.sparql.format import GRAPHS, SOLUTIONS
from stemma.server.sparql.query_text import calls_service, has_dataset_clause, is_update

if TYPE_CHECKING:
    from typing_extensions import Buffer

_ERROR = re.compile(r"error at (\d+):(\d+): expected (.*)", re.DOTALL)
_SENTENCE = re.compile(r"\b[A-Z]\w* [a-z][\w ]*\w")
_CHARACTERS = re.compile(r"(?:, | ?\n?\| )?(?:\[(?:_|'.*?')\]|<unreported>)", re.DOTALL)

Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


@dataclass(frozen=True, slots=True)
class SparqlQuery:
    """A query with its data set, as the protocol has it.

    `default_graphs` and `named_graphs` are IRIs; where both are empty, the query's own FROM counts,
    else the union of all graphs. `solutions` and `graph` are the media types for either sort of
    answer, None where the client takes none that there is.
    """

    text: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    solutions: str | None = next(iter(SOLUTIONS))
    graph: str | None = next(iter(GRAPHS))


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """The answer to a SPARQL query, as the body of a response of type `media_type`."""

    media_type: str
    body: bytes


class Refusal(Exception):  # noqa: N818 - a response like others, and no error of ours
    """A query that is not answered; the message says why, and what to do."""

    def __init__(self, status: HTTPStatus, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


def evaluate(rdf: ox.Store, base: str, query: SparqlQuery) -> Results:
    """Evaluate a query on a store; relative IRIs are resolved by `base`, as those of the data.

    Raises Refusal for what is no query.
    """
    graphs: dict[str, Any] = {"use_default_graph_as_union": not has_dataset_clause(query.text)}
    if query.default_graphs or query.named_graphs:
        graphs = {
            "default_graph": [_graph(graph, base) for graph in query.default_graphs],
            "named_graphs": [_graph(graph, base) for graph in query.named_graphs],
        }
    try:
        return rdf.query(query.text, base_iri=base, prefixes=PREFIXES, **graphs)
    except SyntaxError as error:
        if is_update(query.text):
            raise Refusal(
                HTTPStatus.FORBIDDEN, "Updates are not supported: SPARQL is read-only here."
            ) from None
        raise Refusal(HTTPStatus.BAD_REQUEST, _malformed(query.text, error)) from None
    except (ValueError, RuntimeError) as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The query cannot be answered: {error}") from None


def _graph(iri: str, base: str) -> ox.NamedNode:
    try:
        return ox.NamedNode(iri)
    except ValueError:
        raise Refusal(
            HTTPStatus.BAD_REQUEST,
            f"default-graph-uri and named-graph-uri must be absolute IRIs, such as "
            f"{base}catalogue; {iri!r} is not.",
        ) from None


def _malformed(text: str, error: SyntaxError) -> str:
    """Say where a query is malformed, and how, as far as the parser says it in words.

    Classes of characters are left out of what it expected. Where it names what is wrong, such as a
    prefix that is not declared, it does so among these expectations.
    """
    if not text.strip():
        return "The query is empty."
    message = _ERROR.fullmatch(_CHARACTERS.sub("", str(error)))
    if not message:
        return f"The query is malformed: {error}"
    line, column, expected = message.groups()
    if wrong := _SENTENCE.search(expected):
        reason = f": {wrong[0]}"
    else:
        reason = f": expected {expected}" if expected else "."
    return f"The query is malformed at line {line}, column {column}{reason}"


def answer(rdf: ox.Store, base: str, query: SparqlQuery, settings: Settings) -> SparqlResult:
    """Answer the query of an untrusted client within limits of size. Raises Refusal."""
    if calls_service(query.text):
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            "SERVICE is not allowed here: this server does not query others. "
            "(If that is the prefix of a name in your query, choose another prefix.)",
        )
    results = evaluate(rdf, base, query)
    is_graph = isinstance(results, ox.QueryTriples)
    media_type = query.graph if is_graph else query.solutions
    if media_type is None:
        sort, offers = ("a graph", GRAPHS) if is_graph else ("solutions", SOLUTIONS)
        if isinstance(results, ox.QueryBoolean):
            sort = "true or false"
        raise Refusal(
            HTTPStatus.NOT_ACCEPTABLE,
            f"The answer is {sort}, which is available as {', '.join(offers)}.",
        )
    try:
        body = _body(results, media_type, settings)
    except (ValueError, RuntimeError) as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The query cannot be answered: {error}") from None
    return SparqlResult(media_type, body)


def _body(results: Results, media_type: str, settings: Settings) -> bytes:
    out = _Bounded(settings.sparql_size)
    if isinstance(results, ox.QueryTriples):
        ox.serialize(_each_once(results), out, GRAPHS[media_type], prefixes=PREFIXES)
    else:
        results.serialize(out, SOLUTIONS[media_type])
    return out.getvalue()


def _each_once(triples: Iterable[ox.Triple]) -> Iterator[ox.Triple]:
    """Yield what DESCRIBE returns twice, because two graphs hold it, once."""
    seen = set[ox.Triple]()
    for triple in triples:
        if triple not in seen:
            seen.add(triple)
            yield triple


class _Bounded(BytesIO):
    """A file that refuses to grow beyond `megabytes`."""

    def __init__(self, megabytes: int) -> None:
        super().__init__()
        self._megabytes = megabytes

    def write(self, piece: "Buffer") -> int:
        written = super().write(piece)
        if self.tell() > self._megabytes * MEGABYTE:
            raise Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The answer is larger than {self._megabytes} MB. Narrow the query, or page "
                "through it with ORDER BY, LIMIT and OFFSET.",
            )
        return written
