"""Linking: which entity each name of each paper means, over all papers of a graph.

Names and kinds in, ids out: nothing is read or kept, and the order of papers does not count.

A name means the concept that the extractor was certain of; else the concept of the catalogue that
has this name, unless the paper plainly speaks of something else; in both cases, unless the paper is
older than the concept. Else it means what papers coin. Papers that introduce one name are weighed
against each other; where they mean several things, a use elsewhere goes to the sense that fits its
long form, surrounding words and kind best, and of equals to the catalogue's, then to the one
introduced first. What people decided is applied in the end; then claims of lineage are judged that
contradict the catalogue.
"""

from collections.abc import Iterable
from functools import cache

from stemma.graph.linking.contradiction import ClaimsOf
from stemma.graph.linking.decision_applier import DecisionApplier
from stemma.graph.linking.linked_entity import Links, linked_entities
from stemma.graph.linking.naming import Context, PaperNames, citing, uses_in
from stemma.graph.linking.sense import KnownNames, dated, senses_of, vendors_in
from stemma.schema import Catalogue
from stemma.schema.decision import Decision

__all__ = ["link"]


def link(
    papers: Iterable[PaperNames],
    catalogue: Catalogue,
    context: Context,
    decisions: Iterable[Decision] = (),
    claims_of: ClaimsOf = lambda paper: {},
) -> Links:
    """Link the names of all `papers`, and apply people's `decisions` in their order.

    `context` returns the content words of a paper by its id, `claims_of` what it claims.
    """
    papers = [dated(names, catalogue) for names in papers]
    uses = citing(uses_in(papers))
    known = KnownNames(catalogue, vendors_in(use.name.name for use in uses))
    concepts, coined = senses_of(uses, known, cache(context))
    entities = linked_entities(concepts, coined, catalogue)
    ids = {names.paper for names in papers}
    decided = DecisionApplier(entities, catalogue, claims_of, ids.__contains__)
    decided.apply(decisions)
    return decided.links(papers)
