"""Bibliographies: the papers behind an answer, to cite them."""

from collections.abc import Iterable
from enum import StrEnum

from stemma.graph import Work
from stemma.schema import Paper
from stemma.schema.partial_date import UNDATED


class CitationFormat(StrEnum):
    """The format of a bibliography."""

    BIBTEX = "bibtex"
    """An entry of BibTeX."""
    CSL = "csl"
    """A list with an item of CSL-JSON, as text."""


def bibliography(works: Iterable[Work], format: CitationFormat) -> str:
    """Return the papers among works, each once, the oldest first and undated ones last."""
    # What writes them is slow to load.
    from stemma.server.views.bibtex import bibtex  # noqa: PLC0415
    from stemma.server.views.csl import csl  # noqa: PLC0415

    papers = {work.id: work for work in works if isinstance(work, Paper)}
    ordered = sorted(papers.values(), key=_date)
    return bibtex(ordered) if format is CitationFormat.BIBTEX else csl(ordered)


def _date(paper: Paper) -> tuple[tuple[int, int, int], str]:
    return (paper.published.sort_key if paper.published else UNDATED, paper.id)
