"""Fetching papers by their ids, or by a search of arXiv, into a file that later runs continue."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from stemma.extract.fetching.client import RefusedError, UnavailableError
from stemma.extract.fetching.services import DOI_SERVICES, Arxiv, Service
from stemma.schema.paper import canonical_identifier
from stemma.schema.problem import Problem
from stemma.schema.text_line import MAX_RECORD_SIZE


class FetchedFile:
    """Records with their ids; what is in the file already counts as fetched.

    A last line that was cut off is removed. Raises ValueError, and leaves the file as it is, where
    it holds anything else.
    """

    def __init__(self, path: Path) -> None:
        self.ids: set[str] = set()
        self._positions: dict[str, int] = {}
        self._path = path
        whole = 0
        if path.exists():
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break
                    self._note(_parsed(line, f"{path}:{number}"))
                    whole += len(line)
                left = file.seek(0, 2) - whole
            if left and not whole:
                raise ValueError(f"{path} was not written by `stemma fetch`")
        self._file = path.open("ab")
        self._file.truncate(whole)

    def add(self, id_: str, service: str, record: object, **search: Any) -> None:
        """Write a record, whole or not at all. Raises ValueError where it is too large."""
        entry = {"fetched": id_, "reader": service, **search, "record": record}
        line = orjson.dumps(entry) + b"\n"
        if len(line) > MAX_RECORD_SIZE:
            raise ValueError(f"a record of more than {MAX_RECORD_SIZE >> 20} MiB")
        self._file.write(line)
        self._file.flush()
        self._note(entry)

    def position(self, search: str) -> int:
        """Return how far the results of a search were fetched."""
        return self._positions.get(search, 0)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _note(self, entry: dict[str, Any]) -> None:
        self.ids.add(entry["fetched"])
        if isinstance(search := entry.get("search"), str):
            position = entry.get("position")
            if isinstance(position, int):
                self._positions[search] = max(position, self.position(search))


def _parsed(line: bytes, place: str) -> dict[str, Any]:
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        entry = None
    if not isinstance(entry, dict) or not isinstance(entry.get("fetched"), str):
        raise ValueError(f"{place} was not written by `stemma fetch`")
    return entry


OnProgress = Callable[[int, int | None], None]
_PAGE = 100


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
    source: str,
    mailto: str | None,
) -> None:
    """Fetch the records of papers into a file, as their services write them.

    `ids` are such as ``arxiv:2104.07857`` and ``doi:10.1145/3458817.3476205``; `search` is a query
    of arXiv's API, of which the newest `most` papers are fetched. DOIs are asked of `source`:
    openalex, crossref or s2. What is in the file is not fetched again. `report` is up to date at
    any moment, even where KeyboardInterrupt ends this. Raises ValueError where the file is another.
    """
    wanted = list(dict.fromkeys(map(canonical_identifier, ids)))
    with closing(FetchedFile(output)) as file:
        new = [each for each in wanted if each not in file.ids]
        report.known, report.left = len(wanted) - len(new), len(new)
        arxiv, dois = Arxiv(mailto), DOI_SERVICES[source](mailto)
        run = _Run(file, report, on_progress)
        with closing(arxiv.client), closing(dois.client):
            run.fetch(arxiv, [each for each in new if each.startswith("arxiv:")])
            run.fetch(dois, [each for each in new if each.startswith("doi:")])
            if search:
                run.search(arxiv, search, most)


@dataclass(frozen=True, slots=True)
class _Run:
    """Fetches into a file, and keeps a report up to date."""

    file: FetchedFile
    report: FetchReport
    on_progress: OnProgress

    def fetch(self, service: Service, ids: Sequence[str]) -> None:
        """Fetch papers, until all are fetched or the service cannot be used."""
        try:
            for at in range(0, len(ids), service.batch):
                self._take(service, ids[at : at + service.batch])
        except UnavailableError as error:
            self._give_up(service, error)

    def search(self, service: Arxiv, query: str, most: int) -> None:
        """Fetch what a search finds, from where an earlier run stopped."""
        start = self.file.position(query)
        self.report.known += min(start, most)
        self.report.left += max(0, most - start)
        while start < most:
            try:
                page = service.search(query, start, min(_PAGE, most - start))
            except (RefusedError, UnavailableError) as error:
                self._give_up(service, error)
                return
            for position, (id_, record) in enumerate(page.records.items(), start + 1):
                if id_ in self.file.ids:
                    self.report.known += 1
                    self._settle()
                else:
                    self._add(service, id_, record, search=query, position=position)
            start += page.size
            if not page.size or start >= page.total:
                self.report.left -= max(0, most - start)
                return

    def _take(self, service: Service, ids: Sequence[str]) -> None:
        try:
            records = service.records(ids)
        except RefusedError as error:
            if len(ids) == 1:
                self._miss(service, ids[0], error)
                return
            for each in ids:  # one of them may be why all were refused
                self._take(service, [each])
            return
        for each in ids:
            if each in records:
                self._add(service, each, records[each])
            else:
                self._miss(service, each, "not found")

    def _add(self, service: Service, id_: str, record: object, **search: object) -> None:
        try:
            self.file.add(id_, service.name, record, **search)
        except ValueError as error:
            self._miss(service, id_, error)
            return
        self.report.fetched += 1
        self._settle()

    def _miss(self, service: Service, id_: str, reason: object) -> None:
        self.report.problems.append(Problem(service.host, None, f"{id_}: {reason}"))
        self.report.missing += 1
        self._settle()

    def _settle(self) -> None:
        self.report.left -= 1
        done = self.report.fetched + self.report.missing
        self.on_progress(done, done + self.report.left)

    def _give_up(self, service: Service, reason: object) -> None:
        reason = f"no usable response: {reason}"
        self.report.problems.append(Problem(service.host, None, reason))
