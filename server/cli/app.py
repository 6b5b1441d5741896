"""The command line: its commands in groups, loaded one at a time, and the file ``stemma.toml``."""

import sys
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

GROUPS = {
    "Build": {
        "build": ("ingest", "Read papers, extract their statements, and store them."),
        "extract": (
            "ingest",
            "Read papers and write their extractions as JSON lines, without a store.",
        ),
        "load": (
            "ingest",
            "Store extractions from `stemma extract`, linked with the papers in the store.",
        ),
        "remove": ("ingest", "Remove papers, and facts that only they support."),
        "fetch": (
            "fetching",
            "Fetch papers from arXiv, OpenAlex, Crossref or Semantic Scholar, over the network.",
        ),
    },
    "Ask": {
        "lineage": (
            "lineage",
            "Show what builds on a paper or entity, or what it builds on, with the sentences.",
        ),
        "search": (
            "graph",
            "Find papers and entities by words of their names; papers also by author, venue, "
            "citations.",
        ),
        "show": (
            "graph",
            "Show a paper or an entity: names, statements, nearest lineage; or what a store holds.",
        ),
        "ask": (
            "asking",
            "Answer a question in English, or search for it. The exit status is 1 if nothing "
            "matches.",
        ),
        "path": (
            "asking",
            "Show how two papers or entities are related, step by step, with the sentences.",
        ),
        "compare": (
            "asking",
            "Compare two papers or entities: what they share, how they differ and are related.",
        ),
        "analyse": (
            "graph",
            "Show what is most influential, the longest lines of descent, communities, years.",
        ),
        "changes": ("changes", "Show what the latest builds added and removed, newest first."),
        "sparql": ("sparql", "Query the graph with SPARQL 1.1, without limits."),
        "cypher": (
            "cypher",
            "Query the graph with Cypher: in full on Neo4j, most of it on a store in a file.",
        ),
    },
    "Share": {
        "push": (
            "pushing",
            "Write the graph of a local store to a Neo4j database, or what changed since the last "
            "push.",
        ),
        "serve": (
            "serving",
            "Start a server: family trees for browsers, GraphQL, SPARQL, linked data.",
        ),
        "schema": ("schema", "Print the GraphQL schema, for code generators and editors."),
        "mcp": (
            "mcp",
            "Serve a store to an assistant by the Model Context Protocol, on standard input and "
            "output.",
        ),
        "export": (
            "exporting",
            "Export the graph, or one lineage, for other tools; or a static site.",
        ),
    },
    "Correct": {
        "decide": ("deciding", "Correct the graph; decisions also apply to all later builds."),
        "evaluate": (
            "evaluating",
            "Measure the extraction against annotations: precision, recall, calibration.",
        ),
    },
    "Maintain": {
        "check": (
            "maintaining",
            "Read a whole store, and report what is damaged and how to repair it.",
        ),
        "backup": (
            "maintaining",
            "Copy a store and its decisions to a new file, even while it is in use.",
        ),
    },
}
"""The commands: the module of each, and the first line of its help. None is loaded to list them."""
_COMMANDS = {name: each for group in GROUPS.values() for name, each in group.items()}
_CONFIG = Path("stemma.toml")


class _Loaded(Mapping[str, Any]):
    """The commands by name; each is loaded when it is called, so that the others cost no time."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module = import_module(f"stemma.server.cli.{_COMMANDS[name][0]}")
            alone = typer.Typer(callback=lambda: None, rich_markup_mode=None)
            command = getattr(module, name)
            if isinstance(command, typer.Typer):
                alone.add_typer(command)
            else:
                alone.command(name)(command)
            self._loaded[name] = typer.main.get_group(alone).commands[name]
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = cast(MutableMapping[str, Any], _Loaded())

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


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


def main() -> None:
    """Run the command line; errors that a user can fix end in a message and status 1 or 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that another encoding than UTF-8 lacks are written as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except (KeyboardInterrupt, Exception) as error:
        from stemma.server.cli.failure import explained  # noqa: PLC0415 - keeps --help quick
        from stemma.server.cli.terminal import complain  # noqa: PLC0415

        told = explained(error)
        if told is None:
            raise
        reason, status = told
        complain(reason)
        sys.exit(status)
