"""Selections: the filters, the order and the page of every question to a graph, defined once.

A field of `Selection` says all there is to say of a filter: its name, its default, the values that
it accepts, its description, and its spelling on the command line. The options of commands, the
arguments of GraphQL and of tools for assistants, the parameters of URLs and the keywords of the
Python API are made from these fields.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from stemma.schema import (
    LINEAGE_RELATIONS,
    Direction,
    Entity,
    EntityKind,
    Paper,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.schema.name import word_key

if TYPE_CHECKING:
    from stemma.graph.lineage import LineageNode

Item = TypeVar("Item")
Member = TypeVar("Member", bound=StrEnum)

DEEPEST_LINEAGE = 20
"""Steps of a lineage that a question may ask for."""
LARGEST_LINEAGE = 2000
"""Works that a question may ask for in one page of a lineage."""
MOST_RESULTS = 1_000_000
"""More results than any answer has: asks for all of them."""
_YEAR: dict[str, Any] = {"of": int, "minimum": 1, "maximum": 9999}


class FilterError(ValueError):
    """A filter that nothing can pass, whatever the graph holds; the message says why."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A paper meets it by having one of `relations` (any, if none is given) to one of `entities`.

    These are ids; where ids of papers are among them, those papers meet it as well. With
    `include_narrower`, cases of the entities count too: `papers_filter` replaces it by their ids.
    `excluded`: papers meet it that otherwise would not.
    """

    entities: tuple[str, ...]
    relations: tuple[RelationType, ...] = ()
    excluded: bool = False
    include_narrower: bool = False

    def is_met_by(self, statement: Statement) -> bool:
        """Return whether a paper meets it because of this statement."""
        return (
            not self.excluded
            and statement.entity in self.entities
            and statement.relation in (self.relations or RelationType)
        )


class LineageDirection(StrEnum):
    """The direction of a lineage."""

    DESCENDANTS = "descendants"
    """What builds on the work."""
    ANCESTORS = "ancestors"
    """What the work builds on."""


class LineageOrder(StrEnum):
    """The order of the works of a lineage; ids break ties."""

    DEPTH = "depth"
    """By steps from the root, then oldest first."""
    DATE = "date"
    """Oldest first, undated last."""
    NEWEST = "newest"
    """Newest first, undated last."""


class PageOrder(StrEnum):
    """The order of works; ties are ordered by id."""

    NAME = "name"
    """By name."""
    PUBLISHED = "published"
    """Oldest first, undated last."""
    NEWEST = "newest"
    """Newest first, undated last."""
    PAPERS = "papers"
    """Most papers first, by the number of papers that name the entity."""


class FilterField(StrEnum):
    """What leaves works out of a lineage: kinds and years choose works, the others its edges."""

    RELATIONS = "RELATIONS"
    MIN_CONFIDENCE = "MIN_CONFIDENCE"
    INCLUDE_CATALOGUE = "INCLUDE_CATALOGUE"
    AS_OF = "AS_OF"
    KINDS = "KINDS"
    YEARS = "YEARS"

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of its filters: see `Selection`."""
        return ("since", "until") if self is FilterField.YEARS else (self.value.lower(),)


SHOWN_FIELDS = (FilterField.KINDS, FilterField.YEARS)
EDGE_FIELDS = tuple(part for part in FilterField if part not in SHOWN_FIELDS)
EDGES = tuple(name for part in EDGE_FIELDS for name in part.filters)
"""The filters of the statements behind the edges of a lineage."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter as an interface shows it: see `Selection`.

    `type` is that of one value; with `many`, a selection has a tuple of such values. Numbers are
    between `minimum` and `maximum`, if these are given. `called` is the name that interfaces show,
    `option` the spelling on the command line, where they differ from the name.
    """

    name: str
    type: type
    default: Any
    help: str
    many: bool = False
    minimum: float | None = None
    maximum: float | None = None
    called: str | None = None
    option: str | None = None

    @property
    def shown(self) -> str:
        """The name that interfaces show: the keyword of Python and of tools for assistants."""
        return self.called or self.name

    @property
    def words(self) -> str:
        """The name as words of a sentence: ``min confidence``."""
        return self.shown.replace("_", " ")

    @property
    def camel_case(self) -> str:
        """The name in GraphQL, in JSON and in URLs: ``minConfidence``."""
        return camel_case(self.shown)

    @property
    def on_command_line(self) -> str:
        """The option: ``--min-confidence``."""
        return self.option or f"--{self.shown.replace('_', '-')}"

    def read(self, value: object) -> Any:
        """Return the value that a user wrote, as a selection holds it.

        None and the empty string mean the default. Members of enumerations may be written in any
        case and with spaces, several of them as a list or separated by commas. Raises FilterError,
        which lists the accepted values.
        """
        if value is None or value == "":
            return self.default
        if not self.many:
            return self.read_one(value)
        values = value.split(",") if isinstance(value, str) else value
        if not isinstance(values, Iterable):
            values = [values]
        return tuple(dict.fromkeys(map(self.read_one, values)))

    def read_one(self, value: object) -> Any:
        """Return one value that a user wrote. Raises FilterError."""
        if issubclass(self.type, StrEnum):
            return member(self.type, value)
        if self.type is PartialDate:
            return value if isinstance(value, PartialDate) else _date(str(value))
        if self.type is bool:
            return self._truth(value)
        if self.type in (int, float):
            return self._number(value)
        return str(getattr(value, "id", value))  # A work stands for its id.

    def _truth(self, value: object) -> bool:
        text = str(value).lower()
        if text not in ("true", "false"):
            raise FilterError(f"{self.words} must be true or false, not {value!r:.100}")
        return text == "true"

    def _number(self, value: object) -> float | int:
        try:
            # Of thousands of digits, only the first say anything.
            number = self.type(value[:20] if isinstance(value, str) else value)
        except (TypeError, ValueError):
            raise FilterError(f"{self.words} must be a number, not {value!r:.100}") from None
        low, high = self.minimum, self.maximum
        if (low is not None and not number >= low) or (high is not None and not number <= high):
            is_range = high is not None and (high < MOST_RESULTS or number > high)
            upto = f"between {low:.7g} and {high:.7g}" if is_range else f"at least {low:.7g}"
            raise FilterError(f"{self.words} must be {upto}, not {value!r:.100}")
        return number  # type: ignore[no-any-return]


def choice(default: Any, help: str, *, of: type, **facts: Any) -> Any:
    """Return a field of `Selection`, with the `facts` of its filter besides its type."""
    return field(default=default, metadata={"type": of, "help": help, **facts})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The part of a graph that a question asks for. By default, nothing is left out.

    `relations`, `min_confidence`, `include_catalogue` and `as_of` choose statements, and so the
    edges of a lineage; `include_general` the works that a lineage leads through; `kinds`, `since`
    and `until` the works that are shown. Raises FilterError where nothing can be selected.

    A `Reader` takes `entity` and `broader` as ids. What `author`, `cites` and `cited_by` mean is in
    the last fields, which `papers_filter` fills and no interface shows: papers that meet all
    `criteria`, of one of `authors`, that cite one of `citing`, and that one of `cited_in` cites.
    """

    direction: LineageDirection = choice(
        LineageDirection.DESCENDANTS,
        "Descendants (what builds on the work) or ancestors (what it builds on).",
        of=LineageDirection,
    )
    max_depth: int = choice(
        3,
        f"Maximum number of steps, at most {DEEPEST_LINEAGE}.",
        of=int,
        minimum=1,
        maximum=DEEPEST_LINEAGE,
        option="--depth",
    )
    relations: tuple[RelationType, ...] = choice(
        (), "Only these relations.", of=RelationType, many=True, option="--relation"
    )
    min_confidence: float = choice(
        0.0, "Minimum confidence, from 0 to 1.", of=float, minimum=0, maximum=1
    )
    include_catalogue: bool = choice(
        True,
        "Include facts of the catalogue, which have no sentence.",
        of=bool,
        option="--catalogue/--no-catalogue",
    )
    include_general: bool = choice(
        True,
        "Include general terms (GPU, quantization), and works that are reached only through them.",
        of=bool,
        option="--general/--no-general",
    )
    as_of: PartialDate | None = choice(
        None,
        "As it was known on this date (2021, 2021-04 or 2021-04-15); excludes statements of later "
        "and of undated papers.",
        of=PartialDate,
    )
    kinds: tuple[EntityKind, ...] = choice(
        (), "Only entities of these kinds.", of=EntityKind, many=True, option="--kind"
    )
    since: int | None = choice(
        None, "First year of publication; leaves out what has no date.", **_YEAR
    )
    until: int | None = choice(
        None, "Last year of publication; leaves out what has no date.", **_YEAR
    )
    general: bool | None = choice(
        None,
        "Only general terms (GPU, quantization); if false, only named works (H100, GPTQ).",
        of=bool,
        option="--general/--works",
    )
    broader: str | None = choice(
        None,
        "Only entities that have this one as a broader one, directly or not (an H100 is a GPU): a "
        "name or an id.",
        of=str,
    )
    entity: str | None = choice(
        None, "About this entity: a name, in any spelling, or an id.", of=str
    )
    text: str | None = choice(None, "Text that the name or title contains.", of=str)
    author: str | None = choice(
        None,
        "Papers of this author: a name, a surname, an id or an ORCID; of several authors of one "
        "name, the papers of all.",
        of=str,
    )
    organization: str | None = choice(
        None,
        "Papers from an organization whose name has these words, or initials (MIT): that of the "
        "paper, or the affiliation of an author.",
        of=str,
    )
    venue: str | None = choice(
        None,
        "Papers in a journal, conference or book whose name has these words, or initials (ICML).",
        of=str,
    )
    cites: str | None = choice(
        None,
        "Papers with this one in their lists of references: a title or an id, or an entity, for "
        "the papers that introduce it.",
        of=str,
    )
    cited_by: str | None = choice(
        None,
        "Papers in the list of references of this one: a title or an id, or an entity, for the "
        "papers that introduce it.",
        of=str,
    )
    compared: bool = choice(False, "Only statements that give the result of a comparison.", of=bool)
    metric: str | None = choice(
        None, "Text that the metric contains, such as `throughput`.", of=str
    )
    min_factor: float | None = choice(
        None,
        "The smallest factor, as sentences state it: 2 for “2.2x”, not for “half”. Of a range of "
        "factors, the lowest counts.",
        of=float,
        minimum=0,
    )
    max_factor: float | None = choice(
        None, "The largest factor; of a range, the highest counts.", of=float, minimum=0
    )
    outcome: Direction | None = choice(None, "How the paper's contribution performs.", of=Direction)
    order: PageOrder | None = choice(None, "The order.", of=PageOrder)
    lineage_order: LineageOrder = choice(
        LineageOrder.DEPTH,
        "By steps from the work, by date, or the newest first; a cursor belongs to an order.",
        of=LineageOrder,
        called="order",
    )
    first: int = choice(100, "Maximum number of results.", of=int, minimum=0, maximum=MOST_RESULTS)
    after: str | None = choice(None, "Continue after this cursor of the previous page.", of=str)
    criteria: tuple[Criterion, ...] = ()
    authors: tuple[str, ...] = ()
    citing: tuple[str, ...] = ()
    cited_in: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise FilterError(f"the first year ({self.since}) is after the last ({self.until})")
        if self.as_of and self.as_of.year is None:
            raise FilterError(f"the as-of date must include a year: {self.as_of}")
        low, high = self.min_factor, self.max_factor
        if low is not None and high is not None and low > high:
            raise FilterError(f"the lowest factor ({low:g}) is above the highest ({high:g})")

    @classmethod
    def read(cls, **values: object) -> Self:
        """Return the selection that a user wrote: see `Filter.read`. Raises FilterError.

        A name that is no filter raises TypeError.
        """
        known = filters()
        if unknown := [value for value in values if value not in known]:
            raise TypeError(f"{unknown[0]!r} is not a filter; filters are {', '.join(known)}")
        return cls(**{name: known[name].read(value) for name, value in values.items()})

    @property
    def lineage_relations(self) -> tuple[RelationType, ...]:
        """The relations that make the edges of a lineage.

        Raises FilterError where a selected relation makes none.
        """
        if others := [relation for relation in self.relations if relation not in LINEAGE_RELATIONS]:
            expected = " or ".join(LINEAGE_RELATIONS)
            raise FilterError(f"not a lineage relation: {others[0]} (expected {expected})")
        return self.relations or LINEAGE_RELATIONS

    @property
    def has_years(self) -> bool:
        """Whether works of some years of publication alone are selected."""
        return self.since is not None or self.until is not None

    def is_of_years(self, date: PartialDate | None) -> bool:
        """Return whether a date is of the selected years; an unknown year is in all years alone."""
        if date is None or date.year is None:
            return not self.has_years
        return (self.since or date.year) <= date.year <= (self.until or date.year)

    @property
    def shows_all(self) -> bool:
        """Whether works of all kinds and years are shown."""
        return not (self.kinds or self.has_years)

    def shows(self, node: "LineageNode") -> bool:
        """Return whether a work is shown. A lineage leads through works that are not, too."""
        return self.is_of_years(node.published) and (
            not self.kinds or (isinstance(node.work, Entity) and node.work.kind in self.kinds)
        )

    def changed(self, **values: Any) -> "Selection":
        """Return this selection with other values of some filters."""
        return replace(self, **values)

    def given(self, names: Iterable[str]) -> dict[str, Any]:
        """Return those of some filters that are not at their defaults, for links and commands."""
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value != getattr(EVERYTHING, name)}


EVERYTHING = Selection()


def fields_to_blame(
    selection: Selection, fields: Iterable[FilterField], passes: Callable[[Selection], bool]
) -> tuple[FilterField, ...]:
    """Return which of some filters leave nothing: those without which something passes, else all.

    `passes` says whether something passes a selection that has some of these filters alone. None
    is to blame where something passes all of them, or where there is nothing even without them.
    """
    active = [part for part in fields if selection.given(part.filters)]

    def passes_with(kept: Collection[FilterField]) -> bool:
        names = [name for part in kept for name in part.filters]
        return passes(Selection(**selection.given(names)))

    if not active or passes_with(active) or not passes_with(()):
        return ()
    needed = [part for part in active if passes_with([other for other in active if other != part])]
    return tuple(needed or active)


@cache
def filters() -> Mapping[str, Filter]:
    """Return all filters by name, in the order of their definition."""
    return {
        filtered.name: Filter(name=filtered.name, default=filtered.default, **filtered.metadata)
        for filtered in fields(Selection)
        if filtered.metadata
    }


LINEAGE = (
    *("direction", "max_depth", "relations", "min_confidence", "include_catalogue"),
    *("include_general", "as_of", "kinds", "since", "until", "lineage_order", "first", "after"),
)
"""The filters of a lineage."""
STATEMENTS = (
    *("entity", "relations", "kinds", "min_confidence", "include_catalogue", "since", "until"),
    *("compared", "metric", "min_factor", "max_factor", "outcome", "first", "after"),
)
"""The filters of statements."""
PAPERS = (
    *("entity", "relations", "since", "until", "text", "author", "organization", "venue"),
    *("cites", "cited_by", "order"),
)
"""The filters of papers."""
ENTITIES = ("kinds", "general", "relations", "text", "since", "until", "broader", "order")
"""The filters of entities."""
SEARCH = ("kinds", "general", "first", "after")
"""The filters of a search."""
WORKS = (
    *("text", "kinds", "general", "broader", "relations", "entity", "since", "until"),
    *("organization", "venue", "criteria", "authors", "citing", "cited_in"),
)
"""What a reader chooses papers or entities by."""
PROVENANCE = ("organization", "venue")
"""Filters by the words of names in the origin of a paper."""
_SMALL = frozenset(("a", "an", "and", "at", "for", "in", "of", "on", "the", "to", "with"))
"""Words of which acronyms have no letter."""


def provenance_of(paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield the words that a paper has for the filters in PROVENANCE, each with the filter.

    The organizations are those that published it, or that an author belongs to. Words that are
    asked for are there one after the other, as Microsoft Research has Microsoft; initials follow.
    """
    organizations = [paper.organization, *(author.affiliation for author in paper.authors)]
    named = [*(("organization", name) for name in organizations), ("venue", paper.venue)]
    for role, words in dict.fromkeys((role, _words(name)) for role, name in named if name):
        initials = (word[0] for word in words.split() if word.isalpha() and word not in _SMALL)
        yield role, f"{words}{' '.join(initials)} "


def provenance_sought(chosen: Selection) -> Iterator[tuple[str, str, str]]:
    """Yield the filters in PROVENANCE that are given, each with two parts of what `provenance_of`
    yields, of which either is enough; the second are initials, if it may be an acronym."""
    for role in PROVENANCE:
        if (name := getattr(chosen, role)) is not None:
            letters = (words := _words(name)).strip()
            is_acronym = letters.isalpha() and len(letters) > 2
            yield role, words, f" {' '.join(letters)} " if is_acronym else words


def _words(name: str) -> str:
    return word_key(name).replace(" neurips ", " nips ")


def written(value: object) -> str:
    """Return the value of a filter as it is written in URLs and ids; `Filter.read` reads it."""
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def spelled(fields: Iterable[FilterField], spell: Callable[[Filter], str]) -> str:
    """Return fields of a filter in words, as an interface spells filters: "`kinds` and `since`"."""
    return " and ".join(
        " or ".join(spell(filters()[name]) for name in part.filters) for part in fields
    )


def member(members: type[Member], value: object) -> Member:
    """Return the member of an enumeration that a user wrote: "BUILDS_ON", "builds on", "builds-on".

    Raises FilterError, which lists the members.
    """
    name = str(value).strip().casefold().replace(" ", "_").replace("-", "_")
    for known in members:
        if name in (known.value.casefold(), known.name.casefold()):
            return known
    near = get_close_matches(name[:100].upper(), list(members), 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise FilterError(f"{value!r:.100} is not one of {', '.join(members)}{meant}")


def _date(text: str) -> PartialDate:
    with suppress(ValueError):
        date = PartialDate.parse(text)
        if date.year is not None:
            return date
    raise FilterError(f"not a date (2021, 2021-04 or 2021-04-15): {text!r}")


def camel_case(name: str) -> str:
    """Return a name as GraphQL and JSON have it: ``min_confidence`` is ``minConfidence``."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


# Pages of what was selected.


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Works or statements in order; `total` counts all that are selected, on all pages.

    `has_next` says whether more follow the last, `has_previous` whether some come before the
    first. Where a page is bounded by a cursor, there is at least the item of that cursor.
    `truncated`: there may be more than `total`, which were not looked at. `alike`: nothing matches
    a search, and these are spelt like it.
    """

    items: tuple[Item, ...]
    total: int
    has_next: bool = False
    has_previous: bool = False
    truncated: bool = False
    alike: bool = False


StatementKey = tuple[str, RelationType, str]
"""What a statement is unique by: `Statement.key`."""
