"""Linking: which entity each name of each paper means, over all papers of a graph.

Names and kinds in, ids out: nothing is read or kept, and the order of papers does not count.

A name means the concept that the extractor was certain of; else the concept of the catalogue that
has this name, unless the paper plainly speaks of something else; else what papers coin. Papers
that introduce one name are weighed against each other; where they mean several things, a mention
elsewhere goes to the sense that fits its long form, surrounding words and kind best, and of equals
to the catalogue's, then to the one introduced first. What people decided is applied in the end;
then claims of lineage are judged that contradict the catalogue.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from stemma.graph.linking.cluster import clusters
from stemma.graph.linking.contradiction import ClaimsOf
from stemma.graph.linking.decision_applier import DecisionApplier
from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.linked_entity import LinkedEntity, coined_entities, known_entity
from stemma.graph.linking.links import Claim, Links, Verdict, read_verdicts, verdict_rows
from stemma.graph.linking.naming import Context, Mention, Name, PaperNames, names_of
from stemma.graph.linking.sense import Sense, coin, disambiguate
from stemma.schema import Catalogue
from stemma.schema.decision import Decision
from stemma.schema.identifier import paper_id

_SHORTEST_TITLE = 3
"""Words of a title that stands for a work; a shorter one is a name."""

__all__ = [
    "Claim",
    "ClaimsOf",
    "Context",
    "Links",
    "Name",
    "PaperNames",
    "Verdict",
    "link",
    "names_of",
    "read_verdicts",
    "verdict_rows",
]


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
    context = cache(context)
    papers = sorted(papers, key=lambda each: each.paper)
    by_id = {paper.paper: paper for paper in papers}
    mentions = [
        Mention(paper, name, _cited(name, by_id)) for paper in papers for name in paper.names
    ]
    known = KnownNames(catalogue, mentions)
    concepts: dict[str, Sense] = {}
    free = []
    for mention in mentions:
        if concept := known.concept(mention):
            concepts.setdefault(concept.id, Sense(concept)).members.append(mention)
        else:
            free.append(mention)
    coined = [sense for cluster in clusters(free, known) for sense in coin(cluster, context)]
    disambiguate(concepts, coined, known, context)
    decided = DecisionApplier(
        _linked_entities(concepts.values(), coined, catalogue), catalogue, claims_of
    )
    decided.apply(decisions)
    return decided.links()


def _cited(name: Name, papers: Mapping[str, PaperNames]) -> Name | None:
    """Return what a work contributes that is cited by its title, if the graph has that work."""
    if name.introduced or name.concept or name.name.count(" ") < _SHORTEST_TITLE - 1:
        return None
    paper = papers.get(paper_id(name.name))
    return paper.contribution if paper else None


def _linked_entities(
    concepts: Iterable[Sense], coined: Iterable[Sense], catalogue: Catalogue
) -> Iterator[LinkedEntity]:
    for sense in concepts:
        if sense.concept and sense.members:
            entity = known_entity(sense.concept, sense.members)
            yield LinkedEntity(entity, sense.members, sense.concept)
    meant = [sense for sense in coined if sense.members]
    for entity, sense in zip(coined_entities(meant, catalogue), meant, strict=True):
        yield LinkedEntity(entity, sense.members)
