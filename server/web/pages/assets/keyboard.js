// Arrow keys lead from work to work.

const ASIDE = 3; // How much farther away is what lies aside.

// Returns the work next to a work in the direction of a key, by the boxes of all works.
export function nextWork(boxes, work, key) {
  const from = boxes.get(work);
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let [nearest, least] = [undefined, Infinity];
  for (const [other, box] of boxes) {
    const [dx, dy] = [box.x - from.x, box.y - from.y];
    const [ahead, aside] = isAcross ? [sign * dx, Math.abs(dy)] : [sign * dy, Math.abs(dx)];
    const distance = ahead + ASIDE * aside;
    if (ahead > 1 && distance < least) [nearest, least] = [other, distance];
  }
  return nearest;
}
