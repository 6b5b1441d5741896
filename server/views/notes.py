"""How works with the same name are told apart: by notes in a list, by ids in an address."""

from collections import Counter
from collections.abc import Sequence

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, Work
from stemma.schema import Paper, RelationType


def notes(reader: Reader, works: Sequence[Work]) -> dict[str, str]:
    """Return a note on each work, by id: the date of a paper, the other names of an entity.

    Where several entities in the list have one name, it is the paper that introduces or names each.
    """
    shared = Counter(work.name for work in works)
    alike = [work.id for work in works if shared[work.name] > 1 and not isinstance(work, Paper)]
    introducing = reader.papers_naming(alike, [RelationType.INTRODUCES])
    naming = reader.papers_naming([each for each in alike if not introducing.get(each)])
    papers = {id_: own[0] for id_, own in (naming | introducing).items() if own}
    titles = reader.works(set(papers.values()))
    return {work.id: _note(work, papers, titles) for work in works}


def _note(work: Work, papers: dict[str, str], titles: dict[str, Work]) -> str:
    if isinstance(work, Paper):
        return str(work.published or "")
    if work.id in papers:
        return f"in “{titles[papers[work.id]].name}”"
    return ", ".join(work.aliases[:3])


def asked_as(reader: Reader, work: Work) -> str:
    """Return how a work is written in a box or an address: by its name, if that leads to this work
    alone, else by its id."""
    try:
        return work.name if reader.resolve(work.name) == work.id else work.id
    except (UnknownNameError, AmbiguousNameError):
        return work.id
