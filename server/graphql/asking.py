"""Questions in English, as a GraphQL field."""

from typing import Annotated

import strawberry

from stemma.server import asking
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.page import AfterArgument, count
from stemma.server.graphql.works import Statement, Work, show

ASK = (
    "Ask in English: “what builds on ZeRO-Infinity”, “which papers run on H100”, “what compares "
    "with vLLM since 2024”, “how is Fuyou related to ZeRO”. If the question is not understood, "
    "the answer says so and suggests others."
)


@strawberry.type(description="The answer to a question in English.")
class Answer:
    """The answer to a question in English."""

    text: str = strawberry.field(description="The answer in a sentence, with its evidence.")
    query: str = strawberry.field(description="A GraphQL query that returns the same works.")
    understood_as: str | None = strawberry.field(
        description="How the question was understood; null if it was not."
    )
    works: list[Work] = strawberry.field(
        description="The requested works; if a name is ambiguous, its possible meanings."
    )
    statements: list[Statement] = strawberry.field(
        description="The statements that support the answer, at most 100."
    )
    statement_count: int = strawberry.field(
        description="The number of statements that support the works of this page."
    )
    suggestions: list[str] = strawberry.field(description="Suggestions for other questions.")
    total_count: int = strawberry.field(description="The number of works on all pages.")
    end_cursor: str | None = strawberry.field(
        description="Pass it as `after` for the next page; null on the last page."
    )

    @classmethod
    def of(cls, context: Context, model: asking.Answer) -> "Answer":
        context.fetch_ends(model.statements)
        return cls(
            text=model.text,
            query=model.query,
            understood_as=model.understood_as,
            works=[show(context, work) for work in model.works],
            statements=[Statement.of(context, each) for each in model.statements],
            statement_count=model.statement_total,
            suggestions=list(model.suggestions),
            total_count=model.total,
            end_cursor=model.end_cursor,
        )


def ask(
    info: StemmaInfo,
    question: Annotated[
        str,
        strawberry.argument(
            description=f"In English, at most {asking.LONGEST_QUESTION} characters."
        ),
    ],
    first: Annotated[
        int | None,
        strawberry.argument(
            description="Number of works: at most 100, unless the server is configured otherwise."
        ),
    ] = None,
    after: AfterArgument = None,
) -> Answer:
    """Answer a question."""
    number = info.context.settings.page_size if first is None else count(info, first)
    return Answer.of(info.context, asking.ask(info.context.reader, question, number, after))
