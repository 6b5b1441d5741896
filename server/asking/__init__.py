"""Questions in a controlled English, and their answers from the graph."""

from stemma.server.asking.answer import MOST_WORKS, Answer
from stemma.server.asking.asking import LONGEST_QUESTION, ask

__all__ = ["LONGEST_QUESTION", "MOST_WORKS", "Answer", "ask"]
