"""Standards: the words that tie an entity to a comparison, as "than" and "outperforms" do.

They are found in masked sentences: names hidden, LaTeX remnants spelt plainly, every character in
its place. Conditions say where a comparison holds, such as "on 8 A100 GPUs".
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

_METRIC_WORDS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("metrics.toml").read_text(encoding="utf-8")
)
_NAME_OF = {
    word.strip(): name for name, words in _METRIC_WORDS.items() for word in words.split(",")
}
METRIC = "|".join(
    re.escape(word).replace(r"\ ", r"[\s-]").replace(r"\-", r"[\s-]?")
    for word in sorted(_NAME_OF, key=len, reverse=True)
)
"""A pattern of everything that names a metric, in lower case, longest first."""
_METRIC = re.compile(rf"(?<![\w-])(?:{METRIC})(?![\w])")
_KEY_NOISE = re.compile(r"[\s-]+")
_BY_KEY = {_KEY_NOISE.sub("", word): name for word, name in _NAME_OF.items()}


def metrics_in(text: str) -> list[str]:
    """Return the names of the metrics that a masked `text` names, in order."""
    return [_BY_KEY[_KEY_NOISE.sub("", each)] for each in _METRIC.findall(text)]


def metric_in(text: str, last: bool = True) -> str | None:
    """Return the name of the last (or first) metric that a masked `text` names."""
    found = metrics_in(text)
    return found[-1 if last else 0] if found else None


TARGET = "\ue000"
"""Stands for each character of the entity compared with."""
OTHER = "\ue001"
"""Stands for each character of another entity."""

_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# What LaTeX commands mean; the listings often lost a backslash: "10.7times", "$\t" + "imes$".
_LATEX = re.compile(
    r"\$?\\?\b(?:(?P<times>(?:(?<=\\)|(?<=\d)|(?<=\$))times\b\$?|(?<=[\t ])imes\b\$?)"
    r"|(?P<least>(?:(?<=\\)(?:geq?|gt)|geq)(?![a-z]))"
    r"|(?P<about>(?:(?<=\\)(?:sim|approx)|(?<=\$)sim)(?![a-z])))"
)
_MAP = re.compile(r"\bmAP\b")
_MARKUP = re.compile(r"[\n\r\t\\${}*]")


def mask(sentence: str, start: int, end: int, others: Sequence[tuple[int, int]]) -> str:
    """Return `sentence` in lower case with its entities masked, as long as it was.

    `start` and `end` are the span of the entity compared with; offsets hold for both texts.
    """
    text = sentence.translate(_ASCII_LOWER)
    for match in _MAP.finditer(sentence):  # in lower case it would be any map
        text = text[: match.start()] + "mAP" + text[match.end() :]
    for span in others:
        left, right = max(span[0], 0), min(span[1], len(text))
        if left < right:
            text = text[:left] + OTHER * (right - left) + text[right:]
    text = text[:start] + TARGET * (end - start) + text[end:]
    if "\\" in text or "$" in text or "imes" in text or "geq" in text:
        text = _LATEX.sub(_spelt, text)
    return _MARKUP.sub(" ", text)


def _spelt(match: re.Match[str]) -> str:
    sign = {"times": "×", "least": ">", "about": "~"}[match.lastgroup or "about"]
    return sign.ljust(len(match.group()))


class Role(Enum):
    """The role of an entity in a comparison, by the words that give it that."""

    THAN = "than"
    AGAINST = "against"
    BEATEN = "beaten"
    BEATS = "beats"
    IMPROVED = "improved"
    EQUALLED = "equalled"


@dataclass(frozen=True, slots=True)
class Standard:
    """The words that make the entity the standard of a comparison: their span and its role.

    `place` and `count`: the entity is the `place`-th, from 0, of so many in a list, which runs
    to `list_end`. At `stop` a later comparison takes over, or the text ends.
    """

    role: Role
    start: int
    end: int
    place: int
    count: int
    list_end: int
    stop: int


_WORDS = re.compile(
    r"(?<![\w-])(?:"
    r"(?P<than>than(?! *(?:about |around |over |half|one |two |an? order)?[\d~>]))"
    r"|(?P<against>(?:when |as )?compar(?:ed|ing)(?: (?:it|our \w+|them))? (?:to|with|against)"
    r"|in comparison (?:to|with)|compared|relative to|versus|vs\.?|against|with respect to|over"
    r"(?! ?[\d~>]| an? \d| the (?:past|last|course))|in contrast (?:to|with)|w\.r\.t\.)"
    r"|(?P<beats>(?:falls?|fell|falling|lags?|lagging|lagged|trails?) (?:\w+ )?behind|lags|trails"
    r"|underperform(?:s|ed|ing)?|falls? short of|outperformed by|surpassed by|inferior to"
    r"|worse than|not as \w+ as|less \w+ than)"
    r"|(?P<beaten>out-?perform(?:s|ed|ing|ance over)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?"
    r"|beat(?:s|ing)?|outpac(?:e|es|ed|ing)|outdo(?:es|ing)?|superior to|superiority over"
    r"|superiority (?:to|against|of)|wins? over|improv(?:es|ed|ing|e) (?:up)?on)"
    r"|(?P<equalled>(?:comparable|comparably|similar(?:ly)?|competitive(?:ly)?|close"
    r"|equal|identical|on[- ]par|on a par|parity|competitiveness|near-identical)"
    r"(?:(?: (?!than\b|over\b)[\w@/-]+){0,4}?,? (?:to|with|as)\b)?"
    r"|match(?:es|ed|ing)?|rival(?:s|ing|ling)?|competes? with|approximates the performance of)"
    r"|(?P<improved>accelerat(?:es?|ed|ing)|speed(?:s|ing)? up|improv(?:es|ed|ing|e)"
    r"|boost(?:s|ed|ing)?|reduc(?:es?|ed|ing)|slash(?:es|ed|ing)|increas(?:es?|ed|ing))"
    r")(?![\w-])"
)
# "outperforms A by 3% and B by 5%": the verb reaches B.
_ITS_OWN_AMOUNT = re.compile(
    r"\bby (?:up to |about |over |around )?\d[\d.,]*\s?(?:x|×|%|times|fold|points)?(?: on average)?"
    r",? (?:and|but)\b"
)
_ANNOUNCED = re.compile(r"\b(?:methods|libraries|systems|baselines|models|approaches)\s*:")
_BRACKETS = re.compile(r"\([^()]*\)")
_STOP = re.compile(
    r"[;:]|\.\s|\b(?:while|whereas|which|who|achiev\w*|attain\w*|than|compared|over|when|but|we"
    r"|our|is|are|was|were|in terms|respectively|has|have|can|deliver\w*|reduc\w*|improv\w*"
    r"|outperform\w*|surpass\w*|provid\w*|enabl\w*|maintain\w*|and \w+ing|demonstrat\w*|because"
    r"|since|without|against)\b"
    r"|(?<!ed )(?<!en )(?<!und )(?<!ght )(?<!out )(?<!ilt )\bby\b|(?<!ed )(?<!ilt )\b(?:on|at)\b"
    r"|(?<!ed )(?<!ped )\bwith\b(?! (?:the |an? )?(?:original|standard|same))"
)
_JOINED = re.compile(
    r"(?:['’]s?\b)?(?:\s*\([^()]{0,40}\))?(?: (?:methods?|models?|baselines?|implementations?"
    r"|kernels?|systems?))?\s*(?:,|and|or|,\s*and|,\s*or|&|/|as well as|,\s*as well as|\+"
    r"|and even)\s*(?:the |an? |with |over |than |to |original |standard |vanilla "
    r"|state-of-the-art |naive |even |both ){0,3}"
)
_MASKS = re.compile(f"{TARGET}+|{OTHER}+")


def standard_of(text: str, start: int, end: int) -> Standard | None:
    """Return what makes the entity at `start` to `end` of a masked text a standard, if anything."""
    place, count, list_start, list_end = _list_around(text, start)
    words = list(_WORDS.finditer(text, 0, list_start))
    for match in reversed(words):
        if list_start - match.end() > 160:
            return None
        if not _reaches(text, match, list_start):
            continue
        role = Role(match.lastgroup)
        if role is Role.EQUALLED and not _links(match.group()):
            continue
        stop = next_comparison(text, list_end)
        return Standard(role, match.start(), match.end(), place, count, list_end, stop)
    if text.startswith(("-level", "-quality", "-class"), end):
        stop = next_comparison(text, end)
        return Standard(Role.EQUALLED, start, end, place, count, end, stop)
    return None


def closes_before(text: str, position: int) -> int:
    """Return where the comparison before `position` ends: after its standard, or at a semicolon."""
    best = max(text.rfind(";", 0, position), text.rfind(". ", 0, position)) + 1
    for match in _WORDS.finditer(text, best, position):
        if match.lastgroup in {"than", "against"} and match.end() < position:
            best = match.end()
    return best


def next_comparison(text: str, position: int) -> int:
    """Return where a later comparison takes over from the one at `position`, or the text's end."""
    end = len(text)
    for stop in (text.find(";", position), text.find(". ", position)):
        end = stop if 0 <= stop < end else end
    for match in _WORDS.finditer(text, position, end):
        if match.lastgroup in {"than", "against", "beaten", "beats"} or (
            match.lastgroup == "equalled" and _links(match.group())
        ):
            return match.start()
    return end


def _reaches(text: str, match: re.Match[str], list_start: int) -> bool:
    gap = _BRACKETS.sub(" ", text[match.end() : list_start])
    if Role(match.lastgroup) in (Role.BEATEN, Role.THAN, Role.AGAINST):
        gap = _ANNOUNCED.sub(" ", _ITS_OWN_AMOUNT.sub(" ", gap))
    return not _STOP.search(gap)


def _links(words: str) -> bool:
    """ "comparable" alone ties nothing; "comparable to" and "matches" do."""
    return words.endswith((" to", " with", " as", " of")) or words.startswith(("match", "rival"))


def _list_around(text: str, start: int) -> tuple[int, int, int, int]:
    """The place of the entity at `start` in its list, the list's length, its beginning and end."""
    spans = [match.span() for match in _MASKS.finditer(text)]
    here = next(i for i, span in enumerate(spans) if span[0] <= start < span[1])
    first = last = here
    while first and _JOINED.fullmatch(text, spans[first - 1][1], spans[first][0]):
        first -= 1
    while last + 1 < len(spans) and _JOINED.fullmatch(text, spans[last][1], spans[last + 1][0]):
        last += 1
    return here - first, last - first + 1, spans[first][0], spans[last][1]


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
_CONDITION_END = (
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
    rf"[^,;:()]{{0,90}}?){_CONDITION_END}"
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


def leading_condition(text: str) -> tuple[int, int] | None:
    """Return the span of the condition that a masked sentence opens with, if it does."""
    match = _LEADING.match(text)
    if match is None or _LIST_GOES_ON.match(text, match.end()):
        return None
    if text.startswith("for ", match.start("condition")) and metric_in(match.group("condition")):
        return None
    return _span(match)


def trailing_condition(text: str, position: int, end: int) -> tuple[int, int] | None:
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
    start = match.start("condition")
    end = start + len(re.sub(r"[\s.]+\Z", "", match["condition"]))  # without the full stop
    if end - start > 100 or _ONLY_PREPOSITION.fullmatch(match.string, start, end):
        return None
    return start, end
