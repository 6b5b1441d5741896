"""Placeholders: what services write where a title, an abstract or a venue is absent."""

import re

_ABSENT = (
    r"n[/.]?a|nan|none|null|nil|undefined|unknown|not (?:available|provided|applicable)|tba|tbd"
)
_NOTHING = re.compile(rf"\W*+(?:{_ABSENT})?\W*+", re.I)
_NO_ABSTRACT = re.compile(
    rf"\W*+(?:{_ABSENT}|(?:abstract|summary)|(?:inter)?national audience|"
    r"item does not contain full ?text|"
    r"(?:there is |this (?:article|paper|item|document|record|work|publication) has )?"
    r"(?:no|missing) (?:abstract|summary)(?: text)?(?: (?:is |was |has been )?"
    r"(?:available|provided|found|given|supplied)(?: (?:for|in) th(?:is|e) [a-z]{3,12})?)?|"
    r"(?:an |the )?(?:abstract|summary)(?: text)?(?: (?:is|was))? (?:missing|unavailable|none|"
    r"not (?:yet )?(?:available|provided|found|given|included)"
    r"(?: (?:for|in) th(?:is|e) [a-z]{3,12})?)|"
    r"this (?:article|paper|item|document|record|work|publication) does not have an abstract"
    r")\W*+",
    re.I,
)
_NO_TITLE = re.compile(
    rf"\W*+(?:{_ABSENT}|untitled|(?:no|missing) title(?: available)?|title (?:is )?not available|"
    r"deleted work|(?:front|back) ?matter(?:\s?[,:;.(\[][^\n]*+)?|"
    r"(?:front |back |inside )?cover(?: page)?|"
    r"(?:table of )?contents|title pages?|copyright(?: (?:page|notice|information))?|"
    r"(?:(?:author|subject|keyword|volume|reviewer) )?index|editorial board|masthead|blank page|"
    r"list of (?:reviewers|contributors|authors|participants))\W*+",
    re.I,
)
_HEADING = re.compile(
    r"\A\W{0,4}(?:abstract|summary)\s*(?:\n\s*|[.:]\s*\n?|[—–]\s*|-\s+)"
    r"|\Aabstract\s?(?=(?-i:(?:We|This|The|In|Our|Here|Background|Objectives?|Purpose|Introduction"
    r"|Motivation|Recent(?:ly)?)\b))",
    re.I,
)
"""The heading of an abstract, before its text."""


def without_placeholder(text: str) -> str:
    """Return a text, an empty one where it says nothing: "N/A", "nan", "-"."""
    return "" if _NOTHING.fullmatch(text) else text


def abstract_without_heading(text: str) -> str:
    """Return an abstract without the word "Abstract" before it; an empty one of a placeholder."""
    if _NO_ABSTRACT.fullmatch(text) or _NOTHING.fullmatch(text):
        return ""
    plain = _HEADING.sub("", text, count=1)
    return "" if _NO_ABSTRACT.fullmatch(plain) else plain


def is_no_title(text: str) -> bool:
    """Return whether a title is that of no paper: "Front Matter", "Deleted Work", "nan"."""
    return bool(_NO_TITLE.fullmatch(text))
