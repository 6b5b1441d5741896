"""Normal forms that are looked for in papers, in one pass over a paper where they are many."""

from collections.abc import Container, Iterable, Iterator

import ahocorasick_rs

from stemma.extract.learned.form import singular

_LONGEST = 1000
"""Characters of a form that is looked for: an automaton of much longer ones takes minutes."""
_FEW = 100
"""Forms that are found sooner one by one than their automaton is made."""
Found = tuple[str, int, int]
"""A form, with its start and end in a text."""


class FormIndex:
    """A set of normal forms; those that are too long for any name are left out."""

    def __init__(self, forms: Iterable[str]) -> None:
        self.forms = sorted(
            {form for form in forms if 0 < len(form) <= _LONGEST and singular(form) == form}
        )
        many = len(self.forms) > _FEW
        self._automaton = ahocorasick_rs.AhoCorasick(self.forms) if many else None

    def __reduce__(self) -> tuple[type["FormIndex"], tuple[list[str]]]:
        """Go to other processes without the automaton, which is made anew there."""
        return FormIndex, (self.forms,)

    def find(self, bare: str, starts: Container[int]) -> list[Found]:
        """Return each form that begins at one of `starts` in a `bare` text, with its start and end,
        however they overlap."""
        if self._automaton is None:
            return [
                (form, at, at + len(form))
                for form in self.forms
                for at in _each(form, bare)
                if at in starts
            ]
        forms = self.forms
        matches = self._automaton.find_matches_as_indexes(bare, overlapping=True)
        return [(forms[k], start, end) for k, start, end in matches if start in starts]


def _each(form: str, bare: str) -> Iterator[int]:
    at = bare.find(form)
    while at >= 0:
        yield at
        at = bare.find(form, at + 1)
