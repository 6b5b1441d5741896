"""The Model Context Protocol: the graph for assistants. It needs the extra ``mcp``."""

from importlib.util import find_spec

from stemma.distribution import install

NEEDED = f"MCP needs its Python SDK: {install('mcp')}"


def is_installed() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("mcp") is not None
