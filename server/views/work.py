"""Views of works: papers and entities, by name alone or with all that is known of them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from stemma.graph import Reader, Work
from stemma.schema import Entity, EntityKind, Paper, PartialDate
from stemma.schema.paper import Author, Source
from stemma.server.views.view import View, derived, documented

DOI, ARXIV = "doi.org/", "arxiv.org/abs/"
WHEN_PUBLISHED = (
    "The date of publication, as far as it is known. An entity is published with the first paper "
    "that introduces it, or in the year that the catalogue has for it, if that is earlier."
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NameView(View[Any]):
    """A paper or an entity by id and name."""

    id: str = documented("Readable and typed: `entity/zero-infinity`, `paper/…`.")
    name: str = documented("The name of an entity, or the title of a paper.")

    @classmethod
    def part(cls, model: str | Work, whole: View[Any]) -> "NameView":
        """Name a work, or one (an id) that the whole has named; else its id is its name."""
        if isinstance(model, str) and model not in whole.named:
            return NameView(id=model, name=model)
        work = whole.named[model] if isinstance(model, str) else model
        return NameView(id=work.id, name=work.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WorkView(NameView):
    """A paper or an entity."""

    id: str = derived("Readable and typed: `entity/zero-infinity`, `paper/…`.")
    name: str = derived("The name of an entity, or the title of a paper.")
    type: str = derived("`Paper` or `Entity`.")
    published: PartialDate | None = documented(WHEN_PUBLISHED)
    table: ClassVar = {
        "id": "id",
        "name": "name",
        "kind": "kind_name",
        "published": "published",
        "authors": "authors",
        "venue": "venue",
        "doi": "doi",
        "url": "url",
    }
    """Those of papers and entities alike."""

    def _type(self) -> str:
        return type(self.model).__name__

    @property
    def kind_name(self) -> str:
        """The kind of an entity, or ``paper``."""
        return self.kind.value if isinstance(self, EntityView) else "paper"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EntityView(WorkView):
    """Hardware, a framework, a technique, a model or a dataset."""

    kind: EntityKind = derived("The kind.")
    general: bool = derived("Whether it is a general term (GPU, quantization).")
    aliases: tuple[str, ...] = derived("Its other names.")
    broader: tuple[NameView, ...] = derived(
        "Entities of which it is a case: an H100 is a GPU.", of="Entity", size=3
    )
    model: Entity = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuthorView(View[Author]):
    """An author, as the paper names them."""

    name: str = derived("The full name, given names first.")
    orcid: str | None = derived("Such as `0000-0002-1825-0097`; null if unknown.")
    affiliation: str | None = derived("The affiliation that the paper names.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperNameView(NameView):
    """A paper to cite."""

    published: PartialDate | None = documented("The date of publication, as far as it is known.")
    links: tuple[str, ...] = documented("Where to read it, as URLs.")

    @classmethod
    def part(cls, model: str | Work, whole: View[Any]) -> Any:
        """Return the view of a paper, or of one (an id) that the whole has named, if it has."""
        paper = whole.named.get(model) if isinstance(model, str) else model
        if not isinstance(paper, Paper):
            return None
        found = tuple(links(paper))
        return cls(id=paper.id, name=paper.title, published=paper.published, links=found)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperView(WorkView):
    """A paper, without its text."""

    published: PartialDate | None = derived(WHEN_PUBLISHED)
    authors: tuple[AuthorView, ...] = derived("The authors in their order, if known.")
    author_count: int | None = derived("The number of authors.")
    organization: str | None = derived("The organization that published it, if known.")
    venue: str | None = derived("The journal, conference or book, if known.")
    doi: str | None = derived("Such as `10.1000/182`.")
    arxiv_id: str | None = derived("Such as `2104.07857v2`.")
    links: tuple[str, ...] = derived("Where to read it, as URLs.")
    model: Paper = field(compare=False)

    def _links(self) -> tuple[str, ...]:
        return tuple(links(self.model))

    @property
    def url(self) -> str | None:
        """The first of its links."""
        return next(iter(self.links), None)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SourceView(View[Source]):
    """A source of a paper."""

    file: str = derived("Relative to the folder that was read.")
    position: int = derived("The line at which the paper begins, from 1.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaperTextView(PaperView):
    """A paper with its abstract, its references and its sources."""

    abstract: str = derived("The abstract as stored; offsets point into it.")
    references: tuple[str, ...] = derived("Titles or ids of the works in its list.", size=40)
    sources: tuple[SourceView, ...] = derived("The files that have it.", size=1)

    def _references(self) -> tuple[str, ...]:
        return tuple(reference.title or reference.id or "" for reference in self.model.references)


def work_views(
    reader: Reader, works: Collection[Work], with_text: bool = False
) -> dict[str, WorkView]:
    """Return views of works by id; those of papers `with_text` have their abstracts as well."""
    dates, named = reader.published([work.id for work in works]), broader_works(reader, works)
    return {work.id: work_view(work, dates.get(work.id), named, with_text) for work in works}


def broader_works(reader: Reader, works: Iterable[Work]) -> dict[str, Work]:
    """Return the works that some entities are cases of, to name them."""
    ids = {id_ for work in works if isinstance(work, Entity) for id_ in work.broader}
    return reader.works(sorted(ids)) if ids else {}


def work_view(
    work: Work, published: PartialDate | None, named: Mapping[str, Work], with_text: bool = False
) -> WorkView:
    """Return the view of one work, of which broader entities are `named`."""
    if isinstance(work, Entity):
        return EntityView(published=published, model=work, named=named)
    return (PaperTextView if with_text else PaperView)(model=work)


def links(paper: Paper) -> list[str]:
    """Return the links of a paper that a browser can follow, those of its sources first."""
    found = [link for link in paper.links if link.startswith(("http://", "https://"))]
    found += [f"https://{DOI}{paper.doi}"] if paper.doi else []
    found += [f"https://{ARXIV}{paper.arxiv_id}"] if paper.arxiv_id else []
    return [*dict.fromkeys(found)]
