"""The query parameters of a family tree."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.lineage_document.request import PARAMETERS, LineageRequest
from stemma.server.presentation.reduction import SURE

BOTH = "both"
FIRST = 60
MOST = 500
"""How many works a picture has at most."""
MOST_EXPANDED = 40
_DEPTH = 2
_BOTH = (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
_OWN = ("includeGeneral", "includeImplied", "first", "expand")


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """What is asked of a family tree; `asked` is the same of a lineage document.

    `directions` are both by default. Without `general`, general terms (GPU, quantization) are left
    out, and what is reached only through them; without `implied`, edges that follow from others.
    `first` works are drawn, and also the neighbours of those in `expanded` (ids).
    """

    asked: LineageRequest
    directions: tuple[LineageDirection, ...] = _BOTH
    general: bool = False
    first: int = FIRST
    expanded: tuple[str, ...] = ()
    implied: bool = False

    @classmethod
    def parse(cls, parameters: QueryParams) -> "TreeRequest":
        """Parse query parameters: those of a lineage document, and some of its own.

        What a form left empty is not given. Raises ValueError, which names what is allowed.
        """
        is_both = parameters.get("direction", "").strip().lower() in ("", BOTH)
        if is_both:
            others = [each for each in parameters.multi_items() if each[0] != "direction"]
            parameters = QueryParams(others)
        given = QueryParameters(parameters, (*PARAMETERS, *_OWN))
        asked = LineageRequest.of(given, _DEPTH)
        return cls(
            asked,
            _BOTH if is_both else (asked.direction,),
            given.truth("includeGeneral", default=False),
            given.number("first", FIRST, MOST),
            given.texts("expand", MOST_EXPANDED),
            given.truth("includeImplied", default=False),
        )

    @property
    def direction(self) -> str:
        """The directions as one word."""
        return BOTH if len(self.directions) > 1 else self.directions[0].value

    @property
    def folds(self) -> bool:
        """Whether works with one neighbour only are folded: who asks for many works gets them."""
        return self.first <= FIRST

    def shared(self) -> dict[str, str]:
        """Return the parameters of a lineage document, except for its direction."""
        asked = self.asked
        found = {"maxDepth": str(asked.max_depth)}
        if asked.filter.relations:
            found["relations"] = ",".join(asked.filter.relations)
        if asked.filter.min_confidence:
            found["minConfidence"] = f"{asked.filter.min_confidence:g}"
        if not asked.filter.include_catalogue:
            found["includeCatalogue"] = "false"
        if asked.filter.as_of:
            found["asOf"] = str(asked.filter.as_of)
        if asked.kinds:
            found["kinds"] = ",".join(asked.kinds)
        if asked.year_from is not None:
            found["yearFrom"] = str(asked.year_from)
        if asked.year_to is not None:
            found["yearTo"] = str(asked.year_to)
        return found

    def query(self) -> str:
        """Return the query that asks for this, without what is so by default."""
        given = {name: [value] for name, value in self.shared().items()}
        if self.asked.max_depth == _DEPTH:
            del given["maxDepth"]
        if self.direction != BOTH:
            given["direction"] = [self.direction]
        if self.general:
            given["includeGeneral"] = ["true"]
        if self.implied:
            given["includeImplied"] = ["true"]
        if self.first != FIRST:
            given["first"] = [str(self.first)]
        given["expand"] = list(self.expanded)
        return urlencode(given, doseq=True, safe="/,")

    def expanding(self, work: str) -> "TreeRequest":
        """Ask for the neighbours of a work as well."""
        return replace(self, expanded=tuple(dict.fromkeys((*self.expanded, work))))

    def folding(self, work: str) -> "TreeRequest":
        """Ask without the neighbours that were added to a work."""
        return replace(self, expanded=tuple(each for each in self.expanded if each != work))

    def showing(self, first: int) -> "TreeRequest":
        """Ask for so many works."""
        return replace(self, first=min(first, MOST))

    def with_general_terms(self) -> "TreeRequest":
        """Ask for general terms as well."""
        return replace(self, general=True)

    def with_implied_edges(self, shown: bool) -> "TreeRequest":
        """Ask for edges that follow from others as well, or not."""
        return replace(self, implied=shown)

    def of_sure_edges(self) -> "TreeRequest":
        """Ask for no edge that is drawn faint."""
        sure = replace(self.asked.filter, min_confidence=SURE)
        return replace(self, asked=replace(self.asked, filter=sure))

    def of_all_works(self) -> "TreeRequest":
        """Ask for works of all kinds and years."""
        return replace(self, asked=replace(self.asked, kinds=(), year_from=None, year_to=None))
