"""The feed of papers, in Atom (RFC 4287): ``/feeds/papers.atom?entity=LoRA``."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stemma.graph import Reader, Store, WorkFilter, WorkType
from stemma.graph.export.network import fit_for_xml
from stemma.graph.selection import PageOrder
from stemma.schema import Paper, PartialDate, RelationType, Statement
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.wording import readable
from stemma.server.views.work import links
from stemma.server.web.explorer.papers_page import (
    entity_called,
    heading,
    paper_filter,
    papers_address,
)
from stemma.server.web.linked_data.responses import page_endpoint, tagged
from stemma.server.web.pages import path

MOST_ENTRIES = 50
_MOST_SENTENCES = 5
_TELLING = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""What an entry says of a paper where nothing in particular is asked for."""
_TYPE = "application/atom+xml; charset=utf-8"
_ATOM = "http://www.w3.org/2005/Atom"
_EPOCH = "1970-01-01T00:00:00Z"
"""When a feed without entries was updated: outputs depend on the graph alone."""


def feed_route(store: Store) -> Route:
    """Return the route of the newest papers of a store, which can be selected."""

    def respond(request: Request, reader: Reader) -> Response:
        asked, _ = read_parameters(request.query_params, ("entity", "relations", "text"))
        entity = entity_called(reader, asked.entity) if asked.entity else None
        asked = asked.changed(entity=entity.id if entity else None)
        chosen = paper_filter(asked)
        found = reader.page(WorkType.PAPER, chosen, PageOrder.NEWEST, first=MOST_ENTRIES).works
        # A feed has no place for papers without a year.
        papers = [e for e in found if isinstance(e, Paper) and e.published and e.published.year]
        server = str(request.base_url).rstrip("/")
        root = ET.Element("feed", xmlns=_ATOM)
        _text(root, "title", heading(entity, asked))
        _text(root, "id", str(request.url))
        updated = max((_timestamp(each) for each in papers), default=_EPOCH)
        _text(root, "updated", updated)
        ET.SubElement(
            root, "link", rel="self", type=_TYPE.split(";", maxsplit=1)[0], href=str(request.url)
        )
        ET.SubElement(
            root, "link", rel="alternate", type="text/html", href=server + papers_address(asked)
        )
        _text(ET.SubElement(root, "author"), "name", "Stemma")
        contents = _contents(reader, papers, chosen)
        for paper in papers:
            entry = _entry(
                paper, contents[paper.id], reader.base, f"{server}/page/{path(paper.id)}"
            )
            root.append(entry)
        return tagged(request, ET.tostring(root, "unicode").encode(errors="replace"), _TYPE, {})

    return Route("/feeds/papers.atom", page_endpoint(store, respond))


def _entry(paper: Paper, content: str, base: str, page: str) -> ET.Element:
    """Return the entry of a paper, with the address of its `page`; its id begins with `base`."""
    entry = ET.Element("entry")
    _text(entry, "title", paper.title)
    _text(entry, "id", base + paper.id)
    _text(entry, "published", _timestamp(paper))
    _text(entry, "updated", _timestamp(paper))
    published_at = next(iter(links(paper)), page)
    ET.SubElement(entry, "link", rel="alternate", href=fit_for_xml(published_at))
    ET.SubElement(entry, "link", rel="related", type="text/html", href=page)
    for author in paper.authors:
        _text(ET.SubElement(entry, "author"), "name", author.name)
    _text(entry, "content", content).set("type", "html")
    return entry


def _contents(reader: Reader, papers: Sequence[Paper], chosen: WorkFilter) -> dict[str, str]:
    """Return what the entries of papers (ids) say, as HTML: the sentences by which they pass."""
    relations = chosen.relations or (() if chosen.entity else _TELLING)
    stated = reader.statements([each.id for each in papers], relations)
    quoted = {
        paper: [e for e in own if chosen.entity in (None, e.entity) and e.evidence][
            :_MOST_SENTENCES
        ]
        for paper, own in stated.items()
    }
    names = reader.works({each.entity for own in quoted.values() for each in own})
    return {
        # As a plain string: what replaces a character in Markup is escaped once more.
        paper.id: "".join(
            str(_sentence(each, names[each.entity].name)) for each in quoted[paper.id]
        )
        or str(Markup("<p>{}</p>").format(paper.title))
        for paper in papers
    }


def _sentence(statement: Statement, name: str) -> Markup:
    return Markup("<p>{} {} ({:.2f})</p><blockquote>{}</blockquote>").format(
        statement.relation.words, name, statement.confidence, readable(statement.evidence[0].text)
    )


def _timestamp(paper: Paper) -> str:
    """Return when a paper was published (RFC 3339); a month or a year counts as its first day."""
    date = paper.published or PartialDate.parse("1970")
    return f"{date.year:04}-{date.month or 1:02}-{date.day or 1:02}T00:00:00Z"


def _text(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name)
    element.text = fit_for_xml(text)
    return element
