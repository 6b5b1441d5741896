import assert from "node:assert/strict";
import { test } from "node:test";

import { nextWork } from "../../../../server/web/pages/assets/keyboard.js";

// Two columns: a is left; b, c and d are right of it, one below the other.
const boxes = new Map([
  ["a", { x: 0, y: 50 }],
  ["b", { x: 200, y: 0 }],
  ["c", { x: 200, y: 50 }],
  ["d", { x: 200, y: 100 }],
]);

test("an arrow leads to the nearest work in its direction", () => {
  assert.equal(nextWork(boxes, "a", "ArrowRight"), "c");
  assert.equal(nextWork(boxes, "c", "ArrowUp"), "b");
  assert.equal(nextWork(boxes, "c", "ArrowDown"), "d");
  assert.equal(nextWork(boxes, "d", "ArrowLeft"), "a");
});

test("what lies aside is farther away than what lies ahead", () => {
  const wide = new Map([...boxes, ["e", { x: 300, y: 50 }]]);
  wide.delete("c");
  assert.equal(nextWork(wide, "a", "ArrowRight"), "e");
});

test("at the edge of the picture there is no next work", () => {
  assert.equal(nextWork(boxes, "a", "ArrowLeft"), undefined);
  assert.equal(nextWork(boxes, "b", "ArrowUp"), undefined);
});
