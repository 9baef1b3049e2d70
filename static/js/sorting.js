// Tables that can be sorted: <table data-sortable>, a <button data-sort> in each header that sorts,
// data-value on cells whose words do not sort by themselves.

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const valueOf = (row, column) => {
  const cell = row.cells[column];
  const value = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(value.replace(/,/g, "").replace("−", "-"));
  return value !== "" && Number.isFinite(number) ? number : value;
};

/** Numbers before words, and what is missing always last. */
function compare(a, b, sign) {
  const gap = (value) => value === "" || value === "–";
  if (gap(a) || gap(b)) return Number(gap(a)) - Number(gap(b));
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return sign * (typeof a === "number" ? a - b : words.compare(a, b));
}

function sort(header) {
  const table = header.closest("table");
  const column = header.cellIndex;
  const first = header.dataset.first === "descending" ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  const order = header.getAttribute("aria-sort") === first ? other : first;
  for (const each of table.querySelectorAll("th[aria-sort]")) each.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  for (const body of table.tBodies) {
    const rows = [...body.rows];
    rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column), sign));
    body.append(...rows);
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-sortable] [data-sort]");
  if (button) sort(button.closest("th"));
});
