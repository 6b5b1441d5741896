"""The server follows the specification of GraphQL over HTTP, by the audits of graphql-http."""

import json

from command import run_program

AUDIT = """
import { auditServer } from 'graphql-http';
const results = await auditServer({ url: process.argv[2] });
console.log(JSON.stringify(results.map(({ name, status, reason }) => ({ name, status, reason }))));
"""


def test_all_audits_pass_without_a_warning(node, server_url, tmp_path):
    program, modules = node
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "audit.mjs").write_text(AUDIT)
    done = run_program(program, "audit.mjs", f"{server_url}/graphql", cwd=tmp_path, timeout=120)
    results = json.loads(done.stdout)
    assert len(results) > 50
    assert [each for each in results if each["status"] != "ok"] == []
