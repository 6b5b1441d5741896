"""The clauses of a question, each of which is answered: without what is said before it and beside
it."""

import re
from collections.abc import Callable

from stemma.server.asking.question import QUOTES, TABLES, is_cue, is_noun

_WORDS = {name: re.compile(f"(?i){each}") for name, each in TABLES["clauses"].items()}
MOST_CLAUSES = 3


def clauses(text: str, name_in: Callable[[str], str]) -> list[str]:
    """Return the clauses of a question: "What is GRPO" and "how does GRPO relate to PPO".

    A sentence that asks nothing gives its topic to the next. `name_in` returns the name in a clause
    for which pronouns of the next ones stand, "" if there is none.
    """
    text = " ".join(text.translate(QUOTES).split())
    for name in ("remark", "restated", "filler"):
        text = _WORDS[name].sub("", text)
    topic, found = "", list[str]()
    for sentence in filter(None, map(str.strip, _WORDS["sentence"].split(text))):
        asked, told = sentence, _WORDS["told"].match(sentence)
        if told and (told["asked"] or not sentence.endswith("?")):
            topic, asked = told["topic"].strip(" ,."), told["asked"] or ""
        for clause in _WORDS["joint"].split(asked.rstrip("?!. ")):
            if clause and not _WORDS["empty"].fullmatch(clause):
                found.append(_carried(clause, found, topic, name_in))
    return found[:MOST_CLAUSES] or [topic or text]


def _carried(clause: str, before: list[str], topic: str, name_in: Callable[[str], str]) -> str:
    """Return a clause with what it leaves to those `before` it, or to the `topic` before them."""
    if before and (short := _WORDS["elliptic"].fullmatch(clause)):
        start, found, _ = before[-1].rpartition(f" {short['by']} ")
        return f"{start}{found}{short['rest']}" if found else clause
    clause = _WORDS["of_these"].sub("", clause)
    pronoun = _WORDS["pronoun"].search(clause)
    if pronoun and (before or topic):
        is_noun_phrase = before and not _WORDS["asking"].match(before[0])
        named = (before and name_in(before[0])) or (topic and name_in(topic))
        meant = named or topic or (before[0] if is_noun_phrase else "")
        return _WORDS["pronoun"].sub(lambda _: meant, clause, count=1) if meant else clause
    words = re.findall(r"\w[\w'-]*", clause)
    if topic and all(is_noun(each) or is_cue(each.lower()) for each in words):
        return f"{clause} for {topic}"
    return clause
