"""What GraphQL says of papers and entities, and of what hangs on them."""

from pathlib import Path

import httpx

from stemma.server.graphql.schema import sdl

SCHEMA = Path(__file__).parents[3] / "schema" / "schema.graphql"


def test_a_work_knows_what_hangs_on_it(data):
    title = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU"
    found = data(
        """query ($title: String!) {
      entity(name: "flash attention") { id kind introducedBy { title }
        papers(first: 2) { totalCount nodes { title } } }
      paper(title: $title) { published introduces { name } baselines { name } hardware { name }
        statements(kinds: [HARDWARE]) { nodes { entity { kind } } } } }""",
        title=title,
    )
    entity, paper = found["entity"], found["paper"]
    assert (entity["id"], entity["kind"]) == ("entity/flashattention", "TECHNIQUE")
    assert any(each["title"].startswith("FlashAttention:") for each in entity["introducedBy"])
    assert entity["papers"]["totalCount"] >= len(entity["papers"]["nodes"]) == 2
    assert paper["published"] == "2024-03-11"
    assert {"name": "Fuyou"} in paper["introduces"]
    assert {"name": "ZeRO-Infinity"} in paper["baselines"]
    assert paper["hardware"]
    assert {each["entity"]["kind"] for each in paper["statements"]["nodes"]} == {"HARDWARE"}


def test_the_schema_is_the_one_that_is_published(server_url):
    published = SCHEMA.read_text()
    assert httpx.get(f"{server_url}/graphql/schema.graphql").text == published
    assert sdl() == published, "renew it with `make schema`"
    assert len(published.splitlines()) <= 1000
