"""Ids: typed, readable strings such as ``entity/zero-infinity`` that name what is in a graph."""

from stemma.schema.name import slug, with_star_in_letters

ENTITY = "entity/"
PAPER = "paper/"
AUTHOR = "author/"


def entity_id(name: str) -> str:
    """Return the id of the entity that is called `name` and shares it with no other."""
    return ENTITY + slug(with_star_in_letters(name))


def coined_entity_id(name: str, introducing_paper: str) -> str:
    """Return the id of one of several senses of `name`: the one that a paper (an id) introduces."""
    return f"{entity_id(name)}--{introducing_paper.removeprefix(PAPER)}"


def paper_id(title: str) -> str:
    """Return the id of the paper with this title, whatever its spacing and case."""
    return PAPER + slug(title)


def label_of(id_: str) -> str:
    """Return the label in Neo4j of what has this id."""
    return {ENTITY: "Entity", PAPER: "Paper", AUTHOR: "Author"}[id_[: id_.index("/") + 1]]


def homonym_id(paper: str, mark: str, number: int = 1) -> str:
    """Return an id for another paper with the title of `paper` (an id), which `mark` distinguishes.

    `number` is that of several which it does not.
    """
    return f"{paper}--{slug(mark)}" + (f"-{number}" if number > 1 else "")


def is_id(text: str) -> bool:
    """Return whether a text is an id, not a name: it has a known prefix then."""
    return text.startswith((ENTITY, PAPER))
