"""Semantic Scholar: lines of its data sets (papers, S2ORC), and answers of its Graph API."""

import json
import re
from typing import Any

from stemma.extract.formats.json_reader import fields, items, string
from stemma.extract.formats.json_records import RecordReader

_ADDRESSES = {
    "CorpusId": "https://api.semanticscholar.org/CorpusID:",
    "ACL": "https://aclanthology.org/",
    "DBLP": "https://dblp.org/rec/",
    "PubMed": "https://pubmed.ncbi.nlm.nih.gov/",
}
_REGISTRIES = {"DOI": "doi", "ArXiv": "arxiv", "ACL": "acl", "CorpusId": "corpusid"}
"""By what a reference is named, the first that it has."""


class SemanticScholarReader(RecordReader):
    """Reads papers of the data sets, whose keys are in lower case, and of the API."""

    name = "s2"
    description = "Semantic Scholar (data sets, Graph API)"
    fields = "corpus id and external identifiers, authors, venue, references"
    endings = ()
    marks = re.compile(r'"(?:paperId|corpusid|externalIds|externalids|citedPaper)"\s*:')

    def as_record(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a paper, or that of a citation, in the names of fields that records have."""
        for end in ("citedPaper", "citingPaper"):
            record = fields(record.get(end)) or record
        content = fields(record.get("content"))
        identifiers = _identifiers(record)
        links = [record.get("url"), fields(record.get("openAccessPdf")).get("url")]
        links += [
            f"{_ADDRESSES[key]}{identifiers[key]}" for key in _ADDRESSES if key in identifiers
        ]
        return {
            "title": string(record.get("title")) or _annotated(content, "title"),
            "abstract": string(record.get("abstract")) or _annotated(content, "abstract"),
            **{key: record.get(key) for key in ("publicationDate", "publicationdate", "year")},
            "authors": list(map(_author, items(record.get("authors")))),
            **{key: record.get(key) for key in ("venue", "journal", "publicationVenue")},
            "doi": identifiers.get("DOI"),
            "arxiv_id": identifiers.get("ArXiv"),
            "links": links,
            "references": [_reference(fields(each)) for each in items(record.get("references"))],
        }


def _identifiers(record: dict[str, Any]) -> dict[str, str]:
    found = fields(record.get("externalIds")) or fields(record.get("externalids"))
    corpus = record.get("corpusId") or record.get("corpusid")
    return {
        key: str(value)
        for key, value in {**found, "CorpusId": found.get("CorpusId") or corpus}.items()
        if isinstance(value, str | int) and value
    }


def _author(value: object) -> dict[str, Any]:
    own = fields(value)
    number = own.get("authorId") or own.get("authorid") or ""
    return {
        "name": own.get("name"),
        "orcid": string(fields(own.get("externalIds")).get("ORCID")),
        "affiliation": "; ".join(map(string, items(own.get("affiliations")))),
        "id": f"s2:{number}",
    }


def _reference(paper: dict[str, Any]) -> dict[str, Any]:
    identifiers = _identifiers(paper)
    ids = (f"{name}:{identifiers[key]}" for key, name in _REGISTRIES.items() if key in identifiers)
    return {"id": next(ids, ""), "title": string(paper.get("title"))}


def _annotated(content: dict[str, Any], field: str) -> str:
    """Return the passage of an S2ORC text that is annotated as a field."""
    text = string(content.get("text"))
    try:
        passages = json.loads(string(fields(content.get("annotations")).get(field)) or "[]")
        found = [(int(each["start"]), int(each["end"])) for each in passages]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return "\n\n".join(text[start:end] for start, end in found if 0 <= start < end)
