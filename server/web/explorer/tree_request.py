"""The query parameters of a family tree."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection, Selection
from stemma.graph.selection import LINEAGE
from stemma.server.http.selection_parameters import read_parameters, written
from stemma.server.web.reduction import SURE

BOTH = "both"
FIRST = 60
MOST = 500
"""How many works a picture has at most."""
MOST_EXPANDED = 40
_USUAL = {"max_depth": 2, "first": FIRST, "include_general": False}
_FAMILY = Selection(**_USUAL)  # type: ignore[arg-type]
_BOTH = (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
_OTHERS = ("includeImplied", "expand")
_FILTERS = [name for name in LINEAGE if name not in ("after", "lineage_order")]


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """What is asked of a family tree.

    `directions` are both by default. Without `implied`, edges that follow from others are left out.
    The `first` works of the selection are drawn, and the neighbours of those in `expanded` (ids).
    """

    selection: Selection = _FAMILY
    directions: tuple[LineageDirection, ...] = _BOTH
    expanded: tuple[str, ...] = ()
    implied: bool = False

    @classmethod
    def parse(cls, parameters: QueryParams) -> "TreeRequest":
        """Parse query parameters: those of a selection, and some of its own.

        What a form left empty is not given. Raises ValueError, which names what is allowed.
        """
        is_both = parameters.get("direction", "").strip().lower() in ("", BOTH)
        if is_both:
            parameters = QueryParams(
                [each for each in parameters.multi_items() if each[0] != "direction"]
            )
        selection, others = read_parameters(parameters, _FILTERS, _OTHERS, **_USUAL)
        if not 1 <= selection.first <= MOST:
            raise ValueError(f"'first' must be between 1 and {MOST}, not {selection.first}")
        return cls(
            selection,
            _BOTH if is_both else (selection.direction,),
            others.texts("expand", MOST_EXPANDED),
            others.truth("includeImplied", default=False),
        )

    @property
    def direction(self) -> str:
        """The directions as one word."""
        return BOTH if len(self.directions) > 1 else self.directions[0].value

    @property
    def first(self) -> int:
        """How many works are drawn, without those at expanded ones."""
        return self.selection.first

    @property
    def folds(self) -> bool:
        """Whether works with one neighbour only are folded: who asks for many works gets them."""
        return self.first <= FIRST

    def document(self, direction: str) -> dict[str, str]:
        """Return the query parameters of the whole lineage in a direction."""
        names = [name for name in _FILTERS if name not in ("direction", "include_general", "first")]
        return {"direction": direction, **written(self.selection, names, max_depth=0)}

    def query(self) -> str:
        """Return the query that asks for this, without what is so by default."""
        names = [name for name in _FILTERS if name != "direction"]
        given = {name: [value] for name, value in written(self.selection, names, **_USUAL).items()}
        if self.direction != BOTH:
            given["direction"] = [self.direction]
        if self.implied:
            given["includeImplied"] = ["true"]
        given["expand"] = list(self.expanded)
        return urlencode(given, doseq=True, safe="/,")

    def expanding(self, work: str) -> "TreeRequest":
        """Ask for the neighbours of a work as well."""
        return replace(self, expanded=tuple(dict.fromkeys((*self.expanded, work))))

    def folding(self, work: str) -> "TreeRequest":
        """Ask without the neighbours that were added to a work."""
        return replace(self, expanded=tuple(each for each in self.expanded if each != work))

    def near(self, first: int) -> "TreeRequest":
        """Ask for so many works one step away."""
        return self._selecting(max_depth=1, first=first)

    def showing(self, first: int) -> "TreeRequest":
        """Ask for so many works."""
        return self._selecting(first=min(first, MOST))

    def with_general_terms(self) -> "TreeRequest":
        """Ask for general terms as well."""
        return self._selecting(include_general=True)

    def with_implied_edges(self, shown: bool) -> "TreeRequest":
        """Ask for edges that follow from others as well, or not."""
        return replace(self, implied=shown)

    def of_sure_edges(self) -> "TreeRequest":
        """Ask for no edge that is drawn faint."""
        return self._selecting(min_confidence=SURE)

    def of_all_works(self) -> "TreeRequest":
        """Ask for works of all kinds and years."""
        return self._selecting(kinds=(), since=None, until=None)

    def _selecting(self, **values: object) -> "TreeRequest":
        return replace(self, selection=self.selection.changed(**values))
