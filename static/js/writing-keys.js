// The keyboard on the writing page. In the text every key is the writer's, but for Alt+P; single
// keys act only in the list of passages (WCAG 2.1.4).

import { openDrawer, toText } from "./writing-passages.js";

const field = document.querySelector("[data-text]");
const list = document.querySelector("[data-passages]");
const filter = document.querySelector("[data-filter]");
let current = null; // the number of the passage that was left

/** @type {(passage: HTMLElement) => void} */
let copy = () => {};

/** @param {(passage: HTMLElement) => void} copying  what the key c does with a passage */
export function wireKeys(copying) {
  copy = copying;
}

const buttons = () => [...list.querySelectorAll("[data-passage]:not([hidden]) [data-cite]")];

function toPassages() {
  openDrawer(true);
  (buttons().includes(current) ? current : (buttons()[0] ?? filter)).focus();
}

/** To the number above (-1) or below (1). */
function step(by) {
  const all = buttons();
  const at = all.indexOf(document.activeElement);
  if (at + by < 0) filter.focus();
  else all[Math.min(at + by, all.length - 1)]?.focus();
}

function inFilter(key) {
  if (key === "ArrowDown" || key === "Enter") step(1);
  else if (key === "Escape" && filter.value) {
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
  } else if (key === "Escape") toText();
  else return false;
  return true;
}

function inList(key, target) {
  if (key === "Escape") toText();
  else if (key === "/") filter.focus();
  else if (key.toLowerCase() === "c" && target.matches("[data-cite]")) copy(target.closest("[data-passage]"));
  else if (key === "ArrowDown" && target.matches("[data-cite]")) step(1);
  else if (key === "ArrowUp" && target.matches("[data-cite]")) step(-1);
  else return false;
  return true;
}

function act({ target, key, code, altKey, ctrlKey, metaKey }) {
  if (document.querySelector("dialog[open]") || ctrlKey || metaKey) return false;
  if (altKey) {
    if (code !== "KeyP" || target !== field) return false;
    toPassages();
    return true;
  }
  if (target === filter) return inFilter(key);
  return list.contains(target) && inList(key, target);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  if (act(event)) event.preventDefault();
});

list.addEventListener("focusin", ({ target }) => {
  if (target.matches("[data-cite]")) current = target;
});
