"""What tells how a paper relates to an entity: features of the paper as a whole, and of each
sentence that names the entity."""

import re
from collections.abc import Sequence
from itertools import pairwise

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document, capital_pattern
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.form import normal_form
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.relation_place import Place
from stemma.extract.learned.relation_wording import LIMITS, PROPOSING, REFERRING, TURNS, WE
from stemma.extract.learned.ruling import Ruling
from stemma.extract.learned.token_features import bucket

# In tokens with blanks between.
_NUMBER = re.compile(r"(?<!\S)[\d.]+[x×]?(?!\S)")
_FACTOR = re.compile(r"(?<!\S)[\d.]+[x×](?!\S)")
_WORD = re.compile(r"\w+")

_SURELY_OWN = 0.5

Features = tuple[set[str], dict[int, set[str]]]


class RelationFeatures:
    """Reads one paper; `of(k)` gives the features of entity k: of the paper, and of each sentence
    by its index."""

    def __init__(
        self,
        document: Document,
        entities: Sequence[Entity],
        rulings: Sequence[Ruling],
        corpus: CorpusStatistics,
        catalogue: KnownNames,
    ) -> None:
        self.document, self.entities, self.corpus, self.catalogue = (
            document,
            entities,
            corpus,
            catalogue,
        )
        self.rulings = rulings
        self.own = {
            k
            for k, ruling in enumerate(rulings)
            if ruling.introduced or entities[k].own > _SURELY_OWN
        }
        self.count = len(document.sentences)
        self.at: list[dict[int, tuple[int, int, int]]] = [{} for _ in document.sentences]
        for k, entity in enumerate(entities):
            for s, start, end in entity.spans:
                for i in range(start, end):
                    self.at[s].setdefault(i, (k, start, end))
        self._said: dict[int, tuple[set[str], list[str]]] = {}
        self._numbers_hidden: dict[int, list[str]] = {}
        self.bags = [set(words) for words in document.lowered]
        self.proposing = next(
            (
                s
                for s, sentence in enumerate(document.sentences)
                if not sentence.in_title
                and self.bags[s] & PROPOSING
                and (self.bags[s] & WE or self.bags[s] & {"paper", "work", "study"})
            ),
            self.count,
        )
        self.parts = [
            "T" if line.in_title
            else "pre" if s < self.proposing
            else "at" if s == self.proposing
            else "post"
            for s, line in enumerate(document.sentences)
        ]  # fmt: skip
        self.own_names = {
            s.lower() for k in self.own for s in (entities[k].name, *entities[k].surfaces)
        }
        self.own_words = {w for name in self.own_names for w in _WORD.findall(name)}
        self.own_bare = {singular for n in self.own_names if (singular := normal_form(n))}

    def of(self, k: int) -> Features:
        """Features of entity `k`."""
        sentences: dict[int, set[str]] = {}
        for s, start, end in self.entities[k].spans:
            if s not in sentences:
                sentences[s] = self._of_sentence(k, s)
            self._of_place(k, s, start, end, sentences[s])
        kind = self.entities[k].kind[:2]
        for s, votes in self.rulings[k].votes.items():
            if s in sentences:
                for vote in votes:
                    sentences[s] |= {"v=" + vote.relation, "v=" + vote.origin,
                                     "v=" + vote.origin + kind}  # fmt: skip
        return self._of_paper(k), sentences

    def _of_paper(self, k: int) -> set[str]:
        entity, document = self.entities[k], self.document
        kind = entity.kind[:2]
        places = sorted({s for s, _, _ in entity.spans})
        found = {
            "kd=" + kind,
            f"nm={min(4, len(entity.spans))}",
            f"first={min(3, places[0])}" if places else "nofirst",
        }
        words = _WORD.findall(entity.name)
        low = entity.name.lower()
        unknown = all(self.corpus.frequency.get(w.lower(), 0) <= 2 for w in words if len(w) > 1)
        found |= {f"unk{unknown:d}", f"unk{unknown:d}{kind}"}
        for flag in ("thead", "prop", "acr"):
            if any(flag in document.flags.get(w, ()) for w in words):
                found |= {flag, flag + kind, f"{flag}{unknown:d}"}
        form = normal_form(entity.name)
        found.add(f"df={bucket(self.corpus.frequency.get(low, 0), (0, 2, 10, 50))}")
        found.add(f"ng={bucket(self.corpus.phrase_frequency(low), (0, 5, 20, 100))}")
        found |= {"cp=" + capital_pattern(entity.name.replace(" ", "")), "form=" + form}
        if known := self.catalogue.kinds.get(form):
            found |= {"cat", "cat" + known[:2]}
        if places and document.sentences[places[0]].in_title:
            found.add("inT")
            if len(places) == 1:
                found.add("onlyT")
        if k not in self.own:
            for surface in {low, *(s.lower() for s in entity.surfaces)}:
                if any(surface in name and surface != name for name in self.own_names):
                    found.add("ininame")
                parts = _WORD.findall(surface)
                if parts and parts[-1] in self.own_words:
                    found.add("inihead")
                bare = normal_form(surface)
                if len(bare) > 2 and any(bare in name for name in self.own_bare):
                    found.add("inisub")
        if self.own:
            found.add("hasintro")
            found |= {f"ok={self.entities[own].kind[:2]}{kind}" for own in self.own}
        found |= self._of_name(low.split())
        found.add("pl=" + ",".join(sorted({self.parts[s] for s in places})))
        ruling = self.rulings[k]
        found |= {f"ri={ruling.introduced}", f"rg={ruling.generic}", f"rg={ruling.generic}{kind}"}
        found.add(f"ow={bucket(entity.own, (0.1, 0.3, 0.5, 0.8))}")
        found |= {"rv=" + relation for relation in ruling.verdicts}
        return found

    def _of_name(self, words: list[str]) -> set[str]:
        """What the words of the name tell, in lower case, and those of the title."""
        found = {"hw=" + words[-1], "hw4=" + words[-1][-4:]}
        if clusters := self.corpus.clusters.get(words[-1]):
            found |= {f"hk={clusters[1]}", f"hk8={clusters[2]}"}
        if title := self.document.title_words:
            share = sum(w in title for w in words) * 3 // len(words)
            found |= {"t0=" + self.document.lowered[0][0], f"ov={share}"}
        return found

    def _of_sentence(self, k: int, s: int) -> set[str]:
        """What holds for the sentence, wherever in it the entity stands."""
        kind, part = self.entities[k].kind[:2], self.parts[s]
        if (said := self._said.get(s)) is None:
            said = self._said[s] = self._of_any(s)
        found, by_kind = said
        return {
            *found, *(each + kind for each in by_kind),
            "rp=" + part + ("I" if k in self.own else ""),
        }  # fmt: skip

    def _of_any(self, s: int) -> tuple[set[str], list[str]]:
        """What the sentence says of any entity, and what of that counts by kind besides."""
        part, line, bag = self.parts[s], self.document.lowered[s], self.bags[s]
        by_kind = ["rp=" + part, f"pos{self._position(s)}"]
        found = {
            "s0=" + line[0], f"last{s == self.count - 1:d}",
            f"d2p={max(-3, min(3, s - self.proposing))}",
        }  # fmt: skip
        if len(line) > 1:
            found.add(f"s01={line[0]} {line[1]}")
        tokens = " ".join(line)
        if _NUMBER.search(tokens):
            by_kind.append("num")
        if "%" in bag or "×" in bag or _FACTOR.search(tokens):
            by_kind.append("fac")
        if part != "T":
            found |= self._of_next(s, part)
            if s > 1:
                before = self.document.lowered[s - 1]
                found |= {"pv0=" + before[0], f"pvwe{bool(self.bags[s - 1] & WE):d}"}
                found.update("pv=" + w for w in self.bags[s - 1] & LIMITS)
        if part == "pre":
            if any(self.document.lowered[t][0] in TURNS for t in range(1, s + 1)):
                found.add("afterhow")
            found.add(
                "pre" + ("neg" if bag & LIMITS else "") + ("such" if bag & {"such", "like"} else "")
            )
        found.update(by_kind)
        return found, by_kind

    def _of_next(self, s: int, part: str) -> set[str]:
        """What the next sentences say, which may go on to speak of the entity: "However, these
        methods …"."""
        if s + 1 >= self.count:
            return {"nx0=#"}
        line, bag = self.document.lowered[s + 1], self.bags[s + 1]
        first = line[0]
        found = {"nx0=" + first, f"nxwe{bool(bag & WE):d}"}
        turns, refers = first in TURNS, not REFERRING.isdisjoint(line[:6])
        if turns:
            found |= {"nxhow", "nxhow" + part}
        if first in REFERRING:
            found.add("nxpro")
        if limits := bag & LIMITS:
            found.add("nxneg" + part)
            found.update(f"nxl{turns:d}{refers:d}={w}" for w in limits)
        if refers:
            found.add(f"nxr{turns:d}{part}")
            found.update(f"nxw={a} {b}" for a, b in pairwise(line[:6]) if a in REFERRING)
        if s + 2 < self.count and self.document.lowered[s + 2][0] in TURNS:
            found.add("nx2how" + part)
        return found

    def _position(self, s: int) -> int:
        if s == 0:
            return 0
        return min(5, 1 + int(4.99 * (s - 1) / (self.count - 2))) if self.count > 2 else 1

    def _outward(self, k: int, s: int, start: int, end: int) -> tuple[list[str], list[str]]:
        """Tokens to the left (nearest first) and to the right; each other entity as one token
        with its kind, or <I> if coined here."""
        line, at = self._tokens(s), self.at[s]

        def token(i: int) -> str:
            other = at.get(i)
            if other is not None and other[0] != k:
                return "<I>" if other[0] in self.own else f"<{self.entities[other[0]].kind[:2]}>"
            return line[i]

        left: list[str] = []
        right: list[str] = []
        i = start - 1
        while i >= 0 and len(left) < 40:
            left.append(token(i))
            i = at[i][1] - 1 if i in at and at[i][0] != k else i - 1
        i = end
        while i < len(line) and len(right) < 40:
            right.append(token(i))
            i = at[i][2] if i in at and at[i][0] != k else i + 1
        return left, right

    def _tokens(self, s: int) -> list[str]:
        """Return the tokens of a sentence in lower case, <#> for each that begins with a digit."""
        if s not in self._numbers_hidden:
            line = self.document.lowered[s]
            self._numbers_hidden[s] = ["<#>" if w[0].isdigit() else w for w in line]
        return self._numbers_hidden[s]

    def _of_place(self, k: int, s: int, start: int, end: int, found: set[str]) -> None:
        """Add what the words around a place tell."""
        line, kind = self.document.lowered[s], self.entities[k].kind[:2]
        left, right = self._outward(k, s, start, end)
        place = Place(left, right, kind, self.parts[s])
        found.update(place.features(self.corpus.clusters))
        found.update(place.acting(k in self.own))
        if start > 1 and line[start - 1] == "-":
            found.add("hyL=" + line[start - 2])
        if end + 1 < len(line) and line[end] == "-":
            found |= {"hyR", "hyR=" + line[end + 1]}
        if start == 0:
            found.add("start" + place.title)
        if "(" in line[:start] and ")" not in line[line.index("(") : start]:
            found.add("paren")
