// The page of a family tree: zoom, drag, evidence in a panel, expansion in place. All of it is
// links and forms without this script, too; each view has its address.

const STEP = 1.25;
const LEAST = 0.1;
const MOST = 3;
const MARGIN = 24;
let scale = 1;

const canvas = () => document.querySelector(".tree .canvas");
const svg = () => canvas().querySelector("svg");
const panel = () => document.querySelector("#panel");
// Without a server, a page shows one view alone.
const isServed = () => Boolean(document.querySelector(".filters"));

start();
addEventListener("popstate", () => (location.hash || !isServed() ? showEvidence() : swap(location.href)));
addEventListener("hashchange", showEvidence);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hidePanel();
});

function start() {
  const frame = canvas();
  document.querySelector(".tools").hidden = false;
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom[button.dataset.zoom]());
  }
  frame.addEventListener("click", follow);
  frame.addEventListener("keydown", (event) => {
    const action = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    zoom[action]();
  });
  frame.addEventListener("wheel", wheel, { passive: false });
  frame.addEventListener("pointerdown", drag);
  const filters = document.querySelector(".filters");
  filters?.addEventListener("change", () => go(addressOf(filters)));
  filters?.addEventListener("submit", (event) => {
    event.preventDefault();
    go(addressOf(filters));
  });
  for (const link of document.querySelectorAll("#summary a")) {
    link.addEventListener("click", (event) => followTo(event, link.href));
  }
  setScale(1);
  centre(svg().querySelector(".root"));
  showEvidence();
  centre(svg().querySelector(".chosen .line"));
}

const zoom = {
  in: () => setScale(scale * STEP),
  out: () => setScale(scale / STEP),
  fit: () => setScale(Math.min(1, (canvas().clientWidth - MARGIN) / svg().viewBox.baseVal.width)),
};

function setScale(wanted, x = canvas().clientWidth / 2, y = canvas().clientHeight / 2) {
  const frame = canvas();
  const next = Math.min(Math.max(wanted, LEAST), MOST);
  const [left, top] = [frame.scrollLeft + x, frame.scrollTop + y].map((each) => (each * next) / scale);
  scale = next;
  const { width, height } = svg().viewBox.baseVal;
  Object.assign(svg().style, { maxWidth: "none", width: `${width * scale}px`, height: `${height * scale}px` });
  frame.scrollTo(left - x, top - y);
}

function wheel(event) {
  if (!event.ctrlKey && !event.metaKey) return; // The page scrolls, as everywhere.
  event.preventDefault();
  const frame = canvas().getBoundingClientRect();
  setScale(scale * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
}

function drag(event) {
  if (event.pointerType !== "mouse" || event.button !== 0) return; // Fingers scroll it as it is.
  const frame = canvas();
  const from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
  let moved = false;
  const move = (now) => {
    moved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > 4;
    if (moved) frame.scrollTo(from.x - now.clientX, from.y - now.clientY);
  };
  const stop = () => {
    removeEventListener("pointermove", move);
    if (moved) frame.addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
    setTimeout(() => frame.classList.remove("dragged"));
  };
  frame.classList.add("dragged");
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop, { once: true });
}

function follow(event) {
  const link = event.target.closest("a");
  if (!link || event.defaultPrevented) return;
  const address = link.getAttribute("href");
  if (address.startsWith("#")) {
    event.preventDefault();
    history.pushState(null, "", address);
    showEvidence();
  } else if (link.classList.contains("more") && isServed()) {
    followTo(event, address, link.dataset.work);
  }
}

function followTo(event, address, work) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // A tab of its own.
  event.preventDefault();
  go(address, work);
}

function addressOf(form) {
  const given = new URLSearchParams(new FormData(form));
  const query = [...given].filter(([, value]) => value);
  return `${location.pathname}?${new URLSearchParams(query)}`;
}

async function go(address, work) {
  history.pushState(null, "", address);
  await swap(address, work);
}

// Shows another view of the tree; `work` stays where it was on the screen.
async function swap(address, work) {
  canvas().setAttribute("aria-busy", "true");
  const before = place(work);
  const kept = scale;
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    if (!answer.ok || !main?.querySelector(".tree")) return location.assign(address);
    document.querySelector("main").replaceWith(document.adoptNode(main));
    document.title = page.title;
    scale = 1;
    start();
    setScale(kept);
    const after = place(work);
    if (before && after) canvas().scrollBy(after.left - before.left, after.top - before.top);
    else centre(svg().querySelector(".root"));
  } catch {
    location.assign(address);
  }
}

function place(work) {
  return work && svg().querySelector(`a[data-work="${CSS.escape(work)}"]`)?.getBoundingClientRect();
}

function centre(node) {
  if (!node) return;
  const frame = canvas();
  const [outer, inner] = [frame.getBoundingClientRect(), node.getBoundingClientRect()];
  frame.scrollBy(
    inner.left + inner.width / 2 - outer.left - outer.width / 2,
    inner.top + inner.height / 2 - outer.top - outer.height / 2,
  );
}

function showEvidence() {
  const name = decodeURIComponent(location.hash.slice(1));
  const card = name && document.getElementById(name);
  for (const each of svg().querySelectorAll(".chosen")) each.classList.remove("chosen");
  if (!card) return hidePanel();
  const chosen = [...svg().querySelectorAll("a.edge")].find((each) => decodeURIComponent(each.getAttribute("href").slice(1)) === name);
  chosen?.classList.add("chosen");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.className = "close";
  close.addEventListener("click", hidePanel);
  panel().replaceChildren(close, ...[...card.children].map((each) => each.cloneNode(true)));
  panel().hidden = false;
  panel().focus({ preventScroll: true });
  canvas().scrollIntoView({ block: "nearest" });
}

function hidePanel() {
  if (panel().hidden) return;
  panel().hidden = true;
  for (const each of svg().querySelectorAll(".chosen")) each.classList.remove("chosen");
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  canvas().focus({ preventScroll: true });
}
