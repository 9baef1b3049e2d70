// Proposed queries by keyboard: j and k go through the list; a accepts, r rejects, u takes back, for
// the query that is looked at or those that were chosen with x; e changes its words, o opens its
// passage.

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
  const all = together?.querySelector("[data-all]").checked;
  const n = chosen().length;
  const said = all ? together.querySelector("[data-all]").parentElement.textContent.trim() : n || "";
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

function act(key) {
  const row = rows()[at];
  if (key === "j") return look(at + 1);
  if (key === "k") return look(at - 1);
  if (["a", "r", "u"].includes(key)) return press(key);
  if (key === "?") {
    document.querySelector('[data-opens="keyboard"]').click();
    return true;
  }
  if (!row) return false;
  if (key === "o") {
    const details = row.querySelector("details");
    details.open = !details.open;
    return true;
  }
  if (key === "x") {
    const box = row.querySelector("[data-choose]");
    if (box) box.checked = !box.checked;
    count();
    return Boolean(box);
  }
  if (key === "e") {
    const field = row.querySelector("[data-text]");
    field?.focus();
    return Boolean(field);
  }
  return false;
}

if (list) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("[data-text]")) {
      const row = event.target.closest("[data-row]");
      if (event.key === "Escape") look(rows().indexOf(row));
      if (event.key !== "Enter") return;
      event.preventDefault(); // a query has one line
      if (!event.ctrlKey && !event.metaKey) return;
      at = rows().indexOf(row);
      row.querySelector('[data-key="a"]').click();
      return;
    }
    if (event.repeat || !isFree(event) || !kept("review-letters", true)) return;
    if (act(event.key)) event.preventDefault();
  });

  list.addEventListener("focusin", ({ target }) => {
    const row = target.closest("[data-row]");
    if (row) mark(rows().indexOf(row));
  });

  // What was decided stays where it was; the next one that waits is looked at.
  list.addEventListener("htmx:afterSettle", ({ detail }) => {
    const row = detail.elt.closest?.("[data-row]") ?? detail.target;
    const failed = row?.querySelector?.(".note-bad[data-said-of]");
    if (row?.matches?.("[data-row]")) at = rows().indexOf(row);
    if (failed || !look(at + 1)) look(at);
  });

  // What was typed belongs to its row and is not sent with those that are chosen.
  together?.addEventListener("submit", (event) => {
    const all = together.querySelector("[data-all]").checked;
    const some = all ? rows() : chosen().map((each) => each.closest("[data-row]"));
    const typed = some.find(isTyped);
    if (!typed) return;
    event.preventDefault();
    event.stopPropagation(); // it was not sent (once.js)
    look(rows().indexOf(typed));
    together.querySelector("[data-chosen]").textContent = together.dataset.typed;
  });

  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-choose-page]")) {
      for (const box of list.querySelectorAll("[data-choose]")) box.checked = target.checked;
    }
    count();
  });
}

const letters = document.querySelector("[data-letters]");
letters.checked = kept("review-letters", true);
letters.addEventListener("change", () => keep("review-letters", letters.checked));
document.documentElement.dataset.keys = "ready";
