"""The services that records come from, each asked as its documentation asks.

arXiv: https://info.arxiv.org/help/api/tou.html (a request every three seconds, one connection).
OpenAlex: https://developers.openalex.org (one work by its DOI is free; a key is for more).
Crossref: https://www.crossref.org/documentation/retrieve-metadata/rest-api/ (``mailto``).
Semantic Scholar: https://api.semanticscholar.org/api-docs/ (a request a second with a key).
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit
from xml.parsers.expat import ExpatError

import orjson

from stemma.extract.fetching.client import Client
from stemma.extract.formats.link import as_arxiv_id
from stemma.extract.formats.xml_reader import parsed, records, text
from stemma.schema.paper import canonical_identifier
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line

Record = str | dict[str, Any]
"""What a service says of a paper, as it says it: XML, or an object of JSON."""
_S2_FIELDS = (
    "title,abstract,authors.name,authors.externalIds,authors.affiliations,venue,journal,year,"
    "publicationDate,externalIds,url,openAccessPdf,references.title,references.externalIds"
)


class Service(ABC):
    """A service on the web that has records of papers.

    Those for DOIs may be asked for a preprint of arXiv as well.
    """

    name: ClassVar[str]
    """What `--from` calls it, and also the reader of its records."""
    address: ClassVar[str]
    pause: ClassVar[float]
    """Seconds between two requests."""
    batch: ClassVar[int] = 1
    """How many papers are asked for at once."""
    key: ClassVar[str | None] = None
    """The environment variable that holds the user's key."""

    def __init__(self, mailto: str | None = None) -> None:
        self._mailto = mailto
        self._key = os.environ.get(self.key) if self.key else None
        self.client = Client(self.pause, mailto, self._headers())

    @abstractmethod
    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        """Return what there is of papers, by their ids."""

    @property
    def host(self) -> str:
        """The name of its server."""
        return urlsplit(self.address).hostname or self.address

    def _headers(self) -> dict[str, str]:
        return {}

    def _ask_json(self, path: str, **request: Any) -> Any:
        return self.client.ask(self.address + path, orjson.loads, **request)


@dataclass(frozen=True)
class SearchPage:
    """A part of the results of a search: `total` is the number of all."""

    records: dict[str, Record]
    total: int
    size: int


class Arxiv(Service):
    """arXiv's API, whose answers are in Atom."""

    name = "arxiv-api"
    address = "https://export.arxiv.org/api/query"
    pause = 3.0
    batch = 50

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        wanted = ",".join(each.partition(":")[2] for each in ids)
        return self._ask({"id_list": wanted, "max_results": str(len(ids))}).records

    def search(self, query: str, start: int, count: int) -> SearchPage:
        """Return a part of what is found, the newest first."""
        order = {"sortBy": "submittedDate", "sortOrder": "descending"}
        asked = {"search_query": query, "start": str(start), "max_results": str(count)}
        return self._ask(asked | order)

    def _ask(self, parameters: dict[str, str]) -> SearchPage:
        return self.client.ask(self.address, _feed, params=parameters)


class OpenAlex(Service):
    """OpenAlex, one work by its DOI at a time, which costs nothing."""

    name = "openalex"
    address = "https://api.openalex.org"
    pause = 0.1
    key = "OPENALEX_API_KEY"

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        parameters = {"mailto": self._mailto, "api_key": self._key}
        found = self._ask_json(
            f"/works/{quote(ids[0], safe=':/')}",
            params={name: value for name, value in parameters.items() if value},
        )
        return {ids[0]: _object(found)}


class Crossref(Service):
    """Crossref, one work by its DOI at a time."""

    name = "csl"
    address = "https://api.crossref.org"
    pause = 0.25

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        doi = ids[0].partition(":")[2]
        parameters = {"mailto": self._mailto} if self._mailto else {}
        found = self._ask_json(f"/works/{quote(doi, safe='')}", params=parameters)
        return {ids[0]: _object(_object(found).get("message"))}


class SemanticScholar(Service):
    """Semantic Scholar's Graph API, which answers for several papers at once."""

    name = "s2"
    address = "https://api.semanticscholar.org/graph/v1"
    pause = 1.0
    batch = 20
    key = "S2_API_KEY"

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        """Return the papers that it knows: the others are null."""
        asked = {"ids": [f"DOI:{each.partition(':')[2]}" for each in ids]}
        found = self._ask_json("/paper/batch", params={"fields": _S2_FIELDS}, json=asked)
        if not isinstance(found, list) or len(found) != len(ids):
            raise ValueError("not a list of papers")
        return {id_: each for id_, each in zip(ids, found, strict=True) if isinstance(each, dict)}

    def _headers(self) -> dict[str, str]:
        return {"x-api-key": self._key} if self._key else {}


DOI_SERVICES: dict[str, type[Service]] = {
    "openalex": OpenAlex,
    "crossref": Crossref,
    "s2": SemanticScholar,
}
"""Those that know DOIs, by what `--from` calls them."""


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _feed(answer: bytes) -> SearchPage:
    """Read an answer of arXiv: each entry as it stands there. Raises ValueError if it is broken."""
    whole = Line(1, answer.decode("utf-8"))
    found = list(records([whole], ("entry", "totalResults"), len(answer), ""))
    if b"</feed>" not in answer[-64:] or any(isinstance(each, Problem) for each in found):
        raise ValueError("the response is truncated")
    texts = [each.text for each in found if not isinstance(each, Problem)]
    try:
        elements = [(parsed(each)[0], each) for each in texts]
    except ExpatError as error:
        raise ValueError(f"not well-formed XML: {error}") from error
    entries = [each for each in elements if each[0].tag == "entry"]
    totals = [element.text or "" for element, _ in elements if element.tag == "totalResults"]
    papers: dict[str, Record] = {}
    for entry, own in entries:
        if id_ := as_arxiv_id(text(entry, "id")):
            papers[canonical_identifier(f"arxiv:{id_}")] = own
    total = int(totals[0]) if totals and totals[0].isdecimal() else len(entries)
    return SearchPage(papers, total, len(entries))
