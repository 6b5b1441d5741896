"""Questions in English: understood by cues, and a search where there are none."""

from stemma.server.asking.answer import MOST_WORKS, Answer
from stemma.server.asking.asking import ask, suggestions
from stemma.server.asking.question import LONGEST_QUESTION

__all__ = ["LONGEST_QUESTION", "MOST_WORKS", "Answer", "ask", "suggestions"]
