"""Standards: the words that tie an entity to a comparison, as "than" and "outperforms" do."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from stemma.extract.comparison.masked import OTHER, TARGET


class Role(Enum):
    """The role of an entity in a comparison."""

    THAN = auto()
    AGAINST = auto()
    BEATEN = auto()
    BEATS = auto()
    IMPROVED = auto()
    EQUALLED = auto()


@dataclass(frozen=True, slots=True)
class Standard:
    """The words that make the entity the standard of a comparison: their span and its role.

    `place` and `count`: the entity is the `place`-th, from 0, of so many in a list, which runs
    to `list_end`.
    """

    role: Role
    start: int
    end: int
    place: int
    count: int
    list_end: int


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
    r"|equal|identical|on[- ]par|on a par|parity|competitiveness|near-identical"
    r"|as (?!well|much|many|high|such)\w+ as)"
    r"(?:(?: (?!than\b|over\b)[\w@/-]+){0,4}?,? (?:to|with|as)\b)?"
    r"|match(?:es|ed|ing)?|rival(?:s|ing|ling)?|competes? with|approximates the performance of)"
    r"|(?P<improved>accelerat(?:es?|ed|ing)|speed(?:s|ing)? up|improv(?:es|ed|ing|e)"
    r"|boost(?:s|ed|ing)?|reduc(?:es?|ed|ing)|slash(?:es|ed|ing)|increas(?:es?|ed|ing))"
    r")(?![\w-])"
)
_ROLES = {
    "than": Role.THAN,
    "against": Role.AGAINST,
    "beats": Role.BEATS,
    "beaten": Role.BEATEN,
    "improved": Role.IMPROVED,
    "equalled": Role.EQUALLED,
}
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
    place, count, list_start, list_end = _list_around(text, start, end)
    words = list(_WORDS.finditer(text, 0, list_start))
    for match in reversed(words):
        if list_start - match.end() > 160:
            return None
        if not _reaches(text, match, list_start):
            continue
        role = _ROLES[match.lastgroup or ""]
        if role is Role.EQUALLED and not _links(match.group()):
            continue
        return Standard(role, match.start(), match.end(), place, count, list_end)
    if text.startswith(("-level", "-quality", "-class"), end):
        return Standard(Role.EQUALLED, start, end, place, count, end)
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
    if _ROLES[match.lastgroup or ""] in (Role.BEATEN, Role.THAN, Role.AGAINST):
        gap = _ANNOUNCED.sub(" ", _ITS_OWN_AMOUNT.sub(" ", gap))
    return not _STOP.search(gap)


def _links(words: str) -> bool:
    """ "comparable" alone ties nothing; "comparable to" and "matches" do."""
    return words.endswith((" to", " with", " as", " of")) or words.startswith(("match", "rival"))


def _list_around(text: str, start: int, end: int) -> tuple[int, int, int, int]:
    """The entity's place in its list, the list's length, where it begins and where it ends."""
    spans = [match.span() for match in _MASKS.finditer(text)]
    here = next((i for i, span in enumerate(spans) if span[0] <= start < span[1]), None)
    if here is None:
        return 0, 1, start, end
    first = last = here
    while first and _JOINED.fullmatch(text, spans[first - 1][1], spans[first][0]):
        first -= 1
    while last + 1 < len(spans) and _JOINED.fullmatch(text, spans[last][1], spans[last + 1][0]):
        last += 1
    return here - first, last - first + 1, spans[first][0], spans[last][1]
