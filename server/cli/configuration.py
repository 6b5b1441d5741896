"""The file ``stemma.toml``: a table for each command, with the options that are not given."""

import tomllib
from pathlib import Path
from typing import Any

import typer

from stemma.server.cli.terminal import complain

_READ_LIKE_BUILD = ("build", "extract", "load", "evaluate")
"""The commands that read papers: all take the table ``[build]``."""


def configure(context: typer.Context, path: Path) -> None:
    """Read the configuration file at `path` for the command that `context` is about to call.

    Ends with status 2, and the file and the key, for what no command has.
    """
    called = context.invoked_subcommand or ""
    try:
        context.default_map = {called: _options(context, path, called)}
    except (OSError, ValueError) as error:
        complain(f"{path}: {getattr(error, 'strerror', None) or error}")
        raise typer.Exit(2) from None


def _options(context: typer.Context, path: Path, called: str) -> dict[str, Any]:
    """Return the options of a command that a file has."""
    commands = context.command.commands  # type: ignore[attr-defined]
    tables = tomllib.loads(path.read_text("utf-8"))
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"`{name}` is in no table: write it below one such as [build]")
        if name not in commands:
            raise ValueError(f"there is no command for the table [{name}]")
    options = {}
    for name in dict.fromkeys(("build", called) if called in _READ_LIKE_BUILD else (called,)):
        known = {
            each.lstrip("-").replace("-", "_"): option
            for option in commands[name].params
            for each in (option.name, *option.opts)
        }
        for key, value in tables.get(name, {}).items():
            if (option := known.get(key.replace("-", "_"))) is None:
                raise ValueError(f"there is no setting `{key}` in [{name}]")
            options[option.name] = _as_typed(value, option.multiple)
            try:
                option.type_cast_value(context, options[option.name])
            except typer.BadParameter as error:
                raise ValueError(f"`{key}`: {error.message}") from None
    return options


def _as_typed(value: Any, is_list: bool) -> str | list[str]:
    """Return a value as it would be typed on the command line, so that it is checked as that is."""
    if is_list:
        return [str(each) for each in (value if isinstance(value, list) else [value])]
    return str(value)
