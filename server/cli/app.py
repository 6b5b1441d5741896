"""The command line: its commands in groups, loaded one at a time, and the file ``stemma.toml``."""

import ast
import atexit
import gc
import shlex
import sys
from collections import UserDict
from concurrent.futures import BrokenExecutor
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from stemma.garbage import no_garbage

GROUPS = {
    "Build": {
        "build": "ingest",
        "extract": "ingest",
        "load": "ingest",
        "remove": "ingest",
        "fetch": "fetching",
    },
    "Ask": {
        "lineage": "lineage",
        "search": "graph",
        "show": "graph",
        "ask": "asking",
        "path": "asking",
        "compare": "asking",
        "analyse": "graph",
        "changes": "graph",
        "sparql": "sparql",
        "cypher": "cypher",
    },
    "Share": {
        "push": "exporting",
        "serve": "serving",
        "schema": "serving",
        "mcp": "serving",
        "export": "exporting",
    },
    "Correct": {"decide": "deciding", "evaluate": "evaluating"},
    "Maintain": {"check": "maintaining", "backup": "maintaining"},
}
"""The commands, and the module of each."""
_MODULES = {name: module for group in GROUPS.values() for name, module in group.items()}
_CONFIG = Path("stemma.toml")


class _Loaded(UserDict[str, Any]):
    """The commands by name; each is loaded when it is called, so that the others cost no time."""

    @no_garbage()
    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            module = import_module(f"stemma.server.cli.{_MODULES[name]}")
            alone = typer.Typer(callback=lambda: None, rich_markup_mode=None)
            command = getattr(module, name)
            if isinstance(command, typer.Typer):
                alone.add_typer(command)
            else:
                alone.command(name)(command)
            self.data[name] = typer.main.get_group(alone).commands[name]
        return self.data[name]


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Loaded(dict.fromkeys(_MODULES))

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, _summary(name)) for name in commands])


def _summary(name: str) -> str:
    """Return the first line of a command's help, of the source: to load all modules takes a second.

    That of a group of commands is what its module says.
    """
    source = Path(__file__).with_name(f"{_MODULES[name]}.py").read_text("utf-8")
    module = ast.parse(source)
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    found = next((function for function in functions if function.name == name), module)
    return (ast.get_docstring(found) or "").partition("\n")[0]


app = typer.Typer(
    name="stemma",
    cls=_Commands,
    help="The family tree of research: what builds on what, with the sentence that says so.",
    no_args_is_help=True,
    rich_markup_mode=None,  # its tables cut options and values in a terminal of 80 columns
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        from stemma import __version__  # noqa: PLC0415 - keeps other commands quick

        typer.echo(f"stemma {__version__}")
        raise typer.Exit


@app.callback()
def stemma(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            envvar="STEMMA_CONFIG",
            show_envvar=True,
            metavar="FILE",
            help="A file with options that are not given, in a table for each command, and further "
            "settings; by default ./stemma.toml, if it exists.",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Hold the options that all commands share."""
    if config or _CONFIG.is_file():
        from stemma.server.cli.configuration import configure  # noqa: PLC0415 - rarely needed

        configure(context, config or _CONFIG)


def _explained(error: BaseException) -> tuple[str, int] | None:
    """Return what to say of an error, and the status to end with; None where it is a bug."""
    from stemma.graph import (  # noqa: PLC0415 - keeps --help quick
        BadCursorError,
        FilterError,
        StoreError,
        UnknownAuthorError,
        UnknownNameError,
    )
    from stemma.schema import CatalogueError, DecisionError  # noqa: PLC0415

    status = 1
    match error:
        case KeyboardInterrupt():
            reason = "stopped"
        case KeyError() | IndexError():
            return None
        case UnknownNameError():
            from stemma.extract.formats.link import as_identifier  # noqa: PLC0415

            search = f" Search for it: stemma search {shlex.quote(error.name)}"
            if paper := as_identifier(error.name):
                search = f" To add it: stemma fetch {paper}, then stemma build fetched.jsonl"
            is_author = isinstance(error, UnknownAuthorError)  # That finds none.
            reason = f"{error}{'' if error.nearest or is_author else search}"
            reason = reason if error.name.strip() else "The name is empty."
        case OSError(strerror=str(reason)):
            # Without the number that the operating system gives it.
            reason = f"{error.filename}: {reason}" if error.filename else reason
        case StoreError() | CatalogueError() | DecisionError() | LookupError() | OSError():
            reason = str(error)
        case FilterError() | BadCursorError():
            reason, status = str(error), 2
        case UnicodeEncodeError(reason="surrogates not allowed"):
            reason, status = "an argument is not in UTF-8", 2
        case BrokenExecutor():
            reason = (
                "an extraction process died, perhaps because it ran out of memory; try fewer "
                "--processes"
            )
        case _:
            return None
    return reason, status


def main() -> None:
    """Run the command line; errors that a user can fix end in a message and status 1 or 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that another encoding than UTF-8 lacks are written as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    # Memory that goes with the process is not searched for garbage first: that takes long.
    atexit.register(gc.freeze)
    try:
        app()
    except (KeyboardInterrupt, Exception) as error:
        from stemma.server.cli.terminal import complain  # noqa: PLC0415 - keeps --help quick

        told = _explained(error)
        if told is None:
            raise
        reason, status = told
        complain(reason)
        sys.exit(status)
