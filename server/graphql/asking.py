"""Questions in English, as a GraphQL field."""

from typing import Annotated

import strawberry

from stemma.server import asking
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.page import AfterArgument, count
from stemma.server.graphql.works import Statement, Work, show

ASK = (
    "Ask in English: “what builds on ZeRO-Infinity”, “which papers run on H100”, “what compares "
    "with vLLM since 2024”, “how is Fuyou related to ZeRO”. What is not understood is said, with "
    "questions that can be answered."
)


@strawberry.type(description="What a question comes to.")
class Answer:
    """What a question comes to."""

    text: str = strawberry.field(description="The answer in a sentence, with its evidence.")
    query: str = strawberry.field(
        description="A GraphQL query that gives the same works and can be run as it stands."
    )
    understood_as: str | None = strawberry.field(
        description="How the question was read; none where it was not understood."
    )
    works: list[Work] = strawberry.field(
        description="What was asked for; where a name was not clear, what may be meant by it."
    )
    statements: list[Statement] = strawberry.field(
        description="What the answer rests on, 100 at the most."
    )
    statement_count: int = strawberry.field(
        description="How many statements there are behind the works that are given."
    )
    suggestions: list[str] = strawberry.field(description="What else can be asked.")
    total_count: int = strawberry.field(description="How many works there are on all pages.")
    end_cursor: str | None = strawberry.field(
        description="Give it as `after` for the next page; none on the last one."
    )

    @classmethod
    def of(cls, context: Context, model: asking.Answer) -> "Answer":
        """Show `model`."""
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
            description=f"In English, {asking.LONGEST_QUESTION} characters at the most."
        ),
    ],
    first: Annotated[
        int | None,
        strawberry.argument(
            description="How many works, at the most as many as a page may have: 100, unless the "
            "server is set up otherwise."
        ),
    ] = None,
    after: AfterArgument = None,
) -> Answer:
    """Answer a question."""
    number = info.context.settings.page_size if first is None else count(info, first)
    return Answer.of(info.context, asking.ask(info.context.reader, question, number, after))
