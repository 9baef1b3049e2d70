// A page that is looked at again shows the newest answers, also those of another tab or device. Of
// two answers to a question the one with the higher number counts, as on the server: what was given
// here and is not saved yet stays unless somebody answered later elsewhere.

import { rawOf } from "./answers.js";
import { renewStates } from "./questions.js";
import { isUnsentName, newestNumber } from "./queue.js";
import { numbers, queue, showNewer } from "./saving.js";
import { compare, load } from "./visiting.js";

let isAsking = false;
let isAskedAgain = false;

/** The answers and the remark that a page from the server shows. */
function changesOf(page) {
  const answers = [...page.querySelectorAll("[data-field]")].map((field) => ({
    position: Number(field.dataset.position),
    question: field.dataset.question,
    slot: field.dataset.slot,
    raw: rawOf(field),
    comment: field.querySelector("[data-reason]")?.value ?? "",
    number: Number(field.dataset.number) || 0,
  }));
  const remark = page.querySelector("[data-remark]");
  if (!remark) return answers;
  const { dataset, value: text } = remark;
  const position = Number(page.querySelector("[data-item]").dataset.item);
  return [...answers, { position, text, number: Number(dataset.number) || 0 }];
}

async function renew() {
  const item = document.querySelector("[data-item]");
  if (!item || document.hidden) return;
  if (isAsking) {
    isAskedAgain = true;
    return;
  }
  isAsking = true;
  const page = await load(location.href).catch(() => null);
  isAsking = false;
  // Somebody may have gone on to another item meanwhile.
  if (page?.querySelector("[data-item]").dataset.item === item.dataset.item && item.isConnected) {
    const changes = changesOf(page);
    compare(Number(page.body.dataset.newest));
    numbers.goBeyond(newestNumber(changes));
    if (!queue.size) renewStates(page);
    showNewer(changes);
  }
  if (!isAskedAgain) return;
  isAskedAgain = false;
  renew();
}

document.addEventListener("visibilitychange", renew);
addEventListener("focus", renew);
addEventListener("pageshow", ({ persisted }) => persisted && renew());
// Another tab has saved what it had to send.
addEventListener("storage", ({ key, newValue }) => {
  if (newValue === null && isUnsentName(key, document.body.dataset.token)) renew();
});
