"""What front ends are built with: graphql-codegen, and urql with its normalised cache."""

import json
from pathlib import Path

import httpx
import pytest

from asked import by_graphql
from command import run_program

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "src" / "stemma" / "server" / "graphql" / "examples"

pytestmark = pytest.mark.process

QUERIES = """
query Builders($of: String!, $after: String) {
  entity(name: $of) {
    descendants(first: 20, after: $after) {
      totalCount
      edges {
        lineageEdge { confidence statements { evidence { text } paper { title published } } }
        node { __typename name ... on Entity { kind } ... on Paper { title } }
      }
    }
  }
}

query OnH100($all: [PaperCriterion!], $first: Int) {
  papers(all: $all, first: $first) {
    nodes { title introduces { name descendants { totalCount nodes { name } } } }
  }
  changes(first: 1) { nodes { finished } }
}

query Found($id: ID!) {
  node(id: $id) { __typename ... on Statement { comparison { factor } } }
}
"""
GENERATE = """
import { readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const schema = parse(await (await fetch(process.argv[2])).text());
const documents = process.argv.slice(3).map((location) => (
  { location, document: parse(readFileSync(location, 'utf8')) }));
writeFileSync('types.ts', await codegen({
  schema,
  documents,
  filename: 'types.ts',
  plugins: [{ operations: {} }],
  pluginMap: { operations },
  config: { strictScalars: true, scalars: { DateTime: 'string', PartialDate: 'string' } },
}));
"""
USE = """
import type { BuildersQuery, FoundQuery, OnH100Query, OnH100QueryVariables } from './types';

export const asked: OnH100QueryVariables = { all: [{ entity: 'H100', relations: ['RUNS_ON'] }] };

export const lines = ({ entity }: BuildersQuery): string[] =>
  (entity?.descendants.edges ?? []).map(({ lineageEdge: { confidence, statements }, node }) => {
    const sentence: string | undefined = statements[0]?.evidence[0]?.text;
    const date: string | null | undefined = statements[0]?.paper?.published;
    const of: string = node.__typename === 'Entity' ? node.kind : node.title;
    return `${node.name} ${of} ${confidence.toFixed(2)} ${sentence ?? ''} ${date ?? ''}`;
  });

export const introduced = ({ papers, changes }: OnH100Query): [number | undefined, string?] =>
  [papers?.nodes[0]?.introduces[0]?.descendants.totalCount, changes?.nodes[0]?.finished];

export const factor = ({ node }: FoundQuery): number | null | undefined =>
  node?.__typename === 'Statement' ? node.comparison?.factor : null;
"""


def test_types_are_generated_that_a_front_end_compiles_with(node, server_url, tmp_path):
    """Of the schema that is served and of all examples; nothing has the type `any`."""
    program, modules = node
    (tmp_path / "node_modules").symlink_to(modules)
    for name, text in (("q.graphql", QUERIES), ("generate.mjs", GENERATE), ("use.ts", USE)):
        (tmp_path / name).write_text(text)
    queries = ["q.graphql", *map(str, EXAMPLES.glob("*.graphql"))]
    schema = f"{server_url}/graphql/schema.graphql"
    made = run_program(program, "generate.mjs", schema, *queries, cwd=tmp_path, timeout=120)
    assert made.returncode == 0, made.stdout + made.stderr
    types = (tmp_path / "types.ts").read_text()
    assert "PathQuery" in types
    assert ": any" not in types and "unknown;" not in types
    compiler = modules / "typescript" / "bin" / "tsc"
    options = ["--strict", "--noEmit", "--noUncheckedIndexedAccess", "--target", "es2022"]
    done = run_program(program, str(compiler), *options, "use.ts", cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stdout


CACHED = """
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { getIntrospectionQuery } from 'graphql';

const url = process.argv[2];
const asked = await fetch(url, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: getIntrospectionQuery() }),
});
const cache = cacheExchange({
  schema: (await asked.json()).data,
  resolvers: { Entity: { papers: relayPagination() } },
});
const client = new Client({ url, exchanges: [cache, fetchExchange], preferGetMethod: false });

async function ask(query, variables, requestPolicy) {
  const { data, error } = await client.query(query, variables, { requestPolicy }).toPromise();
  if (error) throw error;
  return data.entity;
}

const around = (direction) => `query ($of: String!) {
  entity(name: $of) { id steps: ${direction}(maxDepth: 1) { edges { depth node { id name } } } }
}`;
const named = ({ steps }) => steps.edges.map(({ node }) => node.name);
const of = 'LoRA';
const first = named(await ask(around('descendants'), { of }));
for (const name of first) await ask(around('ancestors'), { of: name });
const again = named(await ask(around('descendants'), { of }, 'cache-only'));

const papers = `query ($of: String!, $after: String) {
  entity(name: $of) { id papers(first: 5, after: $after) {
    edges { node { id title } } pageInfo { hasNextPage endCursor } } }
}`;
let page = (await ask(papers, { of })).papers;
while (page.pageInfo.hasNextPage) {
  page = (await ask(papers, { of, after: page.pageInfo.endCursor })).papers;
}
console.log(JSON.stringify({ first, again, titles: page.edges.map(({ node }) => node.title) }));
"""


def test_a_normalised_cache_keeps_what_it_was_told(node, server_url, tmp_path):
    """An edge is kept apart from what is at its two ends, and pages are merged."""
    program, modules = node
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "ask.mjs").write_text(CACHED)
    done = run_program(program, "ask.mjs", f"{server_url}/graphql", cwd=tmp_path, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found = json.loads(done.stdout)
    assert found["again"] == found["first"] != []
    with httpx.Client(base_url=server_url) as client:
        every = by_graphql(
            client, '{ entity(name: "LoRA") { papers(first: 100) { nodes { title } } } }'
        )
    assert found["titles"] == [each["title"] for each in every["entity"]["papers"]["nodes"]]
    assert len(found["titles"]) > 5
