"""Answering: one query put to Oxigraph, and its answer as bytes."""

import re
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from stemma.graph.oxigraph.vocabulary import PREFIXES
from stemma.server.sparql.format import GRAPHS, SOLUTIONS
from stemma.server.sparql.limits import MEGABYTE, Limits
from stemma.server.sparql.query_text import calls_service, has_dataset_clause, is_update

if TYPE_CHECKING:
    from typing_extensions import Buffer

_PLACE = re.compile(r"error at (\d+):(\d+): ")
_CHARACTERS = re.compile(r"(?:, | ?\n?\| )?\[(?:_|'.*?')\]", re.DOTALL)

Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


@dataclass(frozen=True, slots=True)
class Question:
    """A query with the data set that it is asked of, as the protocol has it.

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
class Answer:
    """`body` is of type `media_type`."""

    media_type: str
    body: bytes


class Refusal(Exception):  # noqa: N818 - an answer that says no is not an error of ours
    """A question that is not answered; the message says why, and what to do."""

    def __init__(self, status: HTTPStatus, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


def ask(rdf: ox.Store, base: str, question: Question) -> Results:
    """Put a question to a store whose data begin with `base`: relative IRIs are read with it.

    Raises Refusal for what is no query.
    """
    try:
        protocol = question.default_graphs or question.named_graphs
        if protocol:
            return rdf.query(
                question.text,
                base_iri=base,
                prefixes=PREFIXES,
                default_graph=[ox.NamedNode(each) for each in question.default_graphs],
                named_graphs=[ox.NamedNode(each) for each in question.named_graphs],
            )
        union = not has_dataset_clause(question.text)
        return rdf.query(
            question.text, base_iri=base, prefixes=PREFIXES, use_default_graph_as_union=union
        )
    except SyntaxError as error:
        if is_update(question.text):
            raise Refusal(HTTPStatus.FORBIDDEN, "This graph is read-only here.") from None
        raise Refusal(HTTPStatus.BAD_REQUEST, _malformed(error)) from None
    except (ValueError, RuntimeError) as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The query cannot be answered: {error}") from None


def _malformed(error: SyntaxError) -> str:
    """Say where a query is malformed; classes of characters are left out of what is expected."""
    said = _CHARACTERS.sub("", str(error)).replace("expected one of ,", "expected one of")
    place = _PLACE.match(said)
    if not place:
        return f"The query is malformed: {said}"
    line, column = place.groups()
    return f"The query is malformed at line {line}, column {column}: {said[place.end() :]}"


def answer(rdf: ox.Store, base: str, question: Question, limits: Limits) -> Answer:
    """Answer a stranger's question within limits of size. Raises Refusal."""
    if calls_service(question.text):
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            "SERVICE is not allowed here: this server asks no other one. "
            "(If that is the prefix of a name in your query, choose another prefix.)",
        )
    results = ask(rdf, base, question)
    is_graph = isinstance(results, ox.QueryTriples)
    media_type = question.graph if is_graph else question.solutions
    if media_type is None:
        sort, offers = ("a graph", GRAPHS) if is_graph else ("solutions", SOLUTIONS)
        raise Refusal(
            HTTPStatus.NOT_ACCEPTABLE,
            f"The answer is {sort}, which is offered as {', '.join(offers)}.",
        )
    try:
        body = _body(results, media_type, limits)
    except (ValueError, RuntimeError) as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"The query cannot be answered: {error}") from None
    return Answer(media_type, body)


def _body(results: Results, media_type: str, limits: Limits) -> bytes:
    out = _Bounded(limits.megabytes)
    if isinstance(results, ox.QueryTriples):
        triples = list(islice(results, limits.rows + 1))
        _check(len(triples), limits.rows, "triples")
        # DESCRIBE tells twice what two graphs hold.
        ox.serialize(dict.fromkeys(triples), out, GRAPHS[media_type], prefixes=PREFIXES)
        return out.getvalue()
    results.serialize(out, SOLUTIONS[media_type])
    body = out.getvalue()
    # A row takes a byte at the least, so that small answers need no counting.
    if len(body) > limits.rows:
        _check(_rows(body, SOLUTIONS[media_type]), limits.rows, "rows")
    return body


def _rows(body: bytes, format: ox.QueryResultsFormat) -> int:
    if format == ox.QueryResultsFormat.CSV:
        # What stands between quotation marks is text, line ends and all.
        return sum(part.count(b"\n") for part in body.split(b'"')[::2]) - 1
    if format == ox.QueryResultsFormat.TSV:
        return body.count(b"\n") - 1
    found = ox.parse_query_results(body, format)
    return 1 if isinstance(found, ox.QueryBoolean) else sum(1 for _ in found)


def _check(count: int, most: int, what: str) -> None:
    if count > most:
        raise Refusal(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"The answer has more than {most} {what}. Ask for less, or for a part at a time, with "
            "ORDER BY, LIMIT and OFFSET.",
        )


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
                f"The answer is larger than {self._megabytes} MB. Ask for less, or for a part at "
                "a time, with ORDER BY, LIMIT and OFFSET.",
            )
        return written
