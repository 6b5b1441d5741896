// The boxes that find: they suggest works while one types (the combobox pattern of WAI-ARIA).

import { text } from "./text.js";

const PAUSE = 120;

// In the box of a page, a choice leads to the work; where a form asks for works, it fills the box in.
const boxes = document.querySelectorAll("form.find input, .suggesting input");
for (const [number, input] of [...boxes].entries()) combobox(input, number);

function combobox(input, number) {
  const list = input.parentElement.appendChild(document.createElement("ul"));
  const fills = "suggest" in input.dataset;
  let shown = [];
  let chosen = -1;
  let timer;
  let running;
  list.id = `suggestions-${number}`;
  list.className = "suggestions";
  list.hidden = true;
  attributes(list, { role: "listbox", "aria-label": "Suggestions" });
  attributes(input, { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" });

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE);
  });
  input.addEventListener("blur", () => setTimeout(close, 150));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      // It closes the list first; without one, the browser clears the box.
      if (!list.hidden) event.preventDefault();
      close();
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      pick(shown[chosen]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!shown.length) return;
      event.preventDefault();
      const places = shown.length + 1; // One of them is the box itself.
      choose(((chosen + 1 + (event.key === "ArrowDown" ? 1 : -1) + places) % places) - 1);
    }
  });

  async function load() {
    running?.abort();
    running = new AbortController();
    const typed = input.value.trim();
    if (!typed) return close();
    try {
      const works = await suggest(typed, running.signal);
      if (works && document.activeElement === input && typed === input.value.trim()) show(works);
    } catch (error) {
      if (error.name !== "AbortError") close(); // The form works without suggestions.
    }
  }

  function show(works) {
    shown = works;
    list.replaceChildren(...works.map(option));
    list.hidden = !works.length;
    input.setAttribute("aria-expanded", String(works.length > 0));
    choose(-1);
  }

  function option(work, place) {
    const item = document.createElement("li");
    // No link: in an option, assistive technologies would not reach it.
    item.append(text("b", work.name), text("span", work.kind, "kind"), text("span", work.note, "says"));
    item.addEventListener("click", () => pick(work));
    item.id = `${list.id}-${place}`;
    item.setAttribute("role", "option");
    return item;
  }

  function pick(work) {
    if (!fills) return location.assign(work.address);
    input.value = work.asked;
    close();
    input.focus();
  }

  function choose(place) {
    chosen = place;
    for (const [each, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(each === place));
    if (place < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[place].id);
  }

  function close() {
    running?.abort();
    show([]);
  }
}

// Asks the server; returns nothing if it has no answer.
async function suggest(typed, signal) {
  const answer = await fetch(`/suggest?${new URLSearchParams({ q: typed })}`, { signal });
  return answer.ok && answer.json();
}

function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
}
