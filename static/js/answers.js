// What the fields of a judging page hold. Nothing here waits for anything, so that the keyboard
// answers as soon as the page is seen; saving.js catches up with what was answered before it came.

/** The answer a field holds; '' while it has none or none that is allowed. */
export function rawOf(field) {
  const chosen = field.querySelector("input[type=radio]:checked");
  if (chosen) return chosen.value;
  const typed = field.querySelector("[data-answer]:not([type=radio])");
  if (!typed || "unset" in typed.dataset) return "";
  return typed.value.trim() && typed.validity.valid ? typed.value : "";
}

/** Show an answer in a field; '' shows none. A slider keeps its place, but has no answer. */
export function show(field, raw) {
  for (const input of field.querySelectorAll("[data-answer]")) {
    if (input.type === "radio") input.checked = input.value === raw;
    else if (input.type !== "range" || raw) input.value = raw;
    if (input.type === "range") input.toggleAttribute("data-unset", !raw);
  }
}
