"""Queries for a lineage, with all of its filters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from stemma.graph import LineageDirection, LineageFilter
from stemma.schema import LINEAGE_RELATIONS
from stemma.schema.identifier import PAPER
from stemma.server.explorer.queries import (
    PREFIXES,
    Dialect,
    Queries,
    arguments,
    arrow,
    call,
    iri,
    string,
    strings,
    term,
)

_FIELDS = """\
    nodes {
      depth
      published
      work { id name ... on Entity { kind } }
    }
    edges {
      child { name }
      parent { name }
      relations
      confidence
      statements { paper { name } evidence { text } }
    }
"""
_FIRST_YEAR = """\
  {{
    SELECT {0} (MIN(SUBSTR(STR(?published), 1, 4)) AS ?year) WHERE {{
      {{ ?paper stemma:introduces {0} ; schema:datePublished ?published }}
      UNION
      {{ {0} schema:datePublished ?published }}
    }}
    GROUP BY {0}
  }}
"""


@dataclass(frozen=True, slots=True)
class LineageQuery:
    """The lineage of a work (an id) that is an entity, or a paper that introduces none.

    `kinds` (also "paper") and `years` choose among its works. GraphQL and Python know no kind
    "paper": with it they yield all kinds, with what it takes to choose.
    """

    root: str
    directions: Sequence[LineageDirection]
    depth: int
    filter: LineageFilter
    include_general: bool = True
    first: int = 100
    kinds: tuple[str, ...] = ()
    years: tuple[int | None, int | None] = (None, None)

    def queries(self, dialect: Dialect) -> Queries:
        # When a fact of the catalogue became known, only these two languages can say in short.
        in_all = self.filter.as_of is None
        return Queries(
            self.graphql(),
            self.sparql() if in_all else None,
            self.cypher(dialect) if in_all else None,
            "".join(self._python()),
        )

    def graphql(self) -> str:
        """Return a field for each direction."""
        fields = "".join(
            f"  {direction.value}: lineage({self._arguments(direction)}) {{\n{_FIELDS}  }}\n"
            for direction in self.directions
        )
        note = "# All kinds: choose among them.\n" if self._with_papers else ""
        return f"{note}query Lineage {{\n{fields}}}\n"

    @property
    def _with_papers(self) -> bool:
        return "paper" in self.kinds

    def _arguments(self, direction: LineageDirection) -> str:
        relations = self.filter.relations
        kinds = ", ".join(each.upper() for each in self.kinds)
        first, last = self.years
        return arguments(
            {
                "of": string(self.root),
                "direction": direction.name,
                "maxDepth": str(self.depth),
                "relations": f"[{', '.join(relations)}]" if relations else None,
                "minConfidence": f"{self.filter.min_confidence:g}"
                if self.filter.min_confidence
                else None,
                "includeCatalogue": None if self.filter.include_catalogue else "false",
                "includeGeneral": None if self.include_general else "false",
                "asOf": string(str(self.filter.as_of)) if self.filter.as_of else None,
                "kinds": f"[{kinds}]" if kinds and not self._with_papers else None,
                "yearFrom": str(first) if first else None,
                "yearTo": str(last) if last else None,
                "first": str(self.first),
            }
        )

    def python_arguments(self) -> dict[str, str | None]:
        """Return the arguments that methods of the graph share."""
        chosen = self.filter
        relations = ", ".join(string(each) for each in chosen.relations)
        return {
            "max_depth": str(self.depth),
            "relations": f"[{relations}]" if relations else None,
            "min_confidence": f"{chosen.min_confidence:g}" if chosen.min_confidence else None,
            "include_catalogue": None if chosen.include_catalogue else "False",
            "include_general": None if self.include_general else "False",
            "as_of": string(str(chosen.as_of)) if chosen.as_of else None,
        }

    def _python(self) -> Iterator[str]:
        for number, direction in enumerate(self.directions):
            program = call(
                "lineage",
                string(self.root),
                string(direction.value),
                **self.python_arguments(),
                kinds=strings(self.kinds) if self.kinds and not self._with_papers else None,
                since=str(self.years[0]) if self.years[0] else None,
                until=str(self.years[1]) if self.years[1] else None,
                first=str(self.first),
            )
            if number:
                yield program.rpartition("found = ")[2].join(("more = ", ""))
            else:
                yield program
        if self._with_papers:
            kind = f'getattr(node.work, "kind", "paper") in {strings(self.kinds)}'
            yield f"chosen = [node for node in {self._all_nodes} if {kind}]\n"

    @property
    def _all_nodes(self) -> str:
        return "found.nodes" if len(self.directions) == 1 else "(*found.nodes, *more.nodes)"

    def sparql(self) -> str:
        """Return a query for the works; its steps are bounded as those of the lineage are."""
        unions = "\n  UNION\n".join(
            f"  {{\n{self._steps(direction)}  }}" for direction in self.directions
        )
        return (
            f"{PREFIXES}\nSELECT DISTINCT ?work ?name WHERE {{\n{unions}\n"
            f"  FILTER (?work != {iri(self.root)})\n"
            f"{''.join(choice(self.kinds, self.years))}"
            "  OPTIONAL { ?work skos:prefLabel|schema:name ?name }\n}\nORDER BY ?name\n"
        )

    def _steps(self, direction: LineageDirection) -> str:
        is_plain = self.include_general and not self.filter.active
        down = direction is LineageDirection.DESCENDANTS
        root = iri(self.root)
        if is_plain:
            step = "stemma:derivesFrom"
            way = "/".join([step, *([f"{step}?"] * (self.depth - 1))])
            return f"    ?work {way} {root} .\n" if down else f"    {root} {way} ?work .\n"
        lines: list[str] = []
        for number in range(1, self.depth + 1):
            indent = "    " + "  " * (number - 1)
            before = root if number == 1 else f"?work{number - 1}"
            here = f"?work{number}"
            child, parent = (here, before) if down else (before, here)
            if number > 1:
                lines.append(f"{indent[:-2]}OPTIONAL {{\n")
            lines += (f"{indent}{line}\n" for line in self._step(child, parent, here, number))
        lines += ("    " + "  " * number + "}\n" for number in range(self.depth - 2, -1, -1))
        numbers = " ".join(map(str, range(1, self.depth + 1)))
        chosen = f"?work{self.depth}"
        for number in range(self.depth - 1, 0, -1):
            chosen = f"IF(?step = {number}, ?work{number}, {chosen})"
        lines.append(f"    VALUES ?step {{ {numbers} }}\n")
        lines.append(f"    BIND ({chosen} AS ?work)\n    FILTER (BOUND(?work))\n")
        return "".join(lines)

    def _step(self, child: str, parent: str, here: str, number: int) -> Iterator[str]:
        if self.filter.active:
            says, relation = f"?statement{number}", f"?relation{number}"
            yield f"{says} stemma:child {child} ; rdf:object {parent} ; rdf:predicate {relation} ;"
            yield f"  rdf:subject ?subject{number} ; stemma:confidence ?confidence{number} ."
            if self.filter.min_confidence:
                yield f"FILTER (?confidence{number} >= {self.filter.min_confidence:g})"
            relations = ", ".join(map(term, self.filter.relations or LINEAGE_RELATIONS))
            yield f"FILTER ({relation} IN ({relations}))"
            if not self.filter.include_catalogue:
                yield f"?subject{number} a schema:ScholarlyArticle ."
        else:
            yield f"{child} stemma:derivesFrom {parent} ."
        if not self.include_general:
            yield f"FILTER NOT EXISTS {{ {here} stemma:general true }}"

    def cypher(self, dialect: Dialect) -> str:
        """Return a query for the works; directions are united."""
        parts = (self._cypher(direction, dialect) for direction in self.directions)
        return "UNION\n".join(chain.from_iterable(parts))

    def _cypher(self, direction: LineageDirection, dialect: Dialect) -> Iterator[str]:
        """Yield queries of which the union has the works of a direction.

        Where edges are filtered, there is one for each number of steps: Ladybug crashes on a
        condition within another on the edges of a path.
        """
        left, right = arrow(direction)
        label = "Entity" if self.root.startswith("entity/") else "Paper"
        start = f"(x:{label} {{id: {string(self.root)}}})"
        if not self.filter.active:
            path = f"MATCH path = {start}{left}[:DERIVES_FROM*1..{self.depth}]{right}(y)"
            general = (
                f"all(n IN nodes(path) WHERE n.id = {string(self.root)} "
                "OR NOT coalesce(n.general, false))"
            )
            yield self._found(path, [] if self.include_general else [general])
            return
        for depth in range(1, self.depth + 1):
            works = [*(f"w{number}" for number in range(1, depth)), "y"]
            path = f"MATCH {start}" + "".join(
                f"{left}[r{number}:DERIVES_FROM]{right}({work})"
                for number, work in enumerate(works, 1)
            )
            conditions = [self._passes(f"r{number}", dialect) for number in range(1, depth + 1)]
            if not self.include_general:
                conditions += (f"NOT coalesce({work}.general, false)" for work in works)
            yield self._found(path, conditions)

    def _found(self, match: str, conditions: Sequence[str]) -> str:
        chosen = ["y <> x", *conditions]
        if self.kinds:
            of_kinds = f"y.kind IN {strings(self.kinds)}"
            papers = f" OR left(y.id, {len(PAPER)}) = '{PAPER}'" if "paper" in self.kinds else ""
            chosen.append(f"({of_kinds}{papers})")
        for sign, year in zip((">=", "<="), self.years, strict=True):
            if year:
                chosen.append(f"y.year {sign} {year}")
        where = "\n  AND ".join(chosen)
        name = "coalesce(y.name, y.title)"
        return f"{match}\nWHERE {where}\nRETURN DISTINCT y.id AS id, {name} AS name\n"

    def _passes(self, edge: str, dialect: Dialect) -> str:
        """Return the condition that one of the statements behind an edge passes the filter."""
        first = dialect.first_index
        at = (edge + ".statement_{}[i]").format
        conditions = []
        if self.filter.min_confidence:
            conditions.append(f"{at('confidence')} >= {self.filter.min_confidence:g}")
        if self.filter.relations:
            listed = ", ".join(map(string, self.filter.relations))
            conditions.append(f"{at('relation')} IN [{listed}]")
        if not self.filter.include_catalogue:
            conditions.append(f"left({at('subject')}, 6) = 'paper/'")
        last = f"size({edge}.statement_subject)" + (" - 1" if dialect.is_neo4j else "")
        return f"any(i IN range({first}, {last}) WHERE {' AND '.join(conditions)})"


def choice(
    kinds: Sequence[str], years: tuple[int | None, int | None], dated: str = "?work"
) -> Iterator[str]:
    """Yield the part of a query in SPARQL that chooses ?work by kind, and `dated` by its year."""
    if kinds:
        listed = " ".join(map(_class_of, kinds))
        yield f"  VALUES ?kind {{ {listed} }}\n  ?work a ?kind .\n"
    first, last = years
    if first or last:
        yield _FIRST_YEAR.format(dated)
    if first:
        yield f'  FILTER (?year >= "{first:04}" && ?year < "X")\n'
    if last:
        yield f'  FILTER (?year <= "{last:04}")\n'


def _class_of(kind: str) -> str:
    return "schema:ScholarlyArticle" if kind == "paper" else f"stemma:{kind.capitalize()}"
