"""Records that `stemma fetch` has fetched, as their services write them."""

import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.arxiv import ArxivAtomReader
from stemma.extract.formats.document import Document
from stemma.extract.formats.json_reader import JsonReader
from stemma.extract.formats.json_records import CslReader
from stemma.extract.formats.openalex import OpenAlexReader
from stemma.extract.formats.reader import Options
from stemma.extract.formats.semantic_scholar import SemanticScholarReader
from stemma.extract.formats.xml_stream import elements_in
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_JSON = {each.name: each for each in (OpenAlexReader, CslReader, SemanticScholarReader)}


class FetchedReader(JsonReader):
    """Reads lines that each hold a record of arXiv, OpenAlex, Crossref or Semantic Scholar."""

    name = "fetched"
    description = "what `stemma fetch` writes"
    fields = "unmodified records of arXiv, OpenAlex, Crossref and Semantic Scholar"
    marks = re.compile(r'\{\s*"fetched"\s*:')
    only_lines = True

    def read_object(
        self, line: int, record: dict[str, Any], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read a record as the reader of its service does."""
        own = record.get("record")
        if record.get("reader") == ArxivAtomReader.name and isinstance(own, str):
            atom = ArxivAtomReader()
            for each in elements_in(own.encode(), atom.tags, options.max_record_size):
                if isinstance(each, Problem):
                    yield Problem(document.name, line, each.reason, skipped=True)
                    return
                for draft in atom.drafts(line, each[1]):
                    yield from draft.read(document, options.year)
        elif record.get("reader") in _JSON and isinstance(own, dict):
            yield from _JSON[record["reader"]]().read_object(line, own, document, options)
        else:
            yield Problem(document.name, line, "not a record of `stemma fetch`", skipped=True)
