"""spaCy without its command line, which makes up half of the time that spaCy takes to import."""

import sys
from types import ModuleType
from typing import Any

_COMMAND_LINE = ("spacy.cli", "spacy.cli.info")


def import_spacy() -> None:
    """Import spaCy; its command line is imported when somebody uses it."""
    if "spacy" in sys.modules:
        return
    # `spacy` imports its command line only for the function `info`.
    for name in _COMMAND_LINE:
        sys.modules[name] = ModuleType(name)
    vars(sys.modules[_COMMAND_LINE[-1]])["info"] = _info
    try:
        import spacy  # noqa: F401, PLC0415
    finally:
        for name in _COMMAND_LINE:
            del sys.modules[name]


def _info(*arguments: Any, **options: Any) -> Any:
    from spacy.cli.info import info  # noqa: PLC0415

    return info(*arguments, **options)
