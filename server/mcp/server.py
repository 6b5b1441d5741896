"""The MCP server of a graph: tools, by the official Python SDK."""

from mcp.server.mcpserver import MCPServer

from stemma import __version__
from stemma.graph import Store
from stemma.server.http.questions import Questions
from stemma.server.mcp.answers import NOTICE
from stemma.server.mcp.tool import make_tool
from stemma.server.mcp.tools import ask, changes, compare, lineage, papers, path, search, show

MOST_WAITING = 32
QUESTIONS = (search, lineage, ask, show, compare, path, papers, changes)
_INSTRUCTIONS = (
    "A knowledge graph of research papers: which hardware, frameworks, techniques, models and "
    "datasets they name, and what builds on what. Each relation comes with its sentence, paper, "
    "link and confidence: cite them. It covers the papers that were loaded, and no others: see "
    "`coverage`. Works are given by name or id; `search` finds them, and "
    "`namesakes` in an answer are others of the same name. Errors say what to do. "
    f"{NOTICE}"
)


def make_server(store: Store, seconds: float) -> MCPServer:
    """Make the server that answers from `store`, each question in so many seconds."""
    questions = Questions(store, seconds, MOST_WAITING)
    return MCPServer(
        "stemma",
        title="Stemma",
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[make_tool(questions, question) for question in QUESTIONS],
        subscriptions=False,
        log_level="WARNING",
    )
