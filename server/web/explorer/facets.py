"""Facets beside a list of works: how many there are of each kind, year and relation."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from stemma.graph import Reader, Work, kind_of
from stemma.schema import Statement

NAMES = ("kind", "year", "relation")
_MOST_VALUES, _FEWEST_WORKS = 12, 5


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value by which a list can be narrowed down, and how many works have it.

    `address` narrows the list down, or widens it again where the value is chosen.
    """

    value: str
    count: int
    address: str
    chosen: bool


def facets_of(
    reader: Reader,
    works: Sequence[Work],
    statements: Iterable[Statement],
    chosen: Mapping[str, str],
) -> tuple[list[Work], dict[str, list[FacetValue]]]:
    """Return the works with the values that are chosen, and the values of all facets.

    `chosen` are the query parameters of the page. A facet that tells few works apart is left out.
    """
    dates = reader.published([work.id for work in works])
    values: dict[str, dict[str, list[str]]] = {
        "kind": {work.id: [kind_of(work)] for work in works},
        "year": {id_: [str(date.year)] for id_, date in dates.items() if date.year},
        "relation": {},
    }
    for each in statements:
        for end in (each.subject, each.entity):
            known = values["relation"].setdefault(end, [])
            if each.relation.words not in known:
                known.append(each.relation.words)

    def kept(but: str = "") -> list[Work]:
        asked = {name: value for name, value in chosen.items() if name in NAMES and name != but}
        return [
            work
            for work in works
            if all(value in values[name].get(work.id, ()) for name, value in asked.items())
        ]

    facets: dict[str, list[FacetValue]] = {}
    for name in NAMES:
        counts = Counter(v for work in kept(name) for v in values[name].get(work.id, ()))
        order = sorted(counts, reverse=True, key=int if name == "year" else counts.__getitem__)
        if name in chosen or (len(order) > 1 and len(works) >= _FEWEST_WORKS):
            others = {other: text for other, text in chosen.items() if other != name}
            for value in order[:_MOST_VALUES]:
                is_chosen = chosen.get(name) == value
                asked = urlencode(others if is_chosen else {**others, name: value})
                found = FacetValue(value, counts[value], f"?{asked}", is_chosen)
                facets.setdefault(name, []).append(found)
    return kept(), facets
