"""Linking: which entity each name of each paper means, over all papers of a graph.

Names and kinds in, ids out: nothing is read or kept, and the order of papers does not count.

A name means the concept that the extractor was certain of; else the concept of the catalogue that
has this name, unless the paper plainly speaks of something else; else what papers coin. Papers
that introduce one name are weighed against each other; where they mean several things, a mention
elsewhere goes to the sense that fits its long form, surrounding words and kind best, and of equals
to the catalogue's, then to the one introduced first.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from stemma.graph.linking.cluster import clusters
from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.linked_entity import coined_entities, known_entity
from stemma.graph.linking.naming import Context, Mention, Name, PaperNames, names_of
from stemma.graph.linking.sense import Sense, coin, settle
from stemma.schema import Catalogue, Entity

__all__ = ["Context", "Links", "Name", "PaperNames", "link", "names_of"]


@dataclass(frozen=True, slots=True)
class Links:
    """The outcome: entity ids by paper and name, and the entities by id, in order."""

    ids: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]


def link(papers: Iterable[PaperNames], catalogue: Catalogue, context: Context) -> Links:
    """Link the names of all `papers`; `context` returns the content words of a paper by its id."""
    context = cache(context)
    mentions = [
        Mention(paper, name)
        for paper in sorted(papers, key=lambda each: each.paper)
        for name in paper.names
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
    settle(concepts, coined, known, context)
    return _links(concepts.values(), coined, catalogue)


def _links(concepts: Iterable[Sense], coined: Iterable[Sense], catalogue: Catalogue) -> Links:
    known = [sense for sense in concepts if sense.concept and sense.members]
    meant = [sense for sense in coined if sense.members]
    described = [known_entity(sense.concept, sense.members) for sense in known if sense.concept]
    described += coined_entities(meant, catalogue)
    ids: dict[str, dict[str, str]] = defaultdict(dict)
    for entity, sense in zip(described, (*known, *meant), strict=True):
        for mention in sense.members:
            ids[mention.paper.paper][mention.name.name] = entity.id
    entities = {entity.id: entity for entity in described}
    for id_ in catalogue.broader_closure(entities):
        entities.setdefault(id_, catalogue.concepts[id_])
    return Links(ids, dict(sorted(entities.items())))
