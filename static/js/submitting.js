// Submits the work: after the last answer is saved, and again if the connection fails. Submitting
// twice is the same as once.

import { toMissing } from "./answered.js";
import { patiently } from "./patience.js";
import { keep, kept } from "./preferences.js";
import { numberForms } from "./numbers.js";
import { numbers, sender } from "./saving.js";
import { say } from "./words.js";

const WISH = say("No connection. Your work is submitted when you are back online.");
const NAME = `exit.${document.body.dataset.token}`;

numberForms(numbers);

async function send(form) {
  await sender.drained();
  const response = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
    headers: { Accept: "text/html" },
  });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  return response;
}

/** The form survives a look back at the items, and a reload. */
function restore() {
  const fields = document.querySelector("[data-submission]").elements;
  for (const [name, value] of kept(NAME, [])) {
    const field = fields.namedItem(name);
    if (field && !field.value) field.value = value;
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("[data-submission]");
  if (form) keep(NAME, [...new FormData(form)]);
});

/** The page again, with what is missing. */
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const main = page.querySelector("main");
  document.querySelector("main").replaceWith(document.adoptNode(main));
  if (toMissing()) return;
  scrollTo(0, 0);
  document.querySelector("main h1").tabIndex = -1;
  document.querySelector("main h1").focus();
}

async function submit(form) {
  const button = form.querySelector("[data-submit]");
  button.setAttribute("aria-disabled", "true");
  const response = await patiently(WISH, () => send(form));
  if (response.redirected) location.assign(response.url);
  else show(await response.text());
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-submission]");
  if (!form) return;
  event.preventDefault();
  if (!form.querySelector("[data-submit][aria-disabled]")) submit(form);
});

restore();
