"""Links to papers: what sources give, their DOI, and arXiv."""

from stemma.schema import Paper

DOI, ARXIV = "doi.org/", "arxiv.org/abs/"


def links(paper: Paper) -> list[str]:
    """Return the links of a paper that a browser can follow, those of its sources first."""
    found = [each for each in paper.links if each.startswith(("http://", "https://"))]
    if paper.doi:
        found.append(f"https://{DOI}{paper.doi}")
    if paper.arxiv_id:
        found.append(f"https://{ARXIV}{paper.arxiv_id}")
    return found
