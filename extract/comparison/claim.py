"""Claims: the words of a sentence that say better or worse, with their amounts and metrics."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from stemma.extract.comparison.amount import Amount
from stemma.extract.comparison.metric import METRIC, metric_in
from stemma.schema.comparison import LESS_IS_BETTER, MORE_IS_BETTER, Bound, Direction


class Form(Enum):
    """The grammar of a claim's word: where its amount and its metric are."""

    COMPARATIVE = auto()
    NOUN = auto()
    VERB = auto()
    SHARE = auto()


@dataclass(frozen=True, slots=True)
class Claim:
    """What a stretch of text claims; `amounts` are several where it lists several figures."""

    start: int
    end: int
    form: Form
    direction: Direction | None
    metric: str | None
    amounts: tuple[Amount, ...] = ()
    is_share: bool = False


_WORD = re.compile(
    r"(?<![\w-])(?:"
    r"(?P<quality>(?:more|less)[ ](?:\w+-)?(?:accurate|efficient|robust|stable|scalable|expensive"
    r"|precise)(?:ly)?)"
    r"|(?P<faster>faster|quicker)|(?P<slower>slower)|(?P<cheaper>cheaper)"
    r"|(?P<better>better|superior|stronger|outstanding)|(?P<worse>worse|inferior|weaker|poorer)"
    r"|(?P<more>higher|greater|larger|bigger|more(?! than| or )|increased|longer)"
    r"|(?P<less>lower|less(?! than)|fewer|smaller|reduced|shorter|decreased)"
    r"|(?P<speedup>speed-?\s?ups?|accelerations?)|(?P<slowdown>slow-?downs?)"
    r"|(?P<gain>improvements?|gains?|boosts?|enhancements?|advantages?|superiority)"
    r"|(?P<rise>increases?)|(?P<fall>reductions?|decreases?|savings?)"
    r"|(?P<loss>degradations?|drops?|loss(?:es)?|declines?|gap)"
    r"|(?P<improve>improv(?:e|es|ed|ing)|enhanc(?:e|es|ed|ing)|boost(?:ed|ing))"
    r"|(?P<raise>increas(?:ed|ing)|rais(?:e|es|ed|ing))"
    r"|(?P<reduce>reduc(?:e|es|ed|ing)|lower(?:s|ed|ing)|decreas(?:ed|ing)|cut(?:s|ting)?"
    r"|sav(?:e|es|ed|ing)|shrink(?:s|ing)?|shorten(?:s|ed|ing)?|slash(?:es|ed|ing)?)"
    r"|(?P<accelerate>accelerat(?:e|es|ed|ing)|speed(?:s|ed|ing)?[- ]up(?! to)|sped up)"
    r")(?![\w])"
)
_FORM = {
    "speedup": Form.NOUN,
    "slowdown": Form.NOUN,
    "gain": Form.NOUN,
    "rise": Form.NOUN,
    "fall": Form.NOUN,
    "loss": Form.NOUN,
    "improve": Form.VERB,
    "raise": Form.VERB,
    "reduce": Form.VERB,
    "accelerate": Form.VERB,
}
_BETTER = {"faster", "cheaper", "better", "speedup", "gain", "improve", "accelerate"}
_WORSE = {"slower", "worse", "slowdown"}
_RISING = {"more", "rise", "raise"}
_ITS_METRIC = {
    "faster": "speed",
    "slower": "speed",
    "cheaper": "cost",
    "speedup": "speed",
    "slowdown": "speed",
    "accelerate": "speed",
}
_QUALITY = {
    "accurate": "accuracy",
    "robust": "robustness",
    "stable": "stability",
    "scalable": "scalability",
    "expensive": "cost",
    "precise": "precision",
    "efficient": "efficiency",
}
# Of these, more may be a merit (room for larger models) as well as a burden.
_EITHER_WAY = {"size", "training data", "resolution", "computation", "bits", "iterations", "data"}
_NEGATED = re.compile(
    r"\b(?:not(?! only)|n't|never|cannot|fail(?:s|ed)? to|unable to|without|no|nor|neither|minimal"
    r"|negligible|little|hardly|whether|aims? to|rather than|potential(?:ly)?|minor|slight(?! \w+ "
    r"than))\b[^,;]{0,24}$|n't [^,;]{0,24}$"
)
_PHRASE_STOP = (
    r"(?:than|over|compared|versus|vs|relative|by|while|with|and|or|to|from|on|for|at|in|of|as|when"
    r"|against|but|using|that|which|without|respectively|is|are|was|were|across|up|per)\b"
)
_WORDS_ON = re.compile(rf"(?:[\s-]+(?!{_PHRASE_STOP})[\w\ue001.@/'’-]+){{0,5}}")
_OBJECT = re.compile(
    r"[^,;()]*?(?=\s(?:by|compared|than|over|while|and|to|from|with|using)\b|[,;()]|$)"
)
_TRADE_OFF = re.compile(r"[^,;]{0,30}\b(?:trade-?\s?offs?|balance)\b")
_AND_METRIC = re.compile(rf"\s+[\w-]+ and (?:[\w-]+ )?(?P<metric>{METRIC})(?!\w)")
_LESSENS = re.compile(
    r"\b(?:reduc|lower|mitigat|decreas|minimi|alleviat|narrow|clos|bridg)\w* [^,;]{0,40}$"
)
_NEW_CLAUSE = re.compile(r"\b(?:while|and|outperform\w*)\b")
_OF_A_LOSS = re.compile(r"(?: [\w-]+){0,3} (?:degradation|loss|drop|gap)\b")
_WORDS_BEFORE = re.compile(rf"(?:(?!{_PHRASE_STOP})[\w\ue001.@/-]+[\s-]+){{1,3}}$")
_OF_METRIC = re.compile(
    rf"\s*(?:in|of|for)(?: terms of)?(?: the| its| their| both| average| total| overall)?\s+"
    rf"(?:(?!{_PHRASE_STOP})[\w\ue001@.-]+[\s-]+){{0,3}}?(?P<metric>{METRIC})(?!\w)"
)
_TO_WORD = re.compile(rf"[\s-]*(?:(?!{_PHRASE_STOP})[\w\ue001./@'-]+[\s-]+){{0,4}}$")
_BY = re.compile(
    r"\bby(?: an?)?(?: impressive| significant| large| notable)?"
    r"(?: margins? of| a? ?factor of)?\s*$"
)
_NOUN_OF = re.compile(
    r"[^,;()]{0,60}?(?:\b(?:of|by|reaching|ranging|range|from|is|between|at)\b|[\s(])\s*$"
)
_SHARE_OF = re.compile(
    r"\s*(?P<of>of )?(?:only )?(?:the |its |their )?"
    rf"(?:(?!{_PHRASE_STOP})[\w@.'’\ue000\ue001-]+[\s-]+){{0,3}}?(?P<metric>{METRIC})(?!\w)"
)
_PARTITIVE = re.compile(
    r"\b(?:only|just|merely|with|using|consum\w+|requir\w+|us(?:e|es)|achiev\w+|retain\w*|reach\w*"
    r"|at|is|are|needs?|obtain\w*|utiliz\w+|recover\w*|up to|about|maintain\w*|preserv\w+"
    r"|attain\w*|deliver\w*|get\w*|has|have)\s*$"
)
_AND = re.compile(r"\s*(?:,|and|, and|/|&|or)\s*(?:an? )?$")


def claims(text: str, start: int, end: int, figures: Sequence[Amount]) -> list[Claim]:
    """Return the claims of a masked `text` between `start` and `end`, in order.

    `figures` are the amounts of the whole text.
    """
    groups = _lists(text, [each for each in figures if start <= each.start and each.end <= end])
    words = [match for match in _WORD.finditer(text, start, end) if not _is_lessened(match)]
    linked: dict[int, list[Amount]] = {}
    found: list[Claim] = []
    for group in groups:
        index = _word_of(text, group, words)
        if index is not None:
            if index not in linked:
                linked[index] = group
        elif share := _share(text, end, group):
            found.append(share)
    for index, match in enumerate(words):
        if claim := _claim(text, start, end, match, linked.get(index, [])):
            found.append(claim)
    return sorted(found, key=lambda each: each.start)


def has_claim_word(text: str, start: int, end: int) -> bool:
    """Return whether something is said to be better, less and the like between two positions."""
    return _WORD.search(text, start, end) is not None


def in_direction(rising: bool, metric: str | None) -> Direction | None:
    """Return whether a metric that rises (or falls) is for the better."""
    if metric in _EITHER_WAY and rising:
        return None
    if metric in MORE_IS_BETTER:
        return Direction.BETTER if rising else Direction.WORSE
    if metric in LESS_IS_BETTER:
        return Direction.WORSE if rising else Direction.BETTER
    return None


def _lists(text: str, figures: Sequence[Amount]) -> list[list[Amount]]:
    """Group the amounts of one list: "1.5x, 2x and 3x"."""
    groups: list[list[Amount]] = []
    for amount in figures:
        last = groups[-1][-1] if groups else None
        if (
            last
            and last.unit == amount.unit
            and amount.bound in (last.bound, Bound.EXACT)
            and _AND.fullmatch(text, last.end, amount.start)
        ):
            groups[-1].append(amount)
        else:
            groups.append([amount])
    return groups


def _is_lessened(match: re.Match[str]) -> bool:
    """A loss that is itself reduced: "degradation" in "reduces the accuracy degradation"."""
    return match.lastgroup == "loss" and bool(
        _LESSENS.search(match.string, max(0, match.start() - 60), match.start())
    )


def _word_of(text: str, group: list[Amount], words: list[re.Match[str]]) -> int | None:
    """The index of the word that says what the amounts of `group` are amounts of."""
    first, last = group[0], group[-1]
    after = next((i for i, word in enumerate(words) if word.start() >= last.end), None)
    if after is not None and _modifies(text, last, words[after]):
        return after
    before = next((i for i in reversed(range(len(words))) if words[i].end() <= first.start), None)
    if before is not None and _takes(text, words[before], first):
        return before
    return None


def _modifies(text: str, amount: Amount, word: re.Match[str]) -> bool:
    """Whether an amount stands before the word that it measures: "2x faster"."""
    is_verb = _FORM.get(word.lastgroup or "") is Form.VERB and not word.group().endswith("ed")
    return not is_verb and _TO_WORD.fullmatch(text, amount.end, word.start()) is not None


def _takes(text: str, word: re.Match[str], amount: Amount) -> bool:
    """Whether an amount follows the word that it measures: "reduces memory by 45%"."""
    between = text[word.end() : amount.start]
    if ";" in between or len(between) > 120:
        return False
    form = _FORM.get(word.lastgroup or "", Form.COMPARATIVE)
    if amount.change:
        return form is Form.VERB and "," not in between
    if _BY.search(between):
        return not _NEW_CLAUSE.search(between)
    if form is Form.NOUN:
        return _NOUN_OF.fullmatch(between) is not None
    if form is Form.VERB:
        return word.group().startswith("sav") and not between.strip()
    return between.strip() in ("", "(")


def _claim(
    text: str, start: int, end: int, match: re.Match[str], group: list[Amount]
) -> Claim | None:
    kind = match.lastgroup or ""
    if _NEGATED.search(text, max(start, match.start() - 40), match.start()):
        return None
    form = _FORM.get(kind, Form.COMPARATIVE)
    left = group[-1].end if group and group[-1].end <= match.start() else start
    if kind == "quality":
        metric: str | None = _quality(match.group().removesuffix("ly").split(" ", 1)[1])
        direction = in_direction(match.group().startswith("more"), metric)
    else:
        metric = _metric(text, left, end, match, form, group)
        if match.group() == "smaller":
            metric = metric or "size"
        direction = _direction(text, match, metric)
    if metric in _EITHER_WAY and direction is None:
        metric = None
    default = _ITS_METRIC.get(kind)
    if default and (metric is None or (default == "speed" and metric in LESS_IS_BETTER)):
        metric = default  # "a speedup in training time" is one of speed
    if direction is None and (not group or group[0].change):
        return None
    begin = min([match.start(), *(each.start for each in group)])
    finish = max([match.end(), *(each.end for each in group)])
    return Claim(begin, finish, form, direction, metric, tuple(group))


def _direction(text: str, match: re.Match[str], metric: str | None) -> Direction | None:
    kind = match.lastgroup or ""
    if kind in _BETTER:
        return Direction.BETTER
    if kind in _WORSE or (kind == "loss" and not metric and match.group().startswith("degrad")):
        return Direction.WORSE
    if kind == "reduce" and _OF_A_LOSS.match(text, match.end()):
        return Direction.BETTER
    return in_direction(kind in _RISING, metric)


def _metric(
    text: str, left: int, end: int, match: re.Match[str], form: Form, group: list[Amount]
) -> str | None:
    """The metric of a claim, where its grammar puts it."""
    phrase: re.Match[str] | None
    if form is Form.VERB:
        stop = min((each.start for each in group if each.start >= match.end()), default=end)
        phrase = _OBJECT.match(text, match.end(), stop)
    elif form is Form.NOUN:
        phrase = _WORDS_BEFORE.search(text, max(left, match.start() - 48), match.start())
    elif _TRADE_OFF.match(text, match.end(), end):
        return None
    else:
        phrase = _WORDS_ON.match(text, match.end(), end)
    # Of a verb's object the first counts: "improves throughput within the latency".
    if phrase and (metric := metric_in(phrase.group(), last=form is not Form.VERB)):
        return metric
    if form is Form.COMPARATIVE and (both := _AND_METRIC.match(text, match.end(), end)):
        return metric_in(both.group("metric"))
    after_word = phrase.end() if phrase and form is Form.COMPARATIVE else match.end()
    for position in [after_word, *(each.end for each in group[-1:])]:
        if found := _OF_METRIC.match(text, position, end):
            return metric_in(found.group("metric"))
    return None


def _quality(adjective: str) -> str:
    head, _, efficient = adjective.rpartition("-")
    if efficient == "efficient" and head in {"energy", "memory", "data", "power"}:
        return {"power": "energy"}.get(head, head) + " efficiency"
    return _QUALITY[efficient or adjective]


def _share(text: str, end: int, group: list[Amount]) -> Claim | None:
    """The claim of "half the memory", "31% of the parameters", "3.5x TFLOPS"."""
    amount = group[-1]
    found = _SHARE_OF.match(text, amount.end, end)
    if not found or len(group) > 1 or amount.unit == "points" or amount.change:
        return None
    if amount.unit is not None and not (
        amount.unit == "%" and found.group("of") and _PARTITIVE.search(text, 0, amount.start)
    ):
        return None
    if amount.unit is None and found.group("of") and amount.low >= 1:
        return None
    metric = metric_in(found.group("metric"))
    rising = amount.low >= (100 if amount.unit else 1)
    if amount.unit and amount.high > 100 >= amount.low:
        return None
    return Claim(
        amount.start,
        found.end(),
        Form.SHARE,
        in_direction(rising, metric),
        metric,
        (amount,),
        is_share=amount.unit == "%",
    )
