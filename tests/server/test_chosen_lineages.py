"""Family trees as of a date, and of some kinds: on a page, as a document, and as a picture."""

from urllib.parse import unquote

import httpx

from command import answer

ROOT = "ZeRO"


def test_the_page_of_a_tree_is_as_of_a_date(server_url: str) -> None:
    path = f"{server_url}/lineage/entity/zero"
    headers = {"accept": "text/html"}
    early, whole = (
        httpx.get(f"{path}{query}", headers=headers).text for query in ("?asOf=2021-06", "")
    )
    assert "ZeRO-Offload" in early and "ZeRO++" not in early
    assert "ZeRO++" in whole
    assert 'name="asOf" value="2021-06"' in early
    assert 'asOf: "2021-06"' in unquote(early)
    refused = httpx.get(f"{path}?asOf=then", headers=headers)
    assert refused.status_code == 400 and "not a date" in refused.text
    document = httpx.get(f"{path}.json?asOf=2021-06").text
    assert "entity/zero-offload" in document
    assert "entity/zero-plus-plus" not in document


def test_a_picture_is_as_of_a_date(example_store: str) -> None:
    early = answer("lineage", ROOT, "--as-of", "2021-06", "-f", "svg", "-s", example_store)
    assert "ZeRO-Offload" in early and "ZeRO++" not in early
    some = answer("lineage", ROOT, "--kind", "technique", "-f", "svg", "-s", example_store)
    assert "ZeRO-Offload" not in some and "ZeRO++" in some
