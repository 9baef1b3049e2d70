// Grid of grades: only the cells in sight are elements, their grades come in blocks. Arrow keys,
// Home, End, Page Up and Page Down move; Enter or a click opens the grades of a cell.

const SIZE = 100; // rows or columns of a block
const MOST_BLOCKS = 60; // kept
const SPARE = 3; // rows or columns beyond the edge

const grid = document.querySelector("[data-grid]");
const part = (name) => grid?.querySelector(`[data-${name}]`);
const [canvas, head, body] = ["canvas", "head", "body"].map(part);
const here = document.querySelector("[data-here]");
const number = (name) => Number(grid?.dataset[name]);
const count = { rows: number("rows"), columns: number("columns") };
const blocks = new Map(); // "row/column" of the first cell -> a block, or its promise
const drawn = new Map();
const kept = new Set(); // keys of what was drawn last
let at = { row: 0, column: 0 };
let isOutdated = false;

function sizes() {
  const style = getComputedStyle(grid);
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const pixels = (name) => parseFloat(style.getPropertyValue(name)) * root;
  return Object.fromEntries(
    ["row", "column", "side", "head"].map((name) => [name, pixels(`--${name}`)]),
  );
}

let size = {};

async function load(row, column) {
  const key = `${row}/${column}`;
  if (blocks.has(key)) return;
  blocks.set(key, null);
  try {
    const answer = await fetch(`${grid.dataset.grid}&row=${row}&column=${column}`);
    if (!answer.ok) throw new Error(answer.status);
    const sent = await answer.json();
    sent.cells = sent.cells.map((line) => line.split(","));
    blocks.set(key, sent);
  } catch {
    blocks.delete(key); // asked for again when it is scrolled to
    return;
  }
  for (const old of blocks.keys()) {
    if (blocks.size <= MOST_BLOCKS) break;
    if (old !== key && blocks.get(old)) blocks.delete(old);
  }
  plan();
}

function block(row, column) {
  const first = [row - (row % SIZE), column - (column % SIZE)];
  const one = blocks.get(first.join("/"));
  if (!one) load(...first);
  return one;
}

const cellOf = (row, column) => block(row, column)?.cells[row % SIZE]?.[column % SIZE];
const rowOf = (row, column) => block(row, column)?.rows[row % SIZE];
const columnOf = (row, column) => block(row, column)?.columns[column % SIZE];
const entryName = (entry) => entry.name || grid.dataset.secret;

function level(grade) {
  const [lowest, highest] = [number("lowest"), number("highest")];
  return Math.round((5 * (Number(grade) - lowest)) / (highest - lowest || 1));
}

/** Ranges in sight: [first, end) of rows and of columns. */
function sight() {
  const range = (from, length, one, n) => [
    Math.max(0, Math.floor(from / one) - SPARE),
    Math.min(n, Math.ceil((from + length) / one) + SPARE),
  ];
  return {
    rows: range(grid.scrollTop, grid.clientHeight - size.head, size.row, count.rows),
    columns: range(
      Math.abs(grid.scrollLeft), grid.clientWidth - size.side, size.column, count.columns,
    ),
  };
}

function element(parent, key) {
  kept.add(key);
  let one = drawn.get(key);
  if (!one) {
    one = document.createElement("div");
    parent.append(one);
    drawn.set(key, one);
  }
  return one;
}

function label(one, role, thing, name) {
  one.setAttribute("role", role);
  one.title = name;
  one.dir = "auto";
  const sum = document.createElement("span");
  sum.className = "soft digits";
  sum.textContent = `${thing.sum} `;
  const words = document.createElement("span"); // turned in the head: its place is not
  words.append(sum, name);
  one.replaceChildren(words);
}

function draw() {
  isOutdated = false;
  kept.clear();
  const { rows, columns } = sight();
  for (let column = columns[0]; column < columns[1]; column += 1) {
    const entry = columnOf(rows[0], column);
    const one = element(head, `c${column}`);
    one.style.insetInlineStart = `${size.side + column * size.column}px`;
    if (entry) label(one, "columnheader", entry, entryName(entry));
  }
  for (let row = rows[0]; row < rows[1]; row += 1) drawRow(row, columns);
  for (const [key, one] of drawn) {
    if (kept.has(key)) continue;
    one.remove();
    drawn.delete(key);
  }
  grid.dataset.drawn = drawn.size;
  if (cellOf(at.row, at.column) !== undefined) grid.dataset.state = "ready";
}

function drawRow(row, columns) {
  const line = element(body, `${row}`);
  line.setAttribute("role", "row");
  line.setAttribute("aria-rowindex", row + 2); // the head is the first
  line.style.insetBlockStart = `${row * size.row}px`;
  const text = rowOf(row, columns[0]);
  const name = element(line, `r${row}`);
  if (text) label(name, "rowheader", text, text.name);
  for (let column = columns[0]; column < columns[1]; column += 1) {
    const one = element(line, `${row}/${column}`);
    one.style.insetInlineStart = `${size.side + column * size.column}px`;
    drawCell(one, row, column);
  }
}

function drawCell(one, row, column) {
  const grade = cellOf(row, column);
  one.id = `cell-${row}-${column}`;
  one.setAttribute("role", "gridcell");
  one.setAttribute("aria-colindex", column + 2);
  one.setAttribute("aria-selected", row === at.row && column === at.column);
  one.dataset.at = `${row}/${column}`;
  one.textContent = grade ?? "";
  if (grade) one.dataset.level = level(grade);
  else delete one.dataset.level;
}

function plan() {
  if (isOutdated) return;
  isOutdated = true;
  requestAnimationFrame(draw);
}

/** Scroll so far that the cell is in sight. */
function reveal() {
  const [top, left] = [at.row * size.row, at.column * size.column];
  const [high, wide] = [grid.clientHeight - size.head, grid.clientWidth - size.side];
  if (top < grid.scrollTop) grid.scrollTop = top;
  if (top + size.row > grid.scrollTop + high) grid.scrollTop = top + size.row - high;
  const from = Math.abs(grid.scrollLeft);
  const way = getComputedStyle(grid).direction === "rtl" ? -1 : 1;
  if (left < from) grid.scrollLeft = way * left;
  if (left + size.column > from + wide) grid.scrollLeft = way * (left + size.column - wide);
}

function tell() {
  const [text, entry] = [rowOf(at.row, at.column), columnOf(at.row, at.column)];
  grid.setAttribute("aria-activedescendant", `cell-${at.row}-${at.column}`);
  if (!text || !entry) return;
  const grade = cellOf(at.row, at.column) || "–";
  const strong = document.createElement("strong");
  strong.textContent = grade;
  here.replaceChildren(strong, ` ${text.name} · ${entryName(entry)}`);
}

function move(row, column) {
  at = {
    row: Math.min(Math.max(row, 0), count.rows - 1),
    column: Math.min(Math.max(column, 0), count.columns - 1),
  };
  reveal();
  draw();
  tell();
}

async function open() {
  const [text, entry] = [rowOf(at.row, at.column), columnOf(at.row, at.column)];
  if (!text || !entry) return;
  const answer = await fetch(`${grid.dataset.cell}?entry=${entry.id}&text=${text.id}`);
  if (!answer.ok) return;
  const dialog = document.getElementById("grades");
  // Escaped by the server; a fragment of our own, without scripts.
  dialog.querySelector("[data-grades]").innerHTML = await answer.text();
  if (!dialog.open) dialog.showModal();
}

const page = () => Math.max(1, Math.floor((grid.clientHeight - size.head) / size.row) - 1);
const KEYS = {
  ArrowDown: () => move(at.row + 1, at.column),
  ArrowUp: () => move(at.row - 1, at.column),
  ArrowRight: () => move(at.row, at.column + 1),
  ArrowLeft: () => move(at.row, at.column - 1),
  Home: ({ ctrlKey }) => move(ctrlKey ? 0 : at.row, 0),
  End: ({ ctrlKey }) => move(ctrlKey ? count.rows - 1 : at.row, count.columns - 1),
  PageDown: () => move(at.row + page(), at.column),
  PageUp: () => move(at.row - page(), at.column),
  Enter: open,
};

if (grid) {
  const fit = () => {
    size = sizes();
    canvas.style.inlineSize = `${size.side + count.columns * size.column}px`;
    canvas.style.blockSize = `${size.head + count.rows * size.row}px`;
    plan();
  };
  fit();
  new ResizeObserver(fit).observe(grid);
  grid.addEventListener("scroll", plan, { passive: true });
  grid.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || event.altKey || event.metaKey) return;
    event.preventDefault();
    act(event);
  });
  body.addEventListener("click", ({ target }) => {
    if (!target.dataset.at) return;
    move(...target.dataset.at.split("/").map(Number));
    open();
  });
}
