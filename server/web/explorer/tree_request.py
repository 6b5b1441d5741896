"""The query parameters of a family tree."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection, Selection
from stemma.graph.selection import DEEPEST_LINEAGE, LINEAGE
from stemma.server.http.selection_parameters import read_parameters, written
from stemma.server.web.pages import path

BOTH = "both"
FIRST = 24
"""How many works are drawn by default: as many as a window has room for in legible letters."""
MOST = 500
"""How many works a picture has at most."""
_MOST_EXPANDED = 40
_USUAL = {"max_depth": DEEPEST_LINEAGE, "first": FIRST, "include_general": False}
_FAMILY = Selection(**_USUAL)  # type: ignore[arg-type]
_BOTH = (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
_FILTERS = [name for name in LINEAGE if name not in ("after", "lineage_order")]
_FORM = ("direction", "max_depth", "min_confidence", "kinds", "since", "until", "include_general")
"""The filters that have a field in the form."""


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """The part of a family tree that a request asks for, by default in both `directions`.

    The `first` works of the selection are drawn, and the neighbours of those in `expanded` (ids).
    """

    selection: Selection = _FAMILY
    directions: tuple[LineageDirection, ...] = _BOTH
    expanded: tuple[str, ...] = ()

    @classmethod
    def parse(cls, parameters: QueryParams) -> "TreeRequest":
        """Parse query parameters: those of a selection, and `expand`.

        What a form left empty is not given. Raises ValueError, which names what is allowed.
        """
        is_both = parameters.get("direction", "").strip().lower() in ("", BOTH)
        given = [e for e in parameters.multi_items() if not is_both or e[0] != "direction"]
        selection, others = read_parameters(QueryParams(given), _FILTERS, ("expand",), **_USUAL)
        if not 1 <= selection.first <= MOST:
            raise ValueError(f"'first' must be between 1 and {MOST}, not {selection.first}")
        directions = _BOTH if is_both else (selection.direction,)
        return cls(selection, directions, others.texts("expand", _MOST_EXPANDED))

    @property
    def direction(self) -> str:
        """The directions as one word."""
        return BOTH if len(self.directions) > 1 else self.directions[0].value

    @property
    def is_filtered(self) -> bool:
        """Whether some works of the family are left out by a filter."""
        return self.selection.changed(first=FIRST, direction=_FAMILY.direction) != _FAMILY

    @property
    def unchanged(self) -> dict[str, str]:
        """The query parameters for which the form has no field, to be sent with it."""
        names = [each for each in _FILTERS if each not in _FORM]
        return written(self.selection, names, **_USUAL)

    @property
    def query(self) -> str:
        """The query that asks for this, without what is so by default."""
        names = [name for name in _FILTERS if name != "direction"]
        given = {name: [value] for name, value in written(self.selection, names, **_USUAL).items()}
        if self.direction != BOTH:
            given["direction"] = [self.direction]
        given["expand"] = list(self.expanded)
        return urlencode(given, doseq=True, safe="/,")

    def address(self, root: str) -> str:
        """Return the address of the page of the tree of a work (an id)."""
        return f"/lineage/{path(root)}{'?' * bool(self.query)}{self.query}"

    def expanding(self, work: str) -> "TreeRequest":
        """Ask for the neighbours of a work as well, or not any more if they were asked for."""
        others = tuple(each for each in self.expanded if each != work)
        return replace(self, expanded=others if work in self.expanded else (*others, work))

    def showing(self, first: int) -> "TreeRequest":
        """Return this request with `first` works."""
        return replace(self, selection=self.selection.changed(first=min(first, MOST)))
