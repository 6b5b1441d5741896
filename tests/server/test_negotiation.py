"""Content negotiation, by RFC 9110."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.server.http.negotiation import preferred

OFFERS = ["text/html", "text/turtle", "application/ld+json"]


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", "text/html"),
        ("*/*", "text/html"),
        ("text/turtle", "text/turtle"),
        ("TEXT/Turtle", "text/turtle"),
        ("text/html;q=0.5, text/turtle", "text/turtle"),
        ("text/html;q=0.5, text/turtle;q=0.4", "text/html"),
        ("text/*;q=0.3, application/*", "application/ld+json"),
        ("text/html;q=0, */*;q=0.1", "text/turtle"),
        ("text/turtle;q=0.2, text/*;q=0.9, */*", "application/ld+json"),
        ("text/turtle; charset=utf-8; q=0.8, */*;q=0.1", "text/turtle"),
        ("*/*;q=0.1, text/turtle; q=0.8", "text/turtle"),
        ("image/png, text/turtle;q=0.1", "text/turtle"),
        ("image/png", None),
        ("text/html;q=0", None),
        ("text/turtle, text/html", "text/html"),
        ("nonsense, ;q=1, /, text/turtle;q=x, application/ld+json;q=0.1", "application/ld+json"),
    ],
)
def test_the_best_that_the_client_accepts(accept, wanted):
    assert preferred(accept, OFFERS) == wanted


@given(st.text(alphabet="textapplicionhmlurdj+/*;q=.0159, ", max_size=80))
def test_whatever_the_header_it_is_one_of_the_offers_or_none(accept):
    assert preferred(accept, OFFERS) in (*OFFERS, None)
