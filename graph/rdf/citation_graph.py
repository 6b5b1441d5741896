"""The graphs of citations: how papers cite each other, by their references and their statements.

A paper cites those that its list of references names; and one that builds on, uses or compares with
an entity cites the papers that introduced it. Both follow from all papers together, so each has a
graph of its own.
"""

from collections.abc import Iterable, Iterator

from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.nquads import iri
from stemma.schema import RelationType

CITATIONS = "citations"
BIBLIOGRAPHY = "bibliography"
"""The ends of the graphs' IRIs."""


def reference_lines(references: Iterable[tuple[str, str]], base: str) -> Iterator[str]:
    """Write that papers cite others (ids), which their lists of references name."""
    for citing, cited in references:
        yield f"{iri(base + citing)} <{v.CITES}> {iri(base + cited)} <{base}{BIBLIOGRAPHY}> .\n"


def citation_lines(citations: Iterable[tuple[str, RelationType, str]], base: str) -> Iterator[str]:
    """Write that papers cite others (ids), which introduced what they have this relation to."""
    for citing, relation, cited in citations:
        for term in (v.CITES, v.CITATIONS[relation]):
            yield f"{iri(base + citing)} <{term}> {iri(base + cited)} <{base}{CITATIONS}> .\n"


def citation_query(near: str) -> str:
    """Return the query of the index for how papers cite others, by what these introduced.

    ``{}`` is for the papers at one end: `near` is citing or cited. A paper does not cite what
    certainly appeared after it.
    """
    start, end = {"citing": ("s", "i"), "cited": ("i", "s")}[near]
    return f"""
        SELECT citing.id, s.relation, cited.id FROM work near
        CROSS JOIN statement {start} ON {start}.subject = near.no
        CROSS JOIN statement {end} ON {end}.entity = {start}.entity
        JOIN work citing ON citing.no = s.subject JOIN work cited ON cited.no = i.subject
        WHERE near.id IN ({{}}) AND s.subject <> i.subject AND s.origin IS NOT NULL
        AND i.relation = 'INTRODUCES' AND i.origin IS NOT NULL
        AND s.relation IN ('BUILDS_ON', 'IMPROVES_ON', 'COMPARES_WITH', 'USES', 'EVALUATED_ON')
        AND NOT (coalesce(citing.published, '') GLOB '[0-9]*'
                 AND coalesce(cited.published, '') GLOB '[0-9]*'
                 AND substr(cited.published, 1, length(citing.published))
                   > substr(citing.published, 1, length(cited.published)))
    """
