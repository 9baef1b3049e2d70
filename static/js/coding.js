// The coding page: type to find a code, Enter to toggle it, Enter again to save; mark a selected passage.

const form = document.querySelector("[data-code-form]");
const find = form.querySelector("[data-find]");
const boxes = [...form.querySelectorAll("[data-codes] input[type=checkbox]")];

const plain = (text) => text.normalize("NFKD").toLocaleLowerCase();

/** Return the codes that contain all typed words; codes that start with them come first. */
function matches() {
  const typed = plain(find.value.trim());
  const words = typed.split(/\s+/).filter(Boolean);
  const names = new Map(boxes.map((box) => [box, plain(box.dataset.name)]));
  const found = boxes.filter((box) => words.every((word) => names.get(box).includes(word)));
  const begins = (box) => names.get(box).startsWith(typed);
  return [...found.filter(begins), ...found.filter((box) => !begins(box))];
}

function filter() {
  const shown = new Set(matches());
  for (const box of boxes) {
    box.closest("label").hidden = !shown.has(box);
    box.closest("label").classList.remove("code-first");
  }
  for (const group of form.querySelectorAll(".code-group")) {
    group.hidden = !group.querySelector("label:not([hidden])");
  }
  if (find.value.trim()) shown.values().next().value?.closest("label").classList.add("code-first");
}

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  if (!find.value.trim()) {
    form.requestSubmit(form.querySelector("[data-next]"));
    return;
  }
  const [first] = matches();
  if (!first) return;
  first.checked = !first.checked;
  find.value = "";
  filter();
});

// Only its own button adds a code: words that are left in the field are no code.
form.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("[data-add]")) find.value = "";
});

find.focus({ preventScroll: true });

// -- Passages --------------------------------------------------------------------------------------

const marks = document.querySelector("[data-mark-form]");
const text = document.querySelector("[data-unit]");

/** Return the selected passage of the comment and the number of characters before it. */
function selected() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!text.contains(range.startContainer) || !text.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return { start: [...before.toString()].length, passage: range.toString() };
}

if (marks) {
  document.addEventListener("selectionchange", () => {
    const marked = selected();
    if (!marked && document.activeElement === marks.querySelector("button")) return;
    marks.querySelector("button").disabled = !marked?.passage.trim();
    marks.elements.start.value = marked?.start ?? "";
    marks.elements.passage.value = marked?.passage ?? "";
  });
}
