"""Import: the papers of a graph in RDF, for any store to link again.

A graph that describes itself as Stemma's is taken at its word; any other is validated first.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pyoxigraph as ox

from stemma.graph.linked_extraction import canonical
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.file import RdfFile, loaded
from stemma.graph.rdf.paper_graph import by_subject, read, value
from stemma.graph.rdf.subjects import Subject, documents
from stemma.graph.store import StoreError
from stemma.schema import Extraction, Problem
from stemma.schema.identifier import ENTITY, PAPER, paper_id
from stemma.schema.paper import expect_storable
from stemma.schema.quantity import quantity

_VIOLATIONS_TOLD = 5
_URI_SPACE, _EXTRACTED_BY = ox.NamedNode(v.URI_SPACE), ox.NamedNode(v.EXTRACTED_BY)
_FINGERPRINT, _DECISION = ox.NamedNode(v.FINGERPRINT), ox.NamedNode(v.DECIDED_BY)


def papers(file: RdfFile) -> Iterator[Extraction | Problem]:
    """Yield the papers in a file with what was found in them, by their IRIs.

    A paper that cannot be read is yielded as a problem. Raises StoreError where the file cannot be
    read, or its graph is not valid.
    """
    with loaded([file]) as rdf:
        if not any(rdf.quads_for_pattern(None, _URI_SPACE, None, None)):
            _expect_valid(rdf, file)
        if count := len(list(rdf.quads_for_pattern(None, _DECISION, None, None))):
            yield Problem(
                str(file.path),
                None,
                f"{quantity(count, 'decision')} not imported: only an empty store imports them",
            )
        for document, subjects in documents(rdf).items():
            if isinstance(subjects[0], ox.BlankNode):
                continue  # It has no IRI, as papers do.
            paper = ox.NamedNode(document)
            for run in rdf.quads_for_pattern(paper, _EXTRACTED_BY, None, None):
                yield _paper(rdf, document, subjects, value(run.object), file)


def _paper(
    rdf: ox.Store, iri: str, subjects: list[Subject], run: str, file: RdfFile
) -> Extraction | Problem:
    quads = (quad for each in subjects for quad in rdf.quads_for_pattern(each, None, None, None))
    base = iri.rpartition(PAPER)[0]
    try:
        (fingerprint,) = rdf.quads_for_pattern(ox.NamedNode(run), _FINGERPRINT, None, None)
        found = read(by_subject(quads), base, "").extraction
    except (KeyError, ValueError, IndexError) as error:
        return Problem(str(file.path), None, f"<{iri}> cannot be read: {error!r}", skipped=True)
    entities = (
        replace(each, concept=each.concept if (each.concept or "").startswith(ENTITY) else None)
        for each in found.entities
    )
    paper = replace(found.paper, id=paper_id(found.paper.title))
    try:
        expect_storable(paper)
    except ValueError as error:
        return Problem(str(file.path), None, f"<{iri}>: {error}", skipped=True)
    extraction = canonical(replace(found, paper=paper, entities=tuple(entities)))
    return replace(extraction, extractor=value(fingerprint.object))


def _expect_valid(rdf: ox.Store, file: RdfFile) -> None:
    from stemma.graph.rdf.validation import Validation  # noqa: PLC0415 - loads rdflib and pySHACL

    found = list(islice(Validation(rdf).violations(), _VIOLATIONS_TOLD))
    if found:
        listed = "\n".join(f"  {each}" for each in found)
        raise StoreError(
            f"{file.path} is not a valid graph, and nothing was stored. The first problems "
            f"(`stemma check --shapes {file.path}` lists all):\n{listed}"
        )
