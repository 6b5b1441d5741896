"""Names: how two spellings of one are known to be the same, and how a name becomes an id."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from itertools import count

_LATEX = re.compile(r"[\\{}~$]")
_LATEX_STYLE = re.compile(r"\{\\(?:it|bf|em|tt|sc|rm|sf)\s+([^{}]*)\}")
_LATEX_COMMAND = re.compile(r"\\(?:text\w*|emph|math[a-z]+|boldsymbol|bm)\s*\{([^{}]*)\}")
_LATEX_FORMULA = re.compile(r"\\(?:[()]|(?:math[a-z]+|boldsymbol|bm)(?![A-Za-z]))")
_LATEX_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j|dh|th)(?![A-Za-z])(?:\{\}|\s+)?")
_LETTERS = {"ss": "ß", "ae": "æ", "oe": "œ", "aa": "å", "o": "ø", "l": "ł", "dh": "ð", "th": "þ"}
_LATEX_ACCENT = re.compile(
    r"""\\(?:(?P<mark>['`"^~=.])\s*|(?P<named>[bcdHkruv])(?:\s+|(?=\{)))(?:\{\s*(\w)\s*\}|(\w))"""
)
_ACCENTS = dict(
    zip(
        "'`\"^~=.bcdHkruv",
        "\u0301\u0300\u0308\u0302\u0303\u0304\u0307\u0331\u0327\u0323\u030b\u0328\u030a\u0306\u030c",
        strict=True,
    )
)
_LATEX_ESCAPE = re.compile(r"\\([%&_#$ {}])")
_LATEX_WORD = re.compile(r"\\([A-Za-z]+)")
_STAR = re.compile(r"(?<=\w)[*∗](?![\w*∗])")
"""A star that is part of a name: A*, RRT*; at the end of ``*A*``, it only emphasizes."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[^\w+#]+(?=\d)")
_PUNCTUATION = re.compile(r"[^\w+#\x00]|_")
_VERSION = re.compile(r"(?<=[^\W\d_]{2})(?<!^arm)v(?=\d{1,2}(?!\d))")
"""The v of a version: of 3,181 names with numbers in abstracts, 15 are joined rightly without it,
and one wrongly. An ARM8 is no ARMv8, and V100 has no version."""
_POSSESSIVE = re.compile(r"(?<=\w)[+#)]*(?P<ending>['’]s|['’]+)$")
_ES, _IES = re.compile(r"(?<=ss|sh|ch)e$"), re.compile(r"(?<=[b-df-hj-np-tv-z])ie$")
"""What a plural leaves without its s where the singular has none of it, or a y: losses, policies.
Singulars that end so (cache, movie) lose it too, so that they have the key of their plurals."""
_BRACKET = re.compile(r"[()\[\]]")
_CLOSES = {")": "(", "]": "["}
# How many there are of a device, its form and its memory: it is the same device with others.
_CONFIGURATION = re.compile(
    r"^\d+ ?[x×] ?(?=[a-z]+[ -]?\w*\d)|^pcie (?=[a-z]+\d)"
    r"|(?<=\w)(?:[ -](?:sxm\d?|pcie|nvl))?[ -]?\(?\d{2,3} ?gi?b\)?(?: hbm\d?e?)?$"
    r"|(?<=\d)[ -](?:sxm\d?|pcie|nvl)(?:[ -]\d{2,3}g)?$|(?<=\d)-(?:16|24|32|40|48|80)g$",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"[\W_]+")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_LONGEST_SLUG = 96


def plain(text: str) -> str:
    """Return `text` without LaTeX remnants: ``{\\it torch.matmul}`` is ``torch.matmul``."""
    if not _LATEX.search(text):
        return text
    if "\\" in text:
        text = _LATEX_ACCENT.sub(_accented, _LATEX_LETTER.sub(_letter, text))
    for pattern in (_LATEX_STYLE, _LATEX_COMMAND):
        text = pattern.sub(r"\1", text)
    text = _LATEX_FORMULA.sub("", text)
    for pattern in (_LATEX_ESCAPE, _LATEX_WORD):
        text = pattern.sub(r"\1", text)
    text = text.replace("~", " ")
    return " ".join(re.sub(r"[{}$\\]", "", text).split())


def _letter(match: re.Match[str]) -> str:
    """Return the letter of ``\\o``; an i or j that is to have an accent is the usual one."""
    name = match[1]
    letter = _LETTERS.get(name.lower(), name)
    return letter.upper() if name[0].isupper() else letter


def _accented(match: re.Match[str]) -> str:
    """Return the letter of ``\\'e``, ``\\'{e}`` or ``\\c{c}``."""
    mark, named, *letters = match.groups(default="")
    return unicodedata.normalize("NFC", "".join(letters) + _ACCENTS[mark or named])


def with_star_in_letters(name: str) -> str:
    """Spell out the star at the end of a name in letters: ``RRT*`` becomes ``RRT-star``."""
    return name if name.startswith("*") else _STAR.sub("-star", name)


def without_possessive(name: str) -> str:
    """Return ``GPU`` of ``GPU's`` and ``GPUs`` of ``GPUs'``."""
    match = _POSSESSIVE.search(name)
    return name[: match.start("ending")] if match else name


def without_stray_brackets(name: str) -> str:
    """Return ``KV cache`` of ``KV) cache``, as it stands in "key-value (KV) cache"."""
    if not _BRACKET.search(name):
        return name
    stray, opened = [], dict[str, list[int]]()
    for match in _BRACKET.finditer(name):
        bracket, place = match[0], match.start()
        if bracket in _CLOSES.values():
            opened.setdefault(bracket, []).append(place)
        elif held := opened.get(_CLOSES[bracket]):
            held.pop()
        else:
            stray.append(place)
    for places in opened.values():
        stray += places
    return "".join(char for place, char in enumerate(name) if place not in stray).strip()


def _singular(name: str) -> str:
    is_long = len(name) > 3 or (len(name) == 3 and name[:-1].isupper())
    has_plural_s = is_long and name[-1] == "s" and (name[-2].isalnum() and name[-2] not in "sS")
    return _ES.sub("", _IES.sub("y", name[:-1] if has_plural_s else name))


def match_key(name: str) -> str:
    """Return the key that all spellings of `name` share.

    Case, spaces, hyphens, accents, LaTeX, a possessive and the ending of a plural (a small one:
    "A100s" is "A100" and "policies" "policy", "L40S" is not "L40") do not count, nor do number,
    memory and form of a device ("8x A100-SXM4-80GB"), or the v of a version ("SQuAD v2"); digits
    that a separator keeps apart stay apart, so that "LLaMA-2 7B" is not "LLaMA-27B", and "RRT*" is
    "RRT-star", not "RRT".
    """
    return _remembered_key(name) if len(name) <= _LONGEST_REMEMBERED else _match_key(name)


def _match_key(name: str) -> str:
    text = _CONFIGURATION.sub("", without_possessive(plain(name))) or name
    text = _singular(_ascii_letters(with_star_in_letters(text))).casefold()
    text = _BETWEEN_DIGITS.sub("\x00", text)
    text = _VERSION.sub("", _PUNCTUATION.sub("", text), count=1).replace("\x00", ".")
    return text or name.casefold()


_remembered_key = lru_cache(maxsize=65536)(_match_key)
_LONGEST_REMEMBERED = 500
"""Characters of a name: what is longer is a stranger's text, and would stay in memory."""


def slug(name: str) -> str:
    """Return `name` as the readable, URL-safe end of an id, at most about 100 characters long."""
    text = _ascii_letters(plain(name)).casefold().replace("+", "-plus-").replace("#", "-sharp-")
    text = _NOT_IN_SLUG.sub("-", text).strip("-")
    if not text:
        return "x-" + sha256(name.encode()).hexdigest()[:12]
    if len(text) <= _LONGEST_SLUG:
        return text
    whole_words = text[:_LONGEST_SLUG].rsplit("-", 1)[0]
    return f"{whole_words}-{sha256(text.encode()).hexdigest()[:8]}"


def word_key(text: str) -> str:
    """Return the words of `text` between spaces, so that ``" a b "`` is found in what has them.

    Case, accents and punctuation do not count.
    """
    return f" {_NO_WORD.sub(' ', _ascii_letters(plain(text)).casefold()).strip()} "


def _ascii_letters(text: str) -> str:
    """Spell accented, Greek and other letters in ASCII where a plain spelling exists."""
    if text.isascii():
        return text
    return "".join(
        character if character.isascii() else _spelt(character)
        for character in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(character)
    )


def _spelt(character: str) -> str:
    if not character.isalnum():
        return " "
    if (folded := character.casefold()).isascii():  # ß
        return folded
    words = unicodedata.name(character, "").split()
    if words[:1] == ["GREEK"]:
        return words[-1].lower().replace("lamda", "lambda")  # as everyone but Unicode spells it
    if words[:1] == ["LATIN"] and "LETTER" in words:
        return words[words.index("LETTER") + 1].lower()
    return character


# Vendors: papers put the names of these makers before those of products, or leave them out. So they
# do with the article of a name: The Pile is the Pile, and a Pile.

_OF_DEVICES = """
Altera AMD Apple Arm Broadcom Cerebras Fujitsu Google Graphcore Groq Habana Huawei IBM Intel
Lenovo Mellanox Micron NVIDIA Qualcomm SambaNova Samsung Tenstorrent Xilinx
"""
_OTHERS = """
Alibaba Amazon AWS Baidu DJI Facebook KUKA Livox Meta Microsoft OpenAI Oracle Ouster
Tencent Unitree Velodyne
"""
DEVICE_VENDORS = tuple(_OF_DEVICES.split())
VENDORS = (*DEVICE_VENDORS, *_OTHERS.split())
ARTICLE = "the"
_LEFT_OUT = frozenset((*map(str.casefold, VENDORS), ARTICLE))


def split_vendor(name: str) -> tuple[str, str] | None:
    """Return vendor or article, in lower case, and product of ``NVIDIA A100``; else None."""
    first, _, rest = name.strip().partition(" ")
    if rest and first.casefold() in _LEFT_OUT:
        return first.casefold(), rest.strip()
    return None


# Ids: typed, readable strings such as ``entity/zero-infinity`` that name what is in a graph.

ENTITY = "entity/"
PAPER = "paper/"
AUTHOR = "author/"


def entity_id(name: str) -> str:
    """Return the id of the entity that is called `name` and shares it with no other."""
    return ENTITY + slug(with_star_in_letters(name))


def coined_entity_id(name: str, sense: str) -> str:
    """Return the id of one of several senses of `name`: by the paper (an id) that introduces it, or
    by its kind."""
    return f"{entity_id(name)}--{sense.removeprefix(PAPER)}"


def paper_id(title: str) -> str:
    """Return the id of the paper with this title, whatever its spacing and case."""
    return PAPER + slug(title)


def label_of(id_: str) -> str:
    """Return the label of the Neo4j node of a paper, an entity or an author (an id)."""
    return {ENTITY: "Entity", PAPER: "Paper", AUTHOR: "Author"}[id_[: id_.index("/") + 1]]


def is_id(text: str) -> bool:
    """Return whether a text is an id, not a name: it has a known prefix then."""
    return text.startswith((ENTITY, PAPER))


def first_free(wanted: str, is_taken: Callable[[str], bool]) -> str:
    """Return what is wanted, or where that is taken, with the first number from 2 that is not."""
    free, numbers = wanted, count(2)
    while is_taken(free):
        free = f"{wanted}-{next(numbers)}"
    return free
