"""Checking of ties: whether they are those that follow from what papers say."""

from collections.abc import Iterable

from stemma.graph.linking import dated
from stemma.graph.linking.ties import TieFinder, code_of
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Read
from stemma.graph.neo4j.record import paper
from stemma.graph.neo4j.record_ties import codes_of_record
from stemma.graph.neo4j.ties import age_of, code_of_use_in
from stemma.schema import Catalogue
from stemma.schema.batches import batched

_BATCH = 1000
_READINGS = "MATCH (n:_StemmaReading) RETURN n.paper AS paper ORDER BY paper"
_HELD = """
UNWIND $papers AS paper MATCH (n:_StemmaReading {paper: paper}) MATCH (p:Paper {id: paper})
RETURN paper, n.names AS names, n.age AS age, properties(p) AS own,
  [(n)-[:_USES]->(u) | u.code] AS uses,
  [(n)-[r:_GOES_BY|_REFERS_TO|_IS_BY]->(t) | [type(r), t.code]] AS ties
"""
_USES = """
MATCH (u:_StemmaUse)
RETURN u.code AS code, u.forms AS forms, u.first AS first, [(u)-[:_TIED]->(t) | t.code] AS ties
"""
_LOOSE = "MATCH (t:_StemmaTie) WHERE NOT EXISTS { (t)--() } RETURN count(t) AS count"


def misfits(read: Read, catalogue: Catalogue) -> tuple[list[str], int]:
    """Return which papers (ids) have other ties than they should, and how many nodes do.

    A node of a use counts where it is missing, superfluous, or tied to something else, and a node
    of a tie where nothing has that tie. Both are sought at once: uses follow from all papers.
    """
    finder = TieFinder(catalogue)
    wrong, uses = list[str](), dict[int, tuple[int, str]]()
    for batch in batched((row["paper"] for row in read(_READINGS)), _BATCH):
        for row in read(_HELD, papers=batch):
            undated, ids = note.load_names(row["paper"], row["names"])
            names = dated(undated, catalogue)
            age, own = age_of(names), list[int]()
            for name in names.names:
                own.append(code := code_of_use_in(names, name, ids[name.name]))
                if code in uses:
                    uses[code] = (uses[code][0], min(uses[code][1], age))
                else:
                    ties = map(code_of, finder.find(names, name, ids[name.name]))
                    uses[code] = (_hash(name.forms, ties), age)
            record = [
                [sort.value, code]
                for sort, codes in codes_of_record(paper(row["own"])).items()
                for code in codes
            ]
            if (row["age"], sorted(row["uses"]), sorted(row["ties"])) != (
                age,
                sorted(own),
                sorted(record),
            ):
                wrong.append(row["paper"])
    held = {row["code"]: (_hash(row["forms"], row["ties"]), row["first"]) for row in read(_USES)}
    (loose,) = read(_LOOSE)
    return wrong, len({code for code, _ in held.items() ^ uses.items()}) + loose["count"]


def _hash(forms: Iterable[str], ties: Iterable[int]) -> int:
    return hash((tuple(forms), tuple(sorted(ties))))
