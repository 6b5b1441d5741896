"""Records: objects in JSON, by whatever names their fields go in common data sets."""

import datetime
import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import JsonReader, fields, string
from stemma.extract.formats.reader import Options
from stemma.extract.formats.record import read_record
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_LAST_MILLISECOND = 4_102_444_800_000
"""The end of 2099, as a date in JSON."""


class RecordReader(JsonReader):
    """Reads objects that have a title."""

    name = "json"
    description = "JSON"
    fields = (
        "one object per paper, as JSON lines, in an array, or in an object with an array such as "
        '`{"papers": […]}`, or by ids; fields: `title`, `abstract`, and if known `published` (or '
        "`date`, `year`), `authors`, `venue`, `doi`, `links` …; notes of OpenReview"
    )
    endings = ("jsonl", "ndjson", "json")
    marks = re.compile(r'"title"\s*:', re.I)

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read an object; what is wrong with a field is a problem, and the rest is read."""
        paper = fields(record.get("paper"))  # in the answers of Hugging Face
        if string(paper.get("title")):
            record = paper
        elif "title" not in record and "title" in fields(record.get("content")):
            record = _note(record)
        return read_record(record, line, document, options)


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
