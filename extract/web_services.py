"""Fetching papers by their ids, or by a search of arXiv, into a file that later runs continue.

Nothing else in Stemma uses the network by itself. This needs httpx (``stemma-kg[fetch]``). Records
come from services, each asked as its documentation asks:

arXiv: https://info.arxiv.org/help/api/tou.html (a request every three seconds, one connection).
OpenAlex: https://developers.openalex.org (one work by its DOI is free; a key is for more).
"""

import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from time import sleep
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote, urlsplit
from xml.parsers.expat import ExpatError

import httpx
import msgspec

from stemma.distribution import version
from stemma.extract.formats.link import as_identifier
from stemma.extract.formats.xml_reader import parsed, records, text
from stemma.schema import Problem
from stemma.schema.paper import canonical_identifier
from stemma.schema.text_line import MAX_RECORD_SIZE, Line

ATTEMPTS = 5
LONGEST_WAIT = 300.0
"""Seconds; a service that asks for a longer pause is not asked again."""
LARGEST_ANSWER = 64 * 1024 * 1024
_SECONDS = 30.0
_REDIRECTS = 3
_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_STOP = {401, 403}
_TOTAL = re.compile(rb"totalResults[^<>]*>(\d+)<")
_PAGE = 100
"""Results of a search that are asked for at once."""

T = TypeVar("T")


class RefusedError(Exception):
    """This request will never be answered; others may be."""


class UnavailableError(Exception):
    """A service does not answer, or does not want to."""


class _FaultError(Exception):
    """An answer to ask for again, perhaps after `wait` seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


Record = str | dict[str, Any]
"""What a service says of a paper, as it says it: XML, or an object of JSON."""
Result = tuple[str, Record | RefusedError]
"""The id of a paper, and its record, or why it has none."""


class Service(ABC):
    """A service on the web that has records of papers, asked as often as it wants to be."""

    name: ClassVar[str]
    """The reader of its records."""
    address: ClassVar[str]
    pause: ClassVar[float]
    """Seconds between two requests."""
    batch: ClassVar[int] = 1
    """How many papers are asked for at once."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._next = 0.0

    @abstractmethod
    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        """Return what there is of papers, by their ids."""

    def results(self, ids: Sequence[str]) -> Iterator[Result]:
        """Yield the papers with their records, or why there is none."""
        for at in range(0, len(ids), self.batch):
            asked = ids[at : at + self.batch]
            try:
                records = self.records(asked)
            except RefusedError as error:
                if len(asked) == 1:
                    yield asked[0], error
                else:  # one of them may be why all were refused
                    yield from chain.from_iterable(self.results([id_]) for id_ in asked)
            else:
                yield from ((id_, records.get(id_, RefusedError("not found"))) for id_ in asked)

    def _ask(self, path: str, parse: Callable[[bytes], T], parameters: dict[str, str]) -> T:
        """Return what `parse` makes of the answer; where it raises ValueError, ask again.

        Raises RefusedError for this request, UnavailableError for all.
        """
        for attempt in range(1, ATTEMPTS + 1):
            if (wait := self._next - time.monotonic()) > 0:
                sleep(wait)
            try:
                with self._http.stream("GET", self.address + path, params=parameters) as response:
                    return parse(_body(response))
            except httpx.TooManyRedirects as error:
                raise RefusedError("too many redirects") from error
            except (_FaultError, httpx.TransportError, httpx.DecodingError, ValueError) as error:
                reason = str(error) or type(error).__name__
                wait = getattr(error, "wait", None) or max(self.pause, 1.0) * 2 ** (attempt - 1)
                if attempt == ATTEMPTS or wait > LONGEST_WAIT:
                    pause = (
                        f", and asks for a pause of {wait:,.0f} s" if wait > LONGEST_WAIT else ""
                    )
                    raise UnavailableError(f"{reason}{pause}") from error
                sleep(wait)
            finally:
                self._next = time.monotonic() + self.pause
        raise AssertionError


class Arxiv(Service):
    """arXiv's API, whose answers are in Atom."""

    name = "arxiv-api"
    address = "https://export.arxiv.org/api/query"
    pause = 3.0
    batch = 50

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        wanted = ",".join(id_.partition(":")[2] for id_ in ids)
        return self._ask("", _feed, {"id_list": wanted, "max_results": str(len(ids))})[0]

    def search(self, query: str, most: int) -> Iterator[Result]:
        """Yield the newest papers that a search finds."""
        start, total = 0, most
        order = {"sortBy": "submittedDate", "sortOrder": "descending"}
        while start < min(most, total):
            asked = {"start": str(start), "max_results": str(min(_PAGE, most - start))}
            papers, total = self._ask("", _feed, {"search_query": query, **asked, **order})
            if not papers:
                break
            start += len(papers)
            yield from papers.items()


class OpenAlex(Service):
    """OpenAlex, one work by its DOI at a time, which costs nothing."""

    name = "openalex"
    address = "https://api.openalex.org"
    pause = 0.1

    def records(self, ids: Sequence[str]) -> dict[str, Record]:
        key = os.environ.get("OPENALEX_API_KEY")
        parameters = {"api_key": key} if key else {}
        return {ids[0]: self._ask(f"/works/{quote(ids[0], safe=':/')}", _object, parameters)}


def _object(answer: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(answer)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _feed(answer: bytes) -> tuple[dict[str, Record], int]:
    """Read an answer of arXiv: each entry as it stands there, and the number of all that there are.

    Raises ValueError if it is broken.
    """
    wrong: list[str] = []
    texts = [Line(1, answer.decode())]
    lines = records(texts, ("entry",), len(answer), lambda reason, *_, **__: wrong.append(reason))
    entries = [line.text for line in lines]
    if b"</feed>" not in answer[-64:] or wrong:
        raise ValueError("the response is truncated")
    papers: dict[str, Record] = {}
    for entry in entries:
        try:
            id_ = as_identifier(text(parsed(entry)[0], "id"))
        except ExpatError as error:
            raise ValueError(f"not well-formed XML: {error}") from error
        if id_:
            papers[id_] = entry
    total = _TOTAL.search(answer)
    return papers, int(total[1]) if total else len(entries)


def _client(mailto: str | None) -> httpx.Client:
    """Return a client that says who asks: Stemma, and perhaps the address of a person."""
    contact = f" (mailto:{mailto})" if mailto else ""
    return httpx.Client(
        headers={"User-Agent": f"Stemma/{version()}{contact}"},
        timeout=_SECONDS,
        follow_redirects=True,
        max_redirects=_REDIRECTS,
        event_hooks={"response": [_expect_same_server]},
    )


def _expect_same_server(response: httpx.Response) -> None:
    """Raise RefusedError for a redirection: keys and addresses are meant for this service alone."""
    if response.has_redirect_location:
        asked, to = response.url, response.url.join(response.headers["Location"])
        if (to.scheme, to.host) != (asked.scheme, asked.host):
            raise RefusedError(f"redirected to another server, {to.host}")


def _body(response: httpx.Response) -> bytes:
    status = f"{response.status_code} {response.reason_phrase}".strip()
    if response.status_code in _TRY_AGAIN:
        wait = response.headers.get("Retry-After", "")  # a date is rare: then the pause is usual
        raise _FaultError(status, float(wait) if wait.strip().isdecimal() else None)
    if response.status_code in _STOP:
        raise UnavailableError(status)
    if not response.is_success:
        raise RefusedError("not found" if response.status_code in (404, 410) else status)
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > LARGEST_ANSWER:
            raise RefusedError(f"response exceeds {LARGEST_ANSWER >> 20} MiB")
    return bytes(body)


class FetchedFile:
    """Records with their ids; what is in the file already counts as fetched.

    A last line that was cut off is removed. Raises ValueError, and leaves the file as it is, where
    it holds anything else.
    """

    def __init__(self, path: Path) -> None:
        self.ids: set[str] = set()
        whole = 0
        if path.exists():
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break
                    self.ids.add(_id_in(line, f"{path}:{number}"))
                    whole += len(line)
                left = file.seek(0, 2) - whole
            if left and not whole:
                raise ValueError(f"{path} was not written by `stemma fetch`")
        self._file = path.open("ab")
        self._file.truncate(whole)

    def add(self, id_: str, service: str, record: Record) -> str | None:
        """Write a record, whole or not at all; return what is wrong with it."""
        line = msgspec.json.encode({"fetched": id_, "reader": service, "record": record}) + b"\n"
        if len(line) > MAX_RECORD_SIZE:
            return f"a record of more than {MAX_RECORD_SIZE >> 20} MiB"
        self._file.write(line)
        self._file.flush()
        self.ids.add(id_)
        return None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _id_in(line: bytes, place: str) -> str:
    """Return the id of the paper that a line of a file holds."""
    try:
        entry = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict) or not isinstance(entry.get("fetched"), str):
        raise ValueError(f"{place} was not written by `stemma fetch`")
    return str(entry["fetched"])


OnProgress = Callable[[int, int | None], None]


@dataclass(slots=True)
class FetchReport:
    """What was fetched: all that was asked for is fetched, known, missing or left."""

    fetched: int = 0
    known: int = 0
    """Were in the file already."""
    missing: int = 0
    """No service has them, or not with all that is needed."""
    left: int = 0
    """To be fetched by another run."""
    problems: list[Problem] = field(default_factory=list)


def fetch(
    ids: Iterable[str],
    output: Path,
    report: FetchReport,
    on_progress: OnProgress,
    *,
    search: str | None,
    most: int,
    mailto: str | None,
) -> None:
    """Fetch the records of papers into a file, as their services write them.

    `ids` are such as ``arxiv:2104.07857`` and ``doi:10.1145/3458817.3476205``; `search` is a query
    of arXiv's API, of which the newest `most` papers are fetched. What is in the file is not
    fetched again. `report` is up to date at any moment, even where KeyboardInterrupt ends this.
    Raises ValueError where the file is another.
    """
    wanted = list(dict.fromkeys(map(canonical_identifier, ids)))
    with closing(FetchedFile(output)) as file, _client(mailto) as http:
        new = [id_ for id_ in wanted if id_ not in file.ids]
        report.known, report.left = len(wanted) - len(new), len(new)
        arxiv = Arxiv(http)
        for service, prefix in ((arxiv, "arxiv:"), (OpenAlex(http), "doi:")):
            results = service.results([id_ for id_ in new if id_.startswith(prefix)])
            _keep(service, results, file, report, on_progress)
        if search:
            left, report.left = report.left, report.left + most
            if _keep(arxiv, arxiv.search(search, most), file, report, on_progress):
                report.left = left  # there may be fewer than were asked for


def _keep(
    service: Service,
    results: Iterable[Result],
    file: FetchedFile,
    report: FetchReport,
    on_progress: OnProgress,
) -> bool:
    """Write records that are new; return whether the service answered to the end."""
    place = str(urlsplit(service.address).hostname)
    try:
        for id_, record in results:
            if id_ in file.ids:
                report.known += 1
            elif wrong := (
                record if isinstance(record, RefusedError) else file.add(id_, service.name, record)
            ):
                report.problems.append(Problem(place, None, f"{id_}: {wrong}"))
                report.missing += 1
            else:
                report.fetched += 1
            report.left -= 1
            done = report.fetched + report.missing
            on_progress(done, done + report.left)
    except (RefusedError, UnavailableError) as error:
        report.problems.append(Problem(place, None, f"no usable response: {error}"))
        return False
    return True
