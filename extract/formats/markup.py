"""Markup that services leave in titles and abstracts: tags of HTML, MathML or JATS."""

import html
import re

_TAG = re.compile(
    r"</?(?:jats:|mml:)?(?:i|b|em|strong|sub|sup|sc|u|p|br|span|scp|inf|title|sec|italic|bold|"
    r"math|mi|mo|mn|mrow|msub|msup|msubsup|mtext|inline-formula|tex-math|list|list-item|a|div|"
    r"h[1-6]|ul|ol|li)"
    r"(?:\s[^<>=]*=[^<>]*)?\s*/?>",
    re.I,
)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|br|sec|title|div|list-item|h[1-6]|li)\b", re.I)


def without_markup(text: str) -> str:
    """Return a text without tags, and with the characters that its entities stand for."""
    text = _without_tags(text)
    if "&" not in text:
        return text
    escaped = "&lt;" in text or "&amp;" in text
    text = html.unescape(html.unescape(text) if "&amp;" in text else text)
    return _without_tags(text) if escaped else text


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    return _TAG.sub(lambda tag: "\n\n" if _BLOCK.match(tag[0]) else "", text)
