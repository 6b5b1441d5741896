"""Views of a work with all that is known of it."""

from dataclasses import dataclass
from typing import Self

from stemma.graph import Reader
from stemma.graph.comparing import Aspect, Profile
from stemma.server.views.page import StatementPage, cut_statements
from stemma.server.views.side_by_side import named
from stemma.server.views.statement import EdgeView, StatementView, works_of_edges
from stemma.server.views.view import View, derived, documented
from stemma.server.views.work import NameView, WorkView, work_views


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProfileView(View[Profile]):
    """A work, and the statements of papers and of the catalogue about it."""

    cites = True
    work: WorkView = documented("The work.")
    introduced_by: tuple[NameView, ...] = derived(
        "The papers that introduce an entity.",
        lambda model: [paper for paper in model.papers if paper.id != model.work.id],
    )
    builds_on: tuple[EdgeView, ...] = derived(
        "The edges to the works that it derives from.", "parents"
    )
    built_on_by: tuple[EdgeView, ...] = derived(
        "The edges to the works that derive from it.", "children"
    )
    hardware: tuple[NameView, ...] = named(Aspect.HARDWARE)
    frameworks: tuple[NameView, ...] = named(Aspect.FRAMEWORKS)
    techniques: tuple[NameView, ...] = named(Aspect.TECHNIQUES)
    models: tuple[NameView, ...] = named(Aspect.MODELS)
    datasets: tuple[NameView, ...] = named(Aspect.DATASETS)
    baselines: tuple[NameView, ...] = named(Aspect.BASELINES, "compare with")
    rows_of = ("statements", StatementView)
    statements: StatementPage = documented(
        "Statements with it as subject or entity, by confidence; facts of the catalogue last."
    )

    @classmethod
    def of(
        cls, reader: Reader, profile: Profile, first: int | None = None, after: str | None = None
    ) -> Self:
        """Return the view of a profile, with the `first` statements, or all of them.

        Raises BadCursorError where `after` is not the id of one of its statements.
        """
        every = profile.statements
        page = cut_statements(every, len(every) if first is None else first, after)
        statements = StatementPage.of(reader, page)
        ids = works_of_edges((*profile.parents, *profile.children))
        works = reader.works(ids | {*getattr(profile.work, "broader", ())})
        return cls(
            work=work_views(reader, [profile.work], with_text=True)[profile.work.id],
            statements=statements,
            model=profile,
            named={**statements.named, **works},
        )

    def aspects(self) -> dict[Aspect, tuple[NameView, ...]]:
        """Return what its papers name, by aspect."""
        return {aspect: getattr(self, aspect.value) for aspect in Aspect}
