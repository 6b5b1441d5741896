"""The tools that answer in words and side by side: ask, compare."""

from collections.abc import Sequence

from stemma.graph import Reader
from stemma.graph.comparing import compare as put_side_by_side
from stemma.schema import Entity
from stemma.server.asking import ask as answer_question
from stemma.server.asking.answer import Window
from stemma.server.mcp.answers import AskAnswer, CompareAnswer, Shared
from stemma.server.mcp.arguments import (
    AfterArgument,
    FirstArgument,
    NameArgument,
    QuestionArgument,
)
from stemma.server.mcp.names import Names
from stemma.server.mcp.page import fitting
from stemma.server.mcp.presenter import LONGEST_NAME, Presenter, cut, paper_reference
from stemma.server.mcp.problems import NotUnderstoodError

_MOST_NAMES = 20
_MOST_PAPERS = 10


def ask(
    reader: Reader,
    question: QuestionArgument,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> AskAnswer:
    """Answer a simple question in English by fixed rules, without a language model.

    For several conditions, or by how much works differ, use the other tools.
    For example "what builds on ZeRO-Infinity since 2023?" or "which papers run on H100".
    """
    present = Presenter(reader)
    coverage = present.coverage()

    def answer(size: int) -> AskAnswer:
        found = answer_question(reader, question, size, after)
        if found.understood_as is None:
            raise NotUnderstoodError(found.text, found.suggestions)
        return AskAnswer(
            answer=found.text,
            understood_as=found.understood_as,
            works=present.works(found.works),
            statements=present.statements(found.statements[:size]),
            more_statements=max(0, found.statement_total - size),
            suggestions=list(found.suggestions),
            total=found.total,
            truncated=found.end_cursor is not None,
            next_cursor=found.end_cursor,
            coverage=coverage,
        )

    return fitting(answer, first)


def compare(
    reader: Reader,
    left: NameArgument,
    right: NameArgument,
    first: FirstArgument = 10,
    after: AfterArgument = None,
) -> CompareAnswer:
    """Put two works side by side: what they share, how they are related, who compares them.

    The statements are what the papers of each say about the other.
    """
    names = Names(reader)
    found = put_side_by_side(reader, names.resolve(left), names.resolve(right))
    present = Presenter(reader)
    coverage = present.coverage()
    sides = present.works((found.left.work, found.right.work))
    lineage = present.edges(found.lineage.edges)
    aspects = {
        aspect.value: Shared(
            both=_names(each.shared), left=_names(each.left), right=_names(each.right)
        )
        for aspect, each in found.aspects.items()
        if each
    }

    def answer(size: int) -> CompareAnswer:
        window = Window.after(after, size)
        next_cursor = window.cursor(len(found.statements))
        connected = found.statements or found.lineage.edges or found.compared_by
        return CompareAnswer(
            left=sides[0],
            right=sides[1],
            aspects=aspects,
            lineage=lineage,
            statements=present.statements(window.of(found.statements)),
            compared_by=[paper_reference(each) for each in found.compared_by[:_MOST_PAPERS]],
            total=len(found.statements),
            truncated=next_cursor is not None,
            next_cursor=next_cursor,
            note=None if connected else "No lineage or comparison directly connects them.",
            namesakes=names.namesakes,
            coverage=coverage,
        )

    return fitting(answer, first)


def _names(entities: Sequence[Entity]) -> list[str]:
    return [cut(each.name, LONGEST_NAME) for each in entities[:_MOST_NAMES]]
