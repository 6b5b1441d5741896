"""The enumerations of the GraphQL schema: those of the model, with their descriptions."""

from collections.abc import Mapping
from enum import Enum

import strawberry

from stemma.graph import FilterField, LineageDirection, LineageOrder, PageOrder
from stemma.graph.selection import Filter, spelled
from stemma.schema import Bound, Direction, EntityKind, RelationType
from stemma.server.views.bibliography import CitationFormat


def _register(type_: type[Enum], name: str, description: str, values: Mapping[Enum, str]) -> None:
    registered = strawberry.enum(type_, name=name, description=description)
    for value in registered.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = values[type_[value.name]]


_register(
    EntityKind,
    "EntityKind",
    "The kind of an entity. Each entity has one kind.",
    {
        EntityKind.HARDWARE: "A device, chip, memory, interconnect, machine, or architecture "
        "generation.",
        EntityKind.FRAMEWORK: "Software to run, link or program against.",
        EntityKind.TECHNIQUE: "A method, algorithm, optimisation, training scheme, number format "
        "or building block.",
        EntityKind.MODEL: "A trained network, a model family, or a named network architecture.",
        EntityKind.DATASET: "Data, a benchmark, a workload suite or a competition.",
    },
)
_register(
    RelationType,
    "RelationType",
    "What a paper says about an entity. INTRODUCES, BUILDS_ON and IMPROVES_ON make the lineage; "
    "an entity that it COMPARES_WITH is a baseline.",
    {
        RelationType.INTRODUCES: "The entity is the paper's own named contribution.",
        RelationType.BUILDS_ON: "The contribution extends, adapts, or lives inside or on top of "
        "a prior named work.",
        RelationType.IMPROVES_ON: "The paper states a limit of a prior named work, which the "
        "contribution addresses.",
        RelationType.COMPARES_WITH: "The entity is a baseline: measured or contrasted against in "
        "results.",
        RelationType.USES: "An ingredient, tool or object of study, if none of the above applies.",
        RelationType.RUNS_ON: "Hardware that the work targets, was run on or measured on.",
        RelationType.EVALUATED_ON: "Datasets and benchmarks, and models that serve as the "
        "workload of an evaluation.",
        RelationType.MENTIONS: "Background only.",
    },
)
_register(
    Bound,
    "ComparisonBound",
    "How to interpret the amount of a comparison.",
    {
        Bound.EXACT: "Exact: “2.2x”.",
        Bound.UP_TO: "The maximum: “up to”, “as much as”.",
        Bound.AT_LEAST: "The minimum: “at least”, “more than”, “over”.",
        Bound.ABOUT: "Rounded: “around”, “nearly”, “an order of magnitude”.",
        Bound.AVERAGE: "The average: “on average”.",
    },
)
_register(
    Direction,
    "ComparisonDirection",
    "How the paper's contribution performs relative to the entity.",
    {
        Direction.BETTER: "Better than the entity.",
        Direction.WORSE: "Worse than the entity.",
        Direction.EQUAL: "About as good as the entity.",
    },
)
_register(
    LineageDirection,
    "LineageDirection",
    "The direction of a lineage.",
    {
        LineageDirection.DESCENDANTS: "What builds on the work.",
        LineageDirection.ANCESTORS: "What the work builds on.",
    },
)
_register(
    PageOrder,
    "PageOrder",
    "The order of works; ties are ordered by id.",
    {
        PageOrder.NAME: "By name.",
        PageOrder.PUBLISHED: "Oldest first, undated last.",
        PageOrder.NEWEST: "Newest first, undated last.",
        PageOrder.PAPERS: "Most papers first, by the number of papers that name the entity.",
    },
)
_register(
    CitationFormat,
    "CitationFormat",
    "The format of a bibliography.",
    {
        CitationFormat.BIBTEX: "An entry of BibTeX.",
        CitationFormat.CSL: "A list with an item of CSL-JSON, as text.",
    },
)
_register(
    LineageOrder,
    "LineageOrder",
    "The order of the works of a lineage; ids break ties.",
    {
        LineageOrder.DEPTH: "By steps from the root, then oldest first.",
        LineageOrder.DATE: "Oldest first, undated last.",
        LineageOrder.NEWEST: "Newest first, undated last.",
    },
)


def _argument(filter: Filter) -> str:
    return f"`{filter.camel_case}{': false' if filter.default is True else ''}`"


_register(
    FilterField,
    "LineageFilter",
    "A filter of a lineage.",
    {each: f"{spelled([each], _argument)}." for each in FilterField},
)
