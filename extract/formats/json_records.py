"""Records: objects in JSON, with the names of fields that common data sets use."""

import datetime
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import JsonReader, fields, string
from stemma.extract.formats.reader import Options
from stemma.extract.formats.record import field_of, read_record
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_LAST_MILLISECOND = 4_102_444_800_000
"""The end of 2099, as a date in JSON."""
_WITHIN = ("info", "attributes", "metadata", "bibjson", "_source")
"""The fields in which services put the paper, next to data about the record."""


class RecordReader(JsonReader):
    """Reads objects that have a title."""

    name = "json"
    description = "JSON"
    fields = (
        "one object per paper, as JSON lines, in an array, or in an object with an array such as "
        '`{"papers": […]}`, or by ids; fields: `title`, `abstract`, and if known `published` (or '
        "`date`, `year`), `authors`, `venue`, `doi`, `links` …; notes of OpenReview; "
        "answers of the APIs of Europe PMC, bioRxiv, DBLP, DataCite, Zenodo, HAL, NASA ADS, CORE, "
        "DOAJ, INSPIRE"
    )
    endings: ClassVar[tuple[str, ...]] = ("jsonl", "ndjson", "json")
    marks = re.compile(r'"title"\s*:', re.I)

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read an object; what is wrong with a field is a problem, and the rest is read."""
        return read_record(self.as_record(record), line, document, options)

    def as_record(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the paper that an object is, or that it has within; override for other names."""
        paper = fields(record.get("paper"))  # in the answers of Hugging Face
        if string(paper.get("title")):
            return paper
        if _has_title(record):
            return record
        if "title" in fields(record.get("content")):
            return _note(record)
        within = [fields(record.get(name)) for name in _WITHIN]
        return record | next((each for each in within if _has_title(each)), within[0])


class CslReader(RecordReader):
    """Reads CSL-JSON, which Zotero and others export; Crossref's works are almost the same."""

    name = "csl"
    description = "CSL-JSON (Zotero, Crossref)"
    fields = "DOI, arXiv id, authors with ORCID, venue, references"
    endings = ("csljson",)
    marks = re.compile(
        r'"date-parts"\s*:|"container-title(?:-short)?"\s*:|"message-type"\s*:\s*"work'
        r'|"type"\s*:\s*"(?:article-journal|paper-conference)"'
    )


def _has_title(record: dict[str, Any]) -> bool:
    return any(value and field_of(name) == "title" for name, value in record.items())


def _note(record: dict[str, Any]) -> dict[str, Any]:
    """Return the paper that a note of OpenReview holds, by either version of its API."""
    note = {
        name: value["value"] if isinstance(value, dict) and "value" in value else value
        for name, value in record["content"].items()
    }
    created = record.get("cdate")
    if type(created) is int and 0 < created < _LAST_MILLISECOND:
        day = datetime.datetime.fromtimestamp(created / 1000, datetime.UTC).date()
        note["published"] = day.isoformat()
    if forum := string(record.get("forum")) or string(record.get("id")):
        note["url"] = f"https://openreview.net/forum?id={forum}"
    return note
