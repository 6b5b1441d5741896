"""The ties of names in a database: what connects them, so that a change is linked with few.

Papers that use a name in the same way and mean the same by it share a node: its ties are theirs,
and it knows the first of them, which stands for all::

    (:_StemmaReading {age})-[:_USES]->(:_StemmaUse {code, forms, first})
    (:_StemmaUse)-[:_TIED]->(:_StemmaTie {code})

What a paper introduces is a use of its own. Ages order papers by their dates, then by their ids.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from neo4j import ManagedTransaction

from stemma.distribution import version
from stemma.graph.linking import Name, PaperNames, dated
from stemma.graph.linking.scope import Ids, LinkedGraph
from stemma.graph.linking.sense import TELLING_PAPERS
from stemma.graph.linking.ties import Tie, TieFinder, code_of, code_of_use, forms_beyond
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Read
from stemma.graph.neo4j.entity_update import held_facts
from stemma.graph.neo4j.record import on_one_line
from stemma.graph.neo4j.record_ties import write_record_ties
from stemma.schema import Catalogue, Fact, Paper

_LAYOUT = 1
"""The number of the layout of what is kept here: what another one wrote is made again."""
_SOME = 200

# Whatever the server expects to find: ties and papers are few, and what they lead to is sought from
# them.
_USES = """
UNWIND $codes AS code MATCH (t:_StemmaTie {code: code})
WITH code, t MATCH (t)<-[:_TIED]-(u)
RETURN code AS tie, u.code AS code, u.first AS first, COUNT { (u)<-[:_USES]-() } AS papers
"""
_USE = """
MATCH (u:_StemmaUse {code: $code})
RETURN u.code AS code, u.first AS first, COUNT { (u)<-[:_USES]-() } AS papers
"""
_TIED = """
MATCH (t:_StemmaTie {code: $code}) WITH t MATCH (t)<-[:_TIED]-()<-[:_USES]-(n)
RETURN DISTINCT n.paper AS paper
"""
_TELLING = f"{_TIED} ORDER BY paper LIMIT $most"
_FORMS = """
MATCH (t:_StemmaTie {code: $code}) WITH t MATCH (t)<-[:_TIED]-(u)
RETURN u.forms AS forms, COUNT { (u)<-[:_USES]-() } AS papers
"""
_HAVING = "UNWIND $codes AS code MATCH (t:_StemmaTie {code: code}) RETURN code"
_NAMED = """
UNWIND $papers AS paper MATCH (n:_StemmaReading {paper: paper}) RETURN paper, n.names AS names
"""
_EXISTING = "UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN id"
_CALLED = "MATCH (e:Entity) WHERE e._keys CONTAINS '\\n' + $key + '\\n' RETURN e.id AS id"

_HELD = """
UNWIND $papers AS paper MATCH (n:_StemmaReading {paper: paper})
RETURN paper, n.age AS age, [(n)-[:_USES]->(u) | u.code] AS codes
"""
_LEAVE = """
UNWIND $rows AS row MATCH (n:_StemmaReading {paper: row[0]})
WITH n, row MATCH (n)-[r:_USES]->(u) WHERE u.code IN row[1] DELETE r
"""
_KNOWN = "UNWIND $codes AS code MATCH (u:_StemmaUse {code: code}) RETURN code"
_CREATE = """
UNWIND $rows AS row CREATE (u:_StemmaUse {code: row[0], forms: row[1]})
WITH u, row UNWIND row[2] AS code
MERGE (t:_StemmaTie {code: code}) CREATE (u)-[:_TIED]->(t)
"""
_JOIN = """
UNWIND $rows AS row MATCH (n:_StemmaReading {paper: row[0]}) SET n.age = row[1]
WITH n, row UNWIND row[2] AS code
MATCH (u:_StemmaUse {code: code}) CREATE (n)-[:_USES]->(u)
"""
_LOSE_FIRST = """
UNWIND $rows AS row MATCH (u:_StemmaUse {code: row[0]}) WHERE u.first IN row[1]
CALL (u) { OPTIONAL MATCH (u)<-[:_USES]-(n) RETURN min(n.age) AS first }
SET u.first = first
"""
_BE_FIRST = """
UNWIND $rows AS row MATCH (u:_StemmaUse {code: row[0]})
WHERE u.first IS NULL OR row[1] < u.first SET u.first = row[1]
"""
_FORGET_USES = """
UNWIND $codes AS code MATCH (u:_StemmaUse {code: code}) WHERE NOT EXISTS { (u)<-[:_USES]-() }
WITH u, [(u)-[:_TIED]->(t) | t.code] AS ties DETACH DELETE u RETURN ties
"""
_FORGET_TIES = """
UNWIND $codes AS code MATCH (t:_StemmaTie {code: code}) WHERE NOT EXISTS { (t)--() } DELETE t
"""
REMOVE_TIES = """
MATCH (n:_StemmaUse|_StemmaTie) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS
"""


class Use(NamedTuple):
    """Uses of a name that are the same: the age of the first paper, and the number of papers."""

    first: str
    papers: int


def layout_of(catalogue: str) -> str:
    """Return what ties depend on, besides the papers, given the fingerprint of a catalogue."""
    return f"{_LAYOUT} {version()} {catalogue}"


class Ties(LinkedGraph):
    """The names of the graph in a database, with their links and ties, as they are."""

    def __init__(self, read: Read, catalogue: Catalogue, former: Mapping[str, str]) -> None:
        self._read, self._catalogue, self._former = read, catalogue, former
        self._uses: dict[int, Use] = {}
        self._tied_uses: dict[str, list[Use]] = {}
        self._has_concept: dict[str, bool] = {}

    def expect(self, ties: Iterable[str]) -> None:
        codes = {code_of(tie): tie for tie in ties if tie not in self._tied_uses}
        if not codes:
            return
        self._tied_uses |= {tie: [] for tie in codes.values()}
        for row in self._read(_USES, codes=list(codes)):
            self._tied_uses[codes[row["tie"]]].append(self._note_use(row))

    def _note_use(self, row: Any) -> Use:
        use = self._uses[row["code"]] = Use(row["first"], row["papers"])
        return use

    def tied(self, tie: str) -> Iterator[str]:
        # Often it is enough that there is one.
        some = [row["paper"] for row in self._read(f"{_TIED} LIMIT {_SOME}", code=code_of(tie))]
        yield from some
        if len(some) == _SOME:
            all_ = (row["paper"] for row in self._read(_TIED, code=code_of(tie)))
            yield from (each for each in all_ if each not in set(some))

    def standing_for(self, tie: str) -> Iterator[str]:
        self.expect([tie])
        yield from dict.fromkeys(_paper_of(each.first) for each in self._tied_uses[tie])

    def uses_like(self, paper: PaperNames, name: Name, id_: str) -> int:
        code = code_of_use(name, id_)
        if code not in self._uses:
            for row in self._read(_USE, code=code):
                self._note_use(row)
        found = self._uses[code]
        return found.papers if found.first == age_of(paper) else 0

    def named(self, papers: Collection[str]) -> dict[str, tuple[PaperNames, Ids]]:
        if not papers:
            return {}
        rows = self._read(_NAMED, papers=sorted(papers))
        found = {row["paper"]: note.load_names(row["paper"], row["names"]) for row in rows}
        return {id_: (dated(names, self._catalogue), ids) for id_, (names, ids) in found.items()}

    def certain_forms(self, concept: str) -> Counter[str]:
        return self._forms(Tie.CERTAIN, concept)

    def linked_forms(self, concept: str) -> Counter[str]:
        return self._forms(Tie.CONCEPT, concept)

    def _forms(self, tie: Tie, concept: str) -> Counter[str]:
        found = Counter[str]()
        for row in self._read(_FORMS, code=code_of(tie.to(concept))):
            for form in forms_beyond(self._catalogue.concepts[concept], row["forms"]):
                found[form] += row["papers"]
        return found

    def telling(self, concept: str) -> list[str]:
        rows = self._read(_TELLING, code=code_of(Tie.CERTAIN.to(concept)), most=TELLING_PAPERS)
        return [row["paper"] for row in rows]

    def has_concept(self, id_: str) -> bool:
        if id_ not in self._has_concept:
            self._has_concept[id_] = id_ in self._catalogue.concepts and bool(
                self._read(_EXISTING, ids=[id_])
            )
        return self._has_concept[id_]

    def concepts(self) -> list[str]:
        all_ = self._catalogue.concepts
        found = {row["id"] for row in self._read(_EXISTING, ids=list(all_))}
        self._has_concept = {id_: id_ in found for id_ in all_}
        return sorted(found)

    def facts(self) -> set[Fact]:
        # What is in the catalogue, or was merged with what is: facts are about these alone.
        return held_facts(self._read, [*self._catalogue.concepts, *self._former.values()])

    def former(self) -> Mapping[str, str]:
        return self._former

    def called(self, key: str) -> list[str]:
        return [row["id"] for row in self._read(_CALLED, key=on_one_line(key))]

    def having(self, ties: Iterable[str]) -> set[str]:
        codes = {code_of(tie): tie for tie in ties}
        return {codes[row["code"]] for row in self._read(_HAVING, codes=list(codes))}


class Tied(NamedTuple):
    """A paper, of which ties are kept: its names with what they mean, and its record."""

    names: PaperNames
    ids: Ids
    record: Paper


class TieUpdate:
    """Keeps the ties of papers, as they are written and taken out."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue, self._finder = catalogue, TieFinder(catalogue)

    def write(
        self,
        transaction: ManagedTransaction,
        papers: Sequence[Tied],
        removed: Collection[str] = (),
    ) -> None:
        """Write the ties of papers whose readings are there, and take out those of others."""
        lost_ties = write_record_ties(transaction, [each.record for each in papers], removed)
        put = {each.names.paper: (dated(each.names, self._catalogue), each.ids) for each in papers}
        held = {
            row["paper"]: (row["age"], set(row["codes"]))
            for row in transaction.run(_HELD, papers=[*put, *removed])
        }
        found: dict[int, tuple[PaperNames, Name, str]] = {}
        leaving: list[list[Any]] = [[id_, sorted(held[id_][1])] for id_ in removed if id_ in held]
        joining, firsts = list[list[Any]](), dict[int, str]()
        for id_, (names, ids) in put.items():
            age, (age_before, before) = age_of(names), held[id_]
            own = {code_of_use_in(names, each, ids[each.name]): each for each in names.names}
            found |= {code: (names, name, ids[name.name]) for code, name in own.items()}
            kept = before & own.keys() if age == age_before else set()
            if before - kept:
                leaving.append([id_, sorted(before - kept)])
            if own.keys() - kept or age != age_before:
                joining.append([id_, age, sorted(own.keys() - kept)])
            for code in own.keys() - kept:
                firsts[code] = min(age, firsts.get(code, age))
        lost: dict[int, list[str]] = defaultdict(list)
        for id_, codes in leaving:
            for each in codes:
                lost[each].append(held[id_][0])
        _run(transaction, _LEAVE, leaving)
        self._create(transaction, {code: found[code] for code in sorted(firsts)})
        _run(transaction, _JOIN, joining)
        _run(transaction, _LOSE_FIRST, [[code, ages] for code, ages in sorted(lost.items())])
        _run(transaction, _BE_FIRST, [[code, age] for code, age in sorted(firsts.items())])
        if lost:
            rows = list(transaction.run(_FORGET_USES, codes=sorted(lost)))
            lost_ties |= {code for row in rows for code in row["ties"]}
        if lost_ties:
            transaction.run(_FORGET_TIES, codes=sorted(lost_ties))

    def _create(
        self, transaction: ManagedTransaction, uses: Mapping[int, tuple[PaperNames, Name, str]]
    ) -> None:
        if not uses:
            return
        known = {row["code"] for row in transaction.run(_KNOWN, codes=list(uses))}
        _run(
            transaction,
            _CREATE,
            [
                [code, list(use[1].forms), sorted(map(code_of, self._finder.find(*use)))]
                for code, use in uses.items()
                if code not in known
            ],
        )


def age_of(paper: PaperNames) -> str:
    """Return a text that orders papers by their dates, then by their ids."""
    return "{:05}-{:02}-{:02} ".format(*paper.published) + paper.paper


def _paper_of(age: str) -> str:
    return age.partition(" ")[2]


def code_of_use_in(paper: PaperNames, name: Name, id_: str) -> int:
    """Return the number of the node for how a paper uses a name."""
    code = code_of_use(name, id_)
    return code_of(f"{code} {paper.paper}") if name.introduced else code


def _run(transaction: ManagedTransaction, cypher: str, rows: list[list[Any]]) -> None:
    if rows:
        transaction.run(cypher, rows=rows)
