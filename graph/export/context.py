"""The context of our JSON-LD: how its keys and values are to be read, and so how to write them."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox

import stemma.schema
from stemma.schema.namespace import XSD

FILE = Path(stemma.schema.__file__).with_name("context.jsonld")
_PLAIN, _DOUBLE = XSD + "string", XSD + "double"
_NATIVE = {
    f"{XSD}integer": re.compile(r"-?(0|[1-9][0-9]*)"),
    _DOUBLE: re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?"),
    f"{XSD}boolean": re.compile("true|false"),
}
"""Literals that JSON has values of its own for."""
_HIERARCHICAL = re.compile(r"https?://[^/?#]+/(?:[^?#]*/)?")
_RELATIVE = re.compile(r"[a-z][a-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*(?:#[A-Za-z0-9._-]*)?")

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text("utf-8"))["@context"]
    return document


class Context:
    """Writes terms of RDF in the words of the context, and IRIs of data relative to their base."""

    def __init__(self, base: str) -> None:
        self._base = base if _HIERARCHICAL.fullmatch(base) else None
        self.document = ({"@base": base} if self._base else {}) | _document()
        self._prefixes = {
            full: short
            for short, full in _document().items()
            if isinstance(full, str) and full.startswith("http")
        }
        self._types: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._sets: set[str] = {"type"}
        self._words: dict[str, str] = {}
        self._places = {key: place for place, key in enumerate(_document())}
        for key, meaning in _document().items():
            definition = meaning if isinstance(meaning, dict) else {"@id": meaning}
            if definition.get("@container") == "@set":
                self._sets.add(key)
            if "@language" in definition:
                self._languages[key] = definition["@language"]
            if "@type" in definition:
                self._types[key] = self._expanded(definition["@type"])
            if "@id" in definition and key not in self._prefixes.values():
                self._words[self._expanded(definition["@id"])] = key

    def _expanded(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        full = _document().get(prefix)
        return full + local if colon and isinstance(full, str) else name

    def key(self, iri: str) -> str:
        """Return the word for a property, else its IRI, shortened if that can be."""
        if iri in self._words:
            return self._words[iri]
        for full, short in self._prefixes.items():
            local = iri.removeprefix(full)
            if local != iri and not local.startswith("//"):
                return f"{short}:{local}"
        return iri

    def word(self, term: _Term) -> str:
        """Return the word for a class or a property that is a value."""
        return self.key(term.value) if isinstance(term, ox.NamedNode) else str(term)

    def place(self, key: str) -> tuple[int, str]:
        """Order keys as the context lists them, others behind."""
        return (self._places.get(key, len(self._places)), key)

    def is_set(self, key: str) -> bool:
        """Return whether the values of a key are always in a list."""
        return key in self._sets

    def is_word(self, key: str) -> bool:
        """Return whether the values of a key are words of the context."""
        return self._types.get(key) == "@vocab"

    def relative(self, iri: str) -> str:
        """Return an IRI relative to the base, if it is one of the data."""
        if self._base and iri.startswith(self._base):
            rest = iri.removeprefix(self._base)
            if _RELATIVE.fullmatch(rest):
                return rest
        return iri

    def reference(self, term: _Term) -> str:
        """Return what identifies a resource."""
        return self.relative(term.value) if isinstance(term, ox.NamedNode) else str(term)

    def value(self, key: str, term: _Term) -> Any:
        """Return a value of a key, as short as the context allows."""
        type_ = self._types.get(key)
        if not isinstance(term, ox.Literal):
            if type_ == "@vocab":
                return self.word(term)
            return self.reference(term) if type_ == "@id" else {"id": self.reference(term)}
        datatype = term.datatype.value
        if term.language:
            is_known = term.language == self._languages.get(key)
            return term.value if is_known else {"@value": term.value, "@language": term.language}
        if datatype == type_:
            return _native(term.value, datatype)
        if datatype == _PLAIN:
            is_short = type_ is None and key not in self._languages
            return term.value if is_short else {"@value": term.value}
        return {"@value": term.value, "@type": self.key(datatype)}


def _native(text: str, datatype: str) -> Any:
    """Return a number or a truth value if it can be written as one, else the text."""
    if datatype not in _NATIVE or not _NATIVE[datatype].fullmatch(text):
        return text
    return float(text) if datatype == _DOUBLE else json.loads(text)
