"""Works, statements and edges as assistants get them: short, and with what is cited."""

from collections.abc import Iterable, Mapping
from typing import Any

from stemma.graph import LineageEdge, LineageNode, Reader, Work
from stemma.schema import CATALOGUE_ORIGIN, Entity, Paper, Statement
from stemma.server.mcp import answers
from stemma.server.presentation.data import works_of_edges, works_of_statements
from stemma.server.views.work import links

MOST_ALIASES = 10
LONGEST_QUOTE, LONGEST_NAME = 1200, 300
_CUT = " […]"


class Presenter:
    """Presents what a reader finds, with at most `supports` statements of an edge."""

    def __init__(self, reader: Reader, supports: int = 2) -> None:
        self._reader, self._supports = reader, supports

    def coverage(self) -> answers.Coverage:
        """Return what an answer is taken from."""
        counted = self._reader.statistics()
        return answers.Coverage(
            papers=counted.papers,
            entities=counted.entities,
            statements=counted.statements,
            generation=counted.generation,
        )

    def works(self, works: Iterable[Work], with_aliases: bool = False) -> list[answers.Work]:
        """Return works with their dates."""
        listed = list(works)
        dates = self._reader.published([work.id for work in listed])
        return [
            answers.Work(
                **_facts(work, str(dates[work.id]) if work.id in dates else None, with_aliases)
            )
            for work in listed
        ]

    def nodes(self, nodes: Iterable[LineageNode]) -> list[answers.Node]:
        return [
            answers.Node(
                **_facts(node.work, str(node.published) if node.published else None),
                depth=node.depth,
            )
            for node in nodes
        ]

    def edges(self, edges: Iterable[LineageEdge]) -> list[answers.Edge]:
        """Return edges with their surest statements."""
        listed = list(edges)
        works = works_of_edges(self._reader, listed)
        return [self._edge(each, works) for each in listed]

    def statements(self, statements: Iterable[Statement]) -> list[answers.Statement]:
        listed = list(statements)
        works = works_of_statements(self._reader, listed)
        return [
            answers.Statement(
                **_support(each, works),
                subject=_name(each.subject, works),
                entity=_name(each.entity, works),
                comparison=_comparison(each),
            )
            for each in listed
        ]

    def match(self, paper: Paper, statements: Iterable[Statement]) -> answers.PaperMatch:
        """Return a paper with the statements by which it meets conditions."""
        listed = list(statements)
        works = works_of_statements(self._reader, listed)
        return answers.PaperMatch(
            **paper_reference(paper).model_dump(),
            statements=[
                answers.Statement(
                    **{**_support(each, works), "paper": None},
                    subject=_name(each.subject, works),
                    entity=_name(each.entity, works),
                    comparison=_comparison(each),
                )
                for each in listed
            ],
        )

    def _edge(self, edge: LineageEdge, works: Mapping[str, Work]) -> answers.Edge:
        shown = edge.statements[: self._supports]
        return answers.Edge(
            child=_name(edge.child, works),
            parent=_name(edge.parent, works),
            relations={relation.value: sure for relation, sure in edge.confidences.items()},
            confidence=edge.confidence,
            support=[answers.Support(**_support(each, works)) for each in shown],
            more_support=len(edge.statements) - len(shown),
        )


def paper_reference(paper: Paper) -> answers.PaperReference:
    """Return a paper as it is cited."""
    found = links(paper)
    return answers.PaperReference(
        id=paper.id,
        title=cut(paper.title, LONGEST_NAME),
        published=str(paper.published) if paper.published else None,
        url=found[0] if found else None,
    )


def work_facts(work: Work) -> answers.Work:
    """Return a work without its date: what tells it from others of its name."""
    return answers.Work(**_facts(work, None))


def work_name(work: Work) -> answers.WorkName:
    return answers.WorkName(id=work.id, name=cut(work.name, LONGEST_NAME))


def cut(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Return a text, or the start of one that would fill the page."""
    return text if len(text) <= longest else f"{text[:longest]}{_CUT}"


def _name(work: str, works: Mapping[str, Work]) -> answers.WorkName:
    return work_name(works[work]) if work in works else answers.WorkName(id=work, name=work)


def _facts(work: Work, published: str | None, with_aliases: bool = False) -> dict[str, Any]:
    facts: dict[str, Any] = {**work_name(work).model_dump(), "published": published}
    if isinstance(work, Entity):
        facts |= {"type": "entity", "kind": work.kind.value}
        if with_aliases and work.aliases:
            facts["aliases"] = [cut(each, LONGEST_NAME) for each in work.aliases[:MOST_ALIASES]]
        return facts
    return {**facts, "type": "paper", "url": paper_reference(work).url}


def _comparison(statement: Statement) -> str | None:
    return str(statement.comparison) if statement.comparison else None


def _support(statement: Statement, works: Mapping[str, Work]) -> dict[str, Any]:
    paper = works.get(statement.subject)
    sections = [each.section or each.field.value for each in statement.evidence]
    in_sections = any(each.section for each in statement.evidence)
    return {
        "relation": statement.relation.value,
        "confidence": statement.confidence,
        "quotes": [cut(each.text) for each in statement.evidence],
        "sections": sections if in_sections else None,
        "paper": paper_reference(paper) if isinstance(paper, Paper) else None,
        "source": "catalogue" if statement.origin == CATALOGUE_ORIGIN else "paper",
    }
