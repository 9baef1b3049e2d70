// Sorting where a table is a list and its heads are not seen (.table-stacks on a phone): a choice of
// its columns above it, and a button that does what the head does, a script's or a link's.

import { say } from "./words.js";

const HEADS = "thead [data-sort], thead th > a";
const ORDERS = { ascending: say("lowest first"), descending: say("highest first") };

const titleOf = (head) => head.textContent.trim();
const sorted = (table) => table.querySelector("thead th[aria-sort]");

function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The chooser of a table whose heads sort. */
function chooser(table, heads) {
  const options = heads.map((head, n) => element("option", { value: String(n), textContent: titleOf(head) }));
  const select = element("select", { className: "input" }, options);
  const button = element("button", { type: "button", className: "button" });
  const state = element("span", { className: "small soft", role: "status" });
  const chosen = () => (select.value ? heads[Number(select.value)] : null);

  function tell() {
    const by = sorted(table);
    button.disabled = !chosen();
    button.textContent = by?.contains(chosen()) ? say("Reverse order") : say("Sort");
    if (by) state.textContent = `${titleOf(by)}: ${ORDERS[by.getAttribute("aria-sort")]}`;
  }

  select.addEventListener("change", tell);
  button.addEventListener("click", () => {
    chosen().click();
    tell();
  });
  const now = heads.findIndex((head) => sorted(table)?.contains(head));
  // A column that nothing is sorted by is not named as if it were.
  if (now < 0) select.prepend(element("option", { value: "", textContent: say("Default order") }));
  select.value = now < 0 ? "" : String(now);
  tell();
  const label = element("label", {}, [element("span", { className: "small", textContent: say("Sort by") }), select]);
  return element("div", { className: "sort-by no-print" }, [label, button, state]);
}

function offer(inside) {
  for (const table of inside.querySelectorAll("table.table-stacks")) {
    const heads = [...table.querySelectorAll(HEADS)];
    const place = table.closest(".table-scroll") ?? table;
    const rows = [...table.tBodies].reduce((n, body) => n + body.rows.length, 0);
    if (!heads.length || rows < 2 || place.previousElementSibling?.matches(".sort-by")) continue;
    place.before(chooser(table, heads));
  }
}

offer(document);
document.addEventListener("htmx:load", ({ detail }) => offer(detail.elt.parentNode ?? document));
