"""Records: objects in JSON, by whatever names their fields go in common data sets."""

import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import JsonReader
from stemma.extract.formats.reader import Options
from stemma.extract.formats.record import read_record
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem


class RecordReader(JsonReader):
    """Reads objects that have a title."""

    name = "json"
    description = "JSON"
    fields = (
        "one object per paper, as JSON lines, in an array, or in an object with an array such as "
        '`{"papers": […]}`; fields: `title`, `abstract`, and if known `published` (or `date`, '
        "`year`), `authors`, `venue`, `doi`, `links` …"
    )
    endings = ("jsonl", "ndjson", "json")
    marks = re.compile(r'"title"\s*:', re.I)

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read an object; what is wrong with a field is a problem, and the rest is read."""
        return read_record(record, line, document, options)
