// Search without a server: over an index in small files beside the page, loaded as they are needed.
// They are scripts, as browsers let pages that are files load nothing else.

const FOUND = 50;
const SUGGESTED = 8;
const folder = new URL("../search/", document.currentScript.src);
const root = new URL("../", document.currentScript.src);
const pending = new Map();

globalThis.stemmaSearch = {
  loaded: (kind, number, content) => pending.get(`${kind}-${number}`)?.resolve(content),
  suggest: (typed) => search(typed, SUGGESTED),
};

const list = document.querySelector("#found");
if (list) show(list, new URLSearchParams(location.search).get("q")?.trim() ?? "");

function load(kind, number, file = `${kind}-${number}.js`) {
  const key = `${kind}-${number}`;
  if (!pending.has(key)) {
    const loading = {};
    loading.promise = new Promise((resolve, reject) => Object.assign(loading, { resolve, reject }));
    pending.set(key, loading);
    const script = document.createElement("script");
    script.src = new URL(file, folder);
    script.addEventListener("error", () => {
      pending.delete(key); // The next search tries again.
      loading.reject(new Error(`${file} cannot be loaded`));
    });
    document.head.append(script);
  }
  return pending.get(key).promise;
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
  const index = await load("index", 0, "index.js");
  const scores = new Map();
  const score = (numbers, value) => {
    for (const each of numbers) if (value < (scores.get(each) ?? Infinity)) scores.set(each, value);
  };
  for (const finding of [matching, alike]) {
    const whole = words.join("");
    const [called, ...having] = await Promise.all([whole, ...words].map((word) => finding(index, word)));
    for (const { term, numbers: [named], away } of called.terms) score(named, term === whole ? 0 : 1 + away);
    score(common(having), finding === matching ? 2 : 4);
    if (scores.size) break;
  }
  const best = [...scores].sort(([a, one], [b, other]) => one - other || a - b).slice(0, most);
  return Promise.all(best.map(([number]) => work(index, number)));
}

async function work(index, number) {
  const block = await load("works", Math.floor(number / index.block));
  const [name, kind, note, id] = block[number % index.block];
  return { name, kind, note, address: new URL(`page/${id}.html`, root).href };
}

// Returns the works that have all words; words of very many works (null) do not narrow them.
function common(found) {
  const sets = found.map(worksOf).filter((each) => each);
  if (!sets.length) return [];
  const [first, ...others] = sets.sort((a, b) => a.size - b.size);
  return [...first].filter((each) => others.every((other) => other.has(each)));
}

function worksOf({ terms, best }) {
  const works = new Set(best);
  for (const { numbers: [, having] } of terms) {
    if (!having) return null;
    for (const each of having) works.add(each);
  }
  return works;
}

// Returns the terms that begin with a word, and the best works where these are too many.
async function matching(index, word) {
  const shard = await shardOf(index, word);
  const terms = Object.entries(shard?.terms ?? {}).filter(([term]) => term.startsWith(word));
  return { terms: terms.map(([term, text]) => decoded(term, text)), best: shard?.best ?? [] };
}

// Returns the terms that begin much like a word, of those that share its first letters.
async function alike(index, word) {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  const shard = await shardOf(index, word);
  const terms = [];
  for (const [term, text] of Object.entries(shard?.terms ?? {})) {
    const away = distance(word, term, most);
    if (away <= most) terms.push(decoded(term, text, away));
  }
  return { terms, best: [] };
}

function shardOf(index, word) {
  let prefix = "";
  for (const letter of word) {
    if (!index.shards[prefix]?.[1]) break;
    prefix += letter;
  }
  const shard = index.shards[prefix];
  return shard && load("terms", shard[0]);
}

// `away` is how many letters a term differs from what was typed; `numbers` are those of the works that
// are called so, and of those that have it among others (null if they are very many).
function decoded(term, text, away = 0) {
  return { term, away, numbers: text.split("|").map((part) => (part === "*" ? null : [...sums(part)])) };
}

function* sums(deltas) {
  let number = 0;
  for (const each of deltas ? deltas.split(",") : []) yield (number += Number(each));
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
