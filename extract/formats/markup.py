"""Markup that services leave in titles and abstracts: tags of HTML, MathML or JATS."""

import html
import re

_TAG = re.compile(
    r"</?(?:jats:|mml:)?(?:i|b|em|strong|sub|sup|sc|u|p|br|span|scp|inf|title|sec|italic|bold|"
    r"math|mi|mo|mn|mrow|msub|msup|msubsup|mtext|inline-formula|tex-math|list|list-item|a|div)"
    r"(?:\s[^<>]*)?/?>",
    re.I,
)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|div|list-item)\b", re.I)


def without_markup(text: str) -> str:
    """Return a text without tags, and with the characters that its entities stand for."""
    if "<" in text:
        text = _TAG.sub(lambda tag: "\n\n" if _BLOCK.match(tag[0]) else "", text)
    return html.unescape(text) if "&" in text else text
