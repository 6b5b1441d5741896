"""The tokenizer: names can be marked in part, since hyphens and slashes always stand alone."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import DummyTokenizer, registry
from spacy.vocab import Vocab

# Version numbers ("v1.5", "3.5") and names like "C++" and "ZeRO++" stay whole.
# Most words are letters alone, which is seen soonest.
_WORD = re.compile(r"[^\W\d_]+(?![\w+#])|\w*\d(?:\.\d+)+\w*|[^\W_]+(?:\+\+|#(?!\w))?|[^\w\s]|_")
_TOKEN = re.compile(rf"{_WORD.pattern}|\s+")


class NameTokenizer(DummyTokenizer):
    """Splits at every hyphen and slash: "PyTorch-based" and "LLaMA-7B/13B" are in parts."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of `text`; together they are exactly that text."""
        words: list[str] = []
        spaces: list[bool] = []
        for match in _TOKEN.finditer(text):
            token = match.group()
            if token == " " and words and not spaces[-1]:
                spaces[-1] = True
            else:
                words.append(token)
                spaces.append(False)
        return Doc(self.vocab, words=words, spaces=spaces)


@registry.tokenizers("stemma.NameTokenizer.v1")  # type: ignore[untyped-decorator]
def name_tokenizer() -> Callable[[Language], Any]:
    """Return the maker of the tokenizer, as a spaCy config asks for it."""
    return lambda nlp: NameTokenizer(nlp.vocab)


def words_of(text: str, start: int, end: int, most: int) -> tuple[list[str], list[int], list[int]]:
    """Return the tokens of a stretch of `text`, blanks left out, `most` at most: with offsets."""
    found = list(islice(_WORD.finditer(text, start, end), most))
    return [m.group() for m in found], [m.start() for m in found], [m.end() for m in found]
