// Works of a picture that can be moved: they stay where they were put, in all views of the same
// tree, as long as the tab is open.

// Returns what moves the works of a picture.
export function movable(svg) {
  const key = `positions ${location.pathname}`;
  const links = new Map();
  const edges = new Map();
  const boxes = new Map();
  const undone = [];
  for (const link of svg.querySelectorAll("a[data-work]:not(.more)")) {
    const { x, y, width, height } = link.querySelector("rect");
    const box = { x: x.baseVal.value, y: y.baseVal.value, width: width.baseVal.value, height: height.baseVal.value };
    links.set(link.dataset.work, link);
    boxes.set(link.dataset.work, { ...box, from: box });
    edges.set(link.dataset.work, []);
  }
  for (const edge of svg.querySelectorAll("a.edge")) {
    edges.get(edge.dataset.child)?.push(edge);
    edges.get(edge.dataset.parent)?.push(edge);
  }
  for (const [work, [x, y]] of Object.entries(read(key))) {
    if (!boxes.has(work)) continue;
    place(work, x, y);
    raise(work);
  }

  function place(work, x, y) {
    const box = boxes.get(work);
    [box.x, box.y] = [x, y];
    const moved = `translate(${x - box.from.x} ${y - box.from.y})`;
    for (const each of drawn(work)) each.setAttribute("transform", moved);
    for (const edge of edges.get(work)) route(edge, boxes.get(edge.dataset.parent), boxes.get(edge.dataset.child));
    grow(svg, x + box.width, y + box.height);
  }

  // Draws a work above the others, which it may cover now.
  function raise(work) {
    svg.append(...drawn(work));
  }

  function drawn(work) {
    return svg.querySelectorAll(`a[data-work="${CSS.escape(work)}"]`);
  }

  return {
    boxes: () => boxes,
    focus(work) {
      links.get(work).focus({ preventScroll: true });
      links.get(work).scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    // Marks the edges of a work that is pointed at.
    mark(work, isNear) {
      svg.classList.toggle("pointing", isNear && edges.has(work));
      for (const edge of edges.get(work) ?? []) edge.classList.toggle("near", isNear);
    },
    take(work) {
      const { x, y } = boxes.get(work);
      return {
        to: (dx, dy) => place(work, Math.max(0, x + Math.round(dx)), Math.max(0, y + Math.round(dy))),
        drop() {
          undone.push([work, x, y]);
          raise(work);
          write(key, work, boxes.get(work));
        },
      };
    },
    hasMoved: () => undone.length > 0,
    // Moves back the work that was moved last.
    undo() {
      const last = undone.pop();
      place(...last);
      write(key, last[0], boxes.get(last[0]));
    },
  };
}

// Redraws an edge between two boxes.
function route(edge, parent, child) {
  const { path, head } = between(parent, child);
  for (const each of edge.querySelectorAll(".line, .hit")) each.setAttribute("d", path);
  edge.querySelector(".head")?.setAttribute("transform", head); // Those that do not stand out have none.
}

// Returns the path of an edge between two boxes, straight past the others, and where its head is.
export function between(parent, child) {
  const isLater = child.x >= parent.x + parent.width / 2;
  const [x1, y1] = [parent.x + (isLater ? parent.width : 0), parent.y + parent.height / 2];
  const [x2, y2] = [child.x + (isLater ? 0 : child.width), child.y + child.height / 2];
  const bend = (x2 - x1) / 2;
  return {
    path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    head: `translate(${x2} ${y2})${isLater ? "" : " scale(-1 1)"}`,
  };
}

// Makes room for what is moved out of the picture.
function grow(svg, right, bottom) {
  const view = svg.viewBox.baseVal;
  const [wider, higher] = [Math.max(view.width, right + 16), Math.max(view.height, bottom + 16)];
  if (wider === view.width && higher === view.height) return;
  const { style } = svg;
  if (style.maxWidth === "none") {
    style.width = `${(Number.parseFloat(style.width) * wider) / view.width}px`;
    style.height = `${(Number.parseFloat(style.height) * higher) / view.height}px`;
  }
  [view.width, view.height] = [wider, higher];
}

function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? {};
  } catch {
    return {}; // The browser keeps nothing, or something else wrote it.
  }
}

function write(key, work, box) {
  const kept = { ...read(key), [work]: [box.x, box.y] };
  if (box.x === box.from.x && box.y === box.from.y) delete kept[work];
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // It stays where it is until the page is left.
  }
}
