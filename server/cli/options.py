"""Options that several commands share."""

import os
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.graph import FilterError
from stemma.graph.selection import MOST_RESULTS, filters
from stemma.schema import RelationType
from stemma.server.settings import LogFormat

if TYPE_CHECKING:
    from stemma.extract import TrainedModel
    from stemma.extract.sections.trust import Trust

_SIZE = re.compile(r"(\d{1,12})\s*([KMG]?)(?:i?B)?", re.I)
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30}

Command = Callable[..., Any]


def _size(text: str) -> int:
    """Read a number of bytes, with a unit."""
    found = _SIZE.fullmatch(str(text).strip())
    if not found or not int(found[1]):
        raise typer.BadParameter(f"{text!r} is not a size, such as 500K, 8M or 1G")
    return int(found[1]) << _SHIFTS[found[2].upper()]


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
MaxRecordSizeOption = Annotated[
    int,
    typer.Option(
        "--max-record-size",
        envvar="STEMMA_MAX_RECORD_SIZE",
        show_envvar=True,
        parser=_size,
        metavar="SIZE",
        show_default="8M",
        help="Skip larger records: bytes, or 500K, 64M.",
    ),
]


def _reader(name: str) -> str:
    """Check the name of a reader."""
    from stemma.extract.formats import reader_by_name  # noqa: PLC0415

    try:
        return reader_by_name(name).name
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


ReaderOption = Annotated[
    str | None,
    typer.Option(
        "--reader",
        parser=_reader,
        metavar="NAME",
        help="Read all files with this reader, instead of the one that recognises their content.",
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


def _sections(text: str) -> "Trust":
    """Read a table of the relations that sections are trusted for."""
    from stemma.extract.sections.trust import Trust  # noqa: PLC0415

    try:
        return Trust.read(Path(text))
    except OSError as error:
        raise typer.BadParameter(f"{text}: {error.strerror or error}") from error
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


SectionsOption = Annotated[
    Any,
    typer.Option(
        "--sections",
        parser=_sections,
        metavar="FILE",
        help="A TOML file with the relations to read from each kind of section, instead of the "
        "default.",
    ),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="List all problems and changes.")
]
LogFormatOption = Annotated[
    LogFormat,
    typer.Option(
        "--log-format",
        help="Log on stderr: human-readable text, or JSON lines with progress, problems, metrics.",
    ),
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


def trained_model_at(text: str) -> "TrainedModel":
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
        parser=trained_model_at,
        metavar="FOLDER",
        help="Read with a model that you trained, instead of the shipped one.",
    ),
]


def refuse_with_fast(fast: bool, trained_model: "TrainedModel | None") -> None:
    """Report a trained model that rules alone would not use."""
    if fast and trained_model:
        raise typer.BadParameter("cannot be used with --fast", param_hint="--trained-model")


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


DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", envvar="NEO4J_DATABASE", help="The database of a Neo4j server."),
]


def with_database(command: Command) -> Command:
    """Add this option to a command that has ``--store``, which then comes last in its help."""
    parameters = list(signature(command, eval_str=True).parameters.values())
    store = next((each for each in parameters if each.name == "store"), None)
    if store is None:
        return command
    parameters.remove(store)
    parameters.append(store.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(*arguments: Any, database: str | None = None, **keywords: Any) -> Any:
        if database:  # Whatever opens the store looks there, even in another process.
            os.environ["NEO4J_DATABASE"] = database
        return command(*arguments, **keywords)

    option = Parameter("database", Parameter.KEYWORD_ONLY, default=None, annotation=DatabaseOption)
    run.__signature__ = signature(command).replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "database": DatabaseOption}
    return run


def with_group(
    name: str, options: Mapping[str, Any], defaults: Mapping[str, Any], make: Callable[..., Any]
) -> Callable[[Command], Command]:
    """Return a decorator that gives a command a group of options in place of its parameter `name`.

    `options` are the annotations of the options by their parameters' names, with `defaults`, else
    None; `make` gets their values by these names, and returns what the command gets as `name`.
    """
    group = [
        Parameter(each, Parameter.KEYWORD_ONLY, default=defaults.get(each), annotation=annotation)
        for each, annotation in options.items()
    ]

    def decorate(command: Command) -> Command:
        own = signature(command)
        parameters: list[Parameter] = []
        for each in own.parameters.values():
            keyword = each.replace(kind=Parameter.KEYWORD_ONLY)
            parameters += group if each.name == name else [keyword]

        @wraps(command)
        def run(**arguments: Any) -> Any:
            chosen = {each: arguments.pop(each) for each in options}
            return command(**arguments, **{name: make(**chosen)})

        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate
