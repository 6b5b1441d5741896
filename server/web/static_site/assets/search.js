// Search without a server: over the names of all works, which are loaded when they are first needed.

const FOUND = 50;
const SUGGESTED = 8;
const file = new URL("../search/index.js", document.currentScript.src);
const root = new URL("../", document.currentScript.src);
let loading;

globalThis.stemmaSearch = { suggest: (typed) => search(typed, SUGGESTED) };

const list = document.querySelector("#found");
if (list) show(list, new URLSearchParams(location.search).get("q")?.trim() ?? "");

// Returns the works, those most used first, each with the words of its names.
function load() {
  loading ??= new Promise((resolve, reject) => {
    globalThis.stemmaSearch.loaded = (works) => resolve(works.map(prepared));
    const script = document.createElement("script");
    script.src = file;
    script.addEventListener("error", () => {
      loading = undefined; // The next search tries again.
      reject(new Error("The index cannot be loaded"));
    });
    document.head.append(script);
  });
  return loading;
}

function prepared([kind, note, id, name, ...aliases]) {
  const names = [name, ...aliases].map(wordsOf);
  const address = new URL(`page/${id}.html`, root).href;
  return { name, kind, note, address, called: names.map((each) => each.join("")), words: names.flat() };
}

function wordsOf(text) {
  const letters = text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return letters.match(/[\p{L}\p{N}]+/gu) ?? [];
}

// Returns works, the best first: called so, with a name that begins so, with such words; if there
// are none, those spelt much like it.
async function search(typed, most) {
  const words = wordsOf(typed);
  if (!words.length) return [];
  const works = await load();
  for (const away of [(word, term) => (term.startsWith(word) ? 0 : Infinity), spelling]) {
    const scores = new Map();
    for (const work of works) {
      const score = scored(work, words, away);
      if (score < Infinity) scores.set(work, score);
    }
    const best = [...scores.keys()].sort((a, b) => scores.get(a) - scores.get(b));
    if (best.length) return best.slice(0, most);
  }
  return [];
}

// Returns how far a work is from what was typed: words that begin its name, or words of its names.
function scored({ called, words }, typed, away) {
  const whole = typed.join("");
  if (called.includes(whole)) return 0;
  const near = Math.min(...called.map((each) => away(whole, each)));
  if (near < Infinity) return 1 + near;
  return typed.every((each) => words.some((word) => away(each, word) < Infinity)) ? 4 : Infinity;
}

// Returns how many letters a term differs from a word, if these are few.
function spelling(word, term) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  const away = distance(word, term, most);
  return away <= most ? away : Infinity;
}

// Returns how many letters to add, drop, replace or swap to make a word of a term's beginning.
function distance(word, term, most) {
  let [before, row] = [[], Array.from({ length: word.length + 1 }, (_, place) => place)];
  let least = row[word.length];
  for (let i = 1; i <= term.length && i <= word.length + most; i++) {
    const next = [i];
    for (let j = 1; j <= word.length; j++) {
      const differs = term[i - 1] === word[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + differs);
      if (i > 1 && j > 1 && term[i - 1] === word[j - 2] && term[i - 2] === word[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    [before, row] = [row, next];
    least = Math.min(least, row[word.length]);
  }
  return least;
}

async function show(list, sought) {
  const remark = document.querySelector("#remark");
  for (const input of document.querySelectorAll("form.find input")) input.value = sought;
  if (!sought) return;
  document.querySelector("h1").textContent = `Results for “${sought}”`;
  try {
    const works = await search(sought, FOUND);
    remark.textContent = works.length
      ? works.length === FOUND ? `The first ${FOUND}.` : ""
      : "No results. This search finds names and titles; questions need a server.";
    list.replaceChildren(...works.map(item));
  } catch (error) {
    remark.textContent = `${error.message}. Reload the page to try again.`;
  }
}

function item({ name, kind, note, address }) {
  const line = document.createElement("p");
  line.className = "line";
  const link = document.createElement("a");
  link.href = address;
  link.textContent = name;
  line.append(link, " ", span("kind", kind), " ", span("says", note));
  const entry = document.createElement("li");
  entry.append(line);
  return entry;
}

function span(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
