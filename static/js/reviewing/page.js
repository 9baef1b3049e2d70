// The queue by keyboard: j and k go through the list, and the evidence on each appears beside it; a, r,
// p and d decide on it, or on what was chosen with x; u takes the last decision back.

import { keep, kept } from "../preferences.js";
import { isFree } from "../replay/keyboard.js";

const BESIDE = matchMedia("(min-width: 75rem)"); // else the evidence is a page of its own
const DECISIONS = { a: "accept", r: "reject", p: "reject_but_pay", d: "redo" };

const panel = document.querySelector("[data-panel]");
const list = document.querySelector("[data-list]");
const said = document.querySelector("[data-said]");
const rows = [...document.querySelectorAll("[data-row]")];
let current = rows.find((row) => row.hasAttribute("aria-current")) ?? null;

const linkOf = (row) => row.querySelector("[data-opens-panel]");
const chosen = () => [...list.querySelectorAll("[data-choose]:checked")];

function tell(words) {
  said.textContent = words;
}

/** Mark a row as the one that is looked at. */
function mark(row) {
  for (const each of rows) {
    each.classList.toggle("row-here", each === row);
    if (each === row) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
  current = row;
}

/** Show the evidence on the work of a row. */
async function look(row) {
  const link = linkOf(row);
  mark(row);
  link.focus();
  row.scrollIntoView({ block: "nearest" });
  if (!BESIDE.matches) return;
  const place = new URL(location.href);
  place.searchParams.set("at", row.dataset.row);
  history.replaceState(history.state, "", place);
  await window.htmx.ajax("GET", link.href, { target: panel, swap: "innerHTML" });
  if (current !== row) return;
  const flags = panel.querySelectorAll("[data-flags] li").length;
  tell(`${link.textContent}, ${rows.indexOf(row) + 1} of ${rows.length}: ${flags || "no"} ${flags === 1 ? "flag" : "flags"}`);
}

function step(by) {
  const at = current ? rows.indexOf(current) + by : 0;
  if (rows[at]) look(rows[at]);
  return Boolean(rows[at]);
}

/** Open the work itself, or its evidence where there is no room beside the list. */
function open() {
  const link = BESIDE.matches ? panel.querySelector("[data-open]") : current && linkOf(current);
  if (link) location.assign(link.href);
  return Boolean(link);
}

function choose() {
  if (!current && !step(1)) return false;
  const box = current.querySelector("[data-choose]");
  if (!box) return false;
  box.checked = !box.checked;
  count();
  return true;
}

function count() {
  const together = list.querySelector("[data-together]");
  if (!together) return;
  const all = list.querySelector("[data-all]")?.checked;
  const n = chosen().length;
  together.toggleAttribute("data-some", Boolean(all || n));
  const sum = all
    ? Number(together.dataset.sum)
    : chosen().reduce((pay, box) => pay + Number(box.dataset.pay), 0);
  const total = all ? together.dataset.count : n;
  const words = total ? `${total} selected` : "Nothing selected";
  const money = total ? ` ${sum.toFixed(2)} ${together.dataset.currency}` : "";
  together.querySelector("[data-chosen]").textContent = words + money;
  tell(words);
}

// -- Deciding -------------------------------------------------------------------------------------

/** Whether a decision can be sent; if not, ask for the reason that it lacks. */
function hasReason(form, button) {
  const reason = form.querySelector("[data-reason]");
  if (!("needsReason" in button.dataset) || reason.value.trim()) return true;
  const name = button.firstChild.textContent.trim();
  form.querySelector("[data-reason-hint]").textContent =
    `“${name}” needs a reason. Ctrl + Enter sends it.`;
  form.dataset.wanted = button.value;
  reason.setAttribute("aria-invalid", "true");
  reason.focus();
  return false;
}

function decide(key) {
  if (chosen().length || list.querySelector("[data-all]")?.checked) {
    const button = list.querySelector(`[data-together] [value="${DECISIONS[key]}"]`);
    button?.click();
    return Boolean(button);
  }
  const button = panel.querySelector(`[data-decision="${key}"]`);
  button?.click();
  return Boolean(button);
}

panel.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-decide]");
  if (!form) return;
  if (event.submitter && !hasReason(form, event.submitter)) {
    event.preventDefault();
    return;
  }
  const at = rows.indexOf(current);
  const next = rows[at + 1] ?? rows[at - 1];
  if (next) form.querySelector("[data-next-work]").value = next.dataset.row;
});

panel.addEventListener("keydown", (event) => {
  if (!event.target.matches("[data-reason]")) return;
  const form = event.target.form;
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form.dataset.wanted) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector(`[value="${form.dataset.wanted}"]`));
});

// -- Keys and clicks ------------------------------------------------------------------------------

function act(key, target) {
  if (key === "j") return step(1);
  if (key === "k") return step(-1);
  if (key === "o") return open();
  if (key === "x") return choose();
  if (key in DECISIONS) return decide(key);
  if (key === "u") {
    const form = document.querySelector("[data-undo]");
    form?.requestSubmit();
    return Boolean(form);
  }
  if (key === "?") {
    document.querySelector('[data-opens="keyboard"]').click();
    return true;
  }
  return key === "Enter" && target === (current && linkOf(current)) && open();
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || !isFree(event) || !kept("review-letters", true)) return;
  if (act(event.key, event.target)) event.preventDefault();
});

list.addEventListener("click", (event) => {
  const link = event.target.closest("[data-opens-panel]");
  if (!link || !BESIDE.matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  look(link.closest("[data-row]"));
});

list.addEventListener("change", ({ target }) => {
  if (target.matches("[data-choose-page]")) {
    for (const box of list.querySelectorAll("[data-choose]")) box.checked = target.checked;
  }
  count();
});

const letters = document.querySelector("[data-letters]");
letters.checked = kept("review-letters", true);
letters.addEventListener("change", () => keep("review-letters", letters.checked));

// After a decision the list is there again: go on where it leads, and say what was done.
if (current) {
  linkOf(current).focus();
  current.scrollIntoView({ block: "nearest" });
}
tell(document.querySelector(".messages")?.textContent.trim() ?? "");
document.documentElement.dataset.keys = "ready";
