"""A stand-in for arXiv, OpenAlex, Crossref and Semantic Scholar, which fails on demand."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from local_server import local_server
from stemma.extract import fetching

MISSING = "404"
"""What ids contain that no service has."""
Fault = Callable[["_Handler"], None]


@dataclass
class PaperServices:
    """What was asked, and what goes wrong next."""

    url: str = ""
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Paths with queries, and headers."""
    faults: list[Fault] = field(default_factory=list)
    found: int = 3
    """How many papers any search of arXiv finds."""

    @property
    def paths(self) -> list[str]:
        return [unquote(path.partition("?")[0]) for path, _ in self.asked]


def status(code: int, **headers: str) -> Fault:
    return lambda handler: handler.answer(b"busy", code, headers)


def cut(handler: "_Handler") -> None:
    """Answer with less than was announced."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"<feed>")
    handler.close_connection = True


def broken(handler: "_Handler") -> None:
    handler.answer(b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A & B</feed>')


def endless(handler: "_Handler") -> None:
    handler.answer(b" " * (1 << 20))


def entry(id_: str) -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/{id_}v2</id><published>2021-04-16T02:22:12Z</published>"
        f"<title>Kiln {id_}</title><summary>We fire clay &amp; sand.</summary>"
        f"<author><name>Ann Sand</name></author><arxiv:comment>8 pages</arxiv:comment></entry>"
    )


def feed(ids: list[str], total: int) -> bytes:
    entries = "".join(map(entry, ids))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>\n"
    ).encode()


class _Handler(BaseHTTPRequestHandler):
    state: PaperServices

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers["Content-Length"])))

    def _handle(self, body: bytes) -> None:
        self.state.asked.append((self.path, dict(self.headers)))
        if self.state.faults:
            self.state.faults.pop(0)(self)
            return
        parts = urlsplit(self.path)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        path = unquote(parts.path)
        if path == "/arxiv":
            self.answer(self._arxiv(asked))
        elif MISSING in path:
            self.answer(b"Resource not found.", 404)
        elif found := re.fullmatch(r"/openalex/works/doi:(.+)", path):
            self.json(_openalex(found[1]))
        elif found := re.fullmatch(r"/crossref/works/(.+)", path):
            self.json({"status": "ok", "message-type": "work", "message": _crossref(found[1])})
        else:
            dois = [each.removeprefix("DOI:") for each in json.loads(body)["ids"]]
            self.json([None if MISSING in each else _s2(each) for each in dois])

    def _arxiv(self, asked: dict[str, str]) -> bytes:
        if "id_list" in asked:
            ids = [each for each in asked["id_list"].split(",") if MISSING not in each]
            return feed(ids, len(ids))
        start, count = int(asked["start"]), int(asked["max_results"])
        numbers = range(start, min(start + count, self.state.found))
        return feed([f"2201.{each:05}" for each in numbers], self.state.found)

    def json(self, value: Any) -> None:
        self.answer(json.dumps(value).encode())

    def answer(self, body: bytes, code: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _openalex(doi: str) -> dict[str, Any]:
    return {
        **{"id": "https://openalex.org/W1", "doi": f"https://doi.org/{doi}", "unread": [1]},
        **{"title": f"Pot {doi}", "publication_date": "2021-04-16"},
        "abstract_inverted_index": {"We": [0], "fire": [1], "clay.": [2]},
    }


def _crossref(doi: str) -> dict[str, Any]:
    issued = {"date-parts": [[2021, 4]]}
    return {"DOI": doi, "title": [f"Pot {doi}"], "issued": issued, "abstract": "<p>We fire.</p>"}


def _s2(doi: str) -> dict[str, Any]:
    ids = {"DOI": doi, "CorpusId": 1}
    return {"paperId": "a", "title": f"Pot {doi}", "abstract": "We fire.", "externalIds": ids}


@contextmanager
def paper_services() -> Iterator[PaperServices]:
    """Serve, and have Stemma ask here instead of on the web; no pause takes any time."""
    state = PaperServices()
    with local_server(_Handler, state) as url, pytest.MonkeyPatch.context() as patch:
        state.url = url
        patch.setattr("stemma.extract.fetching.sleep", lambda seconds: None)
        for kind, path in (
            (fetching.Arxiv, "/arxiv"),
            (fetching.OpenAlex, "/openalex"),
            (fetching.Crossref, "/crossref"),
            (fetching.SemanticScholar, "/s2"),
        ):
            patch.setattr(kind, "address", state.url + path)
        yield state
