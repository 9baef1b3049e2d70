// Deciding on a submission: a, d, p, r press the buttons, j and k go through the list. A decision that
// needs a reason asks for it first; Ctrl+Enter in the reason sends it.

import { keep, kept } from "../preferences.js";
import { isFree } from "./keyboard.js";

const form = document.querySelector("[data-decide]");
const reason = form?.querySelector("[data-reason]");
const hint = form?.querySelector("[data-reason-hint]");
const box = document.querySelector("[data-letters]");
let wanted = null; // the decision that waits for its reason

function nameOf(button) {
  return button.firstChild.textContent.trim();
}

/** Whether a decision can be sent; if not, ask for what it lacks. */
function hasReason(button) {
  if (!("needsReason" in button.dataset) || reason.value.trim()) return true;
  wanted = button;
  hint.textContent = `“${nameOf(button)}” needs a reason. Ctrl + Enter sends it.`;
  reason.setAttribute("aria-invalid", "true");
  reason.focus();
  return false;
}

form?.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button && !hasReason(button)) event.preventDefault();
});

reason?.addEventListener("input", () => reason.removeAttribute("aria-invalid"));
reason?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && wanted) {
    form.requestSubmit(wanted);
    event.preventDefault();
  }
  if (event.key === "Escape") reason.blur();
});

function act(key) {
  const link = { j: "[data-next]", k: "[data-previous]" }[key];
  const found = link
    ? document.querySelector(link)
    : form?.querySelector(`[data-decision="${CSS.escape(key)}"]`);
  found?.click();
  return Boolean(found);
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.shiftKey || !isFree(event) || !kept("review-letters", true)) return;
  if (/^[a-z]$/.test(event.key) && act(event.key)) event.preventDefault();
});

box.checked = kept("review-letters", true);
box.addEventListener("change", () => keep("review-letters", box.checked));
