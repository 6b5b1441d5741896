"""The Model Context Protocol: the graph for assistants. It needs the extra ``mcp``."""

from importlib.util import find_spec

NEEDED = "MCP needs its Python SDK: pip install 'stemma[mcp]'"


def is_installed() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("mcp") is not None
