"""The server follows the specification of GraphQL over HTTP, by the audits of graphql-http."""

import json
import subprocess

import httpx

AUDIT = """
import { auditServer } from 'graphql-http';
const results = await auditServer({ url: process.argv[2] });
console.log(JSON.stringify(results.map(({ name, status, reason }) => ({ name, status, reason }))));
"""


def test_all_audits_pass_without_a_warning(node, server_url, tmp_path):
    program, modules = node
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "audit.mjs").write_text(AUDIT)
    done = subprocess.run(
        [program, "audit.mjs", f"{server_url}/graphql"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    results = json.loads(done.stdout)
    assert len(results) > 50
    assert [each for each in results if each["status"] != "ok"] == []


def test_a_query_that_fails_in_part_has_status_200_and_one_that_is_invalid_400(server_url):
    def ask(query: str, accept: str) -> httpx.Response:
        url = f"{server_url}/graphql"
        return httpx.get(url, params={"query": query}, headers={"accept": accept})

    new, old = "application/graphql-response+json", "application/json"
    partly = ask('{ statistics { papers } lineage(of: "Nowhere") { truncated } }', new)
    assert partly.status_code == 200
    assert partly.headers["content-type"].startswith(new)
    assert partly.json()["data"]["lineage"] is None
    invalid = ask("{ nothing }", new)
    assert (invalid.status_code, "data" in invalid.json()) == (400, False)
    assert invalid.json()["errors"][0]["extensions"]["code"] == "BAD_QUERY"
    # As it always was, for clients that do not know the new media type.
    assert ask("{ nothing }", old).status_code == 200
    tags = {ask("{ statistics { papers } }", each).headers["etag"] for each in (new, old)}
    assert len(tags) == 2
