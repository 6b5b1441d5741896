"""A stand-in for arXiv and OpenAlex, which fails on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import httpx
import pytest

MISSING = "404"
"""What ids contain that no service has."""
BROKEN = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A & B</feed>'


@dataclass
class PaperServices:
    """What was asked, and what goes wrong next."""

    asked: list[httpx.Request] = field(default_factory=list)
    faults: list[httpx.Response | Exception] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """The pauses that were made, which take no time."""
    found: int = 3
    """How many papers any search of arXiv finds."""

    @property
    def addresses(self) -> list[str]:
        """What was asked, without parameters."""
        return [each.url.host + each.url.path for each in self.asked]

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer as the services do, or by the next fault."""
        self.asked.append(request)
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Exception):
            raise fault
        if fault:
            return fault
        path, given = request.url.path, request.url.params
        if MISSING in path:
            return httpx.Response(404)
        if "id_list" in given:
            ids = [each for each in given["id_list"].split(",") if MISSING not in each]
            return httpx.Response(200, text=feed(ids, len(ids)))
        if "start" in given:
            start = int(given["start"])
            numbers = range(start, min(start + int(given["max_results"]), self.found))
            ids = [f"2201.{each:05}" for each in numbers]
            return httpx.Response(200, text=feed(ids, self.found))
        doi = path.partition("doi:")[2]
        work = {"id": "https://openalex.org/W1", "doi": f"https://doi.org/{doi}", "unread": [1]}
        work |= {"title": f"Pot {doi}", "publication_date": "2021-04-16"}
        return httpx.Response(200, json={**work, "abstract_inverted_index": {"Clay.": [0]}})


def feed(ids: list[str], total: int) -> str:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{id_}v2</id><published>2021-04-16T02:22:12Z</published>"
        f"<title>Kiln {id_}</title><summary>We fire clay &amp; sand.</summary>"
        "<author><name>Ann Sand</name></author><arxiv:comment>8 pages</arxiv:comment></entry>"
        for id_ in ids
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>\n"
    )


@contextmanager
def paper_services() -> Iterator[PaperServices]:
    """Have Stemma ask here instead of on the web."""
    state = PaperServices()
    asking = partial(httpx.Client, transport=httpx.MockTransport(state.answer))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stemma.extract.web_services.sleep", state.waits.append)
        patch.setattr("stemma.extract.web_services.httpx.Client", asking)
        yield state
