// A table of many columns is a list on a phone (.table-stacks), where each cell says its column:
// <table class="table table-stacks" data-stacks>. Tables that stack without it say it themselves.

function label(table) {
  const titles = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
    for (const cell of row.cells) {
      // A number that heads its row says what it counts, too.
      const speaks = cell.tagName === "TD" || cell.classList.contains("num");
      if (speaks && cell.colSpan === 1) cell.dataset.label = titles[cell.cellIndex];
    }
  }
}

function stack(inside) {
  for (const table of inside.querySelectorAll("table[data-stacks]")) label(table);
}

stack(document);
document.addEventListener("htmx:load", ({ detail }) => stack(detail.elt));
