"""Links: web addresses in texts and in the fields of records."""

import re
from functools import lru_cache
from urllib.parse import quote, unquote

from stemma.schema.paper import canonical_identifier

ACL_ANTHOLOGY = "https://aclanthology.org/"
PMC = "https://pmc.ncbi.nlm.nih.gov/articles/"
PUBMED = "https://pubmed.ncbi.nlm.nih.gov/"
_PATH = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|\\[_%#&~]|%[0-9A-Fa-f]{2})*"
_URL = re.compile(
    rf"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{{2,}}(?::[0-9]+)?"
    rf"(?:/{_PATH})?(?:\?(?:{_PATH}|\?)*)?(?:\#(?:{_PATH}|\?)*)?"
)
_LATEX_ESCAPE = re.compile(r"\\(?=[_%#&~])")
_ARXIV = re.compile(
    r"(?:arxiv:)?((?:[0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]+)?)", re.I
)
_DOI = re.compile(r"(?:doi:)?(10\.[0-9]{4,9}/\S+)", re.I)
_DOI_IN_TEXT = re.compile(r"\b10\.[0-9]{4,9}/[^\s{}\\,;\]>]+")
_ARXIV_IN_TEXT = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5}(?:v\d+)?)(?!\d|\.\d)")
_DOI_PATH_END = re.compile(
    r"(?:/(?:abstract|full(?:-?text)?|e?pdf|html|meta|summary|references?)|\.pdf|[?#&].*)$", re.I
)
"""What the addresses of publishers have after a DOI."""
_OTHER_WORK = re.compile(
    r"\b(?:errat|corrigend|correction|retract|comment(?:ary)? on|reply to|related|supplement|"
    r"data(?: ?set)?\b|code\b|cite[ds]?\b|original(?:ly)?\b|review of|translation of)",
    re.I,
)
"""What a note says before the DOI of another work."""
_ARXIV_STATED = re.compile(
    r"(?:\barxiv(?:\.org/[\w-]{1,8}/|[\s:.,#]{0,3}(?:id|e-?prints?|preprint|no\.?)?[\s:.,#]{0,3})|"
    r"\babs/|huggingface\.co/papers/|ar5iv[\w.]{0,20}/html/|\A(?=[a-z.-]+/\d{7}(?:v\d+)?\Z))"
    r"(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?(?![\d.]\d)|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?(?!\d))",
    re.I,
)
_DOI_RESOLVER = re.compile(r"^(?:https?://)?(?:dx\.)?doi\.org/", re.I)
_ARXIV_ADDRESS = re.compile(r"^https?://(?:\w+\.)?arxiv\.org/(?:abs|pdf|html)/", re.I)


def links_in(text: str) -> tuple[str, ...]:
    """Return the http and https addresses in `text`, sorted, without the sentence's punctuation."""
    if "://" not in text:
        return ()
    return tuple(sorted({_without_punctuation(match[0]) for match in _URL.finditer(text)}))


def doi_links(identifiers: str) -> tuple[str, ...]:
    """Return the addresses of one or more DOIs (``10.1145/3458817.3476205``)."""
    dois = filter(None, map(as_doi, identifiers.split()))
    return tuple(sorted({"https://doi.org/" + quote(doi, safe="/:;().,_-") for doi in dois}))


@lru_cache(maxsize=64)  # a record is asked for its DOI several times
def as_doi(text: str) -> str | None:
    """Return the DOI that a text gives, as an address too, in small letters; None if it is none."""
    match = _DOI.fullmatch(_DOI_RESOLVER.sub("", unquote(text.strip())))
    return match[1].casefold().rstrip(".,;") if match else None


def as_arxiv_id(text: str) -> str | None:
    """Return the arXiv identifier that a text gives, as an address too; None if it is none."""
    text = _ARXIV_ADDRESS.sub("", text.strip()).removesuffix(".pdf")
    match = _ARXIV.fullmatch(text.partition("[")[0].strip())
    return match[1] if match else None


def as_identifier(text: str) -> str | None:
    """Return the arXiv id or DOI that a text gives, as `canonical_identifier` does, or None."""
    if arxiv_id := as_arxiv_id(text):
        return canonical_identifier(f"arxiv:{arxiv_id}")
    doi = as_doi(text)
    return canonical_identifier(f"doi:{doi}") if doi else None


def doi_in(text: str) -> str | None:
    """Return the first DOI within a text, without the sentence's punctuation."""
    match = _DOI_IN_TEXT.search(text)
    return _without_punctuation(match[0]) if match else None


def stated_doi(text: str) -> str | None:
    """Return the DOI of the record that a note or an address states, in small letters.

    ``doi: 10.1000/x``, ``https://dl.acm.org/doi/pdf/10.1000/x``; None in "Erratum: 10.1000/x".
    """
    if "10." not in text:
        return None
    is_address = "://" in text.partition("10.")[0]
    text = unquote(text) if is_address else text
    stated = doi_in(text)
    if not stated or _OTHER_WORK.search(text):
        return None
    return as_doi(_DOI_PATH_END.sub("", stated) if is_address else stated)


def stated_arxiv_id(text: str) -> str | None:
    """Return the arXiv identifier of the record that a note or an address states.

    ``arXiv:2106.00001 [cs]``, ``CoRR abs/2106.00001``, ``https://arxiv.org/pdf/2106.00001v2.pdf``.
    """
    match = _ARXIV_STATED.search(text)
    return match[1] if match and not _OTHER_WORK.search(text) else None


def arxiv_id_in(text: str) -> str | None:
    """Return the first arXiv identifier within a text, of those since 2007."""
    match = _ARXIV_IN_TEXT.search(text)
    return match[1] if match else None


def _without_punctuation(url: str) -> str:
    url = _LATEX_ESCAPE.sub("", url)
    while url[-1] in ".,;:!?'*\\" or (url[-1] == ")" and url.count(")") > url.count("(")):
        url = url[:-1]
    return url
