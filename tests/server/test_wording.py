"""Wording: sentences without LaTeX, with the names of works marked in them."""

import re
from time import process_time

import pytest

from stemma.schema import Entity, EntityKind
from stemma.server.views.wording import readable, styled
from stemma.server.web.pages import naming


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"It is 41\% faster and costs \$5.", "It is 41% faster and costs $5."),
        (r"We present \textbf{Kiln} (\emph{\textbf{fast}}).", "We present Kiln (fast)."),
        (r"Our \href{https://kiln.example/x}{code} is public.", "Our code is public."),
        (r"Kiln~(an oven) beats Stove~\citep{stove}.", "Kiln (an oven) beats Stove."),
        (
            r"A $\textbf{Kiln}$ at $41\%$ of \(N\), $2\times$ or 3\(\times\), costs $3 to $5.",
            "A Kiln at 41% of N, 2× or 3×, costs $3 to $5.",
        ),
        (r"It is ~5x faster in $O(n\text{log})$.", r"It is ~5x faster in $O(n\text{log})$."),
    ],
)
def test_a_sentence_is_shown_without_commands_for_text(text, shown):
    assert readable(text) == shown


@pytest.mark.parametrize("whole", ["Kiln", r"\textbf{Kiln}", r"$\textbf{Kiln}$", r"{\bf Kiln}"])
def test_a_name_is_linked_with_the_command_that_it_is_the_argument_of(whole):
    text = f"We call it {whole}, or an oven."
    start = text.index("Kiln")
    first, last = styled(text, start, start + len("Kiln"))
    assert text[first:last] == whole


@pytest.mark.parametrize(
    "text", ["~" * 100_000, r"{\bf" + " " * 100_000, "$" * 100_000], ids=["ties", "bold", "dollars"]
)
def test_no_text_takes_long(text):
    begun = process_time()
    assert readable(text) == text
    assert process_time() - begun < 1


# Names in sentences.

LORA = Entity("entity/lora", "LoRA", EntityKind.TECHNIQUE, ("low-rank adaptation",))
QLORA = Entity("entity/qlora", "QLoRA", EntityKind.TECHNIQUE)
IT = Entity("entity/it", "IT", EntityKind.DATASET)


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("QLoRA extends LoRA.", ["QLoRA", "LoRA"]),
        ("Low rank adaptations, or LORAs, are small.", ["Low rank adaptations", "LORAs"]),
        ("LoRAX is neither; it is no dataset.", []),
        ("We test LoRA-based models on IT.", ["LoRA", "IT"]),
    ],
)
def test_names_are_marked_where_they_are_whole_words(sentence, marked):
    html = naming(sentence, [LORA, None, QLORA, IT])
    assert re.findall(r'<span class="named">(.*?)</span>', html) == marked
    assert re.sub(r"</?span.*?>", "", html) == sentence


def test_texts_stay_texts():
    lora = '<span class="named">LoRA</span>'
    assert naming(r"<i>LoRA</i> & 5\%", [LORA]) == f"&lt;i&gt;{lora}&lt;/i&gt; &amp; 5%"
    assert naming("<b>", []) == "&lt;b&gt;"
    odd = Entity("entity/odd", "C++ (<b>)", EntityKind.FRAMEWORK)
    assert naming("In C++ (<b>) we", [odd]) == f"In {lora.replace('LoRA', 'C++ (&lt;b&gt;)')} we"
