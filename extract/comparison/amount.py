"""Amounts: factors and differences such as "up to 2.2x", "3.4%", "two orders of magnitude"."""

import re
from dataclasses import dataclass, replace

from stemma.schema.comparison import Bound

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
_WORDS = {
    name: number
    for number, name in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1
    )
} | {"an": 1, "a": 1, "": 1}
_SPELT = "|".join(name for name in _WORDS if len(name) > 2)
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
_BETWEEN = re.compile(
    rf"between\s+(?P<low>{_NUMBER})(?:{_TIMES}|\s*%)?\s+and\s+(?P<high>{_NUMBER})"
    rf"(?P<sign>{_TIMES}|\s*%(?:\s*points?\b)?)"
)
_LISTED = re.compile(rf"(?P<number>{_NUMBER})\s*(?:x|×|%)?\s*(?:, and|,|and|&|/)\s*$")
_SEVERAL_BEFORE = re.compile(r"(?:several|multiple|many|few|some|\d+(?:-|–)\d*)[ -]$")
_TOO_MUCH = 1e12
_UNITS = {
    "db": "dB",
    "ms": "ms",
    "fps": "FPS",
    "mAP": "mAP",
    "ap": "AP",
    "miou": "mIoU",
    "%": "%",
}
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
    found += [_between(match) for match in _BETWEEN.finditer(text)]
    taken = [(each.start, each.end) for each in found]
    for match in _FIGURE.finditer(text):
        if any(left < match.end() and match.start() < right for left, right in taken):
            continue
        if amount := _figure(match):
            found += _listed_before(text, amount)
            found.append(amount)
    if _MAYBE_SPELT.search(text):
        found += [amount for match in _SPELT_OUT.finditer(text) if (amount := _spelt_out(match))]
    return sorted(found, key=lambda each: each.start)


def _figure(match: re.Match[str]) -> Amount | None:
    """The amount of "2.2x", "1.3-2.2x", "3.4%"; its first digit stands before the groups."""
    digit = match.group()[0]
    unit: str | None = None
    if match.group("range"):
        low = _number(digit + match.group("low"))
        high = _number(match.group("high"))
        first, last = (match.group("first") or "").strip(), match.group("range").strip()
        if first and (first == "%") != (_range_unit(last) is not None):
            return None
        unit = _range_unit(last)
    elif match.group("digit_orders"):
        low = high = 10.0 ** min(_number(digit + match.group("number")), 12)
    else:
        low = high = _number(digit + match.group("number"))
        unit = _unit(match)
    return _amount(match, low, high, unit)


def _spelt_out(match: re.Match[str]) -> Amount | None:
    """The amount of "twice", "two orders of magnitude", "a factor of 3"."""
    low = high = 0.5
    if orders := match.group("orders"):
        first = re.split(r"[ -]", orders)[0]
        if first == "orders" or _SEVERAL_BEFORE.search(match.string, 0, match.start()):
            return None
        low = high = 10.0 ** _WORDS.get(first, 1)
    elif word := match.group("word"):
        low = high = float(_WORDS[word])
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
        bound = next(each for pattern, each in _BOUNDS if pattern.match(words))
    elif groups["plus"] or "+" in match.group():
        bound = Bound.AT_LEAST
    elif groups.get("orders") or groups.get("digit_orders"):
        bound = Bound.ABOUT
    return Amount(before.start() if before else start, match.end(), low, high, unit, bound)


def _between(match: re.Match[str]) -> Amount:
    ends = sorted(_number(match.group(name)) for name in ("low", "high"))
    unit = _range_unit(match.group("sign").strip())
    return Amount(match.start(), match.end(), ends[0], ends[1], unit, Bound.EXACT)


def _range_unit(sign: str) -> str | None:
    if "point" in sign:
        return "points"
    return "BLEU" if sign == "bleu" else _UNITS.get(sign)


def _unit(match: re.Match[str]) -> str | None:
    if match.group("times"):
        return None
    if match.group("per_cent"):
        return "points" if "point" in match.group("per_cent") else "%"
    name = match.group("unit")
    if name.startswith("bleu"):
        return "BLEU"
    return _UNITS.get(name, "points")


def _change(match: re.Match[str]) -> Amount | None:
    """The difference of "from 70.5% to 75%"; in time or rate units too."""
    unit = match.group("unit") or match.group("sign")
    if not unit or re.search(r"rang\w+ $", match.string[: match.start()]):
        return None
    before, after = _number(match.group("before")), float(match.group("after"))
    digits = max(_decimals(match.group("before")), _decimals(match.group("after")))
    difference = round(abs(after - before), digits)
    unit = "points" if unit == "%" else _UNITS.get(unit, "BLEU")
    return Amount(match.start(), match.end(), difference, difference, unit, Bound.EXACT, True)


def _listed_before(text: str, amount: Amount) -> list[Amount]:
    """The figures that share the unit of `amount`: 1.3 and 0.7 in "1.3, 0.7 and 0.9 mAP"."""
    listed: list[Amount] = []
    end = amount.start
    while amount.low == amount.high and (match := _LISTED.search(text[max(0, end - 24) : end])):
        if "%" in match.group() or re.search(r"\d\s*[x×]", match.group()):
            break
        start = max(0, end - 24) + match.start("number")
        number = _number(match.group("number"))
        if number <= 0 and amount.unit is None:
            break
        stop = max(0, end - 24) + match.end("number")
        listed.append(replace(amount, start=start, end=stop, low=number, high=number))
        end = start
    return listed[::-1]


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])
