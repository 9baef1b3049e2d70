// Which question is marked, what is answered, and how the item and the task stand.

import { rawOf } from "./answers.js";
import { say } from "./words.js";

const STATES = { open: say("open"), begun: say("started"), done: say("done") };

/** States of items as this page knows them: newer than what the server wrote into a page. */
const states = new Map();

const item = () => document.querySelector("[data-item]");
export const fields = () => [...document.querySelectorAll("[data-field]")];
export const isAnswered = (field) => rawOf(field) !== "";

/** The marked question: digit keys answer it. */
export function marked() {
  return document.querySelector("[data-field][data-current]");
}

/** Mark a field; null marks none. */
export function mark(field) {
  for (const old of document.querySelectorAll("[data-current]")) delete old.dataset.current;
  if (!field) return;
  field.dataset.current = "";
  field.closest("[data-question-block]").dataset.current = "";
}

/** Mark a field and put the focus there. */
export function goTo(field) {
  mark(field);
  const typed = field.querySelector("[data-answer]:not([type=radio])");
  (typed || field).focus({ preventScroll: true });
  field.closest("[data-question-block]").scrollIntoView({ block: "nearest" });
}

/** Does it still want an answer? One that may be left out does not. */
const isOpen = (field) => !("optional" in field.dataset) && !isAnswered(field);

/** The field to go on with after this one: the next, or the first that was passed over. */
export function after(field) {
  const all = fields();
  return all[all.indexOf(field) + 1] ?? all.find(isOpen) ?? null;
}

function write(selector, words) {
  for (const element of document.querySelectorAll(selector)) element.textContent = words;
}

/** Count again. */
function refresh() {
  const all = fields().filter((field) => !("optional" in field.dataset));
  const n = all.filter(isAnswered).length;
  write("[data-answered]", String(n));
  document.querySelector("[data-questions]")?.toggleAttribute("data-complete", n === all.length);
  states.set(item().dataset.item, n === all.length ? "done" : n ? "begun" : "open");
  for (const [position, state] of states) {
    const dot = document.querySelector(`[data-dot="${position}"]`);
    if (!dot) continue;
    dot.dataset.state = state;
    dot.querySelector("[data-dot-words]").textContent = `, ${STATES[state]}`;
  }
  const toEnd = document.querySelector("[data-to-end]");
  if (toEnd) toEnd.hidden = Boolean(document.querySelector("[data-dot]:not([data-state=done])"));
}

/** Take over the states of items from a page that the server has just written. */
export function renewStates(page) {
  for (const { dataset } of page.querySelectorAll("[data-dot]")) states.set(dataset.dot, dataset.state);
}

/** The open field that somebody who passed it over was led to; none on a page that is new. */
function passedOver() {
  if (!("onlyOpen" in item().dataset) || !fields().some(isAnswered)) return undefined;
  const open = fields().filter(isOpen);
  const named = (field) => `#${field.closest("[data-question-block]").id}` === location.hash;
  return open.find(named) ?? open[0];
}

function begin() {
  if (!item()) return;
  refresh();
  const field = passedOver();
  if (field) goTo(field);
  else mark(fields().find(isOpen) ?? null);
}

/** Answers came back, or one was refused. The mark stays where somebody is at work. */
function again() {
  if (document.activeElement?.closest("[data-field]")) refresh();
  else begin();
}

/** An answer of another page was refused: that page is not done. */
function reopen({ detail: { position } }) {
  const dots = [...document.querySelectorAll("[data-dot]")].filter(({ dataset }) => Number(dataset.dot) <= position);
  if (dots.length) states.set(dots.at(-1).dataset.dot, "begun");
  if (dots.length) refresh();
}

document.addEventListener("crowdwright:item", begin);
document.addEventListener("crowdwright:stale", reopen);
document.addEventListener("crowdwright:answers", again);

document.addEventListener("focusin", ({ target }) => {
  const field = target.closest("[data-field]");
  if (field) mark(field);
});

document.addEventListener("input", ({ target }) => {
  if (target.closest("[data-field]")) refresh();
});

// A pointer chose an answer: the next open question is marked, the focus stays where it is.
document.addEventListener("click", ({ target, detail }) => {
  if (!detail || !target.matches("[data-answer][type=radio]")) return;
  const next = after(target.closest("[data-field]"));
  if (next && !isAnswered(next)) mark(next);
  // The last of them: the way on comes into sight, on a phone from below.
  if (!fields().some(isOpen)) document.querySelector("[data-next]").scrollIntoView({ block: "nearest" });
});

// What is folded out beside a question is seen, also at the end of what scrolls.
document.addEventListener("click", ({ target }) => {
  const fold = target.closest("[data-panel-body] summary")?.parentElement;
  if (fold) setTimeout(() => fold.scrollIntoView({ block: "nearest" })); // once it is open
});

begin();
