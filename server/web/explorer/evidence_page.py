"""The page of an edge of lineage: what supports it, and what can be decided about it."""

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stemma.graph import LineageDirection, LineageEdge, Reader, Work
from stemma.schema import EntityKind, Evidence, Field, Paper, PartialDate, RelationType, Statement
from stemma.server.http.forgery import form_token, remember
from stemma.server.sparql.format import content_type
from stemma.server.views.work import links
from stemma.server.web import pages
from stemma.server.web.linked_data.passage import Parts, Piece, parts_of, passage
from stemma.server.web.linked_data.responses import PAGE, tagged


def address(child: str, parent: str) -> str:
    """Return the address of the page of an edge."""
    return f"/evidence?{urlencode({'child': child, 'parent': parent}, safe='/')}"


def evidence_page(request: Request, reader: Reader, can_decide: bool = False) -> Response:
    """Return the page of an edge; with forms that decide, where that is allowed."""
    given = request.query_params.get("child", ""), request.query_params.get("parent", "")
    if not all(each.strip() for each in given):
        raise ValueError("'child' and 'parent' are needed: give names or ids")
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


@dataclass(frozen=True, slots=True)
class StatementEvidence:
    """A statement, the paper that makes it (none if the catalogue does), and how it does.

    `passages` are texts of the paper with its sentences marked, each with its kind of section (None
    for title and abstract), `sentences` those which are not found in them.
    """

    statement: Statement
    paper: Paper | None
    passages: tuple[tuple[str | None, tuple[Piece, ...]], ...]
    sentences: tuple[Evidence, ...]

    @property
    def links(self) -> list[tuple[str, str]]:
        """The links of the paper by host, each with its address."""
        found = links(self.paper) if self.paper else []
        return list({each.split("/")[2]: each for each in found}.items())


@dataclass(frozen=True, slots=True)
class EdgeEvidence:
    """What supports that `child` derives from `parent`, and how they compare.

    `edge` is None where nothing says so (any more); `dates` are those of the two, by their ids.
    """

    child: Work
    parent: Work
    edge: LineageEdge | None
    dates: dict[str, PartialDate]
    statements: tuple[StatementEvidence, ...]
    comparisons: tuple[StatementEvidence, ...]


def edge_evidence(reader: Reader, child: str, parent: str) -> EdgeEvidence:
    """Gather what supports an edge between two works (names or ids).

    Raises UnknownNameError or AmbiguousNameError.
    """
    ids = reader.resolve(child), reader.resolve(parent)
    works = reader.works(ids)
    edges = reader.lineage_edges([ids[0]], LineageDirection.ANCESTORS).get(ids[0], [])
    edge = next((each for each in edges if each.parent == ids[1]), None)
    statements = edge.statements if edge else ()
    introductions = reader.statements([ids[0]], [RelationType.INTRODUCES]).get(ids[0], [])
    papers = {each.subject for each in (*statements, *introductions)}
    compared = [
        each
        for own in reader.statements(sorted(papers), [RelationType.COMPARES_WITH]).values()
        for each in own
        if each.entity == ids[1]
    ]
    known = reader.works(papers | {each.subject for each in compared})
    parts = {id_: parts_of(reader, id_) for id_, work in known.items() if isinstance(work, Paper)}
    return EdgeEvidence(
        works[ids[0]],
        works[ids[1]],
        edge,
        reader.published(ids),
        *(
            tuple(_evidence_of(each, known.get(each.subject), parts) for each in some)
            for some in (statements, compared)
        ),
    )


def _evidence_of(
    statement: Statement, paper: Work | None, parts: dict[str, Parts]
) -> StatementEvidence:
    if not isinstance(paper, Paper):
        return StatementEvidence(statement, None, (), statement.evidence)
    found = [e for e in statement.evidence if paper.text(e.field)[e.start : e.end] == e.text]
    names = parts[paper.id].names
    return StatementEvidence(
        statement,
        paper,
        tuple(
            (field.section, passage(paper, field, found, names[field], found))
            for field in Field
            if any(each.field is field for each in found)
        ),
        tuple(each for each in statement.evidence if each not in found),
    )
