"""What front ends are built with: types that graphql-codegen makes of the schema."""

from pathlib import Path

import pytest

from command import run_program

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "src" / "stemma" / "server" / "graphql" / "examples"

pytestmark = pytest.mark.process

QUERIES = """
query Builders($of: String!) {
  entity(name: $of) {
    descendants {
      edges {
        confidence
        statements { evidence { text } paper { published } }
        node { __typename name ... on Entity { kind } ... on Paper { title } }
      }
    }
  }
}

query OnH100($all: [PaperCriterion!]) {
  papers(all: $all) { nodes { introduces { descendants { totalCount } } } }
  changes(first: 1) { finished }
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
  (entity?.descendants.edges ?? []).map(({ confidence, statements, node }) => {
    const sentence: string | undefined = statements[0]?.evidence[0]?.text;
    const date: string | null | undefined = statements[0]?.paper?.published;
    const of: string = node.__typename === 'Entity' ? node.kind : node.title;
    return `${node.name} ${of} ${confidence.toFixed(2)} ${sentence ?? ''} ${date ?? ''}`;
  });

export const introduced = ({ papers, changes }: OnH100Query): [number | undefined, string?] =>
  [papers?.nodes[0]?.introduces[0]?.descendants.totalCount, changes?.[0]?.finished];

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
