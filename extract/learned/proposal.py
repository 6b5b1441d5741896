"""Spans that may be names: where the tagger sees one, at several degrees of doubt, and where the
wording promises one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import INTRODUCING, Document, Span
from stemma.extract.learned.lexicon import KINDS, KnownNames

_DOUBTS = (0.5, 0.25, 0.1, 0.04)
_BEGINS = 0.6
"""How likely against the doubt a token has to begin a name."""
_LONGEST = 10
_RARE = 2
"""Abstracts that have a rare word, at most."""
GENERIC = frozenset(
    [
        "method", "methods", "approach", "approaches", "framework", "frameworks", "algorithm",
        "algorithms", "technique", "techniques", "system", "systems", "model", "models", "network",
        "networks", "architecture", "architectures", "dataset", "datasets", "benchmark",
        "benchmarks", "strategy", "strategies", "scheme", "schemes", "mechanism", "mechanisms",
        "module", "modules", "library", "toolkit", "tool", "pipeline", "solution", "paradigm",
        "procedure", "accelerator", "accelerators", "device", "devices", "gpus", "gpu", "platform",
        "platforms", "metric", "language", "compiler", "task", "tasks", "layer", "layers", "unit",
        "block", "function", "functions", "loss"
    ]
)  # fmt: skip
_LEAD = frozenset(
    [
        "a",
        "an",
        "the",
        "novel",
        "new",
        "simple",
        "efficient",
        "effective",
        "our",
        "called",
        "named",
        "dubbed",
        "termed",
        "namely",
        "first",
        "generic",
        "general",
        "unified",
        "scalable",
        ",",
        '"',
        "“",
        "'",
        "`",
    ]
)
_STOPS = frozenset(
    [
        "a", "an", "the", "of", "for", "and", "to", "in", "on", "with", "by", "we", "is", "are",
        "our", "this", "that", "from", "as", "at", "it", "its", "be", "which", "can", "has", "have",
        "where", "when", "while", "using", "via", "through", "based", "into", "than", "who",
        "whose", "called", "named", "dubbed", "termed", "namely", "including", "such", "not", "but",
        "or"
    ]
)  # fmt: skip


@dataclass(slots=True)
class Proposal:
    """A span that may be a name, by the tagger and by the `sources` that propose it.

    `kinds`: the probability that exactly this span is a name, by kind, and `score` whatever its
    kind; `inside`: that its tokens are in one; `closed`: that no name goes on after it.
    """

    span: Span
    kinds: list[float]
    score: float
    inside: float
    closed: float
    sources: set[str] = field(default_factory=set)


def propose(
    document: Document, marginals: Sequence[np.ndarray], names: KnownNames, corpus: CorpusStatistics
) -> list[Proposal]:
    """All candidates of a document, each span once."""
    sources: dict[Span, set[str]] = {}
    for tagged in _tagged(marginals):
        if span := _trimmed(document, tagged):
            sources.setdefault(span, set())
    for proposed, source in _promised(document, names, corpus):
        if (
            proposed[2] - proposed[1] <= _LONGEST
            and document.sentences[proposed[0]].words[proposed[1]][0].isalnum()
        ):
            sources.setdefault(proposed, set()).add(source)
    return [_proposal(span, marginals[span[0]], found) for span, found in sources.items()]


def _proposal(span: Span, marginals: np.ndarray, sources: set[str]) -> Proposal:
    _, start, end = span
    n = len(KINDS)
    table = marginals[start : end + 1].tolist()
    kinds = table[0][1 : n + 1]
    for row in table[1 : end - start]:
        kinds = [min(pair) for pair in zip(kinds, row[n + 1 :], strict=True)]
    closed = 1.0 - (sum(table[end - start][n + 1 :]) if end < len(marginals) else 0.0)
    kinds = [kind * closed for kind in kinds]
    inside = 1.0 - sum(row[0] for row in table[: end - start]) / (end - start)
    return Proposal(span, kinds, sum(kinds), inside, closed, sources)


def _tagged(marginals: Sequence[np.ndarray]) -> Iterator[Span]:
    """Yield where the tagger sees a name, some of them several times."""
    if not marginals:
        return
    n = len(KINDS)
    table = np.concatenate(marginals)
    name = (1.0 - table[:, 0]).tolist()
    begin = table[:, 1 : n + 1].sum(axis=1).tolist()
    inside = table[:, n + 1 :].sum(axis=1).tolist()
    first = 0
    for s, last in enumerate(accumulate(map(len, marginals))):
        found = _seen(name[first:last], begin[first:last], inside[first:last])
        yield from ((s, start, end) for start, end in found)
        first = last


def _seen(
    name: Sequence[float], begin: Sequence[float], inside: Sequence[float]
) -> set[tuple[int, int]]:
    """Return where names may be in a sentence, by the probability of each token to be in one, to
    begin one, and to go on with one."""
    found: set[tuple[int, int]] = set()
    length = len(name)
    least = min(_DOUBTS)
    in_name = [i for i in range(length) if name[i] > least]
    beginning = [i for i in range(length) if begin[i] > least * _BEGINS]
    for doubt in _DOUBTS:
        reached = 0
        for i in in_name:
            if i >= reached and name[i] > doubt:
                reached = i + 1
                while (
                    reached < length and name[reached] > doubt and inside[reached] >= begin[reached]
                ):
                    reached += 1
                found.add((i, reached))
        for i in beginning:
            if begin[i] > doubt * _BEGINS:
                end = i + 1
                while end < length and inside[end] > max(doubt, 0.3 * name[end]):
                    end += 1
                found.add((i, end))
    return found


def _trimmed(document: Document, span: Span) -> Span | None:
    s, start, end = span
    words = document.sentences[s].words
    while start < end and not words[start][0].isalnum():
        start += 1
    while end > start and not (words[end - 1][-1].isalnum() or words[end - 1][-1] in "+#"):
        end -= 1
    return (s, start, end) if 0 < end - start <= _LONGEST else None


def _promised(  # noqa: PLR0912  (one wording after another)
    document: Document, names: KnownNames, corpus: CorpusStatistics
) -> list[tuple[Span, str]]:
    found: list[tuple[Span, str]] = []
    if head := document.head_of_title():
        found.append(((0, 0, len(head)), "head"))
    for long, short in document.definitions:
        found += [(long, "long"), (short, "short")]
    found += [(span, "rare") for span in _rare(document, corpus)]
    begun = None
    for span, form in document.places(names.index):
        if span[:2] != begun and names.knows(form, document.sentences[span[0]].words[span[1]]):
            found.append((span, "catalogue"))
            begun = span[:2]
    for span, candidates in document.proposals.items():
        found += [(span, "rule:" + each.source) for each in candidates]
    for s, sentence in enumerate(document.sentences):
        words, lowered = sentence.words, document.lowered[s]
        if INTRODUCING.isdisjoint(lowered):
            continue
        for i, word in enumerate(lowered):
            if word in INTRODUCING:
                start = i + 1
                while start < len(words) and lowered[start] in _LEAD:
                    start += 1
                end = start
                while end < len(words) and end - start < 9 and lowered[end] not in _STOPS:
                    if not lowered[end][0].isalnum() and lowered[end] not in {"-", "/"}:
                        break
                    end += 1
                while end > start and not words[end - 1][0].isalnum():
                    end -= 1
                if end > start:
                    found.append(((s, start, end), "new"))
                    if lowered[end - 1] in GENERIC and end - 1 > start:
                        found.append(((s, start, end - 1), "bare"))
    return [(span, source) for span, source in found if span[2] > span[1]]


def _rare(document: Document, corpus: CorpusStatistics) -> Iterator[Span]:
    """Yield capitalised words that hardly any abstract has, with what hyphens tie to them."""
    for s, sentence in enumerate(document.sentences):
        words, lowered = sentence.words, document.lowered[s]
        starts, ends = sentence.starts, sentence.ends
        i = 0
        while i < len(words):
            if words[i].islower() or corpus.frequency.get(lowered[i], 0) > _RARE:
                i += 1
                continue
            end = i + 1
            while (
                end + 1 < len(words)
                and words[end] == "-"
                and ends[end - 1] == starts[end]
                and ends[end] == starts[end + 1]
                and not words[end + 1].islower()
            ):
                end += 2
            if words[i][0].isalpha():
                yield s, i, end
            i = end
