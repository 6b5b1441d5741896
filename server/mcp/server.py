"""The MCP server of a graph: tools, resources and prompts, by the official Python SDK."""

from collections.abc import Callable

from mcp.server.mcpserver import MCPServer

from stemma import __version__
from stemma.graph import Store
from stemma.server.mcp.answers import NOTICE, Answer
from stemma.server.mcp.asking import ask, compare
from stemma.server.mcp.changes import changes
from stemma.server.mcp.limits import Questions
from stemma.server.mcp.lineage import lineage, path
from stemma.server.mcp.prompts import add_prompts
from stemma.server.mcp.resources import add_resources
from stemma.server.mcp.tool import make_tool
from stemma.server.mcp.works import papers, search, show

QUESTIONS: tuple[Callable[..., Answer], ...] = (
    search,
    lineage,
    ask,
    show,
    compare,
    path,
    papers,
    changes,
)
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
    questions = Questions(store, seconds)
    server = MCPServer(
        "stemma",
        title="Stemma",
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=[make_tool(questions, each) for each in QUESTIONS],
        subscriptions=False,
        log_level="WARNING",
    )
    add_resources(server, questions)
    add_prompts(server)
    return server
