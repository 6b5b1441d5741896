"""Wording: sentences without the LaTeX that abstracts in arXiv have, and relations."""

from time import process_time

import pytest

from stemma.schema import RelationType
from stemma.server.views.wording import readable, relation_phrase


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
def test_a_sentence_is_shown_without_commands_for_text(text, shown):
    assert readable(text) == shown


@pytest.mark.parametrize(
    ("start", "rest"), [("", "~"), ("x", " "), (r"{\bf", " ")], ids=["ties", "spaces", "bold"]
)
def test_no_text_takes_long(start, rest):
    text = start + rest * 100_000
    begun = process_time()
    assert readable(text) == text
    assert process_time() - begun < 1


def test_of_several_relations_each_says_how_sure_it_is():
    builds, improves = RelationType.BUILDS_ON, RelationType.IMPROVES_ON
    assert relation_phrase({builds: 0.26}) == "builds on"
    assert relation_phrase({builds: 0.26, improves: 0.7}) == (
        "builds on (0.26) and improves on (0.70)"
    )
    turned = {builds: "is the basis of", improves: "is improved by"}
    assert relation_phrase({builds: 0.26, improves: 0.7}, turned) == (
        "is the basis of (0.26) and is improved by (0.70)"
    )
