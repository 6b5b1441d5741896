"""Names already known: the catalogue's, and those that annotators marked in the training papers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.form import normal_form
from stemma.extract.learned.form_index import FormIndex
from stemma.schema import Catalogue, EntityKind

KINDS = ("hardware", "framework", "technique", "model", "dataset")
assert set(KINDS) == set(EntityKind)


@dataclass(frozen=True)
class KnownNames:
    """Names of the catalogue: normal form -> kind, and -> normal form of the preferred name.

    Of several senses of a form, the first by id counts.
    """

    kinds: Mapping[str, str]
    concepts: Mapping[str, str]

    @classmethod
    def of(cls, catalogue: Catalogue) -> "KnownNames":
        """Read the names of all concepts."""
        kinds: dict[str, str] = {}
        concepts: dict[str, str] = {}
        for _, concept in sorted(catalogue.concepts.items()):
            for name in (concept.name, *concept.aliases):
                if form := normal_form(name):
                    kinds.setdefault(form, concept.kind.value)
                    concepts.setdefault(form, normal_form(concept.name))
        return cls(kinds, concepts)

    @cached_property
    def index(self) -> FormIndex:
        """The normal forms, to look for."""
        return FormIndex(self.kinds)

    def knows(self, form: str, first_word: str) -> bool:
        """Tell whether a form is known; short names in lower case are too often plain words."""
        return form in self.kinds and (len(form) > 3 or not first_word.islower())


@dataclass
class Lexicon:
    """How often a phrase was marked as an entity among the training papers that hold it.

    While training, a paper's own marks are left out (`own`),
    so that what the model learns of these counts holds for new papers.
    """

    marked: dict[str, Counter[str]] = field(default_factory=dict)  # normal form -> kind -> papers
    seen: dict[str, int] = field(default_factory=dict)  # normal form -> papers that hold it
    ends: dict[str, tuple[int, int]] = field(
        default_factory=dict
    )  # last word -> times it ended a name, times in all

    @cached_property
    def index(self) -> FormIndex:
        """The marked phrases, to look for."""
        return FormIndex(self.marked)

    def look_up(
        self, form: str, own: Mapping[str, str] | None = None
    ) -> tuple[str, int, int] | None:
        """(kind, papers that mark `form`, papers that hold it), or None if there is no such
        mark."""
        marks = self.marked.get(form)
        if marks is None:
            return None
        papers, total, kind = self.seen.get(form, 0), sum(marks.values()), None
        if own is not None:
            papers -= 1
            if form in own:
                total -= 1
                marks = marks.copy()
                marks[own[form]] -= 1
        if total <= 0 and papers <= 0:
            return None
        kind = max(marks, key=lambda k: marks[k]) if total > 0 else "none"
        return kind, total, max(papers, total)

    def end_rate(self, word: str) -> float:
        """How often a lower-case word ends a name, smoothed."""
        ended, times = self.ends.get(word, (0, 0))
        return (ended + 0.3) / (times + 2)


def learn(papers: Sequence[tuple[Document, Mapping[str, str], Iterable[Span]]]) -> Lexicon:
    """A lexicon from (document, normal form -> kind of its marked names, marked spans)."""
    marked: dict[str, Counter[str]] = defaultdict(Counter)
    for _, names, _ in papers:
        for form, kind in names.items():
            marked[form][kind] += 1
    seen: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    times: Counter[str] = Counter()
    index = FormIndex(marked)
    for document, _, spans in papers:
        seen.update({form for _, form in document.places(index)})
        times.update(w for words in document.lowered for w in words)
        ended.update(document.lowered[s][end - 1] for s, _, end in spans)
    return Lexicon(dict(marked), dict(seen), {w: (n, times[w]) for w, n in ended.items()})
