"""Feeds as Atom (RFC 4287)."""

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from stemma.graph.export.xml_text import fit_for_xml
from stemma.server.web.feeds.feed import Entry, Feed
from stemma.server.web.pages import path

_ATOM = "http://www.w3.org/2005/Atom"
_EPOCH = "1970-01-01T00:00:00Z"
"""When a feed without entries was updated: outputs depend on the graph alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a feed is served: `root` is the server's address, without a slash at the end.

    `address` is that of the feed itself. `base` begins the ids of papers, on whichever server.
    """

    root: str
    address: str
    base: str

    def page(self, entry: Entry) -> str:
        """Return the address of the page of a paper."""
        return f"{self.root}/page/{path(entry.paper.id)}"


def atom(feed: Feed, place: Place) -> bytes:
    """Write a feed as Atom."""
    root = ET.Element("feed", xmlns=_ATOM)
    _text(root, "title", feed.title)
    _text(root, "id", place.address)
    updated = max((each.timestamp for each in feed.entries), default=_EPOCH)
    _text(root, "updated", updated)
    ET.SubElement(root, "link", rel="self", type="application/atom+xml", href=place.address)
    ET.SubElement(root, "link", rel="alternate", type="text/html", href=place.root + feed.page)
    _text(ET.SubElement(root, "author"), "name", "Stemma")
    for each in feed.entries:
        entry = ET.SubElement(root, "entry")
        _text(entry, "title", each.paper.title)
        _text(entry, "id", place.base + each.paper.id)
        _text(entry, "published", each.timestamp)
        _text(entry, "updated", each.timestamp)
        ET.SubElement(
            entry, "link", rel="alternate", href=fit_for_xml(each.link or place.page(each))
        )
        ET.SubElement(entry, "link", rel="related", type="text/html", href=place.page(each))
        for author in each.paper.authors:
            _text(ET.SubElement(entry, "author"), "name", author.name)
        # As a plain string: what replaces a character in Markup is escaped once more.
        _text(entry, "content", str(each.content)).set("type", "html")
    return ET.tostring(root, "unicode").encode(errors="replace")


def _text(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name)
    element.text = fit_for_xml(text)
    return element
