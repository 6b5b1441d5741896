"""The page of an edge of lineage: what supports it, and what can be decided about it."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stemma.graph import LineageDirection, Reader, Work
from stemma.schema import Field, Paper, RelationType, Statement
from stemma.server.views.work import links
from stemma.server.web.linked_data.passage import parts_of, passage
from stemma.server.web.linked_data.responses import page_response

_AROUND = 2
"""Sentences of a section that are shown before and after one."""


def address(child: str, parent: str) -> str:
    """Return the address of the page of an edge."""
    return f"/evidence?{urlencode({'child': child, 'parent': parent}, safe='/')}"


def evidence_page(request: Request, reader: Reader, can_decide: bool = False) -> Response:
    """Return the page of an edge; with forms that decide, where that is allowed."""
    given = request.query_params.get("child", ""), request.query_params.get("parent", "")
    if not all(each.strip() for each in given):
        raise ValueError("'child' and 'parent' are needed: give names or ids")
    ends = reader.resolve(given[0]), reader.resolve(given[1])
    here = address(*ends)
    if given != ends:
        return RedirectResponse(here)
    found = _edge_evidence(reader, *ends)
    return page_response(request, "evidence.html", found=found, here=here, can_decide=can_decide)


def _edge_evidence(reader: Reader, child: str, parent: str) -> dict[str, Any]:
    """Gather what supports an edge between two works (ids), and how they compare; of a paper all
    that it states of the other.

    `edge` is None where nothing says so (any more); `dates` are those of the two, by their ids.
    """
    works = reader.works([child, parent])
    edges = reader.lineage_edges([child], LineageDirection.ANCESTORS).get(child, [])
    edge = next((edge for edge in edges if edge.parent == parent), None)
    introductions = reader.statements([child], [RelationType.INTRODUCES]).get(child, [])
    stated = {each: list[Statement]() for each in (child, *(i.subject for i in introductions))}
    for statement in edge.statements if edge else ():
        stated.setdefault(statement.subject, []).append(statement)
    relations = [] if isinstance(works[child], Paper) else [RelationType.COMPARES_WITH]
    for subject, statements in reader.statements(sorted(stated), relations).items():
        others = [each for each in statements if each not in stated[subject]]
        stated[subject] += [each for each in others if each.entity == parent]
    known = reader.works(stated)
    return {
        "child": works[child],
        "parent": works[parent],
        "edge": edge,
        "dates": reader.published(works),
        "papers": [
            _evidence(reader, known.get(id_), statements)
            for id_, statements in stated.items()
            if statements
        ],
    }


def _evidence(reader: Reader, paper: Work | None, statements: list[Statement]) -> dict[str, Any]:
    """Gather the evidence of a paper for an edge; without a paper, that of the catalogue.

    `passages` are what surrounds the sentences of the `statements` in its texts, each with the name
    of the text. `links` are by host.
    """
    if not isinstance(paper, Paper):
        return {"paper": None, "statements": statements, "passages": []}
    evidence = {each for statement in statements for each in statement.evidence}
    marked = [e for e in evidence if paper.text(e.field)[e.start : e.end] == e.text]
    names = parts_of(reader, paper.id).names
    return {
        "paper": paper,
        "statements": statements,
        "links": {link.split("/")[2]: link for link in links(paper)},
        "passages": [
            (
                field.section or field.value,
                passage(paper, field, marked, names[field], marked, _AROUND),
            )
            for field in Field
            if any(each.field is field for each in marked)
        ],
    }
