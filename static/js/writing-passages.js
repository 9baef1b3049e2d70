// The list of passages: filtering it, citing from it, and on narrow pages opening it as a drawer.

import { sourceText } from "./source-text.js";
import { say, sayCount } from "./words.js";
import { announce } from "./writing-state.js";

const PAUSE = 200; // ms after a key until the list is filtered
const SETTLED = 800; // until the filter counts as one that was wanted

const field = document.querySelector("[data-text]");
const drawer = document.querySelector("[data-passages]");
const filter = document.querySelector("[data-filter]");
const opener = document.querySelector("[data-passages-open]");
const editor = document.querySelector("[data-editor]");
const narrow = matchMedia("(max-width: 59.99rem)");
const passages = [...document.querySelectorAll("[data-passage]")];
const texts = new Map(passages.map((passage) => [passage, sourceText(passage).toLocaleLowerCase()]));

// -- Filtering ----------------------------------------------------------------------------------

/** The text nodes of the title and the text of a passage. */
function* nodesIn(passage) {
  for (const part of passage.querySelectorAll(".passage-title, [data-passage-text]")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  }
}

/** Ranges of the words in the text nodes of a passage. */
function rangesIn(passage, words) {
  const ranges = [];
  for (const node of nodesIn(passage)) {
    const text = node.data.toLocaleLowerCase();
    if (text.length !== node.data.length) continue;
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

function highlight(found, words) {
  if (!globalThis.CSS?.highlights) return; // an older browser filters without marking
  CSS.highlights.delete("found");
  if (!words.length) return;
  const ranges = found.flatMap((passage) => rangesIn(passage, words));
  CSS.highlights.set("found", new Highlight(...ranges));
}

/** Show the passages that have all the words; how many they are. */
function apply() {
  const words = filter.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = passages.filter((passage) => words.every((word) => texts.get(passage).includes(word)));
  for (const passage of passages) passage.hidden = !found.includes(passage);
  document.querySelector("[data-none]").hidden = found.length > 0;
  const all = passages.length;
  document.querySelector("[data-matches]").textContent = words.length
    ? sayCount("{count} of {all} matches", "{count} of {all} match", found.length, { all })
    : `${all}`;
  highlight(found, words);
  return found.length;
}

function watchFilter(record) {
  let timer = 0;
  let settling = 0;
  let last = "";
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    clearTimeout(settling);
    timer = setTimeout(() => {
      const matches = apply();
      settling = setTimeout(() => {
        const query = filter.value.trim();
        if (query !== last) record("filter", { query, matches });
        last = query;
      }, SETTLED);
    }, PAUSE);
  });
}

// -- The drawer ---------------------------------------------------------------------------------

export function openDrawer(open) {
  drawer.toggleAttribute("data-open", open);
  opener.setAttribute("aria-expanded", String(open));
  editor.inert = open && narrow.matches;
  if (open) document.getElementById("passages-title").focus();
}

/** Back to the text, where the caret is. */
export function toText() {
  openDrawer(false);
  field.focus();
}

opener.addEventListener("click", () => openDrawer(!drawer.hasAttribute("data-open")));
drawer.querySelector("[data-passages-close]").addEventListener("click", () => {
  openDrawer(false);
  opener.focus();
});
narrow.addEventListener("change", () => openDrawer(false));

// -- Citing -------------------------------------------------------------------------------------

/**
 * @param {{cite: (mark: string) => void}} recorder
 * @param {(type: string, fields: object) => void} record
 */
export function wirePassages(recorder, record) {
  watchFilter(record);
  // So that the caret stays in the text while the pointer is on a number.
  drawer.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-cite]") && document.activeElement === field) event.preventDefault();
  });
  drawer.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-cite]");
    if (!button || field.readOnly) return;
    toText();
    recorder.cite(`[${button.dataset.cite}]`);
    announce(say("Passage {number} cited", { number: button.dataset.cite }));
  });
}
