"""Semantic Scholar: lines of its data sets (papers, S2ORC), and answers of its Graph API."""

import json
import re
from collections.abc import Iterator
from typing import Any

from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.json_reader import JsonReader, fields, items, string
from stemma.schema.paper import Author, Reference

_ADDRESSES = {
    "CorpusId": "https://api.semanticscholar.org/CorpusID:",
    "ACL": "https://aclanthology.org/",
    "DBLP": "https://dblp.org/rec/",
    "PubMed": "https://pubmed.ncbi.nlm.nih.gov/",
}
_REGISTRIES = {"DOI": "doi", "ArXiv": "arxiv", "ACL": "acl", "CorpusId": "corpusid"}
"""By what a reference is named, the first that it has."""
_NO_TITLE = (
    "no title: of the data sets of Semantic Scholar those called papers and s2orc have titles"
)


class SemanticScholarReader(JsonReader):
    """Reads papers of the data sets, whose keys are in lower case, and of the API."""

    name = "s2"
    description = "Semantic Scholar (data sets, Graph API)"
    fields = "corpus id and external identifiers, authors, venue, references"
    marks = re.compile(r'"(?:paperId|corpusid|externalIds|externalids|citedPaper)"\s*:')

    def drafts(self, line: int, record: dict[str, Any]) -> Iterator[Draft]:
        """Make a draft; of a citation, that of the citing or cited paper."""
        for end in ("citedPaper", "citingPaper"):
            record = fields(record.get(end)) or record
        content = fields(record.get("content"))
        identifiers = _identifiers(record)
        journal = fields(record.get("journal")) or fields(record.get("publicationVenue"))
        yield Draft(
            line,
            title=string(record.get("title")) or _annotated(content, "title"),
            abstract=string(record.get("abstract")) or _annotated(content, "abstract"),
            published=_first(record, "publicationDate", "publicationdate", "year"),
            authors=[found for each in items(record.get("authors")) if (found := _author(each))],
            venue=string(record.get("venue")) or string(journal.get("name")),
            doi=identifiers.get("DOI"),
            arxiv_id=identifiers.get("ArXiv"),
            links=[
                string(record.get("url")),
                string(fields(record.get("openAccessPdf")).get("url")),
                *(
                    f"{_ADDRESSES[key]}{each}"
                    for key, each in identifiers.items()
                    if key in _ADDRESSES
                ),
            ],
            references=[_reference(fields(each)) for each in items(record.get("references"))],
            untitled=_NO_TITLE,
        )


def _identifiers(record: dict[str, Any]) -> dict[str, str]:
    found = fields(record.get("externalIds")) or fields(record.get("externalids"))
    corpus = record.get("corpusId") or record.get("corpusid")
    return {
        key: str(value)
        for key, value in {**found, "CorpusId": found.get("CorpusId") or corpus}.items()
        if isinstance(value, str | int) and value
    }


def _first(record: dict[str, Any], *names: str) -> str | None:
    return next((str(record[name]) for name in names if record.get(name)), None)


def _author(value: object) -> Author | None:
    own = fields(value)
    name = string(own.get("name"))
    places = [each for each in items(own.get("affiliations")) if isinstance(each, str)]
    orcid = string(fields(own.get("externalIds")).get("ORCID"))
    number = re.fullmatch(r"\d{1,20}", str(own.get("authorId") or own.get("authorid") or ""))
    id_ = f"s2:{number[0]}" if number else None
    return author(name, orcid, "; ".join(places), id_) if name.strip() else None


def _reference(paper: dict[str, Any]) -> Reference:
    identifiers = _identifiers(paper)
    ids = (
        f"{registry}:{identifiers[key].strip()}"
        for key, registry in _REGISTRIES.items()
        if re.fullmatch(r"\S+", identifiers.get(key, ""))
    )
    return Reference(next(ids, None), string(paper.get("title")))


def _annotated(content: dict[str, Any], field: str) -> str:
    """Return the passage of an S2ORC text that is annotated as a field."""
    text = string(content.get("text"))
    try:
        passages = json.loads(string(fields(content.get("annotations")).get(field)) or "[]")
        found = [(int(each["start"]), int(each["end"])) for each in passages]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return "\n\n".join(text[start:end] for start, end in found if 0 <= start < end)
