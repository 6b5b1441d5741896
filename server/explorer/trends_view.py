"""How many papers a year name which works: ``/trends?kind=technique``, ``/trends?work=LoRA``."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import PageOrder, Reader, WorkFilter, WorkType
from stemma.graph.filters import ALL_YEARS, Years
from stemma.schema import Entity, EntityKind, RelationType
from stemma.server import pages
from stemma.server.explorer.papers_view import PapersRequest
from stemma.server.explorer.queries import PREFIXES, Queries, iri, strings, term
from stemma.server.explorer.view import MOST_PAPERS, Row, View
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.presentation.chart import MOST_SERIES, Series, line_chart
from stemma.server.presentation.notes import asked_as

_PARAMETERS = ("kind", "work", "relations", "yearFrom", "yearTo", "includeGeneral")
_SHOWN_YEARS = 30
_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Trend:
    """How many papers of a year name a work; `undated` counts those without a year."""

    work: Entity
    by_year: dict[int, int]
    undated: int

    @property
    def papers(self) -> int:
        """The number of all of them."""
        return sum(self.by_year.values()) + self.undated


def trend(
    reader: Reader,
    work: Entity,
    relations: tuple[RelationType, ...] = (),
    years: Years = ALL_YEARS,
) -> Trend:
    """Count papers with such a relation (any, if none is given) to a work."""
    counts = reader.papers_by_year(_counted(work, relations, years))
    undated = counts.pop(None, 0)
    return Trend(work, {year: papers for year, papers in counts.items() if year}, undated)


def _counted(work: Entity, relations: tuple[RelationType, ...], years: Years) -> WorkFilter:
    return WorkFilter(
        relations=relations, entity=work.id, year_from=years.first, year_to=years.last
    )


def _papers(
    reader: Reader, works: list[Entity], relations: tuple[RelationType, ...], years: Years
) -> list[str]:
    """Return the papers (ids) that are counted, or more of them than a file holds."""
    papers: dict[str, None] = {}
    for work in works:
        counted = _counted(work, relations, years)
        found = reader.ids(WorkType.PAPER, counted, PageOrder.PUBLISHED, MOST_PAPERS + 1)
        papers |= dict.fromkeys(found)
        if len(papers) > MOST_PAPERS:
            break
    return list(papers)


def trends_view(request: Request, reader: Reader) -> View | Response:
    """Return the trends of chosen works, or of those of a kind that most papers name."""
    given = QueryParameters(request.query_params, _PARAMETERS)
    named = given.texts("work", MOST_SERIES)
    general = given.truth("includeGeneral", default=False)
    relations = given.choices("relations", list(RelationType))
    years = Years(given.year("yearFrom"), given.year("yearTo"))
    kind = given.choice("kind", list(EntityKind), EntityKind.TECHNIQUE)
    works = _named(reader, named) if named else _of_kind(reader, kind, relations, general)
    found = [trend(reader, each, relations, years) for each in works]
    every = sorted({year for each in found for year in each.by_year})
    latest = every[-1] if every else 0
    shown = list(range(max(every[0], latest - _SHOWN_YEARS + 1), latest + 1)) if every else []
    series = [
        Series(each.work.name, each.by_year, f"/page/{pages.path(each.work.id)}")
        for each in found
        if each.by_year
    ]
    values: dict[str, Any] = {
        "trends": found,
        "years": shown,
        "earlier": {
            each.work.id: sum(n for year, n in each.by_year.items() if shown and year < shown[0])
            for each in found
        },
        "kind": None if named else kind,
        "kinds": list(EntityKind),
        "relations": relations,
        "all_relations": list(RelationType),
        "span": years,
        "general": general,
        "chosen": [asked_as(reader, each) for each in works] if named else [],
        "most": MOST_SERIES,
        "listed": lambda work, years: PapersRequest(work, relations, years).address(),
        "year_alone": lambda year: Years(year, year),
    }
    return View(
        name=f"trends-{kind.value}" if not named else "trends",
        template="trends.html",
        values=values,
        data=lambda: _data(found),
        table=lambda: _rows(found),
        papers=_papers(reader, works, relations, years),
        queries=_queries(works, relations, years),
        svg=partial(line_chart, "Papers by year", series, shown) if shown else None,
    )


def _data(found: list[Trend]) -> dict[str, Any]:
    return {
        "works": [
            {
                "id": each.work.id,
                "name": each.work.name,
                "years": [{"year": year, "papers": n} for year, n in each.by_year.items()],
                "undated": each.undated,
            }
            for each in found
        ]
    }


def _named(reader: Reader, names: tuple[str, ...]) -> list[Entity]:
    """Return entities by name; a paper stands for what it introduces."""
    ids = [reader.resolve(each) for each in names]
    main = reader.contributions(ids)
    works = reader.works([main.get(each, each) for each in ids])
    return [each for each in works.values() if isinstance(each, Entity)]


def _of_kind(
    reader: Reader, kind: EntityKind, relations: tuple[RelationType, ...], general: bool
) -> list[Entity]:
    chosen = WorkFilter(
        kinds=(kind,), general=None if general else False, relations=relations or ()
    )
    ids = reader.ids(WorkType.ENTITY, chosen, PageOrder.PAPERS, MOST_SERIES)
    return [each for each in reader.works(ids).values() if isinstance(each, Entity)]


def _rows(found: list[Trend]) -> Iterator[Row]:
    yield ("work", "name", "year", "papers")
    for each in found:
        for year, number in each.by_year.items():
            yield (each.work.id, each.work.name, year, number)
        if each.undated:
            yield (each.work.id, each.work.name, "", each.undated)


def _queries(works: list[Entity], relations: tuple[RelationType, ...], years: Years) -> Queries:
    ids = [each.id for each in works]
    wanted = relations or tuple(RelationType)
    listed = f"(relations: [{', '.join(relations)}], first: {_A_PAGE})"
    span = f"(first: {_A_PAGE})" if not relations else listed
    first, last = years.first, years.last
    limits = [f"?year >= {first}"] if first else []
    limits += [f"?year <= {last}"] if last else []
    within = f"  FILTER ({' && '.join(limits)})\n" if limits else ""
    sparql = (
        f"{PREFIXES}\nSELECT ?work ?name ?year (COUNT(DISTINCT ?paper) AS ?papers) WHERE {{\n"
        f"  VALUES ?work {{ {' '.join(map(iri, ids))} }}\n"
        f"  VALUES ?relation {{ {' '.join(map(term, wanted))} }}\n"
        "  ?paper ?relation ?work ; schema:datePublished ?published .\n"
        "  ?paper a schema:ScholarlyArticle .\n  ?work skos:prefLabel ?name .\n"
        '  FILTER (!STRSTARTS(STR(?published), "XXXX"))\n'
        "  BIND (xsd:integer(SUBSTR(STR(?published), 1, 4)) AS ?year)\n"
        f"{within}"
        "}\nGROUP BY ?work ?name ?year\nORDER BY ?name ?year\n"
    )
    bounds = "".join(
        f" AND p.year {sign} {year}" for sign, year in ((">=", first), ("<=", last)) if year
    )
    return Queries(
        f"query Trends {{\n  nodes(ids: {strings(ids)}) {{\n    ... on Entity {{\n      id\n"
        f"      name\n      papers{span} {{\n        totalCount\n"
        "        nodes { id published }\n        pageInfo { hasNextPage endCursor }\n      }\n"
        "    }\n  }\n}\n",
        sparql,
        f"MATCH (e:Entity)<-[:{'|'.join(wanted)}]-(p:Paper)\n"
        f"WHERE e.id IN {strings(ids)} AND p.year IS NOT NULL{bounds}\n"
        "RETURN e.id AS work, e.name AS name, p.year AS year, count(DISTINCT p) AS papers\n"
        "ORDER BY name, year\n",
        _python(ids, relations),
    )


def _python(ids: list[str], relations: tuple[RelationType, ...]) -> str:
    given = f", {strings(relations)}" if relations else ""
    return (
        "from collections import Counter\n\nfrom stemma import Stemma\n\n"
        'graph = Stemma("stemma.db")\nfound = {}\n'
        f"for work in {strings(ids)}:\n"
        f"    papers = {{each.subject for each in graph.statements(work{given}) "
        'if each.subject.startswith("paper/")}\n'
        "    dates = [graph.paper(each).published for each in papers]\n"
        "    found[work] = Counter(date.year for date in dates if date and date.year)\n"
    )
