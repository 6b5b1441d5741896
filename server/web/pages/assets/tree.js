// The page of a family tree: zoom, pan, evidence in a panel, expansion in place. All of it is
// links and forms without this script, too; each view has its address. Works can be moved: see
// positions.js, and keyboard.js for the keys.

import { nextWork } from "./keyboard.js";
import { movable } from "./positions.js";

const STEP = 1.25;
const LEAST = 0.1;
const MOST = 3;
const MARGIN = 24;
const YEARS = 28; // The height of the line of years.
const DOUBLE_CLICK = 300; // Milliseconds.
const LEGIBLE = 0.7; // A picture is shown whole at first if this is enough for it.
const LOW = 0.45; // A whole picture of at most this part of the window has its panel below.
let scale = 1;
let roomy; // The scale before the panel took room from a picture that was whole.
let works; // Those of the picture that is shown, which can be moved.
let opened = 0; // Views that were opened from this page, which Back closes.
let opening; // The timer of the card that opens next.
let opener; // What had the focus before the panel.
let fetching; // The controller of the view that was asked for last.
let shown = view(); // The address of the picture, without the edge that is chosen in it.
const remark = document.body.appendChild(document.createElement("p")); // Read out by screen readers.
remark.setAttribute("role", "status");
remark.className = "unseen";

const canvas = () => document.querySelector(".tree .canvas");
const svg = () => canvas().querySelector("svg.lineage");
const panel = () => document.querySelector("#panel");
// Without a server, a page shows one view alone.
const isServed = () => Boolean(document.querySelector(".filters"));

start();
addEventListener("popstate", () => {
  opened = Math.max(0, opened - 1);
  showUndo();
  if (isServed() && (view() !== shown || fetching)) swap(location.href);
  else showEvidence();
});
addEventListener("hashchange", showEvidence);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hidePanel();
});
document.addEventListener("submit", decide);
document.addEventListener("click", (event) => {
  const link = event.target.closest('#panel a[href^="/evidence?"]');
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  load(link.getAttribute("href"));
});

function start() {
  const frame = canvas();
  roomy = undefined;
  document.querySelector(".tools").hidden = false;
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom[button.dataset.zoom]());
  }
  document.querySelector("[data-undo]")?.addEventListener("click", undo);
  addStrips();
  works = movable(svg());
  frame.addEventListener("click", follow);
  frame.addEventListener("dblclick", (event) => expand(event, workOf(event.target)));
  frame.addEventListener("keydown", press);
  frame.addEventListener("wheel", wheel, { passive: false });
  frame.addEventListener("pointerdown", drag);
  frame.addEventListener("touchstart", pinch, { passive: false });
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  for (const [kind, isNear] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    frame.addEventListener(kind, (event) => {
      // Works that pass below the pointer while the picture is panned are not pointed at.
      if (!frame.classList.contains("panned")) works.mark(workOf(event.target)?.dataset.work, isNear);
    });
  }
  const filters = document.querySelector(".filters");
  filters?.addEventListener("change", () => go(addressOf(filters)));
  filters?.addEventListener("submit", (event) => {
    event.preventDefault();
    go(addressOf(filters));
  });
  for (const link of document.querySelectorAll("#summary a")) {
    link.addEventListener("click", (event) => followTo(event, link.href));
  }
  setScale(fitting() >= LEGIBLE ? fitting() : 1);
  centre(svg().querySelector(".root"));
  showEvidence();
  centre(svg().querySelector(".chosen .line"));
  // The browser scrolls to the card of the address, which the panel has.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(showPicture), { once: true });
  showUndo();
}

function showPicture() {
  if (!panel().hidden) panel().parentElement.scrollIntoView({ block: "nearest" });
}

function fitting() {
  return Math.min(1, (canvas().clientWidth - MARGIN) / svg().viewBox.baseVal.width);
}

const zoom = {
  in: () => setScale(scale * STEP),
  out: () => setScale(scale / STEP),
  fit: () => setScale(fitting()),
};

function setScale(wanted, x = canvas().clientWidth / 2, y = canvas().clientHeight / 2) {
  const frame = canvas();
  const next = Math.min(Math.max(wanted, LEAST), MOST);
  const [left, top] = [frame.scrollLeft + x, frame.scrollTop + y].map((each) => (each * next) / scale);
  scale = next;
  resize(svg(), scale);
  for (const each of frame.querySelectorAll(".strip")) resize(each, scale);
  frame.scrollTo(left - x, top - y);
}

function resize(picture, scale) {
  const { width, height } = picture.viewBox.baseVal;
  Object.assign(picture.style, { maxWidth: "none", width: `${width * scale}px`, height: `${height * scale}px` });
  picture.style.setProperty("--height", `${height * scale}px`);
}

// The years and the legend stay in sight while the picture is scrolled: copies of them stick above it.
function addStrips() {
  const { width, height } = svg().viewBox.baseVal;
  const legend = svg().querySelector(".legend");
  const { x, y, width: length } = legend.getBBox();
  svg().before(strip("years", svg().querySelectorAll(".axis + text"), 0, width, YEARS));
  svg().after(strip("explained", [legend], y - 2, x + length + 8, height - y + 2));
}

function strip(name, parts, top, width, height) {
  const copy = svg().cloneNode(false);
  for (const each of ["role", "aria-label"]) copy.removeAttribute(each);
  copy.setAttribute("aria-hidden", "true");
  copy.setAttribute("class", `strip ${name}`);
  copy.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
  copy.append(...[...parts].map((each) => each.cloneNode(true)));
  return copy;
}

function wheel(event) {
  if (!event.ctrlKey && !event.metaKey) return; // The page scrolls, as everywhere.
  event.preventDefault();
  const frame = canvas().getBoundingClientRect();
  setScale(scale * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
}

// The work whose box is here.
function workOf(target) {
  return target.closest("a[data-work]:not(.more)");
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const work = workOf(event.target);
  const action = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
  if (action) zoom[action]();
  else if (event.key.startsWith("Arrow")) {
    const next = work ? nextWork(works.boxes(), work.dataset.work, event.key) : svg().querySelector(".root")?.closest("a")?.dataset.work;
    if (next) works.focus(next);
  } else if (event.key === "e" && work) expand(event, work);
  else if (event.key === "Backspace") undo();
  else return;
  event.preventDefault();
}

// Adds the neighbours of a work that are not shown, or removes those that were added.
function expand(event, work) {
  const badge = work && badgeOf(work);
  if (!badge || !isServed()) return;
  event.preventDefault();
  clearTimeout(opening);
  go(badge.getAttribute("href"), work.dataset.work);
}

function badgeOf(work) {
  return svg().querySelector(`a.more[data-work="${CSS.escape(work.dataset.work)}"]`);
}

// Moves back what was moved last; if nothing was, closes the view that was opened last.
function undo() {
  if (works.hasMoved()) works.undo();
  else if (opened) history.back();
  showUndo();
}

// Enables the button if there is something to undo.
function showUndo() {
  const button = document.querySelector("[data-undo]");
  if (button) button.disabled = !works.hasMoved() && !opened;
}

function pinch(event) {
  if (event.touches.length !== 2) return; // One finger scrolls it as it is.
  const frame = canvas();
  const outer = frame.getBoundingClientRect();
  const spread = ({ touches: [a, b] }) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  const [from, begun] = [spread(event), scale];
  const move = (now) => {
    if (now.touches.length !== 2) return;
    now.preventDefault();
    const [a, b] = now.touches;
    setScale((begun * spread(now)) / from, (a.clientX + b.clientX) / 2 - outer.left, (a.clientY + b.clientY) / 2 - outer.top);
  };
  frame.addEventListener("touchmove", move, { passive: false });
  frame.addEventListener("touchend", () => frame.removeEventListener("touchmove", move), { once: true });
}

// Pans the picture, or moves the work that is dragged.
function drag(event) {
  if (event.pointerType !== "mouse" || event.button !== 0) return; // Fingers scroll it as it is.
  const frame = canvas();
  const work = workOf(event.target)?.dataset.work;
  const moving = work && works.take(work);
  const from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
  let moved = false;
  const move = (now) => {
    moved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > 4;
    if (!moved) return;
    if (moving) moving.to((now.clientX - event.clientX) / scale, (now.clientY - event.clientY) / scale);
    else {
      frame.classList.add("panned");
      frame.scrollTo(from.x - now.clientX, from.y - now.clientY);
    }
  };
  const stop = () => {
    removeEventListener("pointermove", move);
    if (moved) moving?.drop();
    showUndo();
    if (moved) frame.addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
    setTimeout(() => frame.classList.remove("dragged", "panned"));
  };
  frame.classList.add("dragged");
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop, { once: true });
}

function follow(event) {
  const link = event.target.closest("a");
  if (!link || event.defaultPrevented) return;
  const address = link.getAttribute("href");
  if (link.classList.contains("edge") && address && isPlain(event)) {
    event.preventDefault();
    opener = link;
    opened += 1;
    history.pushState(null, "", `#${encodeURI(nameOf(link))}`);
    showEvidence();
    showUndo();
  } else if (workOf(link) && isServed() && isPlain(event)) {
    event.preventDefault();
    opener = link;
    clearTimeout(opening);
    // A card takes room from the picture, so it waits for what may become a double click.
    opening = setTimeout(() => link.isConnected && showWork(link), event.detail && badgeOf(link) ? DOUBLE_CLICK : 0);
  } else if (link.classList.contains("more") && isServed()) {
    followTo(event, address, link.dataset.work);
  }
}

// Whether a click does not ask for a tab of its own.
function isPlain(event) {
  return !(event.ctrlKey || event.metaKey || event.shiftKey);
}

function nameOf(edge) {
  return `${edge.dataset.child}--${edge.dataset.parent}`;
}

function followTo(event, address, work) {
  if (!isPlain(event)) return;
  event.preventDefault();
  go(address, work);
}

function addressOf(form) {
  const given = new URLSearchParams(new FormData(form));
  const query = [...given].filter(([, value]) => value);
  return `${location.pathname}?${new URLSearchParams(query)}`;
}

async function go(address, work) {
  const { pathname, search } = new URL(address, location.href);
  if (pathname + search === view()) return; // Enter changes a field, and then submits its form.
  opened += 1;
  history.pushState(null, "", address);
  await swap(address, work);
}

// Shows another view of the tree; `work` stays where it was on the screen. Of two views asked for
// at once, only the later is shown.
async function swap(address, work) {
  fetching?.abort();
  const { signal } = (fetching = new AbortController());
  canvas().setAttribute("aria-busy", "true");
  const before = place(work);
  const kept = scale;
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    if (!answer.ok || !main?.querySelector(".tree")) return location.reload();
    const refocus = focusKept(work);
    document.querySelector("main").replaceWith(document.adoptNode(main));
    document.title = page.title;
    shown = view();
    fetching = undefined;
    scale = 1;
    start();
    setScale(kept);
    const after = place(work);
    if (before && after) canvas().scrollBy(after.left - before.left, after.top - before.top);
    else centre(svg().querySelector(".root"));
    refocus();
    remark.textContent = document.querySelector("#summary").textContent;
  } catch {
    if (!signal.aborted) location.reload();
  }
}

// Returns what gives the focus back to the same control or work after the view has been replaced.
function focusKept(work) {
  const at = document.activeElement;
  const controls = () => [...document.querySelectorAll(".filters :is(select, input:not([type=hidden]), summary, button), .tools button")];
  const place = controls().indexOf(at);
  const isChoosing = document.querySelector(".filters details")?.open;
  const wasInside = at.closest("main");
  return () => {
    const choice = document.querySelector(".filters details");
    if (choice) choice.open = isChoosing;
    if (!wasInside) return;
    const same = work && svg().querySelector(`a[data-work="${CSS.escape(work)}"]:not(.more)`);
    (controls()[place] ?? same ?? canvas()).focus({ preventScroll: true });
  };
}

function view() {
  return location.pathname + location.search;
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
  for (const each of svg().querySelectorAll(".chosen")) each.classList.remove("chosen");
  const edge = name && [...svg().querySelectorAll("a.edge")].find((each) => nameOf(each) === name);
  const card = name.includes("--") && document.getElementById(name); // Other parts are no edges.
  if (!card && !edge) return hidePanel();
  edge?.classList.add("chosen");
  show("Evidence", card ? [...card.children].map((each) => each.cloneNode(true)) : ["…"]);
  const [child, parent] = name.split("--");
  if (isServed()) load(`/evidence?${new URLSearchParams({ child, parent })}`);
}

// Shows in the panel where a work leads to, and its page.
function showWork(link) {
  const work = link.dataset.work;
  const heading = document.createElement("h2");
  heading.textContent = link.getAttribute("aria-label");
  const badge = badgeOf(link);
  const leads = document.createElement("p");
  leads.className = "leads";
  for (const [text, address] of [
    ["Its page", link.getAttribute("href")],
    ["Its family tree", `/lineage/${work.split("/").map(encodeURIComponent).join("/")}`],
    ...(badge ? [[badge.getAttribute("aria-label"), badge.getAttribute("href")]] : []),
  ]) {
    const lead = leads.appendChild(document.createElement("a"));
    [lead.textContent, lead.href] = [text, address];
    if (address === badge?.getAttribute("href")) lead.addEventListener("click", (event) => followTo(event, address, work));
  }
  for (const each of svg().querySelectorAll(".chosen")) each.classList.remove("chosen");
  link.classList.add("chosen");
  show("Work", [heading, leads]);
  load(link.getAttribute("href"), {}, (main) => {
    for (const each of main.querySelectorAll("h1, .small-tree, .foot")) each.remove();
    panel().append(...main.childNodes);
  });
}

function show(label, content) {
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.className = "close";
  close.addEventListener("click", hidePanel);
  const wasWhole = panel().hidden && scale <= fitting() + 0.001;
  panel().setAttribute("aria-label", label);
  panel().replaceChildren(close, ...content);
  panel().hidden = false;
  panel().parentElement.classList.toggle("low", svg().viewBox.baseVal.height * fitting() <= innerHeight * LOW);
  if (wasWhole && scale > fitting()) {
    roomy = scale;
    setScale(fitting());
  }
  panel().scrollTop = 0;
  panel().focus({ preventScroll: true });
  showPicture();
}

// Shows in the panel what is on a page. Without an answer, what is there stays.
async function load(address, request = {}, add = replaceContent) {
  const shown = panel().firstElementChild;
  panel().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { ...request, headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    if (panel().hidden || panel().firstElementChild !== shown) return;
    if (main) add(document.adoptNode(main));
    else panel().append(`The server returned an error (status ${answer.status}).`);
  } catch {
    if (request.method) location.assign("/decisions");
    else panel().append("The server cannot be reached.");
  } finally {
    panel().removeAttribute("aria-busy");
  }
}

// The button that closes the panel stays, and so does the focus if it is there.
function replaceContent(main) {
  const [close, ...old] = panel().childNodes;
  for (const each of old) each.remove();
  close.after(...main.childNodes);
  panel().scrollTop = 0;
  // A long abstract begins higher, so that its sentence is in sight.
  const below = panel().querySelector("mark")?.getBoundingClientRect().bottom - panel().getBoundingClientRect().bottom;
  if (below > 0) panel().scrollTop = below + MARGIN;
  if (document.activeElement === document.body) panel().focus({ preventScroll: true });
}

// Sends a form of the panel, and shows there what came of it.
// What is decided is said in the panel, and the picture shows it.
async function decide(event) {
  if (!event.target.matches("#panel form.decide")) return;
  event.preventDefault();
  await load("/decisions", { method: "POST", body: new URLSearchParams(new FormData(event.target, event.submitter)) });
  const [, ...said] = panel().childNodes;
  history.replaceState(null, "", view());
  await swap(location.href);
  show("Evidence", said);
}

function hidePanel() {
  if (panel().hidden) return;
  panel().hidden = true;
  if (roomy) setScale(roomy);
  roomy = undefined;
  for (const each of svg().querySelectorAll(".chosen")) each.classList.remove("chosen");
  if (location.hash) history.replaceState(null, "", view());
  (opener?.isConnected ? opener : canvas()).focus({ preventScroll: true });
}
