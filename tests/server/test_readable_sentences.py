"""Sentences as they are shown: without the LaTeX that abstracts in arXiv have."""

from time import process_time

import pytest

from stemma.server.views.wording import readable


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


@pytest.mark.parametrize(
    ("start", "rest"), [("", "~"), ("x", " "), (r"{\bf", " ")], ids=["ties", "spaces", "bold"]
)
def test_no_text_takes_long(start: str, rest: str) -> None:
    text = start + rest * 100_000
    begun = process_time()
    assert readable(text) == text
    assert process_time() - begun < 1
