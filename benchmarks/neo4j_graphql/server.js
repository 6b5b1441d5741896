// Serves a graph that Stemma pushed to Neo4j with @neo4j/graphql: one field, a lineage with its
// sentences, by a Cypher statement written by hand.
//
// Usage: node server.js BOLT_URL USER PASSWORD; prints its own URL when it is ready.

import { createServer } from "node:http";

import { Neo4jGraphQL } from "@neo4j/graphql";
import { createHandler } from "graphql-http/lib/use/http";
import neo4j from "neo4j-driver";

const typeDefs = /* GraphQL */ `
  type LineageNode {
    id: ID!
    name: String!
    depth: Int!
  }
  type LineageEdge {
    child: ID!
    parent: ID!
    confidence: Float!
    sentences: [String!]!
  }
  type Lineage {
    nodes: [LineageNode!]!
    edges: [LineageEdge!]!
  }
  type Query {
    lineage(of: ID!): Lineage
      @cypher(
        statement: """
        MATCH (root:Entity {id: $of})
        CALL (root) {
          MATCH path = (root)<-[:DERIVES_FROM*1..3]-(work) WHERE work <> root
          WITH work, min(length(path)) AS depth ORDER BY depth, work.published, work.id LIMIT 100
          RETURN collect(work) AS works,
            collect({id: work.id, name: coalesce(work.name, work.title), depth: depth}) AS nodes
        }
        CALL (root, works) {
          UNWIND [root] + works AS child
          MATCH (child)-[edge:DERIVES_FROM]->(parent) WHERE parent = root OR parent IN works
          RETURN collect({child: child.id, parent: parent.id, confidence: edge.confidence,
            sentences: coalesce(edge.statement_sentence, [])}) AS edges
        }
        RETURN {nodes: nodes, edges: edges} AS lineage
        """
        columnName: "lineage"
      )
  }
`;

const [url, user, password] = process.argv.slice(2);
const driver = neo4j.driver(url, neo4j.auth.basic(user, password));
const schema = await new Neo4jGraphQL({ typeDefs, driver }).getSchema();
const handler = createHandler({ schema, context: () => ({ executionContext: driver }) });
const server = createServer((request, response) => {
  handler(request, response);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
