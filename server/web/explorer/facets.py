"""Facets beside a list of works: how many there are of each kind, year and relation."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from stemma.graph import Reader, Work, kind_of
from stemma.schema import Statement

NAMES = ("kind", "year", "relation")
_MOST_VALUES = 12


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

    `chosen` are the query parameters of the page. A facet with one value is left out.
    """
    dates = reader.published([work.id for work in works])
    relations: dict[str, Collection[str]] = {}
    for each in statements:
        for end in (each.subject, each.entity):
            relations[end] = {*relations.get(end, ()), each.relation.words}
    values: dict[str, dict[str, Collection[str]]] = {
        "kind": {work.id: {kind_of(work)} for work in works},
        "year": {id_: {str(date.year)} for id_, date in dates.items() if date.year},
        "relation": relations,
    }

    def kept(but: str = "") -> list[Work]:
        asked = {name: chosen[name] for name in NAMES if chosen.get(name) and name != but}
        return [
            work
            for work in works
            if all(value in values[name].get(work.id, ()) for name, value in asked.items())
        ]

    facets: dict[str, list[FacetValue]] = {}
    for name in NAMES:
        among = kept(name)
        counts = Counter(value for work in among for value in values[name].get(work.id, ()))
        order = (
            sorted(counts, reverse=True) if name == "year" else [v for v, _ in counts.most_common()]
        )
        if len(order) > 1 or chosen.get(name):
            facets[name] = [
                FacetValue(
                    each, counts[each], _address(chosen, name, each), chosen.get(name) == each
                )
                for each in order[:_MOST_VALUES]
            ]
    return kept(), facets


def _address(chosen: Mapping[str, str], name: str, value: str) -> str:
    others = {
        other: text for other, text in chosen.items() if other not in (name, "first") and text
    }
    return f"?{urlencode(others | ({} if chosen.get(name) == value else {name: value}))}"
