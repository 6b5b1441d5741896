"""Linked entities: what all papers together make of the things they name."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from stemma.graph.linking.generality import is_general
from stemma.graph.linking.naming import Mention, best_kind, spelling
from stemma.graph.linking.sense import Sense
from stemma.schema import Catalogue, Entity
from stemma.schema.identifier import coined_entity_id, entity_id
from stemma.schema.name import match_key


def known_entity(concept: Entity, members: Iterable[Mention]) -> Entity:
    """Return a concept, with the names that papers call it beside the catalogue's."""
    names = (concept.name, *concept.aliases)
    aliases = tuple(sorted({*concept.aliases, *other_names(members, names)}))
    return replace(concept, aliases=aliases)


def coined_entities(senses: Sequence[Sense], catalogue: Catalogue) -> Iterator[Entity]:
    """Make entities of coined senses, in their order.

    The id is the slug of the name where nothing else has it, neither here nor in the catalogue;
    else that of the paper which brought the sense up is added.
    """
    names = [preferred_name(sense.members) for sense in senses]
    wanted = Counter(entity_id(name) for name in names)
    taken = set[str]()
    for name, sense in zip(names, senses, strict=True):
        plain_id = id_ = entity_id(name)
        if wanted[plain_id] > 1 or plain_id in catalogue.concepts:
            plain_id = id_ = coined_entity_id(name, sense.first.paper.paper)
        number = 1
        while id_ in taken:  # One paper's names that differ in what slugs leave out.
            number += 1
            id_ = f"{plain_id}-{number}"
        taken.add(id_)
        yield coined_entity(id_, name, sense.members)


def coined_entity(id_: str, name: str, members: Sequence[Mention]) -> Entity:
    """Return what mentions say of an entity that is in no catalogue."""
    kind, aliases = best_kind(members), other_names(members, (name,))
    return Entity(id_, name, kind, tuple(aliases), general=is_general(name, kind, members))


def preferred_name(mentions: Iterable[Mention]) -> str:
    """Return the name that most papers give.

    Of equals the introducing papers' one, then the shortest, then the first by letters.
    """
    counts: Counter[str] = Counter()
    introduced: Counter[str] = Counter()
    for mention in mentions:
        name = spelling(mention.name.name)
        counts[name] += 1
        introduced[name] += mention.name.introduced
    return min(counts, key=lambda name: (-counts[name], -introduced[name], len(name), name))


def other_names(mentions: Iterable[Mention], known: Iterable[str]) -> list[str]:
    """Return the names beside the `known` ones, each in the spelling that most papers give."""
    counts = Counter(form for mention in mentions for form in mention.name.forms)
    seen = {match_key(name) for name in known}
    others = []
    for form in sorted(counts, key=lambda each: (-counts[each], len(each), each)):
        if form and match_key(form) not in seen:
            seen.add(match_key(form))
            others.append(form)
    return sorted(others)
