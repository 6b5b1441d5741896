"""The examples of docs/extraction.md: run one after another, they print what the page says."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extraction.md"
BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.M | re.S
)


def test_the_documented_examples_print_what_the_page_says() -> None:
    names: dict[str, object] = {}
    for block in BLOCK.finditer(PAGE.read_text("utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], str(PAGE), "exec"), names)
        assert printed.getvalue() == (block["output"] or "")
    assert "nlp" in names
