// What two questions may not choose both: the best text of a block is not its worst. The place that
// one took cannot be chosen in the other, and a line below it says why.

import { say } from "./words.js";

const fields = () => [...document.querySelectorAll("[data-apart]")];
const chosenIn = (field) => field.querySelector("[data-chooses]:checked");

function labelOf(input) {
  return input.closest("label").querySelector("[data-label]").textContent;
}

/** Close in this field what the others of its criterion took. */
function close(field, others) {
  const taken = others.map(chosenIn).filter(Boolean);
  const places = taken.map((input) => input.dataset.chooses);
  for (const input of field.querySelectorAll("[data-chooses]")) {
    input.disabled = places.includes(input.dataset.chooses) && !input.checked;
  }
  const note = field.querySelector("[data-apart-note]");
  const words = taken.map((input) => say("{answer} is your answer to another question.", { answer: labelOf(input) }));
  note.dataset.apartNote = places.join(" ");
  if (note.textContent !== words.join(" ")) note.textContent = words.join(" ");
}

function refresh() {
  for (const field of fields()) {
    const others = fields().filter(
      (each) => each !== field && each.dataset.apart === field.dataset.apart,
    );
    close(field, others);
  }
}

document.addEventListener("input", ({ target }) => {
  if (target.closest("[data-apart]")) refresh();
});
document.addEventListener("crowdwright:item", refresh);
document.addEventListener("crowdwright:answers", refresh);

refresh();
