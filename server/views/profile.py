"""Views of a work with all that is known of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from stemma.graph import Reader, Work
from stemma.graph.comparing import Aspect, Profile
from stemma.graph.store import page_bounds
from stemma.server.views.statement import (
    EdgeView,
    StatementView,
    statement_id,
    works_of,
    works_of_edges,
)
from stemma.server.views.view import View, documented
from stemma.server.views.work import NameView, WorkView, name_views, work_views


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProfileView(View):
    """A work, and the statements of papers and of the catalogue about it."""

    work: WorkView = documented("The work.")
    introduced_by: tuple[NameView, ...] = documented("The papers that introduce an entity.")
    builds_on: tuple[EdgeView, ...] = documented("The edges to the works that it derives from.")
    built_on_by: tuple[EdgeView, ...] = documented("The edges to the works that derive from it.")
    hardware: tuple[NameView, ...] = documented("The hardware that its papers name.")
    frameworks: tuple[NameView, ...] = documented("The frameworks that its papers name.")
    techniques: tuple[NameView, ...] = documented("The techniques that its papers name.")
    models: tuple[NameView, ...] = documented("The models that its papers name.")
    datasets: tuple[NameView, ...] = documented("The datasets that its papers name.")
    baselines: tuple[NameView, ...] = documented("The baselines that its papers compare with.")
    rows_of = ("statements", StatementView)
    statements: tuple[StatementView, ...] = documented(
        "Statements with it as subject or entity, by confidence."
    )
    statement_count: int = documented("The number of all its statements.")
    end_cursor: str | None = documented("Pass it as `after` for more statements.")
    model: Profile = field(compare=False)
    named: Mapping[str, Work] = field(default_factory=dict, compare=False)
    """The works that edges and statements mention, and broader entities."""

    @classmethod
    def of(
        cls,
        reader: Reader,
        profile: Profile,
        first: int | None = None,
        after: str | None = None,
    ) -> Self:
        """Return the view of a profile, with the `first` statements, or all of them.

        Raises BadCursorError where `after` is not the id of one of its statements.
        """
        ids_of_statements = [statement_id(each) for each in profile.statements]
        begin, end = page_bounds(
            ids_of_statements, len(ids_of_statements) if first is None else first, after
        )
        listed = profile.statements[begin:end]
        edges = (*profile.parents, *profile.children)
        ids = works_of_edges(edges) | works_of(listed)
        ids |= set(getattr(profile.work, "broader", ()))
        named = reader.works(ids)
        return cls(
            work=work_views(reader, [profile.work], with_text=True)[profile.work.id],
            introduced_by=name_views(
                paper for paper in profile.papers if paper.id != profile.work.id
            ),
            builds_on=tuple(EdgeView.of(each, named) for each in profile.parents),
            built_on_by=tuple(EdgeView.of(each, named) for each in profile.children),
            **{aspect.value: name_views(entities) for aspect, entities in profile.aspects.items()},
            statements=tuple(StatementView.of(each, named) for each in listed),
            statement_count=len(profile.statements),
            end_cursor=ids_of_statements[end - 1]
            if listed and end < len(ids_of_statements)
            else None,
            model=profile,
            named=named,
        )

    def aspects(self) -> dict[Aspect, tuple[NameView, ...]]:
        """Return what its papers name, by aspect."""
        return {aspect: getattr(self, aspect.value) for aspect in Aspect}
