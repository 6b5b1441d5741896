"""Resources: works by their ids, and what the graph holds; with names to complete."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from stemma.graph import AmbiguousNameError, Reader, Selection, UnknownNameError
from stemma.graph.searching import search
from stemma.schema import Entity
from stemma.schema.identifier import ENTITY, PAPER
from stemma.server.mcp.answers import Answer, coverage
from stemma.server.mcp.limits import Questions
from stemma.server.mcp.problems import EXPECTED, problem
from stemma.server.mcp.works import show

_JSON = "application/json"
_MOST_COMPLETIONS = 20


def add_resources(server: MCPServer, questions: Questions) -> None:
    """Add the resources of a graph to a server."""

    async def read(question: Callable[[Reader], Answer | dict[str, Any]]) -> str:
        try:
            found = await questions.ask(question)
        except EXPECTED as error:
            if (reason := problem(error, questions.seconds)) is None:
                raise
            missing = isinstance(error, UnknownNameError | AmbiguousNameError)
            kind = ResourceNotFoundError if missing else ResourceError
            raise kind(f"{reason['code']}: {reason['message']}") from error
        return json.dumps(found) if isinstance(found, dict) else str(found)

    @server.resource("stemma://graph", mime_type=_JSON)
    async def graph() -> str:
        """What the graph holds: the number of papers, entities and statements."""
        return await read(coverage)

    @server.resource(f"stemma://{ENTITY}{{name}}", mime_type=_JSON)
    async def entity(name: str) -> str:
        """What is known of an entity, as the tool `show` answers."""
        return await read(lambda reader: show(reader, f"{ENTITY}{name}"))

    @server.resource(f"stemma://{PAPER}{{name}}", mime_type=_JSON)
    async def paper(name: str) -> str:
        """What is known of a paper, as the tool `show` answers."""
        return await read(lambda reader: show(reader, f"{PAPER}{name}"))

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator] # the SDK has no types
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        if argument.name not in ("name", "of", "about") or not argument.value:
            return None
        found = await questions.ask(
            lambda reader: search(reader, argument.value, Selection(first=_MOST_COMPLETIONS))
        )
        if isinstance(ref, PromptReference):
            values = [work.name for work in found.works]
        else:
            prefix = ENTITY if ENTITY in ref.uri else PAPER
            wanted = (
                work for work in found.works if isinstance(work, Entity) is (prefix == ENTITY)
            )
            values = [work.id.removeprefix(prefix) for work in wanted]
        return Completion(values=values, has_more=found.has_next)
