"""The commands, each in the file that is named after what it is about."""

import sys
from io import TextIOWrapper
from typing import Any

import typer
from typer.core import TyperGroup

from stemma.server.cli import (
    asking,
    changes,
    cypher,
    deciding,
    evaluating,
    exporting,
    fetching,
    graph,
    ingest,
    lineage,
    maintaining,
    mcp,
    papers,
    pushing,
    serving,
    site,
    sparql,
)
from stemma.server.cli.failure import explained
from stemma.server.cli.options import with_database
from stemma.server.cli.terminal import complain


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            # Typer has pydantic check the choices of an option, which writes this before a reason.
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    name="stemma",
    cls=_Commands,
    help="The family tree of research: what builds on what, with the sentence that says so.",
    no_args_is_help=True,
    rich_markup_mode=None,  # its tables cut options and values in a terminal of 80 columns
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

for command in (
    ingest.build,
    ingest.extract,
    ingest.load,
    ingest.remove,
    fetching.fetch,
    lineage.lineage,
    graph.search,
    papers.papers,
    graph.show,
    graph.stats,
    changes.changes,
    asking.ask,
    asking.path,
    asking.compare,
    graph.analyse,
    exporting.export,
    maintaining.check,
    maintaining.backup,
    pushing.push,
    sparql.sparql,
    cypher.cypher,
    serving.serve,
    mcp.mcp,
    site.site,
    evaluating.evaluate,
):
    app.command()(command)
app.add_typer(deciding.app)
for each in (*app.registered_commands, *deciding.app.registered_commands):
    if each.callback:
        # Given as the short help, it is not cut in the list of commands.
        each.short_help = (each.callback.__doc__ or "").partition("\n\n")[0]
        each.callback = with_database(each.callback)


def _version(asked: bool) -> None:
    if asked:
        from stemma import __version__  # noqa: PLC0415 - keeps other commands quick

        typer.echo(f"stemma {__version__}")
        raise typer.Exit


@app.callback()
def stemma(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Hold the options that all commands share."""


def main() -> None:
    """Run the command line; errors that a user can fix end in a message and status 1 or 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that another encoding than UTF-8 lacks are written as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except KeyboardInterrupt:
        complain("stopped")
        sys.exit(1)
    except Exception as error:
        told = explained(error)
        if told is None:
            raise
        reason, status = told
        complain(reason)
        sys.exit(status)
