// The evidence of the work that is clicked is shown alone, and the address names it. Without this
// script, works lead to their pages. Edges lead to their cards, whatever the script does.

const picture = document.querySelector("#picture");
const evidence = document.querySelector("#evidence");
const cards = evidence.querySelectorAll("li[data-child]");
const chosen = evidence.querySelector("#chosen");
const count = evidence.querySelector("h2 small");

picture.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-work], a.edge[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { scrollX, scrollY } = window;
  location.hash = link.dataset.work ?? link.getAttribute("href");
  // Beside the picture, the evidence alone is scrolled. The browser scrolls the page in the next frame.
  const restore = () => scrollTo(scrollX, scrollY);
  if (position() === "sticky") requestAnimationFrame(() => requestAnimationFrame(restore));
});
for (const [kind, isNear] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
  picture.addEventListener(kind, (event) => {
    mark("near", isNear, event.target.closest("a[data-work]")?.dataset.work);
    const edge = event.target.closest("a.edge");
    for (const work of edge ? picture.querySelectorAll("a[data-work]") : []) {
      if (isOf(edge, work.dataset.work)) work.classList.toggle("near", isNear);
    }
  });
}
chosen.querySelector("button").addEventListener("click", close);
document.addEventListener("keydown", (event) => event.key === "Escape" && close());
addEventListener("popstate", follow);
follow();

// Shows all edges again, also in the address.
function close() {
  if (location.hash) history.pushState(null, "", location.pathname + location.search);
  choose();
}

// Shows the edges of a work and where it leads; without one, all edges.
function choose(work) {
  const id = work?.dataset.work;
  for (const card of cards) card.hidden = Boolean(id) && !isOf(card, id);
  for (const each of picture.querySelectorAll(".chosen")) each.classList.remove("chosen");
  work?.classList.add("chosen");
  chosen.hidden = !id;
  count.hidden = Boolean(id); // It is that of all edges.
  evidence.scrollTop = 0;
  if (!id) return;
  mark("chosen", true, id);
  chosen.querySelector("strong").textContent = work.getAttribute("aria-label");
  for (const link of chosen.querySelectorAll("a")) {
    if (work.hasAttribute("href")) link.href = link.dataset.to === "page" ? work.getAttribute("href") : `/lineage/${id}`;
  }
  chosen.tabIndex = -1;
  // On a phone the evidence lies over the picture.
  const isOver = position() === "fixed";
  chosen.focus({ preventScroll: isOver });
  if (isOver) work.scrollIntoView();
}

// Shows the work, or marks the edge, that the address names.
function follow() {
  const name = decodeURIComponent(location.hash.slice(1));
  const works = [...picture.querySelectorAll("a[data-work]")].filter((each) => each.dataset.work === name);
  // Of the two pictures, the style shows one.
  choose(works.find((each) => each.getClientRects().length));
  if (!name.includes("--")) return;
  for (const edge of picture.querySelectorAll("a.edge")) {
    edge.classList.toggle("chosen", `${edge.dataset.child}--${edge.dataset.parent}` === name);
  }
  const card = document.getElementById(name);
  if (position() !== "sticky") card?.scrollIntoView({ block: "nearest" });
  else if (card) evidence.scrollTop += card.getBoundingClientRect().top - evidence.getBoundingClientRect().top;
}

function position() {
  return getComputedStyle(evidence).position;
}

function mark(name, isMarked, id) {
  for (const edge of picture.querySelectorAll("a.edge")) if (isOf(edge, id)) edge.classList.toggle(name, isMarked);
}

function isOf({ dataset }, id) {
  return dataset.child === id || dataset.parent === id;
}
