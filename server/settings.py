"""The settings of a server: options of ``stemma serve``, many of them for ``stemma.toml`` alone."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_SHORTEST_TOKEN = 16
_ABSOLUTE = re.compile(r"""https?://[^\s<>"{}|\\^`]+""")


class LogFormat(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"


def _option(default: Any, help: str, *flags: str, secret: bool = False, **option: Any) -> Any:
    """Declare a setting by its option: see typer.Option."""
    metadata = {"flags": flags, "help": help, **option}
    return field(default=default, repr=not secret, metadata=metadata)


_setting = partial(_option, hidden=True)
"""Declares a setting that only ``stemma.toml`` is meant for: the help of the command lacks it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a store is served, and to whom.

    Raises ValueError where it would be open to strangers, and for what is no host or URL. The other
    bounds are those of the options.
    """

    host: str = _option("127.0.0.1", "The address to listen on.")
    port: int = _option(8000, "The port; 0 for any.", min=0, max=65535)
    public: bool = _option(False, "Answer all requests, without a token.", "--public")
    token: str | None = _option(
        None,
        "Only answer requests with this token (as bearer token, or as password in a browser). "
        "At least 16 characters, unless --host is this machine.",
        secret=True,
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
        200_000, "Maximum number of values in a GraphQL answer, computed from page sizes.", min=1
    )
    query_aliases: int = _setting(30, "Maximum number of aliases in a GraphQL operation.", min=0)
    query_tokens: int = _setting(2000, "Maximum number of tokens in a GraphQL query.", min=1)
    page_size: int = _setting(100, "Maximum number of works on a page of GraphQL.", min=1)
    body_size: int = _setting(256, "Maximum size of a request, in KB.", min=1)
    connections: int = _setting(
        1000, "Maximum number of connections per server process (`workers`).", min=1
    )

    sparql_workers: int = _setting(
        4,
        "Maximum number of SPARQL processes per server process (`workers`), at most half of them "
        "for one client; 0 turns SPARQL off.",
        min=0,
    )
    sparql_queue: int = _setting(
        32, "Maximum number of waiting SPARQL queries; at most half per client.", min=0
    )
    sparql_timeout: float | None = _setting(
        None, "Time limit of a SPARQL query, including waiting; by default `seconds`.", min=0.001
    )
    sparql_size: int = _setting(32, "Maximum size of a SPARQL answer, in MB.", min=1)
    sparql_memory: int = _setting(1024, "Memory limit of each SPARQL process, in MB.", min=128)

    license: str | None = _setting(
        None, "The license of the data, such as https://creativecommons.org/licenses/by/4.0/."
    )
    publisher: str | None = _setting(None, "Who publishes the data, such as https://example.org.")
    dump: tuple[str, ...] = _setting(
        (), "Where an export of the whole graph can be downloaded; can be repeated."
    )

    workers: int = _option(1, "Number of server processes.", min=1)
    grace: int = _setting(
        5, "Seconds for running requests to finish after the signal to stop.", min=0
    )
    log_format: LogFormat = _option(  # noqa: RUF009 - it is a field like the others
        LogFormat.TEXT, "Human-readable text, or JSON."
    )
    log_requests: bool | None = _setting(None, "Log each request; by default only with JSON.")
    playground: bool = _setting(True, "Serve the GraphQL playground.")

    def __post_init__(self) -> None:
        for host in self.allow_host:
            if "*" in host[1:] or (host.startswith("*") and host[1:2] not in ("", ".")):
                raise ValueError(
                    f"`allow-host` is {host!r}; a wildcard is written like *.example.org"
                )
        addresses = {"license": self.license, "publisher": self.publisher}
        for name, url in (*addresses.items(), *(("dump", each) for each in self.dump)):
            if url is not None and not _ABSOLUTE.fullmatch(url):
                raise ValueError(
                    f"`{name}` is {url!r}; it must be a URL, such as https://example.org/data.nq.gz"
                )
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


DEFAULT_SETTINGS = Settings()
