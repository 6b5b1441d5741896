"""PubMed: its XML, as in answers of E-utilities and in the baseline files."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.dates import date_of_parts, earliest, most_precise
from stemma.extract.formats.draft import Draft, author, reference
from stemma.extract.formats.person_name import name_of_parts
from stemma.extract.formats.xml_reader import XmlReader, plain_text, text, texts
from stemma.schema.paper import Author, Reference

_TRANSLATED = re.compile(r"\[(.*?)\.?\]\.?", re.S)
"""The title in English of an article in another language."""
PUBMED = "https://pubmed.ncbi.nlm.nih.gov/"
PMC = "https://pmc.ncbi.nlm.nih.gov/articles/"
_TITLES = ("ArticleTitle", "VernacularTitle", "Book/BookTitle")
_ENGLISH_FIRST = ("Abstract", "OtherAbstract[@Language='eng']", "OtherAbstract")


class PubmedReader(XmlReader):
    """Reads articles and chapters of books."""

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
        ids = {each.get("IdType", ""): plain_text(each) for each in _ids(element)}
        pmid = text(record, "PMID")
        dates = [*article.iterfind(".//PubDate"), *article.iterfind("ArticleDate")]
        titles = (without_brackets(text(article, path)) for path in _TITLES)
        abstracts = (
            _abstract(each) for path in _ENGLISH_FIRST for each in _found(article, record, path)
        )
        links = [f"{PUBMED}{pmid}" if pmid else "", f"{PMC}{ids['pmc']}/" if "pmc" in ids else ""]
        yield Draft(
            line,
            title=next(filter(None, titles), ""),
            abstract=next(filter(None, abstracts), ""),
            published=earliest(map(_date, dates)),
            authors=[_author(each) for each in article.iterfind("AuthorList/Author")],
            venue=text(article, "Journal/Title") or text(article, "Book/BookTitle"),
            doi=ids.get("doi") or text(article, "ELocationID[@EIdType='doi']"),
            links=links,
            references=[
                _reference(each)
                for each in element.iterfind("PubmedData/ReferenceList//Reference/ArticleIdList")
            ],
        )


def without_brackets(title: str) -> str:
    """Return a title of PubMed without its full stop, and the brackets that mark a translation."""
    translated = _TRANSLATED.fullmatch(title)
    return translated[1] if translated else title.removesuffix(".")


def _ids(element: Element) -> Iterator[Element]:
    for path in ("PubmedData", "PubmedBookData", "BookDocument"):
        yield from element.iterfind(f"{path}/ArticleIdList/ArticleId")


def _found(article: Element, record: Element, path: str) -> Iterator[Element]:
    yield from article.iterfind(path)
    if record is not article:
        yield from record.iterfind(path)


def _abstract(element: Element) -> str:
    """Return an abstract, each part of it a paragraph after its label."""
    parts = []
    for each in element.iterfind("AbstractText"):
        label = (each.get("Label") or "").strip(" :")
        plain = plain_text(each)
        parts.append(f"{label}: {plain}" if label and label != "UNLABELLED" else plain)
    return "\n\n".join(" ".join(each.split()) for each in parts if each.strip())


def _date(element: Element) -> str:
    parts = (text(element, part) for part in ("Year", "Month", "Day"))
    medline = text(element, "MedlineDate")
    return date_of_parts(*parts) or most_precise([medline], "") or ""


def _author(element: Element) -> Author:
    given = text(element, "ForeName") or text(element, "Initials")
    family, suffix = (text(element, part) for part in ("LastName", "Suffix"))
    return author(
        text(element, "CollectiveName") or name_of_parts(given, family, suffix),
        text(element, "Identifier[@Source='ORCID']"),
        "; ".join(texts(element, "AffiliationInfo/Affiliation")),
    )


def _reference(ids: Element) -> Reference:
    pmid = text(ids, "ArticleId[@IdType='pubmed']")
    found = reference(None, text(ids, "ArticleId[@IdType='doi']"))
    return found if found.id or not pmid.isdecimal() else Reference(f"pmid:{pmid}")
