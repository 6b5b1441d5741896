// The query page: sends the query, and shows the answer as a table or as text.

import { text } from "./text.js";

const form = document.querySelector("#ask");
const query = document.querySelector("#query");
const example = document.querySelector("#example");
const result = document.querySelector("#result");
const formats = document.querySelector("#formats");
const SOLUTIONS = "application/sparql-results+json";
const MOST_ROWS_SHOWN = 1000;
let running = null;

// A graph without answers has no examples.
example?.addEventListener("change", () => {
  if (example.value) {
    query.value = example.value;
    form.requestSubmit();
  }
});

query.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  history.replaceState(null, "", `/sparql?${new URLSearchParams({ query: query.value })}`);
  run();
});

for (const link of formats.querySelectorAll("a")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const answer = await ask([link.dataset.type, link.dataset.graph].filter(Boolean).join(", "));
    const name = { CSV: "answer.csv", JSON: "answer.json", XML: "answer.xml" }[link.textContent];
    save(await answer.blob(), name ?? "answer.ttl");
  });
}

function ask(accept, signal) {
  return fetch("/sparql", {
    method: "POST",
    headers: { "content-type": "application/sparql-query", accept },
    body: query.value,
    signal,
  });
}

async function run() {
  running?.abort();
  running = new AbortController();
  show(text("p", "Asking…", "quiet"));
  const started = performance.now();
  try {
    const answer = await ask(`${SOLUTIONS}, text/turtle`, running.signal);
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(2)} s`;
    const isSolutions = answer.headers.get("content-type")?.startsWith(SOLUTIONS);
    if (!answer.ok) {
      formats.hidden = true;
      show(text("p", await answer.text(), "problem"));
    } else if (isSolutions) {
      offer("type");
      const found = await answer.json();
      if ("boolean" in found) show(text("p", found.boolean ? "Yes." : "No.", "verdict"));
      else show(summary(found.results.bindings.length, seconds()), table(found));
    } else {
      offer("graph");
      show(text("p", `A graph, in ${seconds()}`, "quiet"), text("pre", await answer.text()));
    }
  } catch (error) {
    if (error.name !== "AbortError") show(text("p", `The server cannot be reached: ${error.message}`, "problem"));
  }
}

function offer(sort) {
  formats.hidden = false;
  for (const link of formats.querySelectorAll("a")) link.hidden = !link.dataset[sort];
}

function summary(count, seconds) {
  const shown = count > MOST_ROWS_SHOWN ? ` (showing the first ${MOST_ROWS_SHOWN})` : "";
  return text("p", `${count} ${count === 1 ? "row" : "rows"} in ${seconds}${shown}`, "quiet");
}

function table({ head, results }) {
  const frame = document.createElement("div");
  frame.className = "wide";
  const rows = frame.appendChild(document.createElement("table"));
  const names = rows.createTHead().insertRow();
  for (const name of head.vars) names.append(text("th", name));
  const body = rows.createTBody();
  for (const each of results.bindings.slice(0, MOST_ROWS_SHOWN)) {
    const row = body.insertRow();
    for (const name of head.vars) row.insertCell().append(each[name] ? cell(each[name]) : "");
  }
  return frame;
}

function cell(term) {
  if (term.type !== "uri" || !/^https?:/.test(term.value)) return document.createTextNode(term.value ?? "");
  const link = text("a", term.value.replace(/^.*?([^/#]+\/?[^/#]*#?[^/#]*)$/, "$1"));
  const { base } = result.dataset;
  link.href = term.value.startsWith(base) ? `/id/${term.value.slice(base.length)}` : term.value;
  link.title = term.value;
  return link;
}

function show(...parts) {
  result.replaceChildren(...parts);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

if (result.dataset.run) run();
