"""What tells how a paper relates to an entity: features of the paper as a whole, and of each
sentence that names the entity."""

import re
from collections.abc import Sequence

import numpy as np

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document, capital_pattern
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.form import normal_form
from stemma.extract.learned.lexicon import KINDS, KnownNames
from stemma.extract.learned.ruling import Ruling
from stemma.extract.learned.token_features import bucket

_WE = frozenset(["we", "our", "ours", "us"])
_LIMITS = frozenset(
    [
        "however", "unlike", "while", "although", "existing", "previous", "prior", "traditional",
        "conventional", "but", "despite", "suffer", "suffers", "limited", "limitation",
        "limitations", "fail", "fails", "drawback", "challenging", "challenge", "bottleneck",
        "costly", "expensive", "inefficient", "lack", "lacks", "struggle", "struggles", "issue",
        "issues", "unfortunately", "yet", "only", "still"
    ]
)  # fmt: skip
_COMPARING = frozenset(
    [
        "outperform", "outperforms", "outperforming", "outperformed", "surpass", "surpasses",
        "surpassing", "exceeds", "exceed", "beats", "faster", "better", "superior", "higher",
        "lower", "compared", "comparison", "comparable", "competitive", "than", "versus", "vs",
        "over", "speedup", "speedups", "improvement", "improvements", "improves", "reduces",
        "against", "baseline", "baselines", "achieves", "achieving", "state", "art", "match",
        "matches", "matching", "comparably"
    ]
)  # fmt: skip
_BUILDING = frozenset(
    [
        "based", "built", "build", "builds", "building", "extends", "extend", "extending",
        "extension", "integrate", "integrates", "integrated", "integrating", "integration",
        "implemented", "implement", "implementation", "adapt", "adapts", "adapted", "adapting",
        "modify", "modifies", "modified", "variant", "variants", "inspired", "combine", "combines",
        "combining", "combination", "fine", "tune", "finetune", "tuned", "atop", "top",
        "incorporate", "incorporates", "incorporating", "incorporated", "replace", "replaces",
        "replacing", "generalize", "generalizes", "generalization", "reformulate", "within", "into",
        "revisit", "improve", "improving", "improved", "enhance", "enhances", "enhancing",
        "enhanced", "accelerate", "accelerating", "speed", "scaling", "port"
    ]
)  # fmt: skip
_PROPOSING = frozenset(
    [
        "propose", "proposes", "proposed", "proposing", "present", "presents", "introduce",
        "introduces", "introducing", "develop", "develops", "design", "designed", "describe",
        "explore", "study", "investigate", "investigates"
    ]
)  # fmt: skip
_USING = frozenset(
    [
        "use", "uses", "using", "used", "via", "employ", "employs", "leverage", "leverages",
        "leveraging", "apply", "applying", "utilize", "utilizes", "adopt", "adopts", "with",
        "evaluate", "evaluated", "evaluation", "experiments", "experimental", "dataset", "datasets",
        "benchmark", "benchmarks", "tested", "validate", "validated", "trained", "training", "on",
        "like", "including", "include", "includes", "such", "as"
    ]
)  # fmt: skip
_SIGNALS = _LIMITS | _COMPARING | _USING | _PROPOSING
_LIST = frozenset([",", "and", "or", "&", "/", "(", ")", "both", "the", "a", "an", "as", "well"])
_TURNS = frozenset(["however", "but", "yet", "unfortunately", "nevertheless", "nonetheless"])
_REFERRING = frozenset(
    ["these", "such", "this", "they", "it", "their", "those", "while", "although"]
)
_NUMBER = re.compile(r"[\d.]+[x×]?")
_FACTOR = re.compile(r"[\d.]+[x×]")
_WORD = re.compile(r"\w+")

# What the trees see of the features besides the probabilities of the linear models.
PAPER_SIGNS = (
    "inT",
    "onlyT",
    "hasintro",
    "ininame",
    "inihead",
    "inisub",
    "cat",
    "acr",
    "thead",
    "prop",
    "unk1",
)
SENTENCE_SIGNS = (
    "rp=T", "rp=pre", "rp=at", "rp=post", "Lneg", "Rneg", "Lcmp", "Rcmp", "LI", "RI", "Lwe",
    "Rwe", "inl1", "hyR", "paren",
    "num", "fac", "nxhow", "nxpro", "last1", "Lbld", "Rbld", "start", "startT", "afterhow",
    "nxnegpre",
)  # fmt: skip

Features = tuple[set[str], dict[int, set[str]]]


def coined(document: Document, entities: Sequence[Entity]) -> set[int]:
    """Entities that look like the paper's own: in the head of its title, or named right after "we
    propose"."""
    return {
        k
        for k, entity in enumerate(entities)
        if any(
            {"thead", "prop"} & document.flags.get(w, set())
            for s in entity.surfaces
            for w in _WORD.findall(s)
        )
    }


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
        self.own = coined(document, entities)
        self.count = len(document.sentences)
        self.at: list[dict[int, tuple[int, int, int]]] = [{} for _ in document.sentences]
        for k, entity in enumerate(entities):
            for s, start, end in entity.spans:
                for i in range(start, end):
                    self.at[s].setdefault(i, (k, start, end))
        self.bags = [set(words) for words in document.lowered]
        self.proposing = next(
            (
                s
                for s, sentence in enumerate(document.sentences)
                if not sentence.in_title
                and self.bags[s] & _PROPOSING
                and (self.bags[s] & _WE or self.bags[s] & {"paper", "work", "study"})
            ),
            self.count,
        )
        self.own_names = {
            s.lower() for k in self.own for s in (entities[k].name, *entities[k].surfaces)
        }
        self.own_words = {w for name in self.own_names for w in _WORD.findall(name)}
        self.own_bare = {singular for n in self.own_names if (singular := normal_form(n))}

    def of(self, k: int) -> Features:
        """Features of entity `k`."""
        sentences: dict[int, set[str]] = {}
        for s, start, end in self.entities[k].spans:
            found = sentences.setdefault(s, self._of_sentence(k, s))
            self._of_place(k, s, start, end, found)
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
        ruling = self.rulings[k]
        found |= {f"ri={ruling.introduced}", f"rg={ruling.generic}", f"rg={ruling.generic}{kind}"}
        found |= {"rv=" + relation for relation in ruling.verdicts}
        return found

    def _of_sentence(self, k: int, s: int) -> set[str]:
        """What holds for the sentence, wherever in it the entity stands."""
        document, kind = self.document, self.entities[k].kind[:2]
        sentence, line = document.sentences[s], document.lowered[s]
        place = (
            "T"
            if sentence.in_title
            else "pre"
            if s < self.proposing
            else "at"
            if s == self.proposing
            else "post"
        )
        position = (
            0
            if s == 0
            else min(5, 1 + int(4.99 * (s - 1) / (self.count - 2)))
            if self.count > 2
            else 1
        )
        found = {
            "rp=" + place, "rp=" + place + kind, "rp=" + place + ("I" if k in self.own else ""),
            "s0=" + line[0],
            f"pos{position}", f"pos{position}{kind}", f"last{s == self.count - 1:d}",
        }  # fmt: skip
        if len(line) > 1:
            found.add(f"s01={line[0]} {line[1]}")
        if any(_NUMBER.fullmatch(w) for w in line):
            found |= {"num", "num" + kind}
        if "%" in self.bags[s] or "×" in self.bags[s] or any(_FACTOR.fullmatch(w) for w in line):
            found |= {"fac", "fac" + kind}
        if s + 1 < self.count and place != "T":
            first = document.lowered[s + 1][0]
            if first in _TURNS:
                found |= {"nxhow", "nxhow" + place}
            if first in _REFERRING:
                found.add("nxpro")
            found.add("nx0=" + first)
            if self.bags[s + 1] & _LIMITS:
                found.add("nxneg" + place)
        if place == "pre":
            if any(document.lowered[t][0] in _TURNS for t in range(1, s + 1)):
                found.add("afterhow")
            found.add(
                "pre"
                + ("neg" if self.bags[s] & _LIMITS else "")
                + ("such" if self.bags[s] & {"such", "like"} else "")
            )
        return found

    def _outward(self, k: int, s: int, start: int, end: int) -> tuple[list[str], list[str]]:
        """Tokens to the left (nearest first) and to the right; each other entity as one token
        with its kind, or <I> if coined here."""
        line, at = self.document.lowered[s], self.at[s]

        def token(i: int) -> str:
            other = at.get(i)
            if other is not None and other[0] != k:
                return "<I>" if other[0] in self.own else f"<{self.entities[other[0]].kind[:2]}>"
            return "<#>" if line[i][0].isdigit() else line[i]

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

    def _of_place(  # noqa: PLR0912, PLR0915  (a list of features)
        self, k: int, s: int, start: int, end: int, found: set[str]
    ) -> None:
        """Add what the words around a place tell."""
        line, kind = self.document.lowered[s], self.entities[k].kind[:2]
        title = "T" if self.document.sentences[s].in_title else ""
        left, right = self._outward(k, s, start, end)
        skipped, list_end = _list_length(left), _list_length(right)
        in_list = any(t[0] == "<" for t in left[:skipped])
        before = left[skipped:] if in_list else left
        near_left, near_right, head = (
            left[0] if left else "#",
            right[0] if right else "#",
            before[0] if before else "#",
        )
        found |= {
            f"{title}l1={near_left}", f"{title}r1={near_right}", f"{title}ll1={head}",
            f"{title}{kind}ll1={head}",
            f"{title}{kind}r1={near_right}", f"inl{in_list:d}",
        }  # fmt: skip
        if len(before) > 1:
            found |= {
                f"{title}ll2={before[1]} {before[0]}",
                f"{title}{kind}ll2={before[1]} {before[0]}",
            }
        if len(before) > 2:
            found.add(f"{title}ll3={before[2]} {before[1]} {before[0]}")
        if len(right) > 1:
            found.add(f"{title}rr2={right[0]} {right[1]}")
        if len(right) > 2:
            found.add(f"{title}rr3={right[0]} {right[1]} {right[2]}")
        if 0 < list_end < len(right):
            found.add(f"{title}hr={right[list_end]}")
        for token in before[:5]:
            found |= {f"{title}lw={token}", f"{title}{kind}lw={token}"}
        found.update(f"{title}lf={token}" for token in before[5:14])
        found.update(f"{title}rw={token}" for token in right[:5])
        found.update(f"{title}rf={token}" for token in right[5:14])

        place = (
            "T"
            if title
            else "pre"
            if s < self.proposing
            else "at"
            if s == self.proposing
            else "post"
        )
        found.add(f"rp={place}{in_list}")
        sides = ""
        for side, bag in (("L", set(left)), ("R", set(right))):
            if "<I>" in bag:
                found.add(side + "I")
            if bag & _WE:
                found.add(side + "we")
            if "<I>" in bag or bag & _WE:
                found.add(side + "own")
                sides += side
            if bag & _LIMITS:
                found.add(side + "neg")
            if bag & _COMPARING:
                found.add(side + "cmp")
            for token in bag & (_LIMITS | _COMPARING):
                found |= {f"{side}c={token}", f"{side}c={token}{kind}"}
            if building := bag & _BUILDING:
                found |= {side + "bld", side + "bld" + place}
                for token in building:
                    found |= {f"{side}b={token}", f"{side}b={token}{kind}"}
            found.update(f"{side}bow={token}" for token in bag)
        owner = "own" if k in self.own else sides
        found |= {"own=" + owner, f"rp={place}{owner}"}
        if signal := next((t for t in before if t in _SIGNALS), None):
            found |= {"nc=" + signal, "nc=" + signal + kind, "nc=" + signal + owner}
        if signal := next((t for t in right if t in _SIGNALS), None):
            found |= {"rc=" + signal, "rc=" + signal + owner}
        between = next((i for i, t in enumerate(left) if t in _WE or t == "<I>"), None)
        if between is not None and between < 15:
            found.update("bt=" + t for t in left[:between])
            found.add("bts=" + " ".join(left[:between][::-1][:4]))
        if start > 1 and line[start - 1] == "-":
            found.add("hyL=" + line[start - 2])
        if end + 1 < len(line) and line[end] == "-":
            found |= {"hyR", "hyR=" + line[end + 1]}
        if start == 0:
            found.add("start" + title)
        if "(" in line[:start] and ")" not in line[line.index("(") : start]:
            found.add("paren")


def _list_length(tokens: Sequence[str]) -> int:
    for i, token in enumerate(tokens):
        if token not in _LIST and (token[0] != "<" or token in {"<#>", "<"}):
            return i
    return len(tokens)


def numbers(
    document: Document,
    entities: Sequence[Entity],
    features: Sequence[Features],
    rulings: Sequence[Ruling],
    probabilities: np.ndarray,
) -> np.ndarray:
    """What the trees see, (entities, numbers).

    The linear models' `probabilities` (entities, relations) of the entity itself, of its neighbours
    of the same kind in the same sentences, and of the rest of the paper; and the strongest signs.
    """
    n, width = probabilities.shape
    where = [{s for s, _, _ in e.spans} for e in entities]
    rows = []
    for k, entity in enumerate(entities):
        paper, sentences = features[k]
        mine = probabilities[k]
        mates = [
            i
            for i in range(n)
            if i != k and entities[i].kind == entity.kind and where[i] & where[k]
        ]
        others = [i for i in range(n) if i != k]
        times = [sum(sign in found for found in sentences.values()) for sign in SENTENCE_SIGNS]
        rows.append([
            *mine,
            *(probabilities[mates].mean(axis=0) if mates else -np.ones(width)),
            *(probabilities[others].max(axis=0) if others else np.zeros(width)),
            *(probabilities > mine).sum(axis=0)[:-1],
            *(entity.kind == kind for kind in KINDS),
            len(sentences), len(entity.spans), min(sentences, default=-1), max(sentences,
            default=-1),
            len(document.sentences), n,
            *(sign in paper for sign in PAPER_SIGNS),
            *(t / max(1, len(sentences)) for t in times),
            *(t > 0 for t in times),
            entity.probability, *rulings[k].numbers(),
        ])  # fmt: skip
    return np.array(rows, np.float32)
