"""The log of a running server: lines for people, or JSON for programs that collect them."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from asgi_correlation_id import correlation_id

from stemma.server.settings import LogFormat

_log = logging.getLogger("stemma.python")


class TextFormatter(logging.Formatter):
    """Writes a line for people, and the traceback of an exception after it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        id_ = correlation_id.get()
        about = f" [{id_}]" if id_ else ""
        line = f"{_time(record)} {record.levelname}{about} {record.getMessage()}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """Writes a JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with its `facts` in addition to what all records have."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if id_ := correlation_id.get():
            line["request_id"] = id_
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


_FORMATTERS = {LogFormat.TEXT: TextFormatter, LogFormat.JSON: JsonFormatter}


def log_config(format: LogFormat, requests: bool) -> dict[str, Any]:
    """Return the configuration (of logging.config.dictConfig) of a server's log, on stderr.

    Warnings and errors are logged, and with `requests` each request.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": _FORMATTERS[format]}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stderr",
                "formatter": "lines",
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "stemma.request": {"level": "INFO" if requests else "WARNING"},
            # It warns of each malformed id that a client sends: anybody could fill the log.
            "asgi_correlation_id": {"level": "ERROR"},
            "stemma.serving": {"level": "INFO" if format is LogFormat.JSON else "WARNING"},
        },
    }


def log_python() -> None:
    """Log what Python itself would write to stderr: warnings, and exceptions in finalizers."""
    logging.captureWarnings(True)
    sys.unraisablehook = _log_unraisable


def _log_unraisable(raised: "sys.UnraisableHookArgs") -> None:
    message = raised.err_msg or "Exception ignored in"
    _log.warning("%s: %r", message, raised.object, exc_info=raised.exc_value)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
