"""The configuration file: options that are not given, and settings that are no options."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import typer

from stemma.server.cli.terminal import complain
from stemma.server.settings import TABLES, read_settings_file, settings_in

Settings = TypeVar("Settings")
_READ_LIKE_BUILD = ("build", "extract", "evaluate")
"""The commands that read papers: all take the table ``[build]``."""


def configure(context: typer.Context, path: Path) -> None:
    """Read the configuration file at `path` for the command that `context` is about to call.

    Ends with status 2, and the file and the key, for what no command has.
    """
    called = context.invoked_subcommand or ""
    commands: Mapping[str, Any] = context.command.commands  # type: ignore[attr-defined]
    try:
        tables = read_settings_file(path)
        for table in tables.keys() - commands.keys():
            raise ValueError(f"{path}: there is no command for the table [{table}]")
        used = ["build", called] if called in _READ_LIKE_BUILD else [called]
        for table in used:
            known = {each.name for each in commands[table].params}
            known |= {each.name for each in fields(TABLES[table])} if table in TABLES else set()
            for key in tables.get(table, {}).keys() - known:
                raise ValueError(f"{path}: there is no setting `{key}` in [{table}]")
    except ValueError as error:
        complain(str(error))
        raise typer.Exit(2) from None
    context.obj = tables
    context.default_map = {called: {k: v for each in used for k, v in tables.get(each, {}).items()}}


def configured(context: typer.Context, table: str, type_: type[Settings]) -> Settings:
    """Return the settings in a table of the configuration file; without them, the defaults."""
    tables: Mapping[str, Any] = context.find_root().obj or {}
    return type_(**settings_in(tables, table))
