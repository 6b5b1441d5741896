"""What a reader asks, as Cypher; only names of the model are ever written into a query."""

from stemma.graph.neo4j.selection import any_of, worded
from stemma.graph.selection import LineageDirection
from stemma.schema import LINEAGE_RELATIONS

NOTE = "MATCH (g:StemmaPush {name: 'graph'}) RETURN properties(g) AS own"
_WORK = """properties(n) AS own,
  [(n)-[b:BROADER]->(wide:Entity) WHERE b.origin IS NOT NULL | wide.id] AS broader,
  head([(n)-[i:INTRODUCES {main: true}]->(main:Entity) | main.id]) AS main"""
_BY_ID = """
CALL () {
  UNWIND $papers AS id MATCH (n:Paper {id: id}) RETURN n
UNION ALL
  UNWIND $entities AS id MATCH (n:Entity {id: id}) RETURN n
}
"""
WORKS = f"{_BY_ID} RETURN {_WORK}"
PUBLISHED = f"""{_BY_ID} WITH n WHERE n.published_edtf IS NOT NULL
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
MATCH (n:Paper) WHERE any(key IN $keys WHERE key IN n.identifiers)
UNWIND [key IN $keys WHERE key IN n.identifiers] AS key RETURN n.id AS id, key ORDER BY id
"""
SENSES = "MATCH (e:Entity) WHERE e.id STARTS WITH $prefix RETURN e.id AS id ORDER BY id"
SPELLINGS = """
CALL () {
  MATCH (n:Entity)
  RETURN n.search_keys AS keys, n.name AS name, coalesce(n.papers, 0) AS papers, 1 AS other
UNION ALL
  MATCH (n:Paper) RETURN n.search_keys AS keys, n.title AS name, 0 AS papers, 2 AS other
}
WITH split(keys, '\\n') AS keys, name, papers, other
UNWIND range(1, size(keys) - 2) AS number
WITH keys[number] AS key, name, papers,
  CASE WHEN other = 1 AND number = 1 THEN 0 ELSE other END AS rank
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
""".replace("WORDED", worded("$way", "key"))
# Without a full-text index: titles and abstracts are read.
ABOUT = """
WITH n, CASE WHEN any(each IN $phrases WHERE toLower(n.title) CONTAINS each) THEN 1.0
  WHEN any(each IN $phrases WHERE toLower(n.abstract) CONTAINS each) THEN 0.4
  WHEN EXISTS { (n)-[r]->(e:Entity) WHERE r.origin IS NOT NULL AND e.id IN $entities }
  THEN $stated ELSE 0.0 END AS strength
WHERE strength > 0 RETURN n.id AS id, strength
"""
OLDEST = "min(coalesce(far.published_edtf, '~') + '~')"
# Works have few parents, if many children, and papers few statements: these are sought from the
# paper.
_SAYING = f"""
CALL (d) {{
  WITH d, endNode(d) AS parent
  UNWIND range(0, size(d.statement_subject) - 1) AS number
  MATCH (s:Entity|Paper {{id: d.statement_subject[number]}})
  WITH d, parent, number, s
  MATCH (s)-[r:{any_of(LINEAGE_RELATIONS)}]->(parent)
  WHERE type(r) = d.statement_relation[number] AND r.origin IS NOT NULL
  RETURN collect([s.id, type(r), parent.id, properties(r)]) AS statements
}}
"""
_SUPPORT = """d.statement_subject AS subjects, d.statement_relation AS relations,
  d.statement_confidence AS confidences"""
_EDGE_OF = {
    LineageDirection.DESCENDANTS: "<-[d:DERIVES_FROM]-",
    LineageDirection.ANCESTORS: "-[d:DERIVES_FROM]->",
}
_PASSES = """AND any(i IN range(0, size(d.statement_subject) - 1)
  WHERE d.statement_confidence[i] >= $min_confidence AND d.statement_relation[i] IN $relations
  AND ($include_catalogue OR NOT d.statement_subject[i] STARTS WITH 'entity/'))"""


def statements(types: str) -> str:
    """Return what finds the statements of some relations that works are in, the surest first."""
    return f"""{_BY_ID}
CALL (n) {{
  CALL (n) {{
    MATCH (n)-[r:{types}]->(e:Entity) WHERE r.origin IS NOT NULL RETURN n AS s, r, e
  UNION ALL
    MATCH (s)-[r:{types}]->(n) WHERE r.origin IS NOT NULL AND s <> n RETURN s, r, n AS e
  }}
  WITH s, r, e ORDER BY -r.confidence, s.id, type(r), e.id LIMIT $first
  RETURN collect([s.id, type(r), e.id, properties(r)]) AS statements
}}
RETURN n.id AS id, statements
"""


def edges(direction: LineageDirection, with_statements: bool) -> str:
    """Return what finds the edges of works in a direction, perhaps with their statements."""
    return f"""{_BY_ID}
MATCH (n){_EDGE_OF[direction]}(far) WHERE d.relations IS NOT NULL
{_SAYING if with_statements else "WITH n, d, far, [] AS statements"}
RETURN n.id AS id, far.id AS end, {_SUPPORT}, n.published_edtf AS published,
  far.published_edtf AS end_published, statements
"""


def lineage(direction: LineageDirection, depth: int, filtered: bool) -> str:
    """Return what finds a page of the works of a lineage, after a place, and all that is to be said
    of them: their nodes, and the edges to their parents with the statements."""
    passes = _PASSES if filtered else ""
    steps = "".join(
        f"""
CALL (step{number}) {{
  UNWIND step{number} AS near MATCH (near){_EDGE_OF[direction]}(n)
  WHERE d.relations IS NOT NULL {passes} AND ($include_general OR NOT coalesce(n.general, false))
  RETURN collect(DISTINCT n) AS step{number + 1}
}}"""
        for number in range(depth)
    )
    every = ", ".join(f"[{number}, step{number}]" for number in range(1, depth + 1))
    return f"""
MATCH (root:Entity|Paper {{id: $root}})
WITH root, [root] AS step0
{steps}
UNWIND [{every}] AS step UNWIND step[1] AS n
WITH root, n, min(step[0]) AS depth WHERE n <> root
WITH depth, coalesce(n.year, 10000) * 10000
  + coalesce(toInteger(substring(n.published_edtf, 5, 2)), 13) * 100
  + coalesce(toInteger(substring(n.published_edtf, 8, 2)), 32) AS date, n.id AS id
ORDER BY depth, date, id
WITH collect([depth, date, id]) AS reached
WITH reached, CASE WHEN $after IS NULL THEN 0 ELSE size([each IN reached WHERE each[0] < $after[0]
  OR each[0] = $after[0] AND (each[1] < $after[1] OR each[1] = $after[1] AND each[2] <= $after[2])])
  END AS start
WITH [each IN reached[..start] | each[2]] AS earlier, reached[start..start + $first] AS places,
  size(reached) AS total
CALL (places) {{
  UNWIND [$root] + [each IN places | each[2]] AS id MATCH (n:Entity|Paper {{id: id}})
  CALL (n) {{
    MATCH (n)-[d:DERIVES_FROM]->(far) WHERE d.relations IS NOT NULL
    {_SAYING}
    WITH far, d, statements, {_SUPPORT}
    RETURN collect({{id: n.id, end: far.id, subjects: subjects, relations: relations,
      confidences: confidences, published: n.published_edtf, end_published: far.published_edtf,
      statements: statements}}) AS edges
  }}
  WITH {_WORK}, edges
  RETURN collect({{own: own, broader: broader, main: main, edges: edges}}) AS works
}}
RETURN earlier, places, total, works
"""
