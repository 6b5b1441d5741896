"""Conditions: where a comparison holds, such as "on 8 A100 GPUs" or "for long sequences"."""

import re

from stemma.extract.comparison.masked import OTHER
from stemma.extract.comparison.metric import metric_in

_LEADING = re.compile(
    r"\s*(?:(?:for example|specifically|notably|moreover|in particular|furthermore|additionally"
    r"|remarkably|e\.g\.), )?(?P<condition>"
    r"(?:on\b(?! average| the (?:other|one) hand| top| par)|at\b(?! the same time| least"
    r"| first|last)|under\b|across\b|when\b(?! compared)|within\b"
    r"|for\b(?! example| instance| the first| this| these| that))\s+[^,;:()]{2,80}),\s"
)
_MORE_ENTITIES = re.compile(rf"(?:,\s*{OTHER}+)*,?\s*and\s+{OTHER}+")
_LIST_GOES_ON = re.compile(
    r"(?:(?!outperform|surpass|exceed|beat|match|achiev|is |are |can )[^,]){1,30},"
)
_STOP = (
    r"(?=\s*[,;:()]|\.(?:\s|$)|\s+(?:while|whereas|but|compared|over|than|by|without|using|which"
    r"|that|due|with|in terms|relative|respectively|as well as|outperform\w*|achiev\w*|at the same"
    r"|at an? \w+ \w+ (?:smaller|lower|faster|higher)"
    r"|versus|vs|against|without|thanks|showing|demonstrating|reducing|improving|via|because|since"
    r"|is|are|was|were|can|has|have|and (?:up to |over |about |around |almost |at least |~ ?|an? )?"
    r"(?:\d|achiev|reduc|improv|outperform|is\b|are\b|has\b|up\b|by\b"
    r"|on\b|for\b|at\b|can\b|even\b|comparable|competitive|better|higher|lower|faster|requir|show"
    r"|also\b|with\b|in\b|match|surpass|provid|enabl|demonstrat|significantly|the\b|its\b|our\b"
    r"|we\b"
    r"|it\b|does\b|deliver|offer|generaliz|increas|maintain|over\b|than\b))\b|\s*$)"
)
_TRAILING = re.compile(
    r"\s*(?:,\s*)?(?P<condition>"
    r"(?:on\b(?! average| par| top| the other)|at\b(?! least| the same time"
    r"| an? (?:\w+ )?(?:fraction|lower|higher|smaller|faster|reduced|cost))|under\b|across\b"
    r"|for\b(?! (?:an? )?\d[\d.]*\s*[%x×]| example| instance| the first)"
    r"|when\b(?! compared)|with (?:an? )?(?:batch|sequence|context|input) "
    r"|in (?:the |an? )?(?:(?!and\b)[\w/-]+ ){0,4}(?:settings?|regimes?|scenarios?|cases"
    r"|environments?|experiments?|inference|training|simulations?|conditions?)\b)"
    rf"[^,;:()]{{0,90}}?){_STOP}"
)
_SKIPPED = re.compile(
    r"(?:['’]s\b)?(?:\s*\([^()]{0,40}\))?(?:\s+(?!(?:on|at|under|across|for|when|in|with|while|and|by)"
    r"\b)[\w\ue001’'-]+){0,3}"
    r"(?:,? (?:by|in)(?: an?| the)? (?:large|wide|significant|substantial|considerable|clear|huge"
    r"|notable) margins?)?"
)
_METRIC_PHRASE = re.compile(
    r",?\s*in (?:terms of )?[\w\s-]{2,40}?(?= (?:on|at|under|across|for|when) )"
)
_ONLY_PREPOSITION = re.compile(r"(?:on|at|under|across|for|when|within|in|with)\s*\S{0,1}$")


def leading(text: str) -> tuple[int, int] | None:
    """Return the span of the condition that a masked sentence opens with, if it does."""
    match = _LEADING.match(text)
    if match is None or _LIST_GOES_ON.match(text, match.end()):
        return None
    if text.startswith("for ", match.start("condition")) and metric_in(match.group("condition")):
        return None
    return _span(match)


def trailing(text: str, position: int, end: int) -> tuple[int, int] | None:
    """Return the span of the condition that follows `position` in a masked text, if one does."""
    for start in _starts(text, position, end):
        if found := _span(_TRAILING.match(text, start, end)):
            more = _MORE_ENTITIES.match(text, found[1], end)
            return (found[0], more.end()) if more and text[found[1] - 1] == OTHER else found
    return None


def _starts(text: str, position: int, end: int) -> list[int]:
    """Where a condition may begin: at once, after the noun's own words, after "in accuracy"."""
    starts = [position]
    if skipped := _SKIPPED.match(text, position, end):
        starts.append(skipped.end())
    if metric := _METRIC_PHRASE.match(text, starts[-1], end):
        starts.append(metric.end())
    return starts


def _span(match: re.Match[str] | None) -> tuple[int, int] | None:
    if match is None:
        return None
    start, end = match.span("condition")
    while end > start and _is_space_or_stop(match.string[end - 1]):
        end -= 1
    if end - start > 100 or _ONLY_PREPOSITION.fullmatch(match.string, start, end):
        return None
    return start, end


def _is_space_or_stop(character: str) -> bool:
    """Return whether it is white space, or the full stop that ends a sentence."""
    return character.isspace() or character == "."
