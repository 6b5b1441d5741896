"""Claims: the words of a sentence that say better or worse, with their metrics and their amounts,
factors and differences such as "up to 2.2x", "3.4%", "two orders of magnitude".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from stemma.extract.comparison.standard import METRIC, metric_in
from stemma.schema import Bound, Direction
from stemma.schema.comparison import LESS_IS_BETTER, MORE_IS_BETTER

# A number without its first digit, by which it is found.
_DIGITS = r"(?:\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?(?![\d.]*\d)"
_NUMBER = r"(?<![\w.,/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d.]*\d)"
_AFTER = r"(?P<plus>\+| or more\b)?(?P<average>,? on average\b| average\b)?"
_TO = r"\s*(?:-{1,3}|–|—|−|~|\bto\b)\s*"
_TIMES = r"\s*(?:x(?!\w|\s*\d)|×(?!\s*\d)|(?:-\s?|\b)?(?:times|fold)\b(?!-))"
_PER_CENT = r"\s*(?:%|\bper ?cent\b)(?:\s*(?:-\s?)?(?:(?:absolute|percentage)\b)?\s*points?\b)?"
_UNIT = (
    r"\s*(?P<unit>(?:absolute |percentage )points?\b|points?\b|pts?\b|pp\b|db\b|ms\b|fps\b|mAP\b"
    r"|miou\b|bleu\b(?: points?)?|ap\b)"
)
_BOUND = re.compile(
    r"(?:(?<![\w-])(?P<bound>up ?-?to|upto|as (?:much|high|many) as|at most"
    r"|(?:a )?max(?:imum|imal)?(?: of)?|at ?least|more than|over|above|greater than|exceeding|[>≥]"
    r"|around|about|roughly|approximately|approx\.?|nearly|almost|close to|some|[~∼≈]"
    r"|an average(?: of)?|on average|average(?: of)?|averaging|a mean of)"
    r"(?:\s*(?:a|an|the|another|about|around|over|more than))?|\ba|\ban|\bthe)?"
    r"\s*(?P<more>[~>≥+])?\s*$"
)
_LONGEST_BOUND = 26
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_SPELT = "|".join(_NUMBERS)
_FIGURE = re.compile(
    rf"[0-9](?<![\w.,/-][0-9])(?:(?P<low>{_DIGITS})(?P<first>{_TIMES}|\s*%)?"
    rf"{_TO}(?P<high>\d{_DIGITS})"
    rf"(?P<range>{_TIMES}|\s*%(?:\s*points?\b)?|\s*(?:db|bleu|mAP|points)\b)"
    rf"|(?P<number>{_DIGITS})\+?(?:(?P<times>{_TIMES})|(?P<per_cent>{_PER_CENT})|{_UNIT}"
    r"|(?P<digit_orders>\sorders?[ -]of[ -]magnitude)))"
    rf"{_AFTER}"
)
_SPELT_OUT = re.compile(
    rf"\b(?:(?P<orders>(?:(?:an?|{_SPELT})[ -])?order[s]?[ -]of[ -]magnitude)"
    rf"|(?P<word>{_SPELT})(?:[ -]times|[ -]?fold)\b"
    rf"|factors? (?:of )?(?:(?P<factor_bound>up to|more than|at least|about|around|over|nearly)\s)?"
    rf"(?P<factor>\d+(?:\.\d+)?)(?:{_TO}(?P<factor_high>\d+(?:\.\d+)?))?(?![\w%])"
    r"|(?P<twice>twice|doubl(?:e|es|ed|ing))\b(?!-)"
    r"|(?P<thrice>thrice|tripl(?:e|es|ed|ing))\b(?!-)"
    rf"|(?P<half>half(?= (?:of|the|as|that|its))|halv(?:es|ed|ing))\b){_AFTER}"
)
_MAYBE_SPELT = re.compile(r"order|fold|twice|doubl|tripl|thrice|hal[fv]|factor|[eorxtn] times")
_CHANGE = re.compile(
    rf"from\s+(?P<before>{_NUMBER})\s*(?P<sign>%)?\s*to\s+(?P<after>\d+(?:\.\d+)?)(?![\d.]*\d)"
    r"\s*(?P<unit>%|db\b|ms\b|fps\b|mAP\b|bleu\b)?(?!\s*[x×])"
)
_TOO_MUCH = 1e12
_UNITS = {**{each.lower(): each for each in ("dB", "ms", "FPS", "AP", "mIoU", "%")}, "mAP": "mAP"}
_UNITS |= dict.fromkeys(("pt", "pts", "pp"), "points")
_BOUNDS = (
    (re.compile(r"up|max|a max|as |at most"), Bound.UP_TO),
    (re.compile(r"at ?least|more|over|above|greater|exceed|[>≥]"), Bound.AT_LEAST),
    (re.compile(r"around|about|rough|approx|nearly|almost|close|some|[~∼≈]"), Bound.ABOUT),
    (re.compile(r"an average|on average|averag|a mean"), Bound.AVERAGE),
)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in a text, a factor if `unit` is None; `low` and `high` differ only in ranges.

    `start` and `end` are its span, with the words of its bound.
    """

    start: int
    end: int
    low: float
    high: float
    unit: str | None
    bound: Bound
    change: bool = False
    """It is the difference of "from 70% to 75%", whose direction follows from the two figures."""


def amounts(text: str) -> list[Amount]:
    """Return the amounts in a masked `text`, in order; figures without a unit are skipped."""
    found = [change for match in _CHANGE.finditer(text) if (change := _change(match))]
    taken = [(amount.start, amount.end) for amount in found]
    for match in _FIGURE.finditer(text):
        if any(left < match.end() and match.start() < right for left, right in taken):
            continue
        if amount := _figure(match):
            found.append(amount)
    if _MAYBE_SPELT.search(text):
        found += [amount for match in _SPELT_OUT.finditer(text) if (amount := _spelt_out(match))]
    return sorted(found, key=lambda amount: amount.start)


def _figure(match: re.Match[str]) -> Amount | None:
    """The amount of "2.2x", "1.3-2.2x", "3.4%"; its first digit stands before the groups."""
    digit = match.group()[0]
    unit = _unit(match["range"] or match["per_cent"] or match["unit"] or "")
    if match["range"]:
        low, high = _number(digit + match["low"]), _number(match["high"])
        if match["first"] and (_unit(match["first"]) is None) != (unit is None):
            return None
    else:
        low = high = _number(digit + match["number"])
        if match["digit_orders"]:
            low = high = 10.0 ** min(low, 12)
    return _amount(match, low, high, unit)


def _spelt_out(match: re.Match[str]) -> Amount | None:
    """The amount of "twice", "two orders of magnitude", "a factor of 3"."""
    low = high = 0.5
    if orders := match.group("orders"):
        first = re.split(r"[ -]", orders)[0]
        if first == "orders":
            return None
        low = high = 10.0 ** (_NUMBERS.index(first) + 1 if first in _NUMBERS else 1)
    elif word := match.group("word"):
        low = high = _NUMBERS.index(word) + 1.0
    elif factor := match.group("factor"):
        low = high = float(factor)
        high = float(match.group("factor_high") or factor)
    elif match.group("twice"):
        low = high = 2.0
    elif match.group("thrice"):
        low = high = 3.0
    return _amount(match, low, high, None)


def _amount(match: re.Match[str], low: float, high: float, unit: str | None) -> Amount | None:
    low, high = min(low, high), max(low, high)
    if (unit is None and low <= 0) or high > _TOO_MUCH:
        return None
    start = match.start()
    before = _BOUND.search(match.string, max(0, start - _LONGEST_BOUND), start)
    groups = match.groupdict()
    words = (before and (before.group("bound") or before.group("more"))) or ""
    words = groups.get("factor_bound") or words
    bound = Bound.EXACT
    if groups["average"]:
        bound = Bound.AVERAGE
    elif words and words != "+":
        bound = next(bound for pattern, bound in _BOUNDS if pattern.match(words))
    elif groups["plus"] or "+" in match.group():
        bound = Bound.AT_LEAST
    elif groups.get("orders") or groups.get("digit_orders"):
        bound = Bound.ABOUT
    return Amount(before.start() if before else start, match.end(), low, high, unit, bound)


def _unit(sign: str) -> str | None:
    """Return the unit that a sign stands for: None of a factor, such as "x" or "times"."""
    sign = sign.strip()
    if sign.startswith("bleu"):
        return "BLEU"
    if "point" in sign:
        return "points"
    return "%" if "cent" in sign else _UNITS.get(sign)


def _change(match: re.Match[str]) -> Amount | None:
    """The difference of "from 70.5% to 75%"; in time or rate units too."""
    sign = match.group("unit") or match.group("sign")
    if not sign or re.search(r"rang\w+ $", match.string[: match.start()]):
        return None
    before, after = _number(match.group("before")), float(match.group("after"))
    digits = max(_decimals(match.group("before")), _decimals(match.group("after")))
    difference = round(abs(after - before), digits)
    unit = "points" if sign == "%" else _unit(sign)
    return Amount(match.start(), match.end(), difference, difference, unit, Bound.EXACT, True)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


class Form(Enum):
    """How the word that makes a claim is used, which says where its amount and its metric are."""

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

    @property
    def is_share(self) -> bool:
        """Whether its amount is a part of the whole: "31% of the parameters"."""
        return self.form is Form.SHARE and self.amounts[0].unit == "%"


CLAIM_WORD = re.compile(
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
    **dict.fromkeys(("speedup", "slowdown", "gain", "rise", "fall", "loss"), Form.NOUN),
    **dict.fromkeys(("improve", "raise", "reduce", "accelerate"), Form.VERB),
}
_BETTER = {"faster", "cheaper", "better", "speedup", "gain", "improve", "accelerate"}
_WORSE = {"slower", "worse", "slowdown"}
_RISING = {"more", "rise", "raise"}
_ITS_METRIC = {
    **dict.fromkeys(("faster", "slower", "speedup", "slowdown", "accelerate"), "speed"),
    "cheaper": "cost",
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
    own = [figure for figure in figures if start <= figure.start and figure.end <= end]
    words = [match for match in CLAIM_WORD.finditer(text, start, end) if not _is_lessened(match)]
    linked: dict[int, list[Amount]] = {}
    found: list[Claim] = []
    for group in amount_lists(text, own):
        if (index := _word_of(text, group, words)) is not None:
            linked.setdefault(index, group)
        elif share := _share(text, end, group):
            found.append(share)
    said = (_claim(text, start, end, match, linked.get(i, [])) for i, match in enumerate(words))
    return sorted([*found, *filter(None, said)], key=lambda claim: claim.start)


def in_direction(rising: bool, metric: str | None) -> Direction | None:
    """Return whether a metric that rises (or falls) is for the better."""
    if metric in _EITHER_WAY and rising:
        return None
    if metric in MORE_IS_BETTER:
        return Direction.BETTER if rising else Direction.WORSE
    if metric in LESS_IS_BETTER:
        return Direction.WORSE if rising else Direction.BETTER
    return None


def amount_lists(text: str, figures: Sequence[Amount]) -> list[list[Amount]]:
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
    begin = min([match.start(), *(amount.start for amount in group)])
    finish = max([match.end(), *(amount.end for amount in group)])
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
        stop = min((amount.start for amount in group if amount.start >= match.end()), default=end)
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
    after_word = phrase.end() if phrase and form is Form.COMPARATIVE else match.end()
    for position in [after_word, *(amount.end for amount in group[-1:])]:
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
    match = _SHARE_OF.match(text, amount.end, end)
    if not match or len(group) > 1 or amount.unit == "points" or amount.change:
        return None
    if amount.unit is not None and not (
        amount.unit == "%" and match.group("of") and _PARTITIVE.search(text, 0, amount.start)
    ):
        return None
    if amount.unit is None and match.group("of") and amount.low >= 1:
        return None
    metric = metric_in(match.group("metric"))
    rising = amount.low >= (100 if amount.unit else 1)
    if amount.unit and amount.high > 100 >= amount.low:
        return None
    direction = in_direction(rising, metric)
    return Claim(amount.start, match.end(), Form.SHARE, direction, metric, (amount,))
