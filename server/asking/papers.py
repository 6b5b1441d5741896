"""Questions for papers: those that say several things of entities, or have a word in the title."""

from collections.abc import Iterator
from dataclasses import dataclass

from stemma.graph import PageOrder, Reader, Work
from stemma.graph.criteria import ALL_YEARS, Criterion, Years, filter_of, papers_near, papers_where
from stemma.schema import Entity, Paper, RelationType, Statement
from stemma.server.asking import graphql
from stemma.server.asking.answer import MOST_WORKS, Answer, Window
from stemma.server.asking.origin import Origin, combined, phrases
from stemma.server.asking.wording import (
    ORDERS,
    appeared,
    capital,
    counted,
    evidence,
    joined,
    names,
    quoted,
    verbs,
    within,
)

_MOST_AUTHORS = 6
_UNSAID = "Papers may do so and not say it in what was read of them."


@dataclass(frozen=True, slots=True)
class Term:
    """What a paper has to do with a work: one of some relations, or any; or be that paper.

    `with_cases`: or have it to a case of the work, as an H100 is a GPU. One of `others` serves as
    well as the work. `excluded`: have nothing to do with them in that way.
    """

    work: Work
    relations: tuple[RelationType, ...] = ()
    with_cases: bool = False
    others: tuple[Work, ...] = ()
    excluded: bool = False

    @property
    def criterion(self) -> Criterion:
        """As the graph understands it."""
        others = tuple(each.id for each in self.others)
        return Criterion(self.work.id, self.relations, self.with_cases, others, self.excluded)

    @property
    def arguments(self) -> dict[str, object]:
        """As GraphQL understands it."""
        relations = {"relations": self.relations} if self.relations else {}
        cases = {"includeNarrower": True} if self.with_cases else {}
        others = {"or": [each.id for each in self.others]} if self.others else {}
        excluded = {"not": True} if self.excluded else {}
        return {"entity": self.work.id, **relations, **cases, **others, **excluded}

    def phrase(self, one: bool = False) -> str:
        """Return what such papers do: "run on GPU or a narrower entity"; or what `one` does."""
        works = joined([quoted(each) for each in (self.work, *self.others)], "or")
        if isinstance(self.work, Paper):
            return f"{'is' if one else 'are'}{' not' if self.excluded else ''} {works}"
        cases = " or a narrower entity" if self.with_cases else ""
        does = verbs(self.relations, one, self.excluded)
        return f"{does} {works}{cases}"


def conditions(terms: tuple[Term, ...], text: str | None = None, one: bool = False) -> str:
    """Return what papers that are meant do: "use LoRA and run on GPU"; or what `one` does."""
    phrase = [term.phrase(one) for term in terms]
    if text:
        phrase.append(f"{'has' if one else 'have'} “{text}” in the title")
    if any(" or " in each for each in phrase):
        return ", and ".join(phrase)
    return joined(phrase, "and")


def said_of(
    terms: tuple[Term, ...],
    years: Years,
    text: str | None = None,
    origins: tuple[Origin, ...] = (),
) -> str:
    """Return which papers are meant: "papers by Ada Quill since 2024 that use LoRA"."""
    that = conditions(terms, text)
    return f"papers{phrases(origins)}{within(years)}{' that ' if that else ''}{that}"


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """Which papers meet all `terms`, and are of all `origins`.

    `yes_or_no` asks whether there is any, `by_whom` who wrote them, `by_year` how many there are
    of each year; `order` is the oldest or the newest first.
    """

    terms: tuple[Term, ...]
    years: Years = ALL_YEARS
    text: str | None = None
    yes_or_no: bool = False
    origins: tuple[Origin, ...] = ()
    by_whom: bool = False
    by_year: bool = False
    order: PageOrder = PageOrder.PUBLISHED

    @property
    def understood_as(self) -> str:
        newest = f", {ORDERS[self.order]}" if self.order is PageOrder.NEWEST else ""
        counted = ", by year" if self.by_year else ""
        return f"{said_of(self.terms, self.years, self.text, self.origins)}{newest}{counted}"

    @property
    def query(self) -> str:
        arguments = {
            "all": [term.arguments for term in self.terms],
            **dict(pair for each in self.origins for pair in each.arguments),
            "text": self.text,
            "yearFrom": self.years.first,
            "yearTo": self.years.last,
            "order": None if self.order is PageOrder.PUBLISHED else self.order,
            "first": MOST_WORKS,
        }
        return graphql.query(graphql.field("papers", graphql.PAPERS, arguments))

    def answer(self, reader: Reader, window: Window) -> Answer:
        criteria = [term.criterion for term in self.terms]
        found = papers_where(
            reader,
            criteria,
            self.text,
            self.years,
            window.end,
            combined(self.origins),
            self.order,
        )
        shown = window.of(found.matches)
        works = tuple(match.paper for match in shown)
        statements = tuple(each for match in shown for each in match.statements)
        in_doubt = any(each.relations != (RelationType.INTRODUCES,) for each in self.terms)
        return Answer(
            (
                self._near(reader)
                if in_doubt and not found.total
                else self._sentence(works, found.total, window.beyond(found.total))
            )
            + (self._appeared(works) if works and not window.skipped else "")
            + (_by(works) if self.by_whom and not window.skipped else "")
            + (self._counts(reader) if self.by_year and found.total else "")
            + evidence(reader, self._supporting(statements)),
            self.query,
            self.understood_as,
            works,
            statements,
            () if found.total else tuple(self._instead()),
            found.total,
        )

    def _near(self, reader: Reader) -> str:
        """Say that no paper is known to be meant, and which may be: a paper may not say it in what
        was read of it, or it was not extracted."""
        criteria = [term.criterion for term in self.terms]
        origin = combined(self.origins)
        found = papers_near(reader, criteria, self.text, self.years, MOST_WORKS, origin)
        asked = said_of(self.terms, self.years, self.text, self.origins)
        known = (
            "No paper is known to state this."
            if self.yes_or_no
            else f"This graph knows no {asked}."
        )
        papers = tuple(match.paper for match in found.matches)
        near = ""
        if papers:
            dates = {paper.id: paper.published for paper in papers if paper.published}
            works = joined([quoted(each.work) for each in self.terms if not each.excluded], "and")
            count = f"{counted(found.total, 'papers')} {'names' if found.total == 1 else 'name'}"
            near = f" But {count} {works}: {names(papers, dates, found.total - len(papers))}."
        return f"{known}{near} {_UNSAID}"

    def _counts(self, reader: Reader) -> str:
        """Return how many papers of each year there are."""
        criteria = [term.criterion for term in self.terms]
        origin = combined(self.origins)
        counts = reader.papers_by_year(filter_of(reader, criteria, self.text, self.years, origin))
        undated = counts.pop(None, 0)
        years = [f"{year}: {papers}" for year, papers in sorted(counts.items()) if year and papers]
        return f" By year: {', '.join([*years, *([f'undated: {undated}'] if undated else [])])}."

    def _instead(self) -> Iterator[str]:
        """Yield what may be asked where nothing was found."""
        for term in self.terms:
            if len(term.relations) > 1:
                yield f"which papers mention {quoted(term.work)}?"
            yield f"what is {quoted(term.work)}?"

    def _sentence(self, works: tuple[Paper, ...], total: int, beyond: int) -> str:
        if not total:
            if self.yes_or_no:
                return "No paper in this graph states this."
            asked = said_of(self.terms, self.years, self.text, self.origins)
            # What was asked for is known, though no paper says it: that comes first.
            return f"{self._appeared(works)} This graph has no {asked}.".strip()
        dates = {paper.id: paper.published for paper in works if paper.published}
        does = conditions(self.terms, self.text, total == 1)
        origins = phrases(self.origins)
        count = f"{counted(total, 'papers')}{origins}{within(self.years)}"
        shown = f" ({len(works)} of them shown)" if total > len(works) else ""
        listed = names(works, dates, beyond)
        sentence = f"{count} {does}{shown}: {listed}."
        if not does:
            sentence = f"This graph has {count}{shown}: {listed}."
        return f"Yes, {sentence}" if self.yes_or_no else capital(sentence)

    def _appeared(self, papers: tuple[Paper, ...]) -> str:
        """Say when the one work appeared whose introduction was asked for, if its papers do not."""
        work = self.terms[0].work if len(self.terms) == 1 else None
        asks = work and self.terms[0].relations == (RelationType.INTRODUCES,)
        return appeared(work, work.name, papers) if asks and isinstance(work, Entity) else ""

    def _supporting(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Return the statements that answer: of several terms, those on the last."""
        last = self.terms[-1] if self.terms else None
        own = tuple(each for each in statements if last and each.entity in last.criterion.entities)
        return own or statements


@dataclass(frozen=True, slots=True)
class UnknownAuthorQuestion:
    """Which papers are by `author`, a name that no paper has."""

    author: str

    @property
    def understood_as(self) -> str:
        return f"papers by or from {self.author}"

    @property
    def query(self) -> str:
        """No query finds them."""
        return graphql.works([])

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Say that no author, organization or venue has this name."""
        return Answer(
            f"No author, organization or venue of a paper in this graph is called “{self.author}”. "
            "Not all sources of papers include authors, organizations and venues.",
            self.query,
            self.understood_as,
        )


def _by(papers: tuple[Paper, ...]) -> str:
    """Return who wrote a paper, where it is the only one."""
    if len(papers) != 1 or not papers[0].authors:
        return ""
    listed = [each.name for each in papers[0].authors]
    shown = listed if len(listed) <= _MOST_AUTHORS else listed[: _MOST_AUTHORS - 1]
    more = [f"{len(listed) - len(shown)} more"] if len(shown) < len(listed) else []
    return f" It is by {joined([*shown, *more], 'and')}."
