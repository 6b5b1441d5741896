"""What the words around one place of an entity tell of how the paper relates to it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from stemma.extract.learned.relation_wording import (
    BUILDING,
    COMPARING,
    FUNCTION,
    LIMITS,
    LISTING,
    PREPOSITIONS,
    SIGNALS,
    WE,
)

Clusters = Mapping[str, tuple[int, int, int]]
_NEAR, _FAR = 5, 14
_OURS = WE | {"<I>"}
_TELLING = LIMITS | COMPARING


class Place:
    """One place of an entity of kind `kind` (its first two letters).

    `left` are the tokens before it, the nearest first, `right` those after it; each other entity
    is one token with its kind, or <I> if the paper introduces it. `part` is where the sentence
    stands in the paper.
    """

    def __init__(self, left: Sequence[str], right: Sequence[str], kind: str, part: str) -> None:
        self.left, self.right, self.kind, self.part = left, right, kind, part
        self.title = "T" if part == "T" else ""
        skipped = _list_length(left)
        self.in_list = any(t[0] == "<" for t in left[:skipped])
        self.before = left[skipped:] if self.in_list else left

    def features(self, clusters: Clusters) -> Iterator[str]:
        """Yield everything but who acts, which `acting` gives."""
        title, kind, part, before, right = self.title, self.kind, self.part, self.before, self.right
        near_left = self.left[0] if self.left else "#"
        near_right, head = right[0] if right else "#", before[0] if before else "#"
        yield from (
            f"{title}l1={near_left}", f"{title}r1={near_right}", f"{title}ll1={head}",
            f"{title}{kind}ll1={head}", f"{title}{kind}r1={near_right}",
            f"{head}_{near_right}", f"{part}ll1={head}", f"{part}r1={near_right}",
            f"inl{self.in_list:d}", f"rp={part}{self.in_list}",
        )  # fmt: skip
        if len(before) > 1:
            two = f"{before[1]} {head}"
            yield from (f"{title}ll2={two}", f"{title}{kind}ll2={two}")
            if len(before) > 2:
                yield f"{title}ll3={before[2]} {two}"
        if len(right) > 1:
            yield f"{title}rr2={near_right} {right[1]}"
            if len(right) > 2:
                yield f"{title}rr3={near_right} {right[1]} {right[2]}"
        for token in before[:_NEAR]:
            yield from (f"{title}lw={token}", f"{title}{kind}lw={token}")
        for a, b in pairwise(before[1 : _NEAR + 2]):
            yield f"lb={b} {a}"
        for a, b in pairwise(right[1 : _NEAR + 2]):
            yield f"rb={a} {b}"
        yield from (f"{title}lf={token}" for token in before[_NEAR:_FAR])
        yield from (f"{title}rw={token}" for token in right[:_NEAR])
        yield from (f"{title}rf={token}" for token in right[_NEAR:_FAR])
        list_end = _list_length(right)
        if 0 < list_end < len(right):
            yield f"{title}hr={right[list_end]}"
        for side, tokens in (("lk", before[:3]), ("rk", right[:3])):
            for i, token in enumerate(tokens):
                if known := clusters.get(token):
                    yield f"{side}{i}={known[1]}"
        yield from self._phrase()
        yield from self._governor()

    def _phrase(self) -> Iterator[str]:
        """The head of the phrase that holds the entity ("LoRA fine-tuning method"), and the verb
        that follows it."""
        end = 0
        while end < min(4, len(self.right)) and _is_noun(self.right[end]):
            end += 1
        if end:
            yield f"hd={self.right[end - 1]}"
            yield f"{self.part}hd={self.right[end - 1]}"
        if end < len(self.right):
            follows = self.right[end]
            yield f"sv={follows}"
            if end + 1 < len(self.right):
                yield f"sv2={follows} {self.right[end + 1]}"

    def _governor(self) -> Iterator[str]:
        """The nearest preposition, with the word that governs it ("applied … to")."""
        for i, token in enumerate(self.before[:6]):
            if token in PREPOSITIONS:
                above = next((t for t in self.before[i + 1 : i + 5] if t not in FUNCTION), "#")
                yield f"gv={above} {token}"
                yield f"gk={above} {token} {self.kind}"
                return

    def acting(self, is_own: bool) -> Iterator[str]:
        """Yield who acts: "we", the paper's own contribution, or the entity."""
        kind, part = self.kind, self.part
        bags = {"L": set(self.left), "R": set(self.right)}
        owner = "own" if is_own else ""
        for side, bag in bags.items():
            if "<I>" in bag:
                yield side + "I"
            if bag & WE:
                yield side + "we"
            if bag & _OURS:
                yield side + "own"
                owner += "" if is_own else side
            if bag & LIMITS:
                yield side + "neg"
            if bag & COMPARING:
                yield side + "cmp"
            if building := bag & BUILDING:
                yield from (side + "bld", side + "bld" + part)
            for token in bag & _TELLING | building:
                yield f"{side}c={token}{kind}"
            yield from (f"{side}bow={token}" for token in bag)
        yield from ("own=" + owner, f"rp={part}{owner}")
        if signal := next((t for t in self.before if t in SIGNALS), None):
            yield from ("nc=" + signal, "nc=" + signal + kind, "nc=" + signal + owner,
                        f"nc={signal}{part}")  # fmt: skip
        if signal := next((t for t in self.right if t in SIGNALS), None):
            yield from ("rc=" + signal, "rc=" + signal + owner, f"rc={signal}{part}")
        between = next((i for i, t in enumerate(self.left) if t in _OURS), None)
        if between is not None and between < 15:
            yield from ("bt=" + t for t in self.left[:between])
            yield "bts=" + " ".join(self.left[:between][::-1][:4])
            yield f"btd={min(8, between)}"


def _is_noun(token: str) -> bool:
    return token[0].isalpha() and token not in FUNCTION and token not in SIGNALS


def _list_length(tokens: Sequence[str]) -> int:
    for i, token in enumerate(tokens):
        if token not in LISTING and (token[0] != "<" or token in {"<#>", "<"}):
            return i
    return len(tokens)
