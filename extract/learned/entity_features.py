"""What tells whether a group of candidates is an entity, and of which kind."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document, capital_pattern
from stemma.extract.learned.grouping import Group
from stemma.extract.learned.lexicon import KINDS, KnownNames, Lexicon
from stemma.extract.learned.proposal import GENERIC

SOURCES = ("head", "long", "short", "catalogue", "new", "bare", "rare")
RULES = ("catalogue", "shape", "acronym", "coined", "phrase", "unusual", "listed")
_UNUSUAL = frozenset(["Mix", "Mixd", "UP", "UPs"])
"""Capital patterns that no plain word has."""


class EntityFeatures:
    """Reads a document's groups: `numbers` for the trees, `words` for the linear models, which
    `spelt` gives sooner."""

    def __init__(
        self,
        document: Document,
        groups: Sequence[Group],
        marginals: Sequence[np.ndarray],
        corpus: CorpusStatistics,
        catalogue: KnownNames,
        lexicon: Lexicon,
    ) -> None:
        self.document, self.corpus, self.catalogue, self.lexicon = (
            document,
            corpus,
            catalogue,
            lexicon,
        )
        self.groups = groups
        self.inside = [[0.0, *np.cumsum(1.0 - m[:, 0]).tolist()] for m in marginals]
        self.rivals: dict[int, list[tuple[int, int, float]]] = {}
        for group in groups:
            for c in group.candidates:
                self.rivals.setdefault(c.span[0], []).append((c.span[1], c.span[2], c.score))
        self.full_names = set(document.full_names.values())

    def numbers(self, group: Group) -> list[float]:
        """A fixed number of measurements."""
        document, corpus, best = self.document, self.corpus, group.best
        s, start, end = best.span
        words, lowered = document.sentences[s].words, document.lowered[s]
        name, low = words[start:end], lowered[start:end]
        scores = [c.score for c in group.candidates]
        kinds = best.kinds
        if len(group.candidates) > 1:
            kinds = [sum(each) for each in zip(*(c.kinds for c in group.candidates), strict=True)]
        support = sum(kinds) + 1e-9
        text = document.surface(best.span)
        flags = {flag for w in name if w in document.flags for flag in document.flags[w]}
        marks = [m for f in sorted(group.forms) if (m := self.lexicon.look_up(f))]
        marked = max((m[1] for m in marks), default=0)
        seen = max((m[2] for m in marks), default=0)
        marked_kind = max(marks, key=lambda m: m[1])[0] if marks else "none"
        overlap = around = within = 0.0
        for a, b, score in self.rivals[s]:
            if (a, b) != (start, end) and a < end and start < b:
                overlap = max(overlap, score)
                if a <= start and end <= b:
                    around = max(around, score)
                if start <= a and b <= end:
                    within = max(within, score)
        sources = set().union(*(c.sources for c in group.candidates))
        named = sorted(self.catalogue.kinds.keys() & group.forms)
        known = self.catalogue.kinds[named[0]] if named else None
        inside = [
            (self.inside[a][c] - self.inside[a][b]) / (c - b) for a, b, c in group.places
        ] or [0.0]
        follows = lowered[end] if end < len(words) else "#"
        precedes = lowered[start - 1] if start else "#"
        in_lower = [
            document.sentences[c.span[0]].words[c.span[1]].islower() for c in group.candidates
        ]
        frequencies = [corpus.frequency.get(w, 0) for w in low]
        rate = self.lexicon.end_rate
        return [
            max(scores), sum(scores) / len(scores),
            1.0 - math.prod([1.0 - min(0.999, x) for x in scores]),
            len(scores), len(group.places), max([c.inside for c in group.candidates]), best.closed,
            *[kind / support for kind in kinds],
            any(document.sentences[c.span[0]].in_title for c in group.candidates),
            group.key in self.full_names,
            "thead" in flags, "prop" in flags, "acr" in flags,
            end - start, len(text), sum(map(str.isupper, text)), any(map(str.isdigit, text)),
            sum(in_lower) / len(in_lower), not _UNUSUAL.isdisjoint(map(capital_pattern, name)),
            marked, seen, marked / seen if seen else -1.0,
            KINDS.index(marked_kind) if marked_kind in KINDS else -1,
            math.log1p(corpus.phrase_frequency(" ".join(low))), math.log1p(min(frequencies)),
            math.log1p(max(frequencies)),
            math.log1p(max(corpus.long_form_frequency(f) for f in group.forms)),
            overlap, around, within, s, len(document.sentences),
            rate(low[-1]), rate(low[0]), rate(follows), rate(precedes), follows == "-",
            precedes == "-",
            sum(inside) / len(inside), min(inside), KINDS.index(known) if known else -1,
            low[-1] in GENERIC, follows in GENERIC,
            *[x in sources for x in SOURCES], *self._by_rules(group),
        ]  # fmt: skip

    def _by_rules(self, group: Group) -> list[float]:
        """What the rules say: by source the best score, the support for each kind, and whether
        what they made of it stands, is introduced, generic, certain, and of which kind."""
        document = self.document
        scores = dict.fromkeys(RULES, 0.0)
        kinds = dict.fromkeys(KINDS, 0.0)
        introduced = certain = False
        for candidate in group.candidates:
            for rule in document.proposals.get(candidate.span, ()):
                scores[rule.source] = max(scores[rule.source], rule.score)
                introduced |= rule.introduced
                certain |= rule.concept is not None
                if rule.kind is not None:
                    kinds[rule.kind] += rule.score
        standing = [e for c in group.candidates if (e := document.standing.get(c.span))]
        first = standing[0] if standing else None
        return [
            *scores.values(), *kinds.values(), introduced, certain,
            len(standing) / len(group.candidates),
            KINDS.index(first.kind) if first else -1, len(first.spans) if first else 0,
            any(e.introduced for e in standing), any(e.generic for e in standing),
            any(c.span in document.excluded for c in group.candidates),
        ]  # fmt: skip

    def words(self, group: Group) -> list[str]:
        """Features by name, each once, in order."""
        return sorted(set(self.spelt(group)))

    def spelt(self, group: Group) -> list[str]:
        """Features by name, some of them several times."""
        document = self.document
        s, start, end = group.best.span
        lowered = document.lowered[s]
        low = lowered[start:end]
        head = low[-1]
        text = document.surface(group.best.span)
        follows = lowered[end] if end < len(lowered) else "#"
        precedes = lowered[start - 1] if start else "#"
        found = [
            *("w=" + w for w in low), "h=" + head, "h2=" + " ".join(low[-2:]),
            "f=" + " ".join(low), "fw=" + low[0], "s4=" + head[-4:], f"n={end - start}",
            "c=" + capital_pattern(text.replace(" ", "").replace("-", "") or text),
        ]  # fmt: skip
        clusters = self.corpus.clusters
        for prefix, word in (*(("", w) for w in low), ("h", head), ("L", precedes), ("R", follows)):
            if word in clusters:
                found += _resembling(prefix, clusters[word])
        for candidate in group.candidates[:6]:
            a, b, c = candidate.span
            line = document.lowered[a]
            found.append("l=" + (line[b - 1] if b else "#"))
            found.append("r=" + (line[c] if c < len(line) else "#"))
            if b > 1:
                found.append(f"l2={line[b - 2]} {line[b - 1]}")
            if c + 1 < len(line):
                found.append(f"r2={line[c]} {line[c + 1]}")
        for a, b, c in (each.span for each in group.candidates[:2]):
            line = document.lowered[a]
            found += ["L=" + w for w in line[max(0, b - 5) : b]]
            found += ["R=" + w for w in line[c : c + 4]]
        for form in group.forms:
            if kind := self.catalogue.kinds.get(form):
                found.append("ck=" + kind)
        for candidate in group.candidates:
            for rule in document.proposals.get(candidate.span, ()):
                found += [f"rk={rule.source}{rule.kind}", f"ri={rule.introduced}"]
            if entity := document.standing.get(candidate.span):
                found.append(f"rs={entity.kind}{entity.introduced:d}{entity.generic:d}")
        return found


@lru_cache(maxsize=20_000)
def _resembling(prefix: str, clusters: tuple[int, int, int]) -> tuple[str, str, str]:
    """Return the features of a word that resembles others, by what it is to the name."""
    return f"{prefix}k5={clusters[0]}", f"{prefix}k2={clusters[1]}", f"{prefix}k8={clusters[2]}"


def matched(group: Group, names: Mapping[str, int]) -> int | None:
    """Index of the annotated entity that has one of the group's forms, from normal form ->
    index."""
    return next((names[f] for f in sorted(group.forms) if f in names), None)
