// The keyboard on the judging page.
//
// Digits answer the marked question; they can be switched off (WCAG 2.1.4). Arrow keys belong to
// the browser wherever it uses them: in text fields, and among the answers of a question that was
// reached with the keyboard. An answer that was chosen with the pointer keeps the focus, though,
// and there an arrow would silently change it: so it does what it does elsewhere on the page.

import { after, fields, goTo, marked } from "./questions.js";
import { kept, keep } from "./preferences.js";

const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
let pointed = false; // what has the focus got it from a pointer

/** The digit that was typed, on any keyboard layout; null for another key. */
function digitOf(event) {
  if (/^[0-9]$/.test(event.key)) return event.key;
  const code = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  return code && !event.shiftKey ? code[1] : null;
}

function answer(digit) {
  const field = marked();
  const input = field?.querySelector(`input[data-key="${digit}"]`);
  if (!input || input.disabled) return false;
  input.checked = true;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const next = after(field);
  if (next) goTo(next);
  else document.querySelector("[data-next]").focus();
  return true;
}

/** Mark the question above (-1) or below (1), where the arrow would not scroll something. */
function step(target, by) {
  const field = marked();
  const boxes = [document.documentElement, document.querySelector("[data-parts]")];
  const scrolls = boxes.some((box) => box.scrollHeight > box.clientHeight + 1);
  const inside = target.closest("[data-questions]");
  if (!field || (!inside && (scrolls || !target.matches("body, [data-heading]")))) return false;
  const all = fields();
  const other = all[all.indexOf(field) + by];
  if (other) goTo(other);
  return true;
}

function visit(selector) {
  const link = document.querySelector(selector);
  link?.click();
  return Boolean(link);
}

function act(event) {
  const { key, target } = event;
  if (target.matches(TYPING)) return false;
  const digit = digitOf(event);
  if (digit !== null) return kept("digits", true) && answer(digit);
  if (target.type === "radio" && !pointed) return false;
  if (key === "ArrowLeft") return visit("[data-item] [data-previous]");
  if (key === "ArrowRight") return visit("[data-item] [data-next]");
  if (key === "ArrowUp") return step(target, -1);
  if (key === "ArrowDown") return step(target, 1);
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") pointed = false;
  if (event.defaultPrevented || event.isComposing) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (act(event)) event.preventDefault();
});

document.addEventListener("pointerdown", () => {
  pointed = true;
});

const box = document.querySelector("[data-digits]");
box.checked = kept("digits", true);
box.addEventListener("change", () => keep("digits", box.checked));
