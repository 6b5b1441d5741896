"""Answers of the Python API, with what a notebook needs to show them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from stemma.graph import Lineage, Reader, Work, kind_of
from stemma.graph.comparing import SideBySide
from stemma.graph.path import Path
from stemma.graph.searching import FoundPage
from stemma.schema import LINEAGE_RELATIONS, Paper, PartialDate, Statement
from stemma.schema.quantity import quantity
from stemma.server.asking import Answer
from stemma.server.named import (
    NamedEdge,
    NamedStatement,
    name_of,
    named_edges,
    named_statements,
    values,
)
from stemma.server.presentation import html
from stemma.server.presentation.bibliography import CitationFormat, bibliography
from stemma.server.presentation.data import (
    introducing,
    works_of,
    works_of_edges,
    works_of_statements,
)
from stemma.server.presentation.link import links
from stemma.server.presentation.picture import lineage_svg

if TYPE_CHECKING:
    import pandas


class Citable:
    """An answer whose papers can be cited."""

    __slots__ = ()

    named: Mapping[str, Work]

    def _works(self) -> Iterable[Work]:
        return self.named.values()

    def to_bibtex(self) -> str:
        """Return the papers behind the answer as BibTeX."""
        return bibliography(self._works(), CitationFormat.BIBTEX)

    def to_csl(self) -> str:
        """Return the papers behind the answer as CSL-JSON."""
        return bibliography(self._works(), CitationFormat.CSL)


class FoundWorks(Citable, list[Work]):
    """The works on a page of what a search found.

    `total` counts those on all pages; the next one follows `end_cursor`, None on the last. `alike`
    says that nothing matches, and that these are spelt much like it.
    """

    def __init__(self, page: FoundPage, dates: Mapping[str, PartialDate] | None = None) -> None:
        super().__init__(page.works)
        self.total, self.end_cursor, self.alike = page.total, page.end_cursor, page.alike
        self.dates = dates or {}

    @classmethod
    def of(cls, page: FoundPage, reader: Reader) -> Self:
        """Fetch what is needed to show `page`."""
        return cls(page, reader.published([work.id for work in page.works]))

    def _works(self) -> Iterable[Work]:
        return self

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each work. Raises ImportError where pandas is not installed.

        Columns: `id`, `name`, `kind` ("paper" for papers), `published` (EDTF or None), and for
        papers `authors` (separated by semicolons), `venue`, `doi` and `url`.
        """
        return _works_frame(self, self.dates)

    def _repr_html_(self) -> str:
        more = self.total - len(self)
        return html.works_html(self, self.dates, f"{more:,} more" if more > 0 else "")

    def __repr__(self) -> str:
        names = ", ".join(work.name for work in self)
        return f"<{len(self)} of {quantity(self.total, 'work')}: {names}>"


class FoundStatements(Citable, list[NamedStatement]):
    """Statements, the surest first."""

    def __init__(self, statements: Iterable[Statement], works: Mapping[str, Work]) -> None:
        super().__init__(named_statements(statements, works))
        self.named = works

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each statement. Raises ImportError where pandas is not installed.

        Columns: `subject` and `entity` (ids), their names, `relation`, `confidence`, `comparison`
        in words and its `factor`, `metric` and `direction`, `sentence` and its `section` (None for
        an abstract), and `origin`.
        """
        return _frame([_statement_row(each) for each in self], _STATEMENT_COLUMNS)

    def _repr_html_(self) -> str:
        return html.statements_html(self, self.named)

    def __repr__(self) -> str:
        return f"[{', '.join(f'<{each}>' for each in self)}]"


@dataclass(frozen=True, slots=True, repr=False)
class NotebookLineage(Citable, Lineage):
    """A lineage that a notebook shows as a picture.

    `named` are the works that it and its evidence mention, `dates` those of its works, of the root
    and of works on earlier pages as well.
    """

    edges: tuple[NamedEdge, ...]
    named: Mapping[str, Work] = field(default_factory=dict)
    dates: Mapping[str, PartialDate] = field(default_factory=dict)

    @classmethod
    def of(cls, lineage: Lineage, reader: Reader) -> Self:
        """Fetch what is needed to show `lineage`."""
        root = lineage.root.id
        ends = {end for edge in lineage.edges for end in (edge.child, edge.parent)}
        works = {
            **works_of(reader, lineage),
            **introducing(reader, lineage),
            root: lineage.root,
        }
        return cls(
            **{**values(lineage), "edges": named_edges(lineage.edges, works)},
            named=works,
            dates=reader.published({root, *ends}),
        )

    def to_svg(self) -> str:
        """Return a picture: older works left, later ones right, sentences where one points."""
        return lineage_svg(self, self.named, self.dates.get(self.root.id))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each edge. Raises ImportError where pandas is not installed.

        Columns: `child` and `parent` (ids), their names and dates (EDTF or None), `depth` of the
        work that is farther from the root, `relations` ("BUILDS_ON, IMPROVES_ON"), `builds_on` and
        `improves_on` (the confidence of each alone, or None), `confidence`, `anachronism`, and of
        the surest statement with a sentence that sentence and its paper.
        """
        depths = {node.work.id: node.depth for node in self.nodes}
        return _frame(
            [
                {
                    **_row(edge),
                    "child_published": _date(self.dates.get(edge.child)),
                    "parent_published": _date(self.dates.get(edge.parent)),
                    "depth": max(depths.get(edge.child, 0), depths.get(edge.parent, 0)),
                }
                for edge in self.edges
            ],
            (*_EDGE_COLUMNS, "child_published", "parent_published", "depth"),
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        evidence = html.folded("Evidence", html.edges_html(self.edges, self.named))
        return f'<div style="overflow-x:auto">{self.to_svg()}</div>{evidence}'

    def __repr__(self) -> str:
        more = ", and more" if self.truncated else _left_out(self)
        return (
            f"<lineage of {self.root.name}: "
            f"{quantity(len(self.nodes), self.direction.value[:-1])}, "
            f"{quantity(len(self.edges), 'edge')}{more}>"
        )


@dataclass(frozen=True, slots=True, repr=False)
class NotebookComparison(Citable, SideBySide):
    """Two works side by side, which a notebook shows as a table."""

    lineage: "NotebookPath"
    statements: tuple[NamedStatement, ...]
    named: Mapping[str, Work] = field(default_factory=dict)

    def _works(self) -> Iterable[Work]:
        return (*self.named.values(), *self.compared_by)

    @classmethod
    def of(cls, found: SideBySide, reader: Reader) -> Self:
        """Fetch what is needed to show `found`."""
        named = {
            **works_of_edges(reader, found.lineage.edges),
            **works_of_statements(reader, found.statements),
        }
        return cls(
            **{
                **values(found),
                "lineage": NotebookPath.of(found.lineage, reader),
                "statements": named_statements(found.statements, named),
            },
            named=named,
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each entity of either: `aspect`, `id`, `name`, and in which it is."""
        return _frame(
            [
                {
                    "aspect": aspect.value,
                    "id": entity.id,
                    "name": entity.name,
                    "left": side != "right",
                    "right": side != "left",
                }
                for aspect, both in self.aspects.items()
                for side in ("shared", "left", "right")
                for entity in getattr(both, side)
            ],
            ("aspect", "id", "name", "left", "right"),
        )

    def _repr_html_(self) -> str:
        return html.side_by_side_html(self, self.named)

    def __repr__(self) -> str:
        return f"<{self.left.work.name} and {self.right.work.name} side by side>"


@dataclass(frozen=True, slots=True, repr=False)
class NotebookAnswer(Citable, Answer):
    """An answer that a notebook shows with its evidence."""

    statements: tuple[NamedStatement, ...] = ()
    named: Mapping[str, Work] = field(default_factory=dict)
    dates: Mapping[str, PartialDate] = field(default_factory=dict)

    def _works(self) -> Iterable[Work]:
        return (*self.named.values(), *self.works)

    @classmethod
    def of(cls, answer: Answer, reader: Reader) -> Self:
        """Fetch what is needed to show `answer`."""
        works = works_of_statements(reader, answer.statements)
        statements = named_statements(answer.statements, works)
        dates = reader.published([work.id for work in answer.works])
        return cls(**{**values(answer), "statements": statements}, named=works, dates=dates)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each of its works, as those of a search."""
        return _works_frame(self.works, self.dates)

    def _repr_html_(self) -> str:
        return html.answer_html(self, self.named)

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class NotebookPath(Citable, Path):
    """A way between two works, which a notebook shows as a table."""

    edges: tuple[NamedEdge, ...]
    named: Mapping[str, Work] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path, reader: Reader) -> Self:
        """Fetch what is needed to show `path`."""
        named = {**reader.works([path.start, path.goal]), **works_of_edges(reader, path.edges)}
        return cls(**{**values(path), "edges": named_edges(path.edges, named)}, named=named)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a row for each step, as that of a lineage without dates and depth."""
        return _frame([_row(edge) for edge in self.edges], _EDGE_COLUMNS)

    def __iter__(self) -> Iterator[NamedEdge]:
        return iter(self.edges)

    def __len__(self) -> int:
        return len(self.edges)

    def _repr_html_(self) -> str:
        return html.edges_html(self.edges, self.named)

    def __repr__(self) -> str:
        ends = (name_of(self.start, self.named), name_of(self.goal, self.named))
        return f"<path from {ends[0]} to {ends[1]}: {quantity(len(self.edges), 'step')}>"


_WORK_COLUMNS = ("id", "name", "kind", "published", "authors", "venue", "doi", "url")
_STATEMENT_COLUMNS = (
    *("subject", "subject_name", "relation", "entity", "entity_name", "confidence"),
    *("comparison", "factor", "metric", "direction", "sentence", "section", "origin"),
)
_EDGE_COLUMNS = (
    "child",
    "child_name",
    "parent",
    "parent_name",
    "relations",
    *(relation.value.lower() for relation in LINEAGE_RELATIONS),
    "confidence",
    "anachronism",
    "sentence",
    "paper",
)


def _left_out(found: Lineage) -> str:
    """Say which filters left out what there is."""
    filters = " and ".join(each.value.lower() for each in found.emptied_by)
    return f", all excluded by {filters}" if filters else ""


def _row(edge: NamedEdge) -> dict[str, Any]:
    first = next((each for each in edge.statements if each.evidence), None)
    return {
        "child": edge.child,
        "child_name": edge.child_name,
        "parent": edge.parent,
        "parent_name": edge.parent_name,
        "relations": ", ".join(relation.value for relation in edge.relations),
        **{each.value.lower(): edge.confidences.get(each) for each in LINEAGE_RELATIONS},
        "confidence": edge.confidence,
        "anachronism": edge.anachronism,
        "sentence": first.evidence[0].text if first else None,
        "paper": first.subject_name if first else None,
    }


def _works_frame(works: Iterable[Work], dates: Mapping[str, PartialDate]) -> "pandas.DataFrame":
    return _frame([_work_row(each, dates.get(each.id)) for each in works], _WORK_COLUMNS)


def _work_row(work: Work, published: PartialDate | None) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(_WORK_COLUMNS)
    row |= {"id": work.id, "name": work.name, "kind": kind_of(work), "published": _date(published)}
    if isinstance(work, Paper):
        row |= {
            "authors": "; ".join(each.name for each in work.authors) or None,
            "venue": work.venue,
            "doi": work.doi,
            "url": next(iter(links(work)), None),
        }
    return row


def _statement_row(statement: NamedStatement) -> dict[str, Any]:
    compared = statement.comparison
    evidence = next(iter(statement.evidence), None)
    return {
        "subject": statement.subject,
        "subject_name": statement.subject_name,
        "relation": statement.relation.value,
        "entity": statement.entity,
        "entity_name": statement.entity_name,
        "confidence": statement.confidence,
        "comparison": str(compared) if compared else None,
        "factor": compared.factor if compared else None,
        "metric": compared.metric if compared else None,
        "direction": compared.direction.value if compared and compared.direction else None,
        "sentence": evidence.text if evidence else None,
        "section": evidence.section if evidence else None,
        "origin": statement.origin,
    }


def _date(date: PartialDate | None) -> str | None:
    return str(date) if date else None


def _frame(rows: list[dict[str, Any]], columns: Sequence[str]) -> "pandas.DataFrame":
    try:
        import pandas  # noqa: PLC0415 - an extra
    except ImportError:
        raise ImportError(
            "to_pandas() needs pandas, which is not installed: pip install 'stemma[pandas]'"
        ) from None
    return pandas.DataFrame(rows, columns=list(columns))
