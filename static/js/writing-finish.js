// The last step: the text once more, the form, and the submission. Submitting twice is the same
// as once.

import { toMissing } from "./answered.js";
import { openStore } from "./recorder/store.js";
import { numberForms, numbersOf } from "./numbers.js";
import { keep, kept } from "./preferences.js";
import { patiently } from "./network.js";
import { say, sayCount } from "./words.js";
import { citationsOf, countWords, faultsOf, lengthOf } from "./writing-words.js";

const { token, low, target, high } = document.body.dataset;
const passages = new Set(Array(Number(document.body.dataset.passages)).keys()); // counted from 0
const NAME = `exit.${token}`;
const store = await openStore();

numberForms(numbersOf(document.body.dataset));

const find = (name) => document.querySelector(`[data-${name}]`);

/** How long the text is, in a sentence that is no reproach. */
function look() {
  const text = find("last-text").textContent;
  const count = countWords(text);
  const range = { low: Number(low), target: Number(target), high: Number(high) };
  const { place } = lengthOf(count, range);
  find("last-words").textContent = sayCount("{count} word", "{count} words", count);
  const remarks = [];
  if (place === "above") remarks.push(say("The text should be about {target} words long ({low} to {high}).", { target, low, high }));
  const citations = citationsOf(text);
  if (!citations.length) remarks.push(say("Your text doesn't cite any passages."));
  find("last-note").textContent = remarks.join(" ");
  find("last-note").hidden = !remarks.length;
  showShort(place === "below", count);
  showFaults(faultsOf(citations, passages));
}

/** A text that is shorter than asked may be handed in; a reviewer reads that it is, as its writer
 * does here before (writing/review/terms.py). */
function showShort(isShort, count) {
  find("last-short").hidden = !isShort;
  find("last-short-words").textContent = sayCount(
    "Your text has {count} word, but the task asks for {low} to {high}. Keep writing, or submit it as it is. Reviewers will see that it is short.",
    "Your text has {count} words, but the task asks for {low} to {high}. Keep writing, or submit it as it is. Reviewers will see that it is short.",
    count,
    { low, high },
  );
}

/** As the editor says it: which citations name no passage. */
function showFaults(faults) {
  const words = [...new Set(faults.map((each) => each.words))].join(" ");
  find("last-faults-words").textContent = sayCount(
    "This citation is not in your list of passages: {words}",
    "These citations are not in your list of passages: {words}",
    faults.length,
    { words },
  );
  find("last-faults").hidden = !faults.length;
}

/** What this browser still keeps is for the writing page to send. */
async function lookForUnsent() {
  const { chunks } = await store.kept(token);
  const edits = chunks.flatMap((chunk) => chunk.events).some(({ type }) => type === "edit" || type === "snapshot");
  find("unsent").hidden = !edits;
}

function restore() {
  const fields = find("submission").elements;
  for (const [name, value] of kept(NAME, [])) {
    const field = fields.namedItem(name);
    if (field && !field.value) field.value = value;
  }
}

/** What is submitted: the form, and the text that was looked at, to the letter. */
function bodyOf(form, lost) {
  const body = new URLSearchParams(new FormData(form));
  body.set("text", find("last-text").textContent);
  body.set("last_number", kept(`last.${token}`, 0));
  if (lost) body.set("lost", "yes");
  return body;
}

/** Which of some missing chunks this browser could still send. */
async function unsentOf(numbers) {
  const { chunks } = await store.kept(token);
  return chunks.filter((chunk) => numbers.includes(chunk.number));
}

async function send(form, lost = false) {
  const response = await fetch(form.action, {
    method: "POST",
    body: bodyOf(form, lost),
    headers: { Accept: "application/json, text/html" },
  });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  if (!response.headers.get("Content-Type")?.includes("json")) return response;
  const { refusal, missing = [] } = await response.clone().json();
  // What nobody can send any more must not stand in the way.
  const gone = refusal === "LogIncomplete" && !lost && !(await unsentOf(missing)).length;
  return gone ? send(form, true) : response;
}

/** A refusal in a sentence. */
function refuse({ refusal, sentence }) {
  find("refused").textContent = sentence;
  find("refused").hidden = false;
  find("unsent").hidden = refusal !== "LogIncomplete";
  document.querySelector("[data-submit]").removeAttribute("aria-disabled");
  find("refused").focus();
}

/** The page again, with what is missing. */
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
  if (find("submission")) look();
  if (toMissing()) return;
  scrollTo(0, 0);
  const heading = document.querySelector("main h1");
  heading.tabIndex = -1;
  heading.focus();
}

async function submit(form) {
  form.querySelector("[data-submit]").setAttribute("aria-disabled", "true");
  const response = await patiently(
    () => send(form),
    () => {
      find("submit-state").textContent = say("No connection. We'll finish submitting when you are back online.");
    },
  );
  if (response.redirected) {
    if (response.ok) await store.forget(token);
    location.assign(response.url);
  } else if (response.headers.get("Content-Type")?.includes("json")) refuse(await response.json());
  else show(await response.text());
}

document.addEventListener("input", ({ target: { form } }) => {
  if (form?.matches("[data-submission]")) keep(NAME, [...new FormData(form)]);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-submission]");
  if (!form) return;
  event.preventDefault();
  if (!form.querySelector("[data-submit][aria-disabled]")) submit(form);
});

look();
restore();
await lookForUnsent();
