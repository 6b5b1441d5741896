// Search without a server: over the names of all works, which are loaded when they are first needed.

const FOUND = 50;
const SUGGESTED = 8;
const file = new URL("../search/index.js", document.currentScript.src);
const root = new URL("../", document.currentScript.src);
let loading;

globalThis.stemmaSearch = { suggest: (typed) => search(typed, SUGGESTED) };

const list = document.querySelector("#found");
if (list) show(list, new URLSearchParams(location.search).get("q")?.trim() ?? "");

// Returns the works, those most used first, by what they are called and by the words of their names.
function load() {
  loading ??= new Promise((resolve, reject) => {
    globalThis.stemmaSearch.loaded = (works) => resolve(indexed(works));
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

function indexed(works) {
  const index = { works, called: new Map(), having: new Map() };
  const note = (terms, term, number) => (terms.get(term) ?? terms.set(term, []).get(term)).push(number);
  for (const [number, [, , , ...names]] of works.entries()) {
    const words = names.map(wordsOf);
    for (const each of words) note(index.called, each.join(""), number);
    for (const each of new Set(words.flat())) note(index.having, each, number);
  }
  return index;
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
  const { works, called, having } = await load();
  const whole = words.join("");
  for (const away of [beginning, spelling]) {
    const scores = new Map();
    const score = (number, value) => scores.set(number, Math.min(value, scores.get(number) ?? value));
    for (const [term, named] of called) {
      const far = term === whole ? -1 : away(whole, term);
      if (far < Infinity) for (const each of named) score(each, 1 + far);
    }
    const [first, ...others] = words.map((word) => numbers(having, word, away));
    for (const each of first) if (others.every((other) => other.has(each))) score(each, 4);
    const best = [...scores].sort(([a, one], [b, other]) => one - other || a - b).slice(0, most);
    if (best.length) return best.map(([number]) => shown(works[number]));
  }
  return [];
}

function shown([kind, note, id, name]) {
  return { name, kind, note, address: new URL(`page/${id}.html`, root).href };
}

// Returns the works with a word that is not too far `away` from another.
function numbers(having, word, away) {
  const found = new Set();
  for (const [term, works] of having) {
    if (away(word, term) < Infinity) for (const each of works) found.add(each);
  }
  return found;
}

function beginning(word, term) {
  return term.startsWith(word) ? 0 : Infinity;
}

// Returns how many letters a term differs from a word, if these are few and not the first.
function spelling(word, term) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  const away = word[0] === term[0] ? distance(word, term, most) : Infinity;
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
