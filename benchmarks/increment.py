"""What one more paper costs in stores of different sizes, with and without authors and references.

Usage: python benchmarks/increment.py [--papers N ...] [--profile]

The papers are made up: each names ten entities, and has five authors, of whom some share a name,
and thirty references, of which every third is to a paper of the store. Seconds are of this process,
opening included; the last column is how often one more paper costs as much as the whole build.
"""

import argparse
import cProfile
import pstats
import random
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from stemma.graph.oxigraph import OxigraphStore
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
_KINDS, _RELATIONS = list(EntityKind), list(RelationType)


def main() -> None:
    """Print a row for each size, without and with what records say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    arguments = parser.parse_args()
    print(
        f"{'papers':>8}{'records':>9}{'build':>10}{'one more':>10}{'ratio':>8}{'bytes/paper':>13}"
    )
    for records in (False, True):
        for size in arguments.papers:
            with TemporaryDirectory(prefix="stemma-increment-") as folder:
                measure(Path(folder) / "stemma.db", size, records, arguments.profile)


def measure(path: Path, size: int, records: bool, profile: bool) -> None:
    """Build a store, and add one paper to it."""
    build = put(path, papers(0, size, size, records))
    kept = sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    one = put(path, papers(size, size + 1, size, records))
    profiler.disable()
    print(
        f"{size:8,}{'yes' if records else 'no':>9}{build:8.1f} s{one:8.2f} s{build / one:8.0f}"
        f"{kept / size:13,.0f}",
        flush=True,
    )
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)


def put(path: Path, extractions: Iterator[Extraction]) -> float:
    """Return the processor's seconds that it takes to add papers to a store."""
    start = time.process_time()
    with OxigraphStore(path) as store, store.writer() as writer:
        writer.put(extractions, "benchmark")
        writer.commit()
    return time.process_time() - start


def papers(first: int, last: int, size: int, records: bool) -> Iterator[Extraction]:
    """Make up papers of a store of this size."""
    for number in range(first, last):
        chance = random.Random(number)
        names = [f"Kiln{_rank(chance.random(), size)}" for _ in range(9)]
        names = [f"Oven{number}", *dict.fromkeys(names)]
        abstract = " ".join(f"Here {name} fires the clay." for name in names)
        title = f"Pots and kilns, part {number}"
        paper = Paper(
            f"paper/pots-and-kilns-part-{number}",
            title,
            abstract,
            sources=(Source("made.jsonl", "0" * 64, number + 1, f"{2000 + number % 25}"),),
            authors=tuple(authors(chance, size)) if records else (),
            references=tuple(references(chance, size)) if records else (),
        )
        yield Extraction(paper, *found(names, abstract))


def _rank(chance: float, size: int) -> int:
    """Return the rank of a name, by a law of Zipf in which the first has a 60th of all uses.

    So it is in 20,000 abstracts of six fields: the first of 16,000 names has 1.7% of 47,000 uses.
    """
    return int(_SHIFT * ((size / _SHIFT + 1) ** chance - 1))


def found(
    names: list[str], abstract: str
) -> tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]:
    """Find the names where they are; the first one is introduced."""
    entities, relations = [], []
    for place, name in enumerate(names):
        sentence = f"Here {name} fires the clay."
        start = abstract.index(sentence)
        kind = _KINDS[sum(map(ord, name)) % len(_KINDS)]
        mention = Mention(name, Field.ABSTRACT, start + 5, start + 5 + len(name))
        entities.append(FoundEntity(name, kind, None, (mention,)))
        relation = _RELATIONS[1 + place % (len(_RELATIONS) - 1)] if place else _RELATIONS[0]
        evidence = Evidence(sentence, Field.ABSTRACT, start, start + len(sentence))
        relations.append(FoundRelation(relation, name, 0.8, (evidence,), "benchmark"))
    return tuple(entities), tuple(relations)


def authors(chance: random.Random, size: int) -> Iterator[Author]:
    """Make up authors: a few write much, and some who have one name are several."""
    numbers = dict.fromkeys(chance.randrange(2 * size) for _ in range(5))
    for number in numbers:
        orcid = f"0000-0000-{number // 1000:04}-{number % 1000:03}0" if number % 4 == 0 else None
        yield Author(f"Potter {number % (size + size // 2)}", orcid)


def references(chance: random.Random, size: int) -> Iterator[Reference]:
    """Make up references."""
    for place in range(30):
        number = chance.randrange(size)
        known = place % 3 == 0
        title = f"Pots and kilns, part {number}" if known else f"On clay, volume {number}"
        yield Reference(None, title)


if __name__ == "__main__":
    main()
