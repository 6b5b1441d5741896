"""The tokenizer: names can be marked in part, since hyphens and slashes always stand alone."""

import re
from collections.abc import Callable
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import DummyTokenizer, registry
from spacy.vocab import Vocab

# Version numbers ("v1.5", "3.5") and names like "C++" and "ZeRO++" stay whole.
# Most words are letters alone, which is seen soonest. "8timesA100" is what is left of "8×A100"
# where formulas have lost their marks.
_WORD = re.compile(
    r"[^\W\d_]+(?![\w+#])|\d+times(?=[A-Z])"
    r"|\w{1,40}+(?<=\d)(?:\.\d+)+\w*|[^\W_]+(?:\+\+|#(?!\w))?|[^\w\s]|_"
)
_TOKEN = re.compile(rf"({_WORD.pattern}|\s+)( ?)")
_LONGEST = 1000
"""Characters of a token. What goes on for longer is no word, and is cut: a sentence has at least
one token, and is quoted for each of its entities."""


class NameTokenizer(DummyTokenizer):
    """Splits at every hyphen and slash: "PyTorch-based" and "LLaMA-7B/13B" are in parts."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of `text`; together they are exactly that text."""
        tokens = _TOKEN.findall(text)
        words = [word for word, _ in tokens]
        if max(map(len, words), default=0) > _LONGEST:
            tokens = [part for token in tokens for part in _parts(*token)]
            words = [word for word, _ in tokens]
        return Doc(self.vocab, words=words, spaces=[space == " " for _, space in tokens])


def _parts(word: str, space: str) -> list[tuple[str, str]]:
    if len(word) <= _LONGEST:
        return [(word, space)]
    cuts = range(0, len(word), _LONGEST)
    return [(word[at : at + _LONGEST], space if at == cuts[-1] else "") for at in cuts]


@registry.tokenizers("stemma.NameTokenizer.v1")  # type: ignore[untyped-decorator]
def name_tokenizer() -> Callable[[Language], Any]:
    """Return the maker of the tokenizer, as a spaCy config asks for it."""
    return lambda nlp: NameTokenizer(nlp.vocab)
