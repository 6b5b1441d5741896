"""Making tools of questions: functions that have `Names` and arguments, and return an answer."""

from collections.abc import Callable
from functools import partial
from inspect import Signature, cleandoc, signature
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ContentBlock, TextContent, ToolAnnotations
from pydantic import ValidationError

from stemma.server.http.questions import Questions
from stemma.server.mcp.answers import ToolAnswer, answered, as_text
from stemma.server.mcp.problems import problem

_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class _Tool(Tool):
    """A tool that refuses arguments as it refuses questions: with a code, and what to do."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Check the arguments, and answer."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                found = problem(error.__cause__, 0) or {}
                found["message"] += f". Arguments are {', '.join(self.parameters['properties'])}."
                return _refusal(found)
            raise


def make_tool(questions: Questions, question: Callable[..., ToolAnswer]) -> Tool:
    """Return the tool that asks `question`, with its arguments but the names."""
    asked = signature(question)

    async def call(**arguments: Any) -> CallToolResult:
        try:
            found = await questions.ask(partial(answered, question, arguments))
        except Exception as error:
            if (reason := problem(error, questions.seconds)) is None:
                raise
            return _refusal(reason)
        return _result(as_text(found), found)

    _, *arguments = asked.parameters.values()
    call.__signature__ = Signature(arguments, return_annotation=CallToolResult)  # type: ignore[attr-defined]
    call.__name__ = question.__name__
    call.__annotations__ = {argument.name: argument.annotation for argument in arguments}
    tool = _Tool.from_function(
        call, description=cleandoc(question.__doc__ or ""), annotations=_READ_ONLY
    )
    return _strict(tool)


def _refusal(found: dict[str, Any]) -> CallToolResult:
    suggestions = "; ".join(found.get("suggestions", ()))
    # Many clients show the model only the text of an error.
    examples = f" For example: {suggestions}." if suggestions else ""
    text = f"{found['code']}: {found['message']}{examples}"
    return _result(text, {"error": found}, is_error=True)


def _result(text: str, data: dict[str, Any], is_error: bool = False) -> CallToolResult:
    content: list[ContentBlock] = [TextContent(type="text", text=text)]
    return CallToolResult(content=content, structured_content=data, is_error=is_error)


def _strict(tool: Tool) -> Tool:
    """Refuse arguments that a tool does not have, and make its schemas short.

    A misspelt argument would be dropped without a word.
    """
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    tool.parameters = _short(model.model_json_schema(by_alias=True))
    return tool


def _short(schema: Any) -> Any:
    """Leave out titles, which repeat the names of properties, and null for what is optional.

    Answers have no nulls; in arguments, a null is accepted and means the default.
    """
    if isinstance(schema, list):
        return [_short(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    match schema:
        case {"anyOf": [value, {"type": "null"}], "default": None, **others}:
            schema = {**value, **others}
    return {
        key: _short(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
