"""Questions in English, as a GraphQL field."""

from typing import Annotated, cast

import strawberry

from stemma.server import asking
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.fields import AfterArgument, count
from stemma.server.graphql.objects import Shown, of_view, show_view
from stemma.server.views.answer import AnswerView

ASK = (
    "Ask in English: “what builds on ZeRO-Infinity”, “which papers run on H100”, “what compares "
    "with vLLM since 2024”, “how is Fuyou related to ZeRO”. What has no such form is a search of "
    "titles and abstracts; if nothing matches, the answer suggests other questions."
)


@of_view(AnswerView)
class Answer(Shown):
    """The answer to a question in English."""


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
    reader = info.context.reader
    view = AnswerView.of(reader, asking.ask(reader, question, number, after))
    info.context.learn(view.named.values())
    return cast(Answer, show_view(info.context, view))
