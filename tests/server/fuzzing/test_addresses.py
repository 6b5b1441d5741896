"""Addresses made of bytes that are no text, or no name: what they lead to is not there."""

from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.xdist_group("fuzzing")  # They share a server.
JUNK = (
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\x00",
    b"entity/\x00",
    b"entity/lora\x00",
    b"entity/\r\nX: y",
    b"entity/" + b"a" * 8000,
    b"../../etc/passwd",
    b"..%2f..%2f",
    b"%",
    b"\xe2\x80\xae",
)
ADDRESSES = (
    "/id/{}",
    "/page/{}",
    "/data/{}",
    "/data/{}.ttl",
    "/page?q={}",
    "/papers?entity={}",
    "/lineage/{}.json",
    "/lineage/entity/lora.json?direction={}",
    "/lineage/entity/lora.json?{}",
    "/sparql?query={}",
    "/sparql?query=ASK%7B%7D&default-graph-uri={}",
    "/sparql?{}",
    "/graphql?query={}",
    "/graphql?query=%7B__typename%7D&variables={}",
    "/graphql?query=%7B__typename%7D&operationName={}",
    "/graphql/assets/{}",
    "/assets/{}",
    "/{}",
)
ACCEPTED = ("*/*", "text/html", "text/turtle", "application/json")


def get(target: str, accept: str) -> bytes:
    lines = (f"GET {target} HTTP/1.1", "Host: localhost", f"Accept: {accept}", "Connection: close")
    return "\r\n".join([*lines, "", ""]).encode()


@settings(database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    address=st.sampled_from(ADDRESSES),
    junk=st.sampled_from(JUNK) | st.binary(max_size=60) | st.text(max_size=40).map(str.encode),
    accept=st.sampled_from(ACCEPTED),
)
def test_junk_in_addresses_does_not_cause_a_server_error(service, address, junk, accept):
    target = address.format(quote_from_bytes(junk))
    assert service.gives_no_5xx(get(target, accept))
