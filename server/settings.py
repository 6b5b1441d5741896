"""The settings of a server. Each is declared here once: its name, default, bounds and help.

The options of ``stemma serve`` and the keys of ``stemma.toml`` are made from them.
"""

import re
import tomllib
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, get_type_hints

_ADDRESS, _LIMITS, _SPARQL, _OPERATIONS = "Address", "Limits", "SPARQL", "Operations"
_DATA = "Description of the data"
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_SHORTEST_TOKEN = 16
_ABSOLUTE = re.compile(r"""https?://[^\s<>"{}|\\^`]+""")


class LogFormat(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"


def _setting(default: Any, panel: str, help: str, *flags: str, **option: Any) -> Any:
    """Declare a setting; `option` are further arguments of typer.Option."""
    option |= {"help": help, "rich_help_panel": panel}
    secret = option.get("envvar") == "STEMMA_TOKEN"
    return field(default=default, repr=not secret, metadata={"flags": flags, "option": option})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a store is served, and to whom. Raises ValueError where a setting is out of bounds."""

    host: str = _setting("127.0.0.1", _ADDRESS, "The address to listen on.")
    port: int = _setting(8000, _ADDRESS, "The port; 0 for any.", min=0, max=65535)
    public: bool = _setting(False, _ADDRESS, "Answer all requests, without a token.", "--public")
    token: str | None = _setting(
        None,
        _ADDRESS,
        "Only answer requests with this token (as bearer token, or as password in a browser). "
        "At least 16 characters, unless --host is this machine.",
        envvar="STEMMA_TOKEN",
        show_envvar=True,
    )
    allow_host: tuple[str, ...] = _setting(
        (),
        _ADDRESS,
        "Only answer requests with this Host (such as *.example.org), or this machine; can be "
        "repeated. Without --token and --public, the default is this machine.",
        metavar="NAME",
    )
    allow_origin: tuple[str, ...] = _setting(
        (),
        _ADDRESS,
        "Allow web pages of this origin, such as https://example.org, to use GraphQL; * for all.",
        metavar="ORIGIN",
    )
    allow_decisions: bool = _setting(
        False,
        _ADDRESS,
        "Let people correct the graph in their browsers, as stemma decide does; needs --token "
        "unless only this machine can connect.",
        "--allow-decisions/--no-allow-decisions",
    )

    seconds: float = _setting(30.0, _LIMITS, "Time limit of a query.", min=0.001)
    query_depth: int = _setting(12, _LIMITS, "Maximum depth of a GraphQL query.", min=1)
    query_cost: int = _setting(
        200_000,
        _LIMITS,
        "Maximum number of values in a GraphQL answer, computed from page sizes.",
        min=1,
    )
    query_aliases: int = _setting(
        30, _LIMITS, "Maximum number of aliases in a GraphQL operation.", min=0
    )
    query_tokens: int = _setting(
        2000, _LIMITS, "Maximum number of tokens in a GraphQL query.", min=1
    )
    page_size: int = _setting(100, _LIMITS, "Maximum number of works on a page of GraphQL.", min=1)
    batch_size: int = _setting(
        10, _LIMITS, "Maximum number of GraphQL queries in a request.", min=1
    )
    body_size: int = _setting(256, _LIMITS, "Maximum size of a request, in KB.", min=1)
    connections: int = _setting(
        1000, _LIMITS, "Maximum number of connections per server process (--workers).", min=1
    )
    introspection: bool = _setting(
        True, _LIMITS, "Allow introspection of the GraphQL schema; the playground needs it."
    )

    sparql_workers: int = _setting(
        2,
        _SPARQL,
        "Maximum number of SPARQL processes per server process (--workers); 0 turns SPARQL off.",
        min=0,
    )
    sparql_queue: int = _setting(
        32,
        _SPARQL,
        "Maximum number of waiting SPARQL queries; at most half per client.",
        min=0,
    )
    sparql_timeout: float | None = _setting(
        None,
        _SPARQL,
        "Time limit of a SPARQL query, including waiting; by default --seconds.",
        min=0.001,
    )
    sparql_rows: int = _setting(
        100_000, _SPARQL, "Maximum number of rows or triples in a SPARQL answer.", min=1
    )
    sparql_size: int = _setting(32, _SPARQL, "Maximum size of a SPARQL answer, in MB.", min=1)
    sparql_memory: int = _setting(
        1024, _SPARQL, "Memory limit of each SPARQL process, in MB.", min=128
    )

    license: str | None = _setting(
        None,
        _DATA,
        "The license of the data, such as https://creativecommons.org/licenses/by/4.0/.",
        metavar="URL",
    )
    publisher: str | None = _setting(
        None, _DATA, "Who publishes the data, such as https://example.org.", metavar="URL"
    )
    dump: tuple[str, ...] = _setting(
        (),
        _DATA,
        "Where an export of the whole graph can be downloaded; can be repeated.",
        metavar="URL",
    )

    workers: int = _setting(1, _OPERATIONS, "Number of server processes.", min=1)
    grace: int = _setting(
        5,
        _OPERATIONS,
        "Seconds for running requests to finish after the signal to stop.",
        min=0,
    )
    log_format: LogFormat = _setting(  # noqa: RUF009 - it is a field like the others
        LogFormat.TEXT, _OPERATIONS, "Human-readable text, or JSON."
    )
    log_requests: bool | None = _setting(
        None,
        _OPERATIONS,
        "Log each request; by default only with JSON.",
        "--log-requests/--no-log-requests",
        show_default=False,
    )
    traces: bool = _setting(
        False,
        _OPERATIONS,
        "Send OpenTelemetry traces to OTEL_EXPORTER_OTLP_ENDPOINT; needs stemma-kg[telemetry].",
        "--traces",
    )
    playground: bool = _setting(True, _OPERATIONS, "Serve the GraphQL playground.")

    def __post_init__(self) -> None:
        for each in fields(self):
            if problem := _problem(each.name, getattr(self, each.name)):
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


SETTINGS = {each.name: each for each in fields(Settings)}
TYPES = {name: hint for name, hint in get_type_hints(Settings).items() if name in SETTINGS}
_IN_FILE: dict[Any, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    bool | None: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    float | None: ((int, float), "a number"),
    tuple[str, ...]: ((list,), "a list of strings"),
}
"""How the types of settings are written in TOML; the others as strings."""


def read_settings_file(path: Path) -> dict[str, Any]:
    """Read the table ``[serve]`` of a configuration file: settings by name, and the `store`.

    Raises ValueError, with the file and the key, for what cannot be read.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    for name in content.keys() - {"serve"}:
        raise ValueError(f"{path}: there is no table [{name}], only [serve]")
    table = content.get("serve", {})
    if not isinstance(table, dict):
        raise ValueError(f"{path}: `serve` is not a table; begin it with [serve]")
    found = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name != "store" and name not in SETTINGS:
            raise ValueError(f"{path}: there is no setting `{key}`")
        types, kind = _IN_FILE.get(TYPES.get(name), ((str,), "a string"))
        fits = isinstance(value, types) and isinstance(value, bool) is (bool in types)
        if not fits or (list in types and not all(isinstance(each, str) for each in value)):
            raise ValueError(f"{path}: `{key}` is {value!r}; it must be {kind}")
        if name in SETTINGS and (problem := _problem(name, value)):
            raise ValueError(f"{path}: {problem}")
        found[name] = value
    return found


def _problem(name: str, value: Any) -> str | None:
    """Return what is wrong with the value of a setting by itself, if anything is."""
    option = SETTINGS[name].metadata["option"]
    if value is not None and value < option.get("min", value):
        return f"`{name}` is {value}; it must be {option['min']} or more"
    if value is not None and value > option.get("max", value):
        return f"`{name}` is {value}; it must be {option['max']} or less"
    if name == "log_format" and value not in [*LogFormat]:
        return f"`{name}` is {value!r}; it must be one of {', '.join(LogFormat)}"
    for host in value if name == "allow_host" else ():
        if "*" in host[1:] or (host.startswith("*") and host[1:2] not in ("", ".")):
            return f"`{name}` is {host!r}; a wildcard is written like *.example.org"
    for url in _urls(name, value):
        if not _ABSOLUTE.fullmatch(url):
            return f"`{name}` is {url!r}; it must be a URL, such as https://example.org/data.nq.gz"
    return None


def _urls(name: str, value: Any) -> tuple[str, ...]:
    if name == "dump":
        return tuple(value)
    return (value,) if name in ("license", "publisher") and value is not None else ()


DEFAULT_SETTINGS = Settings()
