"""Links of the server's pages: each leads to somewhere else, or nowhere."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape
from urllib.parse import parse_qs, unquote, urlsplit

# Texts have no quotation marks in the HTML that we make, so whatever looks like an attribute is.
_LINK = re.compile(r'\s(?P<name>href|src|action)="(?P<address>[/?][^"]*)"')


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """An address on the server: the first part of its path, the rest (an id), query, fragment."""

    top: str
    local: str
    query: dict[str, list[str]]
    fragment: str

    @classmethod
    def parse(cls, address: str) -> "SiteAddress":
        """Take an address apart."""
        parts = urlsplit(address)
        top, _, local = parts.path.removeprefix("/").partition("/")
        return cls(top, unquote(local), parse_qs(parts.query), parts.fragment)


def relinked(html: str, lead: Callable[[SiteAddress], str | None]) -> str:
    """Replace the addresses in a page by what `lead` returns for them.

    Where that is None, the attribute is left out: a link without an address is plain text.
    """

    def replaced(found: re.Match[str]) -> str:
        given = unescape(found["address"])
        # Another query of the same page needs a server.
        address = None if given.startswith("?") else lead(SiteAddress.parse(given))
        return "" if address is None else f' {found["name"]}="{escape(address)}"'

    return _LINK.sub(replaced, html)
