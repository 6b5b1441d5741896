"""The tools that answer in words and side by side: ask, compare."""

from stemma.graph import Reader, Selection
from stemma.graph.comparing import compare as put_side_by_side
from stemma.server.asking import ask as answer_question
from stemma.server.mcp.answers import Answer, coverage, fitting
from stemma.server.mcp.arguments import NameArgument, QuestionArgument, with_selection
from stemma.server.mcp.names import Names
from stemma.server.mcp.problems import NotUnderstoodError
from stemma.server.views.answer import AnswerView
from stemma.server.views.comparison import ComparisonOfWorks


@with_selection(("first", "after"), first=20)
def ask(reader: Reader, question: QuestionArgument, selection: Selection) -> Answer:
    """Answer a simple question in English by fixed rules, without a language model.

    For several conditions, or by how much works differ, use the other tools.
    For example "what builds on ZeRO-Infinity since 2023?" or "which papers run on H100".
    """
    known = coverage(reader)

    def answer(size: int) -> Answer:
        found = answer_question(reader, question, size, selection.after)
        if found.understood_as is None:
            raise NotUnderstoodError(found.text, found.suggestions)
        most = {"works": size, "statements": size}
        return Answer(AnswerView.of(reader, found), known, lists=most)

    return fitting(answer, selection.first)


def compare(reader: Reader, left: NameArgument, right: NameArgument) -> Answer:
    """Put two works side by side: what they share, how they are related, who compares them.

    The statements are what the papers of each say about the other, by confidence.
    """
    names = Names(reader)
    found = put_side_by_side(reader, names.resolve(left), names.resolve(right))
    view, known = ComparisonOfWorks.of(reader, found), coverage(reader)
    connected = found.statements or found.lineage.edges or found.compared_by
    note = None if connected else "No lineage or comparison directly connects them."

    def answer(size: int) -> Answer:
        return Answer(view, known, lists={"statements": size}, note=note, namesakes=names.namesakes)

    return fitting(answer, 20)
