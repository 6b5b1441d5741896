"""The settings of Stemma: the options of commands that a file can give, and those beyond them.

``stemma.toml`` has a table for each command, such as ``[serve]`` and ``[build]``, with its options
by their names. The settings below have no other place unless they are declared as options too.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, get_type_hints

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_SHORTEST_TOKEN = 16
_ABSOLUTE = re.compile(r"""https?://[^\s<>"{}|\\^`]+""")


class LogFormat(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"


def _option(default: Any, help: str, *flags: str, **option: Any) -> Any:
    """Declare a setting that is an option of the command too: see typer.Option."""
    secret = option.get("envvar") == "STEMMA_TOKEN"
    metadata = {"flags": flags, "help": help, **option}
    return field(default=default, repr=not secret, metadata=metadata)


def _setting(default: Any, help: str, **bounds: Any) -> Any:
    """Declare a setting of ``stemma.toml`` alone."""
    return field(default=default, metadata={"help": help, **bounds})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a store is served, and to whom. Raises ValueError where a setting is out of bounds."""

    host: str = _option("127.0.0.1", "The address to listen on.")
    port: int = _option(8000, "The port; 0 for any.", min=0, max=65535)
    public: bool = _option(False, "Answer all requests, without a token.", "--public")
    token: str | None = _option(
        None,
        "Only answer requests with this token (as bearer token, or as password in a browser). "
        "At least 16 characters, unless --host is this machine.",
        envvar="STEMMA_TOKEN",
        show_envvar=True,
    )
    allow_host: tuple[str, ...] = _option(
        (),
        "Only answer requests with this Host (such as *.example.org), or this machine; can be "
        "repeated. Without --token and --public, the default is this machine.",
        metavar="NAME",
    )
    allow_origin: tuple[str, ...] = _option(
        (),
        "Allow web pages of this origin, such as https://example.org, to use GraphQL; * for all.",
        metavar="ORIGIN",
    )
    allow_decisions: bool = _option(
        False,
        "Let people correct the graph in their browsers, as stemma decide does; needs --token "
        "unless only this machine can connect.",
        "--allow-decisions/--no-allow-decisions",
    )

    seconds: float = _option(30.0, "Time limit of a query.", min=0.001)
    query_depth: int = _setting(12, "Maximum depth of a GraphQL query.", min=1)
    query_cost: int = _setting(
        200_000,
        "Maximum number of values in a GraphQL answer, computed from page sizes.",
        min=1,
    )
    query_aliases: int = _setting(30, "Maximum number of aliases in a GraphQL operation.", min=0)
    query_tokens: int = _setting(2000, "Maximum number of tokens in a GraphQL query.", min=1)
    page_size: int = _setting(100, "Maximum number of works on a page of GraphQL.", min=1)
    batch_size: int = _setting(10, "Maximum number of GraphQL queries in a request.", min=1)
    body_size: int = _setting(256, "Maximum size of a request, in KB.", min=1)
    connections: int = _setting(
        1000, "Maximum number of connections per server process (`workers`).", min=1
    )
    introspection: bool = _setting(
        True, "Allow introspection of the GraphQL schema; the playground needs it."
    )

    sparql_workers: int = _setting(
        2,
        "Maximum number of SPARQL processes per server process (`workers`); 0 turns SPARQL off.",
        min=0,
    )
    sparql_queue: int = _setting(
        32,
        "Maximum number of waiting SPARQL queries; at most half per client.",
        min=0,
    )
    sparql_timeout: float | None = _setting(
        None,
        "Time limit of a SPARQL query, including waiting; by default `seconds`.",
        min=0.001,
    )
    sparql_size: int = _setting(32, "Maximum size of a SPARQL answer, in MB.", min=1)
    sparql_memory: int = _setting(1024, "Memory limit of each SPARQL process, in MB.", min=128)

    license: str | None = _setting(
        None,
        "The license of the data, such as https://creativecommons.org/licenses/by/4.0/.",
    )
    publisher: str | None = _setting(None, "Who publishes the data, such as https://example.org.")
    dump: tuple[str, ...] = _setting(
        (),
        "Where an export of the whole graph can be downloaded; can be repeated.",
    )

    workers: int = _option(1, "Number of server processes.", min=1)
    grace: int = _setting(
        5,
        "Seconds for running requests to finish after the signal to stop.",
        min=0,
    )
    log_format: LogFormat = _option(  # noqa: RUF009 - it is a field like the others
        LogFormat.TEXT, "Human-readable text, or JSON."
    )
    log_requests: bool | None = _setting(
        None,
        "Log each request; by default only with JSON.",
    )
    playground: bool = _setting(True, "Serve the GraphQL playground.")

    def __post_init__(self) -> None:
        for each in fields(self):
            if problem := _problem(each, getattr(self, each.name)):
                raise ValueError(problem)
        is_open = self.public or self.allow_host or self.host not in _LOOPBACK
        if self.allow_decisions and is_open and not self.token:
            raise ValueError(
                "With --allow-decisions, anyone who can reach the server can change the graph. Set "
                "a --token (or STEMMA_TOKEN)."
            )
        if self.host in _LOOPBACK:
            return
        if not (self.public or self.token):
            raise ValueError(
                f"{self.host} is reachable from other machines. Set a --token (or STEMMA_TOKEN) "
                "for them, or --public to answer all requests."
            )
        if self.token and len(self.token) < _SHORTEST_TOKEN:
            raise ValueError(
                f"{self.host} is reachable from other machines, and this token is too easy to "
                f"guess. Use at least {_SHORTEST_TOKEN} characters, for example from `openssl rand "
                "-hex 16`."
            )

    @property
    def hosts(self) -> tuple[str, ...] | None:
        """The names that the server answers to besides this machine's own; None for any."""
        if self.allow_host:
            return (self.host, *self.allow_host)
        return None if self.public or self.token else (self.host,)

    @property
    def sparql_seconds(self) -> float:
        """The longest that a SPARQL query may wait and take."""
        return self.sparql_timeout or self.seconds

    @property
    def logs_requests(self) -> bool:
        """Whether each request is logged."""
        if self.log_requests is None:
            return self.log_format is LogFormat.JSON
        return self.log_requests


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSettings:
    """How files are read, in the table ``[build]``."""

    reader: str | None = _setting(
        None, "Read all files with this reader, instead of the one that recognises their content."
    )
    max_record_size: str = _setting("8M", "Skip larger records: bytes, or 500K, 64M.")
    sections: str | None = _setting(
        None, "A TOML file with the relations to read from each kind of section."
    )
    trained_model: str | None = _setting(
        None, "A folder with a network that you trained, to read with instead of the shipped one."
    )


SETTINGS = {each.name: each for each in fields(Settings)}
TYPES = {name: hint for name, hint in get_type_hints(Settings).items() if name in SETTINGS}
OPTIONS = [name for name, each in SETTINGS.items() if "flags" in each.metadata]
"""The settings of a server that are options of ``stemma serve``."""
TABLES: Mapping[str, type] = {"serve": Settings, "build": ReadingSettings}
_IN_FILE: dict[Any, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    bool | None: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    float | None: ((int, float), "a number"),
    tuple[str, ...]: ((list,), "a list of strings"),
}
"""How the types of settings are written in TOML; the others as strings."""


def read_settings_file(path: Path) -> dict[str, dict[str, Any]]:
    """Read a configuration file: its tables, each with settings and options by their names.

    Raises ValueError, with the file and the key, for what cannot be read. Options that are no
    settings are not checked: the command does that.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    tables = {}
    for name, table in content.items():
        if not isinstance(table, dict):
            raise ValueError(f"{path}: `{name}` is not a table; begin it with [{name}]")
        tables[name] = {key.replace("-", "_"): value for key, value in table.items()}
    for name, settings in TABLES.items():
        types, table = get_type_hints(settings), tables.get(name, {})
        for each in fields(settings):
            if each.name not in table:
                continue
            if problem := _problem_in_file(each, types[each.name], table[each.name]):
                raise ValueError(f"{path}: {problem}")
    return tables


def _problem_in_file(setting: Field[Any], hint: Any, value: Any) -> str | None:
    """Return what is wrong with a value in a file, of a setting whose type is `hint`."""
    types, kind = _IN_FILE.get(hint, ((str,), "a string"))
    fits = isinstance(value, types) and isinstance(value, bool) is (bool in types)
    if not fits or (list in types and not all(isinstance(each, str) for each in value)):
        return f"`{setting.name.replace('_', '-')}` is {value!r}; it must be {kind}"
    return _problem(setting, value)


def settings_in(tables: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, Any]:
    """Return the settings in a table of a configuration file, by the fields of its class."""
    names = {each.name for each in fields(TABLES[name])}
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in tables.get(name, {}).items()
        if key in names
    }


def _problem(setting: Field[Any], value: Any) -> str | None:
    """Return what is wrong with the value of a setting by itself, if anything is."""
    name, bounds = setting.name, setting.metadata
    if value is not None and value < bounds.get("min", value):
        return f"`{name}` is {value}; it must be {bounds['min']} or more"
    if value is not None and value > bounds.get("max", value):
        return f"`{name}` is {value}; it must be {bounds['max']} or less"
    if name == "log_format" and value not in [*LogFormat]:
        return f"`{name}` is {value!r}; it must be one of {', '.join(LogFormat)}"
    for host in value if name == "allow_host" else ():
        if "*" in host[1:] or (host.startswith("*") and host[1:2] not in ("", ".")):
            return f"`{name}` is {host!r}; a wildcard is written like *.example.org"
    urls = (
        (value,) if name in ("license", "publisher") and value else value if name == "dump" else ()
    )
    for url in urls:
        if not _ABSOLUTE.fullmatch(url):
            return f"`{name}` is {url!r}; it must be a URL, such as https://example.org/data.nq.gz"
    return None


DEFAULT_SETTINGS = Settings()
