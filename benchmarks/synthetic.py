"""Papers that are made up, for stores larger than any corpus at hand, with the skew of a real one.

Each paper introduces a work, states two relations of lineage to earlier works, and others besides.
Which works it names follows a law of Zipf in which the first has a 60th of all uses, as in 20,000
abstracts of six fields (there the first of 16,000 names has 1.7% of 47,000 uses). Every thousandth
work has the name of another, of another kind.
"""

import random
from collections.abc import Iterator

from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
    Source,
)
from stemma.schema.paper import Author, Reference

_SHIFT = 8
_HOMONYMS = 1000
_KINDS = list(EntityKind)
_LINEAGE = (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
_OTHERS = (
    RelationType.COMPARES_WITH,
    RelationType.USES,
    RelationType.EVALUATED_ON,
    RelationType.RUNS_ON,
    RelationType.MENTIONS,
)


def papers(
    first: int, last: int, statements: int = 20, records: bool = True
) -> Iterator[Extraction]:
    """Make up the papers with these numbers, each with so many statements.

    With `records`, they have five authors, some of whom share a name, and thirty references, of
    which every third is to an earlier paper. A paper is the same in a store of any size.
    """
    for number in range(first, last):
        chance = random.Random(number)
        earlier = (rank(chance.random(), number) for _ in range(statements - 1))
        numbers = dict.fromkeys((number, *(each for each in earlier if each < number)))
        names = dict.fromkeys(map(name, numbers))
        abstract = " ".join(map(_sentence, names))
        paper = Paper(
            f"paper/pots-and-kilns-part-{number}",
            f"Pots and kilns, part {number}",
            abstract,
            sources=(Source("made.jsonl", "0" * 64, number + 1, f"{2000 + number % 25}"),),
            authors=tuple(_authors(chance, number)) if records else (),
            references=tuple(_references(chance, number)) if records else (),
        )
        yield Extraction(paper, *_found(list(names), number, abstract, chance))


def name(number: int) -> str:
    """Return the name of the work that a paper introduces."""
    if number % _HOMONYMS == 0 and number:
        number //= 2
    return f"Kiln{number}"


def rank(chance: float, size: int) -> int:
    """Return the rank of a name among so many."""
    return int(_SHIFT * ((size / _SHIFT + 1) ** chance - 1))


def _sentence(name: str) -> str:
    return f"Here {name} fires the clay."


def _found(
    names: list[str], number: int, abstract: str, chance: random.Random
) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Find the names where they are; the first one is introduced."""
    entities, relations = [], []
    for place, each in enumerate(names):
        sentence = _sentence(each)
        start = abstract.index(sentence)
        mention = Mention(each, Field.ABSTRACT, start + 5, start + 5 + len(each))
        # A homonym is of another kind where it is introduced again.
        shift = 1 if place == 0 and number % _HOMONYMS == 0 else 0
        kind = _KINDS[(sum(map(ord, each)) + shift) % len(_KINDS)]
        entities.append(FoundEntity(each, kind, None, (mention,)))
        evidence = Evidence(sentence, Field.ABSTRACT, start, start + len(sentence))
        sure = round(0.3 + 0.69 * chance.random(), 3)
        relations.append(FoundRelation(_relation(place), each, sure, (evidence,), "benchmark"))
    return tuple(entities), tuple(relations)


def _relation(place: int) -> RelationType:
    if place == 0:
        return RelationType.INTRODUCES
    return _LINEAGE[place - 1] if place <= len(_LINEAGE) else _OTHERS[place % len(_OTHERS)]


def _authors(chance: random.Random, number: int) -> Iterator[Author]:
    """Make up authors: a few write much, and some who have one name are several."""
    for each in dict.fromkeys(chance.randrange(2 * number + 10) for _ in range(5)):
        orcid = f"0000-0000-{each // 1000:04}-{each % 1000:03}0" if each % 4 == 0 else None
        yield Author(f"Potter {each // 3 * 2}", orcid)


def _references(chance: random.Random, number: int) -> Iterator[Reference]:
    """Make up references."""
    for place in range(30):
        each = chance.randrange(number + 1)
        known = place % 3 == 0
        yield Reference(None, f"Pots and kilns, part {each}" if known else f"On clay, part {each}")
