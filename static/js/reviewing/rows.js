// Proposed queries, or entries of a bank, by keyboard: j and k go through the list; a accepts, r
// rejects, u undoes, for the row that is looked at or those that were chosen with x; m merges those.
// e changes the words, o opens the passage, s makes secret, digits set the importance.

import { keep, kept } from "../preferences.js";
import { isFree } from "../replay/keyboard.js";

const list = document.querySelector("[data-list]");
const together = document.querySelector("[data-together]");
const rows = () => [...list.querySelectorAll("[data-row]")];
const chosen = () => [...list.querySelectorAll("[data-choose]:checked")];
const isTyped = (row) => {
  const field = row.querySelector("[data-text]");
  return Boolean(field) && field.value !== field.dataset.saved; // a refused wording stays typed
};
const IMPORTANCES = { 0: "", 1: "vital", 2: "okay", 3: "avoid" };
const waiting = []; // keys pressed while a row is on its way: each is meant for what comes then
let isBusy = false;
let at = -1; // of the row that is looked at; its element is another one after a decision

function mark(number) {
  at = number;
  for (const [place, row] of rows().entries()) {
    if (place === at) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

function look(number) {
  const all = rows();
  if (!all[number]) return false;
  mark(number);
  all[at].scrollIntoView({ block: "nearest" });
  all[at].querySelector("[data-choose]")?.focus({ preventScroll: true });
  return true;
}

function count() {
  const whole = together?.querySelector("[data-all]"); // not every list can be chosen as a whole
  const all = whole?.checked;
  const n = chosen().length;
  const said = all ? whole.parentElement.textContent.trim() : n || "";
  if (together) together.querySelector("[data-chosen]").textContent = said;
  return all || n;
}

function press(key) {
  const several = count();
  const button = several
    ? together.querySelector(`[data-together-key="${key}"]`)
    : rows()[at]?.querySelector(`[data-key="${key}"]`);
  button?.click();
  return Boolean(button);
}

function weigh(row, importance) {
  const field = row.querySelector("[data-importance]");
  if (!field) return false;
  field.value = importance;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function edit(row) {
  const field = row.querySelector("[data-text]");
  field?.focus();
  const opens = field ? null : row.querySelector("[data-edit]");
  opens?.click();
  return Boolean(field ?? opens);
}

function act(key) {
  const row = rows()[at];
  if (key === "j") return look(at + 1);
  if (key === "k") return look(at - 1);
  if (["a", "r", "u", "m"].includes(key)) return press(key);
  if (key === "?") {
    document.querySelector('[data-opens="keyboard"]').click();
    return true;
  }
  if (!row) return false;
  if (key in IMPORTANCES) return weigh(row, IMPORTANCES[key]);
  if (key === "s") {
    const button = row.querySelector('[data-key="s"]');
    button?.click();
    return Boolean(button);
  }
  if (key === "o") {
    const details = row.querySelector("details");
    if (details) details.open = !details.open;
    return Boolean(details);
  }
  if (key === "x") {
    const box = row.querySelector("[data-choose]");
    if (box) box.checked = !box.checked;
    count();
    return Boolean(box);
  }
  return key === "e" && edit(row);
}

function resume() {
  isBusy = false;
  while (waiting.length && !isBusy) act(waiting.shift());
}

if (list) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("[data-text]")) {
      const row = event.target.closest("[data-row]");
      if (event.key === "Escape") {
        look(rows().indexOf(row));
        row.querySelector("[data-cancel]")?.click();
      }
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // a query or an entry has one line
      if (!event.ctrlKey && !event.metaKey && !event.target.matches("[data-enter]")) return;
      at = rows().indexOf(row);
      row.querySelector('[data-key="a"]').click();
      return;
    }
    if (event.repeat || !isFree(event) || !kept("review-letters", true)) return;
    if (isBusy) waiting.push(event.key);
    else if (!act(event.key)) return;
    event.preventDefault();
  });

  list.addEventListener("htmx:beforeRequest", () => {
    isBusy = true;
  });
  list.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful) return; // its row settles
    isBusy = false;
    waiting.length = 0;
  });

  list.addEventListener("focusin", ({ target }) => {
    const row = target.closest("[data-row]");
    if (row) mark(rows().indexOf(row));
  });

  // What was decided stays where it was; the next one that waits is looked at.
  list.addEventListener("htmx:afterSettle", ({ detail }) => {
    const row = detail.elt.closest?.("[data-row]") ?? detail.target;
    const isPart = row !== detail.elt && row?.matches?.("[data-row]");
    if (isPart || row?.querySelector?.("[data-enter]:focus")) {
      resume(); // leave focus and caret to whoever is typing
      return;
    }
    const failed = row?.querySelector?.(".note-bad[data-said-of]");
    if (row?.matches?.("[data-row]")) at = rows().indexOf(row);
    if (failed || row?.matches?.("[data-stays]") || !look(at + 1)) look(at);
    const opened = row?.querySelector?.("[data-enter]");
    opened?.focus();
    opened?.setSelectionRange(opened.value.length, opened.value.length);
    if (opened || failed) waiting.length = 0;
    resume();
  });

  // What was typed belongs to its row and is not sent with those that are chosen.
  together?.addEventListener("submit", (event) => {
    const all = together.querySelector("[data-all]")?.checked;
    const some = all ? rows() : chosen().map((each) => each.closest("[data-row]"));
    const typed = some.find(isTyped);
    if (!typed) return;
    event.preventDefault();
    event.stopPropagation(); // it was not sent (once.js)
    look(rows().indexOf(typed));
    together.querySelector("[data-chosen]").textContent = together.dataset.typed;
  });

  // Rows that were decided on since are not chosen with the page.
  const listed = rows().map((row) => row.dataset.state);
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-choose-page]")) {
      for (const [place, row] of rows().entries()) {
        const box = row.querySelector("[data-choose]");
        if (box) box.checked = target.checked && row.dataset.state === listed[place];
      }
    }
    count();
  });
}

const letters = document.querySelector("[data-letters]");
letters.checked = kept("review-letters", true);
letters.addEventListener("change", () => keep("review-letters", letters.checked));
document.documentElement.dataset.keys = "ready";
