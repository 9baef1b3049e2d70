// What a form said is missing goes when it is given: the sentence at the field, and, with the last of
// them, the one above the form.

const NEEDED = "[data-missing]";

/** Whether there is something in the field, or a choice among those of its name. */
function isGiven(field) {
  if (field.type === "checkbox") return field.checked;
  return field.value.trim() !== ""; // of radio buttons the one that was pressed
}

function clear(field) {
  const part = field.closest("fieldset") ?? field.parentElement;
  const sentence = part.querySelector(".field-error");
  if (!sentence) return;
  for (const each of [part, field]) {
    if (each.getAttribute("aria-describedby") === sentence.id) each.removeAttribute("aria-describedby");
    each.removeAttribute("aria-invalid");
  }
  sentence.remove();
  if (!field.form.querySelector(".field-error")) document.querySelector(NEEDED)?.remove();
}

/** To the first field that lacks something, which may be far below the sentence that says so. */
export function toMissing() {
  const sentence = document.querySelector("main .field-error:not([hidden])");
  const part = sentence?.closest("fieldset") ?? sentence?.parentElement;
  const field = part?.querySelector("input:not([type=hidden]), select, textarea");
  if (!field) return false;
  part.scrollIntoView({ block: "center" });
  field.focus({ preventScroll: true });
  return true;
}

document.addEventListener("input", ({ target }) => {
  if (target.form && isGiven(target)) clear(target);
});

if (document.querySelector(NEEDED)) toMissing();
