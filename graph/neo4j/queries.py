"""What a reader asks, as Cypher: works and statements that pass filters, and what is beside them.

Only names of the model are ever written into a query; all that users say goes in as parameters.
"""

from collections.abc import Iterable
from typing import Any

from stemma.graph.matching import Wording, phrasings
from stemma.graph.property_graph import UNKNOWN_YEAR
from stemma.graph.reader import WorkType
from stemma.graph.selection import LineageDirection, PageOrder, Selection, provenance_sought
from stemma.schema import CATALOGUE_ORIGIN, LINEAGE_RELATIONS, RelationType

Query = tuple[str, dict[str, Any]]
"""Cypher, and its parameters."""
_LABELS = {WorkType.PAPER: "Paper", WorkType.ENTITY: "Entity"}
_DATE = f"""coalesce(n.year, {UNKNOWN_YEAR}) * 10000
  + coalesce(toInteger(substring(n.published_edtf, 5, 2)), 13) * 100
  + coalesce(toInteger(substring(n.published_edtf, 8, 2)), 32)"""
"""A date as a number; a month or day that is not known comes after all known ones."""
# "2021" comes after "2021-12", and an unknown year (XXXX) after all others: so does a tilde.
ORDERS = {
    PageOrder.NAME: "n.sort_name",
    PageOrder.PUBLISHED: "coalesce(n.published_edtf, '~') + '~'",
    PageOrder.NEWEST: f"CASE WHEN n.year IS NULL THEN 1 ELSE -({_DATE}) END",
    PageOrder.PAPERS: "-coalesce(n.papers, 0)",
}
"""What an order sorts works `n` by; ids break ties."""
_OURS = "r.origin IS NOT NULL"
_YEAR = f"n.published_edtf IS NOT NULL AND coalesce(n.year, {UNKNOWN_YEAR})"
_LOW = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.low END)"
_HIGH = "coalesce(r.factor, CASE WHEN r.unit IS NULL THEN r.high END)"
_ANY_RESULT = (
    "(coalesce(r.factor, r.difference, r.low) IS NOT NULL "
    "OR coalesce(r.metric, r.direction, r.condition, r.unit) IS NOT NULL)"
)
_IS_FACT = f"r.origin = '{CATALOGUE_ORIGIN}'"
PAGE_OF_STATEMENTS = f"""
WITH s, r, e, {_IS_FACT} AS is_fact, -r.confidence AS unsure
WHERE $key IS NULL OR is_fact > $key[0] OR is_fact = $key[0] AND (unsure > $key[1]
  OR unsure = $key[1] AND (s.id > $key[2] OR s.id = $key[2]
  AND (type(r) > $key[3] OR type(r) = $key[3] AND e.id > $key[4])))
RETURN [s.id, type(r), e.id, properties(r)] AS statement
ORDER BY is_fact, unsure, s.id, type(r), e.id LIMIT $first
"""
"""Lists what was selected after the place `$key`: see `place_of`."""


class _Conditions:
    """Conditions that all have to hold, and the parameters that they name."""

    def __init__(self, *conditions: str) -> None:
        self._conditions, self.parameters = list(conditions), dict[str, Any]()

    def add(self, condition: str, **parameters: Any) -> None:
        """Add a condition, unless one of its parameters is None."""
        if None not in parameters.values():
            self._conditions.append(condition)
            self.parameters |= parameters

    def __str__(self) -> str:
        return f"WHERE {' AND '.join(self._conditions)}"


def select(type_: WorkType, chosen: Selection) -> Query:
    """Return Cypher that binds the works which pass a filter as `n`, and its parameters."""
    label = _LABELS[type_]
    where = _Conditions("n.sort_name IS NOT NULL")  # What is ours has one.
    start = f"MATCH (n:{label})"
    if chosen.text:
        condition = f"any(way IN $ways WHERE {worded('way', 'n.search_keys')})"
        where.add(condition, ways=[way_of(way) for way in phrasings(chosen.text)])
    where.add("n.kind IN $kinds", kinds=[kind.value for kind in chosen.kinds] or None)
    types = any_of(chosen.relations or RelationType)
    if type_ is WorkType.ENTITY:
        where.add("n.general = $general", general=chosen.general)
        where.add(
            "EXISTS { (n)-[steps:BROADER*]->(:Entity {id: $broader}) "
            "WHERE all(step IN steps WHERE step.origin IS NOT NULL) }",
            broader=chosen.broader,
        )
        if chosen.relations or chosen.entity:
            where.add(f"EXISTS {{ (n)<-[r:{types}]-(:Paper) WHERE {_OURS} }}")
        where.add("n.id = $entity", entity=chosen.entity or None)
    else:
        if chosen.entity:
            start = (
                f"MATCH (:Entity {{id: $entity}})<-[r:{types}]-(n:Paper) "
                f"WHERE {_OURS} WITH DISTINCT n"
            )
            where.parameters["entity"] = chosen.entity
        elif chosen.relations:
            where.add(f"EXISTS {{ (n)-[r:{types}]->(:Entity) WHERE {_OURS} }}")
        for number, criterion in enumerate(chosen.criteria):
            where.add(
                f"{'NOT ' if criterion.excluded else ''}(n.id IN $those{number} OR EXISTS {{ "
                f"(n)-[r:{any_of(criterion.relations or RelationType)}]->(e:Entity) "
                f"WHERE {_OURS} AND e.id IN $those{number} }})",
                **{f"those{number}": list(criterion.entities)},
            )
        _add_provenance(where, chosen)
    where.add(f"{_YEAR} >= $year_from", year_from=chosen.since)
    where.add(f"{_YEAR} <= $year_to", year_to=chosen.until)
    return f"{start} {where}", where.parameters


def _add_provenance(where: _Conditions, chosen: Selection) -> None:
    where.add(
        "EXISTS { (n)<-[w:WROTE]-(a:Author) WHERE w.place IS NOT NULL AND a.id IN $authors }",
        authors=list(chosen.authors) or None,
    )
    for role, *sought in provenance_sought(chosen):
        named = f"any(x IN n.search_{role}s WHERE any(words IN ${role} WHERE x CONTAINS words))"
        where.add(named, **{role: sought})
    for pattern, name, ids in (
        ("(n)-[c:CITES]->(other:Paper)", "citing", chosen.citing),
        ("(n)<-[c:CITES]-(other:Paper)", "cited_in", chosen.cited_in),
    ):
        where.add(
            f"EXISTS {{ {pattern} WHERE c.origin IS NOT NULL AND other.id IN ${name} }}",
            **{name: list(ids) or None},
        )


def select_statements(chosen: Selection) -> Query:
    """Return Cypher that binds the statements which pass as `(s)-[r]->(e)`, and its parameters."""
    where = _Conditions(_OURS)
    if chosen.compared:
        where.add(_ANY_RESULT)
    if not chosen.include_catalogue:
        where.add("r.origin <> $catalogue", catalogue=CATALOGUE_ORIGIN)
    where.add("e.id = $entity", entity=chosen.entity or None)
    where.add("e.kind IN $kinds", kinds=[kind.value for kind in chosen.kinds] or None)
    where.add("r.confidence >= $sure", sure=chosen.min_confidence or None)
    where.add("s:Paper AND s.year >= $year_from", year_from=chosen.since)
    where.add("s:Paper AND s.year <= $year_to", year_to=chosen.until)
    where.add("toLower(r.metric) CONTAINS toLower($metric)", metric=chosen.metric)
    where.add(f"{_LOW} >= $low", low=chosen.min_factor)
    where.add(f"{_HIGH} <= $high", high=chosen.max_factor)
    where.add("r.direction = $way", way=chosen.outcome and chosen.outcome.value)
    types = any_of(chosen.relations or RelationType)
    return f"MATCH (s)-[r:{types}]->(e:Entity) {where}", where.parameters


def way_of(wording: Wording) -> dict[str, list[str]]:
    """Return a wording as a parameter."""
    keys = [key.replace("\n", " ") for key in wording.keys]
    return {"keys": keys, "patterns": list(wording.patterns)}


def worded(way: str, key: str, otherwise: str = "false") -> str:
    """Return the condition that a key of `n` contains a wording, whose patterns its names match,
    unless something else holds."""
    return (
        f"all(part IN {way}.keys WHERE {key} CONTAINS part) AND ({otherwise} OR "
        f"all(pattern IN {way}.patterns WHERE any("
        "name IN [coalesce(n.title, n.name)] + coalesce(n.aliases, []) WHERE name =~ pattern)))"
    )


def any_of(relations: Iterable[RelationType]) -> str:
    """Return relations as the types of a relationship in a pattern."""
    return "|".join(RelationType(relation).value for relation in relations)


NOTE = """
MATCH (g:StemmaPush {name: 'graph'})
RETURN g {.format, .state, .generation, .catalogue, .decisions, .statistics, .run} AS own
"""
NOTED = "MATCH (g:StemmaPush {name: 'graph'}) RETURN g[$what] AS text"
"""What is long, and seldom asked for."""
_MAIN = "head([({})-[:INTRODUCES {{main: true}}]->(e:Entity) | e])"
_WORK = f"""properties(n) AS own,
  [(n)-[b:BROADER]->(wide:Entity) WHERE b.origin IS NOT NULL | wide.id] AS broader,
  {_MAIN.format("n")}.id AS main"""
# Others may have nodes with the same labels, which no push added.
_BY_ID = "UNWIND $ids AS id MATCH (n:Entity|Paper {id: id}) WHERE n.added_in IS NOT NULL"
WORKS = f"{_BY_ID} RETURN {_WORK}"
PUBLISHED = f"""{_BY_ID} AND n.published_edtf IS NOT NULL
RETURN n.id AS id, n.published_edtf AS published"""
NAMED = """
UNWIND $keys AS key
CALL (key) {
  MATCH (n:Entity) WHERE n.search_keys CONTAINS '\\n' + key + '\\n'
  RETURN n, CASE WHEN n.search_keys STARTS WITH '\\n' + key + '\\n' THEN 0 ELSE 1 END AS rank
UNION ALL
  MATCH (n:Paper) WHERE n.search_keys CONTAINS '\\n' + key + '\\n' RETURN n, 2 AS rank
}
RETURN key, rank, n.id AS id, coalesce(n.papers, 0) AS papers ORDER BY rank, id
"""
IDENTIFIED = """
MATCH (n:Paper) WHERE n.added_in IS NOT NULL AND any(key IN $keys WHERE key IN n.identifiers)
UNWIND [key IN $keys WHERE key IN n.identifiers] AS key RETURN n.id AS id, key ORDER BY id
"""
PEOPLE = """
UNWIND $keys AS key MATCH (a:Author) WHERE a.search_keys CONTAINS key RETURN key, properties(a)
"""
SENSES = "MATCH (e:Entity) WHERE e.id STARTS WITH $prefix RETURN e.id AS id ORDER BY id"
SPELLINGS = """
MATCH (n:Entity|Paper) WHERE n.search_keys IS NOT NULL
WITH split(n.search_keys, '\\n') AS keys, n:Paper AS is_paper, coalesce(n.papers, 0) AS papers,
  CASE WHEN n:Paper THEN n.title ELSE n.name END AS name
UNWIND range(1, size(keys) - 2) AS number
WITH keys[number] AS key, name, papers,
  CASE WHEN is_paper THEN 2 WHEN number = 1 THEN 0 ELSE 1 END AS rank
WHERE $shortest <= size(key) <= $longest OR key CONTAINS $key
RETURN DISTINCT key, rank, name, papers
"""
SEARCH = """
CALL () {
  MATCH (n:Entity) WHERE n.search_keys CONTAINS $longest AND ($kinds = [] OR n.kind IN $kinds)
    AND ($general IS NULL OR n.general = $general)
  RETURN n, 0 AS type
UNION ALL
  MATCH (n:Paper) WHERE n.search_keys CONTAINS $longest AND $kinds = [] AND $general IS NULL
  RETURN n, 1 AS type
}
WITH n, type,
  [key IN split(n.search_keys, '\\n') WHERE WORDED] AS found
WHERE size(found) > 0
WITH n.id AS id, n.sort_name AS name, type, coalesce(n.papers, 0) AS papers,
  CASE WHEN $key IN found THEN 0 WHEN any(key IN found WHERE key STARTS WITH $key) THEN 1 ELSE 2 END
    AS distance
RETURN id ORDER BY distance, papers DESC, type, name, id LIMIT $first
""".replace("WORDED", worded("$way", "key", "key STARTS WITH $key"))
# Without a full-text index: titles and abstracts are read.
ABOUT = """
WITH n, CASE WHEN any(each IN $phrases WHERE toLower(n.title) CONTAINS each) THEN 1.0
  WHEN any(each IN $phrases WHERE toLower(n.abstract) CONTAINS each) THEN 0.4
  WHEN EXISTS { (n)-[r]->(e:Entity) WHERE r.origin IS NOT NULL AND e.id IN $entities }
  THEN $stated ELSE 0.0 END AS strength
WHERE strength > 0 RETURN n.id AS id, strength
"""
_OLDEST = "min(coalesce(far.published_edtf, '~') + '~')"
_BESIDE = {
    "entities_named": ("(:Paper {id: id})-[r:STATED]->(far:Entity)", "-max(r.confidence)"),
    "papers_naming": ("(:Entity {id: id})<-[r:STATED]-(far:Paper)", _OLDEST),
    "narrower": ("(:Entity {id: id})<-[r:BROADER]-(far:Entity)", "0"),
    "authors": ("(:Paper {id: id})<-[r:WROTE]-(far:Author)", "r.place"),
    "written_by": ("(:Author {id: id})-[r:WROTE]->(far:Paper)", _OLDEST),
    "cites": ("(:Paper {id: id})-[r:CITES]->(far:Paper)", _OLDEST),
    "cited_by": ("(:Paper {id: id})<-[r:CITES]-(far:Paper)", _OLDEST),
}
"""What is beside works and people, by the methods of a reader, and the order of these."""
# Papers have few statements, if many are about an entity: these are sought from the subject, which
# has a CALL of its own, or else the planner would begin at the entity.
_STATED = """
CALL (subject) { MATCH (s:Entity|Paper {id: subject}) RETURN s }
MATCH (s)-[r:STATED]->(e) WHERE r.origin IS NOT NULL AND type(r) = relation
"""
STATED = f"""
UNWIND $keys AS key MATCH (e:Entity {{id: key[2]}})
WITH key[0] AS subject, key[1] AS relation, e {_STATED.replace("STATED", any_of(RelationType))}
RETURN s.id, type(r), e.id, properties(r)
"""
_EDGE_OF = {
    LineageDirection.DESCENDANTS: "<-[d:DERIVES_FROM]-",
    LineageDirection.ANCESTORS: "-[d:DERIVES_FROM]->",
}
_PASSES = """AND any(i IN range(0, size(d.statement_subject) - 1)
  WHERE d.statement_confidence[i] >= $min_confidence AND d.statement_relation[i] IN $relations
  AND ($include_catalogue OR NOT d.statement_subject[i] STARTS WITH 'entity/'))"""


def beside(what: str, relations: Iterable[RelationType]) -> str:
    """Return the query for a method of `Reader` (`what`), such as ``cites`` or ``papers_naming``.

    It returns works or people beside those with some ids; by statements, those of `relations`.
    """
    pattern, order = _BESIDE[what]
    return f"""
UNWIND $ids AS id MATCH {pattern.replace("STATED", any_of(relations or RelationType))}
WHERE r.origin IS NOT NULL OR r.place IS NOT NULL
WITH id, far.id AS far, {order} AS place RETURN id, far ORDER BY place, far
"""


def statements(types: str) -> str:
    """Return a query of the statements of relations about works, as `place_of` orders them."""
    return f"""{_BY_ID}
CALL (n) {{
  CALL (n) {{
    MATCH (n)-[r:{types}]->(e:Entity) WHERE r.origin IS NOT NULL RETURN n AS s, r, e
  UNION ALL
    MATCH (s)-[r:{types}]->(n) WHERE r.origin IS NOT NULL AND s <> n RETURN s, r, n AS e
  }}
  WITH s, r, e ORDER BY {_IS_FACT}, -r.confidence, s.id, type(r), e.id LIMIT $first
  RETURN collect([s.id, type(r), e.id, properties(r)]) AS statements
}}
RETURN n.id AS id, statements
"""


def edges(direction: LineageDirection) -> str:
    """Return a query of the edges of works in a direction."""
    return f"""{_BY_ID}
RETURN n.id, n.published_edtf, [(n){_EDGE_OF[direction]}(far) WHERE d.relations IS NOT NULL |
  [far.id, far.published_edtf, d.statement_subject, d.statement_relation, d.statement_confidence]]
"""


def lineage(direction: LineageDirection, depth: int, filtered: bool) -> str:
    """Return a query of a page of a lineage, after a place: the nodes of the works, and the
    statements of the edges between them, each with the child."""
    passes = _PASSES if filtered else ""
    steps = _EDGE_OF[direction].replace("d:DERIVES_FROM", f":DERIVES_FROM*1..{depth}")
    return f"""
MATCH (asked:Entity|Paper {{id: $of}})
WITH asked, coalesce({_MAIN.format("asked")}, asked) AS root
CALL (root) {{
  MATCH path = (root){steps}(n)
  WHERE n <> root AND all(d IN relationships(path) WHERE d.relations IS NOT NULL {passes})
    AND all(x IN nodes(path)
      WHERE $include_general OR x = root OR NOT coalesce(x.general, false))
  WITH n, min(length(path)) AS depth
  WITH n, depth, {_DATE} AS date, n.id AS id
  ORDER BY depth, date, id
  RETURN collect([depth, date, id]) AS reached, collect(n) AS nodes
}}
WITH asked, root, reached, nodes, CASE WHEN $after IS NULL THEN 0
  ELSE size([each IN reached WHERE each[0] < $after[0] OR each[0] = $after[0]
  AND (each[1] < $after[1] OR each[1] = $after[1] AND each[2] <= $after[2])])
  END AS start
WITH [each IN reached[..start] | each[2]] AS earlier, reached[start..start + $first] AS places,
  size(reached) AS total, [root] + nodes[start..start + $first]
  + [n IN [asked] WHERE n <> root] AS nodes
CALL (nodes) {{
  UNWIND nodes AS n
  MATCH (n)-[d:DERIVES_FROM]->(e) WHERE d.relations IS NOT NULL AND e IN nodes
  UNWIND range(0, size(d.statement_subject) - 1) AS number
  WITH n, e, d.statement_subject[number] AS subject, d.statement_relation[number] AS relation
  {_STATED.replace("STATED", any_of(LINEAGE_RELATIONS))}
  RETURN collect([n.id, s.id, type(r), e.id, properties(r)]) AS statements
}}
CALL (nodes) {{
  UNWIND nodes AS n
  WITH {_WORK}
  RETURN collect({{own: own, broader: broader, main: main}}) AS works
}}
RETURN earlier, places, total, works, statements
"""
