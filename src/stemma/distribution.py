"""The distribution that Stemma is installed as: its version and its extras.

On PyPI, the name `stemma` belongs to another project.
"""

import shutil
import sys
from functools import cache
from pathlib import Path

NAME = "stemma-kg"


@cache
def version() -> str:
    """Return the version that is installed."""
    from importlib import metadata  # noqa: PLC0415 - reads e-mail headers, which few need

    return metadata.version(NAME)


def install(extra: str) -> str:
    """Return the command that adds the packages of `extra` to this Python.

    It works where Stemma was installed from a checkout too: pip adds to what is installed, and
    does not look for its name on PyPI.
    """
    beside = Path(sys.executable).with_name("pip")
    is_first = shutil.which("pip") == str(beside)
    return f"{'pip' if is_first else beside} install '{NAME}[{extra}]'"
