// What the editor says: at the fields, in its bar, to a screen reader.

export function state(words, how = "") {
  const place = document.querySelector("[data-state]");
  if (!place) return;
  place.textContent = words;
  place.classList.toggle("is-bad", how === "bad");
}

export function say(words) {
  document.querySelector("[data-said]").textContent = words;
}

/** Every field shows its fault, and none that is mended. */
export function markFaults(root, faults) {
  const found = new Map([...faults].reverse().map((each) => [each.at, each]));
  for (const place of root.querySelectorAll("[data-field], [data-listing]")) {
    const holder = place.matches("[data-listing]") ? place : place.querySelector("[data-edits]");
    const { sentence = "", todo = false } = found.get(holder?.id) ?? {};
    mark(place, holder, sentence, todo);
  }
}

/** What the server did not take, and what somebody else wrote there. */
export function markRefused({ at, sentence, theirs, conflict }) {
  const field = document.getElementById(at);
  const place = field?.closest("[data-field], [data-listing]");
  if (!place) {
    state(sentence, "bad");
    return;
  }
  mark(place, field, sentence);
  const other = conflict && place.querySelector("[data-theirs]");
  if (!other) return;
  other.hidden = false;
  other.querySelector("[data-theirs-words]").textContent = theirs ?? "";
  other.querySelector("[data-theirs-buttons]").hidden = false;
}

/** What nobody has said yet is to do; what somebody said wrongly is marked as wrong. */
function mark(place, field, sentence, todo = false) {
  const fault = place.querySelector(":scope > [data-fault], :scope > div > [data-fault]");
  if (!fault) return;
  fault.hidden = !sentence;
  fault.textContent = sentence;
  fault.classList.toggle("is-todo", todo);
  if (!field?.matches("[data-edits]")) return;
  if (sentence && !todo) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}
