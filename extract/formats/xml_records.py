"""Records in XML, without texts: PubMed, OAI-PMH, and the Atom answers of arXiv's API."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.dates import date_of_parts, earliest, most_precise
from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.link import PMC, PUBMED, as_arxiv_id, as_doi
from stemma.extract.formats.person_name import listed_names, person_names
from stemma.extract.formats.xml_reader import Names, XmlReader, authors, plain_text, text, texts
from stemma.schema.paper import Reference

_TRANSLATED = re.compile(r"\[(.*?)\.?\]\.?", re.S)
"""The title in English of an article in another language."""
_TITLES = ("ArticleTitle", "VernacularTitle", "Book/BookTitle")
_PUBMED_IDS = "PubmedData PubmedBookData BookDocument"
_PUBMED_NAMES = Names(
    *("ForeName", "LastName", "Suffix", "CollectiveName"),
    orcid="Identifier[@Source='ORCID']",
    places="AffiliationInfo/Affiliation",
    initials="Initials",
)
_ARXIV_NAMES = Names("forenames", "keyname", "suffix", "name", places="affiliation")
_ANNOUNCED = re.compile(r"arXiv:(\S+)\s+Announce Type:\s*(\S+)\s+Abstract:\s*(.*)", re.S)
"""How a feed begins an abstract."""
_ARXIV_FIELDS = "identifier with version, DOI, authors, date of the first version, journal"


class PubmedReader(XmlReader):
    """Reads articles and chapters of books: answers of E-utilities, and the baseline files."""

    name = "pubmed"
    description = "PubMed XML"
    fields = "PMID, DOI, authors with ORCID and affiliations, journal, earliest date, references"
    root = re.compile(r"(?:PubmedArticleSet|PubmedArticle|PubmedBookArticle)[\s>]")
    tags = ("PubmedArticle", "PubmedBookArticle")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an article."""
        record = element.find("MedlineCitation")
        article = element.find("BookDocument") if record is None else record.find("Article")
        if article is None:
            return
        record = article if record is None else record
        ids = {
            each.get("IdType", ""): plain_text(each)
            for place in _PUBMED_IDS.split()
            for each in element.iterfind(f"{place}/ArticleIdList/ArticleId")
        }
        pmid, pmc = text(record, "PMID"), ids.get("pmc", "")
        addresses = (f"{PUBMED}{pmid}" if pmid else "", f"{PMC}{pmc}/" if pmc else "")
        others = record.findall("OtherAbstract")
        others.sort(key=lambda each: each.get("Language") != "eng")
        dates = [*article.iterfind(".//PubDate"), *article.iterfind("ArticleDate")]
        titles = (without_brackets(text(article, path)) for path in _TITLES)
        abstracts = map(_abstract, (*article.iterfind("Abstract"), *others))
        yield Draft(
            line,
            title=next(filter(None, titles), ""),
            abstract=next(filter(None, abstracts), ""),
            published=earliest(map(_pubmed_date, dates)),
            authors=authors(article.iterfind("AuthorList/Author"), _PUBMED_NAMES),
            venue=text(article, "Journal/Title", "Book/BookTitle"),
            doi=ids.get("doi") or text(article, "ELocationID[@EIdType='doi']"),
            links=list(addresses),
            references=[
                _pubmed_reference(each)
                for each in element.iterfind("PubmedData/ReferenceList//Reference/ArticleIdList")
            ],
        )


def without_brackets(title: str) -> str:
    """Return a title of PubMed without its full stop, and the brackets that mark a translation."""
    translated = _TRANSLATED.fullmatch(title)
    return translated[1] if translated else title.removesuffix(".")


def _abstract(element: Element) -> str:
    """Return an abstract of PubMed, with its parts as paragraphs after their labels."""
    parts = []
    for part in element.iterfind("AbstractText"):
        label = (part.get("Label") or "").strip(" :")
        labelled = label and label != "UNLABELLED"
        parts.append(" ".join((f"{label}: " * bool(labelled) + plain_text(part)).split()))
    return "\n\n".join(filter(None, parts))


def _pubmed_date(element: Element) -> str:
    parts = (text(element, part) for part in ("Year", "Month", "Day"))
    return date_of_parts(*parts) or most_precise([text(element, "MedlineDate")], "") or ""


def _pubmed_reference(ids: Element) -> Reference:
    pmid = text(ids, "ArticleId[@IdType='pubmed']")
    found = reference(None, text(ids, "ArticleId[@IdType='doi']"))
    return found if found.id or not pmid.isdecimal() else Reference(f"pmid:{pmid}")


class OaiReader(XmlReader):
    """Reads answers of OAI-PMH with metadata as ``arXiv``, ``arXivRaw`` or ``oai_dc``."""

    name = "oai"
    description = "OAI-PMH (`arXiv`, `arXivRaw`, `oai_dc`)"
    fields = _ARXIV_FIELDS
    root = re.compile(r"(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record|dc|arXiv|arXivRaw)[\s>]")
    tags = ("record", "arXiv", "arXivRaw", "dc")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of a record; one that was deleted has no metadata."""
        for metadata in element.iter():
            if metadata.tag in ("arXiv", "arXivRaw"):
                yield _arxiv(line, metadata)
            elif metadata.tag == "dc":
                yield _dublin_core(line, metadata)


def _arxiv(line: int, metadata: Element) -> Draft:
    """Describe a paper in ``arXiv``, which has parts of names, or ``arXivRaw``, with versions."""
    versions = metadata.findall("version")
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=text(metadata, "abstract"),
        published=text(versions[0], "date") if versions else text(metadata, "created"),
        authors=authors(metadata.iterfind("authors/author"), _ARXIV_NAMES)
        or list(map(author, person_names(text(metadata, "authors")))),
        venue=text(metadata, "journal-ref"),
        doi=next(iter(text(metadata, "doi").split()), None),
        arxiv_id=text(metadata, "id") + (versions[-1].get("version", "") if versions else ""),
    )


def _dublin_core(line: int, metadata: Element) -> Draft:
    """Dublin Core has an abstract and comments as descriptions, and several dates."""
    identifiers = texts(metadata, "identifier") + texts(metadata, "relation")
    described = (each for each in texts(metadata, "description") if not each.startswith("Comment:"))
    return Draft(
        line,
        title=text(metadata, "title"),
        abstract=max(described, key=len, default=""),
        published=earliest(texts(metadata, "date")),
        authors=list(map(author, listed_names(texts(metadata, "creator")))),
        doi=next(filter(as_doi, identifiers), None),
        arxiv_id=next(filter(as_arxiv_id, identifiers), None),
        links=[each for each in identifiers if each.startswith("http")],
    )


class AtomReader(XmlReader):
    """Reads answers of arXiv's API, and the feeds of new papers."""

    name = "arxiv-api"
    description = "arXiv's API (Atom), feeds of new papers (RSS, Atom)"
    fields = _ARXIV_FIELDS
    root = re.compile(
        r"feed\s[^>]*http://www\.w3\.org/2005/Atom|rss\s[^>]*http://arxiv\.org/schemas/atom"
    )
    tags = ("entry", "item")

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of an entry, None of one that reports an error."""
        if "/api/errors" in text(element, "id"):
            return
        stated = text(element, "summary", "description")
        announced = _ANNOUNCED.match(stated)
        # In a feed, the day is that of the first version only if the paper is new.
        id_, kind, abstract = (
            announced.groups() if announced else (text(element, "id"), "new", stated)
        )
        yield Draft(
            line,
            title=text(element, "title"),
            abstract=abstract,
            published=text(element, "published", "pubDate") if kind == "new" else None,
            authors=authors(element.iterfind("author"), _ARXIV_NAMES)
            or list(map(author, person_names(text(element, "creator")))),
            venue=text(element, "journal_ref", "journal_reference"),
            doi=text(element, "doi", "DOI"),
            arxiv_id=id_,
        )
