"""Sentences as they are shown: without the LaTeX that abstracts in arXiv have."""

import pytest

from stemma.server.presentation.wording import readable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"It is 41\% faster and costs \$5.", "It is 41% faster and costs $5."),
        (r"We present \textbf{Kiln} (\emph{\textbf{fast}}).", "We present Kiln (fast)."),
        (r"{\bf Kiln} fires clay.", "Kiln fires clay."),
        (r"Our \href{https://kiln.example/x}{code} is public.", "Our code is public."),
        (r"Kiln~(an oven) beats Stove~\citep{stove}.", "Kiln (an oven) beats Stove."),
        (r"It is ~5x faster in $O(n\text{log})$.", r"It is ~5x faster in $O(n\text{log})$."),
    ],
)
def test_a_sentence_is_shown_without_commands_for_text(text: str, shown: str) -> None:
    assert readable(text) == shown
