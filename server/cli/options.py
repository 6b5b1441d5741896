"""Options that several commands share."""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.graph import FilterError
from stemma.graph.selection import MOST_RESULTS, Filter, filters
from stemma.schema import PartialDate, RelationType
from stemma.server.selecting import selecting

if TYPE_CHECKING:
    from stemma.extract import TrainedModel

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


def _base(text: str) -> str:
    """Check that ids can be appended to a base."""
    if not _BASE.fullmatch(text):
        raise typer.BadParameter(f"{text} is no IRI such as https://example.org/graph/")
    return text


BaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="IRI",
        parser=_base,
        help="What the IRIs of a new store begin with; ends in / or #. Set one where graphs from "
        "several stores are merged.",
    ),
]
PathsArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Files in any supported format, also compressed or in archives; folders; - for "
        "standard input."
    ),
]
IdsOption = Annotated[
    Path | None,
    typer.Option(
        help="Take only the papers whose arXiv id or DOI this file lists, one per line.",
        exists=True,
        dir_okay=False,
    ),
]
YearOption = Annotated[
    int | None,
    typer.Option(
        help="The year in which the listings were saved, for dates without a year.",
        min=1900,
        max=2100,
    ),
]


def _columns(text: str) -> dict[str, str]:
    """Read which column holds which field."""
    from stemma.extract.formats.record import COLUMNS  # noqa: PLC0415

    pairs = [part.partition("=") for part in text.split(",")]
    for field, equals, column in pairs:
        if not equals or not column.strip() or field.strip() not in COLUMNS:
            raise typer.BadParameter(
                f"{field}{equals}{column} is not FIELD=COLUMN; fields: {', '.join(COLUMNS)}"
            )
    return {field.strip(): column.strip() for field, _, column in pairs}


ColumnsOption = Annotated[
    dict[str, str] | None,
    typer.Option(
        "--columns",
        parser=_columns,
        metavar="FIELD=COLUMN,…",
        help="Columns of tables or fields of JSON with unusual names, such as "
        "title=Name,abstract=Text.",
    ),
]
AbstractsOnlyOption = Annotated[
    bool,
    typer.Option("--abstracts-only", help="Leave out the sections of full texts."),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="List all problems and changes.")
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        "-j",
        min=1,
        envvar="STEMMA_PROCESSES",
        help="Number of extraction processes. By default, one per processor (at most 8); one for "
        "small inputs and with --fast.",
        show_default=False,
    ),
]
WorkArgument = Annotated[
    str, typer.Argument(help="A paper or an entity, in any spelling, or an id.")
]


def with_options(options: Mapping[str, tuple[Any, Any]]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command that takes any keywords.

    The options are annotations and defaults, by name.
    """
    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for name, (annotation, default) in options.items()
    ]

    def decorate(command: Command) -> Command:
        own = signature(command)
        *named, _ = own.parameters.values()
        command.__signature__ = own.replace(parameters=[*named, *added])  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in (*named, *added)}
        return command

    return decorate


def relation_named(text: str) -> RelationType:
    """Return the relation that is written as BUILDS_ON, builds_on or "builds on"."""
    try:
        return filters()["relations"].read_one(text)  # type: ignore[no-any-return]
    except FilterError as error:
        raise typer.BadParameter(str(error)) from error


EVERY = MOST_RESULTS
AfterOption = Annotated[
    str | None, typer.Option(help="Continue after this cursor of the previous page.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Show all results instead of one page.")]
FastOption = Annotated[
    bool,
    typer.Option(
        "--fast",
        help="Rules only, without the trained network: many times faster, but F1 drops from "
        "0.89 to 0.81 for entities, from 0.80 to 0.61 for relations, and from 0.65 to 0.27 for "
        "lineage.",
    ),
]


def _trained_model(text: str) -> "TrainedModel":
    """Read a trained model."""
    from stemma.extract import ModelError, TrainedModel  # noqa: PLC0415

    try:
        return TrainedModel.read(text)
    except ModelError as error:
        raise typer.BadParameter(str(error)) from error


TrainedModelOption = Annotated[
    Any,
    typer.Option(
        "--trained-model",
        parser=_trained_model,
        metavar="FOLDER",
        help="Read with a model that you trained, instead of the shipped one.",
    ),
]


def refuse_with_fast(fast: bool, trained_model: "TrainedModel | None") -> None:
    """Report a trained model that rules alone would not use."""
    if fast and trained_model:
        raise typer.BadParameter("cannot be used with --fast", param_hint="trained-model")


class DataFormat(StrEnum):
    """Output for people or for programs."""

    TEXT = "text"
    JSON = "json"


class AnswerFormat(StrEnum):
    """Output for people, for programs, or for citing the papers behind an answer."""

    TEXT = "text"
    JSON = "json"
    BIBTEX = "bibtex"
    CSL = "csl"


AnswerFormatOption = Annotated[
    AnswerFormat,
    typer.Option(
        "--format",
        "-f",
        help="Human-readable text, or JSON; bibtex or csl: the papers behind the answer.",
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
        options |= {"parser": _parser(filter), "metavar": _metavar(filter)}
    elif type_ in (int, float):
        options |= {"min": filter.minimum, "max": filter.maximum}
    if filter.many:
        type_ = list[type_]
    if filter.default in (None, ()):
        type_ = type_ | None
        options["show_default"] = False
    return Annotated[type_, typer.Option(filter.on_command_line, **options)]


with_selection = partial(selecting, _annotation)
"""Returns a decorator that gives a command an option for each filter: see `selecting`."""


def _parser(filter: Filter) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            return filter.read_one(text)
        except FilterError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


def _metavar(filter: Filter) -> str:
    if issubclass(filter.type, StrEnum):
        return "|".join(each.value.lower() for each in filter.type)
    return "DATE"
