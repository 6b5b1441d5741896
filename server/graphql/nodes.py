"""Whatever has an id: papers, entities, authors, statements and edges of lineages."""

import re
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import parse_qsl

from stemma.graph import BadCursorError, FilterError, Selection, UnknownNameError
from stemma.graph.path import find_path
from stemma.graph.selection import filters
from stemma.graph.store import UnknownAuthorError
from stemma.schema import RelationType
from stemma.schema.name import AUTHOR, is_id
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import Node
from stemma.server.graphql.statements import Statement
from stemma.server.graphql.works import Author, Paper, show
from stemma.server.views.edge import edge_id
from stemma.server.views.statement import statement_key

_EDGE = re.compile(r"edge/((?:paper|entity)/[^/?]+)/((?:paper|entity)/[^/?]+)(?:\?(.*))?")


def node_of(info: StemmaInfo, id_: str) -> Node:
    """Return what has an id. Raises UnknownNameError if nothing has, ValueError if it is none."""
    if id_.startswith("statement/"):
        return _statement(info, id_)
    if id_.startswith("edge/"):
        return _edge(info, id_)
    if id_.startswith(AUTHOR):
        return author_of(info, id_)
    if not is_id(id_):
        raise ValueError(
            f"{id_!r} is not an id; ids begin with entity/, paper/, author/, statement/ or edge/"
        )
    return cast(Node, work_of(info, id_))


def nodes_of(info: StemmaInfo, ids: Sequence[str]) -> list[Any]:
    """Return what has ids, with the error in place of what nothing has."""
    info.context.works.fetch(dict.fromkeys(id_ for id_ in ids if is_id(id_)))

    def one(id_: str) -> Node | Exception:
        try:
            (work,) = info.context.works.fetch([id_]) if is_id(id_) else (None,)
            return show(info.context, work) if work else node_of(info, id_)
        except (LookupError, ValueError) as error:
            return error

    return [one(id_) for id_ in ids]


def work_of(info: StemmaInfo, name: str, type_: type[Any] | None = None) -> Any:
    """Return the work with a name or an id, of a type if one is given. Raises LookupError."""
    id_ = info.context.reader.resolve(name)
    (work,) = info.context.works.fetch([id_])
    shown = show(info.context, work)
    if type_ and not isinstance(shown, type_):
        raise UnknownNameError(name, [f"`{'paper' if isinstance(shown, Paper) else 'entity'}`"])
    return shown


def author_of(info: StemmaInfo, id_: str) -> Author:
    """Return the author with an id or an ORCID. Raises UnknownAuthorError."""
    reader = info.context.reader
    people = list(reader.people([id_]).values()) or [
        person for person in reader.people_called(id_) if person.orcid == id_
    ]
    if not people:
        raise UnknownAuthorError(id_)
    return Author.of(info.context, people[0])


def _statement(info: StemmaInfo, id_: str) -> Statement:
    try:
        subject, relation, entity = statement_key(id_)
    except BadCursorError:
        raise UnknownNameError(id_) from None
    stated = info.context.reader.statements([subject], (relation,)).get(subject, [])
    found = next((one for one in stated if one.entity == entity), None)
    if found is None:
        raise UnknownNameError(id_)
    info.context.fetch_ends([found])
    return Statement.of(info.context, found)


def _edge(info: StemmaInfo, id_: str) -> LineageEdge:
    """Return an edge of a lineage or a path, as the filters that its id names leave it."""
    parts = _EDGE.fullmatch(id_)
    known = {one.camel_case: one.name for one in filters().values()}
    given = dict(parse_qsl(parts[3] or "")) if parts else {}
    if given.get("relations") == RelationType.COMPARES_WITH:
        del given["relations"]
    try:
        selection = Selection.read(**{known[name]: value for name, value in given.items()})
        path = find_path(info.context.reader, parts[1], parts[2], 1, selection) if parts else None
    except (FilterError, KeyError):
        path = None
    for edge in path.edges if path else ():
        if edge_id(edge, selection.edges) == id_:
            return edges_of(info.context, [edge], selection.edges)[0]
    raise UnknownNameError(id_)
