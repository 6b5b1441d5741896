"""Zotero RDF: a library as Zotero exports it, in RDF/XML of its own shape."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.link import as_arxiv_id
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.xml_reader import XmlReader, text, texts
from stemma.schema.paper import Author
from stemma.schema.problem import Problem

_JOURNALS = ("Journal", "Periodical", "Series")
_PAPERS = (
    *("Article", "Book", "BookSection", "Document", "Manuscript", "Report", "Thesis"),
    "Description",
)
_TYPES = {
    *("journalArticle", "conferencePaper", "preprint", "bookSection", "thesis", "report", "book"),
    *("manuscript", "document", "magazineArticle", "newspaperArticle"),
}
_ABOUT, _RESOURCE = "rdf:about", "rdf:resource"
_ARXIV = re.compile(r"arxiv:\s*(\S+)", re.I)
_DOI = re.compile(r"doi:?\s*(10\.\S+)", re.I)
_MOST_WAITING = 10_000


class ZoteroReader(XmlReader):
    """Reads items; the journal of one may stand after it."""

    name = "zotero"
    description = "Zotero RDF"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id; notes and files are not read"
    root = re.compile(r"rdf:RDF[\s>]")
    tags = (*_PAPERS, *_JOURNALS)

    def recognises(self, start: str) -> bool:
        """Recognise by Zotero's own namespace."""
        return super().recognises(start) and "http://www.zotero.org/namespaces/export#" in start

    def all_drafts(
        self, found: Iterable[tuple[int, Element] | Problem]
    ) -> Iterator[Draft | Problem]:
        """Make drafts; one whose journal has not been read yet waits for it."""
        names: dict[str, str] = {}
        waiting: dict[str, list[Draft]] = defaultdict(list)
        held = 0
        for each in found:
            if isinstance(each, Problem):
                yield each
                continue
            line, element = each
            if element.tag in _JOURNALS:
                about = element.get(_ABOUT, "")
                names[about] = text(element, "title")
                ready = waiting.pop(about, [])
                held -= len(ready)
                for draft in ready:
                    draft.venue = names[about]
            else:
                ready = list(self.drafts(line, element))
                journal = _resource(element, "isPartOf")
                for draft in ready:
                    draft.venue = draft.venue or names.get(journal, "")
                if ready and journal and journal not in names and held < _MOST_WAITING:
                    waiting[journal] += ready
                    held += len(ready)
                    ready = []
            yield from ready
        for drafts in waiting.values():
            yield from drafts

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an item, unless it is no text of its own, such as a collection."""
        kind = text(element, "itemType")
        if (kind or element.tag == "Description") and kind not in _TYPES:
            return
        identifiers = [*texts(element, "identifier"), *texts(element, "isPartOf/*/identifier")]
        extra = text(element, "description")
        links = [*texts(element, "identifier/URI/value"), element.get(_ABOUT, "")]
        dois = (_DOI.search(each) for each in (*identifiers, extra))
        archived = _ARXIV.search(extra) or _ARXIV.search(text(element, "archiveLocation"))
        archived = archived or _ARXIV.search(text(element, "number"))
        yield Draft(
            line,
            title=without_markup(text(element, "title")),
            abstract=without_markup(text(element, "abstract")),
            published=text(element, "date"),
            authors=list(_authors(element)),
            venue=text(element, "isPartOf/*/title")
            or text(element, "presentedAt/Conference/title"),
            doi=next((found[1] for found in dois if found), None),
            arxiv_id=archived[1] if archived else next(filter(as_arxiv_id, links), None),
            links=links,
        )


def _resource(element: Element, path: str) -> str:
    return next(filter(None, (each.get(_RESOURCE) for each in element.iterfind(path))), "")


def _authors(element: Element) -> Iterator[Author]:
    for person in element.iterfind("authors/Seq/li/Person"):
        first = text(person, "givenName") or text(person, "givenname")
        name = f"{first} {text(person, 'surname')}".strip()
        if name:
            yield author(name)
