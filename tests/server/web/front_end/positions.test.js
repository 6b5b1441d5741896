import assert from "node:assert/strict";
import { test } from "node:test";

import { between } from "../../../../server/web/pages/assets/positions.js";

const size = { width: 100, height: 40 };

test("an edge leaves the older work on the right and reaches the later one on the left", () => {
  const edge = between({ x: 0, y: 0, ...size }, { x: 200, y: 80, ...size });
  assert.equal(edge.path, "M100 20C150 20 150 100 200 100");
  assert.equal(edge.head, "translate(200 100)");
});

test("an edge to a work that was moved left of its parent is turned", () => {
  const edge = between({ x: 200, y: 0, ...size }, { x: 0, y: 0, ...size });
  assert.equal(edge.path, "M200 20C150 20 150 20 100 20");
  assert.equal(edge.head, "translate(100 20) scale(-1 1)");
});
