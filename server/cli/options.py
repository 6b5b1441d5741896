"""Options that several commands share."""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from stemma.graph.selection import MOST_RESULTS, Filter
from stemma.schema import PartialDate
from stemma.server.selecting import annotated, selecting

Command = Callable[..., None]
StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        "-s",
        envvar="STEMMA_STORE",
        help="The store: a file, or the URL of a Neo4j server (neo4j://user:password@host:7687; "
        "user and password default to NEO4J_USERNAME and NEO4J_PASSWORD).",
    ),
]
_BASE = re.compile(r"""https?://[^\s<>"{}|\\^`]+[/#]""")


def parser(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return what reads the value of an option, and says of which option it cannot be read."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except OSError as error:
            raise typer.BadParameter(f"{text}: {error.strerror or error}") from error
        except (LookupError, ValueError) as error:
            raise typer.BadParameter(str(error)) from error

    return parse


def _base(text: str) -> str:
    """Check that ids can be appended to a base."""
    if not _BASE.fullmatch(text):
        raise ValueError(f"{text} is no IRI such as https://example.org/graph/")
    return text


BaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="IRI",
        parser=parser(_base),
        help="What the IRIs of a new store begin with; ends in / or #. Set one where graphs from "
        "several stores are merged.",
    ),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="List all problems and changes.")
]
WorkArgument = Annotated[
    str, typer.Argument(help="A paper or an entity, in any spelling, or an id.")
]


def with_options(options: Iterable[Parameter]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command that takes any keywords."""
    added = [option.replace(kind=Parameter.KEYWORD_ONLY) for option in options]

    def decorate(command: Command) -> Command:
        own = signature(command)
        *named, _ = own.parameters.values()
        command.__signature__ = own.replace(parameters=[*named, *added])  # type: ignore[attr-defined]
        command.__annotations__ = {
            parameter.name: parameter.annotation for parameter in (*named, *added)
        }
        return command

    return decorate


EVERY = MOST_RESULTS
AfterOption = Annotated[
    str | None, typer.Option(help="Continue after this cursor of the previous page.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Show all results instead of one page.")]


class DataFormat(StrEnum):
    """Output for people or for programs."""

    TEXT = "text"
    JSON = "json"


class AnswerFormat(StrEnum):
    """Output for people, for programs, or for citing the papers behind an answer."""

    TEXT = "text"
    JSON = "json"
    BIBTEX = "bibtex"


AnswerFormatOption = Annotated[
    AnswerFormat,
    typer.Option(
        "--format", "-f", help="Human-readable text, or JSON; bibtex: the papers behind the answer."
    ),
]
FormatOption = Annotated[
    DataFormat, typer.Option("--format", "-f", help="Human-readable text, or JSON.")
]
ReportOption = Annotated[
    DataFormat,
    typer.Option(
        "--format",
        "-f",
        help="Human-readable text; or JSON, with a log on stderr of JSON lines with progress, "
        "problems and metrics.",
    ),
]


def _annotation(filter: Filter) -> Any:
    options: dict[str, Any] = {"help": filter.help}
    type_: Any = filter.type
    if issubclass(type_, StrEnum | PartialDate):
        options |= {"parser": parser(filter.read_one), "metavar": _metavar(filter)}
    elif type_ in (int, float):
        options |= {"min": filter.minimum, "max": filter.maximum}
    if filter.default in (None, ()):
        options["show_default"] = False
    return Annotated[annotated(filter, type_), typer.Option(filter.on_command_line, **options)]


with_selection = partial(selecting, _annotation)
"""Returns a decorator that gives a command an option for each filter: see `selecting`."""


def _metavar(filter: Filter) -> str:
    if issubclass(filter.type, StrEnum):
        return "|".join(enum.value.lower() for enum in filter.type)
    return "DATE"
